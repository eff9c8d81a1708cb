// Sockets of package net: TCP and the Unix domain, between goroutines.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

func main() {
	echo()
	halfClose()
	deadlines()
	refused()
	resets()
	backpressure()
	addresses()
	names()
	unixSockets()
	copies()
	raw()
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// pair returns the two ends of a connection.
func pair(network, addr string) (client, server net.Conn) {
	l, err := net.Listen(network, addr)
	check(err)
	defer l.Close()
	client, err = net.Dial(network, l.Addr().String())
	check(err)
	server, err = l.Accept()
	check(err)
	return client, server
}

func echo() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	ended := make(chan error)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				ended <- err
				return
			}
			go func() {
				defer c.Close()
				s := bufio.NewScanner(c)
				for s.Scan() {
					fmt.Fprintf(c, "%s!\n", s.Text())
				}
			}()
		}
	}()
	var wg sync.WaitGroup
	answers := make([]string, 3)
	for i := range answers {
		wg.Go(func() {
			c, err := net.Dial("tcp", l.Addr().String())
			check(err)
			defer c.Close()
			r := bufio.NewReader(c)
			for j := range 3 {
				fmt.Fprintf(c, "%d-%d\n", i, j)
				line, err := r.ReadString('\n')
				check(err)
				answers[i] += strings.TrimSpace(line) + " "
			}
		})
	}
	wg.Wait()
	fmt.Printf("%q\n", answers)
	l.Close()
	fmt.Println("accept ends:", errors.Is(<-ended, net.ErrClosed))
	_, err = l.Accept()
	fmt.Println(errors.Is(err, net.ErrClosed))
}

func halfClose() {
	c, s := pair("tcp", "127.0.0.1:0")
	fmt.Fprint(c, "question")
	check(c.(*net.TCPConn).CloseWrite())
	_, err := c.Write([]byte("x"))
	fmt.Println(errors.Is(err, syscall.EPIPE))
	b, err := io.ReadAll(s)
	fmt.Printf("%s %v\n", b, err)
	fmt.Fprint(s, "answer")
	s.Close()
	b, err = io.ReadAll(c)
	fmt.Printf("%s %v\n", b, err)
	check(c.Close())
	_, err = c.Read(make([]byte, 1))
	fmt.Println(errors.Is(err, net.ErrClosed))
}

func deadlines() {
	c, s := pair("tcp", "127.0.0.1:0")
	defer c.Close()
	defer s.Close()
	c.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
	_, err := c.Read(make([]byte, 1))
	fmt.Println(errors.Is(err, os.ErrDeadlineExceeded), err.(net.Error).Timeout())
	c.SetReadDeadline(time.Time{})
	go func() {
		time.Sleep(10 * time.Millisecond)
		s.Write([]byte("late"))
	}()
	b := make([]byte, 10)
	n, err := c.Read(b)
	fmt.Printf("%s %v\n", b[:n], err)
	go func() {
		time.Sleep(10 * time.Millisecond)
		c.SetDeadline(time.Now())
	}()
	_, err = c.Read(b)
	fmt.Println(errors.Is(err, os.ErrDeadlineExceeded))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	l.(*net.TCPListener).SetDeadline(time.Now().Add(time.Millisecond))
	_, err = l.Accept()
	fmt.Println(errors.Is(err, os.ErrDeadlineExceeded))
	l.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = new(net.Dialer).DialContext(ctx, "tcp", "127.0.0.1:1")
	fmt.Println(err)
}

func refused() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	_, err = net.Listen("tcp", l.Addr().String())
	fmt.Println(errors.Is(err, syscall.EADDRINUSE))
	l.Close()
	_, err = net.Dial("tcp", l.Addr().String())
	fmt.Println(errors.Is(err, syscall.ECONNREFUSED))
	l, err = net.Listen("tcp", l.Addr().String())
	fmt.Println("again:", err)
	l.Close()
	_, err = net.Listen("tcp", "192.0.2.1:0")
	fmt.Println(errors.Is(err, syscall.EADDRNOTAVAIL))
}

