package kernel

import (
	"encoding/binary"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// socketCalls is the part of the kernel that the twin test of sockets drives.
type socketCalls interface {
	Socket(domain, kind, protocol int) (int, linux.Errno)
	Socketpair(domain, kind, protocol int) (a, b int, e linux.Errno)
	Bind(fd int, addr []byte) linux.Errno
	Listen(fd, backlog int) linux.Errno
	Connect(fd int, addr []byte) linux.Errno
	Accept(fd, flags int) (int, []byte, linux.Errno)
	Shutdown(fd, how int) linux.Errno
	Getsockname(fd int) ([]byte, linux.Errno)
	Getpeername(fd int) ([]byte, linux.Errno)
	Setsockopt(fd, level, num int, value []byte) linux.Errno
	Getsockopt(fd, level, num int) ([]byte, linux.Errno)
	Recv(fd int, p []byte, flags int) (n int, from []byte, e linux.Errno)
	Send(fd int, p []byte, flags int, to []byte) (int, linux.Errno)
	Read(fd int, p []byte) (int, linux.Errno)
	Write(fd int, p []byte) (int, linux.Errno)
	Close(fd int) linux.Errno
	Dup(fd, min int, cloexec bool) (int, linux.Errno)
	Fcntl(fd, cmd, arg int) (int, linux.Errno)
	Ready(fd int, mode byte) (bool, linux.Errno)
	PollEvents(fd int, events uint32) uint32
}

// call makes a system call on the host that has a descriptor first. The other
// arguments are numbers, or bytes of which the address is passed.
func (h *realHost) call(num uintptr, fd int, args ...any) (int, linux.Errno) {
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
		return -1, linux.Errno(e)
	}
	return int(r), 0
}

var sink []any

// A length is passed by its address and comes back changed.
func length(n uint32) []byte { return binary.LittleEndian.AppendUint32(nil, n) }

func lengthOf(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }

func (h *realHost) Socket(domain, kind, protocol int) (int, linux.Errno) {
	return h.enter(unix.Socket(domain, kind, protocol))
}

func (h *realHost) Socketpair(domain, kind, protocol int) (a, b int, e linux.Errno) {
	p, err := unix.Socketpair(domain, kind, protocol)
	if err != nil {
		return -1, -1, failed(err)
	}
	a, _ = h.enter(p[0], nil)
	b, _ = h.enter(p[1], nil)
	return a, b, 0
}

func (h *realHost) Bind(fd int, addr []byte) linux.Errno {
	_, e := h.call(unix.SYS_BIND, fd, addr, len(addr))
	return e
}

func (h *realHost) Listen(fd, backlog int) linux.Errno {
	_, e := h.call(unix.SYS_LISTEN, fd, backlog)
	return e
}

func (h *realHost) Connect(fd int, addr []byte) linux.Errno {
	_, e := h.call(unix.SYS_CONNECT, fd, addr, len(addr))
	return e
}

func (h *realHost) Accept(fd, flags int) (int, []byte, linux.Errno) {
	addr, n, e := h.withAddress(unix.SYS_ACCEPT4, fd, flags)
	if e != 0 {
		return -1, nil, e
	}
	fd, _ = h.enter(n, nil)
	return fd, addr, 0
}

// withAddress makes a call that returns an address.
func (h *realHost) withAddress(num uintptr, fd, arg int) ([]byte, int, linux.Errno) {
	addr, size := make([]byte, 128), length(128)
	n, e := h.call(num, fd, addr, size, arg)
	if e != 0 {
		return nil, -1, e
	}
	return addr[:lengthOf(size)], n, 0
}

func (h *realHost) Shutdown(fd, how int) linux.Errno {
	_, e := h.call(unix.SYS_SHUTDOWN, fd, how)
	return e
}

func (h *realHost) Getsockname(fd int) ([]byte, linux.Errno) {
	addr, _, e := h.withAddress(unix.SYS_GETSOCKNAME, fd, 0)
	return addr, e
}

func (h *realHost) Getpeername(fd int) ([]byte, linux.Errno) {
	addr, _, e := h.withAddress(unix.SYS_GETPEERNAME, fd, 0)
	return addr, e
}

func (h *realHost) Setsockopt(fd, level, num int, value []byte) linux.Errno {
	_, e := h.call(unix.SYS_SETSOCKOPT, fd, level, num, value, len(value))
	return e
}

func (h *realHost) Getsockopt(fd, level, num int) ([]byte, linux.Errno) {
	value, size := make([]byte, 64), length(64)
	_, e := h.call(unix.SYS_GETSOCKOPT, fd, level, num, value, size)
	if e != 0 {
		return nil, e
	}
	return value[:lengthOf(size)], 0
}

func (h *realHost) Recv(fd int, p []byte, flags int) (int, []byte, linux.Errno) {
	from, size := make([]byte, 128), length(128)
	n, e := h.call(unix.SYS_RECVFROM, fd, p, len(p), flags, from, size)
	if e != 0 || lengthOf(size) == 0 {
		from = nil
	} else {
		from = from[:lengthOf(size)]
	}
	return max(n, 0), from, e
}

func (h *realHost) Send(fd int, p []byte, flags int, to []byte) (int, linux.Errno) {
	n, e := h.call(unix.SYS_SENDTO, fd, p, len(p), flags, to, len(to))
	return max(n, 0), e
}

// Ready asks poll(2) and understands its answer as Go's runtime does.
func (h *realHost) Ready(fd int, mode byte) (bool, linux.Errno) {
	p := []unix.PollFd{{Fd: int32(h.fd(fd)), Events: unix.POLLIN | unix.POLLOUT | unix.POLLRDHUP}}
	if _, err := unix.Poll(p, 0); err != nil {
		return false, failed(err)
	}
	mask := int16(unix.POLLIN | unix.POLLRDHUP | unix.POLLHUP | unix.POLLERR)
	if mode == 'w' {
		mask = unix.POLLOUT | unix.POLLHUP | unix.POLLERR
	}
	return p[0].Revents&mask != 0, 0
}

// PollEvents asks poll(2).
func (h *realHost) PollEvents(fd int, events uint32) uint32 {
	p := []unix.PollFd{{Fd: int32(h.fd(fd)), Events: int16(events)}}
	if _, err := unix.Poll(p, 0); err != nil {
		return linux.EvNval
	}
	return uint32(uint16(p[0].Revents))
}

// portOf returns the port in an address structure, 0 if it has none.
func portOf(addr []byte) uint16 {
	if len(addr) < 16 || addr[0] == unix.AF_UNIX {
		return 0
	}
	return binary.BigEndian.Uint16(addr[2:])
}
