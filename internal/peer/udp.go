package peer

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/iocache"
)

// Datagrams. A connection of the cache over which datagrams go has a real socket of
// its own, which is connected to a server, or is the one at which a client finds the
// program. In the cache they are frames. On the loopback interface a datagram is in
// the buffer of its receiver when the call that sends it returns, so there is nothing
// to be waited for but the peer itself.

// isDatagrams reports whether datagrams go over a connection.
func isDatagrams(name iocache.Name) bool { return strings.HasPrefix(name.Creator, iocache.Datagrams) }

// dialUDP makes a socket that is connected to a server.
func dialUDP(name iocache.Name, to netip.AddrPort) (*conn, error) {
	family := unix.AF_INET6
	if to.Addr().Is4() {
		family = unix.AF_INET
	}
	fd, err := unix.Socket(family, unix.SOCK_DGRAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.Connect(fd, sockaddr(to)); err != nil {
		unix.Close(fd)
		return nil, err
	}
	return &conn{name: name, fd: fd, remote: to, udp: true, arrived: true}, nil
}

// sendFrames sends the datagrams that are whole.
func (c *conn) sendFrames() {
	for {
		data, rest, ok := iocache.CutDatagram(c.out)
		if !ok {
			break
		}
		for {
			var err error
			if c.door {
				err = unix.Sendto(c.fd, data, unix.MSG_NOSIGNAL, sockaddr(c.remote))
			} else {
				_, err = unix.SendmsgN(c.fd, data, nil, nil, unix.MSG_NOSIGNAL)
			}
			if errors.Is(err, unix.ECONNREFUSED) && !c.told { // of one before it
				c.told, c.unreachable = true, true
				continue
			}
			if !errors.Is(err, unix.EINTR) {
				break
			}
		}
		c.told = false
		c.out = rest
	}
	switch c.last {
	case iocache.Close, iocache.Reset:
		c.close()
	}
	c.last = 0
}

// readFrame reads a datagram, if there is one, as a frame.
func (c *conn) readFrame(buf []byte) (kind iocache.ResponseKind, n int) {
	if len(c.first) > 0 {
		n = copy(buf, c.first)
		c.first = nil
		return iocache.Data, n
	}
	if c.unreachable {
		c.unreachable = false
		return iocache.Data, len(iocache.AppendUnreachable(buf[:0]))
	}
	if c.door {
		return iocache.Quiet, 0 // what comes there is handed out: see hearDoor
	}
	for {
		n, _, err := unix.Recvfrom(c.fd, buf[2:], 0)
		switch {
		case err == nil:
			iocache.AppendDatagram(buf[:0], buf[2:2+n])
			return iocache.Data, 2 + n
		case errors.Is(err, unix.ECONNREFUSED):
			return iocache.Data, len(iocache.AppendUnreachable(buf[:0]))
		case !errors.Is(err, unix.EINTR):
			return iocache.Quiet, 0
		}
	}
}

// hearDoor takes a datagram that a client has sent to the program. The first of an
// address begins a connection.
func (l *live) hearDoor() (r iocache.Response, ok bool, err error) {
	if l.run == nil || l.run.udpDoor == nil {
		return r, false, nil
	}
	for {
		n, sa, err := unix.Recvfrom(l.run.udpDoor.fd, l.buf[2:], 0)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return r, false, nil
		}
		from := addrPort(sa)
		frame := iocache.AppendDatagram(l.buf[:0], l.buf[2:2+n])
		l.heardNow(frame[2:])
		i := slices.IndexFunc(l.conns, func(c *conn) bool { return c.door && c.remote == from })
		if i >= 0 {
			return iocache.Response{Kind: iocache.Data, Conn: l.conns[i].name, Data: frame}, true, nil
		}
		l.accepted++
		c := &conn{name: l.incomingName(), fd: l.run.udpDoor.fd, remote: from, udp: true, door: true, arrived: true, first: slices.Clone(frame)}
		l.conns = append(l.conns, c)
		return iocache.Response{Kind: iocache.Incoming, Conn: c.name}, true, nil
	}
}

// bindLoopback returns a socket for datagrams at a free loopback port.
func bindLoopback() (int, netip.AddrPort, error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, netip.AddrPort{}, fmt.Errorf("socket: %w", err)
	}
	if err := unix.Bind(fd, sockaddr(netip.AddrPortFrom(loopback, 0))); err != nil {
		unix.Close(fd)
		return -1, netip.AddrPort{}, fmt.Errorf("bind: %w", err)
	}
	sa, err := unix.Getsockname(fd)
	if err != nil {
		unix.Close(fd)
		return -1, netip.AddrPort{}, fmt.Errorf("getsockname: %w", err)
	}
	return fd, addrPort(sa), nil
}

// freeUDPPort returns a loopback address that nobody has for datagrams now.
func freeUDPPort() (netip.AddrPort, error) {
	c, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("no free loopback port: %w", err)
	}
	defer c.Close()
	return c.LocalAddr().(*net.UDPAddr).AddrPort(), nil
}

// takenUDP reports whether somebody has the port.
func takenUDP(a netip.AddrPort) bool {
	c, err := net.ListenPacket("udp4", a.String())
	if err != nil {
		return true
	}
	c.Close()
	return false
}

// boundUDP returns the addresses at which processes receive datagrams, in order.
func boundUDP(pids []int) ([]netip.AddrPort, error) {
	return socketsOf(pids, []string{"udp", "udp6"}, func(s netSocket) bool { return s.local.Port() != 0 })
}
