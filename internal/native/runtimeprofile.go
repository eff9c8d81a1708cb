package native

import (
	"strings"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// Profiles and traces are empty: the machine measures nothing. Programs and
// package testing link against them and find that nothing happened.

// aroundProfiles are the packages between whoever asks for what is not measured and the natives that tell nothing.
var aroundProfiles = map[string]bool{"runtime": true, "runtime/debug": true, "runtime/pprof": true, "runtime/trace": true, "runtime/metrics": true, "net/http/pprof": true}

// unmeasured makes a native of one that answers a question for what is not measured. A test asks in order to look at the
// answer, so it is refused. Others may only write it to a file: that it is empty is a bound of what
// is then shown, and may be why something is wrong.
func unmeasured(what string, answer vm.Native) vm.Native {
	return func(c *vm.NativeCall) vm.Outcome {
		if out, refused := asksForProfile(c, what); refused {
			return out
		}
		return answer(c)
	}
}

func asksForProfile(c *vm.NativeCall, what string) (out vm.Outcome, refused bool) {
	if c.CalledByTest(aroundProfiles) {
		return c.UnsupportedFor(aroundProfiles, "a test that asks for "+what+", which is empty here"), true
	}
	drive.Of(c.M).Meet(drive.MetProfile)
	return vm.Done, false
}

// noRecords is for functions that return how many records there are, and true.
func noRecords(what string) vm.Native {
	return unmeasured("the profile of "+what, func(c *vm.NativeCall) vm.Outcome {
		c.SetInt(0, 0)
		c.SetBool(1, true)
		return vm.Done
	})
}

// memProfile would have to tell which allocations there were. Unlike events of
// the scheduler, there are always some.
func memProfile(c *vm.NativeCall) vm.Outcome {
	return c.Unsupported("profile of allocations (" + c.Func().Name + ")")
}

// stackRecordSize is the size of a runtime.StackRecord: 32 program counters.
const stackRecordSize = 32 * 8

// goroutineProfile takes a slice of StackRecords. Only the calling goroutine's
// stack is told, the others are empty.
func goroutineProfile(c *vm.NativeCall) vm.Outcome {
	c.M.TouchProcess()
	n := c.M.NumGoroutine()
	ok := n <= c.Int(1)
	if ok && n > 1 {
		if out, refused := asksForProfile(c, "the stacks of other goroutines by a profile"); refused {
			return out
		}
	}
	if ok {
		for i, pc := range c.M.Callers(c.G) {
			if i == stackRecordSize/8 || !c.M.Heap.Store64(c.Ptr(0)+mem.Ptr(i*8), pc) {
				break
			}
		}
	}
	c.SetInt(0, n)
	c.SetBool(1, ok)
	return vm.Done
}

// readProfile says that the profile has ended.
func readProfile(c *vm.NativeCall) vm.Outcome {
	if !c.Reserve(7) {
		return vm.Jumped
	}
	for i := range 6 {
		c.Set(i, 0)
	}
	c.SetBool(6, true)
	return vm.Done
}

// startTrace begins a trace without events. The end of a trace waits in Go until all of it was read, which is not so here: in a search
// whoever reads it would race with whoever looks at what was read, so it is refused there.
func startTrace(c *vm.NativeCall) vm.Outcome {
	if c.M.Driven() {
		return c.UnsupportedFor(aroundProfiles, "a trace in a search, which would be empty")
	}
	return unmeasured("a trace", none(2))(c)
}

// cpuProfileRate takes how often to look, 0 for no more.
func cpuProfileRate(c *vm.NativeCall) vm.Outcome {
	if c.Int(0) <= 0 {
		return vm.Done
	}
	return unmeasured("the profile of the processor", nop)(c)
}

// makeProfStack makes a slice for the program counters of a stack.
func makeProfStack(c *vm.NativeCall) vm.Outcome {
	const depth = 128
	p := c.M.AllocBytes(8 * depth)
	if p == 0 {
		return c.OutOfMemory()
	}
	c.SetPtr(0, p)
	c.SetInt(1, depth)
	c.SetInt(2, depth)
	return vm.Done
}

// Offsets in a runtime.Frame.
const (
	frameFunction  = 16
	frameStartLine = 56
)

func frameSymbolName(c *vm.NativeCall) vm.Outcome {
	s := (*[2]uint64)(c.M.Heap.Read(c.Ptr(0)+frameFunction, 16))
	if s == nil {
		return c.PanicNil()
	}
	c.Set(0, s[0])
	c.Set(1, s[1])
	return vm.Done
}

func frameStart(c *vm.NativeCall) vm.Outcome {
	line, ok := c.M.Heap.Load64(c.Ptr(0) + frameStartLine)
	if !ok {
		return c.PanicNil()
	}
	c.Set(0, line)
	return vm.Done
}

// metrics are the domains of the names of metrics: there may be one of such a name.
var metrics = map[string]bool{"cgo": true, "cpu": true, "gc": true, "godebug": true, "memory": true, "sched": true, "sync": true}

// domain is the first part of the name of a metric.
func domain(name string) string {
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "/"), "/")
	return name
}

