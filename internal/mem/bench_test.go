package mem

import (
	"testing"
	"unsafe"
)

var sinkWord uint64

func BenchmarkRead(b *testing.B) {
	h := newHeap(b, 1)
	p := h.Alloc(0, 1<<12)
	for i := 0; b.Loop(); i++ {
		sinkWord += *(*uint64)(h.Read(p+Ptr(i&511*8), 8))
	}
}

func BenchmarkFastRead(b *testing.B) {
	h := newHeap(b, 1)
	p := h.Alloc(0, 1<<12)
	for i := 0; b.Loop(); i++ {
		if a := h.FastRead(p+Ptr(i&511*8), 8); a != nil {
			sinkWord += *(*uint64)(a)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	h := newHeap(b, 1)
	p := h.Alloc(0, 1<<12)
	for i := 0; b.Loop(); i++ {
		*(*uint64)(h.Write(p+Ptr(i&511*8), 8)) = uint64(i)
	}
}

// BenchmarkWriteLarge writes an object that is saved in chunks.
func BenchmarkWriteLarge(b *testing.B) {
	h := newHeap(b, 1)
	p := h.Alloc(0, 1<<13)
	h.Mark()
	for i := 0; b.Loop(); i++ {
		*(*uint64)(h.Write(p+Ptr(i&511*8), 8)) = uint64(i)
	}
}

// BenchmarkAllocFree allocates 48 bytes and frees them.
func BenchmarkAllocFree(b *testing.B) {
	h := newHeap(b, 1)
	b.ReportAllocs()
	for b.Loop() {
		h.Free(h.Alloc(0, 48).Obj())
	}
}

// BenchmarkAllocCollect allocates 48 bytes, with a collection now and then.
func BenchmarkAllocCollect(b *testing.B) {
	h := newHeap(b, 1)
	b.ReportAllocs()
	for b.Loop() {
		h.Alloc(0, 48)
		if h.ShouldCollect() {
			h.Collect(nil, nil)
		}
	}
}

// BenchmarkTransition is a step of a search: mark, write to ten objects, make
// two, undo.
func BenchmarkTransition(b *testing.B) {
	h := newHeap(b, 1)
	var ps [10]Ptr
	for i := range ps {
		ps[i] = h.Alloc(0, 64)
	}
	h.Seal(nil)
	h.Mark()
	b.ReportAllocs()
	for b.Loop() {
		m := h.Mark()
		for _, p := range ps {
			h.Store64(p, 1)
			h.Store64(p+8, 1)
		}
		h.Alloc(0, 32)
		h.Alloc(0, 64)
		h.Restore(m)
		h.Release(m)
	}
}

// BenchmarkCanon keys a state of 100 young objects with 200 pointers, and ten
// changed base objects.
func BenchmarkCanon(b *testing.B) {
	h := newHeap(b, 1)
	node := h.AddShape(Shape{Size: 32, Ptrs: []uint64{3}})
	var base [10]Ptr
	for i := range base {
		base[i] = h.Alloc(node, 64)
	}
	h.Seal(nil)
	h.Mark()
	var p, q Ptr
	for i := range 100 {
		r := h.Alloc(node, 32)
		h.StorePtr(r, p)
		h.StorePtr(r+8, q)
		h.StorePtr(base[i%10], r)
		p, q = r, p
	}
	var c Canon
	b.ReportAllocs()
	for b.Loop() {
		c.Begin(h)
		c.Ptr(p)
		f := c.FinishFingerprint()
		sinkWord += f.Lo
	}
	b.ReportMetric(float64(len(c.buf)), "bytes/key")
}

func benchMap(b *testing.B, n uint64, hint uint64, f func(h *Heap, m Ptr, i uint64)) {
	h := newHeap(b, 1)
	m := h.NewMap(h.AddShape(intMap), hint)
	for k := range n {
		put(h, m, k*7, k)
	}
	b.ReportAllocs()
	i := uint64(0)
	for b.Loop() {
		f(h, m, i)
		i++
	}
}

func BenchmarkMapFind8(b *testing.B)   { benchMap(b, 8, 0, findNext(8)) }
func BenchmarkMapFind1k(b *testing.B)  { benchMap(b, 1000, 0, findNext(1000)) }
func BenchmarkMapFind1M(b *testing.B)  { benchMap(b, 1e6, 0, findNext(1e6)) }
func BenchmarkMapMiss1k(b *testing.B)  { benchMap(b, 1000, 0, findNext(1<<40)) }
func BenchmarkMapQueue1k(b *testing.B) { benchMap(b, 1000, 0, queue) }

func findNext(n uint64) func(h *Heap, m Ptr, i uint64) {
	at := uint64(0)
	return func(h *Heap, m Ptr, i uint64) {
		if at += 7 * 7919; n < 1<<30 && at >= 7*n {
			at %= 7 * n
		} else if n >= 1<<30 {
			at |= 1 << 40
		}
		_, e := h.MapFind64(m, HashWord(at), at)
		sinkWord += uint64(e)
	}
}

// queue puts a new key in and takes the oldest out.
func queue(h *Heap, m Ptr, i uint64) {
	put(h, m, 7000+i*7, i)
	_, key, _ := h.MapNext(m, 0)
	h.MapDelete(m, key)
	if h.ShouldCollect() {
		h.Collect(func(visit func(Ptr)) { visit(m) }, nil)
	}
}

// BenchmarkMapGrow builds a map of a million entries from nothing; the time is
// for one entry.
func BenchmarkMapGrow(b *testing.B) {
	h := newHeap(b, 1)
	s := h.AddShape(intMap)
	m, n := Ptr(0), uint64(1e6)
	b.ReportAllocs()
	for b.Loop() {
		if n == 1e6 {
			m, n = h.NewMap(s, 0), 0
			h.Collect(func(visit func(Ptr)) { visit(m) }, nil)
		}
		key, elem := h.MapInsert(m, HashWord(n))
		*(*uint64)(h.Write(key, 8)) = n
		*(*uint64)(h.Write(elem, 8)) = n
		n++
	}
}

// BenchmarkMapString finds strings of 16 bytes in a map of 1000.
func BenchmarkMapString(b *testing.B) {
	h := newHeap(b, 1)
	m := h.NewMap(h.AddShape(stringMap), 0)
	var texts [1000]Ptr
	for i := range texts {
		p := h.Alloc(0, 16)
		h.Store64(p, uint64(i))
		texts[i] = p
		w, _ := h.Bytes(p, 16)
		key, _ := h.MapInsert(m, HashBytes(w))
		h.StorePtr(key, p)
		h.Store64(key+8, 16)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		w, _ := h.Bytes(texts[i%1000], 16)
		_, e := h.MapFindString(m, HashBytes(w), w)
		sinkWord += uint64(e)
	}
}

func BenchmarkMapIterate(b *testing.B) {
	seq := uint64(0)
	benchMap(b, 1000, 0, func(h *Heap, m Ptr, i uint64) {
		seq, _, _ = h.MapNext(m, seq)
	})
}

func BenchmarkChan(b *testing.B) {
	h := newHeap(b, 1)
	c := h.NewChan(h.AddShape(Shape{Kind: Chan, ElemSize: 8}), 10)
	v := uint64(1)
	b.ReportAllocs()
	for b.Loop() {
		h.ChanPush(c, unsafe.Pointer(&v))
		h.ChanPop(c, unsafe.Pointer(&v))
	}
}
