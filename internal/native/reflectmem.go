package native

import (
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
	"math/bits"
)

// Memory operations of packages reflect and internal/reflectlite. Types are
// given by their descriptors, internal/abi.Type. Those that reflect makes at run
// time are ordinary heap objects; one without a kind describes the argument
// frame of a call and has nothing but a size and a pointer mask.

// Offsets in internal/abi.Type.
const (
	abiSize     = 0
	abiPtrBytes = 8
	abiKind     = 23
	abiGCData   = 32
)

// sizeOf is the size of the type with a descriptor, and whether objects of that
// size can exist.
func sizeOf(m *vm.Machine, desc mem.Ptr) (uint32, bool) {
	n, ok := m.Heap.Load64(desc + abiSize)
	return uint32(n), ok && n <= mem.MaxSize
}

// newObject allocates a zero value, 0 if memory is exhausted.
func newObject(m *vm.Machine, desc mem.Ptr) mem.Ptr {
	if kind, _ := m.Heap.Load8(desc + abiKind); kind == 0 {
		return newFrame(m, desc)
	}
	return m.Alloc(m.TypeIndex(desc))
}

// newFrame allocates an argument frame by the mask in its descriptor.
func newFrame(m *vm.Machine, desc mem.Ptr) mem.Ptr {
	size, _ := sizeOf(m, desc)
	ptrBytes, _ := m.Heap.Load64(desc + abiPtrBytes)
	mask, _ := m.Heap.LoadPtr(desc + abiGCData)
	bits := make([]uint64, (ptrBytes/8+63)/64)
	for i := range ptrBytes / 64 {
		b, _ := m.Heap.Load8(mask + mem.Ptr(i))
		bits[i/8] |= uint64(b) << (i % 8 * 8)
	}
	if n := ptrBytes / 8 % 8; n != 0 {
		i := ptrBytes / 64
		b, _ := m.Heap.Load8(mask + mem.Ptr(i))
		bits[i/8] |= uint64(b) & (1<<n - 1) << (i % 8 * 8)
	}
	return m.AllocShape(m.Heap.AddShape(mem.Shape{Size: size, Ptrs: bits}), uint64(size))
}

func unsafeNew(c *vm.NativeCall) vm.Outcome {
	p := newObject(c.M, c.Ptr(0))
	if p == 0 {
		return c.OutOfMemory()
	}
	c.SetPtr(0, p)
	return vm.Done
}

func unsafeNewArray(c *vm.NativeCall) vm.Outcome {
	n := c.Int(1)
	size, ok := sizeOf(c.M, c.Ptr(0))
	if n < 0 || !ok || size > 0 && uint64(n) > 1<<48/uint64(size) {
		return c.PanicPlain("runtime: allocation size out of range")
	}
	c.M.MakeRoom(uint64(n) * uint64(size))
	p := c.M.AllocArray(c.M.TypeIndex(c.Ptr(0)), n)
	if p == 0 {
		return c.OutOfMemory()
	}
	c.SetPtr(0, p)
	return vm.Done
}

// move copies bytes inside the heap; it panics on a bad pointer.
func move(c *vm.NativeCall, dst, src mem.Ptr, n uint64) vm.Outcome {
	if n > mem.MaxSize || !c.M.Heap.Copy(dst, src, uint32(n)) {
		return c.PanicNil()
	}
	return vm.Done
}

// wipe clears bytes of the heap; it panics on a bad pointer.
func wipe(c *vm.NativeCall, p mem.Ptr, n uint64) vm.Outcome {
	if n > mem.MaxSize || !c.M.Heap.Zero(p, uint32(n)) {
		return c.PanicNil()
	}
	return vm.Done
}

func typedmemmove(c *vm.NativeCall) vm.Outcome {
	n, _ := sizeOf(c.M, c.Ptr(0))
	return move(c, c.Ptr(1), c.Ptr(2), uint64(n))
}

func typedmemclr(c *vm.NativeCall) vm.Outcome {
	n, _ := sizeOf(c.M, c.Ptr(0))
	return wipe(c, c.Ptr(1), uint64(n))
}

func typedmemclrpartial(c *vm.NativeCall) vm.Outcome { return wipe(c, c.Ptr(1), c.Word(3)) }

func typedarrayclear(c *vm.NativeCall) vm.Outcome {
	n, _ := sizeOf(c.M, c.Ptr(0))
	return wipe(c, c.Ptr(1), uint64(n)*c.Word(2))
}

func memmove(c *vm.NativeCall) vm.Outcome { return move(c, c.Ptr(0), c.Ptr(1), c.Word(2)) }

func memclr(c *vm.NativeCall) vm.Outcome { return wipe(c, c.Ptr(0), c.Word(1)) }

// typedslicecopy takes a type and two slices.
func typedslicecopy(c *vm.NativeCall) vm.Outcome {
	size, _ := sizeOf(c.M, c.Ptr(0))
	n := min(c.Int(2), c.Int(5))
	if n > 0 {
		if out := move(c, c.Ptr(1), c.Ptr(4), uint64(n)*uint64(size)); out != vm.Done {
			return out
		}
	}
	c.SetInt(0, n)
	return vm.Done
}

// growslice takes a type, a slice and how many elements more it must have room
// for. The result has the old length and what lay behind it.
func growslice(c *vm.NativeCall) vm.Outcome {
	length, capacity := c.Int(2), c.Int(3)
	c.SetInt(2, capacity)
	if !c.GrowSlice(1, c.Int(4)-(capacity-length), c.M.TypeIndex(c.Ptr(0))) {
		return vm.Jumped
	}
	c.Set(0, c.Word(1))
	c.SetInt(1, length)
	c.Set(2, c.Word(3))
	return vm.Done
}

