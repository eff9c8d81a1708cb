package native

import (
	"math"

	"github.com/heddle-mc/heddle/internal/vm"
)

// Time is virtual. It begins at a fixed instant, passes as the program executes,
// and jumps to the next timer when every goroutine is blocked.

const (
	epoch = 1257894000 // 2009-11-10 23:00:00 UTC, in seconds since 1970

	// monoBase keeps monotonic readings positive, as package time expects.
	monoBase = 1

	nanos = 1_000_000_000
)

// wallClock is the virtual time of day, in seconds and nanoseconds since 1970.
func wallClock(m *vm.Machine) (sec, nsec int64) {
	now := m.Now()
	return epoch + now/nanos, now % nanos
}

// WallClock is the virtual time of day in nanoseconds since 1970. The machine
// may be nil: then it is the beginning.
func WallClock(m *vm.Machine) int64 {
	if m == nil {
		return epoch * nanos
	}
	return epoch*nanos + m.Now()
}

// nanotime is the virtual monotonic clock as programs see it.
func nanotime(m *vm.Machine) int64 { return m.Now() + monoBase }

func timeNow(c *vm.NativeCall) vm.Outcome {
	c.M.ReadClock()
	if b := c.G.Bubble(); b != 0 { // there is no monotonic clock, as in Go
		now := c.M.ClockOf(b)
		c.Set(0, uint64(now/nanos))
		c.Set(1, uint64(now%nanos))
		c.Set(2, 0)
		return vm.Done
	}
	sec, nsec := wallClock(c.M)
	c.Set(0, uint64(sec))
	c.Set(1, uint64(nsec))
	c.Set(2, uint64(nanotime(c.M)))
	return vm.Done
}

// bubbleNano is the clock that package time counts by: that of the bubble, if there is one.
func bubbleNano(c *vm.NativeCall) vm.Outcome {
	if b := c.G.Bubble(); b != 0 {
		c.M.ReadClock()
		c.Set(0, uint64(c.M.ClockOf(b)))
		return vm.Done
	}
	return runtimeNano(c)
}

func runtimeNano(c *vm.NativeCall) vm.Outcome {
	c.M.ReadClock()
	c.Set(0, uint64(nanotime(c.M)))
	return vm.Done
}

// timeWhen is time.when: the moment after a duration, which package time hands to
// newTimer or resetTimer. The program does not get to know it. Between the two the
// clock of a search may move, and a state must not tell what time it was: there it
// is the duration, which counts from the moment at which the timer is set.
func timeWhen(c *vm.NativeCall) vm.Outcome {
	d := max(int64(c.Word(0)), 0)
	switch b := c.G.Bubble(); {
	case c.M.Driven():
	case b != 0:
		d = after(c.M.ClockOf(b), d)
	default:
		d = after(nanotime(c.M), d)
	}
	c.Set(0, uint64(d))
	return vm.Done
}

// after is the moment after a duration.
func after(now, d int64) int64 {
	if now+d < 0 {
		return math.MaxInt64
	}
	return now + d
}

// setFor returns the moment that timeWhen has told, on the clock of the machine or of a bubble.
func setFor(c *vm.NativeCall, when int64) int64 {
	b := c.G.Bubble()
	switch {
	case c.M.Driven():
		return after(c.M.ClockOf(b), when)
	case b != 0:
		return when
	}
	return when - monoBase
}

func timeSleep(c *vm.NativeCall) vm.Outcome {
	d := int64(c.Word(0))
	if d <= 0 || c.Resumed("sleep") {
		return vm.Done
	}
	c.Park("sleep", 0, after(c.M.ClockOf(c.G.Bubble()), d))
	return vm.Again
}

// newTimer takes when, period, f, arg (two words) and the channel if it is to
// have the synchronous semantics of Go 1.23.
func newTimer(c *vm.NativeCall) vm.Outcome {
	when, period := int64(c.Word(0)), int64(c.Word(1))
	ch := c.Ptr(5)
	if c.M.Setting(vm.AsyncTimerChan, 0) != 0 {
		ch = 0
	}
	t := c.M.NewTimer(ch, ch != 0)
	if t == 0 {
		return c.OutOfMemory()
	}
	c.M.SetTimer(t, setFor(c, when), period, c.Ptr(2), c.Ptr(3), c.Ptr(4), 0)
	c.SetPtr(0, t)
	c.M.Heap.Publish(t) // the clock can reach it
	return vm.Done
}

func stopTimer(c *vm.NativeCall) vm.Outcome {
	if c.G.Bubble() == 0 && c.M.TimerBubble(c.Ptr(0)) != 0 {
		return c.Fatal("stop of synctest timer from outside bubble")
	}
	c.SetBool(0, c.M.StopTimer(c.Ptr(0)))
	return vm.Done
}

func resetTimer(c *vm.NativeCall) vm.Outcome {
	if c.G.Bubble() == 0 && c.M.TimerBubble(c.Ptr(0)) != 0 {
		return c.Fatal("reset of synctest timer from outside bubble")
	}
	when, period := int64(c.Word(1)), int64(c.Word(2))
	c.SetBool(0, c.M.ResetTimer(c.Ptr(0), setFor(c, when), period))
	return vm.Done
}

func init() {
	register(NoBody, "the virtual clock", map[string]vm.Native{
		"time.now":                       timeNow,
		"time.runtimeNow":                timeNow,
		"time.runtimeNano":               bubbleNano,
		"internal/poll.runtimeNano":      runtimeNano,
		"internal/sync.runtime_nanotime": runtimeNano,
		"runtime.nanotime":               runtimeNano,
		"runtime.nanotime1":              runtimeNano,
		"runtime.cputicks":               runtimeNano,
		"runtime.time_now":               timeNow,
	})
	register(Canonical, "the virtual clock, which the program does not get to know by it", map[string]vm.Native{
		"time.when": timeWhen,
	})
	registerVisible(NoBody, "timers of the virtual clock", map[string]vm.Native{
		"time.Sleep":      timeSleep,
		"time.newTimer":   newTimer,
		"time.stopTimer":  stopTimer,
		"time.resetTimer": resetTimer,
	})
}
