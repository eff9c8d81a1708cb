package sockets

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// A Fault is something that a network may do to a connection at any time.
type Fault uint8

// The faults.
const (
	FaultReset   Fault = iota // the connection breaks: ECONNRESET
	FaultEOF                  // the far end has ended the connection
	FaultRefuse               // an attempt to connect is refused
	FaultShort                // a call reads or writes one byte only
	FaultTimeout              // the far end does not answer any more: ETIMEDOUT
	numFaults
)

var faultNames = [numFaults]string{"reset", "eof", "refuse", "short", "timeout"}

func (f Fault) String() string { return faultNames[f] }

// Faults say how often each fault may happen on a path.
type Faults [numFaults]int

// ParseFaults reads a list such as reset,short:2. Without a number, a fault
// happens once.
func ParseFaults(text string) (Faults, error) {
	var list Faults
	if text == "" {
		return list, nil
	}
next:
	for field := range strings.SplitSeq(text, ",") {
		name, count, counted := strings.Cut(strings.TrimSpace(field), ":")
		n := 1
		if counted {
			var err error
			if n, err = strconv.Atoi(count); err != nil || n < 1 {
				return list, fmt.Errorf("%s: say how often, as %s:2", field, name)
			}
		}
		for f, known := range faultNames {
			if name == known {
				list[f] += n
				continue next
			}
		}
		return list, fmt.Errorf("unknown fault %q: say %s", name, strings.Join(faultNames[:], ", "))
	}
	return list, nil
}

// String returns the list as ParseFaults reads it.
func (l Faults) String() string {
	var list []string
	for f, n := range l {
		if n > 0 {
			list = append(list, fmt.Sprintf("%s:%d", faultNames[f], n))
		}
	}
	return strings.Join(list, ",")
}

// Any reports whether some fault may happen.
func (l Faults) Any() bool { return l != Faults{} }

// A FaultyCall is what a call does with a connection.
type FaultyCall uint8

// The calls at which faults happen.
const (
	CallRead FaultyCall = iota
	CallWrite
	CallConnect
)

// FaultsAt appends the faults that may happen to a call on a descriptor now. Size
// is how many bytes it is about.
func (k *Stack) FaultsAt(list []Fault, fd int, call FaultyCall, size int) []Fault {
	s, _, e := k.socket(fd)
	if !k.state.faults.Any() || e != 0 || s.kind != linux.SOCK_STREAM || !internet(s.domain) {
		return list
	}
	add := func(f Fault, may bool) {
		if may && k.state.faults[f] > 0 {
			list = append(list, f)
		}
	}
	open := s.state == stateOpen && s.err == 0
	add(FaultReset, call != CallConnect && open)
	add(FaultEOF, call == CallRead && open && !s.fin && s.down&shutRead == 0)
	add(FaultRefuse, call == CallConnect && s.phase == phaseUnconnected)
	add(FaultShort, call != CallConnect && open && size > 1)
	add(FaultTimeout, call == CallConnect && s.phase == phaseUnconnected || call != CallConnect && open)
	return list
}

// Inject lets a fault happen to the socket of a descriptor. It returns the error of
// the call, 0 if that goes on: with one byte after FaultShort, at the end of the
// connection after FaultEOF.
func (k *Stack) Inject(fd int, f Fault) linux.Errno {
	s, _, _ := k.socket(fd)
	k.touchState()
	k.touchSocket(s)
	k.state.faults[f]--
	switch f {
	case FaultShort:
		return 0
	case FaultRefuse:
		return linux.ECONNREFUSED
	case FaultEOF:
		s.fin, s.in, s.chunks = !s.distant(), nil, nil
		s.down |= shutRead
		return 0
	}
	e := linux.ECONNRESET
	if f == FaultTimeout {
		e = linux.ETIMEDOUT
	}
	if s.state != stateOpen {
		return e // it was to be connected
	}
	if s.distant() {
		k.touchSession()
		k.fails(k.Session.Reset(s.conn))
		s.transport = tcp{}
	} else if s.far != nil && s.far != endpoint(s) {
		s.far.gone(k, true)
	}
	s.broken(k)
	s.err, s.in, s.chunks = 0, nil, nil
	return e
}
