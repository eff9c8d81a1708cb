package native

import (
	"math"
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/vm"
)

// The exported functions of package runtime that are not about frames or
// memory, and what library packages reach of it through linknames.

// processors is what NumCPU says. It is fixed, so that a run does not depend on the host.
const processors = 4

func numCPU(c *vm.NativeCall) vm.Outcome {
	drive.Of(c.M).MeetFrom(c.G, "runtime", drive.MetProcessors)
	c.Set(0, processors)
	return vm.Done
}

// firstProcs is what GOMAXPROCS begins with.
func firstProcs(m *vm.Machine) int64 {
	if n, err := strconv.ParseInt(getenv(m, "GOMAXPROCS"), 10, 32); err == nil && n > 0 {
		return min(n, mostProcs)
	}
	return processors
}

// mostProcs is how many processors there are at most.
const mostProcs = 1 << 16

func gomaxprocs(c *vm.NativeCall) vm.Outcome {
	drive.Of(c.M).MeetFrom(c.G, "runtime", drive.MetProcessors)
	first := firstProcs(c.M)
	old := c.M.Setting(vm.MaxProcs, first)
	if n := c.Int(0); n > 0 {
		c.M.SetSetting(vm.MaxProcs, int64(min(n, mostProcs)), first)
	}
	c.Set(0, uint64(old))
	return vm.Done
}

func gosched(c *vm.NativeCall) vm.Outcome { return vm.Yield }

func goexit(c *vm.NativeCall) vm.Outcome { return c.Goexit() }

func numGoroutine(c *vm.NativeCall) vm.Outcome {
	drive.Of(c.M).MeetFrom(c.G, "runtime", drive.MetGoroutines)
	c.SetInt(0, c.M.NumGoroutine())
	return vm.Done
}

func version(c *vm.NativeCall) vm.Outcome {
	c.SetStr(0, c.M.Prog.GoVersion)
	return vm.Done
}

// goroot is $GOROOT, or the directory that the standard library's sources were
// found in.
func goroot(c *vm.NativeCall) vm.Outcome {
	root := getenv(c.M, "GOROOT")
	if root == "" {
		for _, file := range c.M.Prog.Files {
			if dir, ok := strings.CutSuffix(file, "/src/runtime/error.go"); ok {
				root = dir
				break
			}
		}
	}
	c.SetStr(0, root)
	return vm.Done
}

// boundsErrors are the messages of runtime.boundsErrorFmts and, for negative
// indexes, of runtime.boundsNegErrorFmts.
var boundsErrors = [...][2]string{
	{"index out of range [%x] with length %y", "index out of range [%x]"},
	{"slice bounds out of range [:%x] with length %y", "slice bounds out of range [:%x]"},
	{"slice bounds out of range [:%x] with capacity %y", "slice bounds out of range [:%x]"},
	{"slice bounds out of range [%x:%y]", "slice bounds out of range [%x:]"},
	{"slice bounds out of range [::%x] with length %y", "slice bounds out of range [::%x]"},
	{"slice bounds out of range [::%x] with capacity %y", "slice bounds out of range [::%x]"},
	{"slice bounds out of range [:%x:%y]", "slice bounds out of range [:%x:]"},
	{"slice bounds out of range [%x:%y:]", "slice bounds out of range [%x::]"},
	{"cannot convert slice with length %x to array or pointer to array with length %y", ""},
}

// boundsErrorText is the text of a runtime.boundsError, whose three words are x,
// y, and signed and code in the lowest two bytes.
func boundsErrorText(x, y int64, signed bool, code uint8) string {
	if int(code) >= len(boundsErrors) {
		return "runtime error: index out of range"
	}
	text := boundsErrors[code][0]
	if signed && x < 0 && boundsErrors[code][1] != "" {
		text = boundsErrors[code][1]
	}
	value := strconv.FormatInt(x, 10)
	if !signed {
		value = strconv.FormatUint(uint64(x), 10)
	}
	return "runtime error: " + strings.NewReplacer("%x", value, "%y", strconv.FormatInt(y, 10)).Replace(text)
}

