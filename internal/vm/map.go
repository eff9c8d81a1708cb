package vm

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// A mapType is what the operations need to know of a map type.
type mapType struct {
	key, elem *bytecode.Type
	shape     mem.ShapeID
	search    keySearch
	update    bool // assignment replaces a key that is equal already: it may look different
}

// A keySearch says how keys are compared.
type keySearch uint8

const (
	searchAny    keySearch = iota
	searchWord             // 8 bytes of memory
	searchHalf             // 4 bytes of memory
	searchString           // a string
)

func (m *Machine) mapType(i int) *mapType {
	if t := m.rt.mapTypes[i]; t != nil {
		return t
	}
	typ := m.rt.types[i]
	t := &mapType{key: m.rt.types[typ.Key], elem: m.rt.types[typ.Elem], shape: m.mapShape(i)}
	plain := t.key.Flags&bytecode.FlagPlainEq != 0
	switch {
	case plain && t.key.Size == 8:
		t.search = searchWord
	case plain && t.key.Size == 4:
		t.search = searchHalf
	case t.key.Kind == bytecode.String:
		t.search = searchString
	}
	t.update = m.needKeyUpdate(t.key)
	m.rt.mapTypes[i] = t
	return t
}

// needKeyUpdate reports whether equal keys of a type can be told apart: 0.0 and
// -0.0, strings with different addresses, and what contains those.
func (m *Machine) needKeyUpdate(t *bytecode.Type) bool {
	switch t.Kind {
	case bytecode.Float32, bytecode.Float64, bytecode.Complex64, bytecode.Complex128,
		bytecode.Interface, bytecode.String:
		return true
	case bytecode.Array:
		return m.needKeyUpdate(m.rt.types[t.Elem])
	case bytecode.Struct:
		for i := range t.Fields {
			if m.needKeyUpdate(m.rt.types[t.Fields[i].Type]) {
				return true
			}
		}
	}
	return false
}

// find looks for the key at k. It returns where the map has key and element, or
// zeros, the key's hash, and a type that cannot be hashed if the key has one.
func (m *Machine) find(t *mapType, mp mem.Ptr, k unsafe.Pointer) (key, elem mem.Ptr, hash uint64, bad *bytecode.Type) {
	switch t.search {
	case searchWord:
		w := *(*uint64)(k)
		hash = mem.HashWord(w)
		key, elem = m.Heap.MapFind64(mp, hash, w)
	case searchHalf:
		w := *(*uint32)(k)
		hash = mem.HashWord(uint64(w))
		key, elem = m.Heap.MapFind32(mp, hash, w)
	case searchString:
		s := (*str)(k)
		b, _ := m.view(s.ptr, s.len)
		hash = mem.HashBytes(b)
		key, elem = m.Heap.MapFindString(mp, hash, b)
	default:
		return m.findAny(t, mp, k)
	}
	return key, elem, hash, nil
}

func (m *Machine) findAny(t *mapType, mp mem.Ptr, k unsafe.Pointer) (key, elem mem.Ptr, hash uint64, bad *bytecode.Type) {
	if hash, bad = m.hash(t.key, k); bad != nil {
		return 0, 0, 0, bad
	}
	pr := m.Heap.MapProbe(mp, hash)
	for m.Heap.MapProbeNext(&pr) {
		eq := t.key.Size == 0
		if !eq {
			// Unequal types of equal hash are no error: only one has the key's type.
			eq, _ = m.equal(t.key, m.Heap.Read(pr.Key, t.key.Size), k)
		}
		if eq {
			return pr.Key, pr.Elem, hash, nil
		}
		if self, _ := m.equal(t.key, k, k); !self {
			// A NaN equals nothing: any hash will do, and if all had the same one
			// a map full of them would be slow.
			return 0, 0, mem.HashWord(m.Heap.MapLen(mp)), nil
		}
	}
	return 0, 0, hash, nil
}

func (m *Machine) opMakemap(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	p := m.newMap(int(in.Imm), int64(*word(fp, in.B)))
	if p == 0 {
		return m.outOfMemory(g)
	}
	*word(fp, in.A) = uint64(p)
	return next
}

// newMap makes a map. A hint that is negative or too large is ignored, as in Go.
func (m *Machine) newMap(typ int, hint int64) mem.Ptr {
	p := m.Heap.NewMap(m.mapType(typ).shape, uint64(max(hint, 0)))
	m.pollHeap()
	return p
}

