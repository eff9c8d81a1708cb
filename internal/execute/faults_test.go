package execute_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/iocache"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// faultPrograms are programs to whose connections something happens.
var faultPrograms = []struct{ name, text string }{
	{"one connection", `package main

import "net"

func main() {
	l, _ := net.Listen("tcp", "127.0.0.1:7")
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		b := make([]byte, 2)
		if n, err := c.Read(b); err == nil {
			c.Write(b[:n])
		}
		c.Close()
	}()
	c, err := net.Dial("tcp", "127.0.0.1:7")
	if err != nil {
		l.Close()
		return
	}
	c.Write([]byte("ab"))
	c.Read(make([]byte, 2))
	c.Close()
	l.Close()
}
`},
	{"errors are shared", `package main

import "net"

func main() {
	l, _ := net.Listen("tcp", "127.0.0.1:7")
	errs := make(chan error, 4)
	go func() {
		c, err := l.Accept()
		if err != nil {
			errs <- err
			return
		}
		_, err = c.Read(make([]byte, 1))
		errs <- err
	}()
	c, err := net.Dial("tcp", "127.0.0.1:7")
	if err != nil {
		l.Close()
		<-errs
		return
	}
	go func() {
		_, err := c.Write([]byte("xy"))
		errs <- err
	}()
	if a, b := <-errs, <-errs; a != nil && b != nil {
		panic("both ends have failed")
	}
}
`},
	{"a reader and a writer", `package main

import (
	"io"
	"net"
)

func main() {
	l, _ := net.Listen("tcp", "127.0.0.1:7")
	c, err := net.Dial("tcp", "127.0.0.1:7")
	if err != nil {
		return
	}
	far, _ := l.Accept()
	done := make(chan int)
	go func() {
		n, _ := far.Read(make([]byte, 4))
		far.Write([]byte("yes")[:n])
		far.Close()
		done <- n
	}()
	go func() {
		c.Write([]byte("no"))
		c.(*net.TCPConn).CloseWrite()
	}()
	all, err := io.ReadAll(c)
	if n := <-done; err == nil && len(all) != n {
		panic("an answer is missing")
	}
}
`},
	{"who believes that all goes well", `package main

import (
	"net"
	"sync"
)

func main() {
	l, _ := net.Listen("tcp", "127.0.0.1:7")
	var wg sync.WaitGroup
	var mu sync.Mutex
	total := 0
	for range 2 {
		c, err := net.Dial("tcp", "127.0.0.1:7")
		if err != nil {
			panic(err)
		}
		far, _ := l.Accept()
		wg.Go(func() {
			n, _ := far.Read(make([]byte, 2))
			mu.Lock()
			total += n
			mu.Unlock()
		})
		wg.Go(func() { c.Write([]byte("ab")) })
	}
	wg.Wait()
	if total != 4 {
		panic("something is missing")
	}
}
`},
	{"a deadline", `package main

import (
	"errors"
	"net"
	"os"
	"syscall"
	"time"
)

func main() {
	l, _ := net.Listen("tcp", "127.0.0.1:7")
	c, err := net.Dial("tcp", "127.0.0.1:7")
	if err != nil {
		return
	}
	far, _ := l.Accept()
	go far.Write([]byte("xy"))
	c.SetReadDeadline(time.Now().Add(time.Second))
	_, err = c.Read(make([]byte, 2))
	if errors.Is(err, os.ErrDeadlineExceeded) && errors.Is(err, syscall.ETIMEDOUT) {
		panic("two reasons")
	}
}
`},
}

// budgets are the faults that are allowed.
var budgets = []string{"reset", "eof", "refuse", "short", "timeout", "reset,short", "eof,timeout"}

// TestAgreeFaults: searches in which connections fail agree, whatever their order and
// with and without reduction, and see more than those in which they do not.
func TestAgreeFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("loads package net")
	}
	t.Parallel()
	for i, p := range faultPrograms {
		prog := compileText(t, p.text)
		without, complaint := agreeBy(searchFor, prog, 20000, execute.Settings{})
		if complaint != "" {
			t.Fatalf("%s: %s", p.name, complaint)
		}
		for j, text := range budgets {
			faults, err := sockets.ParseFaults(text)
			if err != nil {
				t.Fatal(err)
			}
			if (i+j)%testlong.Or(3, 1) != 0 {
				continue // another program has it
			}
			if without.plain.States > 100 && (strings.Contains(text, ",") || !testlong.On() && text != "short") {
				continue // it takes long
			}
			a, complaint := agreeBy(searchFor, prog, 20000, execute.Settings{Faults: faults})
			switch {
			case complaint != "":
				t.Errorf("%s, %s: %s", p.name, text, complaint)
			case !a.whole():
				t.Errorf("%s, %s: a limit ended the search", p.name, text)
			case a.plain.States <= without.plain.States:
				t.Errorf("%s, %s: got %d states, want more than the %d without faults", p.name, text, a.plain.States, without.plain.States)
			}
			t.Logf("%s, %s: %v, %d states plain, %d reduced, %d ends", p.name, text, a.plain.kinds(), a.plain.States, a.reduced.States, len(a.plain.ends))
		}
	}
}

