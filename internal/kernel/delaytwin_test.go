package kernel

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"github.com/heddle-mc/heddle/internal/kernel/events"
	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
	"github.com/heddle-mc/heddle/internal/testlong"
)

var delayOps = append(slices.DeleteFunc(slices.Clone(epollOps), func(op string) bool { return op == "udp" }),
	"listen", "dial", "dial", "accept", "accept", "again", "error", "wait", "write")

// drawDelayStep is drawEpollStep with the parts of making a connection, each for
// itself.
func drawDelayStep(t *rapid.T) epollStep {
	s := drawEpollStep(t)
	s.op = rapid.SampledFrom(delayOps).Draw(t, "op")
	switch s.op {
	case "wait":
		s.fd, s.n = firstFD, 0 // room for all there may be: which of them is told first is not compared
	case "add", "mod", "del":
		s.fd = firstFD
	}
	return s
}

// doDelay is do for these steps. What epoll tells is in the order of what it was told
// to say, and that of events where one number is watched as two files.
func doDelay(s epollStep, c epollCalls) string {
	switch s.op {
	case "listen":
		fd, e := newSocket(c, linux.AF_INET)
		e1 := c.Bind(fd, sockaddr{ip: own4}.encode(linux.AF_INET))
		return fmt.Sprint(fd, e, e1, c.Listen(fd, 5))
	case "dial":
		to, e := c.Getsockname(s.other)
		if e != 0 || len(to) != 16 {
			return "nowhere"
		}
		fd, e := newSocket(c, linux.AF_INET)
		return fmt.Sprint(fd, e, c.Connect(fd, to))
	case "accept":
		fd, _, e := c.Accept(s.fd, linux.SOCK_NONBLOCK)
		return fmt.Sprint(fd, e)
	case "again":
		return c.Connect(s.fd, sockaddr{ip: own4, port: 1}.encode(linux.AF_INET)).Error()
	case "error":
		b, e := c.Getsockopt(s.fd, linux.SOL_SOCKET, linux.SO_ERROR)
		return fmt.Sprintf("%x %v", b, e)
	case "wait":
		list, e := c.EpollWait(s.fd, 9)
		slices.SortFunc(list, func(a, b events.EpollEvent) int {
			return cmp.Or(cmp.Compare(a.Data, b.Data), cmp.Compare(a.Events, b.Events))
		})
		return fmt.Sprintf("%x %v", list, e)
	}
	return s.do(c)
}

// A delayWay is a way in which a call can go: what is chosen, and the answer if the
// call is not made.
type delayWay struct {
	choose func(k *Kernel)
	early  string
}

// delayWays lists in which ways a step can go, as package native offers them.
func delayWays(k *Kernel, s epollStep) (ways []delayWay) {
	mode, early := byte(0), ""
	switch s.op {
	case "read":
		mode, early = 'r', `"" `+linux.EAGAIN.Error()
	case "write":
		mode, early = 'w', "0 "+linux.EAGAIN.Error()
	case "accept":
		mode, early = 'r', "-1 "+linux.EAGAIN.Error()
	case "again":
		mode, early = 'w', linux.EALREADY.Error()
	case "error":
		if k.LateError(s.fd) {
			mode, early = 'w', "00000000 errno 0"
		}
	case "wait":
		a := k.AwaitEpoll(s.fd)
		for way := range a.Ways(true) {
			ways = append(ways, delayWay{choose: func(k *Kernel) { a.Choose(way, true) }})
		}
		return ways
	}
	if mode == 0 || !k.Late(s.fd, mode) {
		return []delayWay{{choose: func(*Kernel) {}}}
	}
	return []delayWay{
		{func(k *Kernel) { k.NotYet(s.fd, mode) }, early},
		{func(k *Kernel) { k.Notice(s.fd, mode) }, ""},
	}
}

func (w delayWay) do(k *Kernel, s epollStep) string {
	w.choose(k)
	if w.early != "" {
		return w.early
	}
	return doDelay(s, k)
}

// insist fails the test if a comparison with the host fails several times: when
// packets arrive, and so what is news twice, is the host's own affair.
func insist(rt *rapid.T, compare func() string) {
	for try := 0; ; try++ {
		switch text := compare(); {
		case text == "":
			return
		case try == 4:
			rt.Fatal(text)
		}
		unix.Poll(nil, 1)
	}
}

