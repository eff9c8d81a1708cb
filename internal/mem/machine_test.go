package mem

import (
	"encoding/binary"
	"slices"
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

const machineBoot = 4

// A machine drives a heap and its twin with the same operations. It touches
// only what a program could: what can be reached.
type machine struct {
	h      *Heap
	w      *twin
	marks  []Mark
	copies []*twin

	plain  []twinObj // prototypes: shape, data of one element, pointers
	mapOf  ShapeID
	chanOf ShapeID

	maps    bool // there has been a map
	canon   Canon
	sums    Canon             // with Sums
	keyOf   map[string]string // the heap's key for the twin's
	stateOf map[string]string // and back
	sumsOf  map[string]string // the key with sums for the key
	exactOf map[string]string // and back
	reach   Reacher           // that knows the base image
	nextID  []Ptr             // for each mark: the first number allocated after it
}

func newMachine(h *Heap) *machine {
	m := &machine{h: h, w: &twin{objs: map[ObjID]*twinObj{}, roots: make([]Ptr, 3)}}
	m.reset()
	for _, s := range []Shape{
		{Size: 24},
		{Size: 16, Ptrs: []uint64{1}},
		{Size: 12, Ptrs: []uint64{1}}, // pointers at odd places
		{Size: 600, Ptrs: []uint64{1<<40 | 3}},
	} {
		o := twinObj{shape: h.AddShape(s), data: make([]byte, s.Size)}
		for _, off := range offsets(s.Ptrs, 0, s.Size) {
			o.ptrs = append(o.ptrs, int(off))
		}
		m.plain = append(m.plain, o)
	}
	m.mapOf = h.AddShape(Shape{Kind: Map, KeySize: 8, ElemSize: 8, ElemPtrs: []uint64{1}})
	m.chanOf = h.AddShape(Shape{Kind: Chan, ElemSize: 8, ElemPtrs: []uint64{1}})
	for id := ObjID(1); id < machineBoot; id++ {
		m.w.add(h.AllocAt(id, m.plain[1].shape, 64), m.array(&m.plain[1], 4))
	}
	return m
}

func (m *machine) reset() {
	m.keyOf, m.stateOf = map[string]string{}, map[string]string{}
	m.sumsOf, m.exactOf = map[string]string{}, map[string]string{}
}

// array makes a twin object of n elements.
func (m *machine) array(proto *twinObj, n int) *twinObj {
	o := &twinObj{shape: proto.shape}
	for i := range n {
		for _, off := range proto.ptrs {
			o.ptrs = append(o.ptrs, i*len(proto.data)+off)
		}
		o.data = append(o.data, proto.data...)
	}
	return o
}

// pick draws a reachable object of a kind, or nil.
func (m *machine) pick(t *rapid.T, kind Kind) (Ptr, *twinObj) {
	var ids []ObjID
	for id := range m.w.reachable(machineBoot) {
		if m.w.objs[id].kind == kind {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		t.Skip("none of this kind")
	}
	slices.Sort(ids)
	id := rapid.SampledFrom(ids).Draw(t, "object")
	return MakePtr(id, 0), m.w.objs[id]
}

// ptr draws a value for a pointer: nil or into or to the end of an object.
func (m *machine) ptr(t *rapid.T) Ptr {
	ids := []ObjID{0}
	for id := range m.w.reachable(machineBoot) {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	id := rapid.SampledFrom(ids).Draw(t, "to")
	if id == 0 {
		return 0
	}
	if o := m.w.objs[id]; o.kind == Plain {
		return MakePtr(id, uint32(rapid.IntRange(0, len(o.data)).Draw(t, "offset")))
	}
	return MakePtr(id, 0)
}

// born puts a new object where it can be reached.
func (m *machine) born(t *rapid.T, p Ptr, o *twinObj) {
	if p == 0 {
		t.Fatal("out of memory")
	}
	if old := m.w.objs[p.Obj()]; old != nil {
		t.Fatalf("number %d is in use", p.Obj())
	}
	if n := len(m.marks); n > 0 && o.kind == Plain {
		// Whatever was undone since, allocation after a mark goes the same way.
		if m.nextID[n-1] == 0 && len(m.h.log) > 0 && m.h.log[len(m.h.log)-1].kind == recAlloc && len(m.h.log)-1 == m.h.marks[n-1].log {
			m.nextID[n-1] = p
		} else if len(m.h.log)-1 == m.h.marks[n-1].log && m.nextID[n-1] != p {
			t.Fatalf("first number after the mark was %v and is %v", m.nextID[n-1], p)
		}
	}
	m.w.add(p, o)
	m.w.roots[rapid.IntRange(0, len(m.w.roots)-1).Draw(t, "root")] = p
}

func (m *machine) Alloc(t *rapid.T) {
	proto := rapid.SampledFrom(m.plain).Draw(t, "shape")
	n := rapid.SampledFrom([]int{0, 1, 2, 3, 7, 20}).Draw(t, "elements")
	m.born(t, m.h.Alloc(proto.shape, uint64(n*len(proto.data))), m.array(&proto, n))
}

func (m *machine) NewMap(t *rapid.T) {
	m.maps = true
	hint := rapid.SampledFrom([]uint64{0, 9, 30}).Draw(t, "hint")
	m.born(t, m.h.NewMap(m.mapOf, hint), &twinObj{kind: Map, shape: m.mapOf})
}

func (m *machine) NewChan(t *rapid.T) {
	n := rapid.IntRange(0, 4).Draw(t, "cap")
	m.born(t, m.h.NewChan(m.chanOf, uint64(n)), &twinObj{kind: Chan, shape: m.chanOf, cap: n})
}

func (m *machine) NewMapIter(t *rapid.T) {
	p, o := m.pick(t, Map)
	m.born(t, m.h.NewMapIter(p), &twinObj{kind: MapIter, shape: iterShape, m: p, limit: o.seq})
}

func (m *machine) SetRoot(t *rapid.T) {
	m.w.roots[rapid.IntRange(0, len(m.w.roots)-1).Draw(t, "root")] = m.ptr(t)
}

func (m *machine) WritePtr(t *rapid.T) {
	p, o := m.pick(t, Plain)
	if len(o.ptrs) == 0 {
		t.Skip("no pointers")
	}
	off, v := rapid.SampledFrom(o.ptrs).Draw(t, "at"), m.ptr(t)
	if !m.h.StorePtr(p+Ptr(off), v) {
		t.Fatal("fault")
	}
	binary.LittleEndian.PutUint64(o.data[off:], uint64(v))
}

func (m *machine) Poke(t *rapid.T) {
	p, o := m.pick(t, Plain)
	off := rapid.IntRange(0, len(o.data)).Draw(t, "at")
	for _, q := range o.ptrs {
		if off >= q && off < q+8 {
			t.Skip("a pointer")
		}
	}
	v := byte(rapid.IntRange(0, 2).Draw(t, "value"))
	if got, want := m.h.Store8(p+Ptr(off), v), off < len(o.data); got != want {
		t.Fatalf("Store8 = %v, want %v", got, want)
	} else if want {
		o.data[off] = v
	}
}

// Copy moves bytes between objects without pointers.
func (m *machine) Copy(t *rapid.T) {
	p, o := m.pick(t, Plain)
	q, r := m.pick(t, Plain)
	if len(o.ptrs)+len(r.ptrs) > 0 {
		t.Skip("pointers")
	}
	a, b := rapid.IntRange(0, len(o.data)).Draw(t, "dst"), rapid.IntRange(0, len(r.data)).Draw(t, "src")
	n := rapid.IntRange(0, len(o.data)).Draw(t, "n")
	want := n == 0 || a+n <= len(o.data) && b+n <= len(r.data)
	if got := m.h.Copy(p+Ptr(a), q+Ptr(b), uint32(n)); got != want {
		t.Fatalf("Copy = %v, want %v", got, want)
	}
	if want {
		copy(o.data[a:a+n], r.data[b:b+n])
	}
}

func (m *machine) MapPut(t *rapid.T) {
	p, o := m.pick(t, Map)
	for range rapid.SampledFrom([]int{1, 1, 30}).Draw(t, "times") {
		k, v := rapid.Uint64Range(0, 40).Draw(t, "key"), uint64(m.ptr(t))
		put(m.h, p, k, v)
		i := slices.IndexFunc(o.entries, func(e twinEntry) bool { return e.key == k })
		if i < 0 {
			o.seq++
			i = len(o.entries)
			o.entries = append(o.entries, twinEntry{seq: o.seq, key: k})
		}
		o.entries[i].elem = v
	}
}

func (m *machine) MapDelete(t *rapid.T) {
	p, o := m.pick(t, Map)
	for range rapid.SampledFrom([]int{1, 1, 30}).Draw(t, "times") {
		k := rapid.Uint64Range(0, 40).Draw(t, "key")
		i := slices.IndexFunc(o.entries, func(e twinEntry) bool { return e.key == k })
		if got := remove(m.h, p, k); got != (i >= 0) {
			t.Fatalf("delete of %d = %v", k, got)
		}
		if i >= 0 {
			o.entries = slices.Delete(o.entries, i, i+1)
		}
	}
}

func (m *machine) MapClear(t *rapid.T) {
	p, o := m.pick(t, Map)
	m.h.MapClear(p)
	o.entries = nil
}

func (m *machine) MapIterNext(t *rapid.T) {
	p, o := m.pick(t, MapIter)
	want := twinEntry{}
	if of := m.w.objs[o.m.Obj()]; of != nil {
		if i := slices.IndexFunc(of.entries, func(e twinEntry) bool { return e.seq > o.last }); i >= 0 && of.entries[i].seq <= o.limit {
			want = of.entries[i]
			o.last = want.seq
		}
	}
	key, elem, _ := m.h.MapIterNext(p)
	k, _ := m.h.Load64(key)
	v, _ := m.h.Load64(elem)
	if (key != 0) != (want.seq != 0) || k != want.key || v != want.elem {
		t.Fatalf("next is %d: %d, want %v", k, v, want)
	}
}

func (m *machine) ChanPush(t *rapid.T) {
	p, o := m.pick(t, Chan)
	v := uint64(m.ptr(t))
	if got, want := m.h.ChanPush(p, unsafe.Pointer(&v)), len(o.queue) < o.cap; got != want {
		t.Fatalf("push = %v, want %v", got, want)
	} else if want {
		o.queue = append(o.queue, v)
	}
}

func (m *machine) ChanPop(t *rapid.T) {
	p, o := m.pick(t, Chan)
	var v uint64
	if got, want := m.h.ChanPop(p, unsafe.Pointer(&v)), len(o.queue) > 0; got != want {
		t.Fatalf("pop = %v, want %v", got, want)
	} else if want {
		if v != o.queue[0] {
			t.Fatalf("popped %d, want %d", v, o.queue[0])
		}
		o.queue = o.queue[1:]
	}
}

func (m *machine) ChanClose(t *rapid.T) {
	p, o := m.pick(t, Chan)
	m.h.ChanClose(p)
	m.h.SetChanAux(p, p)
	o.closed, o.aux = true, p
}

// Free frees an object that nothing points to.
func (m *machine) Free(t *rapid.T) {
	live := map[ObjID]bool{}
	for _, o := range m.w.objs {
		o.pointers(func(p Ptr) { live[p.Obj()] = true })
	}
	for _, p := range m.w.roots {
		live[p.Obj()] = true
	}
	for id := ObjID(machineBoot); id < 100; id++ {
		if o := m.w.objs[id]; o != nil && !live[id] {
			if !m.h.Free(id) {
				t.Fatal("not freed")
			}
			delete(m.w.objs, id)
			return
		}
	}
	t.Skip("all in use")
}

func (m *machine) Mark(t *rapid.T) {
	m.marks = append(m.marks, m.h.Mark())
	m.copies = append(m.copies, m.w.clone())
	m.nextID = append(m.nextID, 0)
}

func (m *machine) drawMark(t *rapid.T) int {
	if len(m.marks) == 0 {
		t.Skip("no mark")
	}
	return rapid.IntRange(0, len(m.marks)-1).Draw(t, "mark")
}

func (m *machine) Restore(t *rapid.T) {
	i := m.drawMark(t)
	m.h.Restore(m.marks[i])
	m.w = m.copies[i].clone()
	m.marks, m.copies, m.nextID = m.marks[:i+1], m.copies[:i+1], m.nextID[:i+1]
}

func (m *machine) Release(t *rapid.T) {
	i := m.drawMark(t)
	m.h.Release(m.marks[i])
	m.marks, m.copies, m.nextID = m.marks[:i], m.copies[:i], m.nextID[:i]
}

func (m *machine) Forget(t *rapid.T) {
	i := m.drawMark(t)
	m.h.Forget(m.marks[i])
	m.marks, m.copies, m.nextID = m.marks[i:], m.copies[i:], m.nextID[i:]
}

func (m *machine) Seal(t *rapid.T) {
	if len(m.marks) > 0 {
		t.Skip("marks")
	}
	m.h.Seal(nil)
	m.reach.Base(m.h)
	m.w.seal()
	m.reset()
}

func (m *machine) Snapshot(t *rapid.T) {
	s, w := m.h.Snapshot(), m.w.clone()
	m.Alloc(t)
	m.WritePtr(t)
	m.h.RestoreSnapshot(s)
	m.w = w
	m.marks, m.copies, m.nextID = nil, nil, nil
	if !s.Equal(m.h.Snapshot()) {
		t.Fatal("snapshot not restored")
	}
}

func (m *machine) Collect(t *rapid.T) {
	var old []ObjID // what Restore needs
	if n := len(m.copies); n > 0 {
		for id, o := range m.copies[n-1].objs {
			if now := m.w.objs[id]; now != nil && now.serial == o.serial {
				old = append(old, id)
			}
		}
	}
	live := m.w.reachable(machineBoot, old...)
	m.h.Collect(func(visit func(Ptr)) {
		for _, p := range m.w.roots {
			visit(p)
		}
	}, nil)
	for id := range m.w.objs {
		got := m.h.Exists(MakePtr(id, 0))
		if !got {
			delete(m.w.objs, id)
		}
		// Entries that a map has outgrown, but that Restore needs, keep what they
		// point to. The twin does not know of them.
		if got != live[id] && !(got && m.maps && len(m.marks) > 0) {
			t.Fatalf("object %d exists: %v, want %v", id, got, live[id])
		}
	}
}

// Check compares contents, and keys: states have equal keys if and only if the
// twin's states have.
func (m *machine) Check(t *rapid.T) {
	if d := m.w.diff(m.h); d != "" {
		t.Fatal(d)
	}
	m.canon.Begin(m.h)
	for _, p := range m.w.roots {
		m.canon.Ptr(p)
	}
	key, state := string(m.canon.Finish(nil)), m.w.key()
	if k, ok := m.keyOf[state]; ok && k != key {
		t.Fatalf("one state, two keys:\n%s\n%x\n%x", state, k, key)
	}
	if s, ok := m.stateOf[key]; ok && s != state {
		t.Fatalf("one key, two states:\n%s\n%s", s, state)
	}
	m.keyOf[state], m.stateOf[key] = key, state

	m.sums.Sums = true
	m.sums.Begin(m.h)
	for _, p := range m.w.roots {
		m.sums.Ptr(p)
	}
	sums := string(m.sums.Finish(nil))
	if k, ok := m.exactOf[sums]; ok && k != key {
		t.Fatalf("two states have one key with sums:\n%s\n%s", m.stateOf[k], state)
	}
	if k, ok := m.sumsOf[key]; ok && k != sums {
		t.Fatalf("one state, two keys with sums:\n%s\n%x\n%x", state, k, sums)
	}
	m.exactOf[sums], m.sumsOf[key] = key, sums
	m.checkReach(t)
}

// checkReach compares what globals lead to with what is found without the base image.
func (m *machine) checkReach(t *rapid.T) {
	if !m.h.Sealed() {
		return
	}
	m.reach.Begin(m.h)
	m.reach.Globals()
	var plain Reacher
	plain.Begin(m.h)
	plain.roots(plain.visit)
	plain.drain()
	for id := ObjID(1); uint64(id) < m.h.ids.next; id++ {
		if p := MakePtr(id, 0); m.h.objs[id].flags&exists != 0 && m.reach.Reached(p) != plain.Reached(p) {
			t.Fatalf("object %d is reached: %v, want %v", id, m.reach.Reached(p), plain.Reached(p))
		}
	}
}

// TestMachine drives the heap against its twin.
func TestMachine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, err := New(machineBoot)
		if err != nil {
			t.Fatal(err)
		}
		defer h.Close()
		m := newMachine(h)
		t.Repeat(map[string]func(*rapid.T){
			"": m.Check, "Alloc": m.Alloc, "NewMap": m.NewMap, "NewChan": m.NewChan, "NewMapIter": m.NewMapIter,
			"SetRoot": m.SetRoot, "WritePtr": m.WritePtr, "Poke": m.Poke, "Copy": m.Copy,
			"MapPut": m.MapPut, "MapDelete": m.MapDelete, "MapClear": m.MapClear, "MapIterNext": m.MapIterNext,
			"ChanPush": m.ChanPush, "ChanPop": m.ChanPop, "ChanClose": m.ChanClose, "Free": m.Free,
			"Mark": m.Mark, "Restore": m.Restore, "Release": m.Release, "Forget": m.Forget, "Seal": m.Seal,
			"Snapshot": m.Snapshot, "Collect": m.Collect,
			// What a search does most.
			"Mark2": m.Mark, "Restore2": m.Restore, "WritePtr2": m.WritePtr, "MapPut2": m.MapPut,
		})
	})
}
