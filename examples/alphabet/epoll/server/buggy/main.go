// Server answers numbers by letters of the alphabet, if it comes to it.
//
// The bug: a connection is read when it was accepted, though epoll has not yet said
// that there is something to read. It mostly is there. heddle check reports the read
// that came too early, however many clients there are: the planted defect of paper
// 003, section V.B. The cure: wait for epoll, as in the folder above.
//
// Finding: assert.
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
	addr := flag.String("addr", "127.0.0.1:2626", "address to listen on")
	n := flag.Int("n", 2, "number of connections to serve, 0 for no end")
	m := flag.Int("m", 0, "number of messages that each client sends, 0 for any")
	flag.Parse()

	s, err := listen(*addr, *m)
	if err != nil {
		log.Fatal(err)
	}
	if err := s.serve(*n); err != nil {
		log.Fatal(err)
	}
}

// A server is an epoll with a listener and the connections.
type server struct {
	poll     int
	listener int
	messages int
	conns    map[int]*conn
}

// A conn is a connection with what was received of a request, and what is to be
// sent of an answer.
type conn struct {
	fd       int
	in, out  []byte
	answered int
	ended    bool // the client has closed its side
}

// listen opens the listener.
func listen(addr string, messages int) (*server, error) {
	at, err := netip.ParseAddrPort(addr)
	if err != nil {
		return nil, err
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1); err != nil {
		return nil, err
	}
	if err := unix.Bind(fd, &unix.SockaddrInet4{Port: int(at.Port()), Addr: at.Addr().As4()}); err != nil {
		return nil, err
	}
	if err := unix.Listen(fd, unix.SOMAXCONN); err != nil {
		return nil, err
	}
	sa, err := unix.Getsockname(fd)
	if err != nil {
		return nil, err
	}
	bound := sa.(*unix.SockaddrInet4)
	fmt.Println("listening on", netip.AddrPortFrom(netip.AddrFrom4(bound.Addr), uint16(bound.Port)))
	poll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, err
	}
	s := &server{poll, fd, messages, make(map[int]*conn)}
	return s, s.watch(unix.EPOLL_CTL_ADD, fd, unix.EPOLLIN)
}

// watch says what epoll is to tell of a descriptor.
func (s *server) watch(op, fd int, events uint32) error {
	return unix.EpollCtl(s.poll, op, fd, &unix.EpollEvent{Events: events, Fd: int32(fd)})
}

// serve accepts n connections and serves them to their ends.
func (s *server) serve(n int) error {
	for accepted := 0; n == 0 || accepted < n || len(s.conns) > 0; {
		var events [16]unix.EpollEvent
		ready, err := unix.EpollWait(s.poll, events[:], -1)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		for _, ev := range events[:ready] {
			if fd := int(ev.Fd); fd == s.listener {
				if err := s.accept(); err != nil {
					return err
				}
				if accepted++; accepted == n {
					unix.Close(s.listener)
				}
			} else if err := s.handle(s.conns[fd]); err != nil {
				return err
			}
		}
		clear(events[:ready]) // what was told is no part of what follows
	}
	return nil
}

// accept takes one connection.
func (s *server) accept() error {
	fd, _, err := unix.Accept4(s.listener, unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC)
	if err != nil {
		return err
	}
	c := &conn{fd: fd}
	s.conns[fd] = c
	if err := s.watch(unix.EPOLL_CTL_ADD, fd, unix.EPOLLIN); err != nil {
		return err
	}
	return s.handle(c) // BUG: nobody has said that it can be read
}

// handle reads a request or, if there is an answer to be sent, goes on with that.
func (s *server) handle(c *conn) error {
	if len(c.out) > 0 {
		return s.write(c)
	}
	var b [64]byte
	n, err := unix.Read(c.fd, b[:])
	verify.Assert(err != unix.EAGAIN, "read before there was something to read")
	switch {
	case err != nil:
		return s.end(c)
	case n == 0:
		c.ended = true
		return s.end(c)
	}
	c.in = append(c.in, b[:n]...)
	for {
		line, rest, ok := bytes.Cut(c.in, []byte("\n"))
		if !ok {
			break
		}
		c.in = bytes.Clone(rest)
		c.out = append(c.out, letter(string(line))...)
		c.answered++
	}
	if len(c.out) == 0 {
		return nil
	}
	return s.watch(unix.EPOLL_CTL_MOD, c.fd, unix.EPOLLOUT)
}

// write sends what there is room for.
func (s *server) write(c *conn) error {
	n, err := unix.Write(c.fd, c.out)
	switch {
	case err == unix.EAGAIN:
		return nil
	case err != nil:
		return s.end(c) // the client has gone
	}
	if c.out = c.out[n:]; len(c.out) > 0 {
		return nil
	}
	c.out = nil
	return s.watch(unix.EPOLL_CTL_MOD, c.fd, unix.EPOLLIN)
}

// end closes a connection.
func (s *server) end(c *conn) error {
	verify.Assert(s.messages == 0 || c.answered == s.messages || !c.ended, "a client said too much or too little")
	delete(s.conns, c.fd)
	return unix.Close(c.fd)
}

// letter answers one request.
func letter(request string) string {
	n, err := strconv.Atoi(request)
	if err != nil || n < 1 || n > 26 {
		return "?\n"
	}
	return string(rune('A'+n-1)) + "\n"
}
