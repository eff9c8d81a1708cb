package mem

import (
	"fmt"
	"slices"
	"testing"
)

var (
	intMap    = Shape{Kind: Map, KeySize: 8, ElemSize: 8}
	stringMap = Shape{Kind: Map, KeySize: 16, KeyPtrs: []uint64{1}, KeyString: true, ElemSize: 8}
)

// put sets m[k] = v in a map of 8-byte keys and elements.
func put(h *Heap, m Ptr, k, v uint64) {
	hash := HashWord(k)
	_, elem := h.MapFind64(m, hash, k)
	if elem == 0 {
		var key Ptr
		key, elem = h.MapInsert(m, hash)
		h.Store64(key, k)
	}
	h.Store64(elem, v)
}

func get(h *Heap, m Ptr, k uint64) (v uint64, ok bool) {
	_, elem := h.MapFind64(m, HashWord(k), k)
	if elem == 0 {
		return 0, false
	}
	return h.Load64(elem)
}

func remove(h *Heap, m Ptr, k uint64) bool {
	key, _ := h.MapFind64(m, HashWord(k), k)
	return h.MapDelete(m, key)
}

// keys lists the keys of a map in the order of iteration.
func keys(h *Heap, m Ptr) (ks []uint64) {
	for seq, key, _ := h.MapNext(m, 0); seq != 0; seq, key, _ = h.MapNext(m, seq) {
		k, _ := h.Load64(key)
		ks = append(ks, k)
	}
	return ks
}

func TestMapRoom(t *testing.T) {
	for _, tt := range [][3]uint64{{0, 8, 0}, {8, 8, 0}, {9, 10, 16}, {10, 10, 16}, {11, 20, 32}, {20, 20, 32}, {21, 40, 64}, {1000, 1280, 2048}} {
		if places, slots := mapRoom(tt[0]); places != tt[1] || slots != tt[2] {
			t.Errorf("mapRoom(%d) = %d, %d, want %d, %d", tt[0], places, slots, tt[1], tt[2])
		}
	}
}

// TestMapSizes checks maps of all sizes up to some growths, with and without a
// hint, against what was put in.
func TestMapSizes(t *testing.T) {
	h := newHeap(t, 1)
	s := h.AddShape(intMap)
	for _, hint := range []uint64{0, 5, 20, 300} {
		m := h.NewMap(s, hint)
		for n := range uint64(700) {
			put(h, m, n*n, n)
			if h.MapLen(m) != n+1 {
				t.Fatalf("MapLen = %d, want %d", h.MapLen(m), n+1)
			}
			for i := uint64(0); i <= n; i += 1 + n/16 {
				if v, ok := get(h, m, i*i); !ok || v != i {
					t.Fatalf("m[%d] = %d, %v after %d insertions", i*i, v, ok, n+1)
				}
			}
			if _, ok := get(h, m, n*n+n+1); ok {
				t.Fatalf("found a key that was never put in")
			}
		}
		for i, k := range keys(h, m) {
			if k != uint64(i*i) {
				t.Fatalf("key %d is %d", i, k)
			}
		}
	}
}

// TestMapCollidingHashes uses one hash for all keys.
func TestMapCollidingHashes(t *testing.T) {
	h := newHeap(t, 1)
	m := h.NewMap(h.AddShape(intMap), 0)
	const hash = 0xffffffff_00000000 // the last slot, so that probing wraps
	for k := range uint64(100) {
		key, elem := h.MapInsert(m, hash)
		h.Store64(key, k)
		h.Store64(elem, k+1000)
	}
	for k := range uint64(100) {
		key, elem := h.MapFind64(m, hash, k)
		wantLoad(t, h, key, k)
		wantLoad(t, h, elem, k+1000)
	}
	seen := map[uint64]bool{}
	for pr := h.MapProbe(m, hash); h.MapProbeNext(&pr); {
		k, _ := h.Load64(pr.Key)
		wantLoad(t, h, pr.Elem, k+1000)
		seen[k] = true
	}
	if len(seen) != 100 {
		t.Errorf("%d candidates, want 100", len(seen))
	}
	if _, elem := h.MapFind64(m, hash, 100); elem != 0 {
		t.Error("found what is not there")
	}
}

func TestMapStringKeys(t *testing.T) {
	h := newHeap(t, 1)
	m := h.NewMap(h.AddShape(stringMap), 0)
	for i := range 50 {
		text := fmt.Sprint("key", i)
		s := h.Alloc(0, uint64(len(text)))
		b, _ := h.WriteBytes(s, uint32(len(text)))
		copy(b, text)
		key, elem := h.MapInsert(m, HashBytes([]byte(text)))
		h.StorePtr(key, s)
		h.Store64(key+8, uint64(len(text)))
		h.Store64(elem, uint64(i))
	}
	for i := range 50 {
		text := []byte(fmt.Sprint("key", i))
		_, elem := h.MapFindString(m, HashBytes(text), text)
		wantLoad(t, h, elem, uint64(i))
	}
	if _, elem := h.MapFindString(m, HashBytes([]byte("key")), []byte("key")); elem != 0 {
		t.Error("found what is not there")
	}
}

