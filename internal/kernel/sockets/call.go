package sockets

import (
	"encoding/binary"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// maxBacklog is how many connections a listener can keep waiting
// (net.core.somaxconn).
const maxBacklog = 4096

// Bind gives a socket its local address.
func (k *Stack) Bind(fd int, addr []byte) linux.Errno {
	s, e := k.change(fd)
	if e != 0 {
		return e
	}
	a, e := decode(s.domain, addr)
	if e != 0 {
		return e
	}
	return s.transport.bind(k, s, a)
}

// Listen makes a socket accept connections.
func (k *Stack) Listen(fd, backlog int) linux.Errno {
	s, e := k.change(fd)
	if e != 0 {
		return e
	}
	if backlog < 0 || backlog > maxBacklog {
		backlog = maxBacklog
	}
	if e = s.transport.listen(k, s, backlog); e == 0 {
		k.notes(true, netOf(s), s.local)
		if k.Joined() && !k.state.served {
			k.touchState()
			k.state.served = true
		}
		k.admit(s)
		if k.talks(s) {
			k.tell(k.talkOf(s), Listens, nil, 0)
		}
	}
	return e
}

// Connect connects a socket. Like a non-blocking call it fails with EINPROGRESS
// or EALREADY while there is no answer; a caller that wants to wait calls again
// when the socket is ready for writing.
func (k *Stack) Connect(fd int, addr []byte) linux.Errno {
	s, e := k.change(fd)
	if e != 0 {
		return e
	}
	first := s.phase == phaseUnconnected
	if e = s.transport.connect(k, s, addr); e == 0 {
		s.consume(outgoing)
	}
	if first && k.talks(s) {
		k.tellConnect(s, e)
	}
	return e
}

// AcceptChoices returns how many connections a call of accept may take now: the
// first of those that wait, and those of peers outside.
func (k *Stack) AcceptChoices(fd int) int {
	l, _, e := k.socket(fd)
	if e != 0 || l.state != stateListening {
		return 1
	}
	n := len(k.callers(l))
	if len(l.queue) > 0 || n == 0 {
		n++
	}
	return n
}

// Accept takes the first connection that waits at a listener. It returns its
// descriptor and the address of the far end.
func (k *Stack) Accept(fd, flags int) (int, []byte, linux.Errno) {
	return k.AcceptChoice(fd, flags, 0)
}

// AcceptChoice is Accept with one of the connections that AcceptChoices counts.
func (k *Stack) AcceptChoice(fd, flags, choice int) (int, []byte, linux.Errno) {
	if flags&^sockFlags != 0 {
		return -1, nil, linux.EINVAL
	}
	l, own, e := k.socket(fd)
	switch {
	case e != 0:
		return -1, nil, e
	case l.kind != linux.SOCK_STREAM && l.kind != linux.SOCK_SEQPACKET:
		return -1, nil, linux.EOPNOTSUPP
	case l.state != stateListening:
		return -1, nil, linux.EINVAL
	}
	if len(l.queue) > 0 {
		choice--
	}
	if choice >= 0 {
		if callers := k.callers(l); choice < len(callers) {
			child := k.accept(l, callers[choice])
			if l.noticed != 0 {
				k.touchSocket(l)
				l.consume(incoming)
			}
			if child == nil {
				return -1, nil, linux.EIO // see Failure
			}
			if k.talks(child) {
				k.tell(k.talkOf(child), Accepts, nil, 0)
			}
			fd, e := k.AddFrom(k.PeerFD(callers[choice]), child, linux.O_RDWR|flags&sockFlags)
			return fd, child.remote.encode(child.domain), e
		}
	}
	if len(l.queue) == 0 {
		if l.down&shutRead != 0 && own.Flags&linux.O_NONBLOCK == 0 {
			return -1, nil, linux.EINVAL // nobody will come
		}
		return -1, nil, linux.EAGAIN
	}
	child := l.queue[0]
	n, e := k.TryFrom(k.FirstFD(), child, linux.O_RDWR|flags&sockFlags)
	if e != 0 {
		return -1, nil, e // the connection stays where it is
	}
	k.touchSocket(l)
	k.touchSocket(child)
	child.at, child.creator = nil, k.Maker()
	l.queue = l.queue[1:]
	l.consume(incoming)
	k.admit(l)
	k.receives(1, false)
	if k.talks(child) {
		k.tell(k.talkOf(child), Accepts, nil, 0)
	}
	return n, child.remote.encode(child.domain), 0
}

// full reports whether a listener takes no more connections. As on Linux it
// holds one more than was asked for.
func (s *socket) full() bool { return len(s.queue) > s.backlog }

// admit lets sockets that wait for a listener connect while there is room.
func (k *Stack) admit(l *socket) {
	for len(l.waiting) > 0 && !l.full() {
		s := l.waiting[0]
		l.waiting = l.waiting[1:]
		k.touchSocket(s)
		s.target = nil
		k.establish(s, l)
	}
}

// establish connects a socket with a new one at the listener.
func (k *Stack) establish(s, l *socket) {
	child := k.newSocket(l.domain, l.kind, l.protocol, l.transport)
	child.options, child.linger = l.options, l.linger
	child.local, child.remote = s.remote, s.local
	child.state, child.phase = stateOpen, phaseConnected
	child.far = s
	child.held = child.domain != linux.AF_UNIX
	child.served = true
	child.at, child.k, child.creator = l, l.k, "" // whoever gets it has it from there
	k.sendsTo(l.k.Process)
	s.state, s.far = stateOpen, child
	l.queue = append(l.queue, child)
	k.Wake(l.key)
	k.Wake(s.key)
	if child.domain != linux.AF_UNIX {
		k.net.add(k, child)
	}
}

// Shutdown ends one or both directions of a connection: 0 reading, 1 writing, 2
// both.
func (k *Stack) Shutdown(fd, how int) linux.Errno {
	s, e := k.change(fd)
	switch {
	case e != 0:
		return e
	case how < 0 || how > 2:
		return linux.EINVAL
	}
	if k.talks(s) && shutdown(how+1)&shutWrite != 0 && s.state == stateOpen {
		k.tell(k.talkOf(s), Shuts, nil, 0)
	}
	e = s.transport.shutdown(k, s, shutdown(how+1))
	k.Wake(s.key)
	return e
}

// Getsockname returns the local address of a socket.
func (k *Stack) Getsockname(fd int) ([]byte, linux.Errno) {
	s, _, e := k.socket(fd)
	if e != 0 {
		return nil, e
	}
	if s.domain == linux.AF_NETLINK {
		b := append(s.local.encode(s.domain), 0, 0)
		b = binary.LittleEndian.AppendUint32(b, uint32(k.Pid))
		return append(b, 0, 0, 0, 0), 0
	}
	return s.local.encode(s.domain), 0
}

// Getpeername returns the address of the far end.
func (k *Stack) Getpeername(fd int) ([]byte, linux.Errno) {
	s, _, e := k.socket(fd)
	if e != 0 {
		return nil, e
	}
	a, e := s.transport.peer(s)
	if e != 0 {
		return nil, e
	}
	return a.encode(s.domain), 0
}

// Recv reads from a socket with flags. From is the address of the sender, where
// the protocol tells it.
func (k *Stack) Recv(fd int, p []byte, flags int) (n int, from []byte, e linux.Errno) {
	r, e := k.Receive(fd, p, flags)
	return r.N, r.From, e
}

// Receive is Recv that tells how long the datagram or packet was, too.
func (k *Stack) Receive(fd int, p []byte, flags int) (r Received, e linux.Errno) {
	s, d, e := k.socket(fd)
	if e != 0 {
		return r, e
	}
	known := linux.MSG_PEEK | linux.MSG_DONTWAIT | linux.MSG_NOSIGNAL | linux.MSG_CMSG_CLOEXEC
	if s.kind == linux.SOCK_DGRAM || s.kind == linux.SOCK_SEQPACKET {
		known |= linux.MSG_TRUNC
	}
	if flags&^known != 0 {
		return r, k.Refuse("flags of a receiving call (recvfrom, recvmsg)")
	}
	waits := d.Flags&linux.O_NONBLOCK == 0 && flags&linux.MSG_DONTWAIT == 0
	return s.recv(k, p, flags&linux.MSG_PEEK != 0, waits)
}

// Send writes to a socket with flags. To is nil if the call names no address.
func (k *Stack) Send(fd int, p []byte, flags int, to []byte) (int, linux.Errno) {
	s, d, e := k.socket(fd)
	if e != 0 {
		return 0, e
	}
	const known = linux.MSG_DONTWAIT | linux.MSG_NOSIGNAL | msgMore
	if flags&^known != 0 {
		return 0, k.Refuse("flags of a sending call (sendto, sendmsg)")
	}
	k.touchSocket(s)
	if to != nil {
		switch {
		case s.domain == linux.AF_NETLINK, s.kind == linux.SOCK_SEQPACKET: // it is not looked at
		case s.kind == linux.SOCK_DGRAM && s.domain == linux.AF_UNIX:
			return unixGram{}.sendTo(k, s, p, to)
		case s.kind == linux.SOCK_DGRAM:
			return udp{}.sendTo(k, s, p, to)
		case s.domain == linux.AF_UNIX && s.state == stateOpen:
			return 0, linux.EISCONN
		case s.domain == linux.AF_UNIX:
			return 0, linux.EOPNOTSUPP
		} // TCP does not look at it
	}
	return s.send(k, p, d.Flags&linux.O_NONBLOCK == 0 && flags&linux.MSG_DONTWAIT == 0)
}

const msgMore = 0x8000

// IsSocket reports whether a descriptor is that of a socket.
func (k *Stack) IsSocket(fd int) bool {
	_, _, e := k.socket(fd)
	return e == 0
}
