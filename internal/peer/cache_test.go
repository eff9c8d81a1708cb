//go:build linux

package peer

import (
	"errors"
	"fmt"
	"testing"

	"github.com/heddle-mc/heddle/internal/iocache"
)

// talkBriefly starts and stops a history with a server and one with a client.
func talkBriefly(t *testing.T, g *Group) {
	t.Helper()
	for _, id := range []iocache.HistoryID{connection("server", 0), {Peer: "client", Conn: in(0)}} {
		p, err := g.Start(id)
		if err != nil {
			t.Fatal(err)
		}
		l := teller{t, p}
		if id.Peer == "server" {
			l.say(iocache.Open, out(0), "", "")
		} else {
			l.hear("@0 incoming|@0 hello")
		}
		p.Stop()
	}
}

// A script is a program under test that the tests move by hand.
type script struct {
	t *testing.T
	s *iocache.Session
}

func (p script) connect() iocache.Conn {
	p.t.Helper()
	c, st, err := p.s.Connect("server", "main")
	if st != iocache.Ready || err != nil {
		p.t.Fatalf("connect: got %v %v, want ready", st, err)
	}
	return c
}

func (p script) write(c iocache.Conn, text string) {
	p.t.Helper()
	if st, err := p.s.Write(c, []byte(text)); st != iocache.Ready || err != nil {
		p.t.Fatalf("write %q: got %v %v, want ready", text, st, err)
	}
}

func (p script) read(c iocache.Conn, want string) {
	p.t.Helper()
	var buf [100]byte
	n, st, err := p.s.Read(c, buf[:])
	if got := string(buf[:n]); got != want || err != nil || (st == iocache.Ready) != (want != "") {
		p.t.Fatalf("read: got %q %v %v, want %q", got, st, err, want)
	}
}

// TestCacheTree: over a live echo server the program goes back and forth and
// along branches. The cache makes a new connection for a new branch.
func TestCacheTree(t *testing.T) {
	g := newGroup(t, helper(Server, "echo", "{addr}"))
	cache := iocache.New(g, iocache.Options{})
	defer cache.Close()
	p := script{t, cache.NewSession()}
	start := p.s.Save()
	c := p.connect()
	p.write(c, "one\n")
	after := p.s.Save()
	for round := range 2 { // the second time, everything is known
		for branch := range 3 {
			text := fmt.Sprintf("branch %d\n", branch)
			p.read(c, "one\n")
			p.write(c, text)
			p.read(c, text)
			p.read(c, "")
			p.s.Restore(after)
		}
		p.s.Restore(start)
		c = p.connect()
		p.write(c, "one\n")
		after = p.s.Save()
		got := cache.Stats()
		if got.Connections != 3 || got.Restarts != 2 || got.Misses != 5 || got.Hits != int64(2+round*(2+3)) {
			t.Errorf("round %d: got %+v, want 3 connections, 2 restarts, 5 misses and %d hits", round, got, 2+round*5)
		}
	}
	if got := g.Stats().Launches; got != 1 {
		t.Errorf("got %d launches, want one server for all", got)
	}
}

// TestCacheProcess: what is said on one connection of a chat is heard on the
// other. For another branch the server is launched again.
func TestCacheProcess(t *testing.T) {
	g := newGroup(t, helper(Server, "chat", "{addr}"))
	cache := iocache.New(g, iocache.Options{Mode: iocache.Process})
	defer cache.Close()
	p := script{t, cache.NewSession()}
	a, b := p.connect(), p.connect()
	p.write(a, "hello\n")
	p.read(a, "welcome 1\n")
	p.write(b, "hello\n")
	p.read(b, "welcome 2\n")
	here := p.s.Save()
	for round := range 2 {
		p.write(a, "from a\n")
		p.read(b, "from a\n")
		p.read(a, "")
		p.s.Restore(here)
		p.write(b, "from b\n")
		p.read(a, "from b\n")
		p.s.Restore(here)
		if got := g.Stats().Launches; got != 2 {
			t.Errorf("round %d: got %d launches, want 2", round, got)
		}
	}
}

// TestCacheChatInTree: in tree mode the same is found out and refused.
func TestCacheChatInTree(t *testing.T) {
	g := newGroup(t, helper(Server, "chat", "{addr}"))
	cache := iocache.New(g, iocache.Options{})
	defer cache.Close()
	p := script{t, cache.NewSession()}
	a, b := p.connect(), p.connect()
	p.write(a, "hello\n")
	p.write(b, "hello\n")
	p.write(a, "from a\n")
	_, err := p.s.Write(b, []byte("from b\n"))
	var unasked *Unasked
	if !errors.As(err, &unasked) || string(unasked.Data) != "from a\n" {
		t.Errorf("got %v, want an Unasked", err)
	}
}

// TestCacheNondeterminism: a peer that answers otherwise after a restart.
func TestCacheNondeterminism(t *testing.T) {
	g := newGroup(t, helper(Server, "chat", "{addr}"))
	cache := iocache.New(g, iocache.Options{})
	defer cache.Close()
	p := script{t, cache.NewSession()}
	c := p.connect()
	p.write(c, "hello\n") // the first of all, and later the second
	here := p.s.Save()
	p.write(c, "one\n")
	p.s.Restore(here)
	_, err := p.s.Write(c, []byte("two\n"))
	var other *iocache.Nondeterminism
	if !errors.As(err, &other) || string(other.Cached) != "welcome 1\n" || string(other.Now) != "welcome 2\n" {
		t.Errorf("got %v, want a Nondeterminism", err)
	}
}

// TestCacheAccept: a client is launched when it can be accepted, and again for
// another branch.
func TestCacheAccept(t *testing.T) {
	g := newGroup(t, helper(Client, "client", "{addr}", "hello", "bye"))
	cache := iocache.New(g, iocache.Options{})
	defer cache.Close()
	p := script{t, cache.NewSession()}
	if got := g.Stats().Launches; got != 0 {
		t.Errorf("got %d launches before the program accepts, want none", got)
	}
	c, st, err := p.s.Accept("client", "main")
	if st != iocache.Ready || err != nil {
		t.Fatalf("accept: got %v %v, want ready", st, err)
	}
	p.read(c, "hello\n")
	here := p.s.Save()
	for range 2 {
		p.write(c, "fine\n")
		p.read(c, "bye\n")
		p.s.Restore(here)
		p.write(c, "not a line")
		p.read(c, "")
		if err := p.s.Close(c); err != nil {
			t.Fatal(err)
		}
		p.s.Restore(here)
	}
	if got := g.Stats().Launches; got != 2 {
		t.Errorf("got %d launches, want one for each branch", got)
	}
}
