package mem

import "unsafe"

// A channel is one object of kind Chan: a header and behind it the buffer, a
// ring of elements. Only its own operations write it. Who waits on the channel
// is the scheduler's business.
type chanHeader struct {
	len      uint64
	cap      uint64
	head     uint32 // place of the oldest element
	elemSize uint32
	closed   uint32
	group    uint32 // see ChanGroup
	aux      Ptr
}

const (
	ChanData = uint32(unsafe.Sizeof(chanHeader{})) // offset of the buffer
	chanAux  = 32                                  // offset of aux
)

func (h *Heap) chanOf(c Ptr) *chanHeader {
	o := &h.objs[c>>32]
	if o.flags&(exists|kindMask) != exists|uint32(Chan) || uint32(c) != 0 {
		return nil
	}
	return (*chanHeader)(unsafe.Add(h.base, o.addr))
}

// NewChan makes a channel of a shape of kind Chan with a buffer for n elements.
// It returns 0 if that is too large or memory is exhausted.
func (h *Heap) NewChan(shape ShapeID, n uint64) Ptr {
	s := &h.shapes[shape]
	if s.flags&kindMask != uint32(Chan) {
		panic("mem: NewChan: shape is not of a channel")
	}
	if n > MaxSize || n*uint64(s.elemSize) > MaxSize-uint64(ChanData) {
		return 0
	}
	c := h.alloc(shape, uint64(ChanData)+n*uint64(s.elemSize))
	if c != 0 {
		*(*chanHeader)(h.edit(c, ChanData)) = chanHeader{cap: n, elemSize: s.elemSize}
	}
	return c
}

// IsChan reports whether c points to a channel.
func (h *Heap) IsChan(c Ptr) bool { return h.chanOf(c) != nil }

// ChanLen returns the number of elements in the buffer, 0 if c is nil.
func (h *Heap) ChanLen(c Ptr) uint64 {
	if hd := h.chanOf(c); hd != nil {
		return hd.len
	}
	return 0
}

// ChanCap returns the size of the buffer, 0 if c is nil.
func (h *Heap) ChanCap(c Ptr) uint64 {
	if hd := h.chanOf(c); hd != nil {
		return hd.cap
	}
	return 0
}

// ChanElemSize returns the size of an element, 0 if c is nil.
func (h *Heap) ChanElemSize(c Ptr) uint32 {
	if hd := h.chanOf(c); hd != nil {
		return hd.elemSize
	}
	return 0
}

// ChanClosed reports whether the channel was closed.
func (h *Heap) ChanClosed(c Ptr) bool {
	hd := h.chanOf(c)
	return hd != nil && hd.closed != 0
}

// ChanClose marks the channel as closed.
func (h *Heap) ChanClose(c Ptr) {
	if hd := h.chanOf(c); hd != nil {
		h.edit(c, ChanData)
		hd.closed = 1
	}
}

// ChanAux returns the pointer that the channel keeps for its owner, such as a
// timer. It is part of the state.
func (h *Heap) ChanAux(c Ptr) Ptr {
	if hd := h.chanOf(c); hd != nil {
		return hd.aux
	}
	return 0
}

// SetChanAux sets the pointer that the channel keeps.
func (h *Heap) SetChanAux(c, aux Ptr) {
	if hd := h.chanOf(c); hd != nil {
		h.edit(c, ChanData)
		hd.aux = aux
	}
}

// ChanGroup returns the number of the group of goroutines that the channel belongs to, 0 for none. It is
// part of the state.
func (h *Heap) ChanGroup(c Ptr) int {
	if hd := h.chanOf(c); hd != nil {
		return int(hd.group)
	}
	return 0
}

// SetChanGroup sets it.
func (h *Heap) SetChanGroup(c Ptr, group int) {
	if hd := h.chanOf(c); hd != nil {
		h.edit(c, ChanData)
		hd.group = uint32(group)
	}
}

// ChanPush appends an element, copied from src, which may be any memory of the
// element's size. It reports false if c is no channel or the buffer is full.
func (h *Heap) ChanPush(c Ptr, src unsafe.Pointer) bool {
	hd := h.chanOf(c)
	if hd == nil || hd.len == hd.cap {
		return false
	}
	h.edit(c, ChanData)
	copy(h.editChanElem(c, hd, hd.len), unsafe.Slice((*byte)(src), hd.elemSize))
	hd.len++
	return true
}

// ChanPop removes the oldest element and copies it to dst, unless that is nil.
// It reports false if c is no channel or the buffer is empty.
func (h *Heap) ChanPop(c Ptr, dst unsafe.Pointer) bool {
	hd := h.chanOf(c)
	if hd == nil || hd.len == 0 {
		return false
	}
	h.edit(c, ChanData)
	e := h.editChanElem(c, hd, 0)
	if dst != nil {
		copy(unsafe.Slice((*byte)(dst), hd.elemSize), e)
	}
	clear(e)
	hd.len--
	if hd.head++; uint64(hd.head) == hd.cap {
		hd.head = 0
	}
	return true
}

// place returns the offset of the i-th oldest element.
func (hd *chanHeader) place(i uint64) uint32 {
	at := uint64(hd.head) + i
	if at >= hd.cap {
		at -= hd.cap
	}
	return ChanData + uint32(at)*hd.elemSize
}

func (h *Heap) editChanElem(c Ptr, hd *chanHeader, i uint64) []byte {
	if hd.elemSize == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(h.edit(c+Ptr(hd.place(i)), hd.elemSize)), hd.elemSize)
}

// sameChan reports whether a channel holds the same queue in two versions.
func (h *Heap) sameChan(o *object, then, now []byte) bool {
	a, b := (*chanHeader)(unsafe.Pointer(&then[0])), (*chanHeader)(unsafe.Pointer(&now[0]))
	if a.len != b.len || a.closed != b.closed || a.group != b.group || a.aux != b.aux {
		return false
	}
	for i := range a.len {
		x, y := a.place(i), b.place(i)
		if string(then[x:][:a.elemSize]) != string(now[y:][:a.elemSize]) {
			return false
		}
	}
	return true
}
