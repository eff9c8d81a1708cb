package native

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// Map operations of package reflect. Maps are objects of the machine; where
// reflect has a pointer into a map, it is one into the memory of its entries.

func unhashable(c *vm.NativeCall, t *bytecode.Type) vm.Outcome {
	return c.PanicError("hash of unhashable type " + t.Str)
}

func makemap(c *vm.NativeCall) vm.Outcome {
	m := c.M.NewMap(c.M.TypeIndex(c.Ptr(0)), int64(c.Word(1)))
	if m == 0 {
		return c.OutOfMemory()
	}
	c.SetPtr(0, m)
	return vm.Done
}

func maplen(c *vm.NativeCall) vm.Outcome {
	c.SetInt(0, c.M.MapLen(c.Ptr(0)))
	return vm.Done
}

func mapclear(c *vm.NativeCall) vm.Outcome {
	c.M.MapClear(c.Ptr(1))
	return vm.Done
}

// A mapKey finds the address of the key that is a native's third argument: a
// pointer to it, or a string in registers.
type mapKey func(c *vm.NativeCall, t *bytecode.Type) unsafe.Pointer

func keyBehind(c *vm.NativeCall, t *bytecode.Type) unsafe.Pointer {
	if t.Size == 0 {
		return c.Words(2)
	}
	return c.M.Heap.Read(c.Ptr(2), t.Size)
}

func keyString(c *vm.NativeCall, _ *bytecode.Type) unsafe.Pointer { return c.Words(2) }

func mapaccess(key mapKey) vm.Native {
	return func(c *vm.NativeCall) vm.Outcome {
		typ := c.M.TypeIndex(c.Ptr(0))
		k := key(c, c.M.Type(c.M.Type(typ).Key))
		if k == nil {
			return c.PanicNil()
		}
		elem, bad := c.M.MapAccessAt(typ, c.Ptr(1), k)
		if bad != nil {
			return unhashable(c, bad)
		}
		c.SetPtr(0, elem)
		return vm.Done
	}
}

func mapassign(key mapKey, value int) vm.Native {
	return func(c *vm.NativeCall) vm.Outcome {
		typ, m := c.M.TypeIndex(c.Ptr(0)), c.Ptr(1)
		k := key(c, c.M.Type(c.M.Type(typ).Key))
		if k == nil {
			return c.PanicNil()
		}
		if m == 0 {
			return c.PanicPlain("assignment to entry in nil map")
		}
		elem, bad := c.M.MapAssignAt(typ, m, k)
		switch {
		case bad != nil:
			return unhashable(c, bad)
		case elem == 0:
			return c.OutOfMemory()
		}
		return move(c, elem, c.Ptr(value), uint64(c.M.Type(c.M.Type(typ).Elem).Size))
	}
}

func mapdelete(key mapKey) vm.Native {
	return func(c *vm.NativeCall) vm.Outcome {
		typ := c.M.TypeIndex(c.Ptr(0))
		k := key(c, c.M.Type(c.M.Type(typ).Key))
		if k == nil {
			return c.PanicNil()
		}
		if bad := c.M.MapDeleteAt(typ, c.Ptr(1), k); bad != nil {
			return unhashable(c, bad)
		}
		return vm.Done
	}
}

// mapclone takes and returns a map in an interface.
func mapclone(c *vm.NativeCall) vm.Outcome {
	typ, from := c.M.TypeIndex(c.Ptr(0)), c.Ptr(1)
	if from == 0 {
		return vm.Done
	}
	to := c.M.NewMap(typ, int64(c.M.MapLen(from)))
	if to == 0 {
		return c.OutOfMemory()
	}
	size := c.M.Type(c.M.Type(typ).Elem).Size
	for seq, k, e := c.M.Heap.MapNext(from, 0); seq != 0; seq, k, e = c.M.Heap.MapNext(from, seq) {
		elem, _ := c.M.MapAssign(typ, to, k)
		if elem == 0 {
			return c.OutOfMemory()
		}
		c.M.Heap.Copy(elem, e, size)
	}
	c.SetPtr(1, to)
	return vm.Done
}

// mapsIter is an internal/runtime/maps.Iter. Its methods Key, Elem, Map and
// Initialized are Go source and read the first four words. The machine's
// iterator has its pointer in tab and its numbers in the offsets.
type mapsIter struct {
	key, elem mem.Ptr
	typ, m    mem.Ptr
	numbers   [3]uint64 // entryOffset, dirOffset, clearSeq
	_         [2]uint64 // globalDepth, dirIdx
	tab       mem.Ptr
	_         [2]uint64 // group, entryIdx
}

const mapsIterSize = 96

func (it *mapsIter) load() vm.MapIter {
	w := [4]uint64{uint64(it.tab), it.numbers[0], it.numbers[1], it.numbers[2]}
	return *(*vm.MapIter)(unsafe.Pointer(&w))
}

