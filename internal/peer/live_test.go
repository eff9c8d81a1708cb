//go:build linux

package peer

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/iocache"
)

func newGroup(t *testing.T, specs ...Spec) *Group {
	t.Helper()
	g, err := NewGroup(specs)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		g.Close()
		for _, n := range g.Notes() {
			t.Errorf("note: %s", n)
		}
		if n := g.Stats().Stalls; n > 0 && !strings.Contains(t.Name(), "Large") && !strings.Contains(t.Name(), "NoDiag") {
			t.Errorf("got %d stalls, want none", n)
		}
		t.Logf("%+v", g.Stats())
	})
	return g
}

// A teller talks with a live peer and writes down what comes back.
type teller struct {
	t *testing.T
	p iocache.Peer
}

func start(t *testing.T, g *Group, id iocache.HistoryID) teller {
	t.Helper()
	p, err := g.Start(id)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Stop)
	return teller{t, p}
}

func out(n int) iocache.Name { return iocache.Name{Dir: iocache.Out, Creator: "main", N: n} }
func in(n int) iocache.Name  { return iocache.Name{Dir: iocache.In, N: n} }

func connection(peer string, n int) iocache.HistoryID {
	return iocache.HistoryID{Peer: peer, Conn: out(n)}
}

// heard polls until the peer is quiet. Data of a connection is put together.
func (l teller) heard() (string, error) {
	var b strings.Builder
	var last iocache.Response
	for {
		r, err := l.p.Poll()
		if err != nil || r.Kind == iocache.Quiet {
			return strings.TrimSpace(b.String()), err
		}
		if r.Kind == iocache.Data && last.Kind == iocache.Data && last.Conn == r.Conn {
			fmt.Fprintf(&b, "%s", r.Data)
		} else if r.Kind == iocache.Data {
			fmt.Fprintf(&b, "\n%v %s", r.Conn, r.Data)
		} else {
			fmt.Fprintf(&b, "\n%v %v %s", r.Conn, r.Kind, r.Err)
		}
		last = iocache.Response{Kind: r.Kind, Conn: r.Conn}
	}
}

// say performs a request and compares what comes back, until the peer is quiet.
func (l teller) say(kind iocache.RequestKind, conn iocache.Name, data, want string) {
	l.t.Helper()
	if err := l.p.Do(iocache.Request{Kind: kind, Conn: conn, Data: []byte(data)}); err != nil {
		l.t.Fatalf("%v %q: %v", kind, data, err)
	}
	l.hear(want)
}

func (l teller) hear(want string) {
	l.t.Helper()
	got, err := l.heard()
	if err != nil {
		l.t.Fatalf("got %q, error %v", got, err)
	}
	if clean(got) != want {
		l.t.Fatalf("got %q, want %q", clean(got), want)
	}
}

func clean(s string) string {
	lines := strings.Split(s, "\n")
	var kept []string
	for _, l := range lines {
		if l = strings.TrimSpace(l); l != "" {
			kept = append(kept, l)
		}
	}
	return strings.Join(kept, "|")
}

// fails performs a request and returns the error that comes of it.
func (l teller) fails(kind iocache.RequestKind, conn iocache.Name, data string) error {
	l.t.Helper()
	err := l.p.Do(iocache.Request{Kind: kind, Conn: conn, Data: []byte(data)})
	got := ""
	if err == nil {
		got, err = l.heard()
	}
	if err == nil {
		l.t.Fatalf("%v %q: got %q, want an error", kind, data, got)
	}
	return err
}

func TestEcho(t *testing.T) {
	for _, spec := range []Spec{helper(Server, "echo", "{addr}"), helper(Server, "echo", "{addr:8080}"), helper(Server, "echo env"), helper(Server, "anywhere")} {
		g := newGroup(t, spec)
		l := start(t, g, connection("server", 0))
		l.say(iocache.Open, out(0), "", "")
		l.say(iocache.Write, out(0), "one\n", "main#0 one")
		l.say(iocache.Write, out(0), "tw", "")
		l.say(iocache.Write, out(0), "o\nthree\n", "main#0 two|three")
		l.say(iocache.Shutdown, out(0), "", "main#0 eof")
		l.say(iocache.Close, out(0), "", "")
	}
}

