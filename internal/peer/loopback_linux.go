package peer

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"

	"golang.org/x/sys/unix"
)

var loopback = netip.AddrFrom4([4]byte{127, 0, 0, 1})

// freePort returns a loopback address at which nobody listens now. Somebody may
// before the peer does; the launch is then repeated. That is rare: the kernel gives higher ports
// to those who leave the choice to it, and to those who connect. So a server that has
// this port has been told.
func freePort() (netip.AddrPort, error) {
	const first, tries = 10240, 1000
	for range tries {
		a := netip.AddrPortFrom(loopback, uint16(first+rand.IntN(firstStandIn-first)))
		if !taken(a) {
			return a, nil
		}
	}
	return netip.AddrPort{}, fmt.Errorf("no free loopback port among %d", tries)
}

// taken reports whether somebody has the port.
func taken(a netip.AddrPort) bool {
	l, err := net.Listen("tcp4", a.String())
	if err != nil {
		return true
	}
	l.Close()
	return false
}

// listenLoopback returns a listening socket at a free loopback port.
func listenLoopback() (int, netip.AddrPort, error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, netip.AddrPort{}, fmt.Errorf("socket: %w", err)
	}
	fail := func(what string, err error) (int, netip.AddrPort, error) {
		unix.Close(fd)
		return -1, netip.AddrPort{}, fmt.Errorf("%s: %w", what, err)
	}
	if err := unix.Bind(fd, sockaddr(netip.AddrPortFrom(loopback, 0))); err != nil {
		return fail("bind", err)
	}
	if err := unix.Listen(fd, 128); err != nil {
		return fail("listen", err)
	}
	sa, err := unix.Getsockname(fd)
	if err != nil {
		return fail("getsockname", err)
	}
	return fd, addrPort(sa), nil
}

// sockaddr converts an address for system calls.
func sockaddr(a netip.AddrPort) unix.Sockaddr {
	if a.Addr().Is4() {
		return &unix.SockaddrInet4{Port: int(a.Port()), Addr: a.Addr().As4()}
	}
	return &unix.SockaddrInet6{Port: int(a.Port()), Addr: a.Addr().As16()}
}

// addrPort converts an address from system calls.
func addrPort(sa unix.Sockaddr) netip.AddrPort {
	switch sa := sa.(type) {
	case *unix.SockaddrInet4:
		return netip.AddrPortFrom(netip.AddrFrom4(sa.Addr), uint16(sa.Port))
	case *unix.SockaddrInet6:
		return netip.AddrPortFrom(netip.AddrFrom16(sa.Addr).Unmap(), uint16(sa.Port))
	}
	return netip.AddrPort{}
}
