package kernel

import (
	"fmt"
	"syscall"

	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// unixStream is the transport of the sockets of the Unix domain that have
// connections: streams, and those that keep the borders of packets.
type unixStream struct{}

// bind takes a path, which becomes a file, or an abstract name. Without a name
// the kernel chooses the first of its own that is free.
func (unixStream) bind(k *Kernel, s *socket, a address) linux.Errno {
	switch {
	case a.name == "" && s.held:
		return 0
	case a.name == "":
		for i := 0; a.name == "" || k.net.abstract(a.name, s.kind) != nil; i++ {
			a.name = fmt.Sprintf("\x00%05x", i)
		}
	case a.name[0] == 0:
		if s.held {
			return syscall.EINVAL
		}
		if k.net.abstract(a.name, s.kind) != nil {
			return syscall.EADDRINUSE
		}
	default:
		id, e := k.socketFile(a.name)
		if e != 0 {
			return e
		}
		if s.held { // Linux finds that out after it has made the file
			k.Changeat(host.Change{Op: host.Unlink, Path: a.name}, AtCwd, AtCwd)
			return syscall.EINVAL
		}
		if old := k.net.atFile(id); old != nil { // its file is gone, and the number is used again
			k.touchSocket(old)
			old.file = fileID{}
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

// socketFile makes the file of a socket.
func (k *Kernel) socketFile(name string) (id fileID, e linux.Errno) {
	at, e := k.at(AtCwd, name)
	if e != 0 {
		return id, e
	}
	mode := syscall.S_IFSOCK | 0o777&^k.self.umask
	if e = k.tree.change(host.Change{Op: host.Mknod, Mode: mode}, at, place{}); e != 0 {
		if e == syscall.EEXIST {
			e = syscall.EADDRINUSE
		}
		return id, e
	}
	st, e := k.tree.stat(at, false)
	return fileID{st.Dev, st.Ino}, e
}

// find returns the socket of a type with a name.
func (unixStream) find(k *Kernel, name string, kind int) (*socket, linux.Errno) {
	if name == "" {
		return nil, syscall.EINVAL
	}
	if name[0] == 0 {
		if s := k.net.abstract(name, kind); s != nil {
			return s, 0
		}
		return nil, syscall.ECONNREFUSED
	}
	at, e := k.at(AtCwd, name)
	if e != 0 {
		return nil, e
	}
	st, e := k.tree.stat(at, true)
	if e != 0 {
		return nil, e
	}
	if e := k.tree.access(at, 2, 0); e != 0 {
		return nil, e
	}
	if st.Mode&syscall.S_IFMT != syscall.S_IFSOCK {
		return nil, syscall.ECONNREFUSED
	}
	if s := k.net.atFile(fileID{st.Dev, st.Ino}); s != nil {
		return s, 0
	}
	if k.made(at) {
		return nil, syscall.ECONNREFUSED // whoever had it is closed
	}
	return nil, k.refuse(fmt.Sprintf("connection to %s, a socket of the host", name))
}

// made reports whether the program itself has made a file. Without an overlay
// nobody remembers.
func (k *Kernel) made(at place) bool {
	o, ok := k.tree.(*overlay)
	if !ok {
		return true
	}
	n, e := o.must(at, true)
	return e == 0 && n.from == nil
}

func (unixStream) listen(k *Kernel, s *socket, backlog int) linux.Errno {
	if !s.held || s.state != stateClosed && s.state != stateListening {
		return syscall.EINVAL
	}
	s.state, s.backlog = stateListening, backlog
	return 0
}

// connect succeeds at once or not at all.
func (t unixStream) connect(k *Kernel, s *socket, addr []byte) linux.Errno {
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
		return syscall.EPROTOTYPE
	case l.state != stateListening || l.down&shutRead != 0:
		return syscall.ECONNREFUSED
	case l.full():
		return syscall.EAGAIN
	case s.state == stateOpen:
		return syscall.EISCONN
	case s.state != stateClosed:
		return syscall.EINVAL
	}
	k.touchSocket(l)
	s.remote, s.phase = l.local, phaseConnected
	k.establish(s, l)
	return 0
}

func (unixStream) send(k *Kernel, s *socket, p []byte, all bool) (int, linux.Errno) {
	if s.kind == syscall.SOCK_SEQPACKET {
		return s.sendPacket(k, p)
	}
	switch {
	case s.state != stateOpen:
		return 0, syscall.ENOTCONN
	case s.down&shutWrite != 0:
		return 0, syscall.EPIPE
	case len(p) > 0 && s.err != 0:
		return 0, s.takeError()
	}
	n, _, e := s.sendFar(k, p, all)
	return n, e
}

// sendPacket sends all or nothing. A packet may be empty.
func (s *socket) sendPacket(k *Kernel, p []byte) (int, linux.Errno) {
	switch {
	case s.err != 0:
		return 0, s.takeError()
	case s.state != stateOpen:
		return 0, syscall.ENOTCONN
	case len(p) > k.SocketBuffer:
		return 0, syscall.EMSGSIZE
	case s.down&shutWrite != 0:
		return 0, syscall.EPIPE
	case s.far.room(k) < len(p):
		return 0, syscall.EAGAIN
	}
	s.far.receive(k, p)
	return len(p), 0
}

// recvPacket reads one packet, or as much of it as fits.
func (s *socket) recvPacket(p []byte) (int, linux.Errno) {
	switch {
	case s.state != stateOpen:
		return 0, syscall.ENOTCONN
	case s.err != 0:
		return 0, s.takeError()
	case len(s.cuts) > 0:
		return copy(p, s.in[:s.cuts[0]]), 0
	case s.down&shutRead != 0:
		return 0, 0
	}
	return 0, syscall.EAGAIN
}

func (unixStream) farSent(*Kernel, *socket) bool { return true }

func (unixStream) recv(k *Kernel, s *socket, p []byte, peek bool) (int, linux.Errno) {
	if s.kind == syscall.SOCK_SEQPACKET {
		return s.recvPacket(p)
	}
	switch {
	case s.state != stateOpen:
		return 0, syscall.EINVAL
	case len(s.in) > 0:
		return copy(p, s.in), 0
	case s.err != 0:
		return 0, s.takeError()
	case s.down&shutRead != 0:
		return 0, 0
	}
	return 0, syscall.EAGAIN
}

// shutdown tells the far end both directions: it cannot write what nobody will
// read.
func (unixStream) shutdown(k *Kernel, s *socket, how shutdown) linux.Errno {
	s.down |= how
	k.wake(s.key) // first, as epoll can tell
	if s.far != nil {
		s.far.shut(k, how)
	}
	return 0
}

func (unixStream) farShut(k *Kernel, s *socket, how shutdown) {
	if how&shutRead != 0 {
		s.down |= shutWrite
	}
	if how&shutWrite != 0 {
		s.down |= shutRead
	}
}

func (unixStream) farGone(k *Kernel, s *socket, reset bool) {
	s.down = shutBoth
	if reset {
		s.err = syscall.ECONNRESET
	}
}

// close resets the connection if the far end has sent what nobody will read. A
// single empty packet does not count.
func (unixStream) close(k *Kernel, s *socket) {
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
func (unixStream) events(k *Kernel, s *socket) (events uint32) {
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
		return address{}, syscall.ENOTCONN
	}
	return s.remote, 0
}
