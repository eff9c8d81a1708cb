package kernel

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/netip"
	"testing"

	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// What tests have to know of the model's sockets they find out by calls, as a program would. What a call has changed is
// taken back.

// A sockaddr is an address that tests give to calls.
type sockaddr struct {
	ip   netip.Addr
	port uint16
	name string
}

var (
	all4 = netip.IPv4Unspecified()
	all6 = netip.IPv6Unspecified()
	own4 = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	own6 = netip.IPv6Loopback()
)

// encode writes the structure that a call has for a socket of the domain.
func (a sockaddr) encode(domain int) []byte {
	b := binary.LittleEndian.AppendUint16(nil, uint16(domain))
	if domain == linux.AF_UNIX {
		b = append(b, a.name...)
		if a.name != "" && a.name[0] != 0 {
			b = append(b, 0)
		}
		return b
	}
	b = binary.BigEndian.AppendUint16(b, a.port)
	if domain == linux.AF_INET {
		ip := all4.As4()
		if a.ip.IsValid() {
			ip = a.ip.As4()
		}
		return append(append(b, ip[:]...), make([]byte, 8)...)
	}
	ip := all6.As16()
	if a.ip.IsValid() {
		ip = a.ip.As16()
	}
	b = append(append(b, 0, 0, 0, 0), ip[:]...)
	return append(b, 0, 0, 0, 0)
}

// domainOf returns the domain of a socket, 0 if the descriptor is not that of one.
func domainOf(k *Kernel, fd int) int {
	b, e := k.Getsockopt(fd, linux.SOL_SOCKET, linux.SO_DOMAIN)
	if e != 0 {
		return 0
	}
	return int(b[0])
}

// held reports whether a socket of the internet has its port for itself: it cannot be bound anew.
func held(k *Kernel, fd int) bool {
	m := k.Mark()
	defer k.Restore(m)
	return k.Bind(fd, sockaddr{}.encode(domainOf(k, fd))) == linux.EINVAL
}

// bound reports whether a socket of the Unix domain has a name.
func bound(k *Kernel, fd int) bool {
	at, e := k.Getsockname(fd)
	return e == 0 && len(at) > 2
}

// cut reports whether a socket of the internet is not connected and was shut down: who would connect it is refused.
func cut(k *Kernel, fd int) bool {
	m := k.Mark()
	defer k.Restore(m)
	domain := domainOf(k, fd)
	for _, ip := range []netip.Addr{own4, own6} {
		if domain == linux.AF_INET && ip == own6 {
			break
		}
		k.Connect(fd, sockaddr{ip: ip, port: 1}.encode(domain))
		if k.Refused() == "connecting a socket that was shut down" {
			return true
		}
	}
	return false
}

// full reports whether a socket of the internet is at an address where nobody else can connect for now.
func full(k *Kernel, fd int) bool {
	m := k.Mark()
	defer k.Restore(m)
	domain := domainOf(k, fd)
	to, _ := k.Getsockname(fd)
	switch ip := to[4:8]; {
	case domain == linux.AF_INET && binary.LittleEndian.Uint32(ip) == 0:
		copy(ip, []byte{127, 0, 0, 1})
	case domain == linux.AF_INET6:
		switch a := netip.AddrFrom16([16]byte(to[8:24])).Unmap(); a {
		case all4:
			copy(to[20:24], []byte{127, 0, 0, 1})
		case all6:
			to[23] = 1
		}
	}
	try, e := k.Socket(domain, linux.SOCK_STREAM|linux.SOCK_NONBLOCK, 0)
	if e != 0 {
		return false
	}
	k.Connect(try, to)
	return k.Connect(try, to) == linux.EALREADY
}

// TestAsked: what is found out so is true, and finding it out changes nothing.
func TestAsked(t *testing.T) {
	k := New(&host.Real{}, Options{})
	l, at := listener(t, k, 0)
	fresh, e1 := k.Socket(linux.AF_INET, nonblocking, 0)
	shut, e2 := k.Socket(linux.AF_INET, nonblocking, 0)
	must(t, e1, e2)
	k.Shutdown(shut, 2)
	ask := func() string {
		before := k.AppendKey(nil)
		got := fmt.Sprint(held(k, l), held(k, fresh), cut(k, shut), cut(k, fresh), full(k, l))
		if !bytes.Equal(k.AppendKey(nil), before) {
			t.Error("asking has changed the state")
		}
		return got
	}
	if got, want := ask(), "true false true false false"; got != want {
		t.Errorf("got %s want %s", got, want)
	}
	dial(t, k, at)
	if got, want := ask(), "true false true false true"; got != want {
		t.Errorf("got %s want %s", got, want)
	}
}
