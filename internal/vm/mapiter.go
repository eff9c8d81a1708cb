package vm

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// A MapIter is the state of a range over a map: four words, in registers or in
// memory, of which the first is the only pointer.
//
// With seed 0 the first word is an iterator object, which visits the entries in
// the order of their insertion and whose canonical encoding is what is left to
// visit. With another seed the order begins at an entry chosen at random and
// wraps around; then the numbers of entries are part of the state, which
// therefore should not be compared with others. Entries that are inserted during
// the iteration are not visited.
type MapIter struct {
	obj   mem.Ptr // the iterator object or, in the other phases, the map
	start uint64  // number of the entry before the first
	last  uint64  // number of the latest entry visited
	phase uint64  // and, in the other phases, the number of the map's latest entry
}

const (
	iterObject uint64 = iota // an iterator object
	iterUpper                // from start to the end
	iterLower                // from the beginning to start
	iterLimit  = 2           // how far to the left of the phase the latest entry's number is
)

// turning makes it an iterator that begins after the n-th entry of a map and wraps
// around.
func (m *Machine) turning(mp mem.Ptr, n uint64) MapIter {
	it := MapIter{obj: mp, phase: m.Heap.MapLast(mp)<<iterLimit | iterUpper}
	for ; n > 0; n-- {
		it.start, _, _ = m.Heap.MapNext(mp, it.start)
	}
	it.last = it.start
	return it
}

// MapIterInit makes it an iterator over a map, which may be nil. It reports
// false if memory is exhausted.
func (m *Machine) MapIterInit(it *MapIter, mp mem.Ptr) bool {
	*it = MapIter{}
	n := m.Heap.MapLen(mp)
	if mp == 0 {
		return true
	}
	if m.rt.opts.Seed == 0 {
		it.obj = m.Heap.NewMapIter(mp)
		m.pollHeap()
		return it.obj != 0
	}
	skip := uint64(0)
	if n > 1 {
		skip = m.random() % n
	}
	*it = m.turning(mp, skip)
	return true
}

// mapIterAt makes it an iterator that begins at the n-th entry and wraps around,
// as those of Go do.
func (m *Machine) mapIterAt(it *MapIter, mp mem.Ptr, n int) {
	m.touchMap(mp, false)
	*it = m.turning(mp, uint64(n))
}

// MapIterNext moves an iterator on and returns where key and element of the next
// entry are, zeros if there is none. Who has these may hand them on, so the key counts
// as told to everybody.
func (m *Machine) MapIterNext(it *MapIter) (key, elem mem.Ptr) {
	key, elem = m.mapIterNext(it)
	m.keyTold(it, key, KeyToldOthers)
	return key, elem
}

// IteratedMap is the map of an iterator, 0 if it is nil.
func (m *Machine) IteratedMap(it *MapIter) mem.Ptr {
	if it.phase == iterObject {
		return m.Heap.MapIterMap(it.obj)
	}
	return it.obj
}

// keyTold notes that an iterator has told a key, unless it is at its end.
func (m *Machine) keyTold(it *MapIter, key mem.Ptr, to Note) {
	if !m.driven || key == 0 {
		return
	}
	m.driver.Noted(to, m.IteratedMap(it))
}

func (m *Machine) mapIterNext(it *MapIter) (key, elem mem.Ptr) {
	if it.phase == iterObject {
		if it.obj == 0 {
			return 0, 0
		}
		m.touchMap(m.Heap.MapIterMap(it.obj), false)
		key, elem, missed := m.Heap.MapIterNext(it.obj)
		m.noteMissed(it, missed)
		return key, elem
	}
	m.touchMap(it.obj, false)
	if it.phase&(1<<iterLimit-1) == iterUpper {
		seq, key, elem := m.Heap.MapNext(it.obj, it.last)
		if seq != 0 && seq <= it.phase>>iterLimit {
			it.last = seq
			return key, elem
		}
		m.noteMissed(it, seq != 0)
		it.phase, it.last = iterLower, 0
	}
	seq, key, elem := m.Heap.MapNext(it.obj, it.last)
	if seq == 0 || seq > it.start {
		it.last = it.start
		return 0, 0
	}
	it.last = seq
	return key, elem
}