// A metricsSample is a runtime/metrics.Sample.
type metricsSample struct {
	name    mem.Ptr
	len     uint64
	kind    uint64
	scalar  uint64
	pointer mem.Ptr
}

// readMetrics takes the address and length of an array of samples. It knows the
// few metrics that mean something here; others are of kind bad, which is so in Go if there are none of that name.
func readMetrics(c *vm.NativeCall) vm.Outcome {
	const bad, number = 0, 1
	c.M.TouchProcess()
	inUse, cycles := heapStats(c.M)
	known := map[string]uint64{
		"/sched/goroutines:goroutines":       uint64(c.M.NumGoroutine()),
		"/sched/gomaxprocs:threads":          uint64(c.M.Setting(vm.MaxProcs, firstProcs(c.M))),
		"/gc/cycles/total:gc-cycles":         cycles,
		"/memory/classes/heap/objects:bytes": inUse,
		"/memory/classes/total:bytes":        inUse,
		"/gc/gogc:percent":                   uint64(c.M.Setting(vm.GCPercent, 100)),
	}
	size := mem.Ptr(unsafe.Sizeof(metricsSample{}))
	for i := range mem.Ptr(c.Int(1)) {
		s := (*metricsSample)(c.M.Heap.Write(c.Ptr(0)+i*size, uint32(size)))
		if s == nil {
			return c.PanicNil()
		}
		name := string(c.Bytes(s.name, int(s.len)))
		if strings.HasPrefix(name, "/memory/") || strings.HasPrefix(name, "/gc/cycles/") {
			if out, refused := asksForStats(c); refused {
				return out
			}
		}
		v, ok := known[name]
		if !ok && metrics[domain(name)] {
			if out, refused := asksForProfile(c, "the metric "+name); refused {
				return out
			}
			ok = domain(name) == "godebug" // a number, of which nobody keeps count
		}
		s.kind, s.scalar, s.pointer = bad, v, 0
		if ok {
			s.kind = number
		}
	}
	return vm.Done
}

func init() {
	register(Runtime, "nothing is profiled", map[string]vm.Native{
		"runtime.BlockProfile":            noRecords("blocking"),
		"runtime.MutexProfile":            noRecords("locks"),
		"runtime.ThreadCreateProfile":     noRecords("threads"),
		"runtime.SetBlockProfileRate":     nop,
		"runtime.SetMutexProfileFraction": zero,
		"runtime.SetCPUProfileRate":       cpuProfileRate,
		"runtime.CPUProfile":              none(3),
		"runtime.StartTrace":              startTrace,
		"runtime.StopTrace":               nop,
		"runtime.ReadTrace":               none(3),
	})
	registerVisible(Runtime, "nothing is profiled but how many there are", map[string]vm.Native{
		"runtime.GoroutineProfile": goroutineProfile,
	})
	register(Runtime, "there is no profile of allocations: refused", map[string]vm.Native{
		"runtime.MemProfile":                     memProfile,
		"runtime/pprof.pprof_memProfileInternal": memProfile,
	})
	register(NoBody, "nothing is profiled", prefixed("runtime/pprof.", map[string]vm.Native{
		"pprof_blockProfileInternal":           noRecords("blocking"),
		"pprof_mutexProfileInternal":           noRecords("locks"),
		"pprof_threadCreateInternal":           noRecords("threads"),
		"pprof_goroutineProfileWithLabels":     noRecords("goroutines"),
		"pprof_goroutineLeakProfileWithLabels": noRecords("goroutines that leak"),
		"pprof_cyclesPerSecond":                always(nanos),
		"pprof_fpunwindExpand":                 zero,
		"pprof_makeProfStack":                  makeProfStack,
		"readProfile":                          readProfile,
		"runtime_FrameStartLine":               frameStart,
		"runtime_FrameSymbolName":              frameSymbolName,
		"runtime_expandFinalInlineFrame":       nop, // the result is the argument
		"runtime_goroutineLeakGC":              nop,
		"runtime_goroutineleakcount":           zero,
		"runtime_setProfLabel":                 nop,
		"runtime_getProfLabel":                 zero,
	}))
	register(NoBody, "nothing is traced", prefixed("runtime/trace.", map[string]vm.Native{
		"runtime_readTrace":                none(3),
		"runtime_traceAdvance":             nop,
		"runtime_traceClockNow":            runtimeNano,
		"runtime_traceClockUnitsPerSecond": always(nanos),
		"userLog":                          nop,
		"userRegion":                       nop,
		"userTaskCreate":                   nop,
		"userTaskEnd":                      nop,
	}))
	registerVisible(NoBody, "a few numbers of the machine, the rest is of kind bad", map[string]vm.Native{
		"runtime/metrics.runtime_readMetrics": readMetrics,
	})
}
