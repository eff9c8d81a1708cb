package native

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/vm"
)

// Atomic operations act on heap bytes directly: goroutines never run at the
// same time, so each native is atomic by itself. A nil or wrong pointer panics
// as a plain access would. The typed atomics and atomic.Value are Go source on
// top of these.

type integer interface {
	~int8 | ~uint8 | ~int32 | ~uint32 | ~int64 | ~uint64
}

// cell returns the address of the variable that word 0 points to, to be
// written, or nil.
func cell[T integer](c *vm.NativeCall) *T {
	var v T
	return (*T)(c.M.Heap.Write(c.Ptr(0), uint32(unsafe.Sizeof(v))))
}

// peek is cell for a variable that is only read.
func peek[T integer](c *vm.NativeCall) *T {
	var v T
	return (*T)(c.M.Heap.Read(c.Ptr(0), uint32(unsafe.Sizeof(v))))
}

// Results are extended by their type's sign, as registers are.

func atomicLoad[T integer](c *vm.NativeCall) vm.Outcome {
	p := peek[T](c)
	if p == nil {
		return c.PanicNil()
	}
	c.Set(0, uint64(*p))
	return vm.Done
}

func atomicStore[T integer](c *vm.NativeCall) vm.Outcome {
	p := cell[T](c)
	if p == nil {
		return c.PanicNil()
	}
	*p = T(c.Word(1))
	return vm.Done
}

// atomicAdd returns the new value.
func atomicAdd[T integer](c *vm.NativeCall) vm.Outcome {
	p := cell[T](c)
	if p == nil {
		return c.PanicNil()
	}
	*p += T(c.Word(1))
	c.Set(0, uint64(*p))
	return vm.Done
}

// atomicSwap returns the old value, as atomicAnd and atomicOr do.
func atomicSwap[T integer](c *vm.NativeCall) vm.Outcome {
	p := cell[T](c)
	if p == nil {
		return c.PanicNil()
	}
	old := *p
	*p = T(c.Word(1))
	c.Set(0, uint64(old))
	return vm.Done
}

func atomicAnd[T integer](c *vm.NativeCall) vm.Outcome {
	p := cell[T](c)
	if p == nil {
		return c.PanicNil()
	}
	old := *p
	*p &= T(c.Word(1))
	c.Set(0, uint64(old))
	return vm.Done
}

func atomicOr[T integer](c *vm.NativeCall) vm.Outcome {
	p := cell[T](c)
	if p == nil {
		return c.PanicNil()
	}
	old := *p
	*p |= T(c.Word(1))
	c.Set(0, uint64(old))
	return vm.Done
}

// atomicCas writes only if it swaps: a comparison that fails leaves no trace in
// the undo log.
func atomicCas[T integer](c *vm.NativeCall) vm.Outcome {
	p := peek[T](c)
	if p == nil {
		return c.PanicNil()
	}
	if *p != T(c.Word(1)) {
		c.SetBool(0, false)
		return vm.Done
	}
	if p = cell[T](c); p == nil {
		return c.PanicNil()
	}
	*p = T(c.Word(2))
	c.SetBool(0, true)
	return vm.Done
}

