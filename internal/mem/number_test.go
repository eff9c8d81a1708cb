package mem

import "testing"

// TestNumbered: an object whose number the program knows is told with it, and nobody else gets the number when it is gone.
func TestNumbered(t *testing.T) {
	h := newHeap(t, 1)
	h.Seal(nil)
	x, y := h.Alloc(0, 16), h.Alloc(0, 16)
	key := func(p, q Ptr) string {
		var c Canon
		c.Begin(h)
		c.Ptr(p)
		c.Ptr(q)
		return string(c.Finish(nil))
	}
	if key(x, y) != key(y, x) {
		t.Fatal("objects that are alike have numbers of their own")
	}
	m := h.Mark()
	h.Number(x.Obj())
	if key(x, y) == key(y, x) {
		t.Error("a number is not told")
	}
	h.Collect(nil, nil) // nothing that was there before the mark
	h.Restore(m)
	if key(x, y) != key(y, x) {
		t.Error("a number is told after going back")
	}
	z := h.Alloc(0, 16)
	h.Number(z.Obj())
	if h.Collect(func(visit func(Ptr)) { visit(x) }, nil); h.Exists(z) {
		t.Fatal("it was not freed")
	}
	for range 4 {
		if p := h.Alloc(0, 16); p == z {
			t.Errorf("%s again", p)
		}
	}
	h.Restore(m)
	if p := h.Alloc(0, 16); p != z {
		t.Errorf("got %s, want %s, after going back", p, z)
	}
}
