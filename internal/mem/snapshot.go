package mem

import (
	"slices"
	"unsafe"
)

// A Snapshot is a whole copy of the objects of a heap, static ones excepted. It
// does not change with the heap.
type Snapshot struct {
	of                *Heap
	data              []byte
	objs              []object
	free              [numClasses]uint64
	freeID            ObjID
	bytes             uint64
	sinceGC, liveAtGC uint64
	baseImage
}

// Snapshot copies the heap. It costs as much as the heap is large.
func (h *Heap) Snapshot() *Snapshot {
	return &Snapshot{
		of:      h,
		data:    slices.Clone(h.span(0, h.data.next)[blockAlign:]),
		objs:    slices.Clone(h.objs[:h.ids.next]),
		free:    h.free,
		freeID:  h.freeID,
		bytes:   h.bytes,
		sinceGC: h.sinceGC, liveAtGC: h.liveAtGC,
		baseImage: h.baseImage.clone(),
	}
}

func (b *baseImage) clone() baseImage {
	// The copied bytes never change, so they can be shared as far as they go.
	return baseImage{b.baseCount, slices.Clone(b.baseOff), slices.Clip(b.baseData), slices.Clone(b.dirtied)}
}

// RestoreSnapshot makes the heap what it was at the snapshot. All marks are
// closed. Static objects stay as they are. The snapshot must be of this heap;
// it can be used again. It reports false if the host's memory is exhausted.
func (h *Heap) RestoreSnapshot(s *Snapshot) bool {
	if s.of != h {
		panic("mem: snapshot is of another heap")
	}
	h.log, h.old, h.marks, h.closed = h.log[:0], h.old[:0], h.marks[:0], 0
	statics := h.bytes
	for _, o := range h.objs[:h.ids.next] {
		if o.flags&exists != 0 {
			_, block := classOf(footprint(o.size))
			statics -= block
		}
	}
	n := uint64(len(s.data)) + blockAlign
	if !h.data.commit(n) || !h.ids.commit(uint64(len(s.objs))) {
		return false
	}
	copy(h.span(blockAlign, n-blockAlign), s.data)
	h.data.next, h.data.top = n, max(h.data.top, n)
	clear(h.objs[min(len(s.objs), int(h.ids.next)):h.ids.next])
	copy(h.objs[:len(s.objs)], s.objs)
	h.ids.next = uint64(len(s.objs))
	h.free, h.freeID = s.free, s.freeID
	h.sinceGC, h.liveAtGC = s.sinceGC, s.liveAtGC
	h.baseImage = s.baseImage.clone()
	h.bytes = statics
	for _, o := range s.objs {
		if o.flags&exists != 0 {
			_, block := classOf(footprint(o.size))
			h.bytes += block
		}
	}
	h.nextWindow()
	return true
}

// Equal reports whether two snapshots of one heap hold the same objects with
// the same numbers, shapes and bytes.
func (s *Snapshot) Equal(t *Snapshot) bool {
	n := max(len(s.objs), len(t.objs))
	for i := range n {
		a, b := s.object(i), t.object(i)
		if (a == nil) != (b == nil) {
			return false
		}
		if a == nil {
			continue
		}
		if a.size != b.size || a.shape != b.shape || string(s.bytesOf(a)) != string(t.bytesOf(b)) {
			return false
		}
	}
	return true
}

func (s *Snapshot) object(i int) *object {
	if i >= len(s.objs) || s.objs[i].flags&exists == 0 {
		return nil
	}
	return &s.objs[i]
}

func (s *Snapshot) bytesOf(o *object) []byte {
	if o.size == 0 {
		return nil
	}
	return unsafe.Slice(&s.data[o.addr-blockAlign], o.size)
}
