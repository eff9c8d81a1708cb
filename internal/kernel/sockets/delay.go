package sockets

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// Calls that do not wait find the network as far as it is, and how far it is
// nobody can say: what the far end has sent may have arrived or not. So each of
// them is a choice between "not yet" and "done". What a program has been told
// stays true: after a selector has reported a socket, or a call has found its end,
// calls on it are not early again until what was there has been consumed (paper
// 003, algorithms 1 to 4). Calls that wait are none of this: whether they wait for
// long or not is the scheduler's part.
//
// Only stream sockets of the internet have delays, and those with peers. What is written to a pipe, another
// socket of the Unix domain or an eventfd is there when the call returns.

// Delays are the operations that may find that it is too early.
type Delays uint8

// The operations.
const (
	DelayAccept Delays = 1 << iota
	DelayRead
	DelayWrite
	DelayConnect
	DelayAll = DelayAccept | DelayRead | DelayWrite | DelayConnect
)

var delayNames = []string{"accept", "read", "write", "connect"}

// ParseDelays reads a list such as accept,read; all and none are lists too. Empty
// is none.
func ParseDelays(text string) (Delays, error) {
	var d Delays
next:
	for field := range strings.SplitSeq(text, ",") {
		switch name := strings.TrimSpace(field); name {
		case "all":
			d = DelayAll
		case "none", "":
		default:
			for i, known := range delayNames {
				if name == known {
					d |= 1 << i
					continue next
				}
			}
			return 0, fmt.Errorf("unknown operation %q: say all, none, or some of %s", name, strings.Join(delayNames, ", "))
		}
	}
	return d, nil
}

// String returns the list as ParseDelays reads it.
func (d Delays) String() string {
	switch d {
	case 0:
		return "none"
	case DelayAll:
		return "all"
	}
	var list []string
	for i, name := range delayNames {
		if d>>i&1 != 0 {
			list = append(list, name)
		}
	}
	return strings.Join(list, ",")
}

// A side is one direction of a socket: what comes in, connections at a listener
// among it, or what goes out, the end of an attempt to connect among it.
type side uint8

const (
	incoming side = 1 << iota
	outgoing
)

// sideOf returns the side of reading ('r') or writing ('w').
func sideOf(mode byte) side {
	if mode == 'w' {
		return outgoing
	}
	return incoming
}

// outEvents are the events of the outgoing side. All others belong to the incoming
// one.
const outEvents = linux.EvWrite | linux.EvWrBand

func (v side) events() uint32 {
	if v == outgoing {
		return outEvents
	}
	return ^uint32(outEvents)
}

// late reports whether a side of a socket is ready but the program does not know
// it: to find it so is a choice.
func (k *Stack) late(s *socket, v side) bool {
	return k.mayLate(s, v) && s.Events()&v.wanted() != 0
}

// lateWith is late for a socket whose events are known.
func (k *Stack) lateWith(s *socket, v side, events uint32) bool {
	return events&v.wanted() != 0 && k.mayLate(s, v)
}

// wanted are the events that make a side ready.
func (v side) wanted() uint32 {
	if v == outgoing {
		return linux.EvOut | linux.EvAlways
	}
	return linux.EvIn | linux.EvRdHup | linux.EvAlways
}

// mayLate is late but for whether the side is ready.
func (k *Stack) mayLate(s *socket, v side) bool {
	if k.Delays == 0 || s.noticed&v != 0 || s.kind != linux.SOCK_STREAM || !internet(s.domain) && !s.distant() && !(s.state == stateListening && k.expects(s)) {
		return false
	}
	var d Delays
	switch {
	case s.state == stateListening:
		d = DelayAccept
	case s.phase == phaseUnconnected || s.phase == phaseEnding:
		return false
	case s.state == stateClosed && s.err == 0:
		return false // it is over, and the program has seen why
	case v == incoming && s.down&shutRead != 0 && !s.fin && s.err == 0:
		return false // the program does not want to hear more
	case v == incoming:
		d = DelayRead
	case s.down&shutWrite != 0 && s.err == 0:
		return false
	case s.phase == phaseConnecting:
		d = DelayConnect
	default:
		d = DelayWrite
	}
	return k.Delays&d != 0
}

