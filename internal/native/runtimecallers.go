package native

import (
	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// A program counter is a bytecode.ReturnWord. A *runtime.Func is the address of
// the function's word in the object of func values.

func funcPtr(i int) mem.Ptr {
	return mem.Ptr(bytecode.StaticPtr(bytecode.ObjFuncs, uint32(8*i)))
}

// caller takes how many frames to skip and returns pc, file, line and ok.
func caller(c *vm.NativeCall) vm.Outcome {
	skip := c.Int(0)
	pcs := c.M.Callers(c.G)
	if skip < 0 || skip >= len(pcs) {
		for i := range 5 {
			c.Set(i, 0)
		}
		return vm.Done
	}
	_, _, line := c.M.Position(pcs[skip])
	c.Set(0, pcs[skip])
	c.SetStr(1, c.M.File(line.File))
	c.SetInt(3, int(line.Line))
	c.SetBool(4, true)
	return vm.Done
}

// callers takes how many frames to skip, of which runtime.Callers itself is the
// first, and a slice to fill.
func callers(c *vm.NativeCall) vm.Outcome {
	skip, dst, n := c.Int(0), c.Ptr(1), c.Int(2)
	pcs := c.M.Callers(c.G)
	if skip == 0 {
		own := bytecode.ReturnWord(c.M.FuncIndex(c.Func().Name), 0)
		pcs = append([]uint64{own}, pcs...)
	} else {
		pcs = pcs[min(skip-1, len(pcs)):]
	}
	n = min(n, len(pcs))
	for i, pc := range pcs[:n] {
		if !c.M.Heap.Store64(dst+mem.Ptr(i*8), pc) {
			return c.PanicNil()
		}
	}
	c.SetInt(0, n)
	return vm.Done
}

// frameWords is the size of a runtime.Frame.
const frameWords = 11

// framesNext takes a *runtime.Frames, whose first three words are the slice of
// program counters that are left, and returns a Frame and whether more follow.
func framesNext(c *vm.NativeCall) vm.Outcome {
	at := c.Ptr(0)
	left := (*[3]uint64)(c.M.Heap.Write(at, 24))
	if left == nil {
		return c.PanicNil()
	}
	if !c.Reserve(frameWords + 1) {
		return vm.Jumped
	}
	for i := range frameWords + 1 {
		c.Set(i, 0)
	}
	for left[1] > 0 {
		pc, _ := c.M.Heap.Load64(mem.Ptr(left[0]))
		*left = [3]uint64{left[0] + 8, left[1] - 1, left[2] - 1}
		f, i, line := c.M.Position(pc)
		if f == nil {
			continue
		}
		c.Set(0, pc-1) // the call, not where it returns to
		c.SetPtr(1, funcPtr(i))
		c.SetStr(2, f.Name)
		c.SetStr(4, c.M.File(line.File))
		c.SetInt(6, int(line.Line))
		c.SetInt(7, f.Line)
		c.Set(8, bytecode.CodeWord(i))
		c.SetBool(frameWords, left[1] > 0)
		break
	}
	return vm.Done
}

func funcForPC(c *vm.NativeCall) vm.Outcome {
	_, i, _ := c.M.Position(c.Word(0))
	if i < 0 {
		c.Set(0, 0)
	} else {
		c.SetPtr(0, funcPtr(i))
	}
	return vm.Done
}

// funcOf is the function of a *runtime.Func in word 0, nil if it is nil.
func funcOf(c *vm.NativeCall) (*bytecode.Func, int) {
	w, _ := c.M.Heap.Load64(c.Ptr(0))
	f, i, _ := c.M.Position(w)
	return f, i
}

func funcName(c *vm.NativeCall) vm.Outcome {
	f, _ := funcOf(c)
	if f == nil {
		c.Set(0, 0)
		c.Set(1, 0)
		return vm.Done
	}
	c.SetStr(0, f.Name)
	return vm.Done
}

func funcEntry(c *vm.NativeCall) vm.Outcome {
	f, i := funcOf(c)
	if f == nil {
		return c.PanicNil()
	}
	c.Set(0, bytecode.CodeWord(i))
	return vm.Done
}

func funcFileLine(c *vm.NativeCall) vm.Outcome {
	f, i := funcOf(c)
	if f == nil {
		return c.PanicNil()
	}
	_, j, line := c.M.Position(c.Word(1))
	if i != j {
		c.SetStr(0, "?")
		c.SetInt(2, 0)
		return vm.Done
	}
	c.SetStr(0, c.M.File(line.File))
	c.SetInt(2, int(line.Line))
	return vm.Done
}

// stack takes a buffer and whether to print all goroutines.
func stack(c *vm.NativeCall) vm.Outcome {
	text := c.M.Stack(c.G, c.Bool(3))
	n := min(c.Int(1), len(text))
	b, ok := c.M.Heap.WriteBytes(c.Ptr(0), uint32(n))
	if !ok {
		return c.PanicNil()
	}
	copy(b, text)
	c.SetInt(0, n)
	return vm.Done
}

// callerPC is the program counter of the caller of the function that asks.
func callerPC(c *vm.NativeCall) vm.Outcome {
	pcs := c.M.Callers(c.G)
	c.Set(0, 0)
	if len(pcs) > 1 {
		c.Set(0, pcs[1])
	}
	return vm.Done
}

func init() {
	register(Runtime, "walks the machine's frames", map[string]vm.Native{
		"runtime.Caller":                     caller,
		"runtime.Callers":                    callers,
		"runtime.callers":                    callers,
		"(*runtime.Frames).Next":             framesNext,
		"runtime.FuncForPC":                  funcForPC,
		"(*runtime.Func).Name":               funcName,
		"(*runtime.Func).Entry":              funcEntry,
		"(*runtime.Func).FileLine":           funcFileLine,
		"runtime.Stack":                      stack,
		"internal/runtime/sys.GetCallerPC":   callerPC,
		"internal/runtime/sys.GetCallerSP":   zero,
		"internal/runtime/sys.GetClosurePtr": zero,
	})
}