// unsafeslice checks the arguments of reflect.SliceAt.
func unsafeslice(c *vm.NativeCall) vm.Outcome {
	size, _ := sizeOf(c.M, c.Ptr(0))
	p, n := c.Ptr(1), int64(c.Word(2))
	over, bytes := bits.Mul64(uint64(size), uint64(n))
	switch {
	case n < 0:
		return c.PanicError("unsafe.Slice: len out of range")
	case p == 0 && n > 0:
		return c.PanicError("unsafe.Slice: ptr is nil and len is not zero")
	case over != 0 || p != 0 && bytes > -uint64(p):
		return c.PanicError("unsafe.Slice: len out of range")
	}
	return vm.Done
}

// typehash is the hash that maps of the type use, mixed with a seed.
func typehash(c *vm.NativeCall) vm.Outcome {
	h, bad := c.M.Hash(c.M.TypeOf(c.Ptr(0)), c.Ptr(1))
	if bad != nil {
		return c.PanicError("hash of unhashable type " + bad.Str)
	}
	c.Set(0, mem.HashWord(h^c.Word(2)))
	return vm.Done
}

// memhash is runtime.memhash(p unsafe.Pointer, seed, size uintptr), which packages
// reach by linkname.
func memhash(c *vm.NativeCall) vm.Outcome {
	p, size := c.Ptr(0), c.Word(2)
	if size > mem.MaxSize {
		return c.PanicNil()
	}
	b, ok := c.M.Heap.Bytes(p, uint32(size))
	if !ok {
		return c.PanicNil()
	}
	c.Set(0, mem.HashWord(mem.HashBytes(b)^c.Word(1)))
	return vm.Done
}

// strhash is runtime.strhash(p *string, seed uintptr).
func strhash(c *vm.NativeCall) vm.Outcome {
	w := (*[2]uint64)(c.M.Heap.Read(c.Ptr(0), 16))
	if w == nil {
		return c.PanicNil()
	}
	b := c.Bytes(mem.Ptr(w[0]), int(w[1]))
	c.Set(0, mem.HashWord(mem.HashBytes(b)^c.Word(1)))
	return vm.Done
}

// equalValues is behind the Equal function of every type descriptor: it takes
// two addresses, and its closure holds the number of the type.
func equalValues(c *vm.NativeCall) vm.Outcome {
	i, ok := c.M.Heap.Load64(c.Closure() + 8)
	if !ok {
		return c.PanicNil()
	}
	eq, bad := c.M.Equal(c.M.Type(int(i)), c.Ptr(0), c.Ptr(1))
	if bad != nil {
		return c.PanicError("comparing uncomparable type " + bad.Str)
	}
	c.SetBool(0, eq)
	return vm.Done
}

// staticuint64s is the table of small numbers that interfaces of them share.
func staticuint64s(c *vm.NativeCall) vm.Outcome {
	c.SetPtr(0, c.M.SmallInts())
	return vm.Done
}

func init() {
	register(NoBody, "works on heap objects by their type descriptors", map[string]vm.Native{
		"reflect.unsafe_New":                 unsafeNew,
		"reflect.unsafe_NewArray":            unsafeNewArray,
		"reflect.typedmemmove":               typedmemmove,
		"reflect.typedmemclr":                typedmemclr,
		"reflect.typedmemclrpartial":         typedmemclrpartial,
		"reflect.typedarrayclear":            typedarrayclear,
		"reflect.typedslicecopy":             typedslicecopy,
		"reflect.growslice":                  growslice,
		"reflect.memmove":                    memmove,
		"reflect.unsafeslice":                unsafeslice,
		"reflect.typehash":                   typehash,
		"reflect.getStaticuint64s":           staticuint64s,
		"reflect.verifyNotInHeapPtr":         always(1),
		"internal/reflectlite.unsafe_New":    unsafeNew,
		"internal/reflectlite.typedmemmove":  typedmemmove,
		"internal/runtime/maps.newobject":    unsafeNew,
		"internal/runtime/maps.newarray":     unsafeNewArray,
		"internal/runtime/maps.typedmemmove": typedmemmove,
		"internal/runtime/maps.typedmemclr":  typedmemclr,
	})
	register(NoBody, "behind internal/abi.Type.Equal", map[string]vm.Native{
		"heddle.equal": equalValues,
	})
	register(Runtime, "works on heap objects by their type descriptors", map[string]vm.Native{
		"runtime.mallocgc":             mallocgc,
		"runtime.newobject":            unsafeNew,
		"runtime.newarray":             unsafeNewArray,
		"runtime.typedmemmove":         typedmemmove,
		"runtime.typedmemclr":          typedmemclr,
		"runtime.memmove":              memmove,
		"runtime.memclrNoHeapPointers": memclr,
		"runtime.typehash":             typehash,
		"runtime.memhash":              memhash,
		"runtime.strhash":              strhash,
	})
}

// mallocgc allocates size bytes for values of a type, or for none.
func mallocgc(c *vm.NativeCall) vm.Outcome {
	size, desc := c.Word(0), c.Ptr(1)
	var p mem.Ptr
	switch elem, _ := sizeOf(c.M, desc); {
	case desc == 0 || elem == 0:
		p = c.M.AllocShape(0, size)
	default:
		p = c.M.AllocArray(c.M.TypeIndex(desc), int((size+uint64(elem)-1)/uint64(elem)))
	}
	if p == 0 {
		return c.OutOfMemory()
	}
	c.SetPtr(0, p)
	return vm.Done
}
