//go:build linux

package peer

import (
	"errors"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/iocache"
)

func TestWait(t *testing.T) {
	forever, none := ^uint64(0), uint64(0)
	tests := []struct {
		what string
		t    thread
		want wait
	}{
		{"running", thread{state: 'R', call: -1}, wait{}},
		{"disk", thread{state: 'D', call: unix.SYS_READ}, wait{}},
		{"stopped", thread{state: 'T', call: unix.SYS_READ}, wait{}},
		{"read", thread{state: 'S', call: unix.SYS_READ}, wait{kind: input}},
		{"write", thread{state: 'S', call: unix.SYS_WRITE}, wait{}},
		{"connect", thread{state: 'S', call: unix.SYS_CONNECT}, wait{}},
		{"nanosleep", thread{state: 'S', call: unix.SYS_NANOSLEEP}, wait{}},
		{"accept", thread{state: 'S', call: unix.SYS_ACCEPT4}, wait{kind: input}},
		{"epoll", thread{state: 'S', call: unix.SYS_EPOLL_PWAIT, args: [6]uint64{4, 1, 128, forever}}, wait{kind: input}},
		{"epoll, 32 bits of -1", thread{state: 'S', call: unix.SYS_EPOLL_WAIT, args: [6]uint64{4, 1, 128, 0xffffffff}}, wait{kind: input}},
		{"epoll for 500 ms", thread{state: 'S', call: unix.SYS_EPOLL_WAIT, args: [6]uint64{4, 1, 128, 500}}, wait{input, true, 500 * time.Millisecond}},
		{"poll for 1 ms", thread{state: 'S', call: unix.SYS_POLL, args: [6]uint64{1, 1, 1}}, wait{input, true, time.Millisecond}},
		{"poll of nothing for 1 ms", thread{state: 'S', call: unix.SYS_POLL, args: [6]uint64{0, 0, 1}}, wait{}},
		{"poll of nothing", thread{state: 'S', call: unix.SYS_POLL, args: [6]uint64{0, 0, forever}}, wait{kind: passive}},
		{"select", thread{state: 'S', call: unix.SYS_PSELECT6, args: [6]uint64{5}}, wait{kind: input}},
		{"futex", thread{state: 'S', call: unix.SYS_FUTEX, args: [6]uint64{1, 128, 0, none}}, wait{kind: passive}},
		{"futex with a timeout that cannot be read", thread{state: 'S', call: unix.SYS_FUTEX, args: [6]uint64{1, 128, 0, 1}}, wait{}},
		{"wait for a child", thread{state: 'S', call: unix.SYS_WAIT4}, wait{kind: passive}},
	}
	for _, test := range tests {
		if got := test.t.wait(); got != test.want {
			t.Errorf("%s: got %+v, want %+v", test.what, got, test.want)
		}
	}
}

func TestIdle(t *testing.T) {
	read := thread{state: 'S', call: unix.SYS_READ, name: "a"}
	lock := thread{state: 'S', call: unix.SYS_FUTEX, args: [6]uint64{1, 128}, name: "b"}
	run := thread{state: 'R', call: -1}
	poll := thread{state: 'S', call: unix.SYS_POLL, args: [6]uint64{1, 1, 500}, name: "c"}
	tests := []struct {
		what   string
		s      sample
		timers int
		ok     bool
	}{
		{"one reads", sample{read, lock}, 0, true},
		{"all wait for each other", sample{lock, lock}, 0, false},
		{"one runs", sample{read, run}, 0, false},
		{"one has a timeout", sample{lock, poll}, 1, true},
		{"nobody", nil, 0, false},
	}
	for _, test := range tests {
		timers, ok := test.s.idle(time.Second, new(habits))
		if len(timers) != test.timers || ok != test.ok {
			t.Errorf("%s: got %v %v, want %d timers and %v", test.what, timers, ok, test.timers, test.ok)
		}
	}
	if timers, ok := (sample{poll}).idle(499*time.Millisecond, new(habits)); !ok || len(timers) != 0 {
		t.Errorf("a timeout beyond patience: got %v %v, want to be idle", timers, ok)
	}
}

func TestSame(t *testing.T) {
	a := thread{pid: 1, tid: 1, state: 'S', switches: 5, call: 0}
	ran, left := a, a
	ran.switches++
	left.state = 'R'
	other := a
	other.tid = 2
	for what, test := range map[string]struct {
		later sample
		want  bool
	}{
		"slept":        {sample{a}, true},
		"ran between":  {sample{ran}, false},
		"runs now":     {sample{left}, false},
		"a new thread": {sample{a, other}, false},
		"ended":        {nil, false},
	} {
		if got := (sample{a}).same(test.later); got != test.want {
			t.Errorf("%s: got %v, want %v", what, got, test.want)
		}
	}
}

