package execute_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// An eventProgram is a program with two goroutines and one TCP connection between
// them, on which no call waits: one asks epoll, the other tries again and again.
type eventProgram struct {
	edge    bool  // epoll tells of news only
	timeout int   // of epoll, in milliseconds
	writes  []int // the sizes of what is written
	buffer  int   // of the reader
	drain   bool  // the reader reads until there is nothing left
	shared  string
	closes  bool // the writer closes its end, and the reader reads up to there
	toggles bool // the reader waits for the last bytes without epoll
}

func randomEventProgram(seed uint64) (p eventProgram, s execute.Settings) {
	r := rand.New(rand.NewPCG(seed, 5))
	flip := func() bool { return r.IntN(2) == 0 }
	p = eventProgram{
		edge:    flip(),
		timeout: []int{-1, -1, 0, 50}[r.IntN(4)],
		buffer:  1 + r.IntN(4),
		closes:  flip(),
		toggles: flip(),
		shared:  []string{"", "", "lock", "race"}[r.IntN(4)],
	}
	p.drain = p.edge || flip()
	for range 1 + r.IntN(2) {
		p.writes = append(p.writes, 1+r.IntN(3))
	}
	s.Delays = []sockets.Delays{sockets.DelayAll, sockets.DelayRead, sockets.DelayWrite | sockets.DelayConnect, sockets.DelayAccept | sockets.DelayRead}[r.IntN(4)]
	s.Partial = r.IntN(4) == 0
	return p, s
}

const eventText = `package main

import (
	"sync"
	"syscall"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

var mu sync.Mutex
var count int

func touch() {
	BEFORE
	DOING
	AFTER
}

var at = &syscall.SockaddrInet4{Port: 7000, Addr: [4]byte{127, 0, 0, 1}}

func write() {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_NONBLOCK, 0)
	must(err)
	if err := syscall.Connect(fd, at); err != syscall.EINPROGRESS {
		panic(err)
	}
	for err = syscall.Connect(fd, at); err == syscall.EALREADY; err = syscall.Connect(fd, at) {
	}
	must(err)
	for _, n := range []int{WRITES} {
		for b := []byte("abc")[:n]; len(b) > 0; {
			n, err := syscall.Write(fd, b)
			if err == syscall.EAGAIN {
				continue
			}
			must(err)
			b = b[n:]
		}
	}
	touch()
	if CLOSES {
		must(syscall.Close(fd))
	}
}

func read(l, ep int) {
	conn, sum := -1, 0
	for sum < TOTAL || CLOSES {
		if TOGGLES && conn >= 0 && sum == TOTAL-1 {
			must(syscall.SetNonblock(conn, false))
			n, err := syscall.Read(conn, make([]byte, 1))
			must(err)
			sum += n
			must(syscall.SetNonblock(conn, true))
			if !CLOSES {
				break
			}
		}
		var events [4]syscall.EpollEvent
		n, err := syscall.EpollWait(ep, events[:], TIMEOUT)
		must(err)
		for _, ev := range events[:n] {
			if int(ev.Fd) == l {
				conn, _, err = syscall.Accept4(l, syscall.SOCK_NONBLOCK)
				must(err)
				must(syscall.EpollCtl(ep, syscall.EPOLL_CTL_ADD, conn, &syscall.EpollEvent{Events: EVENTS, Fd: int32(conn)}))
				continue
			}
			for {
				b := make([]byte, BUFFER)
				n, err := syscall.Read(conn, b)
				if err == syscall.EAGAIN {
					break
				}
				must(err)
				if sum += n; n == 0 {
					if sum != TOTAL {
						panic("bytes are lost")
					}
					touch()
					return
				}
				if !DRAIN {
					break
				}
			}
		}
	}
	touch()
}

func main() {
	l, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_NONBLOCK, 0)
	must(err)
	must(syscall.Bind(l, at))
	must(syscall.Listen(l, 10))
	ep, err := syscall.EpollCreate1(0)
	must(err)
	must(syscall.EpollCtl(ep, syscall.EPOLL_CTL_ADD, l, &syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(l)}))
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { defer wg.Done(); write() }()
	go func() { defer wg.Done(); read(l, ep) }()
	wg.Wait()
}
`

func (p eventProgram) text() string {
	total := 0
	for _, n := range p.writes {
		total += n
	}
	events := "syscall.EPOLLIN"
	if p.edge {
		events += "|1<<31"
	}
	lock, unlock, body := "", "", ""
	switch p.shared {
	case "lock":
		lock, unlock, body = "mu.Lock()", "mu.Unlock()", "count++"
	case "race":
		body = "count++"
	}
	return strings.NewReplacer(
		"AFTER", unlock, "BEFORE", lock, "DOING", body, "WRITES", strings.Trim(strings.Join(strings.Fields(fmt.Sprint(p.writes)), ", "), "[]"),
		"CLOSES", fmt.Sprint(p.closes), "TOGGLES", fmt.Sprint(p.toggles), "TOTAL", fmt.Sprint(total), "TIMEOUT", fmt.Sprint(p.timeout),
		"EVENTS", events, "BUFFER", fmt.Sprint(p.buffer), "DRAIN", fmt.Sprint(p.drain),
	).Replace(eventText)
}

