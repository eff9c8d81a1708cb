package mem

import (
	"math"
	"testing"
	"unsafe"
)

// newHeap makes a heap that is closed at the end of the test.
func newHeap(t testing.TB, boot ObjID) *Heap {
	t.Helper()
	h, err := New(boot)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

func wantLoad(t *testing.T, h *Heap, p Ptr, want uint64) {
	t.Helper()
	if got, ok := h.Load64(p); !ok || got != want {
		t.Errorf("Load64(%v) = %d, %v, want %d", p, got, ok, want)
	}
}

func TestPtr(t *testing.T) {
	p := MakePtr(17, 8)
	if p != 17<<32|8 || p.Obj() != 17 || p.Off() != 8 || p.String() != "17+0x8" || Ptr(0).String() != "nil" {
		t.Errorf("got %d %d %d %v", p, p.Obj(), p.Off(), p)
	}
}

func TestObjectEntrySize(t *testing.T) {
	if objectSize != 32 {
		t.Errorf("table entry has %d bytes, want 32", objectSize)
	}
}

// TestNumbers pins the numbering: after the boot limit in order, freed numbers
// last in, first out.
func TestNumbers(t *testing.T) {
	h := newHeap(t, 5)
	for want := ObjID(5); want < 9; want++ {
		if got := h.Alloc(0, 8).Obj(); got != want {
			t.Errorf("got number %d, want %d", got, want)
		}
	}
	h.Free(6)
	h.Free(8)
	h.Free(5)
	for _, want := range []ObjID{5, 8, 6, 9} {
		if got := h.Alloc(0, 100).Obj(); got != want {
			t.Errorf("got number %d, want %d", got, want)
		}
	}
	if p := h.AllocAt(3, 0, 8); p != MakePtr(3, 0) {
		t.Errorf("AllocAt(3) = %v", p)
	}
	if h.Free(3) {
		t.Error("a boot object was freed")
	}
}

func TestAccessFaults(t *testing.T) {
	h := newHeap(t, 1)
	p := h.Alloc(0, 10)
	ro := h.Alloc(0, 10)
	h.SetReadOnly(ro.Obj())
	empty := h.Alloc(0, 0)
	gone := h.Alloc(0, 10)
	h.Free(gone.Obj())
	for _, tt := range []struct {
		p           Ptr
		n           uint32
		read, write bool
	}{
		{p, 10, true, true},
		{p, 11, false, false},
		{p + 2, 8, true, true},
		{p + 3, 8, false, false},
		{p + 10, 0, true, true},
		{p + 11, 0, false, false},
		{p + math.MaxUint32, 2, false, false},
		{p + 8, math.MaxUint32, false, false},
		{ro, 10, true, false},
		{empty, 0, true, true},
		{empty, 1, false, false},
		{gone, 0, false, false},
		{gone, 1, false, false},
		{0, 0, false, false},
		{0, 1, false, false},
		{8, 8, false, false},
		{math.MaxUint64, 1, false, false},
		{math.MaxUint64, 0, false, false},
		{1 << 63, 1, false, false},
		{1 << 62, 1, false, false},
		{MakePtr(0xdead_beef, 3), 1, false, false},
	} {
		if got := h.Read(tt.p, tt.n) != nil; got != tt.read {
			t.Errorf("Read(%v, %d) = %v, want %v", tt.p, tt.n, got, tt.read)
		}
		if got := h.Write(tt.p, tt.n) != nil; got != tt.write {
			t.Errorf("Write(%v, %d) = %v, want %v", tt.p, tt.n, got, tt.write)
		}
		if got := h.FastRead(tt.p, tt.n) != nil; got && !tt.read {
			t.Errorf("FastRead(%v, %d) = %v", tt.p, tt.n, got)
		}
		if got := h.FastWrite(tt.p, tt.n) != nil; got && !tt.write {
			t.Errorf("FastWrite(%v, %d) = %v", tt.p, tt.n, got)
		}
	}
}

func TestExists(t *testing.T) {
	h := newHeap(t, 1)
	p := h.Alloc(0, 10)
	for q, want := range map[Ptr]bool{p: true, p + 10: true, p + 11: false, 0: false, p + 1<<32: false} {
		if got := h.Exists(q); got != want {
			t.Errorf("Exists(%v) = %v, want %v", q, got, want)
		}
	}
}

func TestCopyAndCompare(t *testing.T) {
	h := newHeap(t, 1)
	p, q := h.Alloc(0, 16), h.Alloc(0, 16)
	b, _ := h.WriteBytes(p, 16)
	copy(b, "0123456789abcdef")
	if !h.Copy(q, p, 16) || !h.Copy(p+2, p, 8) { // the second overlaps
		t.Fatal("Copy failed")
	}
	if got := string(b); got != "010123456701cdef"[:10]+"abcdef" {
		t.Errorf("after overlapping copy: %q", got)
	}
	if eq, ok := h.Equal(p, q, 2); !eq || !ok {
		t.Error("first two bytes differ")
	}
	if eq, ok := h.Equal(p, q, 3); eq || !ok {
		t.Error("first three bytes are equal")
	}
	if o, ok := h.Compare(p, 3, q, 16); o != -1 || !ok {
		t.Errorf("Compare = %d, %v", o, ok)
	}
	if h.Copy(q, p, 17) || h.Copy(0, p, 1) || !h.Copy(0, 0, 0) {
		t.Error("Copy does not check its ranges")
	}
	if !h.Zero(p, 16) || h.Zero(p, 17) {
		t.Error("Zero does not check its range")
	}
	wantLoad(t, h, p, 0)
	wantLoad(t, h, p+8, 0)
}

// TestLimit checks that running out of memory is an answer, not a crash.
func TestLimit(t *testing.T) {
	h := newHeap(t, 1)
	h.SetLimit(1 << 20)
	n := 0
	for h.Alloc(0, 1024) != 0 {
		n++
	}
	if n != 1024 {
		t.Errorf("allocated %d KiB of 1024", n)
	}
	if h.Alloc(0, 0) == 0 {
		t.Error("no room for an empty object")
	}
	h.Free(1)
	if h.Alloc(0, 1024) == 0 {
		t.Error("freed memory cannot be allocated")
	}
	h.SetLimit(math.MaxUint64)
	for _, size := range []uint64{MaxSize + 1, 1 << 32, math.MaxUint64} {
		if h.Alloc(0, size) != 0 {
			t.Errorf("allocated %d bytes", size)
		}
	}
	p := h.Alloc(0, MaxSize)
	if !h.Store64(p+MaxSize-8, 1) || h.Store64(p+MaxSize-7, 1) {
		t.Error("largest object has wrong bounds")
	}
}

func TestClasses(t *testing.T) {
	last, lastBlock := 0, uint64(0)
	for n := uint64(1); n < 1<<20; n += 1 + n/97 {
		c, block := classOf(n)
		if block < n || block%blockAlign != 0 || n > 1024 && block > n+n/4+16 {
			t.Fatalf("classOf(%d) = %d, %d", n, c, block)
		}
		if c < last || (c == last) != (block == lastBlock) {
			t.Fatalf("classOf(%d) = %d, %d after %d, %d", n, c, block, last, lastBlock)
		}
		last, lastBlock = c, block
	}
	if c, _ := classOf(footprint(MaxSize)); c >= numClasses {
		t.Errorf("class %d of %d", c, numClasses)
	}
}

// TestAllocZeroes allocates memory that held something else.
func TestAllocZeroes(t *testing.T) {
	h := newHeap(t, 1)
	fill := func(p Ptr, n uint32) {
		b, _ := h.WriteBytes(p, n)
		for i := range b {
			if b[i] != 0 {
				t.Fatalf("byte %d of a new object of %d bytes is %d", i, n, b[i])
			}
			b[i] = 0xff
		}
	}
	for _, n := range []uint32{1, 16, 500, 4096, 4097, 100_000} {
		m := h.Mark()
		fill(h.Alloc(0, uint64(n)), n)
		h.Restore(m)
		p := h.Alloc(0, uint64(n))
		fill(p, n)
		h.Free(p.Obj())
		fill(h.Alloc(0, uint64(n)), n)
		h.Release(m)
	}
}

func TestTracked(t *testing.T) {
	h := newHeap(t, 1)
	p := h.Alloc(0, 16)
	type access struct {
		p     Ptr
		n     uint32
		write bool
	}
	var got []access
	h.Access = func(p Ptr, n uint32, write bool) { got = append(got, access{p, n, write}) }
	h.Store64(p, 1)
	h.SetTracked(p.Obj(), true)
	h.Store64(p, 2)
	wantLoad(t, h, p, 2)
	h.Load64(p + 9) // a fault is no access
	m := h.Mark()
	h.SetTracked(p.Obj(), false)
	h.Store64(p, 3)
	h.Restore(m)
	h.Store32(p+8, 4)
	want := []access{{p, 8, true}, {p, 8, false}, {p + 8, 4, true}}
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("access %d: got %v, want %v", i, got[i], want[i])
		}
	}
}

