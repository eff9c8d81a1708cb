package mem

import (
	"math/rand/v2"
	"slices"
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
		k.Spread()
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

// TestMasksGraph compares the owners of objects in random graphs with what a walk
// from the roots of each owner finds.
func TestMasksGraph(t *testing.T) {
	const objects, owners = 40, 70 // a set has two words
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		h := newHeap(t, 1)
		node := h.AddShape(Shape{Kind: Plain, Size: 24, Ptrs: []uint64{7}})
		var list []Ptr
		leads := map[Ptr][]Ptr{}
		for range objects {
			list = append(list, h.Alloc(node, 24))
		}
		for _, p := range list {
			for i := range Ptr(rng.IntN(4)) {
				to := list[rng.IntN(objects)]
				h.StorePtr(p+8*i, to)
				leads[p] = append(leads[p], to)
			}
		}
		var k Masks
		k.Begin(h, owners, func(ObjID) bool { return false })
		want := map[Ptr]bitset.Set{}
		for owner := range owners {
			k.Own(owner)
			root := list[rng.IntN(objects)]
			k.Root(root)
			for todo := []Ptr{root}; len(todo) > 0; {
				p := todo[len(todo)-1]
				todo = todo[:len(todo)-1]
				if want[p] == nil {
					want[p] = bitset.Make(owners)
				}
				if !want[p].Has(owner) {
					want[p].Add(owner)
					todo = append(todo, leads[p]...)
				}
			}
		}
		k.Spread()
		for _, p := range list {
			if got := k.Of(p.Obj()); !slices.Equal(got, want[p]) {
				t.Fatalf("object %d: got owners %v, want %v", p.Obj(), got, want[p])
			}
		}
	}
}
