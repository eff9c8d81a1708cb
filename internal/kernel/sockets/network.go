package sockets

import (
	"net/netip"

	"github.com/heddle-mc/heddle/internal/kernel/files"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/undo"
)

// A network is what the sockets of a machine have in common: who has which
// address.
type network struct {
	epoch uint64
	named []*socket // those with a local address, in no particular order
	procs []*Stack  // those that run side by side
}

// Ports that the kernel chooses from. The smallest free one is taken, so that
// numbers depend on what is open, not on what was before. As on Linux, sockets
// that connect get even ones and those that bind get odd ones while there are
// any: so the port of a listener that was closed does not become that of a
// client, for whom its next listener would have to wait.
const (
	firstPort = 32768
	lastPort  = 60999

	forConnect = 0 // to be added to the first port that may be tried
	forBind    = 1
)

// privileged is the first port that everybody may have.
const privileged = 1024

func (k *Stack) touchNet() {
	if undo.Save(k.Log, k.net, &k.net.epoch) {
		k.net.named = append([]*socket(nil), k.net.named...)
	}
}

// add enters a socket that has got an address.
func (n *network) add(k *Stack, s *socket) {
	for _, o := range n.named {
		if o == s {
			return
		}
	}
	k.touchNet()
	n.named = append(n.named, s)
}

// remove forgets a socket.
func (n *network) remove(k *Stack, s *socket) {
	for _, o := range n.named {
		if o == s {
			k.touchNet()
			n.named = without(n.named, s)
			return
		}
	}
}

// freePort returns the smallest port that no socket of the kind has, at neither
// end, 0 if there is none. The far end counts because it may have been closed
// while the near end still knows it by that port. Not is never chosen. The search
// begins at first: see forConnect.
func (n *network) freePort(kind, first int, not uint16) uint16 {
	var used [lastPort + 1]bool
	used[min(not, lastPort)] = not <= lastPort
	for _, s := range n.named {
		if s.domain != linux.AF_UNIX && s.kind == kind {
			for _, port := range []uint16{s.local.port, s.remote.port} {
				if port <= lastPort {
					used[port] = true
				}
			}
			for _, d := range s.mail { // whoever gets it may want to answer
				if d.Packet.from.port <= lastPort {
					used[d.Packet.from.port] = true
				}
			}
		}
	}
	const ports = lastPort - firstPort + 1
	for _, first := range []int{first, first ^ 1} {
		for i := 0; i < ports; i += 2 {
			if port := firstPort + (first-firstPort+i)%ports; !used[port] {
				return uint16(port)
			}
		}
	}
	return 0
}

// covers reports whether a socket that is bound to a address is reached at
// another one.
func covers(ip netip.Addr, only6 bool, other netip.Addr) bool {
	switch {
	case ip == any4:
		return other.Is4()
	case ip == any6:
		return other.Is6() || !only6
	}
	return ip == other
}

// taken reports whether a port is in use so that a socket cannot have it at an
// address.
func (n *network) taken(s *socket, a address) bool {
	for _, o := range n.named {
		if o == s || o.domain == linux.AF_UNIX || o.kind != s.kind || o.local.port != a.port || !o.held {
			continue
		}
		if !covers(a.ip, s.only6(), o.local.ip) && !covers(o.local.ip, o.only6(), a.ip) {
			continue
		}
		switch {
		case s.flag(soReuseAddr) && o.flag(soReuseAddr) && o.state != stateListening:
		case s.flag(soReusePort) && o.flag(soReusePort):
		default:
			return true
		}
	}
	return false
}

// listener finds who accepts connections at an address: the one with the most
// specific address.
func (n *network) listener(to address) *socket {
	var best *socket
	rank := 0
	for _, o := range n.named {
		if o.domain == linux.AF_UNIX || o.state != stateListening || o.local.port != to.port || !covers(o.local.ip, o.only6(), to.ip) {
			continue
		}
		r := 3
		if o.local.ip.IsUnspecified() {
			r = 2
			if o.local.ip.Is6() && to.ip.Is4() {
				r = 1
			}
		}
		if r > rank {
			best, rank = o, r
		}
	}
	return best
}

// connected reports whether there is a connection between two addresses already.
func (n *network) connected(s *socket, local, remote address) bool {
	for _, o := range n.named {
		if o != s && o.kind == s.kind && o.local == local && o.remote == remote && o.state != stateClosed {
			return true
		}
	}
	return false
}

// abstract finds the socket of a type with an abstract name.
func (n *network) abstract(name string, kind int) *socket {
	for _, o := range n.named {
		if o.domain == linux.AF_UNIX && o.kind == kind && o.held && o.local.name == name {
			return o
		}
	}
	return nil
}

// atFile finds the socket that is bound to a file.
func (n *network) atFile(id files.FileID) *socket {
	for _, o := range n.named {
		if o.file == id {
			return o
		}
	}
	return nil
}
