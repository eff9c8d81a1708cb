package sockets

import (
	"encoding/binary"
	"net/netip"
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// An address is that of a socket: an address and port of the internet, or a
// name of the Unix domain, which is a path or, behind a NUL, an abstract name.
// The zero address is that of a socket that has none.
type address struct {
	ip   netip.Addr // IPv4 addresses are always in their short form
	port uint16
	name string
}

var (
	any4      = netip.IPv4Unspecified()
	any6      = netip.IPv6Unspecified()
	loopback4 = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	loopback6 = netip.IPv6Loopback()
)

// String is the address for messages.
func (a address) String() string {
	if a.ip.IsValid() {
		return netip.AddrPortFrom(a.ip, a.port).String()
	}
	if abstract, ok := strings.CutPrefix(a.name, "\x00"); ok {
		return "@" + abstract
	}
	return strconv.Quote(a.name)
}

// Sizes of the address structures.
const (
	size4    = 16
	size6    = 28
	minSize6 = 24 // without the scope
	sizeUnix = 110
)

// decode reads the address structure that a system call has for a socket of the
// domain.
func decode(domain int, b []byte) (a address, e linux.Errno) {
	family := -1
	if len(b) >= 2 {
		family = int(binary.LittleEndian.Uint16(b))
	}
	switch {
	case family < 0:
		return a, linux.EINVAL
	case domain == linux.AF_INET:
		if len(b) < size4 {
			return a, linux.EINVAL
		}
		a.ip = netip.AddrFrom4([4]byte(b[4:8]))
	case domain == linux.AF_INET6:
		if len(b) < minSize6 {
			return a, linux.EINVAL
		}
		a.ip = netip.AddrFrom16([16]byte(b[8:24])).Unmap()
	case domain == linux.AF_NETLINK:
		return a, 0 // there is only the kernel to talk to
	case domain == linux.AF_UNIX:
		if len(b) > sizeUnix || family != domain {
			return a, linux.EINVAL
		}
		a.name = string(b[2:])
		if a.name != "" && a.name[0] != 0 {
			a.name, _, _ = strings.Cut(a.name, "\x00")
		}
		return a, 0
	}
	a.port = binary.BigEndian.Uint16(b[2:])
	if family != domain {
		return a, linux.EAFNOSUPPORT
	}
	return a, 0
}

// encode writes the address structure of a socket of the domain.
func (a address) encode(domain int) []byte {
	b := binary.LittleEndian.AppendUint16(nil, uint16(domain))
	switch domain {
	case linux.AF_INET:
		b = binary.BigEndian.AppendUint16(b, a.port)
		ip := any4.As4()
		if a.ip.IsValid() {
			ip = a.ip.As4()
		}
		return append(append(b, ip[:]...), make([]byte, 8)...)
	case linux.AF_INET6:
		b = binary.BigEndian.AppendUint16(b, a.port)
		ip := any6.As16()
		if a.ip.IsValid() {
			ip = a.ip.As16()
		}
		b = append(b, 0, 0, 0, 0) // flow
		b = append(b, ip[:]...)
		return append(b, 0, 0, 0, 0) // scope
	}
	if a.name == "" {
		return b
	}
	b = append(b, a.name...)
	if a.name[0] != 0 {
		b = append(b, 0)
	}
	return b
}

// isLocal reports whether an address of the internet is one of the modelled
// machine's own, which has the loopback interface only.
func isLocal(ip netip.Addr) bool { return ip.IsLoopback() || ip.IsUnspecified() }