func (it *mapsIter) store(state vm.MapIter) {
	w := *(*[4]uint64)(unsafe.Pointer(&state))
	it.tab, it.numbers = mem.Ptr(w[0]), [3]uint64{w[1], w[2], w[3]}
}

// meetMap notes that a map is iterated over.
func meetMap(c *vm.NativeCall, mp mem.Ptr) {
	if c.M.Heap.MapLen(mp) > 1 {
		drive.Of(c.M).Meet(drive.MetMaps | drive.MetTurns) // it has one order, whatever the settings
	}
}

func mapsIterInit(c *vm.NativeCall) vm.Outcome {
	it := (*mapsIter)(c.M.Heap.Write(c.Ptr(0), mapsIterSize))
	if it == nil {
		return c.PanicNil()
	}
	var state vm.MapIter
	meetMap(c, c.Ptr(2))
	if !c.M.MapIterInit(&state, c.Ptr(2)) {
		return c.OutOfMemory()
	}
	*it = mapsIter{typ: c.Ptr(1), m: c.Ptr(2)}
	it.store(state)
	return vm.Done
}

func mapsIterNext(c *vm.NativeCall) vm.Outcome {
	it := (*mapsIter)(c.M.Heap.Write(c.Ptr(0), mapsIterSize))
	if it == nil {
		return c.PanicNil()
	}
	state := it.load()
	it.key, it.elem = c.M.MapIterNext(&state)
	it.store(state)
	return vm.Done
}

// linkedIter is the iterator of packages that reach runtime.mapiterinit by
// linkname: a runtime.linknameIter, of which they read the first two words.
type linkedIter struct {
	key, elem mem.Ptr
	typ       mem.Ptr
	it        mem.Ptr // a vm.MapIter, nil for a nil map
}

const linkedIterSize = 32

func mapiterinit(c *vm.NativeCall) vm.Outcome {
	it := (*linkedIter)(c.M.Heap.Write(c.Ptr(2), linkedIterSize))
	if it == nil {
		return c.PanicNil()
	}
	*it = linkedIter{typ: c.Ptr(0)}
	if c.Ptr(1) == 0 {
		return vm.Done
	}
	var state vm.MapIter
	meetMap(c, c.Ptr(1))
	if !c.M.MapIterInit(&state, c.Ptr(1)) {
		return c.OutOfMemory()
	}
	size := uint32(unsafe.Sizeof(state))
	p := c.M.AllocShape(c.M.Heap.AddShape(mem.Shape{Size: size, Ptrs: []uint64{1}}), uint64(size))
	if p == 0 {
		return c.OutOfMemory()
	}
	*(*vm.MapIter)(c.M.Heap.Write(p, size)) = state
	it = (*linkedIter)(c.M.Heap.Write(c.Ptr(2), linkedIterSize))
	it.it = p
	return linkedNext(c, it)
}

func mapiternext(c *vm.NativeCall) vm.Outcome {
	it := (*linkedIter)(c.M.Heap.Write(c.Ptr(0), linkedIterSize))
	if it == nil {
		return c.PanicNil()
	}
	return linkedNext(c, it)
}

func linkedNext(c *vm.NativeCall, it *linkedIter) vm.Outcome {
	state := (*vm.MapIter)(c.M.Heap.Write(it.it, uint32(unsafe.Sizeof(vm.MapIter{}))))
	if state == nil {
		return c.PanicNil()
	}
	it.key, it.elem = c.M.MapIterNext(state)
	return vm.Done
}

func init() {
	register(Runtime, "maps are objects of the machine", map[string]vm.Native{
		"runtime.mapiterinit": mapiterinit,
		"runtime.mapiternext": mapiternext,
		"reflect.mapiterinit": mapiterinit,
		"reflect.mapiternext": mapiternext,
	})
	register(NoBody, "maps are objects of the machine", map[string]vm.Native{
		"reflect.makemap":             makemap,
		"reflect.maplen":              maplen,
		"reflect.mapclear":            mapclear,
		"reflect.mapaccess":           mapaccess(keyBehind),
		"reflect.mapaccess_faststr":   mapaccess(keyString),
		"reflect.mapassign0":          mapassign(keyBehind, 3),
		"reflect.mapassign_faststr0":  mapassign(keyString, 4),
		"reflect.mapdelete":           mapdelete(keyBehind),
		"reflect.mapdelete_faststr":   mapdelete(keyString),
		"internal/reflectlite.maplen": maplen,
		"maps.clone":                  mapclone,
	})
	register(Canonical, "maps are objects of the machine", map[string]vm.Native{
		"(*internal/runtime/maps.Iter).Init": mapsIterInit,
		"(*internal/runtime/maps.Iter).Next": mapsIterNext,
	})
}
