package mem

import "testing"

// TestYoung counts the objects beyond the base image. A search takes no look at who
// can reach what if there are none.
func TestYoung(t *testing.T) {
	h := newHeap(t, 3) // global variables do not count
	old, stays := h.Alloc(0, 8), h.Alloc(0, 8)
	h.Seal(func(id ObjID) bool { return id == stays.Obj() })
	want := func(n int) {
		t.Helper()
		if got := h.Young(); got != n {
			t.Errorf("got %d young objects, want %d", got, n)
		}
	}
	want(1)
	m := h.Mark()
	young := h.Alloc(0, 8)
	want(2)
	h.Free(old.Obj())
	want(2)
	h.Free(young.Obj())
	h.Free(stays.Obj())
	want(0)
	h.Restore(m)
	want(1)
}
