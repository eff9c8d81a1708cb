//go:build linux

package peer

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/iocache"
)

// Datagrams. A connection of the cache over which datagrams go has a real socket of
// its own, or is the one at which a client finds the program. In the cache they are
// frames. The socket is not connected, so that a server can answer from any port: see
// portMap. On the loopback interface a datagram is in the buffer of its receiver when the
// call that sends it returns, so there is nothing to be waited for but the peer itself.

// isDatagrams reports whether datagrams go over a connection.
func isDatagrams(name iocache.Name) bool { return strings.HasPrefix(name.Creator, iocache.Datagrams) }

// dialUDP makes a socket for datagrams to a server.
func dialUDP(name iocache.Name, to netip.AddrPort) (*conn, error) {
	family, level, option := unix.AF_INET6, unix.IPPROTO_IPV6, unix.IPV6_RECVERR
	if to.Addr().Is4() {
		family, level, option = unix.AF_INET, unix.IPPROTO_IP, unix.IP_RECVERR
	}
	fd, err := unix.Socket(family, unix.SOCK_DGRAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	// It is to hear that nobody is there, as sockets do that are connected.
	if err := unix.SetsockoptInt(fd, level, option, 1); err != nil {
		unix.Close(fd)
		return nil, err
	}
	return &conn{name: name, fd: fd, remote: to, udp: true, arrived: true}, nil
}

// sendFrames sends the datagrams that are whole.
func (c *conn) sendFrames() {
	for {
		d, rest, ok := iocache.CutDatagram(c.out)
		if !ok {
			break
		}
		to := c.remote
		if d.Port != 0 {
			to = netip.AddrPortFrom(to.Addr(), uint16(c.ports.real(d.Port)))
		}
		for refused := false; ; {
			err := unix.Sendto(c.fd, d.Data, unix.MSG_NOSIGNAL, sockaddr(to))
			if errors.Is(err, unix.ECONNREFUSED) && !refused { // of one before it
				refused = true
				c.refusals()
				continue
			}
			if !errors.Is(err, unix.EINTR) {
				break
			}
		}
		c.out = rest
		c.asks++
	}
	switch c.last {
	case iocache.Close, iocache.Reset:
		c.close()
	}
	c.last = 0
}

// refusals notes which datagrams have found nobody.
func (c *conn) refusals() {
	var data [1]byte
	for !c.door {
		_, _, _, sa, err := unix.Recvmsg(c.fd, data[:], nil, unix.MSG_ERRQUEUE)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return
		}
		if at := addrPort(sa); at.Addr() == c.remote.Addr() {
			c.unreachable = append(c.unreachable, int(at.Port()))
		}
	}
}

// readFrame reads a datagram, if there is one, as a frame.
func (c *conn) readFrame(buf []byte) (kind iocache.ResponseKind, n int, err error) {
	if len(c.first) > 0 {
		n = copy(buf, c.first)
		c.first = nil
		return iocache.Data, n, nil
	}
	if c.door {
		return iocache.Quiet, 0, nil // what comes there is handed out: see hearDoor
	}
	const head = 6 // of a frame
	for {
		d, from := iocache.Datagram{}, 0
		if len(c.unreachable) > 0 {
			d.Unreachable, from, c.unreachable = true, c.unreachable[0], c.unreachable[1:]
		} else {
			n, sa, err := unix.Recvfrom(c.fd, buf[head:], 0)
			switch {
			case errors.Is(err, unix.ECONNREFUSED):
				c.refusals()
				continue
			case errors.Is(err, unix.EINTR):
				continue
			case err != nil:
				return iocache.Quiet, 0, nil
			}
			at := addrPort(sa)
			if at.Addr() != c.remote.Addr() {
				return iocache.Quiet, 0, diag.Incompletef("%v: a datagram has come from another address than that of the peer", c.name)
			}
			d.Data, from = buf[head:head+n], int(at.Port())
		}
		if from != int(c.remote.Port()) {
			if d.Port, err = c.ports.number(from, c.name); err != nil {
				return iocache.Quiet, 0, err
			}
		}
		return iocache.Data, len(iocache.AppendDatagram(buf[:0], d)), nil
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
		frame := iocache.AppendDatagram(l.buf[:0], iocache.Datagram{Data: l.buf[2 : 2+n]})
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

// addressed looks whether the ports are there to which datagrams are to go. That a peer has
// closed one after it was quiet, because it has waited for too long, says nothing about the program, for which no time has passed.
func (l *live) addressed(frames []byte) error {
	for {
		d, rest, ok := iocache.CutDatagram(frames)
		if !ok {
			return nil
		}
		frames = rest
		if d.Port == 0 {
			continue
		}
		real := l.ports.real(d.Port)
		switch {
		case real == 0 && !l.id.Whole:
			return iocache.Apartf(l.id, "a datagram to a port that the peer has shown on another connection")
		case real != 0 && slices.Contains(l.bound, real) && !slices.Contains(l.boundPorts(), real):
			return diag.Incompletef("%v: the peer has closed port %d while it was not asked: it waits only for some time, and the search takes longer", l.id, d.Port)
		}
	}
}

// boundPorts returns the ports at which the peer receives datagrams, nil if that cannot be seen.
func (l *live) boundPorts() (list []int) {
	if l.run == nil {
		return nil
	}
	bound, _ := l.g.boundUDP(l.run.members())
	for _, a := range bound {
		list = append(list, int(a.Port()))
	}
	return list
}

// repeats reports whether a datagram is the one before once more, sent by a peer that was idle, and
// notes it if not. Peers do that whose datagrams may be lost, and nothing was lost here: it is this
// one that the network loses, which a network may do. A timer that has led to it is not waited for again.
func (l *live) repeats(c *conn, frame []byte) bool {
	if (l.quiet || len(l.vigil) > 0) && len(c.frame) > 0 && bytes.Equal(frame, c.frame) {
		for key, e := range l.vigil {
			l.g.habits[l.spec.Name].learn(timer{key, e.longest})
		}
		l.g.habits[l.spec.Name].repeat(frame)
		return true
	}
	return false
}

// hold reports whether a datagram is kept for now. A peer that says its last word again and again may do so just when it is
// asked something, before it has read that, the more easily the longer it has to wait for a processor. So what it is known to say again, and has said
// last before it was asked, is no answer if it says more. It is one if that is all: answers may be equal. If it was asked several
// things at once, each has its answer.
func (l *live) hold(c *conn, frame []byte) bool {
	first := len(c.frame) == 0 && c.asks <= 1 && len(l.vigil) == 0
	c.held = c.held[:0]
	if first && bytes.Equal(frame, c.before) && l.g.habits[l.spec.Name].repeats(frame) {
		c.held = append(c.held, frame...)
		return true
	}
	c.frame = append(c.frame[:0], frame...)
	return false
}

// holds reports whether a datagram is kept.
func (l *live) holds() bool {
	return slices.ContainsFunc(l.conns, func(c *conn) bool { return len(c.held) > 0 })
}

// heardLast is heard for a peer that says nothing more for now: what was kept is its answer.
func (l *live) heardLast() (r iocache.Response, ok bool, err error) {
	if r, ok, err = l.heard(); ok || err != nil || !l.holds() {
		return r, ok, err
	}
	for _, c := range l.conns {
		c.release()
	}
	return l.heard()
}

// release has a datagram that was kept read next.
func (c *conn) release() {
	if len(c.held) > 0 {
		c.first, c.held, c.before = slices.Clone(c.held), c.held[:0], c.before[:0]
	}
}
