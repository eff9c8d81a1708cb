package main

import (
	"fmt"
	"net"
	"strings"
	"time"
)

// A packetConn is a socket for datagrams that the script has made. It may be
// closed, and it may be connected with another one.
type packetConn struct {
	net.PacketConn
	names
	name    string // of its own port
	network string
	far     *packetConn // whom it is connected with, or nil
	reading bool
	closed  int // when it was closed, as world.ports counts; 0 if it was not
}

func (w *world) packet(a int) *packetConn {
	if len(w.packets) == 0 {
		return nil
	}
	return w.packets[a%len(w.packets)]
}

// onPacket makes an operation of one on a socket for datagrams.
func onPacket(f func(w *world, c *packetConn, b, n int) string) func(w *world, a, b, n int) string {
	return func(w *world, a, b, n int) string {
		if c := w.packet(a); c != nil {
			return f(w, c, b, n)
		}
		return ""
	}
}

// lost reports whether the port of a socket may have become another's.
func (w *world) lost(c *packetConn) bool {
	return c.closed != 0 && c.closed != w.ports && strings.HasPrefix(c.network, "udp")
}

// enter adds a socket. A datagram may come from any, so all names are kept in one
// place, besides those that the socket itself knows.
func (w *world) enter(c net.PacketConn, network string, far *packetConn) string {
	w.ports++
	if w.senders == nil {
		w.senders = names{}
	}
	name := fmt.Sprintf("P%d", w.num)
	if p := portOf(c.LocalAddr()); p != "" {
		w.senders[p] = name
	}
	own := names{}.with(c.LocalAddr(), name)
	if far != nil {
		own = own.with(far.LocalAddr(), far.name)
	}
	w.packets = append(w.packets, &packetConn{PacketConn: c, names: own, name: name, network: network, far: far})
	return own.text(c.LocalAddr().Network() + " " + c.LocalAddr().String())
}

// packet makes a socket at an address of the network that b chooses.
func packet(w *world, a, b, n int) string {
	nets := []struct{ network, address string }{
		{"udp4", "127.0.0.1:0"}, {"udp6", "[::1]:0"}, {"udp", ":0"}, {"udp", "127.0.0.2:0"},
		{"unixgram", fmt.Sprintf("g%d", w.num)}, {"unixgram", fmt.Sprintf("@%sg%d", unique, w.num)},
	}
	to := nets[b%len(nets)]
	c, err := net.ListenPacket(to.network, to.address)
	if err != nil {
		return w.senders.show(err)
	}
	return w.enter(c, to.network, nil)
}

// talk makes a socket that is connected with another one.
func talk(w *world, far *packetConn, b, n int) string {
	if w.lost(far) {
		return ""
	}
	c, err := net.Dial(strings.TrimRight(far.network, "46"), far.LocalAddr().String())
	if err != nil {
		return far.show(err)
	}
	return w.enter(c.(net.PacketConn), far.network, far)
}

// send sends a datagram: to whom the socket is connected with, or to another one.
func send(w *world, c *packetConn, b, n int) string {
	data := []byte(strings.Repeat(string(rune('a'+w.num%26)), n))
	if c.far != nil && b%3 != 0 {
		if w.lost(c.far) {
			return ""
		}
		m, err := c.PacketConn.(net.Conn).Write(data)
		return fmt.Sprint(m, " ", c.show(err))
	}
	to := w.packet(b)
	if w.lost(c) || w.lost(to) || to.LocalAddr().String() == "" || strings.HasPrefix(to.LocalAddr().String(), "@") && !strings.HasPrefix(to.LocalAddr().String(), "@"+unique) {
		return ""
	}
	m, err := c.WriteTo(data, to.LocalAddr())
	return fmt.Sprint(m, " ", c.with(to.LocalAddr(), to.name).show(err))
}

// receive waits for a datagram.
func receive(w *world, c *packetConn, b, n int) string {
	if c.reading {
		return "busy"
	}
	c.reading = true
	return w.start("receive", func() func() string {
		buf := make([]byte, n)
		n, from, err := c.ReadFrom(buf)
		return func() string {
			c.reading = false
			return w.senders.text(fmt.Sprintf("%q %v ", buf[:n], from)) + c.show(err)
		}
	})
}

func deadlinePacket(w *world, c *packetConn, b, n int) string {
	set := []func(time.Time) error{c.SetDeadline, c.SetReadDeadline, c.SetWriteDeadline}[b%3]
	return c.show(setDeadline(set, n))
}

func closePacket(w *world, c *packetConn, b, n int) string {
	if c.closed == 0 {
		c.closed = w.ports
	}
	return c.show(c.Close())
}