// noteMissed notes that a range is over although there are entries that were added meanwhile. In Go it may come to them.
func (m *Machine) noteMissed(it *MapIter, missed bool) {
	if missed && m.driven {
		m.driver.Noted(EntriesMissed, m.IteratedMap(it))
	}
}

func (m *Machine) opMaprange(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	m.Beyond = true
	var it MapIter
	mp := mem.Ptr(*word(fp, in.B))
	first := -1
	if m.driven && m.Heap.MapLen(mp) > 1 {
		var ok bool
		if first, ok = m.driver.MapRange(g, mp); !ok {
			return pause
		}
	}
	if first >= 0 {
		m.mapIterAt(&it, mp, first)
	} else if !m.MapIterInit(&it, mp) {
		return m.outOfMemory(g)
	}
	*(*MapIter)(reg(fp, in.A)) = it
	return next
}

func (m *Machine) opMapnext(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	m.Beyond = true
	it := (*MapIter)(reg(fp, in.B))
	key, elem := m.mapIterNext(it)
	*word(fp, in.A) = b2u(key != 0)
	t := m.mapType(int(in.Imm))
	at := in.A + 1
	if in.C&1 != 0 {
		if g.ID == 1 {
			m.keyTold(it, key, KeyTold)
		} else {
			m.keyTold(it, key, KeyToldOthers)
		}
		m.loadEntry(t.key, reg(fp, at), key)
		at += t.key.Words
	}
	if in.C&2 != 0 {
		m.loadEntry(t.elem, reg(fp, at), elem)
	}
	return next
}

// The following are for natives. Keys and elements are pointers to memory.

// NewMap makes a map with room for hint entries, 0 if memory is exhausted.
func (m *Machine) NewMap(typ int, hint int64) mem.Ptr {
	p := m.newMap(typ, hint)
	if p == 0 {
		m.rt.oom = true
		m.pollSoon()
	}
	return p
}

// MapLen is the number of entries of a map, 0 if it is nil.
func (m *Machine) MapLen(mp mem.Ptr) int {
	m.touchMap(mp, false)
	return int(m.Heap.MapLen(mp))
}

// MapClear removes all entries of a map.
func (m *Machine) MapClear(mp mem.Ptr) {
	m.touchMap(mp, true)
	m.Heap.MapClear(mp)
}

// MapAccess finds the element of the key at k in a map of the given type, 0 if
// it has none. If the key cannot be hashed, bad is the type to blame.
func (m *Machine) MapAccess(typ int, mp, k mem.Ptr) (elem mem.Ptr, bad *bytecode.Type) {
	t := m.mapType(typ)
	return m.lookup(t, mp, m.keyAt(t, k))
}

// MapAssign finds or makes the place for the element of the key at k. It is 0 if
// memory is exhausted. The map is not nil.
func (m *Machine) MapAssign(typ int, mp, k mem.Ptr) (elem mem.Ptr, bad *bytecode.Type) {
	t := m.mapType(typ)
	elem, bad = m.assign(t, mp, m.keyAt(t, k))
	if elem == 0 && bad == nil {
		m.rt.oom = true
		m.pollSoon()
	}
	return elem, bad
}

// MapDelete removes the entry of the key at k, if there is one.
func (m *Machine) MapDelete(typ int, mp, k mem.Ptr) (bad *bytecode.Type) {
	t := m.mapType(typ)
	m.touchMap(mp, true)
	key, _, _, bad := m.find(t, mp, m.keyAt(t, k))
	if key != 0 {
		m.Heap.MapDelete(mp, key)
	}
	return bad
}

// keyAt is the host address of a key in memory. A key that is not readable is
// read as zeros.
func (m *Machine) keyAt(t *mapType, k mem.Ptr) unsafe.Pointer {
	if b, ok := m.view(k, uint64(t.key.Size)); ok && len(b) > 0 {
		return unsafe.Pointer(&b[0])
	}
	return unsafe.Pointer(unsafe.SliceData(make([]uint64, t.key.Words+1)))
}
