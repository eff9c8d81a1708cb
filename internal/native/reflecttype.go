package native

import (
	"encoding/binary"
	"sort"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// Descriptors refer to names, types and code by 32-bit offsets: positive ones
// into the object of all descriptors, or one more than a function's number;
// negative ones into a table of the pointers that types made at run time use.

// prunedCode stands for a method that no call can reach; see package compile.
const prunedCode = 1

// staticOff is the pointer that a positive offset means.
func staticOff(off int32) mem.Ptr {
	return mem.Ptr(bytecode.StaticPtr(bytecode.ObjTypes, uint32(off)))
}

// reflectOff is the pointer that a negative offset means, 0 if none. Offset -1
// stands for what the compiler has pruned.
func reflectOff(m *vm.Machine, off int32) mem.Ptr { return m.Ref(-1 - int(off)) }

// addReflectOff gives a pointer an offset.
func addReflectOff(c *vm.NativeCall) vm.Outcome {
	n := c.M.AddRef(c.Ptr(0))
	if n == 0 {
		return c.OutOfMemory()
	}
	c.SetInt(0, -1-n)
	return vm.Done
}

func resolveNameOff(c *vm.NativeCall) vm.Outcome {
	off := int32(c.Word(1))
	switch {
	case off == 0:
		c.Set(0, 0)
	case off > 0:
		c.SetPtr(0, staticOff(off))
	default:
		p := reflectOff(c.M, off)
		if p == 0 {
			return c.Fatal("runtime: name offset base pointer out of range")
		}
		c.SetPtr(0, p)
	}
	return vm.Done
}

func resolveTypeOff(c *vm.NativeCall) vm.Outcome {
	off := int32(c.Word(1))
	switch {
	case off == 0:
		c.Set(0, 0)
	case off > 0:
		c.SetPtr(0, staticOff(off))
	default:
		c.SetPtr(0, reflectOff(c.M, off)) // -1 of a pruned method has none: nil
	}
	return vm.Done
}

func resolveTextOff(c *vm.NativeCall) vm.Outcome {
	off := int32(c.Word(1))
	if off > 0 {
		c.Set(0, bytecode.CodeWord(int(off)-1))
		return vm.Done
	}
	p := reflectOff(c.M, off)
	if p == 0 {
		p = prunedCode
	}
	c.SetPtr(0, p)
	return vm.Done
}

func typeString(c *vm.NativeCall) vm.Outcome {
	c.SetStr(0, c.M.TypeOf(c.Ptr(0)).Str)
	return vm.Done
}

// typelinks returns two slices of one element each: where the descriptors
// begin, and the offsets of those of unnamed types, sorted by their strings, so
// that reflect finds the types of the program before it makes new ones.
func typelinks(c *vm.NativeCall) vm.Outcome {
	h := c.M.Heap
	offsets := h.FindStatic([]byte("typelinks.offsets"))
	if offsets == 0 {
		if offsets = makeTypelinks(c.M); offsets == 0 {
			return c.OutOfMemory()
		}
	}
	c.SetPtr(0, h.FindStatic([]byte("typelinks.sections")))
	c.SetPtr(3, offsets)
	for _, i := range []int{1, 2, 4, 5} {
		c.SetInt(i, 1)
	}
	return vm.Done
}

// makeTypelinks makes the objects that typelinks returns.
func makeTypelinks(m *vm.Machine) mem.Ptr {
	var list []int
	for i := range m.Prog.Types {
		if t := &m.Prog.Types[i]; t.Desc != 0 && t.Flags&bytecode.FlagNamed == 0 {
			list = append(list, i)
		}
	}
	sort.SliceStable(list, func(i, j int) bool {
		return m.Prog.Types[list[i]].Str < m.Prog.Types[list[j]].Str
	})
	var data []byte
	for _, i := range list {
		data = binary.LittleEndian.AppendUint32(data, m.Prog.Types[i].Desc)
	}
	offs := newStatic(m, "typelinks.data", data)
	var header []byte
	for _, w := range []uint64{uint64(offs), uint64(len(list)), uint64(len(list))} {
		header = binary.LittleEndian.AppendUint64(header, w)
	}
	sections := binary.LittleEndian.AppendUint64(nil, bytecode.StaticPtr(bytecode.ObjTypes, 0))
	if offs == 0 || newStatic(m, "typelinks.sections", sections) == 0 {
		return 0
	}
	return newStatic(m, "typelinks.offsets", header)
}

// newStatic makes an immortal read-only object that is determined by the
// program, so that it is no part of any state.
func newStatic(m *vm.Machine, name string, data []byte) mem.Ptr {
	p := m.Heap.AllocStatic(0, uint64(len(data)), []byte(name))
	if p == 0 {
		return 0
	}
	if b, ok := m.Heap.WriteBytes(p, uint32(len(data))); ok {
		copy(b, data)
	}
	m.Heap.SetReadOnly(p.Obj())
	return p
}

// ifaceE2I takes an interface type, an empty interface and where to store it as
// a value of that type.
func ifaceE2I(c *vm.NativeCall) vm.Outcome {
	iface, desc := c.M.TypeIndex(c.Ptr(0)), c.Ptr(1)
	var w mem.Ptr
	var missing string
	if desc != 0 {
		w, missing = c.M.IfaceWord(iface, desc)
	}
	if w == 0 {
		return c.PanicAssert(desc, iface, missing)
	}
	dst := (*[2]uint64)(c.M.Heap.Write(c.Ptr(3), efaceSize))
	if dst == nil {
		return c.PanicNil()
	}
	*dst = [2]uint64{uint64(w), c.Word(2)}
	return vm.Done
}

// funcPC is the code word of a function in an interface.
func funcPC(c *vm.NativeCall) vm.Outcome {
	w, ok := c.M.Heap.Load64(c.Ptr(1))
	if !ok {
		return c.PanicNil()
	}
	c.Set(0, w)
	return vm.Done
}

func init() {
	register(NoBody, "descriptors lie in one object of the machine", map[string]vm.Native{
		"reflect.resolveNameOff":              resolveNameOff,
		"reflect.resolveTypeOff":              resolveTypeOff,
		"reflect.resolveTextOff":              resolveTextOff,
		"internal/reflectlite.resolveNameOff": resolveNameOff,
		"internal/reflectlite.resolveTypeOff": resolveTypeOff,
		"reflect.typelinks":                   typelinks,
		"reflect.addReflectOff":               addReflectOff,
	})
	register(NoBody, "itabs belong to the machine", map[string]vm.Native{
		"reflect.ifaceE2I":              ifaceE2I,
		"internal/reflectlite.ifaceE2I": ifaceE2I,
	})
	register(NoBody, "the code word of a function", map[string]vm.Native{
		"internal/abi.FuncPCABI0":        funcPC,
		"internal/abi.FuncPCABIInternal": funcPC,
	})
	register(NoBody, "descriptors lie in one object of the machine", map[string]vm.Native{
		"internal/runtime/maps.typeString": typeString,
	})
	register(Runtime, "a hint to gc's escape analysis; its body panics", map[string]vm.Native{
		"internal/abi.EscapeNonString": nop,
	})
	register(Runtime, "descriptors lie in one object of the machine", map[string]vm.Native{
		"runtime.resolveNameOff":  resolveNameOff,
		"runtime.resolveTypeOff":  resolveTypeOff,
		"(runtime.rtype).textOff": resolveTextOff,
	})
}
