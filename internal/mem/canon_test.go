package mem

import (
	"fmt"
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

// keyOf returns the key of a heap with the given roots.
func keyOf(h *Heap, roots ...Ptr) string {
	var c Canon
	c.Begin(h)
	for _, p := range roots {
		c.Ptr(p)
	}
	return string(c.Finish(nil))
}

// A graph is a heap as a drawing: node i has the shape of its kind and points to
// other nodes.
type graph []graphNode

type graphNode struct {
	kind  Kind
	edges []int // other nodes; -1 is nil
	data  uint64
}

var anyGraph = rapid.Custom(func(t *rapid.T) graph {
	g := make(graph, rapid.IntRange(1, 12).Draw(t, "nodes"))
	for i := range g {
		g[i] = graphNode{
			kind:  rapid.SampledFrom([]Kind{Plain, Plain, Map, Chan}).Draw(t, "kind"),
			edges: rapid.SliceOfN(rapid.IntRange(-1, len(g)-1), 0, 4).Draw(t, "edges"),
			data:  rapid.Uint64Range(0, 3).Draw(t, "data"),
		}
	}
	return g
})

// build makes the objects of a graph in the given order with garbage between
// them, and returns the first.
func (g graph) build(h *Heap, order []int, garbage int) Ptr {
	node := h.AddShape(Shape{Size: 8, Ptrs: []uint64{1}})
	dict := h.AddShape(Shape{Kind: Map, KeySize: 8, ElemSize: 8, ElemPtrs: []uint64{1}})
	pipe := h.AddShape(Shape{Kind: Chan, ElemSize: 8, ElemPtrs: []uint64{1}})
	at := make([]Ptr, len(g))
	for _, i := range order {
		for k := range garbage {
			h.Alloc(node, uint64(8*k))
		}
		switch g[i].kind {
		case Plain:
			at[i] = h.Alloc(node, uint64(8*len(g[i].edges)))
		case Map:
			at[i] = h.NewMap(dict, uint64(garbage*20))
		case Chan:
			at[i] = h.NewChan(pipe, uint64(len(g[i].edges))+1)
		}
	}
	for i, n := range g {
		for k, e := range n.edges {
			to := Ptr(0)
			if e >= 0 {
				to = at[e]
			}
			switch n.kind {
			case Plain:
				h.StorePtr(at[i]+Ptr(8*k), to)
			case Map:
				if garbage%2 == 1 { // the other order of insertion, and tombstones
					put(h, at[i], 1000, 0)
					remove(h, at[i], 1000)
					put(h, at[i], uint64(len(n.edges)-1-k)+n.data, 0)
				}
			case Chan:
				if garbage > 0 { // another place in the ring
					h.ChanPush(at[i], unsafe.Pointer(&to))
				}
			}
		}
		for k, e := range n.edges {
			to := Ptr(0)
			if e >= 0 {
				to = at[e]
			}
			switch n.kind {
			case Map:
				put(h, at[i], uint64(k)+n.data, uint64(to))
			case Chan:
				if garbage > 0 {
					h.ChanPop(at[i], nil)
				}
				h.ChanPush(at[i], unsafe.Pointer(&to))
			}
		}
	}
	return at[0]
}

// TestIsomorphic: the order of allocation and garbage do not show in the key,
// and a collection changes nothing.
func TestIsomorphic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := anyGraph.Draw(t, "graph")
		order := make([]int, len(g))
		for i := range order {
			order[i] = i
		}
		keys := [3]string{}
		for i := range keys {
			h, err := New(1)
			if err != nil {
				t.Fatal(err)
			}
			defer h.Close()
			p := g.build(h, order, i)
			keys[i] = keyOf(h, p)
			h.Collect(func(visit func(Ptr)) { visit(p) }, nil)
			if k := keyOf(h, p); k != keys[i] {
				t.Fatalf("collection changes the key:\n%x\n%x", keys[i], k)
			}
			order = rapid.Permutation(order).Draw(t, "order")
		}
		if keys[0] != keys[1] || keys[0] != keys[2] {
			t.Fatalf("keys differ:\n%x\n%x\n%x", keys[0], keys[1], keys[2])
		}
	})
}

