//go:build linux

package peer

import (
	"errors"
	"net/netip"

	"golang.org/x/sys/unix"
)

// A door is a socket at which we listen in place of the program under test. It
// outlives the run that it was made for: the next run of the same peer gets the
// same address, which clients like to mention in what they say.
type door struct {
	fd   int
	addr netip.AddrPort
	used bool
	udp  bool   // for datagrams
	path string // instead of an address, of a socket of the Unix domain
}

// takeDoor returns a door of a peer that no run uses, the oldest one if there are
// several.
func (g *Group) takeDoor(name string) (*door, error) { return g.openDoor(name, false, listenLoopback) }

// takeUDPDoor is takeDoor for datagrams.
func (g *Group) takeUDPDoor(name string) (*door, error) { return g.openDoor(name, true, bindLoopback) }

func (g *Group) openDoor(name string, udp bool, open func() (int, netip.AddrPort, error)) (*door, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, d := range g.doors[name] {
		if !d.used && d.udp == udp {
			d.used = true
			return d, nil
		}
	}
	d := &door{used: true, udp: udp}
	var err error
	if d.fd, d.addr, err = open(); err != nil {
		return nil, err
	}
	g.doors[name] = append(g.doors[name], d)
	return d, nil
}

// giveDoor makes a door free. Nobody is left who could use it: those who knock are
// of the past.
func (g *Group) giveDoor(d *door) {
	if d == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.doors != nil && d.udp {
		if _, _, err := unix.Recvfrom(d.fd, nil, 0); err != nil && !errors.Is(err, unix.EINTR) {
			break
		}
	}
	for g.doors != nil && !d.udp {
		fd, _, err := unix.Accept4(d.fd, unix.SOCK_CLOEXEC)
		if err == nil {
			unix.Close(fd)
		} else if !errors.Is(err, unix.EINTR) && !errors.Is(err, unix.ECONNABORTED) {
			break
		}
	}
	d.used = false
}

// closeDoors closes all.
func (g *Group) closeDoors() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, list := range g.doors {
		for _, d := range list {
			unix.Close(d.fd)
			removePath(d.path)
		}
	}
	g.doors = nil
}
