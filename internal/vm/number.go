package vm

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// A pointer of type uintptr is the same word as the pointer: the number of an object and an offset. Keys of states do not
// tell the numbers of objects, so a program that keeps such a word could be taken to be in a state in which
// it is in fact the number of another object. Where a pointer becomes a number that may be kept,
// its object is one whose number is part of the state (see [mem.Heap.Number]).

func (m *Machine) opPtrnum(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	p := mem.Ptr(*word(fp, in.B))
	*word(fp, in.A) = uint64(p)
	switch in.Imm {
	case bytecode.NumberKept:
		m.number(p, Numbered)
	case bytecode.NumberInside:
		m.number(p, NumberedInside)
	case bytecode.NumberAligned: // objects with pointers are aligned in Go, too; small ones without need not be
		if p != 0 && m.Heap.HoldsNoPtrs(p.Obj()) {
			m.driver.Noted(Aligned, p)
		}
	}
	return next
}

func (m *Machine) number(p mem.Ptr, note Note) {
	if p != 0 {
		m.Heap.Number(p.Obj())
	}
	m.driver.Noted(note, p)
}

// opPun looks for pointers that can be read as numbers from now on. Behind a pointer to a number there may be more of them.
func (m *Machine) opPun(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	p, t := mem.Ptr(*word(fp, in.B)), m.rt.types[in.Imm]
	n := uint64(t.Size)
	if t.Kind <= bytecode.Complex128 {
		n = mem.MaxSize
	}
	m.Heap.PtrsBehind(p, n, func(off int64, to mem.Ptr) {
		w := off / 8
		if off < 0 || off%8 != 0 || w/64 >= int64(len(t.Ptrs)) || t.Ptrs[w/64]>>(w%64)&1 == 0 {
			m.number(to, Numbered)
		}
	})
	return next
}