// TestDelaysTwin: whatever the host answers to calls that do not wait, and whatever
// its epoll tells, level- and edge-triggered, is among what the model offers. The model
// goes on from there; now and then it goes another way first, and comes back.
func TestDelaysTwin(t *testing.T) {
	told, chosen := 0, 0
	run := func(steps []epollStep) string {
		real := &realHost{map[int]int{}}
		defer func() {
			for fd := range real.fds {
				real.Close(fd)
			}
		}()
		k := New(&host.Real{}, Options{Identity: process.Identity{UID: os.Getuid(), GID: os.Getgid()}, Settings: sockets.Settings{Delays: sockets.DelayAll}})
		k.Mark()
		all := func() string { // with what is late
			k.Delays = 0
			defer func() { k.Delays = sockets.DelayAll }()
			return eventsOf(k, pollers(k))
		}
		var log []string
		for _, s := range steps {
			ways := delayWays(k, s)
			want := doDelay(s, real)
			real.acknowledged()
			log = append(log, fmt.Sprint(s, ": ", want))
			var offers []string
			at := -1
			for i, w := range ways {
				m := k.Mark()
				offers = append(offers, w.do(k, s))
				refused := k.Refused()
				k.Restore(m)
				if refused != "" {
					return ""
				}
				if offers[i] == want && at < 0 {
					at = i
				}
			}
			if at < 0 {
				return fmt.Sprintf("%s\noffered %q\nwant    %q", strings.Join(log, "\n"), offers, want)
			}
			if len(ways) > 1 {
				chosen++
			}
			if s.op == "wait" && strings.HasPrefix(want, "[{") {
				told++
			}
			if got := ways[at].do(k, s); got != want {
				return fmt.Sprintf("%s\ngot %s again, want %s", strings.Join(log, "\n"), got, want)
			}
			for try := 0; eventsOf(real, pollers(k)) != all(); try++ {
				if try == 300 {
					return fmt.Sprintf("readiness:\n%s\ngot  %s\nwant %s", strings.Join(log, "\n"), all(), eventsOf(real, pollers(k)))
				}
				unix.Poll(nil, 1) // packets may be on their way
			}
		}
		return ""
	}
	check := func(rt *rapid.T) {
		steps := []epollStep{{op: "epoll"}, {op: "tcp", n: 6}}
		for range rapid.IntRange(1, 80).Draw(rt, "steps") {
			steps = append(steps, drawDelayStep(rt))
		}
		insist(rt, func() string { return run(steps) })
	}
	t.Run("number with two files", func(t *testing.T) { // the first goes on as a copy
		steps := []epollStep{
			{op: "epoll"}, {op: "tcp", n: 6}, {op: "dup", fd: 6}, {op: "add", fd: 3, other: 6, events: linux.EvIn},
			{op: "close", fd: 6}, {op: "pipe"}, {op: "close", fd: 7}, {op: "add", fd: 3, other: 6, events: linux.EvIn},
			{op: "write", fd: 5}, {op: "wait", fd: 3},
		}
		if text := run(steps); text != "" {
			t.Error(text)
		}
		if told != 1 {
			t.Errorf("got events %d times, want once", told)
		}
	})
	if t.Failed() {
		return
	}
	rounds := testlong.Or(5, 20)
	for range rounds { // each is a hundred sequences of calls
		rapid.Check(t, check)
	}
	if (told < 25*rounds || chosen < 100*rounds) && !t.Failed() && !testing.Short() {
		t.Errorf("got events %d times and choices %d times, want at least %d and %d", told, chosen, 25*rounds, 100*rounds)
	}
}

// TestDelaysUndo goes back and forth with choices.
func TestDelaysUndo(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		k := New(&host.Real{}, Options{Identity: process.Identity{UID: os.Getuid(), GID: os.Getgid()}, Settings: sockets.Settings{Delays: sockets.DelayAll}})
		checkUndo(rt, k, func() func(k *Kernel) string {
			s, pick := drawDelayStep(rt), rapid.IntRange(0, 100).Draw(rt, "way")
			return func(k *Kernel) string {
				ways := delayWays(k, s)
				return ways[pick%len(ways)].do(k, s) + " " + eventsOf(k, nil) + k.Refused()
			}
		})
	})
}
