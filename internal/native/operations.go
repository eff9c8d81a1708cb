package native

import (
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// Operations returns what a search must know of the visible natives, by name. A
// lock that is taken, a semaphore without permits, a counter that is not zero:
// whoever stands before the operation waits. Since that follows from memory,
// nobody needs to be in a queue, and which of those that wait goes first is for
// the search to decide.
func Operations() map[string]*drive.Operation {
	ops := make(map[string]*drive.Operation)
	for name, in := range intrinsics {
		if in.Visible {
			ops[name] = operationOf(name)
		}
	}
	for _, r := range effect.Natives() { // some others have rows: where random numbers come from, what counts goroutines
		if Has(r.Name) {
			ops[r.Name] = operationOf(r.Name)
		}
	}
	return ops
}

// operationOf is the row of a native with the functions that are bound to it. Without a
// row it acts on everything.
func operationOf(name string) *drive.Operation {
	op := operations[name]
	op.Row = effect.Native(name)
	return &op
}

// operations are the functions that belong to rows, by the name of the native.
var operations = map[string]drive.Operation{
	"(*internal/sync.Mutex).Lock":    {Ready: mutexReady, Insists: true},
	"reflect.chanlen":                {Glance: "reflect"},
	"(*internal/sync.Mutex).TryLock": {Fails: tryLockFails, Glance: "sync"},
	"(*internal/sync.Mutex).Unlock":  {Follows: onceUnlocks},
	"(*sync.RWMutex).RLock":          {Ready: rlockReady, Insists: true},
	"(*sync.RWMutex).Lock":           {Ready: rwLockReady, Insists: true},
	"(*sync.RWMutex).TryRLock":       {Fails: tryRLockFails, Glance: "sync"},
	"(*sync.RWMutex).TryLock":        {Fails: rwTryLockFails, Glance: "sync"},
	"(*sync.WaitGroup).Wait":         {Ready: waitReady, Awaits: counter, Insists: true, Rival: waitRival, Durable: waitsDurably},
	"(*sync.WaitGroup).Add":          {Counts: addCommutes, Rival: addRival},
	"sync.runtime_notifyListWait":    {Ready: notified, Durable: func(*vm.NativeCall) bool { return true }},
	poolGetName:                      {Plain: poolPlain, Acts: poolActs, Choices: poolChoices, Fails: poolEmpty},
	poolPutName:                      {Plain: poolPlain, Acts: poolActs},

	"internal/sync.runtime_SemacquireMutex": {Ready: semaReady},
	"sync.runtime_Semacquire":               {Ready: semaReady},
	"sync.runtime_SemacquireRWMutex":        {Ready: semaReady},
	"sync.runtime_SemacquireRWMutexR":       {Ready: semaReady},
	"sync.runtime_SemacquireWaitGroup":      {Ready: semaReady},

	"sync/atomic.LoadUint32": {Follows: onceLoads, Commutes: onceKnows},

	"math/rand.runtime_rand":    {Choices: drawChoices},
	"math/rand/v2.runtime_rand": {Choices: drawChoices},

	signalRecvName: {Ready: func(c *vm.NativeCall) bool { return signalWays(c) > 0 }, Choices: signalWays, Outside: signalArrives, Hears: signalHandlers},
	signalIdleName: {Ready: signalsIdle},

	"runtime.GC":                      {Choices: finalizerOrders},
	"runtime/debug.freeOSMemory":      {Choices: finalizerOrders},
	"runtime.SetFinalizer":            {Acts: beforeCollections},
	"runtime.AddCleanup":              {Acts: beforeCollections},
	"(runtime.Cleanup).Stop":          {Acts: beforeCollections},
	"weak.runtime_makeStrongFromWeak": {Acts: beforeCollections},

	finalizersDone:   {Ready: queueIsEmpty(vm.FinalizerSpecial)},
	cleanupsDone:     {Ready: queueIsEmpty(vm.CleanupSpecial)},
	cleanupsDoneSync: {Ready: queueIsEmpty(vm.CleanupSpecial)},

	verifyChoose: {Choices: chooseWays},
	// The settings of datagrams are looked at in the calls of the process alone.
	verifyUDP: {Acts: func(c *vm.NativeCall, f *effect.Footprint) { f.Write(processToken(c)) }},
}

// mutexReady: the state is not locked. A nil Mutex panics, which is ready too;
// the same goes for those below.
func mutexReady(c *vm.NativeCall) bool {
	s := (*int32)(c.M.Heap.Peek(c.Ptr(0), 4))
	return s == nil || *s == 0
}

func tryLockFails(c *vm.NativeCall) bool {
	s := (*int32)(c.M.Heap.Peek(c.Ptr(0), 4))
	return s != nil && *s != 0
}

func tryRLockFails(c *vm.NativeCall) bool {
	rw := (*rwMutex)(c.M.Heap.Peek(c.Ptr(0), rwMutexSize))
	return rw != nil && rw.readers < 0
}

func rwTryLockFails(c *vm.NativeCall) bool {
	rw := (*rwMutex)(c.M.Heap.Peek(c.Ptr(0), rwMutexSize))
	return rw != nil && (rw.w != 0 || rw.readers != 0)
}

func semaReady(c *vm.NativeCall) bool {
	s := (*uint32)(c.M.Heap.Peek(c.Ptr(0), 4))
	return s == nil || *s != 0
}

// rlockReady: no writer holds the lock or has announced itself.
func rlockReady(c *vm.NativeCall) bool {
	rw := (*rwMutex)(c.M.Heap.Peek(c.Ptr(0), rwMutexSize))
	return rw == nil || rw.readers >= 0
}

// rwLockReady: no other writer is there. The writer then announces itself, and
// waits for the readers that are there if there are any.
func rwLockReady(c *vm.NativeCall) bool {
	rw := (*rwMutex)(c.M.Heap.Peek(c.Ptr(0), rwMutexSize))
	return rw == nil || rw.w == 0
}

func waitReady(c *vm.NativeCall) bool {
	wg := (*waitGroup)(c.M.Heap.Peek(c.Ptr(0), waitGroupSize))
	return wg == nil || int32(wg.state>>32) == 0
}

// addCommutes: the counter goes down, but not to zero. If others do not take it to
// zero before that, nobody can see when it happens. If they do, then they take it
// below zero after that, which a search may take not to happen (see
// reduce/counter.go). To count up is another matter: it may come too late, when
// whoever waits has gone on.
func addCommutes(c *vm.NativeCall) bool { return counterStays(c, int32(c.Int(1))) }

func counter(c *vm.NativeCall) int {
	if wg := (*waitGroup)(c.M.Heap.Peek(c.Ptr(0), waitGroupSize)); wg != nil {
		return int(int32(wg.state >> 32))
	}
	return 0
}

// addRival: an Add from zero has to come before Wait.
func addRival(c *vm.NativeCall) (mem.Ptr, drive.Rival) {
	if c.Int(1) > 0 && c.Ptr(0) != 0 && counter(c) == 0 {
		return c.Ptr(0), drive.FirstAdd
	}
	return 0, drive.NoRival
}

func waitRival(c *vm.NativeCall) (mem.Ptr, drive.Rival) { return c.Ptr(0), drive.GroupWait }

func counterStays(c *vm.NativeCall, delta int32) bool {
	wg := (*waitGroup)(c.M.Heap.Peek(c.Ptr(0), waitGroupSize))
	return wg != nil && delta < 0 && int32(wg.state>>32)+delta > 0
}

// notified: the goroutine is no longer in the queue.
func notified(c *vm.NativeCall) bool {
	l := (*notifyList)(c.M.Heap.Peek(c.Ptr(0), notifyListSize))
	return l == nil || !l.has(c, drive.Of(c.M).Ticket(c.G))
}
