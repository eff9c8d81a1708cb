package sockets

import (
	"encoding/binary"
	"net/netip"
	"slices"
	"syscall"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// Groups of receivers (multicast), on the loopback interface. Who sends to a group
// that somebody has joined reaches all sockets with the port that are bound to no other
// address: those that have joined it and, as on Linux, those that have not said
// otherwise (IP_MULTICAST_ALL). What the network does to a datagram is the same for
// all of them.

var (
	ipMulticastAll    = optName{syscall.IPPROTO_IP, 49}
	ipv6MulticastAll  = optName{syscall.IPPROTO_IPV6, 29}
	ipMulticastLoop   = optName{syscall.IPPROTO_IP, syscall.IP_MULTICAST_LOOP}
	ipv6MulticastLoop = optName{syscall.IPPROTO_IPV6, syscall.IPV6_MULTICAST_LOOP}
)

// multicastOption sets an option that is about groups. It is not ok if it is another
// one.
func (k *Stack) multicastOption(s *socket, name optName, value []byte) (e linux.Errno, ok bool) {
	var group netip.Addr
	join := true
	switch name {
	case optName{syscall.IPPROTO_IP, syscall.IP_MULTICAST_IF}, optName{syscall.IPPROTO_IPV6, syscall.IPV6_MULTICAST_IF}:
		if len(value) < 4 {
			return syscall.EINVAL, true
		}
		return 0, true // there is one interface
	case optName{syscall.IPPROTO_IP, syscall.IP_DROP_MEMBERSHIP}, optName{syscall.IPPROTO_IPV6, syscall.IPV6_LEAVE_GROUP}:
		join = false
	case optName{syscall.IPPROTO_IP, syscall.IP_ADD_MEMBERSHIP}, optName{syscall.IPPROTO_IPV6, syscall.IPV6_JOIN_GROUP}:
	default:
		return 0, false
	}
	index := 0
	switch {
	case name.level == syscall.IPPROTO_IP && len(value) >= 8:
		group = netip.AddrFrom4([4]byte(value))
		if len(value) >= 12 {
			index = int(int32(binary.LittleEndian.Uint32(value[8:])))
		}
	case name.level == syscall.IPPROTO_IPV6 && len(value) >= 20:
		group = netip.AddrFrom16([16]byte(value))
		index = int(int32(binary.LittleEndian.Uint32(value[16:])))
	default:
		return syscall.EINVAL, true
	}
	at := slices.Index(s.groups, group)
	switch {
	case !group.IsMulticast():
		return syscall.EINVAL, true
	case index != 0 && index != loopbackIndex:
		return syscall.ENODEV, true
	case join && at >= 0:
		return syscall.EADDRINUSE, true
	case join:
		s.groups = append(slices.Clip(s.groups), group)
		slices.SortFunc(s.groups, netip.Addr.Compare)
		k.net.add(k, s) // the machine is a member from now on
	case at < 0:
		return syscall.EADDRNOTAVAIL, true
	default:
		s.groups = slices.Delete(slices.Clone(s.groups), at, at+1)
	}
	return 0, true
}

// members returns the sockets that get datagrams to a group, in the order of their
// keys.
func (n *network) members(to, from address) []*socket {
	all := ipMulticastAll
	if to.ip.Is6() {
		all = ipv6MulticastAll
	}
	var list []*socket
	joined := false
	for _, o := range n.named {
		member := slices.Contains(o.groups, to.ip)
		joined = joined || member
		if o.kind == syscall.SOCK_DGRAM && internet(o.domain) && o.held && o.local.port == to.port && (member || o.flag(all)) &&
			covers(o.local.ip, o.only6(), to.ip) && (o.state != stateOpen || o.remote == from) {
			list = append(list, o)
		}
	}
	if !joined {
		return nil
	}
	slices.SortFunc(list, func(a, b *socket) int { return int(a.key) - int(b.key) })
	return list
}

// transmitAll sends to a group.
func (k *Stack) transmitAll(s *socket, p []byte, to, from address) {
	times, window, undecided, _ := k.fate(s)
	loop := ipMulticastLoop
	if to.ip.Is6() {
		loop = ipv6MulticastLoop
	}
	if k.hears(s) {
		k.tellSent(s, to, p, times)
	}
	if !s.flag(loop) {
		return
	}
	for _, r := range k.net.members(to, from) {
		switch d := (datagram{from: from, data: p, to: to.ip}); {
		case r.crowded(k, len(p)):
		case undecided:
			r.post(k, d)
		default:
			r.postTimes(k, d, times, window)
		}
	}
}
