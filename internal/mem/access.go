package mem

import (
	"bytes"
	"unsafe"
)

// Read returns the host address of n readable bytes at p, or nil if they do not
// lie inside one existing object. The address stays good as long as the object
// exists; only the n bytes may be read through it, and none written.
func (h *Heap) Read(p Ptr, n uint32) unsafe.Pointer {
	o := &h.objs[p>>32]
	if uint64(uint32(p))+uint64(n) < uint64(o.rlim) {
		return unsafe.Add(h.base, o.addr+uint64(uint32(p)))
	}
	return h.readSlow(p, n)
}

// Write returns the host address of n writable bytes at p, or nil if they do not
// lie inside one existing object or that is not writable by the program. It
// saves the old bytes for undo if need be. Only the n bytes may be written
// through the address, and only up to the next Mark, Restore or Seal.
func (h *Heap) Write(p Ptr, n uint32) unsafe.Pointer {
	o := &h.objs[p>>32]
	if uint64(uint32(p))+uint64(n) < uint64(o.wlim) {
		return unsafe.Add(h.base, o.addr+uint64(uint32(p)))
	}
	return h.writeSlow(p, n)
}

// FastRead is Read where that needs no second look: nil only means that Read
// must be asked. It is inlined, except in functions of more than 5000 nodes,
// into which the compiler inlines next to nothing; for those there is
// [Heap.Table].
func (h *Heap) FastRead(p Ptr, n uint32) unsafe.Pointer {
	o := &h.objs[p>>32]
	if uint64(uint32(p))+uint64(n) < uint64(o.rlim) {
		return unsafe.Add(h.base, o.addr+uint64(uint32(p)))
	}
	return nil
}

// FastWrite is to Write what FastRead is to Read.
func (h *Heap) FastWrite(p Ptr, n uint32) unsafe.Pointer {
	o := &h.objs[p>>32]
	if uint64(uint32(p))+uint64(n) < uint64(o.wlim) {
		return unsafe.Add(h.base, o.addr+uint64(uint32(p)))
	}
	return nil
}

//go:noinline
func (h *Heap) readSlow(p Ptr, n uint32) unsafe.Pointer {
	o := &h.objs[p>>32]
	if o.flags&exists == 0 || uint64(p.Off())+uint64(n) > uint64(o.size) {
		return nil
	}
	if o.flags&tracked != 0 && h.Access != nil {
		h.Access(p, n, false)
	}
	return h.at(o.addr + uint64(p.Off()))
}

//go:noinline
func (h *Heap) writeSlow(p Ptr, n uint32) unsafe.Pointer {
	o := &h.objs[p>>32]
	if o.flags&(exists|readOnly|opaque) != exists || uint64(p.Off())+uint64(n) > uint64(o.size) {
		return nil
	}
	if o.flags&tracked != 0 && h.Access != nil {
		h.Access(p, n, true)
	}
	if o.flags&saved == 0 {
		h.save(p.Obj(), o, p.Off(), n)
	}
	return h.at(o.addr + uint64(p.Off()))
}

// edit returns the address of n bytes of an object that only this package
// writes, with the old bytes saved. The object must exist and have the bytes.
func (h *Heap) edit(p Ptr, n uint32) unsafe.Pointer {
	o := &h.objs[p>>32]
	if o.flags&saved == 0 {
		h.save(p.Obj(), o, p.Off(), n)
	}
	return unsafe.Add(h.base, o.addr+uint64(uint32(p)))
}

// Bytes returns a view of n bytes at p to be read, or nil and false if they do
// not lie inside one existing object. The view shares the object's memory and
// stays good as long as the object exists. No bytes are always found.
func (h *Heap) Bytes(p Ptr, n uint32) ([]byte, bool) {
	if n == 0 {
		return nil, true
	}
	a := h.Read(p, n)
	if a == nil {
		return nil, false
	}
	return unsafe.Slice((*byte)(a), n), true
}