// Late reports whether a call that reads ('r') or writes ('w') a descriptor and does
// not wait may find that it is too early, though it is not.
func (k *Stack) Late(fd int, mode byte) bool {
	s, _, e := k.socket(fd)
	return e == 0 && k.late(s, sideOf(mode))
}

// LateError is Late for a call that asks for the error of an attempt to connect.
func (k *Stack) LateError(fd int) bool {
	s, _, e := k.socket(fd)
	return e == 0 && s.phase == phaseConnecting && s.err != 0 && k.late(s, outgoing)
}

// NotYet is the choice that it is too early for a call. What is there will come,
// and be news to an epoll that is told of news only.
func (k *Stack) NotYet(fd int, mode byte) {
	if s, _, e := k.socket(fd); e == 0 {
		k.toCome(s, sideOf(mode))
	}
}

func (k *Stack) toCome(s *socket, v side) {
	events := uint32(linux.EvRead)
	if v == outgoing {
		events = linux.EvWrite
	}
	if k.HasEpoll() {
		k.Note(s.key, events)
	}
}

// Notice is the choice that it is not too early.
func (k *Stack) Notice(fd int, mode byte) {
	if s, _, e := k.socket(fd); e == 0 {
		k.notice(s, sideOf(mode))
	}
}

func (k *Stack) notice(s *socket, v side) {
	k.touchSocket(s)
	s.noticed |= v
	if v == incoming && (s.phase == phaseConnecting || s.err != 0) || s.ends() {
		s.noticed = incoming | outgoing // one cannot be seen without the other
	}
}

// consume notes that what was there is used: whether there is more the program
// does not know. The socket has been prepared for change.
func (s *socket) consume(v side) { s.noticed &^= v }

// Portions returns the sizes of transfers that are neither nothing nor all of n
// bytes: one byte, half of them, all but one.
func Portions(list []int, n int) []int {
	for _, m := range []int{1, n / 2, n - 1} {
		if m > 0 && m < n && (len(list) == 0 || list[len(list)-1] < m) {
			list = append(list, m)
		}
	}
	return list
}

// Distant reports whether a descriptor is a connection with a peer outside.
func (k *Stack) Distant(fd int) bool {
	if k.Session == nil {
		return false
	}
	s, _, e := k.socket(fd)
	return e == 0 && s.distant()
}

// Arrivals returns the sizes of reads of at most n bytes, less than that, if not all that a peer outside has said
// has arrived: what a peer writes at once arrives at once. Partial reads may end anywhere.
func (k *Stack) Arrivals(list []int, fd, n int) []int {
	s, _, _ := k.socket(fd)
	if k.Partial {
		for m := 1; m < n; m++ {
			list = append(list, m)
		}
		return list
	}
	list, err := k.Session.Arrivals(list, s.conn)
	k.fails(err)
	return slices.DeleteFunc(list, func(m int) bool { return m >= n })
}

// Transfer returns how many bytes a call would read ('r') or write ('w') of size
// bytes, 0 if that is not the amount of bytes of a stream.
func (k *Stack) Transfer(fd int, mode byte, size int) int {
	s, _, e := k.socket(fd)
	switch {
	case e != 0 || s.kind != linux.SOCK_STREAM || !internet(s.domain) && !s.distant() || s.state != stateOpen || s.err != 0:
		return 0
	case mode == 'w' && s.down&shutWrite != 0:
		return 0
	case mode == 'w' && s.distant():
		return size
	case mode == 'w' && s.far != nil:
		return min(size, max(0, s.far.room(k)))
	case mode == 'w':
		return 0
	case s.distant() && s.down&shutRead == 0:
		n, _, err := k.Session.Available(s.conn)
		k.fails(err)
		return min(size, n)
	}
	return min(size, len(s.in))
}

// Known returns those of a socket's events that are not late.
func (s *socket) Known(all uint32) uint32 {
	events := all
	if s.k.Delays == 0 {
		return events
	}
	for _, v := range [...]side{outgoing, incoming} {
		if events&v.events() != 0 && s.k.lateWith(s, v, all) {
			events &^= v.events()
		}
	}
	return events
}