func boundsError(c *vm.NativeCall) vm.Outcome {
	c.SetStr(0, boundsErrorText(int64(c.Word(0)), int64(c.Word(1)), c.Word(2)&0xff != 0, uint8(c.Word(2)>>8)))
	return vm.Done
}

// none is for functions with n result words, all zero.
func none(n int) vm.Native {
	return func(c *vm.NativeCall) vm.Outcome {
		if !c.Reserve(n) {
			return vm.Jumped
		}
		for i := range n {
			c.Set(i, 0)
		}
		return vm.Done
	}
}

// setting reads and replaces a setting; keep says which new values are ignored.
func setting(which vm.Setting, initial int64, keep func(v int64) bool) vm.Native {
	return func(c *vm.NativeCall) vm.Outcome {
		old, v := c.M.Setting(which, initial), int64(c.Word(0))
		if !keep(v) {
			c.M.SetSetting(which, v, initial)
		}
		c.Set(0, uint64(old))
		return vm.Done
	}
}

// collecting is for settings on which it depends whether collections may happen.
func collecting(set vm.Native) vm.Native {
	return func(c *vm.NativeCall) vm.Outcome {
		out := set(c)
		loosenPools(c.M)
		return out
	}
}

func never(int64) bool      { return false }
func negative(v int64) bool { return v < 0 }

func init() {
	register(Runtime, "the machine has no threads", map[string]vm.Native{
		"runtime.LockOSThread":         nop,
		"runtime.UnlockOSThread":       nop,
		"runtime.NumCPU":               numCPU,
		"runtime.NumCgoCall":           zero,
		"runtime.SetDefaultGOMAXPROCS": nop,
		"runtime.SetCgoTraceback":      nop,
		"runtime.Breakpoint":           nop,
		"runtime.getg":                 zero,
		"runtime.publicationBarrier":   nop,
	})
	registerVisible(Runtime, "remembered, without effect", map[string]vm.Native{
		"runtime.GOMAXPROCS": gomaxprocs,
	})
	registerVisible(Runtime, "asks the scheduler", map[string]vm.Native{
		"runtime.Gosched":      gosched,
		"runtime.Goexit":       goexit,
		"runtime.NumGoroutine": numGoroutine,
	})
	register(Runtime, "known from the program", map[string]vm.Native{
		"runtime.Version": version,
		"runtime.GOROOT":  goroot,
	})
	register(Runtime, "its table of formats is not initialised", map[string]vm.Native{
		"(runtime.boundsError).Error": boundsError,
	})
	registerVisible(NoBody, "remembered, without effect", map[string]vm.Native{
		"runtime/debug.setGCPercent":   collecting(setting(vm.GCPercent, 100, never)),
		"runtime/debug.setMaxStack":    setting(vm.MaxStack, 1_000_000_000, never),
		"runtime/debug.setMaxThreads":  setting(vm.MaxThreads, 10_000, never),
		"runtime/debug.setMemoryLimit": collecting(setting(vm.MemoryLimit, math.MaxInt64, negative)),
	})
	register(NoBody, "without effect", map[string]vm.Native{
		"runtime/debug.SetTraceback":       nop,
		"runtime/debug.WriteHeapDump":      nop,
		"runtime/debug.setPanicOnFault":    zero,
		"runtime/debug.runtime_setCrashFD": always(math.MaxUint64),
	})
	register(NoBody, "no processor has special instructions", map[string]vm.Native{
		"internal/cpu.cpuid":                 none(4),
		"internal/cpu.xgetbv":                none(2),
		"internal/cpu.getGOAMD64level":       always(1),
		"golang.org/x/sys/cpu.cpuid":         none(4),
		"golang.org/x/sys/cpu.xgetbv":        none(2),
		"vendor/golang.org/x/sys/cpu.cpuid":  none(4),
		"vendor/golang.org/x/sys/cpu.xgetbv": none(2),
	})
	register(NoBody, "no coverage is counted", map[string]vm.Native{
		"internal/coverage/cfile.getCovCounterList": none(3),
	})
}