// TestKeysDiffer lists pairs of states that a careless encoding would confuse.
func TestKeysDiffer(t *testing.T) {
	h := newHeap(t, 1)
	node := h.AddShape(Shape{Size: 16, Ptrs: []uint64{1}})
	mk := func(to Ptr, word uint64) Ptr {
		p := h.Alloc(node, 16)
		h.StorePtr(p, to)
		h.Store64(p+8, word)
		return p
	}
	leaf := mk(0, 0)
	shared := []Ptr{mk(leaf, 0), mk(leaf, 0)}
	split := []Ptr{mk(mk(0, 0), 0), mk(mk(0, 0), 0)}
	loop := mk(0, 0)
	h.StorePtr(loop, loop)
	flat := h.Alloc(0, 16) // the words of a pointer, but none
	h.Store64(flat, classFound|2<<32)
	st1, st2 := h.AllocStatic(0, 8, []byte("one")), h.AllocStatic(0, 8, []byte("two"))
	states := map[string][]Ptr{
		"nil":        {0},
		"two nils":   {0, 0},
		"leaf":       {leaf},
		"leaf+8":     {leaf + 8},
		"word":       {mk(0, 1)},
		"shared":     shared,
		"split":      split,
		"loop":       {loop},
		"loop of 2":  {mk(loop, 0)},
		"flat":       {flat},
		"small int":  {5},
		"dangling":   {MakePtr(1<<20, 0)},
		"dangling 2": {MakePtr(1<<20+1, 0)},
		"dangling 3": {MakePtr(1<<20|1<<31, 0)},
		"static one": {st1},
		"static two": {st2},
		"static +1":  {st1 + 1},
		"in pointer": {mk(0, 0), mk(leaf, 0)},
		"longer":     {h.Alloc(node, 32)},
		"no shape":   {h.Alloc(0, 16)},
	}
	seen := map[string]string{}
	for name, roots := range states {
		k := keyOf(h, roots...)
		if other, ok := seen[k]; ok {
			t.Errorf("%s and %s have one key", name, other)
		}
		seen[k] = name
	}
}

// TestKeyWords pins one key, word by word.
func TestKeyWords(t *testing.T) {
	h := newHeap(t, 2)
	node := h.AddShape(Shape{Size: 16, Ptrs: []uint64{1}})
	global := h.AllocAt(1, node, 16)
	h.Seal(nil)
	young := h.Alloc(node, 16)
	h.StorePtr(global, young+8)
	h.StorePtr(young, global)
	h.Store64(young+8, 77)
	var c Canon
	c.Begin(h)
	regs := [3]uint64{uint64(young), uint64(young), 9}
	c.Words(unsafe.Pointer(&regs), 3, []uint64{1})
	key := c.Finish(nil)
	tag := h.shapes[node].tag
	want := []uint64{
		classFound | 1<<32, uint64(young), 9, // the caller's words
		1, classFound | 1<<32 | 8, 0, // the changed base object
		0,
		tag, 16, classBase | 1<<32, 77, // the young object
		0, 24, // no wild pointers, length of the first part
	}
	got := unsafe.Slice((*uint64)(unsafe.Pointer(&key[0])), len(key)/8)
	if fmt.Sprintf("%x", got) != fmt.Sprintf("%x", want) {
		t.Errorf("got  %x\nwant %x", got, want)
	}
	if len(c.Found()) != 1 || c.Found()[0] != young.Obj() {
		t.Errorf("found %v", c.Found())
	}
	c.Begin(h)
	c.Words(unsafe.Pointer(&regs), 3, []uint64{1})
	if c.FinishFingerprint() != FingerprintOf(key) {
		t.Error("fingerprints differ")
	}
}

