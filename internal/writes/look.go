//go:build linux

package writes

import (
	"encoding/binary"
	"net/netip"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/intercept"
)

// A Write is a call that begins to write to a TCP connection.
type Write struct {
	From, To netip.AddrPort // of the writer's end, and of the other
	At       uint64         // bytes that were written before
}

// Wants are the system calls that write to sockets of streams. The standard descriptors may be sockets, too: those
// of programs that a server starts for a connection.
var Wants = []intercept.Want{
	{Call: unix.SYS_WRITE}, {Call: unix.SYS_WRITEV}, {Call: unix.SYS_SENDTO}, {Call: unix.SYS_SENDMSG}, {Call: unix.SYS_SENDFILE}, {Call: unix.SYS_SPLICE},
}

// A Watcher looks at writes. It remembers what connections were about to be sent.
type Watcher struct {
	streams map[uint64]stream // by the cookie of the socket
}

// NewWatcher returns a Watcher that has seen nothing.
func NewWatcher() *Watcher { return &Watcher{make(map[uint64]stream)} }

// A stream is what is known of a connection since the last write that was told.
type stream struct {
	start, end uint64 // of the last call: where it ends, if all of it is taken
	file       bool   // it was one of a file or pipe, of which there may be less
	held       bool   // what it has written is held back until there is more: MSG_MORE, TCP_CORK
}

// continues reports whether a call that finds so many bytes written goes on with what the last one has begun. That of a
// file goes on only if the last one was of a file and has filled a buffer.
func (s stream) continues(sent uint64, file bool) bool {
	const buffer = 64 << 10
	switch {
	case s.held:
		return true
	case sent >= s.end:
		return false
	case s.file || file:
		return s.file && file && sent-s.start >= buffer
	}
	return true
}

// maxStreams is how many connections are remembered. One that is forgotten may have a border too many.
const maxStreams = 1 << 12

// Look finds out what a call writes to. It is not ok if that is no TCP connection, or if the call only goes on
// with what an earlier one has begun: of a write that is larger than the buffers of a
// connection the kernel takes now so much and now so much.
func (w *Watcher) Look(c *intercept.Call) (Write, bool) {
	at := 0
	if c.Number == unix.SYS_SPLICE {
		at = 2
	}
	fd, err := c.Borrow(int(int32(c.Args[at])))
	if err != nil {
		return Write{}, false
	}
	defer unix.Close(fd)
	info, err := unix.GetsockoptTCPInfo(fd, unix.IPPROTO_TCP, unix.TCP_INFO)
	if err != nil {
		return Write{}, false
	}
	cookie, err := unix.GetsockoptUint64(fd, unix.SOL_SOCKET, unix.SO_COOKIE)
	if err != nil {
		return Write{}, false
	}
	from, to := address(unix.Getsockname(fd)), address(unix.Getpeername(fd))
	if !from.IsValid() || !to.IsValid() {
		return Write{}, false
	}
	sent := info.Bytes_sent - info.Bytes_retrans + uint64(info.Notsent_bytes)
	size, file := length(c)
	before, known := w.streams[cookie]
	if len(w.streams) >= maxStreams {
		clear(w.streams)
	}
	cork, _ := unix.GetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_CORK)
	w.streams[cookie] = stream{sent, sent + size, file, cork != 0 || flags(c)&unix.MSG_MORE != 0}
	return Write{from, to, sent}, !known || !before.continues(sent, file)
}

// flags returns those of a call that has some.
func flags(c *intercept.Call) uint64 {
	switch c.Number {
	case unix.SYS_SENDTO:
		return c.Args[3]
	case unix.SYS_SENDMSG:
		return c.Args[2]
	}
	return 0
}

func address(sa unix.Sockaddr, err error) netip.AddrPort {
	if err == nil {
		switch sa := sa.(type) {
		case *unix.SockaddrInet4:
			return netip.AddrPortFrom(netip.AddrFrom4(sa.Addr), uint16(sa.Port))
		case *unix.SockaddrInet6:
			return netip.AddrPortFrom(netip.AddrFrom16(sa.Addr).Unmap(), uint16(sa.Port))
		}
	}
	return netip.AddrPort{}
}

// length returns how many bytes a call wants to write, and whether they are those of a file or pipe, of which
// there may be less.
func length(c *intercept.Call) (size uint64, file bool) {
	switch c.Number {
	case unix.SYS_WRITE, unix.SYS_SENDTO:
		return c.Args[2], false
	case unix.SYS_WRITEV:
		return vector(c, c.Args[1], c.Args[2]), false
	case unix.SYS_SENDMSG:
		// A msghdr has the vector in its third word and the number of its parts in the fourth.
		var head [32]byte
		if !c.Read(c.Args[1], head[:]) {
			return 0, false
		}
		return vector(c, binary.NativeEndian.Uint64(head[16:]), binary.NativeEndian.Uint64(head[24:])), false
	}
	if c.Number == unix.SYS_SPLICE {
		return c.Args[4], true
	}
	return c.Args[3], true
}

// vector returns the size of the parts of an iovec.
func vector(c *intercept.Call, at, n uint64) (size uint64) {
	const most = 1024 // UIO_MAXIOV
	if n > most {
		return 0
	}
	parts := make([]byte, 16*n)
	if !c.Read(at, parts) {
		return 0
	}
	for ; len(parts) > 0; parts = parts[16:] {
		size += binary.NativeEndian.Uint64(parts[8:])
	}
	return size
}
