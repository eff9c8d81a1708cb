// Package net's methods for datagrams, one after the other.
package main

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"syscall"
	"time"
)

// names of ports, which are other ones in each run.
var names = map[int]string{}

// name tells an address without its port.
func name(a any) string {
	var ip string
	var port int
	switch a := a.(type) {
	case nil:
		return "nobody"
	case *net.UDPAddr:
		if a == nil {
			return "nobody"
		}
		ip, port = a.IP.String(), a.Port
	case netip.AddrPort:
		ip, port = a.Addr().String(), int(a.Port())
	}
	if names[port] == "" {
		names[port] = fmt.Sprintf("port%d", len(names))
	}
	return ip + "/" + names[port]
}

// fails tells an error without addresses.
func fails(err error) string {
	var errno syscall.Errno
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, os.ErrDeadlineExceeded):
		return "timeout"
	case errors.Is(err, net.ErrClosed):
		return "closed"
	case errors.Is(err, net.ErrWriteToConnected):
		return "connected"
	case errors.As(err, &errno):
		return errno.Error()
	}
	text := err.Error()
	return text[strings.LastIndexByte(text, ':')+1:]
}

func check(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func listen(network, addr string) *net.UDPConn {
	a, err := net.ResolveUDPAddr(network, addr)
	check(err)
	c, err := net.ListenUDP(network, a)
	check(err)
	name(c.LocalAddr())
	return c
}

func methods(network, addr string) {
	fmt.Println("methods", network, addr)
	clear(names)
	server := listen(network, addr)
	to := server.LocalAddr().(*net.UDPAddr)
	ap := to.AddrPort()
	b, oob := make([]byte, 8), make([]byte, 64)

	free := listen(network, addr)
	n, err := free.WriteToUDP([]byte("one"), to)
	fmt.Println("WriteToUDP", n, fails(err))
	n, err = free.WriteToUDPAddrPort([]byte("two"), ap)
	fmt.Println("WriteToUDPAddrPort", n, fails(err))
	n, err = free.WriteTo([]byte("three"), to)
	fmt.Println("WriteTo", n, fails(err))
	n, m, err := free.WriteMsgUDP([]byte("four"), nil, to)
	fmt.Println("WriteMsgUDP", n, m, fails(err))
	n, m, err = free.WriteMsgUDPAddrPort([]byte("too long for it"), nil, ap)
	fmt.Println("WriteMsgUDPAddrPort", n, m, fails(err))
	n, err = free.Write([]byte("to nobody"))
	fmt.Println("Write", n, fails(err))

	n, from, err := server.ReadFromUDP(b)
	fmt.Println("ReadFromUDP", string(b[:n]), name(from), fails(err))
	n, fromAP, err := server.ReadFromUDPAddrPort(b)
	fmt.Println("ReadFromUDPAddrPort", string(b[:n]), name(fromAP), fails(err))
	n, fromA, err := server.ReadFrom(b)
	fmt.Println("ReadFrom", string(b[:n]), name(fromA), fails(err))
	n, m, flags, from, err := server.ReadMsgUDP(b, oob)
	fmt.Println("ReadMsgUDP", string(b[:n]), m, flags, name(from), fails(err))
	n, m, flags, fromAP, err = server.ReadMsgUDPAddrPort(b, oob)
	fmt.Println("ReadMsgUDPAddrPort", string(b[:n]), m, flags&syscall.MSG_TRUNC != 0, name(fromAP), fails(err))

	conn, err := net.DialUDP(network, nil, to)
	check(err)
	fmt.Println("RemoteAddr", name(conn.RemoteAddr()))
	n, err = conn.Write([]byte("five"))
	fmt.Println("Write", n, fails(err))
	n, err = server.Read(b)
	fmt.Println("Read", string(b[:n]), fails(err))
	n, err = conn.WriteToUDP([]byte("x"), to)
	fmt.Println("WriteToUDP", n, fails(err))
	n, err = conn.WriteToUDPAddrPort([]byte("x"), ap)
	fmt.Println("WriteToUDPAddrPort", n, fails(err))
	n, _, err = conn.WriteMsgUDP([]byte("x"), nil, to)
	fmt.Println("WriteMsgUDP", n, fails(err))

	// Datagrams of others do not reach who is connected.
	n, err = free.WriteTo([]byte("stranger"), conn.LocalAddr())
	fmt.Println("WriteTo", n, fails(err))
	n, err = server.WriteTo([]byte("answer"), conn.LocalAddr())
	fmt.Println("WriteTo", n, fails(err))
	n, from, err = conn.ReadFromUDP(b)
	fmt.Println("ReadFromUDP", string(b[:n]), name(from), fails(err))

	conn.SetReadDeadline(time.Now().Add(time.Millisecond))
	n, err = conn.Read(b)
	fmt.Println("Read", n, fails(err))
	conn.SetDeadline(time.Now().Add(-time.Second))
	n, err = conn.Write([]byte("late"))
	fmt.Println("Write", n, fails(err))
	conn.SetDeadline(time.Time{})
	fmt.Println("SetReadBuffer", fails(conn.SetReadBuffer(1<<16)), "SetWriteBuffer", fails(conn.SetWriteBuffer(1<<16)))

	n, err = conn.Write(nil)
	fmt.Println("Write", n, fails(err))
	n, from, err = server.ReadFromUDP(b)
	fmt.Println("ReadFromUDP", n, name(from), fails(err))

	server.Close()
	n, err = conn.Write([]byte("gone"))
	fmt.Println("Write", n, fails(err))
	n, err = conn.Read(b)
	fmt.Println("Read", n, fails(err))
	n, err = conn.Write(make([]byte, 70000))
	fmt.Println("Write", n, fails(err))
	_, _, err = server.ReadFrom(b)
	fmt.Println("ReadFrom", fails(err))
	conn.Close()
	free.Close()
}

// info: where a datagram was sent to, as ancillary data.
func info() {
	c := listen("udp4", "0.0.0.0:0")
	raw, err := c.SyscallConn()
	check(err)
	raw.Control(func(fd uintptr) {
		check(syscall.SetsockoptInt(int(fd), syscall.IPPROTO_IP, syscall.IP_PKTINFO, 1))
	})
	port := c.LocalAddr().(*net.UDPAddr).Port
	_, err = c.WriteTo([]byte("me"), &net.UDPAddr{IP: net.IPv4(127, 0, 0, 3), Port: port})
	check(err)
	b, oob := make([]byte, 8), make([]byte, 64)
	n, m, flags, _, err := c.ReadMsgUDP(b, oob)
	fmt.Println("ReadMsgUDP", string(b[:n]), m, flags, fails(err))
	list, err := syscall.ParseSocketControlMessage(oob[:m])
	check(err)
	for _, x := range list {
		fmt.Println(x.Header.Level, x.Header.Type, x.Data)
		_, _, err = c.WriteMsgUDP([]byte("from 3"), oob[:m], &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
		check(err)
		n, _, _, from, err := c.ReadMsgUDP(b, oob)
		fmt.Println("ReadMsgUDP", string(b[:n]), from.IP, fails(err))
	}
	c.Close()
}

// groups: multicast on the loopback interface.
func groups() {
	lo, err := net.InterfaceByIndex(1)
	check(err)
	first, err := net.ListenMulticastUDP("udp4", lo, &net.UDPAddr{IP: net.IPv4(224, 0, 0, 254)})
	check(err)
	port := first.LocalAddr().(*net.UDPAddr).Port
	group := &net.UDPAddr{IP: net.IPv4(224, 0, 0, 254), Port: port}
	second, err := net.ListenMulticastUDP("udp4", lo, group)
	check(err)
	c := listen("udp4", "127.0.0.1:0")
	raw, err := c.SyscallConn()
	check(err)
	raw.Control(func(fd uintptr) {
		check(syscall.SetsockoptInet4Addr(int(fd), syscall.IPPROTO_IP, syscall.IP_MULTICAST_IF, [4]byte{127, 0, 0, 1}))
	})
	n, err := c.WriteTo([]byte("all"), group)
	fmt.Println("WriteTo", n, fails(err))
	b := make([]byte, 8)
	for _, r := range []*net.UDPConn{first, second} {
		n, from, err := r.ReadFromUDP(b)
		fmt.Println("ReadFromUDP", string(b[:n]), from.IP, fails(err))
	}
	raw, err = second.SyscallConn()
	check(err)
	raw.Control(func(fd uintptr) {
		mreq := &syscall.IPMreqn{Multiaddr: [4]byte{224, 0, 0, 254}, Ifindex: 1}
		fmt.Println("join again", fails(syscall.SetsockoptIPMreqn(int(fd), syscall.IPPROTO_IP, syscall.IP_ADD_MEMBERSHIP, mreq)))
		fmt.Println("leave", fails(syscall.SetsockoptIPMreqn(int(fd), syscall.IPPROTO_IP, syscall.IP_DROP_MEMBERSHIP, mreq)))
		fmt.Println("leave", fails(syscall.SetsockoptIPMreqn(int(fd), syscall.IPPROTO_IP, syscall.IP_DROP_MEMBERSHIP, mreq)))
	})
	n, err = c.WriteTo([]byte("one"), group)
	fmt.Println("WriteTo", n, fails(err))
	n, err = first.Read(b)
	fmt.Println("Read", string(b[:n]), fails(err))
	for _, x := range []*net.UDPConn{first, second, c} {
		x.Close()
	}
}

func main() {
	methods("udp4", "127.0.0.1:0")
	methods("udp", "127.0.0.1:0")
	methods("udp6", "[::1]:0")
	info()
	groups()
}
