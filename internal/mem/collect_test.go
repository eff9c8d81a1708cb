package mem

import "testing"

func TestCollect(t *testing.T) {
	h := newHeap(t, 3)
	node := h.AddShape(Shape{Size: 16, Ptrs: []uint64{1}})
	global := h.AllocAt(1, node, 16)
	constant := h.AllocAt(2, node, 16)
	h.SetReadOnly(2)
	list := func(n int) (head Ptr) {
		for range n {
			p := h.Alloc(node, 16)
			h.StorePtr(p, head)
			head = p
		}
		return head
	}
	h.StorePtr(global, list(100_000)) // deep, so not by recursion
	root := list(1)
	interior, end := h.Alloc(0, 10), h.Alloc(0, 10)
	beyond := h.Alloc(0, 10)
	list(7)
	c := h.Collect(func(visit func(Ptr)) {
		for _, p := range []Ptr{root, interior + 3, end + 10, beyond + 11, constant, 0, 5, ^Ptr(0), MakePtr(1<<20, 0)} {
			visit(p)
		}
	}, nil)
	want := Collection{Objects: 100_003, Bytes: 100_005 * 16, FreedObjects: 8, FreedBytes: 8 * 16}
	if c != want {
		t.Errorf("got %+v, want %+v", c, want)
	}
	if !h.Exists(interior) || !h.Exists(end) || h.Exists(beyond) {
		t.Error("wrong objects were freed")
	}
}

func TestCollectSpecials(t *testing.T) {
	h := newHeap(t, 1)
	node := h.AddShape(Shape{Size: 16, Ptrs: []uint64{1}})
	a, b, c := h.Alloc(node, 16), h.Alloc(node, 16), h.Alloc(node, 16)
	h.StorePtr(b, c)
	h.Collect(func(visit func(Ptr)) { visit(a) }, func(live func(ObjID) bool, visit func(Ptr)) {
		if !live(a.Obj()) || live(b.Obj()) || live(c.Obj()) || live(1<<30) {
			t.Error("wrong idea of what is live")
		}
		visit(b)
		if !live(c.Obj()) {
			t.Error("what was visited does not keep what it points to")
		}
	})
	if !h.Exists(b) || !h.Exists(c) {
		t.Error("visited objects were freed")
	}
}

func TestShouldCollect(t *testing.T) {
	h := newHeap(t, 1)
	for range minCollect / 4096 {
		h.Alloc(0, 4096)
	}
	if h.ShouldCollect() {
		t.Error("too early")
	}
	m := h.Mark()
	h.Alloc(0, 1)
	if !h.ShouldCollect() {
		t.Error("too late")
	}
	h.Restore(m)
	if h.ShouldCollect() {
		t.Error("undo does not take the allocation back")
	}
	h.Release(m)
	h.Alloc(0, 1)
	if c := h.Collect(nil, nil); c.Bytes != 0 || h.ShouldCollect() {
		t.Errorf("%d bytes are left", c.Bytes)
	}
}

// TestCollectUndo frees between marks and goes back.
func TestCollectUndo(t *testing.T) {
	h := newHeap(t, 1)
	old := h.Alloc(0, 8)
	h.Store64(old, 1)
	m := h.Mark()
	young := h.Alloc(0, 8)
	h.Collect(nil, nil)
	if !h.Exists(old) || h.Exists(young) {
		t.Error("the old object must stay and the young one go")
	}
	h.Store64(old, 2)
	if p := h.Alloc(0, 8); p != young {
		t.Errorf("got %v, want %v", p, young)
	}
	h.Restore(m)
	wantLoad(t, h, old, 1)
	if p := h.Alloc(0, 8); p != young {
		t.Errorf("got %v, want %v", p, young)
	}
}

// TestLimitHeld: garbage that is kept for an open mark does not count, and when it has taken all there is that is told apart from the limit.
func TestLimitHeld(t *testing.T) {
	h := newHeap(t, 1)
	h.SetLimit(1 << 20)
	for range 8 {
		if !h.Fits(600 << 10) {
			h.Collect(nil, nil)
		}
		if h.Alloc(0, 600<<10) == 0 {
			t.Fatal("garbage of the states before counts")
		}
		h.Mark()
	}
	h.Collect(nil, nil)
	x := h.Alloc(0, 600<<10)
	if h.Collect(func(visit func(Ptr)) { visit(x) }, nil); h.Fits(600<<10) || h.Alloc(0, 600<<10) != 0 {
		t.Error("what is live does not count")
	}
	if h.Refused() {
		t.Error("the limit was there first")
	}
	h.Collect(nil, nil)
	h.data.end, h.data.committed = h.data.next, h.data.next
	if h.free = [numClasses]uint64{}; h.Alloc(0, 600<<10) != 0 || !h.Refused() {
		t.Error("there was room behind the end")
	}
}
