package sockets

import (
	"fmt"
	"net/netip"
	"regexp"
	"strings"
)

// A Host is a name, or an address outside of the modelled machine, of which it is known where it is.
type Host struct {
	Name string
	At   netip.Addr // on the modelled machine; not valid if it is where a peer is
	Peer string     // by its name
}

// Hosts are all that are known.
type Hosts []Host

var hostName = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?$`)

// ParseHosts reads hosts that are written as NAME=WHERE, or NAME for 127.0.0.1. Where it is can be an
// address of the machine itself, or a peer.
func ParseHosts(texts []string) (Hosts, error) {
	var list Hosts
	for _, text := range texts {
		name, where, ok := strings.Cut(text, "=")
		h := Host{Name: name, At: loopback4}
		address, err := netip.ParseAddr(name)
		if err != nil && !hostName.MatchString(name) {
			return nil, fmt.Errorf("%q: want NAME=WHERE, as db.internal=server", text)
		}
		switch at, err := netip.ParseAddr(where); {
		case !ok && !address.IsValid():
		case err == nil && at.IsLoopback():
			h.At = at.Unmap()
		case err == nil:
			return nil, fmt.Errorf("%s: %v is not an address of the modelled machine: say 127.0.0.1, or the name of a peer", text, at)
		case where == "" || strings.ContainsAny(where, ":/ "):
			return nil, fmt.Errorf("%s: want an address without a port, as 127.0.0.1, or the name of a peer, as server", text)
		default:
			h.At, h.Peer = netip.Addr{}, where
		}
		list = append(list, h)
	}
	return list, nil
}

// Settle finds the addresses of hosts that are peers: each peer that has a name has one of its own.
func (o *Outside) Settle() {
	hosts := make(Hosts, len(o.Hosts))
	for i, h := range o.Hosts {
		for n, p := range o.Peers {
			if h.Peer != "" && (p.Name == h.Peer || p.Group == h.Peer) {
				h.At = netip.AddrFrom4([4]byte{127, 0, 1, byte(1 + n)})
				break
			}
		}
		if h.Peer != "" && !h.At.IsValid() {
			h.At = loopback4 // nobody is there
		}
		hosts[i] = h
	}
	o.Hosts = hosts
}

// Lines returns the lines of /etc/hosts that hosts have.
func (list Hosts) Lines() string {
	var b strings.Builder
	for _, h := range list {
		if _, err := netip.ParseAddr(h.Name); err != nil {
			fmt.Fprintf(&b, "%v\t%s\n", h.At, h.Name)
		}
	}
	return b.String()
}

// home returns the peer whose address it is, "" if it is that of no peer alone.
func (k *Stack) home(ip netip.Addr) string {
	for _, h := range k.Hosts {
		if h.Peer != "" && (h.At == ip && ip != loopback4 || h.Name == ip.String()) {
			return h.Peer
		}
	}
	return ""
}

// lives reports whether a peer may be at an address: it is that of no other one alone.
func (k *Stack) lives(p *Peer, ip netip.Addr) bool {
	home := k.home(ip)
	return home == "" || home == p.Name || home == p.Group
}

// near reports whether an address of the internet is one that can be reached.
func (k *Stack) near(ip netip.Addr) bool {
	if isLocal(ip) {
		return true
	}
	for _, h := range k.Hosts {
		if h.Name == ip.String() {
			return true
		}
	}
	return false
}
