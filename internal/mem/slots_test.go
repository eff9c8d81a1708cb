package mem

import (
	"slices"
	"testing"
)

// TestSlots: bytes of one word are one slot, those of different words or objects are
// different ones, and a large object or a map is one in all.
func TestSlots(t *testing.T) {
	h := newHeap(t, 8)
	small, other := h.Alloc(0, 24), h.Alloc(0, 24)
	large := h.Alloc(0, 8*wordSlots+8)
	m := h.NewMap(h.AddShape(Shape{Kind: Map, KeySize: 8, ElemSize: 8}), 0)
	slots := func(p Ptr, n uint32) []Slot { return h.Slots(nil, p, n) }
	for _, test := range []struct {
		name string
		a, b []Slot
		same bool
	}{
		{"two bytes of a word", slots(small+1, 1), slots(small+6, 2), true},
		{"two words", slots(small, 8), slots(small+8, 8), false},
		{"bytes of two words", slots(small+4, 8), slices.Concat(slots(small, 1), slots(small+8, 1)), true},
		{"all words", slots(small, 24), slices.Concat(slots(small, 16), slots(small+16, 8)), true},
		{"two objects", slots(small, 8), slots(other, 8), false},
		{"two ends of a large object", slots(large, 1), slots(large+8*wordSlots, 8), true},
		{"a map", slots(m, 1), slots(m, 8), true},
	} {
		if got := slices.Equal(test.a, test.b); got != test.same {
			t.Errorf("%s: got %v and %v, want same %v", test.name, test.a, test.b, test.same)
		}
	}
	if got := slots(small, 0); len(got) != 0 {
		t.Errorf("no bytes: got %v, want none", got)
	}
}
