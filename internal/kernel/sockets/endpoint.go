package sockets

import (
	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// An endpoint is the far end of a connection, as the near end sees it: another
// socket of the kernel, or a peer outside. The near end tells it what it does.
// In the other direction a peer outside acts as the far end of the socket that
// it is connected to, which is an endpoint too.
type endpoint interface {
	// room is how many bytes it would receive now.
	room(k *Stack) int

	// receive takes bytes that the near end has sent, no more than there is
	// room for. If it is false, the far end is not interested and has reset the
	// connection.
	receive(k *Stack, p []byte) bool

	// drained tells that the near end has read, so that it has more room, and
	// whether that is news for epoll.
	drained(k *Stack, news bool)

	// shut tells that the near end will not read or write any more.
	shut(k *Stack, how shutdown)

	// gone tells that the near end is closed. If it was reset, the connection is
	// broken; if not, it has been shut down for writing before.
	gone(k *Stack, reset bool)
}

// A shutdown is a set of directions that a socket does not use any more.
type shutdown uint8

const (
	shutRead shutdown = 1 << iota
	shutWrite
	shutBoth = shutRead | shutWrite
)

func (s *socket) room(k *Stack) int { return k.SocketBuffer - len(s.in) }

func (s *socket) receive(k *Stack, p []byte) bool {
	k.touchSocket(s)
	k.WakeFor(s.key, linux.EvRead)
	if !s.transport.farSent(k, s) {
		return false
	}
	s.in = append(s.in, p...)
	switch {
	case s.kind == linux.SOCK_SEQPACKET:
		s.cuts = append(s.cuts, len(p))
	case s.domain == linux.AF_UNIX && len(p) > 0:
		s.chunks = append(s.chunks, len(p))
	}
	return true
}

func (s *socket) drained(k *Stack, news bool) {
	events := uint32(0)
	if news {
		events = linux.EvOut
	}
	k.WakeFor(s.key, events)
}

func (s *socket) shut(k *Stack, how shutdown) {
	k.touchSocket(s)
	s.transport.farShut(k, s, how)
	k.Wake(s.key)
}

func (s *socket) gone(k *Stack, reset bool) {
	k.touchSocket(s)
	s.transport.farGone(k, s, reset)
	s.far = nil
	events := uint32(0) // with TCP, an end was told before, and a reset has its own
	if s.domain == linux.AF_UNIX {
		events = linux.EvAll
	}
	k.WakeFor(s.key, events)
}
