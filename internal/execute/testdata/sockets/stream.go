package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"
)

// A listener is one that the script has made. It may be closed.
type listener struct {
	net.Listener
	names
	network string
	short   bool // its queue was made short
	busy    bool // somebody waits in Accept
	closed  int  // when it was closed, as world.ports counts; 0 if it was not
}

// gone reports whether the port of a listener may have become another's, which
// depends on how the machine chooses ports.
func (w *world) gone(l *listener) bool {
	return l.closed != 0 && l.closed != w.ports && strings.HasPrefix(l.network, "tcp")
}

// where names the address of a listener.
func (l *listener) where() string { return l.Addr().Network() + " " + l.Addr().String() }

// An end is one end of a connection. Several conns share it if its descriptor
// was duplicated.
type end struct {
	names
	far              *end
	reading, writing bool // somebody does
	full             bool // it has sent more than the connection holds
	deaf             bool // it does not read any more, though it does if there is something
}

// A conn is a connection as the script sees it. It may be closed.
type conn struct {
	net.Conn
	*end
}

func (w *world) conn(a int) *conn {
	if len(w.conns) == 0 {
		return nil
	}
	return w.conns[a%len(w.conns)]
}

func (w *world) listener(a int) *listener {
	if len(w.listeners) == 0 {
		return nil
	}
	return w.listeners[a%len(w.listeners)]
}

// onConn makes an operation of one on a connection.
func onConn(f func(w *world, c *conn, b, n int) string) func(w *world, a, b, n int) string {
	return func(w *world, a, b, n int) string {
		if c := w.conn(a); c != nil {
			return f(w, c, b, n)
		}
		return ""
	}
}

// onFree makes an operation of one on a connection that holds all that was sent:
// where it does not, it depends on the machine how much of it will arrive.
func onFree(f func(w *world, c *conn, b, n int) string) func(w *world, a, b, n int) string {
	return onConn(func(w *world, c *conn, b, n int) string {
		if c.full || c.far != nil && c.far.full {
			return "full"
		}
		return f(w, c, b, n)
	})
}

// onListener makes an operation of one on a listener.
func onListener(f func(w *world, l *listener, b, n int) string) func(w *world, a, b, n int) string {
	return func(w *world, a, b, n int) string {
		if l := w.listener(a); l != nil {
			return f(w, l, b, n)
		}
		return ""
	}
}

// listen makes a listener at an address of the network that b chooses.
func listen(w *world, a, b, n int) string {
	nets := []struct{ network, address string }{
		{"tcp4", "127.0.0.1:0"}, {"tcp6", "[::1]:0"}, {"tcp", ":0"}, {"tcp", "127.0.0.2:0"},
		{"unix", fmt.Sprintf("s%d", w.num)}, {"unix", fmt.Sprintf("@%s%d", unique, w.num)}, {"unixpacket", fmt.Sprintf("p%d", w.num)},
	}
	to := nets[b%len(nets)]
	w.ports++
	return w.listen(to.network, to.address, names{})
}

func (w *world) listen(network, address string, known names) string {
	l, err := net.Listen(network, address)
	if err != nil {
		return known.show(err)
	}
	own := known.with(l.Addr(), fmt.Sprintf("L%d", w.num))
	at := &listener{Listener: l, names: own, network: network}
	w.listeners = append(w.listeners, at)
	w.dialed[at.where()] = nil
	return own.text(l.Addr().Network() + " " + l.Addr().String())
}

// relisten makes a listener where another one is or was.
func relisten(w *world, l *listener, b, n int) string {
	if w.gone(l) {
		return ""
	}
	return w.listen(l.network, l.Addr().String(), l.names)
}

