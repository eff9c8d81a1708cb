package native

import (
	"unsafe"

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

// notifyList is the memory of a sync.notifyList, under sync.Cond. The queue of
// waiting goroutines is an array of their tickets, oldest first; there are no
// tickets, which would count for ever. Nobody waits: head is nil.
type notifyList struct {
	_, _ uint32
	_    uint64
	head mem.Ptr
	_    mem.Ptr
}

const (
	notifyListSize = 32
	notifyListHead = 16
)

// notifyQueue returns the tickets of the goroutines in a notifyList.
func notifyQueue(c *vm.NativeCall, l *notifyList) []uint64 {
	n := c.M.Heap.Size(l.head.Obj()) / 8
	b := c.Bytes(l.head, int(n)*8)
	if len(b) == 0 {
		return nil
	}
	return unsafe.Slice((*uint64)(unsafe.Pointer(&b[0])), n)
}

// setNotifyQueue replaces the queue. It reports false if memory is exhausted.
func setNotifyQueue(c *vm.NativeCall, l *notifyList, q []uint64) bool {
	if len(q) == 0 {
		l.head = 0
		return true
	}
	p := c.M.NewBytes(unsafe.Slice((*byte)(unsafe.Pointer(&q[0])), 8*len(q)))
	l.head = p
	return p != 0
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
	q := append(append([]uint64{}, notifyQueue(c, l)...), c.M.TakeTicket(c.G, c.Ptr(0)))
	if !setNotifyQueue(c, l, q) {
		return c.OutOfMemory()
	}
	c.Set(0, 0) // the ticket, which nobody reads
	return vm.Done
}

func notifyListWait(c *vm.NativeCall) vm.Outcome {
	l := notifier(c)
	if l == nil {
		return c.PanicNil()
	}
	for _, id := range notifyQueue(c, l) {
		if id == c.M.Ticket(c.G) {
			return park(c, "sync.Cond.Wait", c.Ptr(0))
		}
	}
	c.M.DropTicket(c.G)
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
	q := append([]uint64{}, notifyQueue(c, l)...)
	if n < 0 || n > len(q) {
		n = len(q)
	}
	if n == 0 {
		return vm.Done
	}
	if !setNotifyQueue(c, l, q[n:]) {
		return c.OutOfMemory()
	}
	for _, id := range q[:n] {
		c.M.WakeGoroutine(id, c.Ptr(0))
	}
	return vm.Done
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
		"sync.runtime_procPin":          zero,
		"sync.runtime_procUnpin":        nop,
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
