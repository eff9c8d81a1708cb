package sockets

import (
	"encoding/binary"
	"net/netip"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// Ancillary data of datagrams: where one was sent to (IP_PKTINFO, IPV6_RECVPKTINFO),
// and where one is to be sent from. All goes over the loopback interface.

var (
	ipPktinfo       = optName{linux.IPPROTO_IP, linux.IP_PKTINFO}
	ipv6RecvPktinfo = optName{linux.IPPROTO_IPV6, linux.IPV6_RECVPKTINFO}
)

const (
	loopbackIndex = 1  // of the interface
	cmsgHead      = 16 // a length and two numbers
)

// appendCmsg appends ancillary data, padded to whole words.
func appendCmsg(b []byte, level, kind int, data []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(cmsgHead+len(data)))
	b = binary.LittleEndian.AppendUint32(b, uint32(level))
	b = binary.LittleEndian.AppendUint32(b, uint32(kind))
	b = append(b, data...)
	return append(b, make([]byte, -len(data)&7)...)
}

// control returns the ancillary data that a socket has asked for, of a datagram to
// an address.
func (s *socket) control(to netip.Addr) (b []byte) {
	if !internet(s.domain) || !to.IsValid() {
		return nil
	}
	if s.flag(ipPktinfo) && to.Is4() {
		info := binary.LittleEndian.AppendUint32(nil, loopbackIndex)
		info = append(append(info, to.AsSlice()...), to.AsSlice()...)
		b = appendCmsg(b, linux.IPPROTO_IP, linux.IP_PKTINFO, info)
	}
	if s.domain == linux.AF_INET6 && s.flag(ipv6RecvPktinfo) {
		a := to.As16()
		b = appendCmsg(b, linux.IPPROTO_IPV6, linux.IPV6_PKTINFO, binary.LittleEndian.AppendUint32(a[:], loopbackIndex))
	}
	return b
}

// SetSource reads the ancillary data of the next call that sends: the address that it
// is to be sent from.
func (k *Stack) SetSource(fd int, control []byte) linux.Errno {
	k.source = netip.Addr{}
	s := k.datagramSocket(fd)
	for len(control) >= cmsgHead {
		size := binary.LittleEndian.Uint64(control)
		if size < cmsgHead || size > uint64(len(control)) {
			return linux.EINVAL
		}
		name := optName{int(int32(binary.LittleEndian.Uint32(control[8:]))), int(int32(binary.LittleEndian.Uint32(control[12:])))}
		data := control[cmsgHead:size]
		switch {
		case s != nil && name == ipPktinfo && s.domain == linux.AF_INET && len(data) >= 12:
			k.source = netip.AddrFrom4([4]byte(data[4:8]))
		case s != nil && name == optName{linux.IPPROTO_IPV6, linux.IPV6_PKTINFO} && s.domain == linux.AF_INET6 && len(data) >= 20:
			k.source = netip.AddrFrom16([16]byte(data)).Unmap()
		default:
			return k.Refuse("ancillary data, as for passing descriptors (sendmsg)")
		}
		control = control[min(uint64(len(control)), (size+7)&^7):]
	}
	if k.source.IsValid() && k.source.IsUnspecified() {
		k.source = netip.Addr{}
	}
	if k.source.IsValid() && !isLocal(k.source) {
		return linux.EINVAL
	}
	return 0
}
