package mem

import (
	"math"
	"testing"
)

func TestUndo(t *testing.T) {
	h := newHeap(t, 1)
	p := h.Alloc(0, 16)
	h.Store64(p, 1)
	next, used := h.data.next, h.InUse()
	m1 := h.Mark()
	h.Store64(p, 2)
	h.Store64(p+8, 20)
	q := h.Alloc(0, 8)
	m2 := h.Mark()
	h.Store64(p, 3)
	h.Store64(q, 30)
	h.Free(q.Obj())
	r := h.Alloc(0, 8)
	if r != q {
		t.Errorf("got number %v, want %v", r, q)
	}
	h.Store64(r, 99)
	h.Restore(m2)
	wantLoad(t, h, p, 2)
	wantLoad(t, h, p+8, 20)
	wantLoad(t, h, q, 0)
	h.Store64(p, 4)
	h.Restore(m2) // m2 is still open
	wantLoad(t, h, p, 2)
	h.Store64(p, 5)
	h.Restore(m1)
	wantLoad(t, h, p, 1)
	wantLoad(t, h, p+8, 0)
	if h.Exists(q) || h.data.next != next || h.InUse() != used {
		t.Error("an allocation was not undone")
	}
	if s := h.Alloc(0, 8); s != q {
		t.Errorf("the allocation again gives %v, want %v", s, q)
	}
}

func TestUndoSavesOncePerWindow(t *testing.T) {
	h := newHeap(t, 1)
	p := h.Alloc(0, 64)
	h.Mark()
	for i := range uint64(10) {
		h.Store64(p, i)
	}
	if len(h.log) != 1 || len(h.old) != 64 {
		t.Errorf("log has %d records and %d bytes, want 1 and 64", len(h.log), len(h.old))
	}
	h.Mark()
	h.Store64(p, 1)
	q := h.Alloc(0, 64)
	h.Store64(q, 1)
	if len(h.log) != 3 || len(h.old) != 128 {
		t.Errorf("log has %d records and %d bytes, want 3 and 128", len(h.log), len(h.old))
	}
}

// TestUndoChunks writes a few bytes of a large object: only their chunks may
// be saved.
func TestUndoChunks(t *testing.T) {
	h := newHeap(t, 1)
	const size = 1 << 20
	p := h.Alloc(0, size)
	h.Store64(p+508, 1)
	m := h.Mark()
	for range 3 {
		h.Store64(p+508, 2) // two chunks
		h.Store8(p+size-1, 3)
	}
	if len(h.log) != 3 || len(h.old) != 3*chunkSize {
		t.Errorf("log has %d records and %d bytes, want 3 and %d", len(h.log), len(h.old), 3*chunkSize)
	}
	if h.Write(p+size, 0) == nil || h.Write(p+size+1, 0) != nil {
		t.Error("an empty write is not bounded by the end")
	}
	h.Restore(m)
	wantLoad(t, h, p+508, 1)
	wantLoad(t, h, p+size-8, 0)
	if !h.Zero(p, size) || len(h.old) != size {
		t.Errorf("saved %d bytes, want %d", len(h.old), size)
	}
	h.Restore(m)
	wantLoad(t, h, p+508, 1)
}

func TestReleaseAndForget(t *testing.T) {
	h := newHeap(t, 1)
	p := h.Alloc(0, 8)
	m1 := h.Mark()
	h.Store64(p, 1)
	m2 := h.Mark()
	h.Store64(p, 2)
	m3 := h.Mark()
	h.Store64(p, 3)
	h.Release(m3)
	h.Store64(p, 4)
	h.Restore(m2)
	wantLoad(t, h, p, 1)
	h.Store64(p, 5)
	m3 = h.Mark()
	h.Store64(p, 6)
	h.Forget(m2)
	h.Restore(m3)
	wantLoad(t, h, p, 5)
	h.Restore(m2)
	wantLoad(t, h, p, 1)
	mustPanic(t, func() { h.Restore(m1) })
	mustPanic(t, func() { h.Restore(m3) })
	h.Store64(p, 7)
	h.Release(m2)
	wantLoad(t, h, p, 7)
	if h.Depth() != 0 || len(h.log) != 0 {
		t.Errorf("%d marks and %d records are left", h.Depth(), len(h.log))
	}
}

func mustPanic(t *testing.T, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	f()
}

func TestNoLogWithoutMark(t *testing.T) {
	h := newHeap(t, 1)
	p := h.Alloc(0, 8)
	h.Store64(p, 1)
	h.Seal(nil)
	h.Store64(p, 2)
	h.Free(h.Alloc(0, 8).Obj())
	if len(h.log)+len(h.old) != 0 {
		t.Errorf("log has %d records, %d bytes", len(h.log), len(h.old))
	}
}

// TestWindowNumbersWrap goes through the end of the window numbers.
func TestWindowNumbersWrap(t *testing.T) {
	h := newHeap(t, 1)
	p, big := h.Alloc(0, 8), h.Alloc(0, 8192)
	h.Mark()
	h.epoch = math.MaxUint32 - 2
	for i := range uint64(6) {
		m := h.Mark()
		q := h.Alloc(0, 8)
		h.Store64(p, i+1)
		h.Store64(big, i+1)
		h.Restore(m)
		wantLoad(t, h, p, i)
		wantLoad(t, h, big, i)
		if h.Exists(q) {
			t.Error("allocation not undone")
		}
		h.Store64(p, i+1)
		h.Store64(big, i+1)
	}
	if h.epoch > 20 {
		t.Errorf("window %d", h.epoch)
	}
}

func TestSnapshot(t *testing.T) {
	h := newHeap(t, 2)
	h.AllocAt(1, 0, 8)
	p := h.Alloc(0, 8)
	h.Store64(p, 1)
	s := h.Snapshot()
	used := h.InUse()
	h.Mark()
	h.Store64(p, 2)
	q := h.Alloc(0, 100)
	st := h.AllocStatic(0, 8, []byte("x"))
	h.Free(p.Obj())
	if s.Equal(h.Snapshot()) {
		t.Error("snapshots are equal")
	}
	for range 2 {
		if !h.RestoreSnapshot(s) {
			t.Fatal("no memory")
		}
		if !s.Equal(h.Snapshot()) || h.Exists(q) || !h.Exists(st) || h.Depth() != 0 {
			t.Error("snapshot was not restored")
		}
		if got := h.InUse() - 16; got != used {
			t.Errorf("%d bytes in use, want %d", got, used)
		}
		wantLoad(t, h, p, 1)
		if r := h.Alloc(0, 100); r != q {
			t.Errorf("got %v, want %v", r, q)
		}
		h.Store64(p, 5)
	}
}
