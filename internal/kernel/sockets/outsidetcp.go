package sockets

import (
	"github.com/heddle-mc/heddle/internal/iocache"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// outsideTCP is the transport of a connection with a peer outside. The far end is
// not a socket but the cache, which knows what the peer has said and how much of
// it the process has read. Until it is connected, and when it is no more, such a
// socket is like any other.
type outsideTCP struct{ tcp }

// distant reports whether a socket is connected with a peer outside.
func (s *socket) distant() bool {
	_, ok := s.transport.(outsideTCP)
	return ok
}

func (t outsideTCP) send(k *Stack, s *socket, p []byte, all bool) (int, linux.Errno) {
	switch {
	case s.down&shutWrite != 0:
		return 0, linux.EPIPE
	case len(p) == 0:
		return 0, 0
	}
	if e := k.tellsPort(s, p); e != 0 {
		return 0, e
	}
	k.touchSession()
	st, err := k.Session.Write(s.conn, p)
	switch {
	case k.fails(err):
		return 0, linux.EIO
	case st == iocache.Broken:
		t.fail(k, s)
		return 0, s.takeError()
	}
	k.outside.told = true
	k.answered(s)
	return len(p), 0
}

func (t outsideTCP) recv(k *Stack, s *socket, p []byte, peek bool) (int, linux.Errno) {
	if s.down&shutRead != 0 && !s.fin {
		return 0, 0 // the process does not want to hear more
	}
	k.touchSession()
	m := k.Session.Save()
	n, st, err := k.Session.Read(s.conn, p)
	if peek {
		k.Session.Restore(m)
	}
	switch {
	case k.fails(err):
		return 0, linux.EIO
	case st == iocache.Broken:
		t.fail(k, s)
		return 0, s.takeError()
	case st == iocache.Waiting:
		return 0, linux.EAGAIN
	}
	k.outside.told = k.outside.told || n > 0 || !s.fin && !peek
	s.fin = s.fin || n == 0 && !peek
	return n, 0
}

// fail makes the socket that of a connection which the peer has broken.
func (outsideTCP) fail(k *Stack, s *socket) {
	why := errnoOf(k.Session.Why(s.conn))
	k.fails(k.Session.Close(s.conn))
	s.transport = tcp{}
	s.broken(k)
	if why != 0 {
		s.err = why
	}
}

func (outsideTCP) shutdown(k *Stack, s *socket, how shutdown) linux.Errno {
	if s.phase == phaseConnecting {
		s.phase = phaseConnected
	}
	if how&shutWrite != 0 && s.down&shutWrite == 0 {
		k.touchSession()
		k.fails(k.Session.Shutdown(s.conn))
		k.answered(s)
	}
	s.down |= how
	return 0
}

// close ends the connection in order, or by a reset if bytes are lost by it or
// the process wants it so.
func (outsideTCP) close(k *Stack, s *socket) {
	k.touchSession()
	n, _, err := k.Session.Available(s.conn)
	if k.fails(err) {
		return
	}
	if n > 0 || s.linger.on && s.linger.seconds == 0 {
		k.fails(k.Session.Reset(s.conn))
	} else {
		k.fails(k.Session.Close(s.conn))
	}
	s.state, s.transport = stateClosed, tcp{}
	k.answered(s)
}

// answered notes that there may be an answer to what a peer was told on a
// connection, or on another one if that is possible.
func (k *Stack) answered(s *socket) {
	if !k.HasEpoll() {
		return
	}
	wake := func(o *socket) {
		if (o.distant() || o.state == stateListening) && o.k.Process == k.Process && o.Events()&linux.EvRead != 0 {
			k.WakeFor(o.key, linux.EvRead)
		}
	}
	if !k.entangled(s) {
		wake(s)
		return
	}
	for _, o := range k.net.named {
		wake(o)
	}
}

func (outsideTCP) events(k *Stack, s *socket) uint32 {
	events := uint32(linux.EvWrite)
	if s.down == shutBoth {
		events |= linux.EvHup
	}
	if s.down&shutRead != 0 {
		return events | linux.EvRead | linux.EvRdHup
	}
	_, st, err := k.Session.Available(s.conn)
	if k.fails(err) || st != iocache.Waiting {
		events |= linux.EvRead
	}
	return events
}
