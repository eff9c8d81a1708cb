package kernel

import (
	"encoding/binary"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// socketCalls is the part of the kernel that the twin test of sockets drives.
type socketCalls interface {
	Socket(domain, kind, protocol int) (int, Errno)
	Socketpair(domain, kind, protocol int) (a, b int, e Errno)
	Bind(fd int, addr []byte) Errno
	Listen(fd, backlog int) Errno
	Connect(fd int, addr []byte) Errno
	Accept(fd, flags int) (int, []byte, Errno)
	Shutdown(fd, how int) Errno
	Getsockname(fd int) ([]byte, Errno)
	Getpeername(fd int) ([]byte, Errno)
	Setsockopt(fd, level, num int, value []byte) Errno
	Getsockopt(fd, level, num int) ([]byte, Errno)
	Recv(fd int, p []byte, flags int) (n int, from []byte, e Errno)
	Send(fd int, p []byte, flags int, to []byte) (int, Errno)
	Read(fd int, p []byte) (int, Errno)
	Write(fd int, p []byte) (int, Errno)
	Close(fd int) Errno
	Dup(fd, min int, cloexec bool) (int, Errno)
	Fcntl(fd, cmd, arg int) (int, Errno)
	Ready(fd int, mode byte) (bool, Errno)
	PollEvents(fd int, events uint32) uint32
}

// call makes a system call on the host that has a descriptor first. The other
// arguments are numbers, or bytes of which the address is passed.
func (h *host) call(num uintptr, fd int, args ...any) (int, Errno) {
	sink = args // so that none of them is on a stack, which may move
	raw := make([]uintptr, 5)
	for i, arg := range args {
		switch v := arg.(type) {
		case int:
			raw[i] = uintptr(v)
		case []byte:
			raw[i] = uintptr(unsafe.Pointer(unsafe.SliceData(v)))
		}
	}
	r, _, e := unix.Syscall6(num, uintptr(h.fd(fd)), raw[0], raw[1], raw[2], raw[3], raw[4])
	runtime.KeepAlive(args)
	if e != 0 {
		return -1, e
	}
	return int(r), 0
}

var sink []any

// A length is passed by its address and comes back changed.
func length(n uint32) []byte { return binary.LittleEndian.AppendUint32(nil, n) }

func lengthOf(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }

func (h *host) Socket(domain, kind, protocol int) (int, Errno) {
	return h.enter(unix.Socket(domain, kind, protocol))
}

func (h *host) Socketpair(domain, kind, protocol int) (a, b int, e Errno) {
	p, err := unix.Socketpair(domain, kind, protocol)
	if err != nil {
		return -1, -1, errno(err)
	}
	a, _ = h.enter(p[0], nil)
	b, _ = h.enter(p[1], nil)
	return a, b, 0
}

func (h *host) Bind(fd int, addr []byte) Errno {
	_, e := h.call(unix.SYS_BIND, fd, addr, len(addr))
	return e
}

func (h *host) Listen(fd, backlog int) Errno {
	_, e := h.call(unix.SYS_LISTEN, fd, backlog)
	return e
}

func (h *host) Connect(fd int, addr []byte) Errno {
	_, e := h.call(unix.SYS_CONNECT, fd, addr, len(addr))
	return e
}

func (h *host) Accept(fd, flags int) (int, []byte, Errno) {
	addr, n, e := h.withAddress(unix.SYS_ACCEPT4, fd, flags)
	if e != 0 {
		return -1, nil, e
	}
	fd, _ = h.enter(n, nil)
	return fd, addr, 0
}

// withAddress makes a call that returns an address.
func (h *host) withAddress(num uintptr, fd, arg int) ([]byte, int, Errno) {
	addr, size := make([]byte, 128), length(128)
	n, e := h.call(num, fd, addr, size, arg)
	if e != 0 {
		return nil, -1, e
	}
	return addr[:lengthOf(size)], n, 0
}

func (h *host) Shutdown(fd, how int) Errno {
	_, e := h.call(unix.SYS_SHUTDOWN, fd, how)
	return e
}

func (h *host) Getsockname(fd int) ([]byte, Errno) {
	addr, _, e := h.withAddress(unix.SYS_GETSOCKNAME, fd, 0)
	return addr, e
}

func (h *host) Getpeername(fd int) ([]byte, Errno) {
	addr, _, e := h.withAddress(unix.SYS_GETPEERNAME, fd, 0)
	return addr, e
}

func (h *host) Setsockopt(fd, level, num int, value []byte) Errno {
	_, e := h.call(unix.SYS_SETSOCKOPT, fd, level, num, value, len(value))
	return e
}

func (h *host) Getsockopt(fd, level, num int) ([]byte, Errno) {
	value, size := make([]byte, 64), length(64)
	_, e := h.call(unix.SYS_GETSOCKOPT, fd, level, num, value, size)
	if e != 0 {
		return nil, e
	}
	return value[:lengthOf(size)], 0
}

func (h *host) Recv(fd int, p []byte, flags int) (int, []byte, Errno) {
	from, size := make([]byte, 128), length(128)
	n, e := h.call(unix.SYS_RECVFROM, fd, p, len(p), flags, from, size)
	if e != 0 || lengthOf(size) == 0 {
		from = nil
	} else {
		from = from[:lengthOf(size)]
	}
	return max(n, 0), from, e
}

func (h *host) Send(fd int, p []byte, flags int, to []byte) (int, Errno) {
	n, e := h.call(unix.SYS_SENDTO, fd, p, len(p), flags, to, len(to))
	return max(n, 0), e
}

// Ready asks poll(2) and understands its answer as Go's runtime does.
func (h *host) Ready(fd int, mode byte) (bool, Errno) {
	p := []unix.PollFd{{Fd: int32(h.fd(fd)), Events: unix.POLLIN | unix.POLLOUT | unix.POLLRDHUP}}
	if _, err := unix.Poll(p, 0); err != nil {
		return false, errno(err)
	}
	mask := int16(unix.POLLIN | unix.POLLRDHUP | unix.POLLHUP | unix.POLLERR)
	if mode == 'w' {
		mask = unix.POLLOUT | unix.POLLHUP | unix.POLLERR
	}
	return p[0].Revents&mask != 0, 0
}

// PollEvents asks poll(2).
func (h *host) PollEvents(fd int, events uint32) uint32 {
	p := []unix.PollFd{{Fd: int32(h.fd(fd)), Events: int16(events)}}
	if _, err := unix.Poll(p, 0); err != nil {
		return evNval
	}
	return uint32(uint16(p[0].Revents))
}

// portOf returns the port in an address structure, 0 if it has none.
func portOf(addr []byte) uint16 {
	if len(addr) < size4 || addr[0] == unix.AF_UNIX {
		return 0
	}
	return binary.BigEndian.Uint16(addr[2:])
}