// WriteBytes is Bytes for a view to be written, good up to the next Mark,
// Restore or Seal.
func (h *Heap) WriteBytes(p Ptr, n uint32) ([]byte, bool) {
	if n == 0 {
		return nil, true
	}
	a := h.Write(p, n)
	if a == nil {
		return nil, false
	}
	return unsafe.Slice((*byte)(a), n), true
}

// Copy copies n bytes as memmove does. It reports false, and copies nothing, if
// the bytes are not readable at src or not writable at dst.
func (h *Heap) Copy(dst, src Ptr, n uint32) bool {
	if n == 0 {
		return true
	}
	s := h.Read(src, n)
	d := h.Write(dst, n)
	if s == nil || d == nil {
		return false
	}
	copy(unsafe.Slice((*byte)(d), n), unsafe.Slice((*byte)(s), n))
	return true
}

// Zero clears n bytes. It reports false if they are not writable.
func (h *Heap) Zero(p Ptr, n uint32) bool {
	b, ok := h.WriteBytes(p, n)
	clear(b)
	return ok
}

// Equal compares n bytes. It reports ok false if they are not readable.
func (h *Heap) Equal(p, q Ptr, n uint32) (equal, ok bool) {
	a, ok1 := h.Bytes(p, n)
	b, ok2 := h.Bytes(q, n)
	if !ok1 || !ok2 {
		return false, false
	}
	return p == q || bytes.Equal(a, b), true
}

// Compare compares n bytes at p with m bytes at q in lexical order, as
// bytes.Compare does. It reports ok false if they are not readable.
func (h *Heap) Compare(p Ptr, n uint32, q Ptr, m uint32) (order int, ok bool) {
	a, ok1 := h.Bytes(p, n)
	b, ok2 := h.Bytes(q, m)
	if !ok1 || !ok2 {
		return 0, false
	}
	return bytes.Compare(a, b), true
}

// Load8 reads a byte. Like the other loads it reports false on a fault.
func (h *Heap) Load8(p Ptr) (uint8, bool) { return load[uint8](h, p) }

// Load16 reads two bytes.
func (h *Heap) Load16(p Ptr) (uint16, bool) { return load[uint16](h, p) }

// Load32 reads four bytes.
func (h *Heap) Load32(p Ptr) (uint32, bool) { return load[uint32](h, p) }

// Load64 reads eight bytes.
func (h *Heap) Load64(p Ptr) (uint64, bool) { return load[uint64](h, p) }

// LoadPtr reads a pointer.
func (h *Heap) LoadPtr(p Ptr) (Ptr, bool) { return load[Ptr](h, p) }

// Store8 writes a byte. Like the other stores it reports false on a fault.
func (h *Heap) Store8(p Ptr, v uint8) bool { return store(h, p, v) }

// Store16 writes two bytes.
func (h *Heap) Store16(p Ptr, v uint16) bool { return store(h, p, v) }

// Store32 writes four bytes.
func (h *Heap) Store32(p Ptr, v uint32) bool { return store(h, p, v) }

// Store64 writes eight bytes.
func (h *Heap) Store64(p Ptr, v uint64) bool { return store(h, p, v) }

// StorePtr writes a pointer.
func (h *Heap) StorePtr(p, v Ptr) bool { return store(h, p, v) }

type word interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64
}

func load[T word](h *Heap, p Ptr) (v T, ok bool) {
	a := h.Read(p, uint32(unsafe.Sizeof(v)))
	if a == nil {
		return 0, false
	}
	return *(*T)(a), true
}

func store[T word](h *Heap, p Ptr, v T) bool {
	a := h.Write(p, uint32(unsafe.Sizeof(v)))
	if a == nil {
		return false
	}
	*(*T)(a) = v
	return true
}

// Peek returns the host address of n readable bytes without telling anybody.
func (h *Heap) Peek(p Ptr, n uint32) unsafe.Pointer {
	o := &h.objs[p>>32]
	if o.flags&exists == 0 || uint64(p.Off())+uint64(n) > uint64(o.size) {
		return nil
	}
	return h.at(o.addr + uint64(p.Off()))
}
