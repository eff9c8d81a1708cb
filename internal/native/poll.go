package native

import (
	"math"

	"github.com/heddle-mc/heddle/internal/vm"
)

// The runtime's network poller, under package internal/poll. A goroutine that
// waits for a descriptor parks on the object behind it and looks again when
// somebody has changed that. The handle of a descriptor is a small number, which
// package poll keeps as a uintptr.

// polled makes a native of a function that needs the operating system.
func polled(f func(c *vm.NativeCall, id int) vm.Outcome) vm.Native {
	return func(c *vm.NativeCall) vm.Outcome {
		k := kernelOf(c.M)
		if k == nil {
			return c.Unsupported("poller without an operating system")
		}
		out := f(c, c.Int(0))
		if err := k.Failure(); err != nil {
			return c.Incomplete(err)
		}
		wakeAll(c.M, k)
		return out
	}
}

// pollOpen takes a descriptor and returns a handle and an error number.
func pollOpen(c *vm.NativeCall, fd int) vm.Outcome {
	id, e := kernelOf(c.M).PollOpen(fd)
	c.SetInt(0, id)
	c.SetInt(1, int(e))
	return vm.Done
}

func pollClose(c *vm.NativeCall, id int) vm.Outcome {
	kernelOf(c.M).PollClose(id)
	return vm.Done
}

func pollReset(c *vm.NativeCall, id int) vm.Outcome {
	c.SetInt(0, kernelOf(c.M).PollCheck(id, byte(c.Int(1)), c.M.Now()))
	return vm.Done
}

// pollWait waits until the descriptor is ready, closing or out of time.
func pollWait(c *vm.NativeCall, id int) vm.Outcome {
	k, mode := kernelOf(c.M), byte(c.Int(1))
	code := k.PollCheck(id, mode, c.M.Now())
	if code == 0 && !k.PollReady(id, mode) {
		c.Park("IO wait", waitObj(k.PollKey(id)), max(0, k.PollDeadline(id, mode)))
		return vm.Again
	}
	c.SetInt(0, code)
	return vm.Done
}

// pollSetDeadline takes a time from now: 0 is never, and one below is past.
func pollSetDeadline(c *vm.NativeCall, id int) vm.Outcome {
	d := int64(c.Word(1))
	switch now := c.M.Now(); {
	case d < 0:
		d = -1
	case d > math.MaxInt64-now:
		d = math.MaxInt64
	case d > 0:
		d += now
	}
	k, mode := kernelOf(c.M), c.Int(2)
	if d != 0 && mode != 'w' && k.PollDeadline(id, 'r') == 0 {
		intrudesAt(c, id-1)
	}
	k.PollSetDeadline(id, d, mode)
	return vm.Done
}

func pollUnblock(c *vm.NativeCall, id int) vm.Outcome {
	kernelOf(c.M).PollUnblock(id)
	return vm.Done
}

func init() {
	register(NoBody, "the runtime's poller over the modelled operating system", map[string]vm.Native{
		"internal/poll.runtime_pollServerInit":         nop,
		"internal/poll.runtime_isPollServerDescriptor": zero,
		"internal/poll.runtime_pollOpen":               polled(pollOpen),
		"internal/poll.runtime_pollReset":              polled(pollReset),
		"internal/poll.runtime_pollWaitCanceled":       nop, // only Windows needs it
	})
	registerVisible(NoBody, "the runtime's poller: waits on the object behind a descriptor", map[string]vm.Native{
		"internal/poll.runtime_pollWait":        polled(pollWait),
		"internal/poll.runtime_pollClose":       polled(pollClose),
		"internal/poll.runtime_pollSetDeadline": polled(pollSetDeadline),
		"internal/poll.runtime_pollUnblock":     polled(pollUnblock),
	})
}