// TestBaseKeys: what is as it was at Seal does not show, whatever happened to
// it in between.
func TestBaseKeys(t *testing.T) {
	h := newHeap(t, 2)
	global := h.AllocAt(1, 0, 8)
	heap := h.Alloc(0, 3000)
	m := h.NewMap(h.AddShape(intMap), 0)
	put(h, m, 1, 1)
	put(h, m, 2, 2)
	c := h.NewChan(h.AddShape(Shape{Kind: Chan, ElemSize: 8}), 3)
	v := uint64(5)
	h.ChanPush(c, unsafe.Pointer(&v))
	h.Seal(nil)
	if !h.Sealed() {
		t.Fatal("not sealed")
	}
	base := keyOf(h)
	for name, step := range map[string]struct{ do, undo func() }{
		"global": {func() { h.Store64(global, 1) }, func() { h.Store64(global, 0) }},
		"object": {func() { h.Store64(heap+2000, 1) }, func() { h.Store64(heap+2000, 0) }},
		"elem":   {func() { put(h, m, 1, 9) }, func() { put(h, m, 1, 1) }},
		"insert": {func() {
			for k := range uint64(20) {
				put(h, m, 100+k, 1)
			}
		}, func() {
			for k := range uint64(20) {
				remove(h, m, 100+k)
			}
		}},
		"chan": {func() { h.ChanPush(c, unsafe.Pointer(&v)) }, func() { h.ChanPop(c, nil) }},
	} {
		t.Run(name, func(t *testing.T) {
			mark := h.Mark()
			step.do()
			changed := keyOf(h)
			if changed == base {
				t.Error("the change does not show")
			}
			if name == "object" && len(changed) > len(base)+deltaChunk+64 {
				t.Errorf("a change of 8 bytes is told in %d", len(changed)-len(base))
			}
			step.undo()
			if keyOf(h) != base {
				t.Error("changed back, it shows")
			}
			step.do()
			if keyOf(h) != changed {
				t.Error("changed again, it is another state")
			}
			h.Restore(mark)
			if keyOf(h) != base || len(h.dirtied) != 0 {
				t.Error("undone, it shows")
			}
			h.Release(mark)
		})
	}
}

// TestMapKeyOrder: insertion order does not matter for keys that are strings,
// or pointers to what the key knows already.
func TestMapKeyOrder(t *testing.T) {
	h := newHeap(t, 1)
	strs := h.AddShape(stringMap)
	ptrs := h.AddShape(Shape{Kind: Map, KeySize: 8, KeyPtrs: []uint64{1}, ElemSize: 8})
	texts := []string{"", "a", "b", "longer than a word", "longer than another"}
	a, b := h.NewMap(strs, 0), h.NewMap(strs, 20)
	add := func(m Ptr, text string, v uint64) {
		s := h.Alloc(0, uint64(len(text)))
		w, _ := h.WriteBytes(s, uint32(len(text)))
		copy(w, text)
		key, elem := h.MapInsert(m, HashBytes([]byte(text)))
		h.StorePtr(key, s)
		h.Store64(key+8, uint64(len(text)))
		h.Store64(elem, v)
	}
	for i := range texts {
		add(a, texts[i], uint64(i))
		add(b, texts[len(texts)-1-i], uint64(len(texts)-1-i))
	}
	if keyOf(h, a) != keyOf(h, b) {
		t.Error("string keys show the order of insertion")
	}
	var c Canon
	c.InsertionOrder = true
	key := func(p Ptr) string {
		c.Begin(h)
		c.Ptr(p)
		return string(c.Finish(nil))
	}
	if key(a) == key(b) {
		t.Error("InsertionOrder has no effect")
	}

	x, y := h.Alloc(0, 8), h.Alloc(0, 8)
	a, b = h.NewMap(ptrs, 0), h.NewMap(ptrs, 0)
	for _, in := range []struct{ m, k Ptr }{{a, x}, {a, y}, {b, y}, {b, x}} {
		key, elem := h.MapInsert(in.m, HashWord(uint64(in.k)))
		h.StorePtr(key, in.k)
		h.Store64(elem, uint64(in.k.Obj()))
	}
	if keyOf(h, x, y, a) != keyOf(h, x, y, b) {
		t.Error("pointer keys that are numbered show the order of insertion")
	}
	if keyOf(h, a) == keyOf(h, b) {
		t.Error("the documented limit is gone: say so")
	}
}