// TestPartialIsFast: a peer that does not answer is seen to be quiet, without
// the delays that the kernel has for acknowledgements. Those are 40 ms for each write
// but the first few; a busy machine may take as long, but not for each.
func TestPartialIsFast(t *testing.T) {
	g := newGroup(t, helper(Server, "echo", "{addr}"))
	l := start(t, g, connection("server", 0))
	l.say(iocache.Open, out(0), "", "")
	const first, quick, most = 50, 10, 500
	n, fast := 0, 0
	for ; fast < quick && n < most; n++ {
		before := g.Stats().Waited
		l.say(iocache.Write, out(0), "x", "")
		if n >= first && g.Stats().Waited-before < 20*time.Millisecond {
			fast++
		}
	}
	l.say(iocache.Write, out(0), "\n", "main#0 "+strings.Repeat("x", n))
	if fast < quick {
		t.Errorf("got %d of %d writes with less waiting than half of the kernel's 40 ms, want %d", fast, n, quick)
	}
}

func TestSlow(t *testing.T) {
	g := newGroup(t, helper(Server, "slow", "{addr}"))
	l := start(t, g, connection("server", 0))
	l.say(iocache.Open, out(0), "", "")
	for range 2 {
		l.say(iocache.Write, out(0), "nanosleep\n", "main#0 nanosleep done")
		l.say(iocache.Write, out(0), "timer\n", "main#0 timer done")
		l.say(iocache.Write, out(0), "compute\n", "main#0 compute done")
		l.say(iocache.Write, out(0), "child\n", "main#0 child done")
		l.say(iocache.Write, out(0), "parts\n", "main#0 part part part parts done")
	}
}

// TestRelay: processes of a peer that wake each other are never seen asleep
// together.
func TestRelay(t *testing.T) {
	g := newGroup(t, helper(Server, "relay", "{addr}", t.TempDir()))
	l := start(t, g, connection("server", 0))
	l.say(iocache.Open, out(0), "", "")
	for i := range 20 {
		l.say(iocache.Write, out(0), fmt.Sprintf("%d\n", i), fmt.Sprintf("main#0 %d", i))
	}
}

// TestHabit: a timer from which nothing comes is waited for once, or a few
// times, but not for ever.
func TestHabit(t *testing.T) {
	g := newGroup(t, helper(Server, "ticker", "{addr}"))
	l := start(t, g, connection("server", 0))
	l.say(iocache.Open, out(0), "", "")
	for i := range 30 {
		l.say(iocache.Write, out(0), fmt.Sprintf("%d\n", i), fmt.Sprintf("main#0 %d", i))
	}
	if got := g.habits["server"].min; len(got) == 0 {
		t.Errorf("got no habits, want that of the ticker")
	}
}

func TestHalfClose(t *testing.T) {
	g := newGroup(t, helper(Server, "count", "{addr}"))
	l := start(t, g, connection("server", 0))
	l.say(iocache.Open, out(0), "", "")
	l.say(iocache.Write, out(0), "12345", "")
	l.say(iocache.Shutdown, out(0), "", "main#0 5 <nil>|main#0 eof")
}

// TestAfterClose: a peer with several connections in one history sees a close
// and a reset of one of them, and what it then says on others is heard.
func TestAfterClose(t *testing.T) {
	g := newGroup(t, helper(Server, "count", "{addr}"))
	l := start(t, g, iocache.HistoryID{Peer: "server", Whole: true})
	l.hear("")
	for i := range 4 {
		l.say(iocache.Open, out(i), "", "")
	}
	l.say(iocache.Write, out(0), "12345", "")
	l.say(iocache.Write, out(1), "1234", "") // nobody reads it yet
	l.say(iocache.Shutdown, out(1), "", "")
	l.say(iocache.Write, out(2), "123", "")
	l.say(iocache.Shutdown, out(3), "", "")
	l.say(iocache.Close, out(0), "", "main#1 4 <nil>|main#1 eof")
	l.say(iocache.Reset, out(2), "", "main#3 0 <nil>|main#3 eof")
}

func TestRefused(t *testing.T) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	if err := unix.Bind(fd, sockaddr(netip.AddrPortFrom(loopback, 0))); err != nil { // it has the port, and does not listen
		t.Fatal(err)
	}
	name, err := unix.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	g := newGroup(t, Spec{Role: Server, Addr: addrPort(name).String(), Delay: time.Millisecond})
	l := start(t, g, connection("server", 0))
	l.say(iocache.Open, out(0), "", "main#0 refused ECONNREFUSED")
}