func resets() {
	c, s := pair("tcp", "127.0.0.1:0")
	check(s.(*net.TCPConn).SetLinger(0))
	s.Close()
	_, err := c.Read(make([]byte, 1))
	fmt.Println(errors.Is(err, syscall.ECONNRESET))
	_, err = c.Write([]byte("x"))
	fmt.Println(errors.Is(err, syscall.EPIPE))

	c, s = pair("tcp", "127.0.0.1:0")
	fmt.Fprint(c, "nobody reads this")
	s.Close()
	_, err = c.Read(make([]byte, 1))
	fmt.Println(errors.Is(err, syscall.ECONNRESET))

	c, s = pair("tcp", "127.0.0.1:0")
	s.Close()
	n, err := c.Read(make([]byte, 1))
	fmt.Println(n, err)
	for range 100 { // the first one goes out before the answer comes
		if _, err = c.Write([]byte("x")); err != nil {
			break
		}
	}
	fmt.Println(errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET))
}

// backpressure writes more than a connection holds.
func backpressure() {
	c, s := pair("tcp", "127.0.0.1:0")
	const size = 20 << 20
	go func() {
		for range size >> 16 {
			_, err := c.Write(make([]byte, 1<<16))
			check(err)
		}
		c.Close()
	}()
	n, err := io.Copy(io.Discard, s)
	fmt.Println(n, err)

	c, s = pair("tcp", "127.0.0.1:0")
	c.SetWriteDeadline(time.Now().Add(10 * time.Millisecond))
	_, err = c.Write(make([]byte, size))
	fmt.Println(errors.Is(err, os.ErrDeadlineExceeded))
	s.Close()
}

func addresses() {
	for _, network := range []string{"tcp", "tcp4", "tcp6"} {
		l, err := net.Listen(network, ":0")
		check(err)
		a := l.Addr().(*net.TCPAddr)
		fmt.Println(network, a.IP, a.Zone == "", a.Port != 0)
		for _, host := range []string{"127.0.0.1", "127.0.0.9", "::1", ""} {
			c, err := net.Dial("tcp", net.JoinHostPort(host, fmt.Sprint(a.Port)))
			if err != nil {
				fmt.Println(host, errors.Is(err, syscall.ECONNREFUSED))
				continue
			}
			s, err := l.Accept()
			check(err)
			local, remote := c.LocalAddr(), c.RemoteAddr()
			fmt.Println(host, local.(*net.TCPAddr).IP, remote.(*net.TCPAddr).IP,
				s.LocalAddr().String() == remote.String(), s.RemoteAddr().String() == local.String())
			c.Close()
			s.Close()
		}
		l.Close()
	}
	l, err := net.Listen("tcp", "localhost:0")
	check(err)
	fmt.Println(l.Addr().(*net.TCPAddr).IP)
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 7)}, KeepAlive: time.Minute}
	c, err := d.Dial("tcp", l.Addr().String())
	check(err)
	fmt.Println(c.LocalAddr().(*net.TCPAddr).IP)
	check(c.(*net.TCPConn).SetNoDelay(false))
	check(c.(*net.TCPConn).SetReadBuffer(5000))
	check(c.(*net.TCPConn).SetWriteBuffer(5000))
	check(c.(*net.TCPConn).SetKeepAliveConfig(net.KeepAliveConfig{Enable: true, Count: 3}))
}

func names() {
	fmt.Println(net.LookupHost("localhost"))
	fmt.Println(net.LookupPort("tcp", "https"))
	fmt.Println(net.LookupPort("tcp", "domain"))
	fmt.Println(net.ResolveTCPAddr("tcp", "127.0.0.1:http"))
}

func unixSockets() {
	dir, err := os.MkdirTemp("", "sockets")
	check(err)
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "socket")
	for _, name := range []string{path, "@heddle-test-" + filepath.Base(dir)} {
		l, err := net.Listen("unix", name)
		check(err)
		_, err = net.Listen("unix", name)
		fmt.Println(errors.Is(err, syscall.EADDRINUSE))
		if name == path {
			st, err := os.Stat(path)
			check(err)
			fmt.Println(st.Mode().Type() == os.ModeSocket)
		}
		go func() {
			c, err := l.Accept()
			check(err)
			fmt.Println(c.LocalAddr().String() == name, c.RemoteAddr().String() == "@")
			io.Copy(c, c)
			c.Close()
		}()
		c, err := net.Dial("unix", name)
		check(err)
		fmt.Fprint(c, "round trip")
		c.(*net.UnixConn).CloseWrite()
		b, err := io.ReadAll(c)
		fmt.Printf("%s %v %v\n", b, err, c.RemoteAddr().String() == name)
		c.Close()
		l.Close()
		_, err = net.Dial("unix", name)
		fmt.Println(errors.Is(err, syscall.ENOENT), errors.Is(err, syscall.ECONNREFUSED))
	}
	c, s := pair("unix", path)
	fmt.Fprint(c, "nobody reads this")
	s.Close()
	_, err = c.Read(make([]byte, 1))
	fmt.Println(errors.Is(err, syscall.ECONNRESET))
	_, err = c.Write([]byte("x"))
	fmt.Println(errors.Is(err, syscall.EPIPE))
}

