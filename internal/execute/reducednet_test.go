package execute_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
)

// TestReducedNet attacks what reduction says of connections and descriptors, as
// TestReducedArguments does for the rest.
func TestReducedNet(t *testing.T) {
	for _, p := range slices.Concat(netArguments, readers, duplicates) {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			a, complaint := agreeEvents(compileText(t, program(p.body)), execute.Settings{Delays: sockets.DelayAll})
			if complaint != "" {
				t.Error(complaint)
			}
			t.Logf("%d states, %d reduced, %d with assumptions", a.plain.States, a.reduced.States, a.assumed.States)
			if got, want := a.reduced.kinds(), strings.Fields(p.want); !slices.Equal(got, want) || !a.whole() {
				t.Errorf("got %v, want %v: %s", got, want, a.reduced.Result)
			}
		})
	}
}

// TestReducedExit: a process that ends frees the ports that it was bound to. Another one
// may bind to one before or after that.
func TestReducedExit(t *testing.T) {
	if testing.Short() {
		t.Skip("loads package net")
	}
	members := slices.Concat(alike(t, `package main

import "net"

func main() {
	l, _ := net.Listen("tcp4", "127.0.0.1:7000")
	c, _ := l.Accept()
	c.Read(make([]byte, 1))
	if _, err := net.Listen("tcp4", "127.0.0.1:8000"); err != nil {
		panic("in use")
	}
}
`, "one"), alike(t, `package main

import "net"

func main() {
	l, _ := net.Listen("tcp4", "127.0.0.1:7001")
	c, _ := l.Accept()
	c.Read(make([]byte, 1))
}
`, "two"), alike(t, `package main

import "net"

func main() {
	a, err := net.Dial("tcp4", "127.0.0.1:7000")
	if err != nil {
		return
	}
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8000}}
	b, err := d.Dial("tcp4", "127.0.0.1:7001")
	if err != nil {
		return
	}
	a.Close()
	b.Write([]byte("a"))
}
`, "three"))
	plain, reduced := searchGroup(t, members, explore.Options{}), searchGroup(t, members, explore.Options{Reduce: true})
	if got, want := reduced.found(), plain.found(); !slices.Equal(got, want) || len(want) == 0 {
		t.Errorf("got %q, want %q", got, want)
	}
}

