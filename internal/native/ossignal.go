package native

import (
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/vm"
)

// Package os/signal over the modelled process. Signals come from the program itself (kill) and, in a
// search, from outside: each that the program has asked for may arrive whenever the goroutine of package
// os/signal waits for one, as long as some are left (see kernel.Options). Before that it would be kept
// until then, which nobody can tell from one that arrives then.

// signalFar is how long a goroutine waits for a signal before it is certain that
// none will come: the clock moves on only when every goroutine is blocked.
const signalFar = 1 << 61

const (
	signalRecvName = "os/signal.signal_recv"
	signalIdleName = "os/signal.signalWaitUntilIdle"
)

func signalRecv(c *vm.NativeCall) vm.Outcome {
	k := kernelOf(c.M)
	if k == nil {
		return c.Unsupported("signals without an operating system")
	}
	if d := drive.Of(c.M); d != nil {
		c.SetInt(0, k.SignalReceive(d.Choice()))
		return vm.Done
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

// signalWays is in how many ways signal_recv can go on.
func signalWays(c *vm.NativeCall) int {
	if k := kernelOf(c.M); k != nil {
		return k.SignalWays()
	}
	return 1
}

// signalArrives: none is there that the program has sent.
func signalArrives(c *vm.NativeCall) bool {
	k := kernelOf(c.M)
	return k != nil && !k.SignalsPending() && k.SignalWays() > 0
}

// signalHandlers is what a signal leads to: the channels of those who have asked for it.
func signalHandlers(c *vm.NativeCall) string {
	if k := kernelOf(c.M); k == nil || !k.SignalsWanted() {
		return ""
	}
	return "os/signal.handlers"
}

// signalText tells a signal that is received.
func signalText(c *vm.NativeCall, way int) string {
	k := kernelOf(c.M)
	if k == nil || way >= k.SignalWays() {
		return ""
	}
	sig, arrives := k.SignalWay(way)
	if arrives {
		return linux.Signal(sig).String() + " arrives"
	}
	return linux.Signal(sig).String() + " is received"
}

// onSignal makes a native of a function of one signal number.
func onSignal(f func(c *vm.NativeCall, sig int)) vm.Native {
	return func(c *vm.NativeCall) vm.Outcome {
		if kernelOf(c.M) == nil {
			return c.Unsupported("signals without an operating system")
		}
		f(c, int(uint32(c.Word(0))))
		return vm.Done
	}
}

// signalIdle waits until the signals that were sent are delivered. In a search it is not before that is so.
func signalIdle(c *vm.NativeCall) vm.Outcome {
	if k := kernelOf(c.M); drive.Of(c.M) == nil && k != nil && k.SignalsPending() {
		c.Park("syscall", 0, c.M.Now()+1)
		return vm.Again
	}
	return vm.Done
}

// signalsIdle: none is pending, and the goroutine that receives them is done with the last one.
func signalsIdle(c *vm.NativeCall) bool {
	k := kernelOf(c.M)
	if k == nil {
		return true
	}
	if k.SignalsPending() {
		return false
	}
	for range drive.Of(c.M).OthersAt(c, signalRecvName) {
		return true
	}
	return false
}

func init() {
	registerVisible(NoBody, "signals of the modelled process", map[string]vm.Native{
		signalRecvName:             signalRecv,
		signalIdleName:             signalIdle,
		"os/signal.signal_enable":  onSignal(func(c *vm.NativeCall, sig int) { kernelOf(c.M).SignalEnable(sig) }),
		"os/signal.signal_disable": onSignal(func(c *vm.NativeCall, sig int) { kernelOf(c.M).SignalDisable(sig) }),
		"os/signal.signal_ignore":  onSignal(func(c *vm.NativeCall, sig int) { kernelOf(c.M).SignalIgnore(sig) }),
		"os/signal.signal_ignored": onSignal(func(c *vm.NativeCall, sig int) { c.SetBool(0, kernelOf(c.M).SignalIgnored(sig)) }),
	})
}