func TestReset(t *testing.T) {
	g := newGroup(t, helper(Server, "doomed", "{addr}"))
	l := start(t, g, connection("server", 0))
	l.say(iocache.Open, out(0), "", "")
	l.say(iocache.Write, out(0), "reset\n", "main#0 failed ECONNRESET")
	l.say(iocache.Write, out(0), "lost\n", "")
}

// TestLarge: what neither side takes at once arrives, in both directions.
func TestLarge(t *testing.T) {
	g := newGroup(t, helper(Server, "echo", "{addr}"), func() Spec {
		s := helper(Server, "unread", "{addr}")
		s.Name = "unread"
		return s
	}())
	l := start(t, g, connection("server", 0))
	l.say(iocache.Open, out(0), "", "")
	var sent bytes.Buffer
	for i := range 10_000 { // it echoes each line by a call of its own
		fmt.Fprintf(&sent, "%d%s\n", i, strings.Repeat(" and some more text", 15))
	}
	if err := l.p.Do(iocache.Request{Kind: iocache.Write, Conn: out(0), Data: sent.Bytes()}); err != nil {
		t.Fatal(err)
	}
	got, err := l.heard()
	if want := "main#0 " + strings.TrimSpace(sent.String()); err != nil || got != want {
		t.Fatalf("got %d bytes %v, want %d", len(got), err, len(want))
	}
	u := start(t, g, connection("unread", 0))
	u.say(iocache.Open, out(0), "", "")
	u.say(iocache.Write, out(0), strings.Repeat("x", 32<<20), "") // more than the buffers hold
}

func TestClient(t *testing.T) {
	spec := helper(Client, "client", "{addr:8080}", "hello", "and {n}")
	spec.Count = 2
	g := newGroup(t, spec)
	if got := fmt.Sprint(g.Peers()); got != "[{client.1 client.1 client 8080 false  25600 3584} {client.2 client.2 client 8080 false  29184 3584}]" {
		t.Errorf("got %s, want two clients of port 8080", got)
	}
	for i := 1; i <= 2; i++ {
		name := iocache.Name{Dir: iocache.In, Creator: "main", N: 7}
		l := start(t, g, iocache.HistoryID{Peer: fmt.Sprintf("client.%d", i), Conn: name})
		l.hear("main#7 incoming|main#7 hello")
		l.say(iocache.Write, name, "hi\n", fmt.Sprintf("main#7 and %d", i))
		l.say(iocache.Write, name, "well\n", "main#7 eof")
		l.say(iocache.Close, name, "", "")
	}
	for _, r := range g.Runs() {
		if want := "got \"hi\\n\" <nil>\ngot \"well\\n\" <nil>\n"; r.Output != want || r.Status != "exit status 0" {
			t.Errorf("got %+v, want output %q", r, want)
		}
	}
}

// TestPlace: a command runs where Heddle does, or where it is told to.
func TestPlace(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	there := t.TempDir()
	if err := os.WriteFile(filepath.Join(there, "say"), []byte("#!/bin/sh\npwd; exit 7\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		spec Spec
		want string
	}{
		{Spec{Command: "pwd; exit 7"}, here},
		{Spec{Command: "pwd; exit 7", Dir: there}, there},
		{Spec{Args: []string{"sh", "-c", "pwd; exit 7"}, Dir: "/"}, "/"},
		{Spec{Args: []string{"./say"}, Dir: there}, there},
	} {
		_, err := NewGroup([]Spec{test.spec})
		var died *Died
		if !errors.As(err, &died) || died.Status != "exit status 7" || died.Output != test.want+"\n" {
			t.Errorf("%+v: got %v, want to run in %s", test.spec, err, test.want)
		}
	}
	if _, err := NewGroup([]Spec{{Args: []string{"./nothing"}}}); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("got %v, want no such file", err)
	}
}

func TestAbsentClient(t *testing.T) {
	g := newGroup(t, helper(Client, "absent"))
	p, err := g.Start(iocache.HistoryID{Peer: "client", Conn: in(0)})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Stop()
	_, err = teller{t, p}.heard()
	var died *Died
	if !errors.As(err, &died) || died.When != "before it connected" || died.Output != "I would rather not\n" {
		t.Errorf("got %v, want a Died before it connected", err)
	}
}

