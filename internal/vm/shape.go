package vm

import (
	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// noShape marks a shape that was not asked for yet.
const noShape mem.ShapeID = -1

func unknownShapes(n int) []mem.ShapeID {
	s := make([]mem.ShapeID, n)
	for i := range s {
		s[i] = noShape
	}
	return s
}

// shape is the shape of objects that hold values of a type, one or more.
func (m *Machine) shape(i int) mem.ShapeID {
	if s := m.rt.shapes[i]; s != noShape {
		return s
	}
	return m.newShape(i)
}

// newShape registers the shape of a type. An array has the shape of its
// elements: so a large one needs no large bitmap, and arrays and slices' memory
// are alike.
func (m *Machine) newShape(i int) mem.ShapeID {
	t := m.rt.types[i]
	var s mem.ShapeID
	if t.Kind == bytecode.Array {
		s = m.shape(t.Elem)
	} else {
		s = m.Heap.AddShape(mem.Shape{Size: t.Size, Ptrs: t.Ptrs})
	}
	m.rt.shapes[i] = s
	return s
}

// chanShape is the shape of channels of a channel type.
func (m *Machine) chanShape(i int) mem.ShapeID {
	if s := m.rt.contents[i]; s != noShape {
		return s
	}
	e := m.rt.types[m.rt.types[i].Elem]
	s := m.Heap.AddShape(mem.Shape{Kind: mem.Chan, ElemSize: e.Size, ElemPtrs: e.Ptrs})
	m.rt.contents[i] = s
	return s
}

// mapShape is the shape of maps of a map type.
func (m *Machine) mapShape(i int) mem.ShapeID {
	if s := m.rt.contents[i]; s != noShape {
		return s
	}
	t := m.rt.types[i]
	k, e := m.rt.types[t.Key], m.rt.types[t.Elem]
	s := m.Heap.AddShape(mem.Shape{
		Kind:    mem.Map,
		KeySize: k.Size, KeyPtrs: k.Ptrs, KeyString: k.Kind == bytecode.String,
		ElemSize: e.Size, ElemPtrs: e.Ptrs,
	})
	m.rt.contents[i] = s
	return s
}

// closureShape is the shape of the closures of a function: a code word, then
// the captured words.
func (m *Machine) closureShape(fn int) mem.ShapeID {
	if s := m.rt.closures[fn]; s != noShape {
		return s
	}
	free := m.Prog.Funcs[fn].FreeMap
	ptrs := make([]uint64, len(free)/64+1)
	for i, p := range free {
		if p != 0 {
			ptrs[(i+1)/64] |= 1 << ((i + 1) % 64)
		}
	}
	s := m.Heap.AddShape(mem.Shape{Size: uint32(8 + 8*len(free)), Ptrs: ptrs})
	m.rt.closures[fn] = s
	return s
}
