package randmix

const prelude = `package main

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// A hub is what the goroutines of a process have in common.
type hub struct {
	mu      sync.Mutex
	count   int
	hits    atomic.Int32
	ch      chan int
	handed  chan int
	numbers [4]int
	r, w    *os.File
	conns   [3]conn
	ctx     context.Context
	cancel  context.CancelFunc
}

// A conn is a connection, of package net or by a number.
type conn interface {
	io.ReadWriteCloser
	syscall.Conn
}

var one, two = []byte("a"), []byte("bc")

// At these a crowd waits.
var (
	gate  chan bool
	gates []chan bool
)

// A noter returns a function that notes how calls have ended, in a number.
func noter(to *int) func(n int, err error) {
	return func(n int, err error) {
		var errno syscall.Errno
		switch {
		case err == nil:
		case err == io.EOF:
			n = 20
		case errors.Is(err, net.ErrClosed), errors.Is(err, os.ErrClosed):
			n = 21
		case errors.Is(err, os.ErrDeadlineExceeded):
			n = 22
		case errors.As(err, &errno):
			n = 30 + int(errno)
		default:
			n = 23
		}
		*to = *to*256 + n
	}
}

func sum(outs []int) (n int) {
	for _, x := range outs {
		n = n*16777259 + x
	}
	return n
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func pair(flags int) (int, int) {
	p, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|flags, 0)
	must(err)
	return p[0], p[1]
}

func pipe(flags int) (int, int) {
	var p [2]int
	must(syscall.Pipe2(p[:], flags))
	return p[1], p[0]
}

func dup2(from, to int) error { return syscall.Dup3(from, to, 0) }

// number is the number of a file or a connection.
func number(c syscall.Conn) (n int) {
	n = -1
	if raw, err := c.SyscallConn(); err == nil {
		raw.Control(func(fd uintptr) { n = int(fd) })
	}
	return n
}

// readBy reads by a number while the file or connection is locked, once or until there is something.
func readBy(c syscall.Conn, once bool) (n int, err error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, err
	}
	if e := raw.Read(func(fd uintptr) bool {
		n, err = syscall.Read(int(fd), make([]byte, 2))
		return once || err != syscall.EAGAIN
	}); e != nil {
		err = e
	}
	return n, err
}

// ready asks an epoll of its own whether a number can be read from.
func ready(n, wait int) (int, error) {
	ep, err := syscall.EpollCreate1(0)
	must(err)
	defer syscall.Close(ep)
	if err := syscall.EpollCtl(ep, syscall.EPOLL_CTL_ADD, n, &syscall.EpollEvent{Events: syscall.EPOLLIN}); err != nil {
		return 0, err
	}
	return syscall.EpollWait(ep, make([]syscall.EpollEvent, 1), wait)
}

func wake(gate chan bool) {
	select {
	case gate <- true:
	default:
	}
}

func setDeadline(c conn, d time.Duration) error {
	if c, ok := c.(net.Conn); ok {
		return c.SetReadDeadline(time.Now().Add(d))
	}
	return syscall.ENOTSUP
}

// A listener accepts connections.
type listener func() (conn, error)

func listen(port int) listener {
	l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
	must(err)
	return func() (conn, error) { return l.AcceptTCP() }
}

func listenRaw(port int) listener {
	l, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	must(err)
	must(syscall.Bind(l, &syscall.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}))
	must(syscall.Listen(l, 10))
	return func() (conn, error) {
		n, _, err := syscall.Accept(l)
		return rawConn(n), err
	}
}

func (h *hub) accept(k int, l listener) bool {
	c, err := l()
	if err == nil {
		h.conns[k] = c
	}
	return err == nil
}

func (h *hub) dial(port int) bool {
	c, err := net.DialTCP("tcp", nil, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
	if err == nil {
		h.conns[0] = c
	}
	return err == nil
}

func (h *hub) dialRaw(port int) bool {
	n, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	must(err)
	if err := syscall.Connect(n, &syscall.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return false
	}
	h.conns[0] = rawConn(n)
	return true
}

// A rawConn is a connection by its number.
type rawConn int

func (c rawConn) Read(b []byte) (int, error)            { return syscall.Read(int(c), b) }
func (c rawConn) Write(b []byte) (int, error)           { return syscall.Write(int(c), b) }
func (c rawConn) Close() error                          { return syscall.Close(int(c)) }
func (c rawConn) SyscallConn() (syscall.RawConn, error) { return rawNumber(c), nil }

type rawNumber uintptr

func (n rawNumber) Control(f func(uintptr)) error    { f(uintptr(n)); return nil }
func (n rawNumber) Write(f func(uintptr) bool) error { return syscall.ENOTSUP }
func (n rawNumber) Read(f func(uintptr) bool) error {
	f(uintptr(n))
	return nil
}

`
