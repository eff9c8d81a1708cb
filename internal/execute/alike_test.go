package execute_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
)

// alike are members that all run one program.
func alike(t *testing.T, text string, names ...string) (list []execute.Member) {
	prog := compileText(t, text)
	for _, name := range names {
		list = append(list, execute.Member{Name: name, Program: prog, Process: emptyProcess})
	}
	return list
}

// TestAlikeOrder: of processes that are alike the first begins, and what the others can
// do after it is found. The server hears two of three clients; the one that was
// accepted second may be heard first.
func TestAlikeOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("loads package net")
	}
	server := alike(t, `package main

import "net"

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:7")
	if err != nil {
		panic(err)
	}
	heard := make(chan int, 2)
	for i := range 2 {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		go func() {
			c.Read(make([]byte, 1))
			heard <- i
		}()
	}
	if <-heard == 1 {
		panic("the second was first")
	}
	<-heard
}
`, "server")
	const client = `package main

import "net"

func main() {
	c, err := net.Dial("tcp", "127.0.0.1:7")
	if err == nil {
		c.Write([]byte("a"))
	}
}
`
	members := append(server, alike(t, client, "client", "client", "client")...)
	plain, reduced := searchGroup(t, members, explore.Options{}), searchGroup(t, members, explore.Options{Reduce: true})
	if got, want := reduced.found(), plain.found(); !slices.Equal(got, want) || len(want) == 0 {
		t.Errorf("got %q, want %q", got, want)
	}
	// Another program is another kind, and so is one with other arguments.
	others := slices.Clone(members)
	others[2].Program = compileText(t, client)
	others[3].Process.Args = []string{"x", "y"}
	apart := searchGroup(t, others, explore.Options{Reduce: true})
	t.Logf("%d states, %d reduced, %d if the clients are not alike", plain.States, reduced.States, apart.States)
	if got, want := apart.found(), plain.found(); !slices.Equal(got, want) || apart.States < 3*reduced.States {
		t.Errorf("clients that are not alike: got %q and %d states, want %q and at least three times %d", got, apart.States, want, reduced.States)
	}
}

// TestAlikeServers: processes that are alike do not wait for each other to listen. Both
// are refused, and wait for ever after that.
func TestAlikeServers(t *testing.T) {
	if testing.Short() {
		t.Skip("loads package net")
	}
	members := alike(t, `package main

import "net"

func main() {
	net.Dial("tcp", "127.0.0.1:7")
	<-make(chan bool)
}
`, "one", "two")
	for _, reduce := range []bool{true, false} {
		s := searchGroup(t, members, explore.Options{Reduce: reduce})
		if len(s.Findings) == 0 {
			t.Errorf("reduce %v: got no findings", reduce)
		}
		for _, f := range s.Findings {
			if !strings.Contains(f.Message, "receive") {
				t.Errorf("reduce %v: got %s, want a receive", reduce, f.Message)
			}
		}
	}
}

// TestAlikeApart: of two processes that are alike the second one waits for a server that is
// named between them, and the first one does not. So they are told apart, as if they ran
// different programs.
func TestAlikeApart(t *testing.T) {
	if testing.Short() {
		t.Skip("loads package net")
	}
	const client = `package main

import "net"

func main() {
	_, taken := net.Listen("tcp4", "127.0.0.1:8")
	_, refused := net.Dial("tcp4", "127.0.0.1:7")
	if taken != nil && refused != nil {
		panic("late and refused")
	}
}
`
	clients := alike(t, client, "one", "two")
	server := alike(t, `package main

import "net"

func main() {
	l, _ := net.Listen("tcp4", "127.0.0.1:7")
	for {
		l.Accept()
	}
}
`, "server")
	members := []execute.Member{clients[0], server[0], clients[1]}
	plain, reduced := searchGroup(t, members, explore.Options{}), searchGroup(t, members, explore.Options{Reduce: true})
	if got, want := reduced.found(), plain.found(); !slices.Equal(got, want) || !slices.Contains(plain.kinds(), "panic") {
		t.Errorf("got %q, want %q", got, want)
	}
	members[2].Program = compileText(t, client)
	if apart := searchGroup(t, members, explore.Options{Reduce: true}); reduced.States != apart.States {
		t.Errorf("got %d states, want the %d of clients that are not alike", reduced.States, apart.States)
	}
}
