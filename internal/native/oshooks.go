package native

import (
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// What packages os and syscall ask of the runtime about the process: how it
// ends, and that it cannot start others.

func osExit(c *vm.NativeCall) vm.Outcome { return c.Exit(int(int32(c.Word(0)))) }

// osSigpipe is what a write to a closed standard stream comes to: the program
// dies of SIGPIPE.
func osSigpipe(c *vm.NativeCall) vm.Outcome { return c.Exit(128 + int(linux.SIGPIPE)) }

// forkExec refuses with the name of the program that was to be started.
func forkExec(c *vm.NativeCall) vm.Outcome {
	return c.UnsupportedFor(aroundProcesses, "starting a process ("+c.Str(0)+")")
}

// aroundProcesses are the packages between whoever starts a process and the natives that refuse it.
var aroundProcesses = map[string]bool{"os/exec": true, "os": true, "syscall": true}

// startCommand refuses also if the program was not found: where there is one on a real machine there need be none
// in the modelled one, as the binary of a test that starts itself.
func startCommand(c *vm.NativeCall) vm.Outcome {
	name := (*[2]uint64)(c.M.Heap.Read(c.Ptr(0), 16)) // Cmd.Path
	if name == nil {
		return c.PanicNil()
	}
	return c.UnsupportedFor(aroundProcesses, "starting a process ("+string(c.Bytes(mem.Ptr(name[0]), int(name[1])))+")")
}

// fcntl is the runtime's: it returns a value and an error number, 32 bits each.
func fcntl(c *vm.NativeCall) vm.Outcome {
	k := kernelOf(c.M)
	if k == nil {
		return c.Unsupported("system call without an operating system")
	}
	n, e := k.Fcntl(c.Int(0), c.Int(1), c.Int(2))
	if e != 0 {
		n = -1
	}
	wakeAll(c.M, k)
	c.SetInt(0, n)
	c.SetInt(1, int(e))
	return vm.Done
}

// timeOfDay is gettimeofday(2) from the vDSO; the result is an error number.
func timeOfDay(c *vm.NativeCall) vm.Outcome {
	s := sys{c: c, k: kernelOf(c.M), num: linux.SYS_GETTIMEOFDAY, a: [6]uint64{c.Word(0)}}
	e := s.do()
	if s.out == vm.Done {
		c.Set(0, uint64(e))
	}
	return s.out
}

// noVgetrandom says that the vDSO has no getrandom: callers make the call.
func noVgetrandom(c *vm.NativeCall) vm.Outcome {
	c.SetInt(0, -1)
	c.SetBool(1, false)
	return vm.Done
}

func init() {
	register(NoBody, "the modelled process", map[string]vm.Native{
		"syscall.Getpagesize":         always(4096),
		"syscall.gettimeofday":        timeOfDay,
		"internal/syscall/unix.fcntl": fcntl,
		"runtime.fcntl":               fcntl,

		"golang.org/x/sys/unix.gettimeofday": timeOfDay,
	})
	registerVisible(NoBody, "ends the program", map[string]vm.Native{
		"syscall.Exit": osExit,
		"os.sigpipe":   osSigpipe,
	})
	register(NoBody, "nothing to be done in the machine", map[string]vm.Native{
		"os.runtime_beforeExit": nop,
		"os.ignoreSIGSYS":       nop,
		"os.restoreSIGSYS":      nop,
	})
	register(Runtime, "the counters lie between two symbols of the linker: there are none", map[string]vm.Native{
		"internal/fuzz.coverage": none(3),
	})
	register(NoBody, "there is no vDSO: the system call is made instead", map[string]vm.Native{
		"internal/syscall/unix.vgetrandom": noVgetrandom,
		"golang.org/x/sys/unix.vgetrandom": noVgetrandom,
		"runtime.vgetrandom":               noVgetrandom,
	})
	register(Runtime, "other processes are not modelled: refused", map[string]vm.Native{
		"syscall.forkExec":     forkExec,
		"(*os/exec.Cmd).Start": startCommand,
	})
	register(NoBody, "other processes are not modelled: refused", map[string]vm.Native{
		"syscall.rawVforkSyscall":          forkExec0,
		"syscall.runtime_BeforeFork":       nop,
		"syscall.runtime_AfterFork":        nop,
		"syscall.runtime_AfterForkInChild": nop,
		"syscall.runtime_BeforeExec":       nop,
		"syscall.runtime_AfterExec":        nop,
		"syscall.cgocaller":                forkExec0,
	})
}

func forkExec0(c *vm.NativeCall) vm.Outcome {
	return c.UnsupportedFor(aroundProcesses, "starting a process")
}
