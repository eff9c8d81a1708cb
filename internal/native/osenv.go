package native

import (
	"strings"

	"github.com/heddle-mc/heddle/internal/kernel"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// kernelOf is the operating system of the machine's process, nil if it has none.
func kernelOf(m *vm.Machine) *kernel.Kernel {
	k, _ := m.Host.(*kernel.Kernel)
	return k
}

// getenv returns a variable of the environment that the process began with.
func getenv(m *vm.Machine, name string) string {
	value := ""
	if k := kernelOf(m); k != nil {
		for _, kv := range k.Env {
			if v, ok := strings.CutPrefix(kv, name+"="); ok {
				value = v
			}
		}
	}
	return value
}

// setStrings leaves a []string in three words.
func setStrings(c *vm.NativeCall, list []string) vm.Outcome {
	m := c.M
	p := m.AllocShape(m.Heap.AddShape(mem.Shape{Size: 16, Ptrs: []uint64{1}}), uint64(16*len(list)))
	for i, s := range list {
		data := m.NewString(s)
		if p == 0 || data == 0 && s != "" {
			return c.OutOfMemory()
		}
		*(*[2]uint64)(m.Heap.Write(p+mem.Ptr(16*i), 16)) = [2]uint64{uint64(data), uint64(len(s))}
	}
	c.SetPtr(0, p)
	c.SetInt(1, len(list))
	c.SetInt(2, len(list))
	return vm.Done
}

func runtimeArgs(c *vm.NativeCall) vm.Outcome {
	if k := kernelOf(c.M); k != nil {
		return setStrings(c, k.Args)
	}
	return setStrings(c, nil)
}

func runtimeEnvs(c *vm.NativeCall) vm.Outcome {
	if k := kernelOf(c.M); k != nil {
		return setStrings(c, k.Env)
	}
	return setStrings(c, nil)
}

// godebugUpdate is the function that package internal/godebug registers for
// changes of $GODEBUG. It is always this one, so it need not be remembered.
const godebugUpdate = "internal/godebug.update"

// setUpdate takes the function and calls it with the default settings and those
// of the environment.
func setUpdate(c *vm.NativeCall) vm.Outcome {
	return callUpdate(c, c.Ptr(0), getenv(c.M, "GODEBUG"), 1)
}

// callUpdate calls the function with arguments from word base on. The settings
// that the machine itself looks at it keeps.
func callUpdate(c *vm.NativeCall, update mem.Ptr, env string, base int) vm.Outcome {
	if !c.Reserve(base + 5) {
		return vm.Jumped
	}
	c.M.SetDebug(c.M.Prog.GODEBUG + "," + env)
	c.SetStr(base, c.M.Prog.GODEBUG)
	c.SetStr(base+2, env)
	return c.Invoke(update, base, updated)
}

var updated = vm.RegisterCont(func(c *vm.NativeCall) vm.Outcome { return vm.Done })

// runtimeSetenv takes the name and value of a variable that was set. Package
// syscall keeps the environment; the runtime wants to know about $GODEBUG only.
func runtimeSetenv(c *vm.NativeCall) vm.Outcome {
	update := c.M.FuncValue(godebugUpdate)
	if c.Str(0) != "GODEBUG" || update == 0 {
		return vm.Done
	}
	return callUpdate(c, update, c.Str(2), 4)
}

func runtimeUnsetenv(c *vm.NativeCall) vm.Outcome {
	update := c.M.FuncValue(godebugUpdate)
	if c.Str(0) != "GODEBUG" || update == 0 {
		return vm.Done
	}
	return callUpdate(c, update, "", 2)
}

func runtimeClearenv(c *vm.NativeCall) vm.Outcome {
	if update := c.M.FuncValue(godebugUpdate); update != 0 {
		return callUpdate(c, update, "", 1)
	}
	return vm.Done
}

// debugWrite takes a descriptor, an address and a length.
func debugWrite(c *vm.NativeCall) vm.Outcome {
	n := int(int32(c.Word(2)))
	if k := kernelOf(c.M); k != nil {
		k.Write(c.Int(0), c.Bytes(c.Ptr(1), n))
	}
	c.SetInt(0, n)
	return vm.Done
}

// modinfo is the build information between two marks of 16 bytes that
// runtime/debug.ReadBuildInfo cuts off.
func modinfo(c *vm.NativeCall) vm.Outcome {
	s := c.M.Prog.Module
	if s != "" {
		mark := strings.Repeat("\x00", 16)
		s = mark + s + mark
	}
	c.SetStr(0, s)
	return vm.Done
}

func init() {
	register(NoBody, "the process is the kernel's", map[string]vm.Native{
		"os.runtime_args":      runtimeArgs,
		"syscall.runtime_envs": runtimeEnvs,
	})
	register(NoBody, "tells package internal/godebug about $GODEBUG", map[string]vm.Native{
		"internal/godebug.setUpdate": setUpdate,
		"syscall.runtimeSetenv":      runtimeSetenv,
		"syscall.runtimeUnsetenv":    runtimeUnsetenv,
		"syscall.runtimeClearenv":    runtimeClearenv,
	})
	register(NoBody, "settings are not counted", map[string]vm.Native{
		"internal/godebug.registerMetric":      nop,
		"internal/godebug.setNewIncNonDefault": nop,
	})
	register(NoBody, "writes to the kernel's descriptor", map[string]vm.Native{
		"internal/godebug.write": debugWrite,
	})
	register(NoBody, "known from the program", map[string]vm.Native{
		"runtime/debug.modinfo": modinfo,
	})
}
