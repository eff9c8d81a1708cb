package sockets

import (
	"fmt"

	"github.com/heddle-mc/heddle/internal/kernel/files"
	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// unixStream is the transport of the sockets of the Unix domain that have
// connections: streams, and those that keep the borders of packets.
type unixStream struct{}

// bind takes a path, which becomes a file, or an abstract name. Without a name
// the kernel chooses the first of its own that is free.
func (unixStream) bind(k *Stack, s *socket, a address) linux.Errno {
	switch {
	case a.name == "" && s.held:
		return 0
	case a.name == "":
		for i := 0; a.name == "" || k.net.abstract(a.name, s.kind) != nil; i++ {
			a.name = fmt.Sprintf("\x00%05x", i)
		}
	case a.name[0] == 0:
		if s.held {
			return linux.EINVAL
		}
		if k.net.abstract(a.name, s.kind) != nil {
			return linux.EADDRINUSE
		}
	default:
		id, e := k.files.MakeSocket(a.name)
		if e != 0 {
			return e
		}
		if s.held { // Linux finds that out after it has made the file
			k.files.Changeat(host.Change{Op: host.Unlink, Path: a.name}, files.AtCwd, files.AtCwd)
			return linux.EINVAL
		}
		if old := k.net.atFile(id); old != nil { // its file is gone, and the number is used again
			k.touchSocket(old)
			old.file = files.FileID{}
		}
		s.file = id
	}
	s.local, s.held = a, true
	k.net.add(k, s)
	if far, ok := s.far.(*socket); ok && far.far == endpoint(s) { // it was connected before it had a name
		k.touchSocket(far)
		far.remote = a
	}
	return 0
}

// find returns the socket of a type with a name.
func (unixStream) find(k *Stack, name string, kind int) (*socket, linux.Errno) {
	if name == "" {
		return nil, linux.EINVAL
	}
	if name[0] == 0 {
		if s := k.net.abstract(name, kind); s != nil {
			return s, 0
		}
		return nil, linux.ECONNREFUSED
	}
	id, made, e := k.files.FindSocket(name)
	if e != 0 {
		k.notes(false, "unix", address{name: name})
		return nil, e
	}
	if s := k.net.atFile(id); s != nil {
		return s, 0
	}
	if made {
		return nil, linux.ECONNREFUSED // whoever had it is closed
	}
	k.notes(false, "unix", address{name: name})
	return nil, k.Refuse(fmt.Sprintf("connection to %s, a socket of the host", name))
}

func (unixStream) listen(k *Stack, s *socket, backlog int) linux.Errno {
	if !s.held || s.state != stateClosed && s.state != stateListening {
		return linux.EINVAL
	}
	s.state, s.backlog = stateListening, backlog
	return 0
}

// connect succeeds at once or not at all.
func (t unixStream) connect(k *Stack, s *socket, addr []byte) linux.Errno {
	to, e := decode(s.domain, addr)
	if e != 0 {
		return e
	}
	if p, ok := k.atPath(to.name); ok {
		return k.dialPath(s, p, to)
	}
	l, e := t.find(k, to.name, s.kind)
	switch {
	case e != 0:
		return e
	case l.kind != s.kind:
		return linux.EPROTOTYPE
	case l.state != stateListening || l.down&shutRead != 0:
		return linux.ECONNREFUSED
	case l.full():
		return linux.EAGAIN
	case s.state == stateOpen:
		return linux.EISCONN
	case s.state != stateClosed:
		return linux.EINVAL
	}
	k.touchSocket(l)
	s.remote, s.phase = l.local, phaseConnected
	k.establish(s, l)
	return 0
}

func (unixStream) send(k *Stack, s *socket, p []byte, all bool) (int, linux.Errno) {
	if s.kind == linux.SOCK_SEQPACKET {
		return s.sendPacket(k, p)
	}
	switch {
	case s.state != stateOpen:
		return 0, linux.ENOTCONN
	case s.down&shutWrite != 0:
		return 0, linux.EPIPE
	case len(p) > 0 && s.err != 0:
		return 0, s.takeError()
	}
	n, _, e := s.sendFar(k, p, all)
	return n, e
}

// sendPacket sends all or nothing. A packet may be empty.
func (s *socket) sendPacket(k *Stack, p []byte) (int, linux.Errno) {
	switch {
	case s.err != 0:
		return 0, s.takeError()
	case s.state != stateOpen:
		return 0, linux.ENOTCONN
	case len(p) > k.SocketBuffer:
		return 0, linux.EMSGSIZE
	case s.down&shutWrite != 0:
		return 0, linux.EPIPE
	case s.far.room(k) < len(p):
		return 0, linux.EAGAIN
	}
	s.far.receive(k, p)
	return len(p), 0
}

// recvPacket reads one packet, or as much of it as fits.
func (s *socket) recvPacket(p []byte) (int, linux.Errno) {
	switch {
	case s.state != stateOpen:
		return 0, linux.ENOTCONN
	case s.err != 0:
		return 0, s.takeError()
	case len(s.cuts) > 0:
		return copy(p, s.in[:s.cuts[0]]), 0
	case s.down&shutRead != 0:
		return 0, 0
	}
	return 0, linux.EAGAIN
}

func (unixStream) farSent(*Stack, *socket) bool { return true }

func (unixStream) recv(k *Stack, s *socket, p []byte, peek bool) (int, linux.Errno) {
	if s.kind == linux.SOCK_SEQPACKET {
		return s.recvPacket(p)
	}
	switch {
	case s.state != stateOpen:
		return 0, linux.EINVAL
	case len(s.in) > 0:
		return copy(p, s.in), 0
	case s.err != 0:
		return 0, s.takeError()
	case s.down&shutRead != 0:
		return 0, 0
	}
	return 0, linux.EAGAIN
}

// shutdown tells the far end both directions: it cannot write what nobody will
// read.
func (unixStream) shutdown(k *Stack, s *socket, how shutdown) linux.Errno {
	s.down |= how
	k.Wake(s.key) // first, as epoll can tell
	if s.far != nil {
		s.far.shut(k, how)
	}
	return 0
}

func (unixStream) farShut(k *Stack, s *socket, how shutdown) {
	if how&shutRead != 0 {
		s.down |= shutWrite
	}
	if how&shutWrite != 0 {
		s.down |= shutRead
	}
}

func (unixStream) farGone(k *Stack, s *socket, reset bool) {
	s.down = shutBoth
	if reset {
		s.err = linux.ECONNRESET
	}
}

// close resets the connection if the far end has sent what nobody will read. A
// single empty packet does not count.
func (unixStream) close(k *Stack, s *socket) {
	for _, child := range s.queue {
		if child.far != nil {
			child.far.gone(k, true)
		}
	}
	if s.far != nil {
		s.far.gone(k, len(s.in) > 0 || len(s.cuts) > 1)
	}
	s.state = stateClosed
}

// events follows unix_poll of Linux.
func (unixStream) events(k *Stack, s *socket) (events uint32) {
	if s.err != 0 {
		events |= linux.EvErr
	}
	if s.down == shutBoth || s.state == stateClosed {
		events |= linux.EvHup
	}
	if s.down&shutRead != 0 {
		events |= linux.EvRead | linux.EvRdHup
	}
	if len(s.in) > 0 || len(s.cuts) > 0 || len(s.queue) > 0 || s.state == stateListening && len(k.callers(s)) > 0 {
		events |= linux.EvRead
	}
	if s.state != stateListening && (s.far == nil || s.far.room(k) > 0) {
		events |= linux.EvWrite | linux.EvWrBand
	}
	return events
}

func (unixStream) peer(s *socket) (address, linux.Errno) {
	if s.state != stateOpen {
		return address{}, linux.ENOTCONN
	}
	return s.remote, 0
}