// agreeEvents is agree without what the command takes for granted, by which the bytes
// that were received belong to the state, and then with that: the same is found.
func agreeEvents(prog *bytecode.Program, s execute.Settings) (a agreement, complaint string) {
	run := func(o explore.Options) search {
		o.All, o.Limits.States = true, 30_000
		r, _, err := searchOnce(prog, way{Options: o, Settings: s})
		if err != nil {
			panic(err)
		}
		return r
	}
	a.plain, a.reduced = run(explore.Options{}), run(explore.Options{Reduce: true})
	if c := compareReduced(a.plain, a.reduced); c != "" {
		return a, c
	}
	for _, first := range []search{a.plain, a.reduced} {
		reduce := first.Result == a.reduced.Result
		for _, o := range []explore.Options{{Workers: 2, Reduce: reduce}, {Strategy: explore.BreadthFirst, Reduce: reduce}} {
			if c := compareOrder(first, run(o)); c != "" && !first.cutOff() {
				return a, fmt.Sprintf("%v with %d workers, reduce %v: %s", o.Strategy, max(o.Workers, 1), reduce, c)
			}
		}
	}
	r, err := searchFor(prog, way{Options: explore.Options{All: true, Reduce: true, Limits: explore.Limits{States: 30_000}}, Settings: s})
	if err != nil {
		panic(err)
	}
	a.assumed = r
	if got, want := fmt.Sprint(r.kinds()), fmt.Sprint(a.plain.kinds()); got != want && !r.cutOff() {
		return a, fmt.Sprintf("with assumptions %s, without %s", got, want)
	}
	return a, ""
}

// TestAgreeEvents: programs on whose connections no call waits are searched with and
// without reduction, in several orders and with two workers, and all agree.
func TestAgreeEvents(t *testing.T) {
	t.Parallel()
	n := testlong.Or[uint64](5, 24)
	if testing.Short() {
		n = 6
	}
	whole, races := 0, 0
	for seed := range n {
		p, s := randomEventProgram(seed)
		a, complaint := agreeEvents(compileText(t, p.text()), s)
		if complaint != "" {
			t.Errorf("seed %d, delays %v, partial %v: %s\n%+v", seed, s.Delays, s.Partial, complaint, p)
		}
		if text := a.reduced.beyond(); text != "" {
			t.Errorf("seed %d: %s", seed, text)
		}
		got, want := fmt.Sprint(a.reduced.kinds()), "[]"
		if p.shared == "race" && !p.closes { // the end of the file comes after what the writer did
			want = "[race]"
			races++
		}
		if got != want && !a.reduced.cutOff() {
			t.Errorf("seed %d: got findings %s, want %s\n%+v\n%v", seed, got, want, p, a.reduced.found())
		}
		if a.whole() {
			whole++
		}
	}
	if whole < int(n)*2/3 {
		t.Errorf("got %d of %d programs searched to the end", whole, n)
	}
	t.Logf("%d programs, %d to the end, %d with a race", n, whole, races)
}

// TestNotYetIsALoop: a call that is early changes nothing, so that trying again is no
// new state.
func TestNotYetIsALoop(t *testing.T) {
	p := eventProgram{timeout: -1, writes: []int{1}, buffer: 1}
	prog := compileText(t, p.text())
	states := func(d sockets.Delays) uint64 {
		r, err := searchFor(prog, way{Options: explore.Options{All: true}, Settings: execute.Settings{Delays: d}})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Findings)+len(r.Left) > 0 {
			t.Fatalf("got %v, %v", r.found(), r.Left)
		}
		return uint64(r.States)
	}
	none, connect := states(0), states(sockets.DelayConnect)
	if connect > 2*none {
		t.Errorf("got %d states with attempts to connect that may be early, want hardly more than the %d without", connect, none)
	}
}

// TestEdgeNotDrained: who is told of news only and does not read all there is may wait
// for ever.
func TestEdgeNotDrained(t *testing.T) {
	p := eventProgram{edge: true, timeout: -1, writes: []int{2}, buffer: 1}
	r, err := searchFor(compileText(t, p.text()), way{Options: explore.Options{All: true, Reduce: true}, Settings: execute.Settings{Delays: sockets.DelayAll}})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(r.kinds()); got != "[deadlock]" {
		t.Errorf("got %s, want a deadlock", got)
	}
}
