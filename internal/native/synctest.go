package native

import (
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// A bubble of package testing/synctest has a clock of its own that moves when
// all its goroutines are blocked. The machine's clock is like that already, so a
// bubble is an ordinary goroutine during whose life execution takes no time, and
// synctest.Wait waits until no goroutine is runnable. Which goroutines belong to
// a bubble is not known: those outside, if there are any, count as well, and so
// do goroutines that wait for a lock or for input.

const (
	synctestRunReason  = "synctest.Run"
	synctestWaitReason = "synctest.Wait"
)

// synctestRun takes a function, starts it and waits for its end. The goroutine
// is found again by an object that its end wakes and that holds its number.
func synctestRun(c *vm.NativeCall) vm.Outcome {
	if c.Resumed(synctestRunReason) {
		c.M.Freeze(false)
		return vm.Done
	}
	end := c.M.AllocBytes(8)
	if end == 0 {
		return c.OutOfMemory()
	}
	g := c.M.Spawn(c.Ptr(0), nil, false)
	if g == nil {
		return c.PanicNil()
	}
	c.M.WakeAtEnd(g, end, 0)
	c.M.Freeze(true)
	return park(c, synctestRunReason, end)
}

func synctestWait(c *vm.NativeCall) vm.Outcome {
	if c.Resumed(synctestWaitReason) {
		return vm.Done
	}
	c.ParkIdle(synctestWaitReason)
	return vm.Again
}

// inBubble takes a bubble in an interface and a function to call in it.
func inBubble(c *vm.NativeCall) vm.Outcome {
	return c.Invoke(mem.Ptr(c.Word(2)), 3, bubbleLeft)
}

var bubbleLeft = vm.RegisterCont(func(c *vm.NativeCall) vm.Outcome { return vm.Done })

func init() {
	registerVisible(NoBody, "the machine's clock is a bubble's clock", map[string]vm.Native{
		"internal/synctest.Run":      synctestRun,
		"internal/synctest.Wait":     synctestWait,
		"internal/synctest.acquire":  none(2),
		"internal/synctest.release":  nop,
		"internal/synctest.inBubble": inBubble,
	})
	register(NoBody, "no goroutine is told that it is in a bubble", map[string]vm.Native{
		"internal/synctest.IsInBubble":   zero,
		"internal/synctest.associate":    zero,
		"internal/synctest.disassociate": nop,
		"internal/synctest.isAssociated": zero,
	})
}
