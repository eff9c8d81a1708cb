package kernel

import "slices"

// An Awaited is what a call that waits for several descriptors at once may find:
// those that the program knows to be ready, and any set of those that may just
// have become so (paper 003, algorithm 4).
type Awaited struct {
	late []lateSide
	sure bool // there is something to tell, whatever is chosen
}

type lateSide struct {
	s *socket
	v side
}

// An Asked is a descriptor and the events that a call wants to be told of.
type Asked struct {
	FD     int
	Events uint32
}

// PollAlways are the events that poll tells of whether or not one asks for them.
const PollAlways = evAlways

// maxLate is how many sides may become ready in one call. Each subset is a step.
const maxLate = 12

// Await tells what a call may find that asks for events of descriptors.
func (k *Kernel) Await(asked []Asked) (a Awaited) {
	for _, x := range asked {
		if d, e := k.desc(x.FD); e != 0 {
			a.sure = true
		} else {
			a.add(k, d, k.eventsOf(d)&x.Events)
		}
	}
	return a
}

// AwaitEpoll is Await for the watches of an epoll.
func (k *Kernel) AwaitEpoll(fd int) (a Awaited) {
	d, e := k.desc(fd)
	if e != 0 {
		return a
	}
	if ep, ok := d.file.(*epoll); ok {
		for _, w := range ep.items {
			if ep.tells(w) {
				a.add(k, w.desc, w.now(k))
			}
		}
	}
	return a
}

// add adds the events of an open file.
func (a *Awaited) add(k *Kernel, d *desc, events uint32) {
	s, ok := d.file.(*socket)
	for _, v := range [...]side{outgoing, incoming} {
		switch {
		case events&v.events() == 0:
		case !ok || !k.late(s, v):
			a.sure = true
		default:
			if x := (lateSide{s, v}); !slices.Contains(a.late, x) && !(s.ends() && slices.Contains(a.late, lateSide{s, outgoing})) {
				a.late = append(a.late, x)
			}
		}
	}
}

// ends reports whether a socket could not be connected: that is seen on both sides
// at once.
func (s *socket) ends() bool { return s.phase == phaseConnecting && s.err != 0 }

// Ways returns in how many ways the call can go. Empty tells whether it may find
// nothing.
func (a *Awaited) Ways(empty bool) int {
	n := 1 << min(len(a.late), maxLate)
	if !a.sure && !empty && n > 1 {
		n--
	}
	return n
}

// Excess reports whether there are more ways than can be tried.
func (a *Awaited) Excess() bool { return len(a.late) > maxLate }

// Any reports whether there is something to tell, or may be.
func (a *Awaited) Any() bool { return a.sure || len(a.late) > 0 }

// Late returns how many sides may just have become ready.
func (a *Awaited) Late() int { return len(a.late) }

// Choose makes those sides known of one of the ways, and returns how many these
// are.
func (a *Awaited) Choose(k *Kernel, way int, empty bool) (n int) {
	if !a.sure && !empty {
		way++
	}
	for i, x := range a.late {
		if way>>i&1 != 0 {
			k.notice(x.s, x.v)
			n++
		}
	}
	return n
}

// knownEvents are the events of an open file without those that are late.
func (k *Kernel) knownEvents(d *desc) uint32 {
	events := k.eventsOf(d)
	s, ok := d.file.(*socket)
	if !ok || k.Delays == 0 {
		return events
	}
	for _, v := range [...]side{outgoing, incoming} {
		if events&v.events() != 0 && k.late(s, v) {
			events &^= v.events()
		}
	}
	return events
}
