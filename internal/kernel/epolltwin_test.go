package kernel

import (
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"github.com/heddle-mc/heddle/internal/kernel/events"
	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// epollCalls is the part of the kernel that the twin test of epoll drives.
type epollCalls interface {
	socketCalls
	EpollCreate(flags int) (int, linux.Errno)
	EpollCtl(epfd, op, fd int, events uint32, data uint64) linux.Errno
	EpollWait(epfd, max int) ([]events.EpollEvent, linux.Errno)
	Eventfd(initial uint32, flags int) (int, linux.Errno)
	Pipe2(flags int) (r, w int, e linux.Errno)
}

// An event of the host is as long as the processor has it, with its data at the end.
const (
	eventSize = int(unsafe.Sizeof(unix.EpollEvent{}))
	eventData = eventSize - 8
)

func (h *realHost) EpollCreate(flags int) (int, linux.Errno) {
	return h.enter(unix.EpollCreate1(flags))
}

func (h *realHost) EpollCtl(epfd, op, fd int, events uint32, data uint64) linux.Errno {
	b := make([]byte, eventSize)
	binary.LittleEndian.PutUint32(b, events)
	binary.LittleEndian.PutUint64(b[eventData:], data)
	_, e := h.call(linux.SYS_EPOLL_CTL, epfd, op, h.fd(fd), b)
	return e
}

func (h *realHost) EpollWait(epfd, max int) (list []events.EpollEvent, e linux.Errno) {
	b := make([]byte, eventSize*16)
	n, e := h.call(linux.SYS_EPOLL_PWAIT, epfd, b, max, 0, 0) // each processor has this one
	switch {
	case e != 0:
		return nil, e
	case n == 0:
		return nil, linux.EAGAIN
	}
	for i := range n {
		ev := b[eventSize*i:]
		list = append(list, events.EpollEvent{Events: binary.LittleEndian.Uint32(ev), Data: binary.LittleEndian.Uint64(ev[eventData:])})
	}
	return list, 0
}

func (h *realHost) Eventfd(initial uint32, flags int) (int, linux.Errno) {
	return h.enter(unix.Eventfd(uint(initial), flags))
}

// acknowledged waits until TCP knows that the ends of streams have arrived. The host
// may take 40 ms to say so, and it is news for epoll, whatever that waits for.
func (h *realHost) acknowledged() {
	for _, fd := range h.fds {
		for range 1000 {
			info, err := unix.GetsockoptTCPInfo(fd, linux.IPPROTO_TCP, linux.TCP_INFO)
			if err != nil || info.State != unix.BPF_TCP_FIN_WAIT1 && info.State != unix.BPF_TCP_CLOSING {
				break
			}
			unix.Poll(nil, 1)
		}
	}
}

// pollers returns which descriptors are those of an epoll that watches something. They are not polled:
// that changes the order of what they tell.
func pollers(k *Kernel) map[int]bool {
	list := map[int]bool{}
	for fd := firstFD; fd <= lastFD; fd++ {
		list[fd] = len(k.EpollFDs(fd)) > 0
	}
	return list
}

// An epollStep is one random call; it returns its results as text.
type epollStep struct {
	op           string
	fd, other, n int
	events       uint32
}

func (s epollStep) String() string {
	return fmt.Sprintf("%s fd %d other %d n %d events %#x", s.op, s.fd, s.other, s.n, s.events)
}

var epollOps = []string{
	"wait", "write", "read", "add", "wait", "mod", "write", "add", "read", "epoll", "tcp", "pipe", "event", "unix", "wait", "add",
	"shutdown", "close", "del", "dup", "udp", "blocking",
}

func drawEpollStep(t *rapid.T) epollStep {
	s := epollStep{
		op:    rapid.SampledFrom(epollOps).Draw(t, "op"),
		fd:    rapid.IntRange(firstFD, lastFD).Draw(t, "fd"),
		other: rapid.IntRange(firstFD, lastFD).Draw(t, "other"),
		n:     rapid.IntRange(0, 9).Draw(t, "n"),
	}
	switch s.op {
	case "wait", "add", "mod", "del": // mostly the first
		if s.n < 8 {
			s.fd = firstFD
		}
	}
	for _, bit := range []uint32{linux.EvIn, linux.EvRdHup, linux.EPOLLET, linux.EPOLLONESHOT} {
		if rapid.Bool().Draw(t, "event") {
			s.events |= bit
		}
	}
	if rapid.Bool().Draw(t, "out") {
		s.events |= linux.EvOut
	}
	return s
}

func (s epollStep) do(c epollCalls) string {
	defer func() {
		for fd := range 4 { // keep to few descriptors
			c.Close(lastFD + 1 + fd)
		}
	}()
	switch s.op {
	case "epoll":
		fd, e := c.EpollCreate(linux.O_CLOEXEC)
		return fmt.Sprint(fd, e)
	case "tcp":
		return tcpPair(c, s.n)
	case "udp":
		fd, e := c.Socket(linux.AF_INET, linux.SOCK_DGRAM|linux.SOCK_NONBLOCK, 0)
		e1 := c.Bind(fd, sockaddr{ip: own4}.encode(linux.AF_INET))
		to, _ := c.Getsockname(fd)
		return fmt.Sprint(fd, e, e1, c.Connect(fd, to)) // with itself
	case "gram":
		a, b, e := c.Socketpair(linux.AF_UNIX, linux.SOCK_DGRAM|linux.SOCK_NONBLOCK, 0)
		return fmt.Sprint(a, b, e)
	case "unix":
		a, b, e := c.Socketpair(linux.AF_UNIX, nonblocking, 0)
		return fmt.Sprint(a, b, e)
	case "pipe":
		r, w, e := c.Pipe2(linux.O_NONBLOCK)
		return fmt.Sprint(r, w, e)
	case "event":
		fd, e := c.Eventfd(uint32(s.n), linux.O_NONBLOCK|s.n%2)
		return fmt.Sprint(fd, e)
	case "add", "mod", "del":
		op := map[string]int{"add": linux.EPOLL_CTL_ADD, "mod": linux.EPOLL_CTL_MOD, "del": linux.EPOLL_CTL_DEL}[s.op]
		return c.EpollCtl(s.fd, op, s.other, s.events, uint64(s.other)<<32|uint64(s.n)).Error()
	case "wait":
		list, e := c.EpollWait(s.fd, 9-s.n)
		return fmt.Sprintf("%x %v", list, e)
	case "read":
		b := make([]byte, 8+s.n%3)
		n, e := c.Read(s.fd, b)
		return fmt.Sprintf("%q %v", b[:n], e)
	case "write":
		n, e := c.Write(s.fd, []byte{byte(s.n), 0, 0, 0, 0, 0, 0, 0, 1, 2}[:8+s.n%3])
		return fmt.Sprint(n, e)
	case "shutdown":
		return c.Shutdown(s.fd, s.n%3).Error()
	case "close":
		return c.Close(s.fd).Error()
	case "dup":
		fd, e := c.Dup(s.fd, 0, false)
		return fmt.Sprint(fd, e)
	case "blocking": // and back
		old, e := c.Fcntl(s.fd, linux.F_GETFL, 0)
		_, e1 := c.Fcntl(s.fd, linux.F_SETFL, old&^linux.O_NONBLOCK)
		now, e2 := c.Fcntl(s.fd, linux.F_GETFL, 0)
		_, e3 := c.Fcntl(s.fd, linux.F_SETFL, old)
		return fmt.Sprint(old&linux.O_NONBLOCK, now&linux.O_NONBLOCK, e, e1, e2, e3)
	}
	panic(s.op)
}

// TestEpollTwin holds epoll over sockets, pipes and counters, level- and
// edge-triggered and once, against the host's.
func TestEpollTwin(t *testing.T) {
	told := 0 // how often it had something to tell
	run := func(steps []epollStep) string {
		real := &realHost{map[int]int{}}
		defer func() {
			for fd := range real.fds {
				real.Close(fd)
			}
		}()
		k := New(&host.Real{}, Options{Identity: process.Identity{UID: os.Getuid(), GID: os.Getgid()}})
		var log []string
		for _, s := range steps {
			want, got := s.do(real), s.do(k)
			real.acknowledged()
			log = append(log, fmt.Sprint(s, ": ", want))
			if s.op == "wait" && strings.HasPrefix(want, "[{") {
				told++
			}
			if what := k.Refused(); what != "" {
				return fmt.Sprintf("%s\nrefused: %s", strings.Join(log, "\n"), what)
			}
			if got != want {
				return fmt.Sprintf("%s\ngot  %s\nwant %s", strings.Join(log, "\n"), got, want)
			}
			for try := 0; eventsOf(real, pollers(k)) != eventsOf(k, pollers(k)); try++ {
				if try == 300 {
					return fmt.Sprintf("readiness:\n%s\ngot  %s\nwant %s", strings.Join(log, "\n"), eventsOf(k, pollers(k)), eventsOf(real, pollers(k)))
				}
				unix.Poll(nil, 1) // packets may be on their way
			}
		}
		return ""
	}
	check := func(rt *rapid.T) {
		steps := []epollStep{{op: "epoll"}}
		for range 3 {
			steps = append(steps, epollStep{op: rapid.SampledFrom([]string{"tcp", "pipe", "event", "unix", "udp", "epoll"}).Draw(rt, "first"), n: 6})
		}
		for range rapid.IntRange(1, 80).Draw(rt, "steps") {
			steps = append(steps, drawEpollStep(rt))
		}
		insist(rt, func() string { return run(steps) })
	}
	for _, tc := range []struct {
		name  string
		want  int // how often there is something to tell
		steps []epollStep
	}{
		{"news of room with UDP", 2, []epollStep{
			{op: "epoll"}, {op: "epoll"}, {op: "udp"}, {op: "add", fd: 4, other: 5, events: linux.EvOut},
			{op: "add", fd: 3, other: 4, events: linux.EvIn | linux.EPOLLET}, {op: "wait", fd: 3}, {op: "write", fd: 5}, {op: "wait", fd: 3},
		}},
		{"what is left of a write takes room", 2, []epollStep{
			{op: "epoll"}, {op: "unix"}, {op: "add", fd: 3, other: 4, events: linux.EvOut | linux.EPOLLET}, {op: "wait", fd: 3},
			{op: "write", fd: 4, n: 1}, {op: "read", fd: 5}, {op: "wait", fd: 3}, {op: "read", fd: 5}, {op: "wait", fd: 3},
		}},
		{"a change of what is in the list is no news", 1, []epollStep{
			{op: "epoll"}, {op: "epoll"}, {op: "event", n: 6}, {op: "add", fd: 4, other: 5, events: linux.EvOut},
			{op: "add", fd: 3, other: 4, events: linux.EvIn | linux.EPOLLET}, {op: "wait", fd: 3},
			{op: "mod", fd: 4, other: 5, events: linux.EvIn}, {op: "wait", fd: 3},
		}},
		{"who looks forgets what has nothing to tell", 1, []epollStep{
			{op: "epoll"}, {op: "epoll"}, {op: "event"}, {op: "add", fd: 4, other: 5, events: linux.EvIn | linux.EPOLLET},
			{op: "add", fd: 3, other: 4, events: linux.EvIn | linux.EPOLLET}, {op: "write", fd: 5, n: 6}, {op: "read", fd: 5}, {op: "wait", fd: 3},
			{op: "mod", fd: 4, other: 5, events: linux.EvOut}, {op: "wait", fd: 3},
		}},
		{"the end of a stream that is acknowledged", 1, []epollStep{
			{op: "epoll"}, {op: "tcp"}, {op: "write", fd: 5}, {op: "shutdown", fd: 5, n: 1},
			{op: "add", fd: 3, other: 5, events: linux.EvOut | linux.EPOLLET}, {op: "wait", fd: 3}, {op: "write", fd: 6}, {op: "wait", fd: 3},
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			told = 0
			if text := run(tc.steps); text != "" {
				t.Error(text)
			} else if told != tc.want {
				t.Errorf("got events %d times, want %d", told, tc.want)
			}
		})
	}
	if t.Failed() {
		return
	}
	rounds := testlong.Or(5, 20)
	for range rounds { // each is a hundred sequences of calls
		rapid.Check(t, check)
	}
	if told < 25*rounds && !t.Failed() && !testing.Short() {
		t.Errorf("got events %d times, want at least %d", told, 25*rounds)
	}
}

// TestEpollUndo goes back and forth with epoll.
func TestEpollUndo(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		k := New(&host.Real{}, Options{Identity: process.Identity{UID: os.Getuid(), GID: os.Getgid()}})
		checkUndo(rt, k, func() func(k *Kernel) string {
			s := drawEpollStep(rt)
			return func(k *Kernel) string { return s.do(k) + " " + eventsOf(k, nil) + k.Refused() }
		})
	})
}

// TestEpollKey: in which order watches were added does not matter, in which order
// they were woken does.
func TestEpollKey(t *testing.T) {
	key := func(order, writes []int) string {
		k := New(&host.Real{}, Options{})
		ep, e := k.EpollCreate(0)
		must(t, e)
		var ends [2][2]int
		for i := range ends {
			ends[i][0], ends[i][1], e = k.Pipe2(linux.O_NONBLOCK)
			must(t, e)
		}
		for _, i := range order {
			must(t, k.EpollCtl(ep, linux.EPOLL_CTL_ADD, ends[i][0], linux.EvIn, uint64(i)))
		}
		for _, i := range writes {
			_, e := k.Write(ends[i][1], []byte("x"))
			must(t, e)
		}
		return string(k.AppendKey(nil))
	}
	if key([]int{0, 1}, nil) != key([]int{1, 0}, nil) {
		t.Error("got different keys for watches that were added in another order")
	}
	if key([]int{0, 1}, []int{0, 1}) == key([]int{0, 1}, []int{1, 0}) {
		t.Error("got one key for watches that were woken in different orders")
	}
}
