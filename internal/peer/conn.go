//go:build linux

package peer

import (
	"net/netip"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/iocache"
)

// A conn is a real connection with a peer.
type conn struct {
	name          iocache.Name
	fd            int // -1 once it is closed
	local, remote netip.AddrPort
	connecting    bool
	out           []byte // not yet taken by the kernel
	last          iocache.RequestKind
	sent          uint64 // taken by the kernel; the end of the stream counts as one
	arrived       bool   // all of that is known to have reached the peer's end
	said          int    // bytes from the peer since the last request
	got           uint64 // and since it is there
	ended         bool   // the end was told: nothing more comes
	failure       unix.Errno

	path        bool     // it is one of the Unix domain: see path.go
	udp         bool     // datagrams go over it: see udp.go
	door        bool     // and the socket is that at which a client finds the program
	first       []byte   // the frame that it began with
	ports       *portMap // that of its history
	unreachable []int    // ports at which datagrams have found nobody
	frame       []byte   // the last one that was read since the last request
	before      []byte   // and before it
	held        []byte   // one that is perhaps only said again: see held
	asks        int      // datagrams that were sent since the peer was quiet
}

// dial begins to connect.
func dial(name iocache.Name, to netip.AddrPort) (*conn, error) {
	family := unix.AF_INET6
	if to.Addr().Is4() {
		family = unix.AF_INET
	}
	fd, err := unix.Socket(family, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	c := &conn{name: name, fd: fd, remote: to}
	switch err := unix.Connect(fd, sockaddr(to)); err {
	case nil, unix.EINPROGRESS, unix.EINTR:
		c.connecting = true
	default:
		c.connecting, c.failure = true, err.(unix.Errno)
	}
	return c, nil
}

// connected reports whether the connection is there, or why it never will be.
func (c *conn) connected() (done bool, failure unix.Errno) {
	if c.failure != 0 {
		return false, c.failure
	}
	p := []unix.PollFd{{Fd: int32(c.fd), Events: unix.POLLOUT}}
	if n, err := unix.Poll(p, 0); err != nil || n == 0 {
		return false, 0
	}
	if errno, _ := unix.GetsockoptInt(c.fd, unix.SOL_SOCKET, unix.SO_ERROR); errno != 0 {
		c.failure = unix.Errno(errno) // the kernel tells it once
		return false, c.failure
	}
	c.connecting = false
	c.begin()
	return true, 0
}

// begin notes the addresses of a connection and has small writes sent at once.
func (c *conn) begin() {
	unix.SetsockoptInt(c.fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)
	if sa, err := unix.Getsockname(c.fd); err == nil {
		c.local = addrPort(sa)
	}
}

// do performs a request, or begins to: what the kernel does not take now is
// taken by flush later.
func (c *conn) do(kind iocache.RequestKind, data []byte) {
	c.last, c.arrived = kind, c.udp
	c.out = append(c.out, data...)
	c.flush()
}

// flush hands over what the kernel takes. It reports whether that is all.
func (c *conn) flush() bool {
	if c.fd < 0 || c.connecting {
		return c.fd < 0
	}
	if c.udp {
		c.sendFrames()
		return true
	}
	for len(c.out) > 0 {
		n, err := unix.SendmsgN(c.fd, c.out, nil, nil, unix.MSG_NOSIGNAL)
		switch err {
		case nil:
			c.out = c.out[n:]
			c.sent += uint64(n)
			c.arrived = false
			continue
		case unix.EINTR:
			continue
		case unix.EAGAIN:
			return false
		}
		// The connection has failed. Writes to it are lost. If the kernel tells
		// why only once, it is noted here, for the next read.
		c.out = nil
		if err != unix.EPIPE {
			c.failure = err.(unix.Errno)
		}
	}
	c.out = nil
	switch c.last {
	case iocache.Shutdown:
		if unix.Shutdown(c.fd, unix.SHUT_WR) == nil {
			c.sent++
		}
	case iocache.Close:
		c.close()
		c.sent++
	case iocache.Reset:
		unix.SetsockoptLinger(c.fd, unix.SOL_SOCKET, unix.SO_LINGER, &unix.Linger{Onoff: 1})
		c.close()
	}
	c.last = 0
	return true
}

func (c *conn) close() {
	if c.fd >= 0 && !c.door {
		unix.Close(c.fd)
	}
	c.fd = -1
}

// read reads what is there. The kind is Quiet if nothing is.
func (c *conn) read(buf []byte) (kind iocache.ResponseKind, n int, failure unix.Errno) {
	return c.recv(buf, 0)
}

// recv is read with flags.
func (c *conn) recv(buf []byte, flags int) (kind iocache.ResponseKind, n int, failure unix.Errno) {
	for {
		n, _, err := unix.Recvfrom(c.fd, buf, flags)
		switch {
		case err == unix.EINTR:
			continue
		case err == unix.EAGAIN && c.failure == 0:
			return iocache.Quiet, 0, 0
		case err == nil && n > 0:
			return iocache.Data, n, 0
		case err == nil && c.failure == 0:
			return iocache.EndOfFile, 0, 0
		case c.failure != 0:
			return iocache.Failed, 0, c.failure
		}
		return iocache.Failed, 0, err.(unix.Errno)
	}
}