// TestMapRest: iterators at different numbers are one state if the rest is.
func TestMapRest(t *testing.T) {
	h := newHeap(t, 1)
	s := h.AddShape(intMap)
	a, b := h.NewMap(s, 0), h.NewMap(s, 0)
	put(h, a, 9, 9)
	remove(h, a, 9)
	for k := range uint64(3) {
		put(h, a, k, k)
		put(h, b, k, k)
	}
	ia, ib := h.NewMapIter(a), h.NewMapIter(b)
	h.MapIterNext(ia)
	if keyOf(h, ia) == keyOf(h, ib) {
		t.Error("one key for an iterator that has moved and one that has not")
	}
	h.MapIterNext(ib)
	if keyOf(h, ia) != keyOf(h, ib) {
		t.Error("two keys for iterators with the same rest")
	}
	// What is put in now is not visited: the same rest.
	put(h, b, 7, 7)
	put(h, a, 7, 7)
	h.MapIterNext(ia)
	h.MapIterNext(ia)
	if key, _, _ := h.MapIterNext(ia); key != 0 {
		t.Error("iterator visits what came after its beginning")
	}
	ic := h.NewMapIter(a)
	for range 3 {
		h.MapIterNext(ic)
	}
	if keyOf(h, ia) == keyOf(h, ic) {
		t.Error("one key for an iterator that visits the latest entry and one that does not")
	}
	rest := func(m Ptr, after, limit uint64) string {
		var c Canon
		c.Begin(h)
		c.MapRest(m, after, limit)
		return string(c.Finish(nil))
	}
	if rest(a, 2, 4) != rest(b, 1, 3) || rest(a, 3, 4) == rest(b, 1, 3) || rest(0, 0, 0) == rest(a, 9, 9) || rest(a, 2, 4) == rest(a, 2, 5) {
		t.Error("MapRest tells numbers, not the rest")
	}
	h.MapIterReset(ia, a)
	if k, _, _ := h.MapIterNext(ia); k == 0 {
		t.Error("reset iterator finds nothing")
	}
}

// TestDeltaPointers: pointers in the told chunks of a large base object are
// replaced, wherever in the object they are.
func TestDeltaPointers(t *testing.T) {
	h := newHeap(t, 1)
	for _, size := range []uint32{16, 24, 40} { // 24 and 40 straddle chunks
		node := h.AddShape(Shape{Size: size, Ptrs: []uint64{1}})
		big := h.Alloc(node, uint64(size)*100)
		h.Seal(nil)
		m := h.Mark()
		for i := range uint32(100) {
			at := big + Ptr(i*size)
			h.StorePtr(at, h.Alloc(0, 8))
			one := keyOf(h)
			h.Restore(m)
			h.Alloc(0, 8) // garbage
			h.StorePtr(at, h.Alloc(0, 8))
			if keyOf(h) != one {
				t.Errorf("element %d of %d bytes: the key shows a number", i, size)
			}
			h.Restore(m)
		}
		h.Release(m)
	}
}

// TestLargeObjects: a key with sums is short, however large an object is, and tells each byte of it.
func TestLargeObjects(t *testing.T) {
	const size = 1 << 20
	h := newHeap(t, 1)
	p := h.Alloc(0, size)
	canon := Canon{Sums: true}
	key := func() string {
		canon.Begin(h)
		canon.Ptr(p)
		return string(canon.Finish(nil))
	}
	blank := key()
	if len(blank) > 1000 {
		t.Errorf("a key of %d bytes, want a short one", len(blank))
	}
	for _, off := range []Ptr{0, size / 2, size - 1} {
		h.Store8(p+off, 1)
		if key() == blank {
			t.Errorf("byte %d makes no difference", off)
		}
		h.Store8(p+off, 0)
	}
	if key() != blank {
		t.Error("equal objects have different keys")
	}
}
