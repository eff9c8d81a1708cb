package native

import (
	"github.com/heddle-mc/heddle/internal/vm"
)

// Bubbles of package testing/synctest are those of the machine: see vm/bubble.go.

// synctestRun takes a function, starts it in a new bubble and waits for the end of that.
func synctestRun(c *vm.NativeCall) vm.Outcome {
	if c.Resumed(vm.BubbleRun) {
		switch left, first := c.M.LeaveBubble(c.G); {
		case left == 0:
			return vm.Done
		case first:
			return c.PanicPlain("deadlock: all goroutines in bubble are blocked")
		}
		return c.PanicPlain("deadlock: main bubble goroutine has exited but blocked goroutines remain")
	}
	switch {
	case c.M.Setting(vm.AsyncTimerChan, 0) != 0:
		return c.PanicString("synctest.Run not supported with asynctimerchan!=0")
	case c.G.Bubble() != 0:
		return c.PanicString("synctest.Run called from within a synctest bubble")
	case c.M.EnterBubble(c.G, c.Ptr(0)) == nil:
		return c.PanicNil()
	}
	c.ParkIdle(vm.BubbleRun)
	return vm.Again
}

func synctestWait(c *vm.NativeCall) vm.Outcome {
	if c.Resumed(vm.BubbleWait) {
		return vm.Done
	}
	if c.G.Bubble() == 0 {
		return c.PanicString("goroutine is not in a bubble")
	}
	for g := range c.M.Driver().Goroutines {
		if g != c.G && g.Bubble() == c.G.Bubble() && g.Waiting() && g.Wait().Reason == vm.BubbleWait {
			return c.PanicString("wait already in progress")
		}
	}
	c.ParkIdle(vm.BubbleWait)
	return vm.Again
}

// synctestAcquire returns no bubble to who is in none. Those who are in one would keep it from
// being blocked, which is for system calls of JavaScript.
func synctestAcquire(c *vm.NativeCall) vm.Outcome {
	if c.G.Bubble() != 0 {
		return c.Unsupported("internal/synctest.Acquire in a bubble")
	}
	c.Set(0, 0)
	c.Set(1, 0)
	return vm.Done
}

func inBubble(c *vm.NativeCall) vm.Outcome {
	return c.Unsupported("(*internal/synctest.Bubble).Run")
}

// associate is for WaitGroups, of which the bubble is noted in their memory: see wgAdd.
func associate(c *vm.NativeCall) vm.Outcome {
	return c.Unsupported("internal/synctest.Associate, but for a WaitGroup")
}

func isInBubble(c *vm.NativeCall) vm.Outcome {
	c.SetBool(0, c.G.Bubble() != 0)
	return vm.Done
}

func init() {
	registerVisible(NoBody, "bubbles of the machine", map[string]vm.Native{
		"internal/synctest.Run":      synctestRun,
		"internal/synctest.Wait":     synctestWait,
		"internal/synctest.acquire":  synctestAcquire,
		"internal/synctest.release":  nop,
		"internal/synctest.inBubble": inBubble,
	})
	register(NoBody, "a goroutine knows its bubble", map[string]vm.Native{
		"internal/synctest.IsInBubble":   isInBubble,
		"internal/synctest.associate":    associate,
		"internal/synctest.disassociate": associate,
		"internal/synctest.isAssociated": associate,
		"time.runtimeIsBubbled":          isInBubble,
	})
}
