package sockets

import (
	"fmt"
	"slices"

	"github.com/heddle-mc/heddle/internal/kernel/process"
)

// An Awaited is what a call that waits for several descriptors at once may find:
// those that the program knows to be ready, and any set of those that may just
// have become so (paper 003, algorithm 4).
type Awaited struct {
	late []lateSide
	sure []int // descriptors of which there is something to tell, whatever is chosen
}

type lateSide struct {
	s  *socket
	v  side
	fd int
}

// An Asked is a descriptor and the events that a call wants to be told of.
type Asked struct {
	FD     int
	Events uint32
}

// maxLate is how many sides may become ready in one call. Each subset is a step.
const maxLate = 12

// Await tells what a call may find that asks for events of descriptors.
func (k *Stack) Await(asked []Asked) (a Awaited) {
	for _, x := range asked {
		if d, e := k.Desc(x.FD); e != 0 {
			a.sure = append(a.sure, x.FD)
		} else {
			events := d.Events()
			a.add(k, x.FD, d, events, events&x.Events)
		}
	}
	return a
}

// AwaitEpoll is Await for the watches of an epoll.
func (k *Stack) AwaitEpoll(fd int) (a Awaited) {
	k.EachTold(fd, func(fd int, d *process.Desc, all, events uint32) { a.add(k, fd, d, all, events) })
	return a
}

// add adds the events of an open file: all, and those that the call asks for.
func (a *Awaited) add(k *Stack, fd int, d *process.Desc, all, events uint32) {
	if events == 0 {
		return
	}
	s, ok := d.File.(*socket)
	for _, v := range [...]side{outgoing, incoming} {
		switch {
		case events&v.events() == 0:
		case !ok || !k.lateWith(s, v, all):
			if !slices.Contains(a.sure, fd) {
				a.sure = append(a.sure, fd)
			}
		case !a.has(s, v) && !(s.ends() && a.has(s, outgoing)):
			a.late = append(a.late, lateSide{s, v, fd})
		}
	}
}

func (a *Awaited) has(s *socket, v side) bool {
	return slices.ContainsFunc(a.late, func(x lateSide) bool { return x.s == s && x.v == v })
}

// ends reports whether a socket could not be connected: that is seen on both sides
// at once.
func (s *socket) ends() bool { return s.phase == phaseConnecting && s.err != 0 }

// Ways returns in how many ways the call can go. Empty tells whether it may find
// nothing.
func (a *Awaited) Ways(empty bool) int {
	n := 1 << min(len(a.late), maxLate)
	if len(a.sure) == 0 && !empty && n > 1 {
		n--
	}
	return n
}

// Excess reports whether there are more ways than can be tried.
func (a *Awaited) Excess() bool { return len(a.late) > maxLate }

// Any reports whether there is something to tell, or may be.
func (a *Awaited) Any() bool { return len(a.sure)+len(a.late) > 0 }

// Late returns how many sides may just have become ready.
func (a *Awaited) Late() int { return len(a.late) }

// Choose makes those sides known of one of the ways.
func (a *Awaited) Choose(way int, empty bool) {
	for i, x := range a.late {
		if a.mask(way, empty)>>i&1 != 0 {
			x.s.k.notice(x.s, x.v)
		}
	}
}

// mask returns the sides of a way.
func (a *Awaited) mask(way int, empty bool) int {
	if len(a.sure) == 0 && !empty && len(a.late) > 0 {
		way++
	}
	return way
}

// Ready tells of which descriptors the call tells in one of the ways, for what, and
// of how many it could.
func (a *Awaited) Ready(way int, empty bool) (list []string, of int) {
	for _, fd := range a.sure {
		list = append(list, fmt.Sprintf("fd %d", fd))
	}
	for i, x := range a.late {
		if a.mask(way, empty)>>i&1 != 0 {
			list = append(list, fmt.Sprintf("fd %d to %s", x.fd, x.v.words(x.s)))
		}
	}
	return list, len(a.sure) + len(a.late)
}

// words say what a side is ready for.
func (v side) words(s *socket) string {
	switch {
	case s.state == stateListening:
		return "accept"
	case v == incoming:
		return "read"
	case s.phase == phaseConnecting:
		return "connect"
	}
	return "write"
}
