package native

import (
	"math"
	"slices"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// A semaphore is a uint32: how many permits it has. To acquire is to take one or
// to park on its address until there is one.

func semacquire(reason string) vm.Native {
	return func(c *vm.NativeCall) vm.Outcome {
		s := cell[uint32](c)
		if s == nil {
			return c.PanicNil()
		}
		if *s == 0 {
			return park(c, reason, c.Ptr(0))
		}
		*s--
		return vm.Done
	}
}

// semrelease gives a permit back. Handing it over directly to a waiter, which
// the gc runtime does on request, is a matter of fairness only.
func semrelease(c *vm.NativeCall) vm.Outcome {
	s := cell[uint32](c)
	if s == nil {
		return c.PanicNil()
	}
	*s++
	c.M.Wake(c.Ptr(0), 1)
	return vm.Done
}

// notifyList is the memory of a sync.notifyList, under sync.Cond: the queue of
// waiting goroutines by their tickets, oldest first. There are none of the tickets
// of the gc runtime, which would count for ever. A short queue lies in the list
// itself, so that to wait needs no memory; which of the two forms a queue has
// follows from its tickets.
type notifyList struct {
	few  [maxFew]uint8 // ends at the first 0
	many mem.Ptr       // an array of words, nil if few is all
	_    mem.Ptr
}

const (
	notifyListSize = 32
	maxFew         = 16
)

// append appends the tickets of the waiting goroutines.
func (l *notifyList) append(c *vm.NativeCall, q []uint64) []uint64 {
	if l.many == 0 {
		for _, ticket := range l.few {
			if ticket == 0 {
				break
			}
			q = append(q, uint64(ticket))
		}
		return q
	}
	n := c.M.Heap.Size(l.many.Obj()) / 8
	if b := c.Bytes(l.many, int(n)*8); len(b) > 0 {
		q = append(q, unsafe.Slice((*uint64)(unsafe.Pointer(&b[0])), n)...)
	}
	return q
}

// has reports whether a ticket is in the queue.
func (l *notifyList) has(c *vm.NativeCall, ticket uint64) bool {
	var room [maxFew]uint64
	return slices.Contains(l.append(c, room[:0]), ticket)
}

// set replaces the queue. It reports false if memory is exhausted.
func (l *notifyList) set(c *vm.NativeCall, q []uint64) bool {
	l.few, l.many = [maxFew]uint8{}, 0
	if len(q) <= maxFew && (len(q) == 0 || slices.Max(q) <= math.MaxUint8) {
		for i, ticket := range q {
			l.few[i] = uint8(ticket)
		}
		return true
	}
	l.many = c.M.NewBytes(unsafe.Slice((*byte)(unsafe.Pointer(&q[0])), 8*len(q)))
	return l.many != 0
}

func notifier(c *vm.NativeCall) *notifyList {
	return (*notifyList)(c.M.Heap.Write(c.Ptr(0), notifyListSize))
}

// notifyListAdd queues the calling goroutine, before it unlocks and waits.
func notifyListAdd(c *vm.NativeCall) vm.Outcome {
	l := notifier(c)
	if l == nil {
		return c.PanicNil()
	}
	var room [maxFew]uint64
	q := append(l.append(c, room[:0]), drive.Of(c.M).TakeTicket(c.G, c.Ptr(0)))
	if !l.set(c, q) {
		return c.OutOfMemory()
	}
	c.Set(0, 0) // the ticket of the gc runtime, which nobody reads
	return vm.Done
}

func notifyListWait(c *vm.NativeCall) vm.Outcome {
	l := (*notifyList)(c.M.Heap.Read(c.Ptr(0), notifyListSize))
	if l == nil {
		return c.PanicNil()
	}
	if l.has(c, drive.Of(c.M).Ticket(c.G)) {
		return park(c, "sync.Cond.Wait", c.Ptr(0))
	}
	drive.Of(c.M).DropTicket(c.G)
	return vm.Done
}

func notifyListNotifyOne(c *vm.NativeCall) vm.Outcome { return notify(c, 1) }
func notifyListNotifyAll(c *vm.NativeCall) vm.Outcome { return notify(c, -1) }

// notify lets the first n goroutines of the queue go, all if n is negative.
func notify(c *vm.NativeCall, n int) vm.Outcome {
	l := notifier(c)
	if l == nil {
		return c.PanicNil()
	}
	var room [maxFew]uint64
	q := l.append(c, room[:0])
	if n < 0 || n > len(q) {
		n = len(q)
	}
	if n == 0 {
		return vm.Done
	}
	if !l.set(c, q[n:]) {
		return c.OutOfMemory()
	}
	for _, id := range q[:n] {
		if wakesForeign(c, id) {
			return c.Fatal("semaphore wake of synctest goroutine from outside bubble")
		}
		c.M.WakeGoroutine(c.Ptr(0), func(g *vm.G) bool { return drive.Of(c.M).Ticket(g) == id })
	}
	return vm.Done
}

// wakesForeign reports whether the goroutine with a ticket is in a bubble that the calling one is not in.
func wakesForeign(c *vm.NativeCall, ticket uint64) bool {
	if !c.M.AnyBubbles() {
		return false
	}
	for g := range c.M.Driver().Goroutines {
		if g.Bubble() != 0 && g.Bubble() != c.G.Bubble() && drive.Of(c.M).QueuedAs(g, c.Ptr(0), ticket) {
			return true
		}
	}
	return false
}

func nop(c *vm.NativeCall) vm.Outcome { return vm.Done }

// zero is for functions whose result is always 0, false or nil.
func zero(c *vm.NativeCall) vm.Outcome {
	c.Set(0, 0)
	return vm.Done
}

// always is for functions whose result is always the same word.
func always(w uint64) vm.Native {
	return func(c *vm.NativeCall) vm.Outcome {
		c.Set(0, w)
		return vm.Done
	}
}

// fatal ends the program as the runtime's throw and fatal do.
func fatal(c *vm.NativeCall) vm.Outcome { return c.Fatal(c.Str(0)) }

func init() {
	registerVisible(NoBody, "takes a permit, or parks on the semaphore's address", map[string]vm.Native{
		"sync.runtime_Semacquire":               semacquire("semacquire"),
		"sync.runtime_SemacquireWaitGroup":      semacquire("sync.WaitGroup.Wait"),
		"sync.runtime_SemacquireRWMutexR":       semacquire("sync.RWMutex.RLock"),
		"sync.runtime_SemacquireRWMutex":        semacquire("sync.RWMutex.Lock"),
		"internal/sync.runtime_SemacquireMutex": semacquire("sync.Mutex.Lock"),
		"internal/poll.runtime_Semacquire":      semacquire("semacquire"),
	})
	registerVisible(NoBody, "gives a permit and wakes one waiter", map[string]vm.Native{
		"sync.runtime_Semrelease":          semrelease,
		"internal/sync.runtime_Semrelease": semrelease,
		"internal/poll.runtime_Semrelease": semrelease,
	})
	registerVisible(NoBody, "a queue of goroutines, so that the state does not count for ever", map[string]vm.Native{
		"sync.runtime_notifyListAdd":       notifyListAdd,
		"sync.runtime_notifyListWait":      notifyListWait,
		"sync.runtime_notifyListNotifyOne": notifyListNotifyOne,
		"sync.runtime_notifyListNotifyAll": notifyListNotifyAll,
	})
	register(NoBody, "the machine has no processors to pin to, nor to spin on", map[string]vm.Native{
		"sync.runtime_notifyListCheck":  nop,
		"sync/atomic.runtime_procPin":   zero,
		"sync/atomic.runtime_procUnpin": nop,
		"internal/sync.runtime_canSpin": zero,
		"internal/sync.runtime_doSpin":  nop,
	})
	register(NoBody, "ends the program with a fatal error", map[string]vm.Native{
		"sync.throw":                    fatal,
		"sync.fatal":                    fatal,
		"internal/sync.throw":           fatal,
		"internal/sync.fatal":           fatal,
		"internal/runtime/maps.fatal":   fatal,
		"crypto/internal/fips140.fatal": fatal,
		"runtime.throw":                 fatal,
		"runtime.fatal":                 fatal,
	})
}
