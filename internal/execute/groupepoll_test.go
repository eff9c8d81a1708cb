package execute_test

import (
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
)

// edgeServer reads what a client sends when an edge-triggered epoll tells of it, which
// it does when there is news. It answers each byte.
const edgeServer = `package main

import "syscall"

const edge = 1 << 31 // EPOLLET

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	l, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	check(err)
	check(syscall.Bind(l, &syscall.SockaddrInet4{Port: 7, Addr: [4]byte{127, 0, 0, 1}}))
	check(syscall.Listen(l, 1))
	ep, err := syscall.EpollCreate1(0)
	check(err)
	check(syscall.EpollCtl(ep, syscall.EPOLL_CTL_ADD, l, &syscall.EpollEvent{Events: syscall.EPOLLIN | edge, Fd: int32(l)}))
	var events [4]syscall.EpollEvent
	conn := -1
	for heard := 0; heard < 2; {
		n, err := syscall.EpollWait(ep, events[:], -1)
		if err == syscall.EINTR {
			continue
		}
		check(err)
		for _, ev := range events[:n] {
			if int(ev.Fd) == l {
				conn, _, err = syscall.Accept(l)
				check(err)
				check(syscall.SetNonblock(conn, true))
				check(syscall.EpollCtl(ep, syscall.EPOLL_CTL_ADD, conn, &syscall.EpollEvent{Events: syscall.EPOLLIN | edge, Fd: int32(conn)}))
				continue
			}
			b := make([]byte, 1)
			if n, err := syscall.Read(conn, b); err == nil && n == 1 {
				heard++
				syscall.Write(conn, b)
			}
		}
	}
	syscall.Close(conn)
	syscall.Close(l)
}
`

const edgeClient = `package main

import "net"

func main() {
	c, err := net.Dial("tcp", "127.0.0.1:7")
	if err != nil {
		panic(err)
	}
	b := make([]byte, 1)
	for _, letter := range []byte("ab") {
		c.Write([]byte{letter})
		if n, err := c.Read(b); n != 1 || err != nil || b[0] != letter {
			panic("another answer")
		}
	}
}
`

// TestGroupEpoll: what one process does to its end of a connection is news to the epoll
// of another one.
func TestGroupEpoll(t *testing.T) {
	if testing.Short() {
		t.Skip("loads package net")
	}
	members := []execute.Member{
		{Name: "server", Program: compileText(t, edgeServer), Process: emptyProcess},
		{Name: "client", Program: compileText(t, edgeClient), Process: emptyProcess},
	}
	plain := searchGroup(t, members, explore.Options{})
	if plain.Verdict != explore.Verified {
		t.Errorf("got %s %v, want verified", plain.Verdict, plain.found())
	}
	reduced := searchGroup(t, members, explore.Options{Reduce: true})
	if c := compareReduced(plain, reduced); c != "" {
		t.Error(c)
	}
	for _, reduce := range []bool{false, true} {
		first := plain
		if reduce {
			first = reduced
		}
		if c := compareOrder(first, searchGroup(t, members, explore.Options{Strategy: explore.BreadthFirst, Reduce: reduce})); c != "" {
			t.Errorf("breadth-first, reduce %v: %s", reduce, c)
		}
	}
	// If nobody speaks a second time, the server waits for ever.
	mute := slices.Clone(members)
	mute[1].Program = compileText(t, `package main

import "net"

func main() {
	c, _ := net.Dial("tcp", "127.0.0.1:7")
	c.Write([]byte("a"))
	c.Read(make([]byte, 1))
	select {}
}
`)
	if got := searchGroup(t, mute, explore.Options{Reduce: true}); !slices.Equal(got.kinds(), []string{"deadlock"}) {
		t.Errorf("a client that says too little: got %v, want a deadlock", got.found())
	}
	t.Logf("%d states, %d plain", reduced.States, plain.States)
}