func TestStatic(t *testing.T) {
	h := newHeap(t, 1)
	m := h.Mark()
	young := h.Alloc(0, 8)
	p := h.AllocStatic(0, 8, []byte("itab 1"))
	if p.Obj() < firstStatic || !h.IsStatic(p.Obj()) || !h.Store64(p, 7) {
		t.Fatalf("static object is %v", p)
	}
	if q := h.AllocStatic(0, 8, []byte("itab 1")); q != p {
		t.Errorf("one identity, two objects: %v, %v", p, q)
	}
	h.Restore(m)
	h.Mark()
	wantLoad(t, h, p, 7)
	if h.Exists(young) || h.FindStatic([]byte("itab 1")) != p || h.FindStatic([]byte("itab 2")) != 0 {
		t.Error("undo touched the static object, or spared the other")
	}
	h.Collect(nil, nil)
	wantLoad(t, h, p, 7)
}

// TestEntry checks the view of the table that interpreters use.
func TestEntry(t *testing.T) {
	h := newHeap(t, 1)
	p := h.Alloc(0, 16)
	h.Store64(p+8, 42)
	table, base := h.Table()
	e := (*Entry)(unsafe.Add(table, uint64(p.Obj())<<EntryShift))
	if e.RLim != 17 || e.WLim != 17 || *(*uint64)(unsafe.Add(base, e.Addr+8)) != 42 {
		t.Errorf("entry is %+v", *e)
	}
}
