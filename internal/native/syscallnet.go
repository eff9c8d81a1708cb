package native

import (
	"encoding/binary"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
)

// System calls on sockets.

func sysSocket(s *sys) linux.Errno {
	return s.fdResult(s.k.Socket(s.fd(0), s.fd(1), s.fd(2)))
}

func sysSocketpair(s *sys) linux.Errno {
	b, e := s.outAt(s.a[3], 8)
	if e != 0 {
		return e
	}
	x, y, e := s.k.Socketpair(s.fd(0), s.fd(1), s.fd(2))
	if e == 0 {
		binary.LittleEndian.PutUint32(b, uint32(x))
		binary.LittleEndian.PutUint32(b[4:], uint32(y))
	}
	return e
}

// address reads the address structure at argument i, of which the length is the
// argument behind it.
func (s *sys) address(i int) ([]byte, linux.Errno) {
	if s.fd(i+1) < 0 || s.fd(i+1) > 128 {
		return nil, linux.EINVAL
	}
	return s.in(i, uint64(s.fd(i+1)))
}

// putAddress writes an address structure to where argument i points, as much of
// it as fits, and its length to where the argument behind it does.
func (s *sys) putAddress(i int, addr []byte) linux.Errno {
	if s.a[i] == 0 {
		return 0
	}
	size, e := s.outAt(s.a[i+1], 4)
	if e != 0 {
		return e
	}
	b, e := s.outAt(s.a[i], uint64(min(len(addr), int(binary.LittleEndian.Uint32(size)))))
	if e == 0 {
		copy(b, addr)
		binary.LittleEndian.PutUint32(size, uint32(len(addr)))
	}
	return e
}

func sysBind(s *sys) linux.Errno {
	addr, e := s.address(1)
	if e != 0 {
		return e
	}
	return s.k.Bind(s.fd(0), addr)
}

func sysListen(s *sys) linux.Errno { return s.k.Listen(s.fd(0), s.fd(1)) }

// sysConnect waits for the answer if the descriptor is blocking.
func sysConnect(s *sys) linux.Errno {
	addr, e := s.address(1)
	if e != 0 {
		return e
	}
	fd := s.fd(0)
	e = s.k.Connect(fd, addr)
	if !s.k.Blocking(fd) {
		return e
	}
	switch e {
	case linux.EINPROGRESS, linux.EALREADY:
		if ready, _ := s.k.Ready(fd, 'w'); ready {
			return s.k.Connect(fd, addr)
		}
		if s.k.TimeLimited(fd) {
			return s.refuse("a connection that has to be waited for, with a time limit (SO_SNDTIMEO)")
		}
		s.park(s.k.WaitKey(fd))
	case linux.EAGAIN:
		return s.refuse("waiting for a Unix socket with a full queue (connect)")
	}
	return e
}

func (s *sys) accept(flags int) linux.Errno {
	fd, addr, e := s.k.AcceptChoice(s.fd(0), flags, s.way)
	if e != 0 {
		return s.wait(s.fd(0), e)
	}
	s.r1 = uint64(fd)
	return s.putAddress(1, addr)
}

func sysShutdown(s *sys) linux.Errno { return s.k.Shutdown(s.fd(0), s.fd(1)) }

func sysGetsockname(s *sys) linux.Errno {
	addr, e := s.k.Getsockname(s.fd(0))
	if e != 0 {
		return e
	}
	return s.putAddress(1, addr)
}

func sysGetpeername(s *sys) linux.Errno {
	addr, e := s.k.Getpeername(s.fd(0))
	if e != 0 {
		return e
	}
	return s.putAddress(1, addr)
}

func sysSetsockopt(s *sys) linux.Errno {
	if s.fd(4) < 0 {
		return linux.EINVAL
	}
	value, e := s.in(3, uint64(s.fd(4)))
	if e != 0 {
		return e
	}
	return s.k.Setsockopt(s.fd(0), s.fd(1), s.fd(2), value)
}

func sysGetsockopt(s *sys) linux.Errno {
	value, e := s.k.Getsockopt(s.fd(0), s.fd(1), s.fd(2))
	if e != 0 {
		return e
	}
	size, e := s.outAt(s.a[4], 4)
	if e != 0 {
		return e
	}
	n := min(len(value), int(binary.LittleEndian.Uint32(size)))
	b, e := s.outAt(s.a[3], uint64(n))
	if e == 0 {
		copy(b, value)
		binary.LittleEndian.PutUint32(size, uint32(n))
	}
	return e
}

// waitSocket is wait, except for calls that say themselves that they do not.
func (s *sys) waitSocket(e linux.Errno, flags int) linux.Errno {
	if flags&linux.MSG_DONTWAIT != 0 {
		return e
	}
	return s.wait(s.fd(0), e)
}

func sysRecvfrom(s *sys) linux.Errno {
	b, e := s.outAt(s.a[1], s.a[2])
	if e != 0 {
		return e
	}
	r, e := s.k.Receive(s.fd(0), s.cut(b), s.fd(3))
	if e != 0 {
		return s.waitSocket(e, s.fd(3))
	}
	s.received(r, s.fd(3))
	return s.putAddress(4, r.From)
}

