// Client fetches files in the manner of FTP, or parts of them.
//
// The bug: when the server says that a file was sent, the client takes it for
// received. It may still be on its way, over the other channel. heddle check reports a
// file that is not whole. The cure: wait for the end of both, as in the folder above.
//
// Finding: assert.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"net/netip"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/verify"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:2121", "address of the server")
	data := flag.String("data", "127.0.0.1:2020", "address to receive files at")
	flag.Parse()

	c, err := open(*addr, *data)
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range flag.Args() {
		text, err := c.fetch(name)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %d bytes\n", name, len(text))
	}
}

// A client is an epoll with the connection to the server, and the listener at which
// files arrive.
type client struct {
	poll, control, listener int
	line                    []byte // received on control
}

// A transfer is a file on its way.
type transfer struct {
	fd    int // of its connection, -1 if there is none yet
	text  []byte
	ended bool // the connection has come to its end
	size  int  // what the server says, -1 if it has not yet
}

// sockaddr reads an address.
func sockaddr(addr string) (*unix.SockaddrInet4, error) {
	at, err := netip.ParseAddrPort(addr)
	if err != nil {
		return nil, err
	}
	return &unix.SockaddrInet4{Port: int(at.Port()), Addr: at.Addr().As4()}, nil
}

// open connects to the server, and listens.
func open(addr, data string) (*client, error) {
	to, err := sockaddr(addr)
	if err != nil {
		return nil, err
	}
	at, err := sockaddr(data)
	if err != nil {
		return nil, err
	}
	c := &client{}
	if c.poll, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return nil, err
	}
	if c.listener, err = unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0); err != nil {
		return nil, err
	}
	if err := unix.SetsockoptInt(c.listener, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1); err != nil {
		return nil, err
	}
	if err := unix.Bind(c.listener, at); err != nil {
		return nil, err
	}
	if err := unix.Listen(c.listener, 1); err != nil {
		return nil, err
	}
	if c.control, err = unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0); err != nil {
		return nil, err
	}
	if err := unix.Connect(c.control, to); err != nil { // this one waits
		return nil, err
	}
	for _, fd := range []int{c.control, c.listener} {
		if err := unix.SetNonblock(fd, true); err != nil {
			return nil, err
		}
		if err := c.watch(fd); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// watch has epoll tell when there is something to read.
func (c *client) watch(fd int) error {
	return unix.EpollCtl(c.poll, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(fd)})
}

// fetch gets one file.
func (c *client) fetch(name string) (string, error) {
	if err := c.ask("GET " + name + "\n"); err != nil {
		return "", err
	}
	t := &transfer{fd: -1, size: -1}
	for !t.complete() {
		var events [4]unix.EpollEvent
		ready, err := unix.EpollWait(c.poll, events[:], -1)
		if err != nil && err != unix.EINTR {
			return "", err
		}
		for _, ev := range events[:max(ready, 0)] {
			switch int(ev.Fd) {
			case c.control:
				err = c.reply(t)
			case c.listener:
				err = c.accept(t)
			default:
				err = c.receive(t)
			}
			if err != nil {
				return "", err
			}
		}
	}
	verify.Assert(t.size == len(t.text), "a file is not whole")
	return string(t.text), nil
}

// complete reports whether the file is there.
func (t *transfer) complete() bool { return t.size >= 0 } // BUG: sent is not received

// ask sends a request, which waits if it must.
func (c *client) ask(line string) error {
	if err := unix.SetNonblock(c.control, false); err != nil {
		return err
	}
	for b := []byte(line); len(b) > 0; {
		n, err := unix.Write(c.control, b)
		if err != nil {
			return err
		}
		b = b[n:]
	}
	return unix.SetNonblock(c.control, true)
}

// reply reads what the server says of a file.
func (c *client) reply(t *transfer) error {
	var b [64]byte
	n, err := unix.Read(c.control, b[:])
	switch {
	case err == unix.EAGAIN:
		return nil
	case err != nil:
		return err
	case n == 0:
		return fmt.Errorf("the server has gone")
	}
	c.line = append(c.line, b[:n]...)
	line, rest, ok := bytes.Cut(c.line, []byte("\n"))
	if !ok {
		return nil
	}
	c.line = bytes.Clone(rest)
	size, ok := strings.CutPrefix(string(line), "226 ")
	if !ok {
		return fmt.Errorf("the server says %q", line)
	}
	_, err = fmt.Sscan(size, &t.size)
	return err
}

// accept takes the connection with the file.
func (c *client) accept(t *transfer) error {
	fd, _, err := unix.Accept4(c.listener, unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC)
	if err == unix.EAGAIN {
		return nil
	}
	if err != nil {
		return err
	}
	t.fd = fd
	return c.watch(fd)
}

// receive reads what has come of the file.
func (c *client) receive(t *transfer) error {
	var b [64]byte
	n, err := unix.Read(t.fd, b[:])
	switch {
	case err == unix.EAGAIN:
		return nil
	case err != nil:
		return err
	case n == 0:
		t.ended = true
		return unix.Close(t.fd)
	}
	t.text = append(t.text, b[:n]...)
	return nil
}
