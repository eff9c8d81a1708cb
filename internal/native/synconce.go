package native

import "github.com/heddle-mc/heddle/internal/vm"

// A Once is a flag and a lock (sync/once.go):
//
//	Do:     if !done.Load() { doSlow }
//	doSlow: Lock(); if !done.Load() { f(); done.Store(true) }; Unlock()
//
// Two of its operations are stops: to take the lock, and to set the flag. To look
// at the flag for the first time is none, since it makes no difference to look too
// early: who does not see it set takes the lock and looks again. To look again is
// none, since nobody but who has the lock sets the flag. And to give the lock back is none,
// since whatever others can do between the flag and that, they can do after it as
// well.

// onceLoads: a Once looks at its flag. The step depends on what that is, so it is
// read, not peeked at.
func onceLoads(c *vm.NativeCall) bool {
	first, again := onceLooks(c)
	if first || again {
		c.M.Heap.Read(c.Ptr(0), 4)
	}
	return first || again
}

// onceKnows: it looks at a flag that is set, or that nobody else can set.
func onceKnows(c *vm.NativeCall) bool {
	first, again := onceLooks(c)
	if !first {
		return again
	}
	s := (*uint32)(c.M.Heap.Read(c.Ptr(0), 4))
	return s != nil && *s != 0
}

func onceLooks(c *vm.NativeCall) (first, again bool) {
	const load = "sync/atomic.(*Bool).Load"
	return c.CalledBy(load, "sync.(*Once).Do"), c.CalledBy(load, "sync.(*Once).doSlow")
}

// onceUnlocks: a Once gives its lock back.
func onceUnlocks(c *vm.NativeCall) bool {
	return c.CalledBy("sync.(*Mutex).Unlock", "sync.(*Once).doSlow")
}
