package native

import (
	"strings"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// Collections, and what follows from them: finalizers, cleanups, weak pointers.
// They take effect when the program calls runtime.GC, see vm.Special.

// collectTime is how long a collection takes, in nanoseconds. Programs call
// runtime.GC in loops until something else has happened, or some time has passed.
const collectTime = 200_000

// benchmarks is who asks for a collection before a benchmark, which is then refused: see asksForStats.
const benchmarks = "testing.(*B).runN"

// gc lets the others run: a collection takes time, and those who wait for
// finalizers expect that they have run after a few.
func gc(c *vm.NativeCall) vm.Outcome {
	if c.M.Driven() && !drive.Of(c.M).Expects() && c.CallerName(nil) != benchmarks {
		return c.Unsupported("a collection in a search for which package testing asks")
	}
	agePools(c.M)
	collect(c.M)
	c.M.Spend(collectTime)
	return vm.Yield
}

// setFinalizer takes the object and the finalizer, both in interfaces.
func setFinalizer(c *vm.NativeCall) vm.Outcome {
	m := c.M
	desc, obj, fdesc, fn := c.Ptr(0), c.Ptr(1), c.Ptr(2), c.Ptr(3)
	if desc == 0 {
		return c.Fatal("runtime.SetFinalizer: first argument is nil")
	}
	t := m.TypeOf(desc)
	if t.Kind != bytecode.Pointer {
		return c.Fatal("runtime.SetFinalizer: first argument is " + t.Str + ", not pointer")
	}
	if obj == 0 {
		return c.Fatal("nil elem type!")
	}
	old, had := m.FindSpecial(vm.FinalizerSpecial, obj)
	if fdesc == 0 {
		if had {
			m.DropSpecial(old.ID)
		}
		return vm.Done
	}
	ft := m.TypeOf(fdesc)
	if ft.Kind != bytecode.FuncKind {
		return c.Fatal("runtime.SetFinalizer: second argument is " + ft.Str + ", not a function")
	}
	if ft.Flags&bytecode.FlagVariadic != 0 {
		return c.Fatal("runtime.SetFinalizer: cannot pass " + t.Str + " to finalizer " + ft.Str + " because dotdotdot")
	}
	word, ok := finalizerArg(m, desc, ft)
	if !ok {
		return c.Fatal("runtime.SetFinalizer: cannot pass " + t.Str + " to finalizer " + ft.Str)
	}
	if m.IsInlined(obj) {
		return inlinedOrNot(c)
	}
	if immortal(m, obj) {
		return vm.Done
	}
	if obj.Off() != 0 {
		return c.Fatal("runtime.SetFinalizer: pointer not at beginning of allocated block")
	}
	if had {
		return c.Fatal("runtime.SetFinalizer: finalizer already set")
	}
	end := m.AllocBytes(8)
	if end == 0 {
		return c.OutOfMemory()
	}
	m.AddSpecial(vm.Special{Kind: vm.FinalizerSpecial, Target: obj, Fn: fn, Arg: word, End: end})
	return vm.Done
}

// finalizerArg says how an object is passed to a finalizer: as a pointer, 0, or
// in an interface with the given first word.
func finalizerArg(m *vm.Machine, desc mem.Ptr, ft *bytecode.Type) (word mem.Ptr, ok bool) {
	if len(ft.In) != 1 {
		return 0, false
	}
	param := m.Type(ft.In[0])
	switch {
	case ft.In[0] == m.TypeIndex(desc):
		return 0, true
	case param.Kind == bytecode.Pointer:
		t := m.TypeOf(desc)
		// Identical underlying types, one of them not a declared type.
		return 0, param.Elem == t.Elem && (param.Name == "" || t.Name == "")
	case param.Kind == bytecode.Interface:
		word, _ = m.IfaceWord(ft.In[0], desc)
		return word, word != 0
	}
	return 0, false
}

// beforeCollections: what it does depends on whether somebody has asked for a collection, and the other way round. It is so of
// what acts on finalizers, cleanups and weak pointers.
func beforeCollections(c *vm.NativeCall, f *effect.Footprint) {
	f.Read(processToken(c))
	f.Write(processToken(c))
}

// inlinedOrNot refuses what depends on whether something is ever collected, which is not known.
func inlinedOrNot(c *vm.NativeCall) vm.Outcome {
	return c.Unsupported("a finalizer of, or a weak pointer to, what a function has made for a package variable: if the function is inlined, that is never collected")
}

// immortal reports whether p points to what is never collected: variables and
// what belongs to the program.
func immortal(m *vm.Machine, p mem.Ptr) bool {
	return int(p.Obj()) < bytecode.GlobalBase+len(m.Prog.Globals) || m.Heap.IsStatic(p.Obj())
}

// addCleanup is runtime.AddCleanup: it takes a pointer, a function and the
// function's argument, of the instance's type, and returns a runtime.Cleanup.
func addCleanup(c *vm.NativeCall) vm.Outcome {
	m := c.M
	ptr, fn := c.Ptr(0), c.Ptr(1)
	if ptr == 0 {
		return c.PanicString("runtime.AddCleanup: ptr is nil")
	}
	typ := c.Func().ParamT[2]
	t := m.Type(typ)
	if t.Kind == bytecode.Pointer || t.Kind == bytecode.UnsafePointer {
		switch arg := c.Ptr(2); {
		case arg == ptr:
			return c.PanicString("runtime.AddCleanup: ptr is equal to arg, cleanup will never run")
		case arg.Obj() == ptr.Obj():
			return c.PanicString("runtime.AddCleanup: ptr is within arg, cleanup will never run")
		}
	}
	if n := m.Heap.Size(fn.Obj()); !immortal(m, fn) {
		for off := uint32(8); off+8 <= n; off += 8 {
			if p, _ := m.Heap.LoadPtr(mem.MakePtr(fn.Obj(), off)); p.Obj() == ptr.Obj() {
				return c.PanicString("runtime.AddCleanup: cleanup function closes over ptr, cleanup will never run")
			}
		}
	}
	if m.IsInlined(ptr) {
		return inlinedOrNot(c)
	}
	c.Set(0, 0)
	c.Set(1, 0) // that is its address in Go, which depends here on how a state was reached
	if immortal(m, ptr) || m.Driven() && !drive.Of(m).Expects() {
		return vm.Done // it is never collected, or never by a collection that counts
	}
	arg, end := m.Alloc(typ), m.AllocBytes(8)
	if arg == 0 || end == 0 {
		return c.OutOfMemory()
	}
	if t.Size > 0 {
		vm.StoreReg(t, m.Heap.Write(arg, t.Size), c.Words(2))
	}
	c.Set(0, m.AddSpecial(vm.Special{Kind: vm.CleanupSpecial, Target: ptr, Fn: fn, Arg: arg, Type: typ, End: end}))
	return vm.Done
}

func cleanupStop(c *vm.NativeCall) vm.Outcome {
	c.M.DropSpecial(c.Word(0))
	return vm.Done
}

// The functions by which tests of the library wait for finalizers and cleanups.
const (
	finalizersDone   = "runtime.blockUntilEmptyFinalizerQueue"
	cleanupsDone     = "unique.runtime_blockUntilEmptyCleanupQueue"
	cleanupsDoneSync = "sync_test.runtime_blockUntilEmptyCleanupQueue"
)

// queueEmpty waits until the finalizers, or cleanups, of the collections up to now have been called.
func queueEmpty(kind vm.SpecialKind) vm.Native {
	return func(c *vm.NativeCall) vm.Outcome {
		if g := server(c.M, kind); g != nil {
			return park(c, "runtime.Gosched", g.AtEnd())
		}
		c.SetBool(0, true)
		return vm.Yield
	}
}

// queueIsEmpty reports whether that does not have to wait.
func queueIsEmpty(kind vm.SpecialKind) func(c *vm.NativeCall) bool {
	return func(c *vm.NativeCall) bool { return server(c.M, kind) == nil }
}

// server returns a goroutine that calls a finalizer or a cleanup, nil if there is none.
func server(m *vm.Machine, kind vm.SpecialKind) *vm.G {
	for g := range m.Driver().Goroutines {
		if g.Serves(kind) {
			return g
		}
	}
	return nil
}

// A weak pointer is the address of a handle, see vm.WeakHandle. A target has one handle as long as it lives.

func registerWeak(c *vm.NativeCall) vm.Outcome {
	p := c.Ptr(0)
	if p == 0 {
		return vm.Done
	}
	if c.M.IsInlined(p) {
		return inlinedOrNot(c)
	}
	handle := c.M.WeakHandle(p)
	if handle == 0 {
		return c.OutOfMemory()
	}
	c.SetPtr(0, handle)
	return vm.Done
}

func strongFromWeak(c *vm.NativeCall) vm.Outcome {
	if c.Ptr(0) == 0 {
		return vm.Done
	}
	p, ok := c.M.WeakTarget(c.Ptr(0))
	if !ok {
		return c.PanicNil()
	}
	c.SetPtr(0, p)
	return vm.Done
}

// aroundStats are the packages between whoever asks for numbers about memory and the natives that tell them.
var aroundStats = map[string]bool{"runtime": true, "runtime/debug": true, "runtime/metrics": true}

// aroundTests are those between a test that asks and the natives.
var aroundTests = map[string]bool{"runtime": true, "runtime/debug": true, "runtime/metrics": true, "testing": true}

// asksForStats notes in a search that somebody asks for numbers about memory. A test asks in order to compare
// them, as testing.AllocsPerRun and benchmarks do, so it is refused. Others may only log them: that the
// numbers stand still is a bound of what is then shown.
func asksForStats(c *vm.NativeCall) (out vm.Outcome, refused bool) {
	if !c.M.Driven() {
		return vm.Done, false
	}
	pkg := c.CallerPkg(aroundStats)
	if pkg != "testing" && !strings.HasSuffix(c.CallerFile(aroundStats), "_test.go") {
		drive.Of(c.M).Meet(drive.MetMemory)
		return vm.Done, false
	}
	what := "a test that asks how much memory there is"
	switch {
	case c.CallerName(aroundStats) == "testing.AllocsPerRun":
		what = "testing.AllocsPerRun in a search, which counts no allocations"
	case pkg == "testing":
		what = "a benchmark in a search, which counts neither allocations nor time"
	}
	return c.UnsupportedFor(aroundTests, what), true
}

// heapStats returns how many bytes the heap holds and how many collections there were. In
// a search both depend on how a state was reached, so they stand still.
func heapStats(m *vm.Machine) (inUse, cycles uint64) {
	if m.Driven() {
		return 1 << 20, 0
	}
	cycles, _ = m.Collections()
	return m.Heap.InUse(), cycles
}

// memStats is the beginning of a runtime.MemStats.
type memStats struct {
	alloc, totalAlloc, sys, lookups, mallocs, frees                uint64
	heapAlloc, heapSys, heapIdle, heapInuse, heapReleased, objects uint64
}

// Offsets in a runtime.MemStats behind its beginning.
const (
	memStatsNextGC   = 168
	memStatsNumGC    = 168 + 24 + 2*256*8
	memStatsEnableGC = memStatsNumGC + 16
)

// readMemStats tells what the heap holds. The number of allocations stands
// still: the machine has no escape analysis, so its allocations are not those
// that a program's tests count.
func readMemStats(c *vm.NativeCall) vm.Outcome {
	if out, refused := asksForStats(c); refused {
		return out
	}
	p := c.Ptr(0)
	s := (*memStats)(c.M.Heap.Write(p, uint32(unsafe.Sizeof(memStats{}))))
	if s == nil {
		return c.PanicNil()
	}
	const objects = 1000
	inUse, cycles := heapStats(c.M)
	*s = memStats{
		alloc: inUse, totalAlloc: inUse, sys: inUse, mallocs: objects,
		heapAlloc: inUse, heapSys: inUse, heapInuse: inUse, objects: objects,
	}
	c.M.Heap.Store64(p+memStatsNextGC, 2*inUse)
	c.M.Heap.Store32(p+memStatsNumGC, uint32(cycles))
	c.M.Heap.Store8(p+memStatsEnableGC, 1)
	return vm.Done
}

// readGCStats fills a slice of durations: no pauses, then the time of the last
// collection, their number, and the total of pauses.
func readGCStats(c *vm.NativeCall) vm.Outcome {
	if out, refused := asksForStats(c); refused {
		return out
	}
	s := (*[3]uint64)(c.M.Heap.Write(c.Ptr(0), 24))
	if s == nil {
		return c.PanicNil()
	}
	_, cycles := heapStats(c.M)
	for i, v := range []uint64{0, cycles, 0} {
		if !c.M.Heap.Store64(mem.Ptr(s[0])+mem.Ptr(i*8), v) {
			return c.PanicNil()
		}
	}
	s[1] = 3
	return vm.Done
}

func init() {
	registerVisible(Runtime, "collects at once; finalizers, cleanups and weak pointers take effect here", map[string]vm.Native{
		"runtime.GC":                 gc,
		"runtime/debug.freeOSMemory": gc,
	})
	registerVisible(Runtime, "attached to the object, outside of the heap", map[string]vm.Native{
		"runtime.SetFinalizer":   setFinalizer,
		"runtime.AddCleanup":     addCleanup,
		"(runtime.Cleanup).Stop": cleanupStop,
	})
	registerVisible(Runtime, "waits for the goroutines that call them", map[string]vm.Native{
		finalizersDone:   queueEmpty(vm.FinalizerSpecial),
		cleanupsDone:     queueEmpty(vm.CleanupSpecial),
		cleanupsDoneSync: queueEmpty(vm.CleanupSpecial),
	})
	register(NoBody, "a handle of one word", map[string]vm.Native{
		"weak.runtime_registerWeakPointer": registerWeak,
	})
	registerVisible(NoBody, "reads a handle of one word", map[string]vm.Native{
		"weak.runtime_makeStrongFromWeak": strongFromWeak,
	})
	register(Runtime, "the machine moves nothing and knows what is live", map[string]vm.Native{
		"runtime.KeepAlive":       nop,
		"(*runtime.Pinner).Pin":   nop,
		"(*runtime.Pinner).Unpin": nop,
	})
	register(Runtime, "tells what the machine's heap holds", map[string]vm.Native{
		"runtime.ReadMemStats":      readMemStats,
		"runtime/debug.readGCStats": readGCStats,
	})
}
