// Client asks an alphabet server for letters over several connections at once, as
// the one in folder alphabet/client does, but with one goroutine: no call on a
// connection waits, and epoll tells which of them is worth a call.
//
// See the README of folder alphabet for how it is checked.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"net/netip"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/verify"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:2626", "address of the server")
	n := flag.Int("n", 2, "number of connections")
	m := flag.Int("m", 1, "number of messages on each, at most 26")
	flag.Parse()

	if err := run(*addr, *n, *m); err != nil {
		log.Fatal(err)
	}
	fmt.Println(*n, "times", *m, "letters")
}

// A client is an epoll with connections, each of which asks for some letters.
type client struct {
	poll     int
	messages int
	conns    map[int]*conn
}

// A conn is a connection. It asks for the next letter when it has the one before.
type conn struct {
	fd        int
	connected bool
	in, out   []byte
	received  int
}

// run opens the connections and goes on until all have their letters.
func run(addr string, n, messages int) error {
	at, err := netip.ParseAddrPort(addr)
	if err != nil {
		return err
	}
	poll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return err
	}
	c := &client{poll, messages, make(map[int]*conn)}
	for range n {
		if err := c.open(&unix.SockaddrInet4{Port: int(at.Port()), Addr: at.Addr().As4()}); err != nil {
			return err
		}
	}
	for len(c.conns) > 0 {
		var events [16]unix.EpollEvent
		ready, err := unix.EpollWait(poll, events[:], -1)
		if err != nil && err != unix.EINTR {
			return err
		}
		for _, ev := range events[:max(ready, 0)] {
			if err := c.handle(c.conns[int(ev.Fd)]); err != nil {
				return err
			}
		}
		clear(events[:max(ready, 0)]) // what was told is no part of what follows
	}
	return unix.Close(poll)
}

// open begins to connect.
func (c *client) open(to unix.Sockaddr) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	if err := unix.Connect(fd, to); err != nil && err != unix.EINPROGRESS {
		return err
	}
	c.conns[fd] = &conn{fd: fd}
	return c.watch(unix.EPOLL_CTL_ADD, fd, unix.EPOLLOUT)
}

// watch says what epoll is to tell of a descriptor.
func (c *client) watch(op, fd int, events uint32) error {
	return unix.EpollCtl(c.poll, op, fd, &unix.EpollEvent{Events: events, Fd: int32(fd)})
}

// handle goes on with a connection.
func (c *client) handle(x *conn) error {
	switch {
	case !x.connected:
		if e, err := unix.GetsockoptInt(x.fd, unix.SOL_SOCKET, unix.SO_ERROR); err != nil {
			return err
		} else if e != 0 {
			return unix.Errno(e)
		}
		x.connected = true
		return c.ask(x)
	case len(x.out) > 0:
		return c.write(x)
	}
	return c.read(x)
}

// ask begins with the next request, or ends the connection.
func (c *client) ask(x *conn) error {
	if x.received == c.messages {
		delete(c.conns, x.fd)
		return unix.Close(x.fd)
	}
	x.out = []byte(strconv.Itoa(x.received+1) + "\n")
	return c.watch(unix.EPOLL_CTL_MOD, x.fd, unix.EPOLLOUT)
}

// write sends what there is room for.
func (c *client) write(x *conn) error {
	n, err := unix.Write(x.fd, x.out)
	switch {
	case err == unix.EAGAIN:
		return nil // it will be told again
	case err != nil:
		return err
	}
	if x.out = x.out[n:]; len(x.out) > 0 {
		return nil
	}
	x.out = nil
	return c.watch(unix.EPOLL_CTL_MOD, x.fd, unix.EPOLLIN)
}

// read takes what has come of a letter.
func (c *client) read(x *conn) error {
	var b [16]byte
	n, err := unix.Read(x.fd, b[:])
	switch {
	case err == unix.EAGAIN:
		return nil
	case err != nil:
		return err
	}
	verify.Assert(n > 0, "a letter is missing")
	x.in = append(x.in, b[:n]...)
	line, _, ok := bytes.Cut(x.in, []byte("\n"))
	if !ok {
		return nil
	}
	verify.Assert(string(line) == string(rune('A'+x.received)), "a wrong letter")
	x.in = nil
	x.received++
	return c.ask(x)
}