// received leaves the number of bytes as the result: all that there were, if the
// call wants to know that.
func (s *sys) received(r sockets.Received, flags int) {
	s.r1 = uint64(r.N)
	if flags&linux.MSG_TRUNC != 0 {
		s.r1 = uint64(r.Size)
	}
}

func sysSendto(s *sys) linux.Errno {
	b, e := s.in(1, s.a[2])
	if e != 0 {
		return e
	}
	var to []byte
	if s.a[4] != 0 && s.fd(5) != 0 {
		if to, e = s.address(4); e != 0 {
			return e
		}
	}
	n, e := s.k.Send(s.fd(0), s.cut(b), s.fd(3), to)
	s.r1 = uint64(n)
	return s.waitSocket(e, s.fd(3))
}

// A message is the msghdr structure of recvmsg and sendmsg: seven words.
type message struct {
	at        uint64
	name      uint64
	nameLen   uint32
	vec       []part
	control   uint64 // bytes of ancillary data
	ancillary uint64 // where they are
}

func (s *sys) message(i int) (m message, e linux.Errno) {
	m.at = s.a[i]
	w, e := s.get(m.at, 7)
	if e != 0 {
		return m, e
	}
	m.name, m.nameLen = w[0], uint32(w[1])
	if w[4] != 0 {
		m.control, m.ancillary = w[5], w[4]
	}
	if w[3] > maxParts {
		return m, linux.EMSGSIZE
	}
	m.vec, e = s.parts(w[2], w[3])
	return m, e
}

// sysRecvmsg receives into several parts.
func sysRecvmsg(s *sys) linux.Errno {
	m, e := s.message(1)
	if e != 0 {
		return e
	}
	b := room(m.vec)
	r, e := s.k.Receive(s.fd(0), s.cut(b), s.fd(2))
	if e != 0 {
		return s.waitSocket(e, s.fd(2))
	}
	s.received(r, s.fd(2))
	var flags uint32
	if r.Size > r.N {
		flags = linux.MSG_TRUNC
	}
	if e := s.scatter(m.vec, b[:r.N]); e != 0 {
		return e
	}
	head, e := s.outAt(m.at, 56)
	if e != 0 {
		return e
	}
	if m.name != 0 {
		b, e := s.outAt(m.name, uint64(min(len(r.From), int(m.nameLen))))
		if e != 0 {
			return e
		}
		copy(b, r.From)
		binary.LittleEndian.PutUint32(head[8:], uint32(len(r.From)))
	}
	if uint64(len(r.Control)) > m.control {
		r.Control = nil
		flags |= linux.MSG_CTRUNC
	}
	if len(r.Control) > 0 {
		b, e := s.outAt(m.ancillary, uint64(len(r.Control)))
		if e != 0 {
			return e
		}
		copy(b, r.Control)
	}
	binary.LittleEndian.PutUint64(head[40:], uint64(len(r.Control)))
	binary.LittleEndian.PutUint32(head[48:], flags)
	return 0
}

func sysSendmsg(s *sys) linux.Errno {
	m, e := s.message(1)
	if e != 0 {
		return e
	}
	if m.control != 0 {
		b, e := s.inAt(m.ancillary, m.control)
		if e == 0 {
			e = s.k.SetSource(s.fd(0), b)
		}
		if e != 0 {
			return e
		}
	}
	var to []byte
	if m.name != 0 && m.nameLen != 0 {
		if m.nameLen > 128 {
			return linux.EINVAL
		}
		if to, e = s.inAt(m.name, uint64(m.nameLen)); e != 0 {
			return e
		}
	}
	b, e := s.gather(m.vec)
	if e != 0 {
		return e
	}
	n, e := s.k.Send(s.fd(0), s.cut(b), s.fd(2), to)
	s.r1 = uint64(n)
	return s.waitSocket(e, s.fd(2))
}

func init() {
	handle(map[int]handler{
		linux.SYS_SOCKET:      sysSocket,
		linux.SYS_SOCKETPAIR:  sysSocketpair,
		linux.SYS_BIND:        sysBind,
		linux.SYS_LISTEN:      sysListen,
		linux.SYS_CONNECT:     sysConnect,
		linux.SYS_ACCEPT:      func(s *sys) linux.Errno { return s.accept(0) },
		linux.SYS_ACCEPT4:     func(s *sys) linux.Errno { return s.accept(s.fd(3)) },
		linux.SYS_SHUTDOWN:    sysShutdown,
		linux.SYS_GETSOCKNAME: sysGetsockname,
		linux.SYS_GETPEERNAME: sysGetpeername,
		linux.SYS_SETSOCKOPT:  sysSetsockopt,
		linux.SYS_GETSOCKOPT:  sysGetsockopt,
		linux.SYS_RECVFROM:    sysRecvfrom,
		linux.SYS_SENDTO:      sysSendto,
		linux.SYS_RECVMSG:     sysRecvmsg,
		linux.SYS_SENDMSG:     sysSendmsg,
	})
}