func (m *Machine) opMapget(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	m.Beyond = true
	t := m.mapType(int(in.Imm))
	mp := mem.Ptr(*word(fp, in.B))
	elem, bad := m.lookup(t, mp, reg(fp, in.C))
	if bad != nil {
		return m.raiseUnhashableIn(g, mp, bad)
	}
	m.loadEntry(t.elem, reg(fp, in.A), elem)
	return next
}

func (m *Machine) opMapget2(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	m.Beyond = true
	t := m.mapType(int(in.Imm))
	mp := mem.Ptr(*word(fp, in.B))
	elem, bad := m.lookup(t, mp, reg(fp, in.C))
	if bad != nil {
		return m.raiseUnhashableIn(g, mp, bad)
	}
	m.loadEntry(t.elem, reg(fp, in.A), elem)
	*word(fp, in.A+t.elem.Words) = b2u(elem != 0)
	return next
}

// lookup finds the element of the key at k. It is find for the common case.
func (m *Machine) lookup(t *mapType, mp mem.Ptr, k unsafe.Pointer) (elem mem.Ptr, bad *bytecode.Type) {
	m.touchMap(mp, false)
	if t.search == searchWord {
		w := *(*uint64)(k)
		_, elem = m.Heap.MapFind64(mp, mem.HashWord(w), w)
		return elem, nil
	}
	_, elem, _, bad = m.find(t, mp, k)
	return elem, bad
}

// touchMap notes an access to a map for the detection of races. What a map is
// made of inside is not tracked.
func (m *Machine) touchMap(mp mem.Ptr, write bool) {
	if m.Heap.Tracked(mp.Obj()) && m.Heap.Access != nil {
		m.Heap.Access(mp, 1, write)
	}
}

// loadEntry loads a key or an element of a map, zero if p is nil.
func (m *Machine) loadEntry(t *bytecode.Type, dst unsafe.Pointer, p mem.Ptr) {
	switch {
	case p == 0:
		ZeroReg(t, dst)
	case t.Reg == bytecode.Reg64:
		*(*uint64)(dst) = *(*uint64)(m.Heap.Read(p, 8))
	case t.Size > 0:
		LoadReg(t, dst, m.Heap.Read(p, t.Size))
	}
}

func (m *Machine) opMapset(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	m.Beyond = true
	mp := mem.Ptr(*word(fp, in.A))
	if mp == 0 {
		return m.raisePlain(g, "assignment to entry in nil map")
	}
	t := m.mapType(int(in.Imm))
	elem, bad := m.assign(t, mp, reg(fp, in.B))
	if bad != nil {
		return m.raiseUnhashable(g, bad)
	}
	if elem == 0 {
		return m.outOfMemory(g)
	}
	if t.elem.Size > 0 {
		StoreReg(t.elem, m.Heap.Write(elem, t.elem.Size), reg(fp, in.C))
	}
	return next
}

// assign returns where the element of the key at k is to be stored, 0 if memory
// is exhausted. It inserts the key if the map does not have it.
func (m *Machine) assign(t *mapType, mp mem.Ptr, k unsafe.Pointer) (elem mem.Ptr, bad *bytecode.Type) {
	m.touchMap(mp, true)
	key, elem, hash, bad := m.find(t, mp, k)
	if bad != nil {
		return 0, bad
	}
	if elem == 0 {
		key, elem = m.Heap.MapInsert(mp, hash)
		m.pollHeap()
		if elem == 0 {
			return 0, nil
		}
	} else if !t.update {
		return elem, nil
	}
	if t.key.Size > 0 {
		StoreReg(t.key, m.Heap.Write(key, t.key.Size), k)
	}
	return elem, nil
}

func (m *Machine) opMapdel(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	m.Beyond = true
	mp := mem.Ptr(*word(fp, in.B))
	m.touchMap(mp, true)
	key, _, _, bad := m.find(m.mapType(int(in.Imm)), mp, reg(fp, in.C))
	if bad != nil {
		return m.raiseUnhashableIn(g, mp, bad)
	}
	if key != 0 {
		m.Heap.MapDelete(mp, key)
	}
	return next
}

func (m *Machine) opMaplen(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	m.Beyond = true
	m.touchMap(mem.Ptr(*word(fp, in.B)), false)
	*word(fp, in.A) = m.Heap.MapLen(mem.Ptr(*word(fp, in.B)))
	return next
}

func (m *Machine) opMapclear(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	m.Beyond = true
	m.touchMap(mem.Ptr(*word(fp, in.B)), true)
	m.Heap.MapClear(mem.Ptr(*word(fp, in.B)))
	return next
}
