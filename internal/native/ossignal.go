package native

import "github.com/heddle-mc/heddle/internal/vm"

// Package os/signal over the modelled process. Signals come only from the
// program itself (kill), never from outside.

// signalFar is how long a goroutine waits for a signal before it is certain that
// none will come: the clock moves on only when every goroutine is blocked.
const signalFar = 1 << 61

func signalRecv(c *vm.NativeCall) vm.Outcome {
	k := process(c.M)
	if k == nil {
		return c.Unsupported("signals without an operating system")
	}
	if sig := k.SignalTake(); sig != 0 {
		c.SetInt(0, sig)
		return vm.Done
	}
	if c.M.Now() >= signalFar {
		return c.Unsupported("waiting for a signal from outside: every goroutine is blocked")
	}
	c.Park("syscall", waitObj(k.SignalKey()), signalFar)
	return vm.Again
}

// onSignal makes a native of a function of one signal number.
func onSignal(f func(c *vm.NativeCall, sig int)) vm.Native {
	return func(c *vm.NativeCall) vm.Outcome {
		if process(c.M) == nil {
			return c.Unsupported("signals without an operating system")
		}
		f(c, int(uint32(c.Word(0))))
		return vm.Done
	}
}

// signalIdle waits until the signals that were sent are delivered.
func signalIdle(c *vm.NativeCall) vm.Outcome {
	if k := process(c.M); k != nil && k.SignalsPending() {
		c.Park("syscall", 0, c.M.Now()+1)
		return vm.Again
	}
	return vm.Done
}

func init() {
	registerVisible(NoBody, "signals that the program sends to itself", map[string]vm.Native{
		"os/signal.signal_recv":         signalRecv,
		"os/signal.signalWaitUntilIdle": signalIdle,
		"os/signal.signal_enable":       onSignal(func(c *vm.NativeCall, sig int) { process(c.M).SignalEnable(sig) }),
		"os/signal.signal_disable":      onSignal(func(c *vm.NativeCall, sig int) { process(c.M).SignalDisable(sig) }),
		"os/signal.signal_ignore":       onSignal(func(c *vm.NativeCall, sig int) { process(c.M).SignalIgnore(sig) }),
		"os/signal.signal_ignored":      onSignal(func(c *vm.NativeCall, sig int) { c.SetBool(0, process(c.M).SignalIgnored(sig)) }),
	})
}