// copies uses the ways of package net that have system calls of their own.
func copies() {
	c, s := pair("tcp", "127.0.0.1:0")
	c2, s2 := pair("tcp", "127.0.0.1:0")
	go func() {
		io.Copy(c2, s) // splice
		c2.Close()
	}()
	go func() {
		bufs := net.Buffers{[]byte("one "), []byte("two "), []byte("three ")}
		bufs.WriteTo(c) // writev
		f, err := os.CreateTemp("", "")
		check(err)
		defer os.Remove(f.Name())
		f.WriteString("a file")
		f.Seek(0, 0)
		io.Copy(c, f) // sendfile
		c.Close()
	}()
	b, err := io.ReadAll(s2)
	fmt.Printf("%s %v\n", b, err)

	c, s = pair("tcp", "127.0.0.1:0")
	f, err := c.(*net.TCPConn).File() // dup
	check(err)
	c.Close()
	d, err := net.FileConn(f)
	check(err)
	f.Close()
	fmt.Fprint(d, "by another name")
	d.Close()
	b, err = io.ReadAll(s)
	fmt.Printf("%s %v\n", b, err)
}

// raw uses blocking sockets by system calls.
func raw() {
	l, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	check(err)
	check(syscall.SetsockoptInt(l, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1))
	check(syscall.Bind(l, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	check(syscall.Listen(l, 1))
	addr, err := syscall.Getsockname(l)
	check(err)
	done := make(chan bool)
	go func() {
		fd, from, err := syscall.Accept(l)
		check(err)
		fmt.Println(from.(*syscall.SockaddrInet4).Addr)
		b := make([]byte, 20)
		n, err := syscall.Read(fd, b)
		fmt.Printf("%s %v\n", b[:n], err)
		syscall.Sendto(fd, []byte("pong"), syscall.MSG_NOSIGNAL, nil)
		syscall.Shutdown(fd, syscall.SHUT_WR)
		n, err = syscall.Read(fd, b)
		fmt.Println(n, err)
		syscall.Close(fd)
		close(done)
	}()
	c, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	check(err)
	check(syscall.Connect(c, addr))
	twice := syscall.Connect(c, addr)
	_, err = syscall.Write(c, []byte("ping"))
	check(err)
	b := make([]byte, 20)
	n, _, err := syscall.Recvfrom(c, b, syscall.MSG_PEEK)
	fmt.Printf("%s %v\n", b[:n], err)
	n, _, _, _, err = syscall.Recvmsg(c, b, nil, 0)
	fmt.Printf("%s %v\n", b[:n], err)
	n, err = syscall.Read(c, b)
	fmt.Println(n, err)
	syscall.Close(c)
	<-done
	fmt.Println(twice)
	_, err = syscall.GetsockoptInt(0, syscall.SOL_SOCKET, syscall.SO_TYPE)
	fmt.Println(err)
	p, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	check(err)
	_, err = syscall.Write(p[0], []byte("between two"))
	check(err)
	n, err = syscall.Read(p[1], b)
	fmt.Printf("%s %v\n", b[:n], err)
	p, err = syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_SEQPACKET, 0)
	check(err)
	for _, text := range []string{"a packet", "and another"} {
		_, err = syscall.Write(p[0], []byte(text))
		check(err)
	}
	n, err = syscall.Read(p[1], b)
	fmt.Printf("%s %v\n", b[:n], err)
	n, _, flags, _, err := syscall.Recvmsg(p[1], b[:3], nil, 0)
	fmt.Printf("%s %v %v\n", b[:n], flags == syscall.MSG_TRUNC, err)
	interfaces()
}

func interfaces() {
	lo, err := net.InterfaceByName("lo")
	check(err)
	fmt.Println(lo.Index, lo.MTU, lo.Flags)
	fmt.Println(lo.Addrs())
}