// TestAgreeFaultsGroup: the same for programs side by side.
func TestAgreeFaultsGroup(t *testing.T) {
	if testing.Short() {
		t.Skip("loads package net")
	}
	members := group(t, 1, "c.Write(b)")
	for _, text := range budgets {
		faults, err := sockets.ParseFaults(text)
		if err != nil {
			t.Fatal(err)
		}
		s := execute.Settings{Faults: faults}
		plain := searchGroupWith(t, members, s, explore.Options{})
		reduced := searchGroupWith(t, members, s, explore.Options{Reduce: true})
		if c := compareReduced(plain, reduced); c != "" {
			t.Errorf("%s: %s", text, c)
		}
		t.Logf("%s: %v, %d states plain, %d reduced, %d ends", text, plain.kinds(), plain.States, reduced.States, len(plain.ends))
	}
}

// An echo is a peer that says what it is told in capitals, and ends when it hears the
// end.
type echo struct{ answers }

func (*echo) Start(iocache.HistoryID) (iocache.Peer, error) { return &echo{}, nil }

func (e *echo) Do(r iocache.Request) error {
	switch r.Kind {
	case iocache.Write:
		e.out = append(e.out, iocache.Response{Kind: iocache.Data, Conn: r.Conn, Data: bytes.ToUpper(r.Data)})
	case iocache.Shutdown:
		e.out = append(e.out, iocache.Response{Kind: iocache.EndOfFile, Conn: r.Conn})
	}
	return nil
}

// TestAgreeFaultsOutside: the same for a program that talks to a peer.
func TestAgreeFaultsOutside(t *testing.T) {
	if testing.Short() {
		t.Skip("loads package net")
	}
	for name, body := range map[string]string{
		"right": `if n, err := c.Read(b); err == nil && n > 0 && b[0] != 'A' {
				panic("another letter")
			}`,
		"wrong": `if _, err := c.Read(b); err != nil || b[0] != 'A' {
				panic("no letter")
			}`,
	} {
		prog := compileText(t, `package main

import "net"

func main() {
	done := make(chan bool)
	for range 2 {
		c, err := net.Dial("tcp", "127.0.0.1:7")
		if err != nil {
			return
		}
		go func() {
			c.Write([]byte("ab"))
			done <- true
		}()
		go func() {
			b := make([]byte, 2)
			`+body+`
			done <- true
		}()
	}
	for range 4 {
		<-done
	}
}
`)
		agreeOutside(t, name, prog)
	}
}

func agreeOutside(t *testing.T, name string, prog *bytecode.Program) {
	t.Helper()
	peers := []sockets.Peer{{Name: "server", Port: 7}}
	run := func(text string, o explore.Options) search {
		faults, err := sockets.ParseFaults(text)
		if err != nil {
			t.Fatal(err)
		}
		return searchWith(t, prog, peers, way{Options: o, Settings: execute.Settings{Faults: faults}}, func() iocache.Transport { return &echo{} })
	}
	for _, text := range slices.Concat([]string{""}, budgets) {
		plain, reduced := run(text, explore.Options{}), run(text, explore.Options{Reduce: true})
		if c := compareReduced(plain, reduced); c != "" {
			t.Errorf("%s, %s: %s", name, text, c)
		}
		for _, first := range []search{plain, reduced} {
			o := explore.Options{Strategy: explore.BreadthFirst, Reduce: first.Result == reduced.Result}
			if c := compareOrder(first, run(text, o)); c != "" {
				t.Errorf("%s, %s, breadth-first, reduce %v: %s", name, text, o.Reduce, c)
			}
		}
		t.Logf("%s, %q: %v, %d states plain, %d reduced, %d ends", name, text, plain.kinds(), plain.States, reduced.States, len(plain.ends))
	}
}