// dial connects to a listener, which may be closed. Where its queue is short,
// the host would try again only after a second: there is a time limit.
func dial(w *world, l *listener, b, n int) string {
	if w.gone(l) || l.closed != 0 && n < 3 { // one that binds might get the port that it connects to
		return ""
	}
	if n < 3 {
		w.ports++
	}
	var d net.Dialer
	network := l.network
	if strings.HasPrefix(network, "tcp") {
		network = []string{"tcp", "tcp", "tcp", "tcp4", "tcp6"}[b%5]
		if l.short {
			d.Timeout = 20 * *settle
		}
	}
	switch n {
	case 0:
		d.Deadline = time.Unix(1, 0)
	case 1:
		d.LocalAddr = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 3)}
	case 2:
		d.LocalAddr = &net.TCPAddr{IP: net.IPv6loopback}
	}
	if n > 0 && n < 3 && network[0] != 't' {
		d.LocalAddr = &net.UnixAddr{Name: fmt.Sprintf("c%d", w.num), Net: network}
	}
	num := w.num
	connect := func() func() string {
		c, err := d.DialContext(context.Background(), network, l.Addr().String())
		return func() string {
			if err != nil { // whether it is the context's deadline or the socket's is a matter of luck
				return strings.ReplaceAll(l.show(err), " [deadline]", "")
			}
			e := &end{names: l.names.with(c.LocalAddr(), fmt.Sprintf("D%d", num))}
			w.dialed[l.where()] = append(w.dialed[l.where()], e)
			w.conns = append(w.conns, &conn{c, e})
			return e.text(c.LocalAddr().String() + " to " + c.RemoteAddr().String())
		}
	}
	if d.Timeout != 0 {
		return connect()()
	}
	return w.start("dial", connect)
}

func accept(w *world, l *listener, b, n int) string {
	if l.busy {
		return "busy"
	}
	l.busy = true
	return w.start("accept", func() func() string {
		c, err := l.Accept()
		return func() string {
			l.busy = false
			if err != nil {
				return l.show(err)
			}
			e := &end{names: l.names}
			if queue := w.dialed[l.where()]; len(queue) > 0 {
				far := queue[0]
				w.dialed[l.where()] = queue[1:]
				far.far, e.far = e, far
				e.names = far.names
			}
			w.conns = append(w.conns, &conn{c, e})
			return e.text(c.LocalAddr().String() + " from " + c.RemoteAddr().String())
		}
	})
}

// read reads once, or everything if the far end has sent more than fits: how much
// that is, and when there is room again, depends on the machine.
func read(w *world, c *conn, b, n int) string {
	if c.reading {
		return "busy"
	}
	if c.far != nil && c.far.full {
		return drain(w, c)
	}
	c.reading = true
	return w.start("read", func() func() string {
		buf := make([]byte, n)
		n, err := c.Read(buf)
		return func() string {
			c.reading = false
			return fmt.Sprintf("%q %s", buf[:n], c.show(err))
		}
	})
}

// drain reads until there is nothing more to come.
func drain(w *world, c *conn) string {
	c.SetReadDeadline(time.Now().Add(20 * *settle))
	_, err := io.Copy(io.Discard, struct{ io.Reader }{c})
	c.far.full = errors.Is(err, net.ErrClosed)
	return "all " + c.show(err) + " " + c.show(c.SetReadDeadline(time.Time{}))
}

func write(w *world, c *conn, b, n int) string {
	if c.writing {
		return "busy"
	}
	c.writing = true
	data := strings.Repeat(string(rune('a'+w.num%26)), n)
	return w.start("write", func() func() string {
		var sent int64
		var err error
		if b%4 == 0 {
			parts := net.Buffers{[]byte(data[:n/2]), []byte(data[n/2:])}
			sent, err = parts.WriteTo(c.Conn)
		} else {
			var m int
			m, err = c.Write([]byte(data))
			sent = int64(m)
		}
		return func() string {
			c.writing = false
			return fmt.Sprint(sent, " ", c.show(err))
		}
	})
}

