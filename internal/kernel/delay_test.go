package kernel

import (
	"fmt"
	"testing"

	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
)

func TestParseDelays(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "none",
		"none":                      "none",
		"all":                       "all",
		"read":                      "read",
		"write, accept":             "accept,write",
		"connect,read,write,accept": "all",
		"lightly":                   `error: unknown operation "lightly": say all, none, or some of accept, read, write, connect`,
	} {
		d, err := sockets.ParseDelays(text)
		got := d.String()
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// late tells which of some descriptors may be early: r for reading and accepting, w
// for writing and connecting.
func late(k *Kernel, fds ...int) string {
	text := ""
	for _, fd := range fds {
		for _, mode := range "rw" {
			if k.Late(fd, byte(mode)) {
				text += string(mode)
			} else {
				text += "-"
			}
		}
		text += " "
	}
	return text
}

// TestLate goes through the life of a connection: what is there may be early until
// the program knows it, and again when it has used it; the end stays known.
func TestLate(t *testing.T) {
	k := New(&host.Real{}, Options{Settings: sockets.Settings{Delays: sockets.DelayAll}})
	l, addr := listener(t, k, 5)
	step := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
	}
	step("nobody has come", late(k, l), "-- ")
	c := dial(t, k, addr)
	step("in progress", late(k, l, c), "r- -w ")
	k.Notice(c, 'w')
	step("connected, and known to be", late(k, l, c), "r- -- ")
	must(t, k.Connect(c, addr))
	step("connect has said so", late(k, l, c), "r- -w ")
	k.Notice(l, 'r')
	s, _, e := k.Accept(l, linux.SOCK_NONBLOCK)
	must(t, e)
	step("accepted", late(k, l, c, s), "-- -w -w ")
	_, e = k.Write(c, []byte("ab"))
	must(t, e)
	step("written", late(k, c, s), "-w rw ")

	before := string(k.AppendKey(nil))
	k.NotYet(s, 'r')
	if string(k.AppendKey(nil)) != before {
		t.Error("got another state after a call that was early, want the same")
	}
	k.Notice(s, 'r')
	step("noticed", late(k, s), "-w ")
	if string(k.AppendKey(nil)) == before {
		t.Error("got the same state with something that is known, want another")
	}
	_, e = k.Read(s, make([]byte, 1))
	must(t, e)
	step("read in part", late(k, s), "rw ")
	_, e = k.Read(s, make([]byte, 1))
	must(t, e)
	step("read", late(k, s), "-w ")
	must(t, k.Shutdown(c, 1))
	step("at its end", late(k, c, s), "-- rw ")
	k.Notice(s, 'r')
	for range 2 {
		if n, e := k.Read(s, make([]byte, 1)); n != 0 || e != 0 {
			t.Errorf("got %d %v, want the end", n, e)
		}
		step("the end was read", late(k, s), "-w ")
	}
}

// TestLateOnly: each operation can be without delays.
func TestLateOnly(t *testing.T) {
	for d, want := range map[sockets.Delays]string{
		0:                    "-- -- -- -- ",
		sockets.DelayAccept:  "r- -- -- -- ",
		sockets.DelayRead:    "-- -- r- -- ",
		sockets.DelayWrite:   "-- -- -w -w ",
		sockets.DelayConnect: "-- -w -- -- ",
		sockets.DelayAll:     "r- -w rw -w ",
	} {
		k := New(&host.Real{}, Options{Settings: sockets.Settings{Delays: d}})
		l, addr := listener(t, k, 5)
		a := dial(t, k, addr)
		near, _, e := k.Accept(l, linux.SOCK_NONBLOCK)
		must(t, e, k.Connect(a, addr))
		_, e = k.Write(a, []byte("x"))
		must(t, e)
		b := dial(t, k, addr)
		if got := late(k, l, b, near, a); got != want {
			t.Errorf("%v: got %q, want %q", d, got, want)
		}
	}
}

// TestLateNever: what the program does to its own end it knows at once, and so
// what comes over a pipe or a socket of the Unix domain.
func TestLateNever(t *testing.T) {
	k := New(&host.Real{}, Options{Settings: sockets.Settings{Delays: sockets.DelayAll}})
	x, y, e := k.Socketpair(linux.AF_UNIX, nonblocking, 0)
	must(t, e)
	_, e = k.Write(x, []byte("x"))
	must(t, e)
	fresh, e := k.Socket(linux.AF_INET, nonblocking, 0)
	must(t, e)
	if got := late(k, x, y, fresh); got != "-- -- -- " {
		t.Errorf("got %q, want none", got)
	}
	near, _ := connectedPair(t, k)
	must(t, k.Shutdown(near, 2))
	if got := late(k, near); got != "-- " {
		t.Errorf("got %q of what was shut down, want none", got)
	}
}

