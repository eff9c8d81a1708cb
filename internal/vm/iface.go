package vm

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// opMkiface makes an interface value. A pointer-shaped value is its own data
// word, any other is copied to a new object, except small numbers, which share
// one.
func (m *Machine) opMkiface(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	i := &m.Prog.Ifaces[in.Imm]
	data, ok := m.box(i.Type, reg(fp, in.B))
	if !ok {
		return m.outOfMemory(g)
	}
	*word(fp, in.A) = i.Word
	*word(fp, in.A+1) = uint64(data)
	return next
}

// box turns the value in the register at a into the data word of an interface.
func (m *Machine) box(typ int, a unsafe.Pointer) (mem.Ptr, bool) {
	t := m.rt.types[typ]
	if t.Flags&bytecode.FlagDirect != 0 {
		return *(*mem.Ptr)(a), true
	}
	if t.Reg == bytecode.RegNone {
		return zeroBase, true
	}
	if t.Reg != bytecode.RegCopy {
		if w := *(*uint64)(a); w < 256 {
			return m.rt.small + mem.Ptr(w*8), true
		}
	}
	p, ok := m.alloc(m.shape(typ), uint64(t.Size))
	if ok {
		StoreReg(t, m.Heap.Write(p, t.Size), a)
		m.Heap.FixNew(p)
	}
	return p, ok
}

// Box turns the value of a type in the words at a into the data word of an
// interface. It is 0 if memory is exhausted.
func (m *Machine) Box(typ int, a unsafe.Pointer) mem.Ptr {
	p, ok := m.box(typ, a)
	if !ok {
		m.rt.oom = true
		m.pollSoon()
	}
	return p
}

// ifaceValue is the address of the value of an interface with dynamic type t and
// the data word at data, nil if it is not readable.
func (m *Machine) ifaceValue(t *bytecode.Type, data *mem.Ptr) unsafe.Pointer {
	if t.Flags&bytecode.FlagDirect != 0 || t.Size == 0 {
		return unsafe.Pointer(data)
	}
	return m.Heap.Read(*data, t.Size)
}

// opAssert asserts that an interface holds a concrete type, and unboxes.
func (m *Machine) opAssert(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	a := &m.Prog.Asserts[in.Imm]
	w, data := mem.Ptr(*word(fp, in.B)), mem.Ptr(*word(fp, in.B+1))
	t := m.rt.types[a.Target]
	want := mem.Ptr(bytecode.ObjTypes<<32 | uint64(t.Desc))
	if w != want && (w == 0 || t.Desc == 0 || m.descOf(w) != want) {
		if in.C == 0 {
			return m.raiseTypeAssert(g, a.Src, w, a.Target, "")
		}
		ZeroReg(t, reg(fp, in.A))
		*word(fp, in.A+t.Words) = 0
		return next
	}
	if t.Flags&bytecode.FlagDirect != 0 {
		*word(fp, in.A) = uint64(data)
	} else if t.Size > 0 {
		v := m.Heap.Read(data, t.Size)
		if v == nil {
			return m.raiseNil(g)
		}
		LoadReg(t, reg(fp, in.A), v)
	}
	if in.C != 0 {
		*word(fp, in.A+t.Words) = 1
	}
	return next
}

// opAsserti asserts that the value of an interface implements another interface.
func (m *Machine) opAsserti(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	a := &m.Prog.Asserts[in.Imm]
	w, data := mem.Ptr(*word(fp, in.B)), *word(fp, in.B+1)
	var to mem.Ptr
	var missing string
	if w != 0 {
		to, missing = m.IfaceWord(a.Target, m.descOf(w))
	}
	if to == 0 {
		if in.C == 0 {
			return m.raiseTypeAssert(g, a.Src, w, a.Target, missing)
		}
		data = 0
	}
	*word(fp, in.A) = uint64(to)
	*word(fp, in.A+1) = data
	if in.C != 0 {
		*word(fp, in.A+2) = b2u(to != 0)
	}
	return next
}

// opCvtiface converts between interface types of which the compiler knows that
// the conversion succeeds.
func (m *Machine) opCvtiface(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	w, data := mem.Ptr(*word(fp, in.B)), *word(fp, in.B+1)
	if w != 0 {
		w, _ = m.IfaceWord(int(in.Imm), m.descOf(w))
	}
	*word(fp, in.A) = uint64(w)
	*word(fp, in.A+1) = data
	return next
}
