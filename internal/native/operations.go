package native

import (
	"strings"

	"github.com/heddle-mc/heddle/internal/vm"
)

// Operations returns what a search must know of the visible natives, by name. A
// lock that is taken, a semaphore without permits, a counter that is not zero:
// whoever stands before the operation waits. Since that follows from memory,
// nobody needs to be in a queue, and which of those that wait goes first is for
// the search to decide.
func Operations() map[string]*vm.Operation {
	ops := make(map[string]*vm.Operation)
	for name, in := range intrinsics {
		if in.Visible {
			ops[name] = operationOf(name)
			ops[name].Memory = onMemory(name)
		}
	}
	for _, name := range randomSources {
		ops[name] = &vm.Operation{Object: -1, Unseen: true, Local: true, Choices: func(c *vm.NativeCall) int { return c.M.Seeds() }}
	}
	return ops
}

// randomSources are where the random numbers of programs come from. The first
// use of one chooses the seed, if there are several to try.
var randomSources = []string{"math/rand.runtime_rand", "math/rand/v2.runtime_rand"}

func operationOf(name string) *vm.Operation {
	if op, ok := operations[name]; ok {
		return &op
	}
	if f, ok := strings.CutPrefix(name, "sync/atomic."); ok {
		return atomicOperation(f)
	}
	if f, ok := strings.CutPrefix(name, "internal/runtime/atomic."); ok {
		return atomicOperation(f)
	}
	if strings.Contains(name, "emacquire") { // runtime_Semacquire and its like
		return &vm.Operation{Ready: semaReady}
	}
	switch pkg, _, _ := strings.Cut(strings.TrimPrefix(name, "(*"), "."); pkg {
	case "sync", "internal/sync", "internal/poll", "reflect", "internal/reflectlite":
		return &vm.Operation{} // on what word 0 points to
	}
	return &vm.Operation{Object: -1}
}

// onMemory reports whether a visible native looks at memory alone, see
// vm.Operation.
func onMemory(name string) bool {
	for _, prefix := range []string{
		"sync/atomic.", "internal/runtime/atomic.", "sync.runtime_LoadAcq", "sync.runtime_StoreRel",
		"(*internal/sync.Mutex).", "(*sync.RWMutex).", "(*sync.WaitGroup).",
		"sync.runtime_Sem", "internal/sync.runtime_Sem", "sync.runtime_notifyList",
	} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// atomicOperation describes an operation on the memory that word 0 points to.
func atomicOperation(name string) *vm.Operation {
	op := &vm.Operation{Atomic: true}
	switch load := strings.HasPrefix(name, "Load"); {
	case load && strings.HasSuffix(name, "32"):
		op.Reads = 4
	case load:
		op.Reads = 8
	}
	if name == "LoadUint32" {
		op.Follows, op.Commutes = onceLoads, onceKnows
	}
	switch {
	case strings.HasPrefix(name, "CompareAndSwap"), strings.HasPrefix(name, "Cas"), strings.HasPrefix(name, "cas"):
		op.Publishes = []int{2}
	case strings.HasPrefix(name, "Store"), strings.HasPrefix(name, "store"), strings.HasPrefix(name, "Swap"), strings.HasPrefix(name, "Xchg"):
		op.Publishes = []int{1}
	}
	if !strings.HasSuffix(name, "ointer") && !strings.HasSuffix(name, "NoWB") && !strings.HasSuffix(name, "p1") {
		op.Publishes = nil
	}
	return op
}

// operations are those that are not like their neighbours.
var operations = map[string]vm.Operation{
	"(*internal/sync.Mutex).Lock":   {Ready: mutexReady},
	"(*internal/sync.Mutex).Unlock": {Follows: onceUnlocks},
	"(*sync.RWMutex).RLock":         {Ready: rlockReady},
	"(*sync.RWMutex).Lock":          {Ready: rwLockReady},
	"(*sync.WaitGroup).Wait":        {Ready: waitReady, Awaits: counter},
	"(*sync.WaitGroup).Add":         {Commutes: addCommutes},
	"(*sync.WaitGroup).Done":        {Commutes: doneCommutes},
	"sync.runtime_notifyListWait":   {Ready: notified},

	"time.newTimer":   {Object: -1, Publishes: []int{2, 4, 5}},
	"time.stopTimer":  {},
	"time.resetTimer": {},

	// They call NativeCall.Select, which knows the channels.
	"reflect.chansend0": {Inside: true},
	"reflect.chanrecv":  {Inside: true},
	"reflect.rselect":   {Inside: true},

	// A coroutine that is made does not run yet. A switch orders what the two
	// sides do, so it is an operation on the coroutine.
	"iter.newcoro":       {Inside: true},
	"runtime.newcoro":    {Inside: true},
	"iter.coroswitch":    {},
	"runtime.coroswitch": {},

	// A search decides who goes on in any case.
	"runtime.Gosched": {Inside: true},
	"runtime.Goexit":  {Inside: true},

	// A search takes pools to be empty, as they may be at any time.
	"(*sync.Pool).Get": {Inside: true},
	"(*sync.Pool).Put": {Inside: true},

	verifyChoose: {Object: -1, Unseen: true, Choices: func(c *vm.NativeCall) int { return max(c.Int(0), 1) }},
	verifyAssume: {Inside: true},
	verifyFail:   {Inside: true},
	verifyWatch:  {Inside: true},
	verifyAtomic: {Object: -1, Unseen: true},
}

// mutexReady: the state is not locked. A nil Mutex panics, which is ready too;
// the same goes for those below.
func mutexReady(c *vm.NativeCall) bool {
	s := (*int32)(c.M.Heap.Peek(c.Ptr(0), 4))
	return s == nil || *s == 0
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
// vm.Assumptions). To count up is another matter: it may come too late, when
// whoever waits has gone on.
func addCommutes(c *vm.NativeCall) bool { return counterStays(c, int32(c.Int(1))) }

func counter(c *vm.NativeCall) int {
	if wg := (*waitGroup)(c.M.Heap.Peek(c.Ptr(0), waitGroupSize)); wg != nil {
		return int(int32(wg.state >> 32))
	}
	return 0
}

func doneCommutes(c *vm.NativeCall) bool { return counterStays(c, -1) }

func counterStays(c *vm.NativeCall, delta int32) bool {
	wg := (*waitGroup)(c.M.Heap.Peek(c.Ptr(0), waitGroupSize))
	return wg != nil && delta < 0 && int32(wg.state>>32)+delta > 0 && c.M.CountsDown()
}

// notified: the goroutine is no longer in the queue.
func notified(c *vm.NativeCall) bool {
	l := (*notifyList)(c.M.Heap.Peek(c.Ptr(0), notifyListSize))
	return l == nil || !l.has(c, c.M.Ticket(c.G))
}
