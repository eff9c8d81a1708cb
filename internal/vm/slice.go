package vm

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// A slice is the content of a register that holds a slice.
type slice struct {
	ptr      mem.Ptr
	len, cap uint64
}

func sliceAt(fp unsafe.Pointer, i uint16) *slice { return (*slice)(reg(fp, i)) }

func (m *Machine) opMakeslice(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	n, c := *word(fp, in.B), *word(fp, in.C)
	t := m.rt.types[in.Imm]
	size, ok := arraySize(uint64(t.Size), c)
	if !ok || int64(n) < 0 || int64(n) > int64(c) {
		if _, ok := arraySize(uint64(t.Size), n); !ok || int64(n) < 0 {
			return m.raiseMakeslice(g, "len")
		}
		return m.raiseMakeslice(g, "cap")
	}
	p, ok := m.allocHere(m.shape(int(in.Imm)), size)
	if !ok {
		return m.outOfMemory(g)
	}
	*sliceAt(fp, in.A) = slice{p, n, c}
	return next
}

func (m *Machine) opAppend(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	s, add := *sliceAt(fp, in.B), *sliceAt(fp, in.C)
	return m.appendMem(g, sliceAt(fp, in.A), s, add.ptr, add.len, int(in.Imm))
}

func (m *Machine) opAppendstr(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	s, add := *sliceAt(fp, in.B), *strAt(fp, in.C)
	src, ok := m.view(add.ptr, add.len)
	if !ok {
		return m.raiseNil(g)
	}
	return m.appendHost(g, sliceAt(fp, in.A), s, src, add.len, 0, 1)
}

func (m *Machine) opAppendf(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	s, n := *sliceAt(fp, in.B), uint64(in.Hi())
	t := m.rt.types[in.Lo()]
	if t.Size == 8 && n == 1 && s.len < s.cap {
		a := m.Heap.Write(s.ptr+mem.Ptr(s.len*8), 8)
		if a == nil {
			return m.raiseNil(g)
		}
		*(*uint64)(a) = *word(fp, in.C)
		s.len++
		*sliceAt(fp, in.A) = s
		return next
	}
	src := unsafe.Slice((*byte)(reg(fp, in.C)), n*uint64(t.Size))
	return m.appendHost(g, sliceAt(fp, in.A), s, src, n, m.shape(int(in.Lo())), uint64(t.Size))
}

// appendMem appends n elements that lie in memory.
func (m *Machine) appendMem(g *G, dst *slice, s slice, p mem.Ptr, n uint64, elem int) status {
	size := uint64(m.rt.types[elem].Size)
	bytes, ok := arraySize(size, n)
	if !ok {
		return m.raiseNil(g)
	}
	src, ok := m.view(p, bytes)
	if !ok {
		return m.raiseNil(g)
	}
	return m.appendHost(g, dst, s, src, n, m.shape(elem), size)
}

// appendHost appends the bytes of n elements. They may lie in the heap, also in
// the slice itself, since the heap does not move objects.
func (m *Machine) appendHost(g *G, dst *slice, s slice, src []byte, n uint64, shape mem.ShapeID, size uint64) status {
	newLen := s.len + n
	if newLen > s.cap {
		grown, st := m.growSlice(g, s, newLen, shape, size)
		if st != next {
			return st
		}
		s.ptr, s.cap = grown.ptr, grown.cap
	}
	to, ok := m.viewWrite(s.ptr+mem.Ptr(s.len*size), uint64(len(src)))
	if !ok {
		return m.raiseNil(g)
	}
	copy(to, src)
	s.len = newLen
	*dst = s
	return next
}

// growSlice moves the elements of a slice to new memory with room for newLen.
func (m *Machine) growSlice(g *G, s slice, newLen uint64, shape mem.ShapeID, size uint64) (slice, status) {
	if size == 0 {
		if int64(newLen) < 0 {
			return s, m.raiseError(g, "growslice: len out of range")
		}
		return slice{zeroBase, s.len, newLen}, next
	}
	c, bytes, ok := growCap(newLen, s.cap, size, shape == 0)
	if !ok {
		return s, m.raiseError(g, "growslice: len out of range")
	}
	old, ok := m.view(s.ptr, s.len*size)
	if !ok {
		return s, m.raiseNil(g)
	}
	p, ok := m.allocHere(shape, bytes)
	if !ok {
		return s, m.outOfMemory(g)
	}
	if len(old) > 0 {
		copy(unsafe.Slice((*byte)(m.Heap.Write(p, uint32(len(old)))), len(old)), old)
	}
	return slice{p, s.len, c}, next
}

// GrowSlice is what reflect.Value.Grow needs: the slice at word i of the window
// gets room for n more elements of a type, its length stays. It reports false if
// it raised a panic.
func (c *NativeCall) GrowSlice(i, n, elem int) bool {
	s := (*slice)(c.Words(i))
	if s.len+uint64(n) <= s.cap {
		return true
	}
	grown, st := c.M.growSlice(c.G, *s, s.len+uint64(n), c.M.shape(elem), uint64(c.M.rt.types[elem].Size))
	if st != next {
		return false
	}
	*s = grown
	return true
}

func (m *Machine) opCopy(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	d, s := strAt(fp, in.B), strAt(fp, in.C)
	n := min(d.len, s.len)
	if n > 0 {
		size, ok := arraySize(n, uint64(in.Imm))
		if !ok || size > mem.MaxSize || !m.Heap.Copy(d.ptr, s.ptr, uint32(size)) {
			return m.raiseNil(g)
		}
	}
	*word(fp, in.A) = n
	return next
}

func (m *Machine) opClearslice(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	s := sliceAt(fp, in.B)
	b, ok := m.viewWrite(s.ptr, s.len*uint64(in.Imm))
	if !ok {
		return m.raiseNil(g)
	}
	clear(b)
	return next
}
