package mem

import (
	"encoding/binary"
	"testing"

	"pgregory.net/rapid"
)

// TestChangeSum: what ChangeSum says of a write is what happens to the key.
func TestChangeSum(t *testing.T) {
	h := newHeap(t, 1)
	node := h.AddShape(Shape{Size: 16, Ptrs: []uint64{1}}) // a pointer and a number
	base := []Ptr{h.Alloc(0, 8), h.Alloc(0, 20), h.Alloc(0, 1000), h.Alloc(node, 64)}
	h.Seal(nil)
	mark := h.Mark()
	for _, p := range base { // each is changed at some time
		for off := range h.Size(p.Obj()) {
			h.Store8(p+Ptr(off), 1)
		}
	}
	h.Restore(mark)
	canon := Canon{Sums: true}
	key := func() []byte {
		canon.Begin(h)
		return canon.Finish(nil)
	}
	rapid.Check(t, func(t *rapid.T) {
		h.Restore(mark)
		young := h.Alloc(0, 8)
		for range rapid.IntRange(1, 8).Draw(t, "writes") {
			p := rapid.SampledFrom(base).Draw(t, "object")
			size := h.Size(p.Obj())
			c := Cell{p.Obj(), rapid.Uint32Max((size-1)/8).Draw(t, "cell") * 8}
			old, before := h.Load(c), key()
			at := p + Ptr(c.Off)
			if size-c.Off < 8 {
				h.Store32(at, rapid.Uint32Max(2).Draw(t, "value"))
			} else {
				h.Store64(at, rapid.SampledFrom([]uint64{0, 1, 2, 1 << 40, uint64(base[0]), uint64(young)}).Draw(t, "value"))
			}
			d, ok := h.ChangeSum(c, old, h.Load(c))
			if leads := h.Shape(c.Obj) == node && c.Off%16 == 0 && (old == uint64(young) || h.Load(c) == uint64(young)); ok && leads {
				t.Fatalf("cell %v leads to a young object, and tells just a word", c)
			}
			if !ok && (h.Shape(c.Obj) != node || old < 3 && h.Load(c) < 3) {
				t.Fatalf("cell %v, %x after %x: tells more than a word", c, h.Load(c), old)
			}
			if !ok {
				continue
			}
			b := before[canon.SumAt():]
			binary.LittleEndian.PutUint64(b, binary.LittleEndian.Uint64(b)+d.Hi)
			binary.LittleEndian.PutUint64(b[8:], binary.LittleEndian.Uint64(b[8:])+d.Lo)
			if got := key(); string(got) != string(before) {
				t.Fatalf("cell %v, %x after %x:\ngot  %x\nwant %x", c, h.Load(c), old, got, before)
			}
		}
	})
}
