package vm

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// zeroBase is what pointers to values of size zero point to.
const zeroBase = mem.Ptr(bytecode.ObjZero << 32)

// alloc makes a zeroed object. It reports false if memory is exhausted, and asks
// for a collection at the next safepoint when one is due. It never collects.
func (m *Machine) alloc(shape mem.ShapeID, size uint64) (mem.Ptr, bool) {
	if size == 0 {
		return zeroBase, true
	}
	p := m.Heap.Alloc(shape, size)
	m.pollHeap()
	return p, p != 0
}

// allocHere is alloc for an instruction that is a safepoint and has allocated nothing yet: if there is no room, it collects first, so that
// garbage is never what a program is out of memory for.
func (m *Machine) allocHere(shape mem.ShapeID, size uint64) (mem.Ptr, bool) {
	if size != 0 && !m.Heap.Fits(size) && m.atPoint() {
		m.collect()
	}
	return m.alloc(shape, size)
}

// atPoint reports whether the running goroutine stands at an instruction for which there is a map of what lives before it.
func (m *Machine) atPoint() bool {
	if m.cur == nil || m.cur.depth == 0 {
		return false
	}
	fr := &m.cur.frames[m.cur.depth-1]
	f := m.funcs[fr.fn].f
	return int(fr.pc) < len(f.Code) && bytecode.Ops[f.Code[fr.pc].Op].Flags&(bytecode.Point|bytecode.Call) == bytecode.Point
}

// MakeRoom collects if there is no room for an object of n bytes. It is for natives that have
// not allocated anything yet.
func (m *Machine) MakeRoom(n uint64) {
	if !m.Heap.Fits(n) {
		m.collect()
	}
}

// pollHeap asks for a collection at the next safepoint if one is due.
func (m *Machine) pollHeap() {
	if m.Heap.ShouldCollect() {
		m.pollSoon()
	}
}

// Alloc makes a zero value of a type. Like the other allocations for natives it
// returns 0 if memory is exhausted; the program then ends at its next safepoint.
func (m *Machine) Alloc(typ int) mem.Ptr {
	return m.allocNative(m.shape(typ), uint64(m.rt.types[typ].Size))
}

// AllocArray makes n zero values of a type, one after the other.
func (m *Machine) AllocArray(typ, n int) mem.Ptr {
	size, ok := arraySize(uint64(m.rt.types[typ].Size), uint64(n))
	if !ok {
		size = mem.MaxSize + 1
	}
	return m.allocNative(m.shape(typ), size)
}

// AllocBytes makes an object of n bytes without pointers.
func (m *Machine) AllocBytes(n int) mem.Ptr { return m.allocNative(0, uint64(n)) }

// NewString copies a string into the heap and returns where its bytes are.
func (m *Machine) NewString(s string) mem.Ptr {
	return m.NewBytes(unsafe.Slice(unsafe.StringData(s), len(s)))
}

// NewBytes copies bytes into the heap. Of no bytes the address is nil.
func (m *Machine) NewBytes(b []byte) mem.Ptr {
	if len(b) == 0 {
		return 0
	}
	p := m.AllocBytes(len(b))
	if p != 0 {
		copy(unsafe.Slice((*byte)(m.Heap.Write(p, uint32(len(b)))), len(b)), b)
	}
	return p
}

func (m *Machine) allocNative(shape mem.ShapeID, size uint64) mem.Ptr {
	p, ok := m.alloc(shape, size)
	if !ok {
		m.rt.oom = true
		m.pollSoon()
	}
	return p
}

// OutOfMemory reports whether an allocation of a native has failed.
func (m *Machine) OutOfMemory() bool { return m.rt.oom }

// newStr allocates the bytes of a string to be filled by the caller. The address
// is nil if memory is exhausted.
func (m *Machine) newStr(n uint64) (mem.Ptr, []byte) {
	p, ok := m.allocHere(0, n)
	if !ok {
		return 0, nil
	}
	b := unsafe.Slice((*byte)(m.Heap.Write(p, uint32(n))), n)
	m.Heap.FixNew(p)
	return p, b
}

// view is the n bytes at p. It reports false if they are not readable; no bytes
// always are.
func (m *Machine) view(p mem.Ptr, n uint64) ([]byte, bool) {
	if n == 0 {
		return nil, true
	}
	if n > mem.MaxSize {
		return nil, false
	}
	a := m.Heap.Read(p, uint32(n))
	if a == nil {
		return nil, false
	}
	return unsafe.Slice((*byte)(a), n), true
}

// viewWrite is the n bytes at p to be written.
func (m *Machine) viewWrite(p mem.Ptr, n uint64) ([]byte, bool) {
	if n == 0 {
		return nil, true
	}
	if n > mem.MaxSize {
		return nil, false
	}
	a := m.Heap.Write(p, uint32(n))
	if a == nil {
		return nil, false
	}
	return unsafe.Slice((*byte)(a), n), true
}