// TestVigil: timers are given three times their timeout, and are then habits. The time in which the peer is not at rest does not count, up to a limit.
func TestVigil(t *testing.T) {
	const ms = time.Millisecond
	key := habit{"a", unix.SYS_POLL}
	timers := []timer{{key, 100 * ms}}
	type look struct {
		after, rest time.Duration
		want        bool
	}
	for _, looks := range [][]look{
		{{0, 0, false}, {300 * ms, 300 * ms, false}, {311 * ms, 11 * ms, true}},
		{{0, 50 * ms, false}, {300 * ms, 300 * ms, false}, {600 * ms, 0, false}, {609 * ms, 9 * ms, false}, {610 * ms, 1 * ms, true}},
		{{0, 0, false}, {300 * ms, 0, false}, {1309 * ms, 0, false}, {1310 * ms, 0, true}},
	} {
		h, v, start := new(habits), make(vigil), time.Now()
		for _, l := range looks {
			if got := v.over(timers, start.Add(l.after), l.rest, h); got != l.want {
				t.Errorf("%v: after %v: got %v, want %v", looks, l.after, got, l.want)
			}
		}
		for timeout, want := range map[time.Duration]bool{99 * ms: false, 100 * ms: true, time.Second: true} {
			if got := h.knows(key, timeout); got != want {
				t.Errorf("timeout %v: got known %v, want %v", timeout, got, want)
			}
		}
	}
}

// TestHurried: a timer that may be about to say something is waited for, but not if the peer has said all that
// it said before.
func TestHurried(t *testing.T) {
	spec := helper(Server, "someday", "{addr}")
	spec.Patience = 2 * time.Hour
	g, err := NewGroup([]Spec{spec})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	p, err := g.Start(connection("server", 0))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Stop()
	heard := ""
	for _, r := range []iocache.Request{{Kind: iocache.Open, Conn: out(0)}, {Kind: iocache.Write, Conn: out(0), Data: []byte("hello\n")}} {
		if err := p.Do(r); err != nil {
			t.Fatal(err)
		}
		for {
			if r.Kind == iocache.Open || heard != "" {
				p.(iocache.Hurried).Hurry()
			}
			r, err := p.Poll()
			if err != nil {
				t.Fatal(err)
			}
			if r.Kind == iocache.Quiet {
				break
			}
			heard += string(r.Data)
		}
	}
	if heard != "hello\n" {
		t.Errorf("got %q, want hello", heard)
	}
}

// TestLinger: behind a timer that goes on and on another one may stand. What comes of it is heard by who lingers.
func TestLinger(t *testing.T) {
	g := newGroup(t, helper(Server, "slow ticker", "{addr}"))
	l := start(t, g, iocache.HistoryID{Peer: "server", Whole: true})
	l.hear("")
	l.say(iocache.Open, out(0), "", "")
	l.say(iocache.Write, out(0), "a\n", "main#0 a")
	if err := l.p.(iocache.Lingering).Linger(); err != nil {
		t.Errorf("got %v of a peer that has said all, want no error", err)
	}
	l.say(iocache.Write, out(0), "late\n", "main#0 first")
	err := l.p.(iocache.Lingering).Linger()
	var unasked *Unasked
	if !errors.As(err, &unasked) || string(unasked.Data) != "second\n" {
		t.Errorf("got %v, want that the peer has said something", err)
	}
}

// TestSlowAnswers: a server with a timer that goes on and on is not waited for until that has run out each time. But an answer that takes
// some time is heard: of a request that always does, of one that others have not taken it for, and of one that was answered at once before.
func TestSlowAnswers(t *testing.T) {
	g := newGroup(t, helper(Server, "slow ticker", "{addr}"))
	for range 2 {
		l := start(t, g, iocache.HistoryID{Peer: "server", Whole: true})
		l.hear("")
		l.say(iocache.Open, out(0), "", "")
		for range 4 {
			l.say(iocache.Write, out(0), "fifth\n", "main#0 fifth")
		}
		for range 4 {
			l.say(iocache.Write, out(0), "fifth\n", "main#0 fifth")
			l.say(iocache.Write, out(0), "slow\n", "main#0 slow")
		}
		l.p.Stop()
	}
}

// TestAnswering: who was asked the same and has answered, three times, is taken to have said all, and not who has not answered yet, was late
// once, or did otherwise.
func TestAnswering(t *testing.T) {
	var h habits
	for n := range 3 {
		if h.prompt("get", true) {
			t.Errorf("after %d times a peer is taken to be prompt, want 3", n)
		}
		h.answered("get", true, false)
		h.answered("late", true, n == 1)
		h.answered("now and then", n != 1, false)
		h.answered("open", false, false)
	}
	for _, c := range []struct {
		asked string
		spoke bool
		want  bool
	}{{"get", true, true}, {"get", false, false}, {"late", true, false}, {"now and then", true, false}, {"now and then", false, false}, {"open", false, true}, {"open", true, false}, {"set", true, false}} {
		if got := h.prompt(c.asked, c.spoke); got != c.want {
			t.Errorf("%s, spoken %v: got %v, want %v", c.asked, c.spoke, got, c.want)
		}
	}
}