func TestTwice(t *testing.T) {
	g := newGroup(t, helper(Client, "twice", "{addr}"))
	l := start(t, g, iocache.HistoryID{Peer: "client", Whole: true})
	got, err := l.heard()
	for _, want := range []string{"@0 incoming", "@1 incoming", "@0 first", "@1 second"} {
		if err != nil || !strings.Contains(got, want) {
			t.Errorf("got %q %v, want %q in it", got, err, want)
		}
	}
	l.say(iocache.Write, in(0), "yes\n", "@1 a says yes")
	l.say(iocache.Close, in(1), "", "@0 eof")
}

// TestBack: a server that also connects to the program.
func TestBack(t *testing.T) {
	g := newGroup(t, helper(Server, "back", "{addr:21}", "{program:20}"))
	l := start(t, g, iocache.HistoryID{Peer: "server", Whole: true})
	l.hear("")
	l.say(iocache.Open, out(0), "", "")
	l.say(iocache.Write, out(0), "list\n", "@0 incoming|@0 list")
	l.say(iocache.Write, out(0), "again\n", "@1 incoming|@1 again")
}

func TestFixedDelay(t *testing.T) {
	spec := helper(Server, "echo", "{addr}")
	spec.Delay = 50 * time.Millisecond
	g := newGroup(t, spec)
	testDelay(t, g)
	if s := g.Stats(); s.Waited < 100*time.Millisecond || s.Looks > 0 {
		t.Errorf("got %+v, want at least two delays and no look", s)
	}
}

// testDelay has a peer say nothing to half a line, and something to the rest.
func testDelay(t *testing.T, g *Group) {
	t.Helper()
	l := start(t, g, connection("server", 0))
	l.say(iocache.Open, out(0), "", "")
	l.say(iocache.Write, out(0), "on", "")
	g.specs[0].Delay = time.Hour // now it can take its time: what comes is told at once
	if err := l.p.Do(iocache.Request{Kind: iocache.Write, Conn: out(0), Data: []byte("e\n")}); err != nil {
		t.Fatal(err)
	}
	if r, err := l.p.Poll(); string(r.Data) != "one\n" || err != nil {
		t.Errorf("got %q %v, want one", r.Data, err)
	}
}

// TestBlind: a peer whose threads cannot be seen gets a delay, and a note.
func TestBlind(t *testing.T) {
	g, err := NewGroup([]Spec{helper(Server, "echo", "{addr}")})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	looks := g.Stats().Looks // until it was at rest
	g.goBlind(&g.specs[0], errors.New("permission denied"))
	testDelay(t, g)
	if s := g.Stats(); s.Waited < 2*blindDelay || s.Looks > looks {
		t.Errorf("got %+v, want at least two delays and no look", s)
	}
	want := "server: what its threads do cannot be seen, so it counts as quiet when it has said nothing for 100ms: permission denied"
	if got := strings.Join(g.Notes(), "; "); got != want {
		t.Errorf("got note %q, want %q", got, want)
	}
}

// TestNoDiag: without sock_diag the same is heard.
func TestNoDiag(t *testing.T) {
	g := newGroup(t, helper(Server, "echo", "{addr}"))
	g.diag.close()
	g.diag = nil
	l := start(t, g, connection("server", 0))
	l.say(iocache.Open, out(0), "", "")
	l.say(iocache.Write, out(0), "on", "")
	l.say(iocache.Write, out(0), "e\n", "main#0 one")
}

// TestReadyAtRest: a server that listens before it is ready is waited for.
func TestReadyAtRest(t *testing.T) {
	g := newGroup(t, helper(Server, "early", "{addr}"))
	cache := iocache.New(g, iocache.Options{})
	defer cache.Close()
	p := script{t, cache.NewSession()}
	p.read(p.connect(), "ready\n")
}

// TestRefusedEarly: a server that has ended accepts no connection, also if it is asked early whether it does.
func TestRefusedEarly(t *testing.T) {
	g := newGroup(t, helper(Server, "doomed", "{addr}"))
	l := start(t, g, iocache.HistoryID{Peer: "server", Whole: true})
	l.hear("")
	l.say(iocache.Open, out(0), "", "")
	l.say(iocache.Write, out(0), "bye\n", "main#0 bye|main#0 eof")
	if err := l.p.Do(iocache.Request{Kind: iocache.Open, Conn: out(1)}); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if l.p.(iocache.Prompt).Connected(out(1)) {
			t.Error("connected, want that it is refused")
		}
	}
	l.hear("main#1 refused ECONNREFUSED")
}