// packets reports whether the connection keeps the borders of what is written.
func (c *conn) packets() bool { return c.LocalAddr() == nil || c.LocalAddr().Network() == "unixpacket" }

// fill writes more than the connection holds.
func fill(w *world, c *conn, b, n int) string {
	if c.writing || c.far != nil && (c.far.reading || c.far.deaf) || c.packets() {
		return "busy"
	}
	c.SetWriteDeadline(time.Now().Add(20 * *settle))
	sent, err := c.Write(make([]byte, 16<<20))
	c.full = sent > 0
	c.SetWriteDeadline(time.Time{})
	return fmt.Sprint(sent > 0, sent == 16<<20, " ", c.show(err))
}

// halves are the connections that can be closed in part.
type halves interface {
	CloseRead() error
	CloseWrite() error
}

func closeRead(w *world, c *conn, b, n int) string {
	c.deaf = true
	return c.show(c.Conn.(halves).CloseRead())
}

func closeWrite(w *world, c *conn, b, n int) string { return c.show(c.Conn.(halves).CloseWrite()) }

func closeConn(w *world, c *conn, b, n int) string { return c.show(c.Close()) }

func closeListener(w *world, l *listener, b, n int) string {
	if l.closed == 0 {
		l.closed = w.ports
	}
	return l.show(l.Close())
}

// linger makes the next close a reset, or not.
func linger(w *world, c *conn, b, n int) string {
	t, ok := c.Conn.(*net.TCPConn)
	if !ok {
		return ""
	}
	return c.show(t.SetLinger([]int{0, 0, -1, 5}[b%4]))
}

// abort closes by a reset.
func abort(w *world, c *conn, b, n int) string {
	return linger(w, c, 0, 0) + " " + c.show(c.Close())
}

// deadline sets one or both deadlines: in the past, far in the future, none, or
// soon, in which case it has passed when the next operation begins.
func deadline(w *world, c *conn, b, n int) string {
	set := []func(time.Time) error{c.SetDeadline, c.SetReadDeadline, c.SetWriteDeadline}[b%3]
	return c.show(setDeadline(set, n))
}

func setDeadline(set func(time.Time) error, n int) error {
	switch n % 6 {
	case 0:
		return set(time.Now().Add(-time.Second))
	case 1:
		return set(time.Now().Add(time.Hour))
	case 2:
		soon := time.Now().Add(2 * *settle)
		err := set(soon)
		time.Sleep(time.Until(soon) + *settle)
		return err
	}
	return set(time.Time{})
}

func deadlineListener(w *world, l *listener, b, n int) string {
	return l.show(setDeadline(l.Listener.(interface{ SetDeadline(time.Time) error }).SetDeadline, n))
}

// addresses of a connection that was over when its descriptor was duplicated are
// not known.
func addresses(w *world, c *conn, b, n int) string {
	if c.RemoteAddr() == nil {
		return "none"
	}
	return c.text(fmt.Sprintf("%s %q %q", c.LocalAddr().Network(), c.LocalAddr(), c.RemoteAddr()))
}

// duplicate makes another connection with the same socket.
func duplicate(w *world, c *conn, b, n int) string {
	f, err := c.Conn.(interface{ File() (*os.File, error) }).File()
	if err != nil {
		return c.show(err)
	}
	again, err := net.FileConn(f)
	if err == nil {
		w.conns = append(w.conns, &conn{again, c.end})
	}
	return c.show(err) + " " + c.show(f.Close())
}

// options sets what has no effect that can be seen, except on closed sockets.
func options(w *world, c *conn, b, n int) string {
	t, ok := c.Conn.(*net.TCPConn)
	if !ok {
		return ""
	}
	switch b % 3 {
	case 0:
		return c.show(t.SetNoDelay(n%2 == 0))
	case 1:
		return c.show(t.SetKeepAlive(n%2 == 0))
	}
	return c.show(t.SetKeepAlivePeriod(time.Minute))
}
