package native

import "github.com/heddle-mc/heddle/internal/vm"

// Bubbles of package testing/synctest are not supported: a program that starts
// one is told so. Outside of bubbles, where everybody else asks, the answers are
// those of the gc runtime.

func synctestRun(c *vm.NativeCall) vm.Outcome {
	return c.Unsupported("bubbles of package testing/synctest")
}

func synctestWait(c *vm.NativeCall) vm.Outcome {
	return c.PanicPlain("goroutine is not in a bubble")
}

func init() {
	register(NoBody, "bubbles are not supported: the program ends", map[string]vm.Native{
		"internal/synctest.Run":      synctestRun,
		"internal/synctest.Wait":     synctestWait,
		"internal/synctest.acquire":  synctestRun,
		"internal/synctest.release":  synctestRun,
		"internal/synctest.inBubble": synctestRun,
	})
	register(NoBody, "no goroutine is in a bubble", map[string]vm.Native{
		"internal/synctest.IsInBubble":   zero,
		"internal/synctest.associate":    zero,
		"internal/synctest.disassociate": nop,
		"internal/synctest.isAssociated": zero,
	})
}
