package kernel

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/heddle-mc/heddle/internal/kernel/events"
	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
)

// TestTimerfd follows a timer on a clock that the test moves.
func TestTimerfd(t *testing.T) {
	now := int64(1000)
	k := New(&host.Real{}, Options{Identity: process.Identity{Clocks: process.Clocks{Mono: func() int64 { return now }, Now: func() int64 { return now + 5000 }}}})
	fd, e := k.TimerfdCreate(1, linux.O_NONBLOCK)
	ep, e1 := k.EpollCreate(0)
	must(t, e, e1, k.EpollCtl(ep, linux.EPOLL_CTL_ADD, fd, linux.EvIn|linux.EPOLLET, 7))
	check := func(what, want string, got ...any) {
		t.Helper()
		if text := fmt.Sprint(got...); text != want {
			t.Errorf("%s: got %s want %s", what, text, want)
		}
	}
	read := func() string {
		b := make([]byte, 8)
		n, e := k.Read(fd, b)
		return fmt.Sprint(n, binary.LittleEndian.Uint64(b), e)
	}
	wait := func() string {
		list, e := k.EpollWait(ep, 4)
		return fmt.Sprint(list, e)
	}
	check("stopped", "0 0 resource temporarily unavailable", read())
	check("never", "0", k.NextExpiry())
	old, e := k.TimerfdSettime(fd, 0, events.TimerSpec{Interval: 100, Value: 50})
	check("set", "{0 0} errno 0", old, " ", e)
	check("next", "1050", k.NextExpiry())
	check("before", "[] resource temporarily unavailable", wait())
	now = 1050
	check("edge", "[{1 7}] errno 0", wait())
	check("same edge", "[] resource temporarily unavailable", wait())
	now = 1160
	check("next edge", "[{1 7}] errno 0", wait())
	check("twice", "8 2 errno 0", read())
	spec, e := k.TimerfdGettime(fd)
	check("left", "{100 90} errno 0", spec, " ", e)
	old, e = k.TimerfdSettime(fd, linux.TFD_TIMER_ABSTIME, events.TimerSpec{Value: 1200})
	check("absolute", "{100 90} errno 0", old, " ", e)
	check("next", "1200", k.NextExpiry())
	now = 1300
	check("once", "8 1 errno 0", read())
	check("no more", "0 0 resource temporarily unavailable", read())

	wall, e := k.TimerfdCreate(0, 0)
	must(t, e)
	_, e = k.TimerfdSettime(wall, linux.TFD_TIMER_ABSTIME, events.TimerSpec{Value: 6400})
	must(t, e)
	check("wall clock", "1400", k.NextExpiry())
	_, e = k.TimerfdSettime(ep, 0, events.TimerSpec{})
	check("no timer", "invalid argument", e)
}

// TestTimerfdKey: how far away a timer is belongs to the state, the time of day
// does not.
func TestTimerfdKey(t *testing.T) {
	key := func(now, value int64) string {
		k := New(&host.Real{}, Options{Identity: process.Identity{Clocks: process.Clocks{Mono: func() int64 { return now }}}})
		fd, e := k.TimerfdCreate(1, 0)
		must(t, e)
		_, e = k.TimerfdSettime(fd, 0, events.TimerSpec{Value: value})
		must(t, e)
		return string(k.AppendKey(nil))
	}
	if key(100, 50) != key(300, 50) {
		t.Error("got different keys at different times")
	}
	if key(100, 50) == key(100, 60) {
		t.Error("got one key for different timers")
	}
}
