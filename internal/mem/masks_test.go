package mem

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/bitset"
)

// TestMasks: an owner of a map reaches its elements in any case, and its keys, with
// all that they lead to, if he is one who looks at keys.
func TestMasks(t *testing.T) {
	h := newHeap(t, 1)
	m := h.NewMap(h.AddShape(Shape{Kind: Map, KeySize: 8, KeyPtrs: []uint64{1}, ElemSize: 8, ElemPtrs: []uint64{1}}), 0)
	box := h.AddShape(Shape{Kind: Plain, Size: 8, Ptrs: []uint64{1}})
	first, behind, second, elem := h.Alloc(box, 8), h.Alloc(0, 8), h.Alloc(box, 8), h.Alloc(0, 8)
	h.StorePtr(first, behind)
	for i, key := range []Ptr{first, second} {
		k, e := h.MapInsert(m, uint64(i))
		h.StorePtr(k, key)
		h.StorePtr(e, elem)
	}
	keys := h.Keys(m)
	if keys == 0 || h.Keys(elem) != 0 {
		t.Fatalf("got layout %x of keys, and %x of what is no map", keys, h.Keys(elem))
	}
	var k Masks
	for _, test := range []struct {
		walkers                           uint64
		first, behind, second, elem, mapp uint64
	}{
		{^uint64(0), 7, 7, 3, 3, 3},
		{0, 4, 4, 0, 3, 3},
		{2, 6, 6, 2, 3, 3},
	} {
		k.Walkers = func(layout uint64) bitset.Set {
			if layout != keys {
				t.Errorf("got layout %x, want %x", layout, keys)
			}
			return bitset.Set{test.walkers}
		}
		k.Begin(h, 3, func(ObjID) bool { return false })
		for owner, root := range []Ptr{m, m, first} {
			k.Own(owner)
			k.Root(root)
		}
		for _, o := range []struct {
			name string
			p    Ptr
			want uint64
		}{{"first", first, test.first}, {"behind", behind, test.behind}, {"second", second, test.second}, {"elem", elem, test.elem}, {"map", m, test.mapp}} {
			got := uint64(0)
			if set := k.Of(o.p.Obj()); set != nil {
				got = set[0]
			}
			if got != o.want {
				t.Errorf("walkers %b: %s: got owners %b, want %b", test.walkers, o.name, got, o.want)
			}
		}
	}
}