func TestMapNarrowKeys(t *testing.T) {
	h := newHeap(t, 1)
	m := h.NewMap(h.AddShape(Shape{Kind: Map, KeySize: 4, ElemSize: 4}), 0)
	for k := range uint32(100) {
		key, elem := h.MapInsert(m, HashWord(uint64(k)))
		if elem != key+4 {
			t.Fatalf("key at %v, element at %v", key, elem)
		}
		h.Store32(key, k)
		h.Store32(elem, k+1)
	}
	for k := range uint32(100) {
		key, elem := h.MapFind32(m, HashWord(uint64(k)), k)
		if v, _ := h.Load32(elem); key == 0 || v != k+1 {
			t.Errorf("m[%d] = %d", k, v)
		}
	}
	// The set of empty elements: an element is nowhere, but its address is.
	set := h.NewMap(h.AddShape(Shape{Kind: Map, KeySize: 0, ElemSize: 0}), 0)
	for range 8 {
		if key, elem := h.MapInsert(set, 0); h.Read(key, 0) == nil || h.Read(elem, 0) == nil {
			t.Error("empty key and element have no address")
		}
	}
}

func TestMapNilAndBad(t *testing.T) {
	h := newHeap(t, 1)
	p := h.Alloc(0, 100)
	m := h.NewMap(h.AddShape(intMap), 0)
	for _, bad := range []Ptr{0, p, m + 8, 1 << 63, ^Ptr(0)} {
		if h.MapLen(bad) != 0 || h.MapDelete(bad, p) || keys(h, bad) != nil {
			t.Errorf("%v passes for a map", bad)
		}
		if key, _ := h.MapInsert(bad, 0); key != 0 {
			t.Errorf("inserted into %v", bad)
		}
		if _, ok := get(h, bad, 1); ok {
			t.Errorf("found something in %v", bad)
		}
		h.MapClear(bad)
	}
	if h.Write(m, 8) != nil {
		t.Error("the program can write a map's header")
	}
	c := h.NewChan(h.AddShape(Shape{Kind: Chan, ElemSize: 8}), 1)
	h.Mark()
	h.MapInsert(m, 0)
	h.ChanClose(c)
	if h.Write(m, 8) != nil || h.Write(c, 8) != nil {
		t.Error("the program can write the header of a map or channel that was just changed")
	}
	for _, bad := range []Ptr{0, p, m, m + 50} {
		if h.MapDelete(m, bad) {
			t.Errorf("deleted %v", bad)
		}
	}
}

// TestMapChanges changes a map during an iteration in all ways that cause it to
// move: no entry may come twice, a deleted or new one never, an old one always.
func TestMapChanges(t *testing.T) {
	h := newHeap(t, 1)
	s := h.AddShape(intMap)
	m := h.NewMap(s, 0)
	for k := range uint64(30) {
		put(h, m, k, k)
	}
	it := h.NewMapIter(m)
	var seen []uint64
	for key, _, _ := h.MapIterNext(it); key != 0; key, _, _ = h.MapIterNext(it) {
		k, _ := h.Load64(key)
		seen = append(seen, k)
		switch {
		case k < 10:
			remove(h, m, k)      // behind
			remove(h, m, 29-k)   // ahead
			put(h, m, 100+k, k)  // new
			put(h, m, 29-k, 100) // moves to the end
		case k == 15:
			for i := range uint64(50) { // compact and grow
				put(h, m, 1000+i, i)
				remove(h, m, 1000+i)
			}
		}
	}
	var want []uint64
	for k := range uint64(20) {
		want = append(want, k)
	}
	if !slices.Equal(seen, want) {
		t.Errorf("got  %v\nwant %v", seen, want)
	}
	if key, _, _ := h.MapIterNext(it); key != 0 {
		t.Error("iterator goes beyond the end")
	}
	put(h, m, 7777, 0)
	if key, _, _ := h.MapIterNext(it); key != 0 {
		t.Error("iterator visits what came later")
	}
	h.MapClear(m)
	if h.MapLen(m) != 0 || keys(h, m) != nil {
		t.Error("map is not empty")
	}
	put(h, m, 5, 6)
	if v, ok := get(h, m, 5); !ok || v != 6 || h.MapLen(m) != 1 {
		t.Errorf("m[5] = %d, %v", v, ok)
	}
}

// TestMapQueue uses a map as a queue: it must not grow, and finding the first
// entry must not walk over the deleted ones.
func TestMapQueue(t *testing.T) {
	h := newHeap(t, 1)
	m := h.NewMap(h.AddShape(intMap), 0)
	for k := range uint64(100_000) {
		put(h, m, k, k)
		if k >= 5 {
			_, key, _ := h.MapNext(m, 0)
			wantLoad(t, h, key, k-5)
			h.MapDelete(m, key)
		}
		if hd := h.mapOf(m); hd.cap > 20 {
			t.Fatalf("map of 5 entries has room for %d", hd.cap)
		}
		h.Collect(func(visit func(Ptr)) { visit(m) }, nil)
	}
}

func TestMapOutOfMemory(t *testing.T) {
	h := newHeap(t, 1)
	m := h.NewMap(h.AddShape(intMap), 0)
	h.SetLimit(1 << 16)
	n := uint64(0)
	for ; ; n++ {
		key, _ := h.MapInsert(m, HashWord(n))
		if key == 0 {
			break
		}
		h.Store64(key, n)
	}
	if h.MapLen(m) != n || n < 100 {
		t.Errorf("map has %d entries after %d insertions", h.MapLen(m), n)
	}
	for k := range n {
		if _, ok := get(h, m, k); !ok {
			t.Fatalf("lost %d of %d", k, n)
		}
	}
	if m := h.NewMap(h.AddShape(intMap), 1<<40); m == 0 {
		t.Error("an absurd hint was not ignored")
	}
}