func init() {
	fns := map[string]vm.Native{
		"LoadPointer":           atomicLoad[uint64],
		"StorePointer":          atomicStore[uint64],
		"SwapPointer":           atomicSwap[uint64],
		"CompareAndSwapPointer": atomicCas[uint64],
	}
	atomicFamily[int32](fns, "Int32")
	atomicFamily[uint32](fns, "Uint32")
	atomicFamily[int64](fns, "Int64")
	atomicFamily[uint64](fns, "Uint64")
	atomicFamily[uint64](fns, "Uintptr")
	registerVisible(NoBody, "one access to heap bytes", prefixed("sync/atomic.", fns))

	registerVisible(NoBody, "one access to heap bytes", prefixed("internal/runtime/atomic.", map[string]vm.Native{
		"Loadint32": atomicLoad[int32], "Loadint64": atomicLoad[int64],
		"Loaduint": atomicLoad[uint64], "Loaduintptr": atomicLoad[uint64],
		"Store": atomicStore[uint32], "Store8": atomicStore[uint8], "Store64": atomicStore[uint64],
		"StoreRel": atomicStore[uint32], "StoreRel64": atomicStore[uint64], "StoreReluintptr": atomicStore[uint64],
		"Storeint32": atomicStore[int32], "Storeint64": atomicStore[int64], "Storeuintptr": atomicStore[uint64],
		"StorepNoWB": atomicStore[uint64], "storePointer": atomicStore[uint64],
		"Cas": atomicCas[uint32], "CasRel": atomicCas[uint32], "Cas64": atomicCas[uint64],
		"Casint32": atomicCas[int32], "Casint64": atomicCas[int64], "Casuintptr": atomicCas[uint64],
		"Casp1": atomicCas[uint64], "casPointer": atomicCas[uint64],
		"Xadd": atomicAdd[uint32], "Xadd64": atomicAdd[uint64], "Xadduintptr": atomicAdd[uint64],
		"Xaddint32": atomicAdd[int32], "Xaddint64": atomicAdd[int64],
		"Xchg": atomicSwap[uint32], "Xchg8": atomicSwap[uint8], "Xchg64": atomicSwap[uint64],
		"Xchgint32": atomicSwap[int32], "Xchgint64": atomicSwap[int64], "Xchguintptr": atomicSwap[uint64],
		"And": atomicAnd[uint32], "And8": atomicAnd[uint8],
		"Or": atomicOr[uint32], "Or8": atomicOr[uint8],
		"And32": atomicAnd[uint32], "And64": atomicAnd[uint64], "Anduintptr": atomicAnd[uint64],
		"Or32": atomicOr[uint32], "Or64": atomicOr[uint64], "Oruintptr": atomicOr[uint64],
	}))
	registerVisible(NoBody, "one access to heap bytes", map[string]vm.Native{
		"sync.runtime_LoadAcquintptr":  atomicLoad[uint64],
		"sync.runtime_StoreReluintptr": atomicStore[uint64],
	})
}

// casFails and storeFails report whether an operation leaves the variable as it is.
func casFails[T integer](c *vm.NativeCall) bool {
	p := look[T](c)
	return p != nil && *p != T(c.Word(1))
}

func storeFails[T integer](c *vm.NativeCall) bool {
	p := look[T](c)
	return p != nil && *p == T(c.Word(1))
}

// look is peek for who only wants to know.
func look[T integer](c *vm.NativeCall) *T {
	var v T
	return (*T)(c.M.Heap.Peek(c.Ptr(0), uint32(unsafe.Sizeof(v))))
}

// atomicFamily adds the operations of package sync/atomic on one integer type.
func atomicFamily[T integer](fns map[string]vm.Native, suffix string) {
	for name, fails := range map[string]func(c *vm.NativeCall) bool{"CompareAndSwap": casFails[T], "Store": storeFails[T], "Swap": storeFails[T]} {
		op := operations["sync/atomic."+name+suffix]
		op.Fails = fails
		operations["sync/atomic."+name+suffix] = op
	}
	fns["Load"+suffix] = atomicLoad[T]
	fns["Store"+suffix] = atomicStore[T]
	fns["Add"+suffix] = atomicAdd[T]
	fns["Swap"+suffix] = atomicSwap[T]
	fns["And"+suffix] = atomicAnd[T]
	fns["Or"+suffix] = atomicOr[T]
	fns["CompareAndSwap"+suffix] = atomicCas[T]
}

// prefixed qualifies names with a package.
func prefixed(pkg string, fns map[string]vm.Native) map[string]vm.Native {
	out := make(map[string]vm.Native, len(fns))
	for name, fn := range fns {
		out[pkg+name] = fn
	}
	return out
}
