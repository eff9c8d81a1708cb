package native

import (
	"fmt"

	"github.com/heddle-mc/heddle/internal/datagram"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/vm"
)

// What package verify asks of a search. Outside of one, its functions do what
// their own bodies say: see verifyCall.

const (
	verifyPath   = "github.com/heddle-mc/heddle/verify."
	verifyChoose = verifyPath + "choose"
	verifyAssume = verifyPath + "assume"
	verifyFail   = verifyPath + "fail"
	verifyWatch  = verifyPath + "watch"
	promiseName  = verifyPath + "promise"
	verifyAtomic = verifyPath + "atomic"
	verifyUDP    = verifyPath + "udp"
)

// chooseWays is in how many ways choose goes on.
func chooseWays(c *vm.NativeCall) int {
	n := c.Int(0)
	if n > drive.MaxAlternatives {
		return 1 // it is refused
	}
	return max(n, 1)
}

// choose takes n and returns a number below it.
func choose(c *vm.NativeCall) vm.Outcome {
	n := c.Int(0)
	if n <= 0 {
		return c.PanicString("verify.Choose: the number of choices is not positive")
	}
	if c.M.Driven() && n > drive.MaxAlternatives {
		return c.Unsupported(fmt.Sprintf("verify.Choose(%d): a step has at most %d alternatives", n, drive.MaxAlternatives))
	}
	k := drive.Of(c.M).Choice()
	if !c.M.Driven() {
		k = int(c.M.Random() % uint64(n))
	}
	c.SetInt(0, k)
	return vm.Done
}

func assume(c *vm.NativeCall) vm.Outcome {
	if c.Bool(0) {
		return vm.Done
	}
	if c.M.Driven() {
		drive.Of(c.M).Prune()
		return vm.Again
	}
	return c.Exit(0)
}

// fail takes a kind and a message.
func fail(c *vm.NativeCall) vm.Outcome {
	kind, msg := c.Str(0), c.Str(2)
	if c.M.Driven() {
		drive.Of(c.M).Fail(c, kind, msg)
		return vm.Done
	}
	return c.PanicString("verify: " + msg)
}

// outcome takes a text.
func outcome(c *vm.NativeCall) vm.Outcome {
	if c.M.Driven() {
		drive.Of(c.M).MeetOutcome(c.Str(0))
	}
	return vm.Done
}

// watch takes a func() bool and a kind.
func watch(c *vm.NativeCall) vm.Outcome {
	return watchAs(c, drive.Invariant)
}

// promise takes a func() bool and a kind.
func promise(c *vm.NativeCall) vm.Outcome {
	if c.Str(1) == "leads" {
		return watchAs(c, drive.Leads)
	}
	return watchAs(c, drive.Eventually)
}

func watchAs(c *vm.NativeCall, kind drive.Watched) vm.Outcome {
	if c.M.Driven() && !drive.Of(c.M).Watch(c.G, c.Ptr(0), kind) {
		return c.OutOfMemory()
	}
	return vm.Done
}

// atomicSection takes a func().
func atomicSection(c *vm.NativeCall) vm.Outcome {
	drive.Of(c.M).Atomic(c.G, true)
	return c.Invoke(c.Ptr(0), 1, atomicLeft)
}

var atomicLeft = vm.RegisterCont(func(c *vm.NativeCall) vm.Outcome {
	drive.Of(c.M).Atomic(c.G, false)
	return vm.Done
})

// setUDP takes settings of datagrams and returns those that were before.
func setUDP(c *vm.NativeCall) vm.Outcome {
	s, err := datagram.Parse(c.Str(0))
	k := kernelOf(c.M)
	switch {
	case err != nil:
		return c.PanicString("verify.UDP: " + err.Error())
	case k == nil || !c.M.Driven():
		c.SetStr(0, "")
	default:
		c.SetStr(0, k.SetUDP(s).String())
	}
	return vm.Done
}

func checking(c *vm.NativeCall) vm.Outcome {
	c.SetBool(0, c.M.Driven())
	return vm.Done
}

func init() {
	registerVisible(Runtime, "for a search to decide", map[string]vm.Native{
		verifyChoose: choose,
		verifyAssume: assume,
		verifyFail:   fail,
		verifyWatch:  watch,
		promiseName:  promise,
		verifyAtomic: atomicSection,
		verifyUDP:    setUDP,
	})
	register(Runtime, "whether a search drives the machine", map[string]vm.Native{
		verifyPath + "checking": checking,
	})
	register(Runtime, "noted until the end of a search", map[string]vm.Native{
		verifyPath + "outcome": outcome,
	})
}
