package mem

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// A Cell is a word of an object: eight bytes from an offset that is divisible by
// eight, or fewer at the end of the object.
type Cell struct {
	Obj ObjID
	Off uint32
}

// WholeCell is the offset of a cell that tells what an object is: size and shape.
const WholeCell = 1<<32 - 1

// Load returns what is in a cell, 0 if there is none, without telling anybody.
func (h *Heap) Load(c Cell) uint64 {
	o := &h.objs[c.Obj]
	if c.Off < o.size {
		return loadCell(h.at(o.addr+uint64(c.Off)), o.size-c.Off)
	}
	if c.Off == WholeCell && o.flags&exists != 0 {
		return uint64(o.size)<<32 | uint64(o.shape)<<1 | 1
	}
	return 0
}

// Store changes what is in a cell of an object of kind Plain, without telling anybody.
func (h *Heap) Store(c Cell, v uint64) {
	n := min(h.objs[c.Obj].size-c.Off, 8)
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	copy(unsafe.Slice((*byte)(h.edit(MakePtr(c.Obj, c.Off), n)), n), b[:n])
}

// loadCell reads a word of which n bytes are there.
func loadCell(at unsafe.Pointer, n uint32) uint64 {
	if n >= 8 {
		return *(*uint64)(at)
	}
	var b [8]byte
	copy(b[:], unsafe.Slice((*byte)(at), n))
	return binary.LittleEndian.Uint64(b[:])
}

// A Sum is a hash of a set that does not depend on an order: the sum of a hash of
// each member.
type Sum struct{ Hi, Lo uint64 }

// Add adds a sum to another.
func (s Sum) Add(t Sum) Sum { return Sum{s.Hi + t.Hi, s.Lo + t.Lo} }

// Sub takes a sum away from another.
func (s Sum) Sub(t Sum) Sum { return Sum{s.Hi - t.Hi, s.Lo - t.Lo} }

// sumOf hashes what is in a cell.
func sumOf(c Cell, v uint64) Sum {
	place := HashWord(uint64(c.Obj)<<32 | uint64(c.Off))
	return Sum{
		HashWord(HashWord(v ^ place)),
		HashWord(HashWord(bits.RotateLeft64(v, 32)+place) ^ 0x8ebc6af09c88c6e3),
	}
}

// ChangeSum returns by how much the sum of a key with [Canon.Sums] changes if a
// cell of a base object does. The object must have been changed at some time. It
// reports false if the cell then tells, or told, more than a word.
func (h *Heap) ChangeSum(c Cell, old, now uint64) (Sum, bool) {
	o := &h.objs[c.Obj]
	if o.flags&inBase == 0 {
		return Sum{}, false
	}
	if s := &h.shapes[o.shape]; !s.noscan() && !(s.wordy() && h.lasting(Ptr(old)) && h.lasting(Ptr(now))) {
		return Sum{}, false
	}
	then := loadCell(unsafe.Pointer(&h.baseData[h.baseOff[c.Obj]+uint64(c.Off)]), o.size-c.Off)
	var d Sum
	if now != then {
		d = sumOf(c, now)
	}
	if old != then {
		d = d.Sub(sumOf(c, old))
	}
	return d, true
}

// lasting reports whether p leads to a base object, which has the same name in
// every key, or to none.
func (h *Heap) lasting(p Ptr) bool {
	return p.Obj() == 0 || h.objs[p.Obj()].flags&inBase != 0
}

// wordy reports whether all pointers in objects of a shape fill cells.
func (s *shape) wordy() bool { return (s.size|s.head)%8 == 0 }

// Allocations returns how many objects were ever made, static ones not counted.
func (h *Heap) Allocations() uint64 { return h.made }

// sumDeltas appends the sum of the changed cells of base objects, and behind it
// what is more than words.
func (c *Canon) sumDeltas() {
	h := c.h
	c.sumAt = len(c.buf)
	c.Word(0)
	c.Word(0)
	var sum Sum
	for _, id := range h.dirtied {
		o := &h.objs[id]
		switch {
		case o.shape == 0 && o.size == 8: // a lock or a number
			now := *(*uint64)(h.at(o.addr))
			if now != *(*uint64)(unsafe.Pointer(&h.baseData[h.baseOff[id]])) {
				sum = sum.Add(sumOf(Cell{Obj: id}, now))
			}
		case o.kind() == Plain:
			sum = sum.Add(c.sumPlain(id, o))
		case h.changed(id, o):
			c.Word(uint64(id))
			c.object(id, o)
		}
	}
	binary.LittleEndian.PutUint64(c.buf[c.sumAt:], sum.Hi)
	binary.LittleEndian.PutUint64(c.buf[c.sumAt+8:], sum.Lo)
}

// sumPlain returns the sum of the changed cells of a dirty base object, and
// appends those that hold pointers to objects whose names depend on the key.
func (c *Canon) sumPlain(id ObjID, o *object) (sum Sum) {
	h := c.h
	s := &h.shapes[o.shape]
	now, then := h.span(o.addr, uint64(o.size)), h.baseBytes(id, o)
	if string(now) == string(then) {
		return sum
	}
	if !s.noscan() && (!s.wordy() || c.Custom != nil) {
		at := len(c.buf)
		c.Word(uint64(id))
		if c.Custom != nil && len(s.ptrs) > 0 && c.Custom(c, MakePtr(id, 0), o.shape) {
			return sum
		}
		if !s.wordy() {
			c.raw(o, s, 0, uint64(o.size))
			return sum
		}
		c.buf = c.buf[:at]
	}
	for from := 0; from < len(now); from += deltaChunk {
		end := min(from+deltaChunk, len(now))
		if string(now[from:end]) == string(then[from:end]) {
			continue
		}
		for off := from; off < end; off += 8 {
			n := uint32(len(now) - off)
			v := loadCell(unsafe.Pointer(&now[off]), n)
			if v != loadCell(unsafe.Pointer(&then[off]), n) {
				sum = sum.Add(sumOf(Cell{id, uint32(off)}, v))
			}
		}
	}
	if !s.noscan() {
		sum = sum.Sub(c.youngCells(id, o, s, then))
	}
	return sum
}

// youngCells appends the changed cells of a dirty base object with pointers to
// objects whose names depend on the key, and returns their sum.
func (c *Canon) youngCells(id ObjID, o *object, s *shape, then []byte) (sum Sum) {
	h, any := c.h, false
	cell := func(off uint64) {
		if off+8 > uint64(o.size) {
			return
		}
		p := *(*Ptr)(h.at(o.addr + off))
		if h.lasting(p) || p == *(*Ptr)(unsafe.Pointer(&then[off])) {
			return
		}
		if !any {
			any = true
			c.Word(uint64(id))
		}
		sum = sum.Add(sumOf(Cell{id, uint32(off)}, uint64(p)))
		c.Word(off + 1)
		c.Ptr(p)
	}
	for _, off := range s.headPtrs {
		cell(uint64(off))
	}
	if len(s.ptrs) > 0 {
		for e := uint64(s.head); e < uint64(o.size); e += uint64(s.size) {
			for _, off := range s.ptrs {
				cell(e + uint64(off))
			}
		}
	}
	if any {
		c.Word(0)
	}
	return sum
}

// SumAt returns where in the key that was just finished the sum is that
// [Heap.ChangeSum] is about.
func (c *Canon) SumAt() int { return c.sumAt }
