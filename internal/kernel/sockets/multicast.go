package sockets

import (
	"encoding/binary"
	"net/netip"
	"slices"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// Groups of receivers (multicast), on the loopback interface. Who sends to a group
// that somebody has joined reaches all sockets with the port that are bound to no other
// address: those that have joined it and, as on Linux, those that have not said
// otherwise (IP_MULTICAST_ALL). What the network does to a datagram is the same for
// all of them.

var (
	ipMulticastAll    = optName{linux.IPPROTO_IP, 49}
	ipv6MulticastAll  = optName{linux.IPPROTO_IPV6, 29}
	ipMulticastLoop   = optName{linux.IPPROTO_IP, linux.IP_MULTICAST_LOOP}
	ipv6MulticastLoop = optName{linux.IPPROTO_IPV6, linux.IPV6_MULTICAST_LOOP}
)

// multicastOption sets an option that is about groups. It is not ok if it is another
// one.
func (k *Stack) multicastOption(s *socket, name optName, value []byte) (e linux.Errno, ok bool) {
	var group netip.Addr
	join := true
	switch name {
	case optName{linux.IPPROTO_IP, linux.IP_MULTICAST_IF}, optName{linux.IPPROTO_IPV6, linux.IPV6_MULTICAST_IF}:
		if len(value) < 4 {
			return linux.EINVAL, true
		}
		return 0, true // there is one interface
	case optName{linux.IPPROTO_IP, linux.IP_DROP_MEMBERSHIP}, optName{linux.IPPROTO_IPV6, linux.IPV6_LEAVE_GROUP}:
		join = false
	case optName{linux.IPPROTO_IP, linux.IP_ADD_MEMBERSHIP}, optName{linux.IPPROTO_IPV6, linux.IPV6_JOIN_GROUP}:
	default:
		return 0, false
	}
	index := 0
	switch {
	case name.level == linux.IPPROTO_IP && len(value) >= 8:
		group = netip.AddrFrom4([4]byte(value))
		if len(value) >= 12 {
			index = int(int32(binary.LittleEndian.Uint32(value[8:])))
		}
	case name.level == linux.IPPROTO_IPV6 && len(value) >= 20:
		group = netip.AddrFrom16([16]byte(value))
		index = int(int32(binary.LittleEndian.Uint32(value[16:])))
	default:
		return linux.EINVAL, true
	}
	at := slices.Index(s.groups, group)
	switch {
	case !group.IsMulticast():
		return linux.EINVAL, true
	case index != 0 && index != loopbackIndex:
		return linux.ENODEV, true
	case join && at >= 0:
		return linux.EADDRINUSE, true
	case join:
		s.groups = append(slices.Clip(s.groups), group)
		slices.SortFunc(s.groups, netip.Addr.Compare)
		k.net.add(k, s) // the machine is a member from now on
	case at < 0:
		return linux.EADDRNOTAVAIL, true
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
		if o.kind == linux.SOCK_DGRAM && internet(o.domain) && o.held && o.local.port == to.port && (member || o.flag(all)) &&
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
