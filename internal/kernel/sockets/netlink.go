package sockets

import (
	"encoding/binary"
	"fmt"
	"net/netip"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// netlink is the transport of the sockets by which programs ask for network
// interfaces and their addresses. There is one interface, the loopback.
type netlink struct{}

// The loopback interface.
const (
	loIndex = 1
	loName  = "lo\x00"
	loMTU   = 65536
)

func (netlink) bind(k *Stack, s *socket, a address) linux.Errno { return 0 }
func (netlink) listen(*Stack, *socket, int) linux.Errno         { return linux.EOPNOTSUPP }
func (netlink) connect(*Stack, *socket, []byte) linux.Errno     { return 0 }
func (netlink) shutdown(*Stack, *socket, shutdown) linux.Errno  { return linux.EOPNOTSUPP }
func (netlink) close(*Stack, *socket)                           {}
func (netlink) peer(*socket) (address, linux.Errno)             { return address{}, 0 }
func (netlink) farSent(*Stack, *socket) bool                    { return false }
func (netlink) farShut(*Stack, *socket, shutdown)               {}
func (netlink) farGone(*Stack, *socket, bool)                   {}

func (netlink) events(k *Stack, s *socket) uint32 {
	if len(s.in) > 0 {
		return linux.EvRead | linux.EvWrite
	}
	return linux.EvWrite
}

// recv returns the whole answer at once: it is short.
func (netlink) recv(k *Stack, s *socket, p []byte, peek bool) (int, linux.Errno) {
	switch {
	case len(s.in) == 0:
		return 0, linux.EAGAIN
	case len(p) < len(s.in):
		return 0, k.Refuse("buffer shorter than the answer about network interfaces (netlink)")
	}
	return copy(p, s.in), 0
}

// send takes one request and queues the answer.
func (netlink) send(k *Stack, s *socket, p []byte, all bool) (int, linux.Errno) {
	if len(p) < linux.NLMSG_HDRLEN {
		return 0, linux.EINVAL
	}
	kind, seq := binary.LittleEndian.Uint16(p[4:]), binary.LittleEndian.Uint32(p[8:])
	m := answer{seq: seq, pid: uint32(k.Pid)}
	switch kind {
	case linux.RTM_GETLINK:
		m.link()
	case linux.RTM_GETADDR:
		m.addr(netip.PrefixFrom(loopback4, 8))
		m.addr(netip.PrefixFrom(loopback6, 128))
	default:
		return 0, k.Refuse(fmt.Sprintf("request of type %d for the network (netlink)", kind))
	}
	m.add(linux.NLMSG_DONE, make([]byte, 4))
	s.in = append(s.in, m.b...)
	k.Wake(s.key)
	return len(p), 0
}

// An answer is a sequence of netlink messages.
type answer struct {
	seq, pid uint32
	b        []byte
}

// add appends a message.
func (m *answer) add(kind uint16, body []byte) {
	m.b = binary.LittleEndian.AppendUint32(m.b, uint32(linux.NLMSG_HDRLEN+len(body)))
	m.b = binary.LittleEndian.AppendUint16(m.b, kind)
	m.b = binary.LittleEndian.AppendUint16(m.b, linux.NLM_F_MULTI)
	m.b = binary.LittleEndian.AppendUint32(m.b, m.seq)
	m.b = binary.LittleEndian.AppendUint32(m.b, m.pid)
	m.b = append(m.b, body...)
}

// attribute appends an attribute to the body of a message, which it keeps a
// multiple of 4 bytes long.
func attribute(body []byte, kind uint16, value []byte) []byte {
	body = binary.LittleEndian.AppendUint16(body, uint16(4+len(value)))
	body = binary.LittleEndian.AppendUint16(body, kind)
	body = append(body, value...)
	for len(body)%4 != 0 {
		body = append(body, 0)
	}
	return body
}

// link describes the interface.
func (m *answer) link() {
	const flags = linux.IFF_UP | linux.IFF_LOOPBACK | linux.IFF_RUNNING
	body := []byte{linux.AF_UNSPEC, 0}
	body = binary.LittleEndian.AppendUint16(body, linux.ARPHRD_LOOPBACK)
	body = binary.LittleEndian.AppendUint32(body, loIndex)
	body = binary.LittleEndian.AppendUint32(body, flags)
	body = binary.LittleEndian.AppendUint32(body, 0)
	body = attribute(body, linux.IFLA_IFNAME, []byte(loName))
	body = attribute(body, linux.IFLA_MTU, binary.LittleEndian.AppendUint32(nil, loMTU))
	body = attribute(body, linux.IFLA_ADDRESS, make([]byte, 6))
	m.add(linux.RTM_NEWLINK, body)
}

// addr describes an address of the interface.
func (m *answer) addr(p netip.Prefix) {
	const permanent, host = 0x80, 254
	family := byte(linux.AF_INET)
	if p.Addr().Is6() {
		family = linux.AF_INET6
	}
	body := []byte{family, byte(p.Bits()), permanent, host}
	body = binary.LittleEndian.AppendUint32(body, loIndex)
	body = attribute(body, linux.IFA_ADDRESS, p.Addr().AsSlice())
	if family == linux.AF_INET {
		body = attribute(body, linux.IFA_LOCAL, p.Addr().AsSlice())
		body = attribute(body, linux.IFA_LABEL, []byte(loName))
	}
	m.add(linux.RTM_NEWADDR, body)
}
