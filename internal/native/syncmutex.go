package native

import (
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// Locks are natives so that each operation is one step and their memory depends
// on who holds and who waits, not on how it came about. A goroutine that must
// wait parks on the address of the word it waits for and tries again when it is
// woken. Where a first try differs from a later one, c.Resumed tells them apart.

// A Mutex of package internal/sync has its state in the first four bytes: 1 if
// it is locked, 0 if not. The gc runtime's other bits (woken, starving, waiters)
// are not used.
const mutexLocked = 1

// park makes the goroutine wait on an object until somebody wakes it there.
func park(c *vm.NativeCall, reason string, obj mem.Ptr) vm.Outcome {
	c.Park(reason, obj, 0)
	return vm.Again
}

func mutexLock(c *vm.NativeCall) vm.Outcome {
	state := cell[int32](c)
	if state == nil {
		return c.PanicNil()
	}
	if *state != 0 {
		return park(c, "sync.Mutex.Lock", c.Ptr(0))
	}
	*state = mutexLocked
	return vm.Done
}

func mutexTryLock(c *vm.NativeCall) vm.Outcome {
	state := peek[int32](c)
	if state == nil {
		return c.PanicNil()
	}
	free := *state == 0
	if free {
		if state = cell[int32](c); state == nil {
			return c.PanicNil()
		}
		*state = mutexLocked
	}
	c.SetBool(0, free)
	return vm.Done
}

func mutexUnlock(c *vm.NativeCall) vm.Outcome {
	state := cell[int32](c)
	if state == nil {
		return c.PanicNil()
	}
	if *state == 0 {
		return c.Fatal("sync: unlock of unlocked mutex")
	}
	*state = 0
	return release(c, c.Ptr(0))
}

// release wakes one of those that wait for a lock, and lets it have a try before
// the caller goes on: a goroutine that locks again at once would otherwise keep
// all others out.
func release(c *vm.NativeCall, lock mem.Ptr) vm.Outcome {
	if c.M.Wake(lock, 1) > 0 {
		return vm.Yield
	}
	return vm.Done
}

// rwMutex is the memory of a sync.RWMutex. Its words are used as sync/rwmutex.go
// does: a writer that has announced itself makes readers negative, readers that
// come after it wait for a permit of readerSem, and the writer waits for one of
// writerSem until the readers before it are gone.
type rwMutex struct {
	w         int32 // held by the writer, or by the one that waits for readers
	_         uint32
	writerSem uint32
	readerSem uint32
	readers   int32
	departing int32
}

const (
	rwMutexSize = 24
	rwWriterSem = 8
	rwReaderSem = 12
	rwMax       = 1 << 30
)

// rwm returns the lock that word 0 points to, or nil.
func rwm(c *vm.NativeCall) *rwMutex {
	return (*rwMutex)(c.M.Heap.Write(c.Ptr(0), rwMutexSize))
}

func rwRLock(c *vm.NativeCall) vm.Outcome {
	rw := rwm(c)
	if rw == nil {
		return c.PanicNil()
	}
	sem := c.Ptr(0) + rwReaderSem
	if c.Resumed("sync.RWMutex.RLock") {
		if rw.readerSem == 0 {
			return park(c, "sync.RWMutex.RLock", sem)
		}
		rw.readerSem--
		return vm.Done
	}
	if rw.readers++; rw.readers < 0 {
		return park(c, "sync.RWMutex.RLock", sem)
	}
	return vm.Done
}

func rwTryRLock(c *vm.NativeCall) vm.Outcome {
	rw := rwm(c)
	if rw == nil {
		return c.PanicNil()
	}
	ok := rw.readers >= 0
	if ok {
		rw.readers++
	}
	c.SetBool(0, ok)
	return vm.Done
}

func rwRUnlock(c *vm.NativeCall) vm.Outcome {
	rw := rwm(c)
	if rw == nil {
		return c.PanicNil()
	}
	rw.readers--
	if rw.readers >= 0 {
		return vm.Done
	}
	if rw.readers+1 == 0 || rw.readers+1 == -rwMax {
		return c.Fatal("sync: RUnlock of unlocked RWMutex")
	}
	if rw.departing--; rw.departing == 0 {
		rw.writerSem++
		c.M.Wake(c.Ptr(0)+rwWriterSem, 1)
	}
	return vm.Done
}

func rwLock(c *vm.NativeCall) vm.Outcome {
	rw := rwm(c)
	if rw == nil {
		return c.PanicNil()
	}
	sem := c.Ptr(0) + rwWriterSem
	if c.Resumed("sync.RWMutex.Lock") {
		if rw.writerSem == 0 {
			return park(c, "sync.RWMutex.Lock", sem)
		}
		rw.writerSem--
		return vm.Done
	}
	if rw.w != 0 {
		return park(c, "sync.Mutex.Lock", c.Ptr(0))
	}
	rw.w = mutexLocked
	held := rw.readers
	rw.readers -= rwMax
	if rw.departing += held; held != 0 && rw.departing != 0 {
		return park(c, "sync.RWMutex.Lock", sem)
	}
	return vm.Done
}

func rwTryLock(c *vm.NativeCall) vm.Outcome {
	rw := rwm(c)
	if rw == nil {
		return c.PanicNil()
	}
	ok := rw.w == 0 && rw.readers == 0
	if ok {
		rw.w, rw.readers = mutexLocked, -rwMax
	}
	c.SetBool(0, ok)
	return vm.Done
}

func rwUnlock(c *vm.NativeCall) vm.Outcome {
	rw := rwm(c)
	if rw == nil {
		return c.PanicNil()
	}
	rw.readers += rwMax
	if rw.readers >= rwMax {
		return c.Fatal("sync: Unlock of unlocked RWMutex")
	}
	p := c.Ptr(0)
	if n := rw.readers; n > 0 {
		rw.readerSem += uint32(n)
		c.M.Wake(p+rwReaderSem, int(n))
	}
	rw.w = 0
	return release(c, p)
}

// waitGroup is the memory of a sync.WaitGroup: counter in the upper half of
// state, waiters in the lower, a semaphore that lets them go, and, where Go leaves a gap, the bubble
// that it belongs to until all are done.
type waitGroup struct {
	state  uint64
	sema   uint32
	bubble uint32
}

const (
	waitGroupSize = 16
	waitGroupSema = 8
	waitersMask   = 0x7fffffff
)

func wgroup(c *vm.NativeCall) *waitGroup {
	return (*waitGroup)(c.M.Heap.Write(c.Ptr(0), waitGroupSize))
}

func wgAdd(c *vm.NativeCall) vm.Outcome {
	wg := wgroup(c)
	if wg == nil {
		return c.PanicNil()
	}
	if c.G.Bubble() != 0 && c.M.IsInlined(c.Ptr(0)) {
		return c.Unsupported("a WaitGroup that a function has made for a package variable, in a bubble to which it belongs unless the function is inlined")
	}
	if msg := wg.associate(c); msg != "" {
		return c.Fatal(msg)
	}
	delta := c.Int(1)
	wg.state += uint64(delta) << 32
	v, w := int32(wg.state>>32), uint32(wg.state&waitersMask)
	switch {
	case v < 0:
		drive.Of(c.M).Miscounted()
		return c.PanicString("sync: negative WaitGroup counter")
	case w != 0 && delta > 0 && v == int32(delta):
		return c.PanicString("sync: WaitGroup misuse: Add called concurrently with Wait")
	case v > 0 || w == 0:
		return vm.Done
	}
	wg.state, wg.bubble = 0, 0
	wg.sema += w
	c.M.Wake(c.Ptr(0)+waitGroupSema, int(w))
	return vm.Done
}

// associate notes that the goroutine which counts is in a bubble, as package sync does. It returns what is wrong with that, ""
// for nothing. A WaitGroup that is data of the program, a global variable say, belongs to no bubble.
func (wg *waitGroup) associate(c *vm.NativeCall) string {
	const both = "sync: WaitGroup.Add called from inside and outside synctest bubble"
	b := uint32(c.G.Bubble())
	switch {
	case b == wg.bubble:
		return ""
	case b == 0:
		return both
	case c.M.IsGlobal(c.Ptr(0)):
		return ""
	case wg.bubble != 0:
		return "sync: WaitGroup.Add called from multiple synctest bubbles"
	case wg.state != 0:
		return both
	}
	wg.bubble = b
	return ""
}

// waitsDurably reports whether who waits for a WaitGroup is in its bubble.
func waitsDurably(c *vm.NativeCall) bool {
	wg := (*waitGroup)(c.M.Heap.Peek(c.Ptr(0), waitGroupSize))
	return wg != nil && wg.bubble != 0 && int(wg.bubble) == c.G.Bubble()
}

func wgWait(c *vm.NativeCall) vm.Outcome {
	wg := wgroup(c)
	if wg == nil {
		return c.PanicNil()
	}
	sema, reason := c.Ptr(0)+waitGroupSema, "sync.WaitGroup.Wait"
	if waitsDurably(c) {
		reason = vm.DurableWaitGroup
	}
	if c.Resumed("sync.WaitGroup.Wait") || c.Resumed(vm.DurableWaitGroup) {
		if wg.sema == 0 {
			return park(c, reason, sema)
		}
		wg.sema--
		if wg.state != 0 {
			return c.PanicString("sync: WaitGroup is reused before previous Wait has returned")
		}
		return vm.Done
	}
	if int32(wg.state>>32) == 0 {
		if wg.state&waitersMask == 0 && reason == vm.DurableWaitGroup {
			wg.bubble = 0
		}
		return vm.Done
	}
	wg.state++
	return park(c, reason, sema)
}

func init() {
	registerVisible(Canonical, "the state word is 0 or 1; waiters park on its address and try again", map[string]vm.Native{
		"(*internal/sync.Mutex).Lock":    mutexLock,
		"(*internal/sync.Mutex).TryLock": mutexTryLock,
		"(*internal/sync.Mutex).Unlock":  mutexUnlock,
	})
	registerVisible(Canonical, "one step an operation, on the memory of sync/rwmutex.go", map[string]vm.Native{
		"(*sync.RWMutex).RLock":    rwRLock,
		"(*sync.RWMutex).TryRLock": rwTryRLock,
		"(*sync.RWMutex).RUnlock":  rwRUnlock,
		"(*sync.RWMutex).Lock":     rwLock,
		"(*sync.RWMutex).TryLock":  rwTryLock,
		"(*sync.RWMutex).Unlock":   rwUnlock,
	})
	registerVisible(Canonical, "one step an operation, on the memory of sync/waitgroup.go", map[string]vm.Native{
		"(*sync.WaitGroup).Add":  wgAdd,
		"(*sync.WaitGroup).Wait": wgWait,
	})
}