// TestAwaitSubsets: of three connections with something to read, an epoll tells of
// any non-empty set; what it has told of it tells again until it was read.
func TestAwaitSubsets(t *testing.T) {
	k := New(&host.Real{}, Options{Settings: sockets.Settings{Delays: sockets.DelayRead}})
	ep, e := k.EpollCreate(0)
	must(t, e)
	var near []int
	l, addr := listener(t, k, 5)
	for range 3 {
		b := dial(t, k, addr)
		a, _, e := k.Accept(l, linux.SOCK_NONBLOCK)
		must(t, e, k.Connect(b, addr))
		_, e = k.Write(b, []byte("x"))
		must(t, e, k.EpollCtl(ep, linux.EPOLL_CTL_ADD, a, linux.EvIn, uint64(a)))
		near = append(near, a)
	}
	k.Mark()
	told := func() string {
		events, _ := k.EpollWait(ep, 8)
		text := ""
		for _, ev := range events {
			for i, fd := range near {
				if ev.Data == uint64(fd) {
					text += string(rune('a' + i))
				}
			}
		}
		return text
	}
	ways := func(empty bool) (list []string) {
		a := k.AwaitEpoll(ep)
		for way := range a.Ways(empty) {
			m := k.Mark()
			a.Choose(way, empty)
			list = append(list, told())
			k.Restore(m)
		}
		return list
	}
	if got, want := fmt.Sprint(ways(false)), "[a b ab c ac bc abc]"; got != want {
		t.Errorf("waiting: got %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(ways(true)), "[ a b ab c ac bc abc]"; got != want {
		t.Errorf("with a time limit: got %s, want %s", got, want)
	}
	k.Notice(near[1], 'r')
	if got, want := fmt.Sprint(ways(true)), "[b ab bc abc]"; got != want {
		t.Errorf("after b was told: got %s, want %s", got, want)
	}
	_, e = k.Read(near[1], make([]byte, 8))
	must(t, e)
	if got, want := fmt.Sprint(ways(false)), "[a c ac]"; got != want {
		t.Errorf("after b was read: got %s, want %s", got, want)
	}
}

// TestEdgeAfterNotYet: bytes that have not come yet are news when they come, to an
// epoll that is told of news only.
func TestEdgeAfterNotYet(t *testing.T) {
	k := New(&host.Real{}, Options{Settings: sockets.Settings{Delays: sockets.DelayRead}})
	ep, e := k.EpollCreate(0)
	must(t, e)
	near, far := connectedPair(t, k)
	_, e = k.Write(far, []byte("xy"))
	must(t, e, k.EpollCtl(ep, linux.EPOLL_CTL_ADD, near, linux.EvIn|linux.EPOLLET, 7))
	wait := func() int {
		a := k.AwaitEpoll(ep)
		a.Choose(a.Ways(false)-1, false)
		events, _ := k.EpollWait(ep, 8)
		return len(events)
	}
	if got := wait(); got != 1 {
		t.Fatalf("got %d events, want 1", got)
	}
	_, e = k.Read(near, make([]byte, 1))
	must(t, e)
	if got := wait(); got != 0 {
		t.Fatalf("got %d events after a part was read, want 0", got)
	}
	k.NotYet(near, 'r')
	if got := wait(); got != 1 {
		t.Fatalf("got %d events after the rest has come, want 1", got)
	}
}

// TestAwaitExcess: with too many descriptors of which each may be ready or not, nobody
// tries all subsets.
func TestAwaitExcess(t *testing.T) {
	k := New(&host.Real{}, Options{Settings: sockets.Settings{Delays: sockets.DelayRead}})
	ep, e := k.EpollCreate(0)
	must(t, e)
	l, addr := listener(t, k, 5)
	const most = 12 // of the sides that may become ready in one call
	for n := 1; n <= most+1; n++ {
		b := dial(t, k, addr)
		a, _, e := k.Accept(l, linux.SOCK_NONBLOCK)
		must(t, e, k.Connect(b, addr))
		_, e = k.Write(b, []byte("x"))
		must(t, e, k.EpollCtl(ep, linux.EPOLL_CTL_ADD, a, linux.EvIn, uint64(a)))
		if got, want := ptr(k.AwaitEpoll(ep)).Excess(), n > most; got != want {
			t.Errorf("%d descriptors: got excess %v, want %v", n, got, want)
		}
	}
}

func ptr(a sockets.Awaited) *sockets.Awaited { return &a }

// TestPeerDescriptors: the numbers of connections that peers make do not depend on each
// other, and are small enough for select.
func TestPeerDescriptors(t *testing.T) {
	k := New(&host.Real{}, Options{})
	k.As("main")
	if a, b, last := k.PeerFD(0), k.PeerFD(1), k.PeerFD(sockets.MaxPeers-1); a != 32 || b != 40 || last >= 1024 {
		t.Errorf("got %d, %d, ... %d, want 32, 40, and all below 1024", a, b, last)
	}
}