var netArguments = []argument{
	// What a call reads into belongs to its footprint: somebody may be about to write there.
	{"a buffer is read into while another one has it", "race", `
func main() {
	r, w, _ := os.Pipe()
	w.Write([]byte("ab"))
	buf, x, d := make([]byte, 8), make(chan int, 1), make(chan int, 2)
	x <- 1
	go func() {
		r.Read(buf)
		d <- 1
	}()
	go func() {
		<-x
		buf[0] = 1
		d <- 1
	}()
	<-d
	<-d
}`},
	// Who connects first is accepted first, also if those who connect know nothing of
	// each other (kernel.ConnectOwners).
	{"two connect, and one of them lets the server accept", "deadlock panic", `
func at() *syscall.SockaddrInet4 {
	return &syscall.SockaddrInet4{Port: 7000, Addr: [4]byte{127, 0, 0, 1}}
}

func socket() int {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		panic(err)
	}
	return fd
}

func main() {
	l, a, b := socket(), socket(), socket()
	syscall.Bind(l, at())
	syscall.Listen(l, 10)
	sig, done := make(chan bool), make(chan bool)
	go func() {
		<-sig
		c, _, _ := syscall.Accept(l)
		var got [1]byte
		if syscall.Read(c, got[:]); got[0] == 'b' {
			panic("b")
		}
	}()
	go func() {
		syscall.Connect(a, at())
		syscall.Write(a, []byte("a"))
		sig <- true
	}()
	go func() {
		syscall.Connect(b, at())
		syscall.Write(b, []byte("b"))
	}()
	<-done
}`},

	// Who closes a socket, or says that others may have its port, lets others bind to that
	// (kernel.Binds).
	{"a port that is bound to before or after it is free", "panic", `
func main() {
	l, err := net.Listen("tcp4", "127.0.0.1:7000")
	if err != nil {
		panic(err)
	}
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8000}}
	c, err := d.Dial("tcp4", "127.0.0.1:7000")
	if err != nil {
		panic(err)
	}
	if _, err := l.Accept(); err != nil {
		panic(err)
	}
	go c.Close()
	if _, err := net.Listen("tcp4", "127.0.0.1:8000"); err != nil {
		panic("in use")
	}
}`},
	{"a port that is bound to before or after it is shared", "panic", `
func main() {
	at := &syscall.SockaddrInet4{Port: 8000, Addr: [4]byte{127, 0, 0, 1}}
	a, _ := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	b, _ := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	syscall.SetsockoptInt(b, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1)
	syscall.Bind(a, at)
	go syscall.SetsockoptInt(a, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1)
	if syscall.Bind(b, at) != nil {
		panic("in use")
	}
}`},

	// A jump back is no cycle after something that cannot come again, but the next
	// one may be (drive/progress.go).
	{"a loop without end after a message", "leak panic", `
func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	begun, done := make(chan bool), make(chan bool)
	go func() { // goes around for ever, with another one that it never lets go on
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		mu, never := new(sync.Mutex), make(chan bool)
		go func() {
			<-never
			mu.Lock()
		}()
		for i := 0; ; {
			mu.Lock()
			mu.Unlock()
			if i == 0 {
				i, _ = c.Read(make([]byte, 1))
				begun <- true
			}
		}
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		panic(err)
	}
	c.Write([]byte("a"))
	<-begun
	for range 3 {
		go func() { done <- true }()
	}
	for range 3 {
		<-done
	}
	panic("done")
}`},

	// A read concerns its own end of a connection alone only if what the far end
	// sends does not change how much it gets (kernel.ReadsNear).
	{"two writes may come in one read", "panic", `
func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	done := make(chan bool)
	go func() {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		var b [10]byte
		if n, _ := c.Read(b[:]); n == 2 {
			panic("both")
		}
		done <- true
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		panic(err)
	}
	c.Write([]byte("a"))
	c.Write([]byte("b"))
	<-done
}`},

	// Anybody may make calls on numbers that the program keeps itself.
	{"a number is passed on", "panic", rawHelp + `
func main() {
	a, b := pair()
	numbers := make(chan int)
	go func() {
		if read(<-numbers) == "" {
			panic("too early")
		}
	}()
	numbers <- b
	write(a, "x")
}`},
	{"a number is passed on when it was used", "panic", rawHelp + `
func main() {
	a, b := pair()
	numbers := make(chan int, 1)
	go func() {
		write(a, "x")
		numbers <- a
		write(a, "y")
	}()
	n := <-numbers
	write(n, "z")
	if s := read(b); s == "xzy" {
		panic(s)
	}
}`},
	{"a duplicate is another number", "panic", rawHelp + `
func main() {
	a, b := pair()
	c, err := syscall.Dup(b)
	must(err)
	go func() { read(c) }()
	go func() { write(a, "x") }()
	if read(b) == "x" {
		panic("was faster")
	}
}`},
	{"a number is closed and given to another one", "panic", rawHelp + `
func main() {
	a, b := pair()
	go func() { syscall.Write(a, []byte("wrong")) }()
	syscall.Close(a)
	var p [2]int
	must(syscall.Pipe2(p[:], syscall.O_NONBLOCK))
	_ = b
	if s := read(p[0]); s == "wrong" || p[1] == a && s != "" {
		panic(s)
	}
	if p[0] != a {
		panic("not the smallest number")
	}
	syscall.Close(p[0])
	c, d := pair()
	if s := read(d); c == a && s == "wrong" {
		panic(s)
	}
}`},
	{"a call comes before or after the end of a number", "panic", rawHelp + `
func main() {
	a, b := pair()
	write(b, "x")
	go func() { must(syscall.Close(a)) }()
	if _, err := syscall.Read(a, make([]byte, 1)); err == syscall.EBADF {
		panic("gone")
	}
}`},
	{"two wait for one epoll", "panic", rawHelp + `
func main() {
	a, b := pair()
	ep, err := syscall.EpollCreate1(0)
	must(err)
	must(syscall.EpollCtl(ep, syscall.EPOLL_CTL_ADD, b, &syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(b)}))
	done := make(chan string, 2)
	for range 2 {
		go func() {
			var events [1]syscall.EpollEvent
			n, err := syscall.EpollWait(ep, events[:], 0)
			must(err)
			if n == 0 {
				done <- "none"
				return
			}
			done <- read(int(events[0].Fd))
		}()
	}
	write(a, "x")
	if s := <-done + <-done; s == "x" {
		panic("two were told")
	}
}`},
	{"an epoll watches an epoll", "panic", rawHelp + `
func watch(ep, fd int) {
	must(syscall.EpollCtl(ep, syscall.EPOLL_CTL_ADD, fd, &syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(fd)}))
}

func main() {
	a, b := pair()
	inner, err := syscall.EpollCreate1(0)
	must(err)
	outer, err := syscall.EpollCreate1(0)
	must(err)
	watch(inner, b)
	watch(outer, inner)
	go func() { write(a, "x") }()
	go func() { read(b) }()
	var events [1]syscall.EpollEvent
	if n, err := syscall.EpollWait(outer, events[:], 0); err != nil || n == 1 {
		panic("told")
	}
}`},
	{"who uses a number is started later", "panic", rawHelp + `
func late(fd int) { write(fd, "y") }

func start(mu *sync.Mutex, fd int) {
	mu.Lock()
	mu.Unlock()
	go late(fd)
}

func main() {
	a, b := pair()
	go start(new(sync.Mutex), a)
	if read(b) == "y" {
		panic("not too late")
	}
}`},
	{"a timer's function uses a number", "panic", rawHelp + `
func main() {
	a, b := pair()
	time.AfterFunc(time.Second, func() { write(a, "x") })
	go func() { read(b) }()
	time.Sleep(time.Second)
	if read(b) == "x" {
		panic("read")
	}
}`},
	{"a counter of events", "panic", rawHelp + `
func main() {
	fd, _, e := syscall.Syscall(syscall.SYS_EVENTFD2, 0, syscall.O_NONBLOCK, 0)
	if e != 0 {
		panic(e)
	}
	add := func() { syscall.Write(int(fd), []byte{1, 0, 0, 0, 0, 0, 0, 0}) }
	go add()
	go add()
	b := make([]byte, 8)
	if n, _ := syscall.Read(int(fd), b); n == 8 && b[0] == 2 {
		panic("both")
	}
}`},
	{"to accept is too early", "panic", rawHelp + `
func main() {
	l, at := listen(7001)
	go func() {
		fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
		must(err)
		must(syscall.Connect(fd, at))
		write(fd, "x")
	}()
	conn, _, err := syscall.Accept4(l, syscall.SOCK_NONBLOCK)
	if err == nil && read(conn) == "x" {
		panic("all at once")
	}
}`},
	{"both ends of a connection and one that asks", "panic", rawHelp + `
func main() {
	l, at := listen(7002)
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	must(err)
	must(syscall.Connect(fd, at))
	must(syscall.SetNonblock(l, false))
	conn, _, err := syscall.Accept4(l, syscall.SOCK_NONBLOCK)
	must(err)
	go func() { write(fd, "a"); write(fd, "b") }()
	go func() { must(syscall.Shutdown(fd, syscall.SHUT_WR)) }()
	if read(conn) == "a" {
		if _, err := syscall.Read(conn, make([]byte, 1)); err == nil {
			panic("the end, or the next one")
		}
	}
}`},
	{"a descriptor of package os and its number", "panic", rawHelp + `
func main() {
	r, w, err := os.Pipe()
	must(err)
	fd := int(r.Fd())
	must(syscall.SetNonblock(fd, true))
	go func() { w.Write([]byte("x")) }()
	if read(fd) == "x" {
		panic("not too early")
	}
}`},
	{"connections of their own", "", rawHelp + `
func echo(done chan bool) {
	a, b := pair()
	write(a, "x")
	for read(b) == "" {
	}
	write(b, "y")
	read(a)
	done <- true
}

func main() {
	done := make(chan bool)
	for range 2 {
		go echo(done)
	}
	<-done
	<-done
}`},
	{"connections that main has made", "", independent},
	{"connections on which all that is done may be early", "", rawHelp + `
func talk(l int, at syscall.Sockaddr) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	must(err)
	must(syscall.Connect(fd, at))
	must(syscall.SetNonblock(l, false))
	conn, _, err := syscall.Accept4(l, syscall.SOCK_NONBLOCK)
	must(err)
	go func() { write(fd, "a") }()
	for read(conn) == "" {
	}
}

func main() {
	for i := range 2 {
		l, at := listen(7003 + i)
		go talk(l, at)
	}
}`},
}

// independent are three goroutines with connections of their own.
const independent = rawHelp + `
func echo(a, b int) {
	for range 2 {
		write(a, "x")
		if read(b) != "x" {
			panic("lost")
		}
	}
}

func main() {
	for range 3 {
		a, b := pair()
		go echo(a, b)
	}
}`

// rawHelp makes system calls of its own.
const rawHelp = `
func must(err error) {
	if err != nil {
		panic(err)
	}
}

func pair() (a, b int) {
	p, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_NONBLOCK, 0)
	must(err)
	return p[0], p[1]
}

func write(fd int, s string) { syscall.Write(fd, []byte(s)) }

func read(fd int) string {
	b := make([]byte, 10)
	if n, err := syscall.Read(fd, b); err == nil {
		return string(b[:n])
	}
	return ""
}

func listen(port int) (int, syscall.Sockaddr) {
	at := &syscall.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}
	l, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_NONBLOCK, 0)
	must(err)
	must(syscall.Bind(l, at))
	must(syscall.Listen(l, 10))
	return l, at
}
`
