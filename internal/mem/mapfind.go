package mem

import "unsafe"

// A Probe walks through the entries of a map that may have a wanted key: those
// with its hash. It is a value of the caller, good until the map changes.
//
//	pr := h.MapProbe(m, hash)
//	for h.MapProbeNext(&pr) {
//		if sameKey(pr.Key) { return pr.Elem }
//	}
type Probe struct {
	Key, Elem Ptr // of the entry at hand

	hd          *mapHeader
	first       unsafe.Pointer // entries
	slots       unsafe.Pointer // index, or the tags of a small map
	tag, at, mk uint32
}

// MapProbe starts a search for keys with the given hash. If m is nil or no map
// nothing will be found.
func (h *Heap) MapProbe(m Ptr, hash uint64) (pr Probe) {
	hd := h.mapOf(m)
	if hd == nil || hd.count == 0 {
		return pr
	}
	pr.hd, pr.first, pr.tag = hd, h.entriesAt(hd), uint32(hash>>32)
	if hd.index == 0 {
		pr.slots = unsafe.Add(pr.first, -4*smallMap)
		return pr
	}
	pr.slots = h.at(h.objs[hd.index>>32].addr)
	pr.at, pr.mk = pr.tag>>hd.shift, uint32(1)<<(32-hd.shift)-1
	return pr
}

// MapProbeNext goes to the next candidate and reports whether there is one.
func (h *Heap) MapProbeNext(pr *Probe) bool {
	hd := pr.hd
	if hd == nil {
		return false
	}
	if pr.mk == 0 {
		for i := pr.at; i < hd.used; i++ {
			if *(*uint32)(unsafe.Add(pr.slots, i*4)) == pr.tag && seqOf(hd.entry(pr.first, i))&deleted == 0 {
				pr.at, pr.Key, pr.Elem = i+1, hd.key(i), hd.elem(i)
				return true
			}
		}
		pr.at = hd.used
		return false
	}
	for {
		s := *(*uint64)(unsafe.Add(pr.slots, uint64(pr.at)*8))
		if s == 0 {
			return false
		}
		pr.at = (pr.at + 1) & pr.mk
		if uint32(s>>32) != pr.tag {
			continue
		}
		if i := uint32(s) - 1; seqOf(hd.entry(pr.first, i))&deleted == 0 {
			pr.Key, pr.Elem = hd.key(i), hd.elem(i)
			return true
		}
	}
}

// MapFind64 finds an entry whose key is 8 bytes, compared as memory. It returns
// where key and element are, or zeros.
func (h *Heap) MapFind64(m Ptr, hash, want uint64) (key, elem Ptr) {
	hd := h.mapOf(m)
	if hd == nil || hd.count == 0 {
		return 0, 0
	}
	first, tag := h.entriesAt(hd), uint32(hash>>32)
	if hd.index == 0 {
		for i := range hd.used {
			e := hd.entry(first, i)
			if *(*uint64)(unsafe.Add(e, entryKey)) == want && seqOf(e)&deleted == 0 {
				return hd.key(i), hd.elem(i)
			}
		}
		return 0, 0
	}
	slots, mask := unsafe.Add(h.base, h.objs[hd.index>>32].addr), uint32(1)<<(32-hd.shift)-1
	for at := tag >> hd.shift; ; at = (at + 1) & mask {
		s := *(*uint64)(unsafe.Add(slots, uint64(at)*8))
		if s == 0 {
			return 0, 0
		}
		if uint32(s>>32) != tag {
			continue
		}
		e := hd.entry(first, uint32(s)-1)
		if *(*uint64)(unsafe.Add(e, entryKey)) == want && seqOf(e)&deleted == 0 {
			return hd.key(uint32(s) - 1), hd.elem(uint32(s) - 1)
		}
	}
}

// MapFind32 finds an entry whose key is 4 bytes, compared as memory.
func (h *Heap) MapFind32(m Ptr, hash uint64, want uint32) (key, elem Ptr) {
	pr := h.MapProbe(m, hash)
	for h.MapProbeNext(&pr) {
		i := uint64(pr.Key.Off()) - entriesHead
		if *(*uint32)(unsafe.Add(pr.first, i)) == want {
			return pr.Key, pr.Elem
		}
	}
	return 0, 0
}

// MapFindString finds an entry whose key is a string: an address and a length.
// The wanted string's bytes are given; they may lie in the heap. A stored key
// that is not readable equals nothing.
func (h *Heap) MapFindString(m Ptr, hash uint64, want []byte) (key, elem Ptr) {
	pr := h.MapProbe(m, hash)
	for h.MapProbeNext(&pr) {
		k := (*[2]uint64)(unsafe.Add(pr.first, uint64(pr.Key.Off())-entriesHead))
		if k[1] != uint64(len(want)) {
			continue
		}
		if b, ok := h.Bytes(Ptr(k[0]), uint32(k[1])); ok && string(b) == string(want) {
			return pr.Key, pr.Elem
		}
	}
	return 0, 0
}

// MapNext returns the first entry inserted after the one numbered after: its
// number, key and element, or zeros if there is none. Numbers start at 1, so
// after is 0 at the beginning. An iterator that remembers the last number sees
// each entry at most once and no deleted one, however the map changes between
// two calls; entries inserted meanwhile come last.
func (h *Heap) MapNext(m Ptr, after uint64) (seq uint64, key, elem Ptr) {
	hd := h.mapOf(m)
	if hd == nil || hd.count == 0 {
		return 0, 0, 0
	}
	first := h.entriesAt(hd)
	for i := hd.place(first, after); i < hd.used; i++ {
		if seq := seqOf(hd.entry(first, i)); seq&deleted == 0 {
			return seq, hd.key(i), hd.elem(i)
		}
	}
	return 0, 0, 0
}

// place returns the first place of an entry numbered higher than after. Where
// nothing was compacted away the numbers are consecutive and the first guess
// is right, otherwise binary search finds it.
func (hd *mapHeader) place(first unsafe.Pointer, after uint64) uint32 {
	lo, hi := hd.first, hd.used
	if lo >= hi {
		return hi
	}
	low := seqOf(hd.entry(first, lo)) &^ deleted
	if after < low {
		return lo
	}
	if d := after - low; d < uint64(hi-lo) {
		hi = lo + uint32(d) + 1
	}
	if seqOf(hd.entry(first, hi-1))&^deleted <= after {
		return hi
	}
	for lo < hi {
		mid := lo + (hi-lo)/2
		if seqOf(hd.entry(first, mid))&^deleted <= after {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// An iterator object is the map, the last number, and the number of the map's
// latest entry when the iteration began. Entries that came later are not visited,
// so that a loop which inserts into its own map ends.
type mapIter struct {
	m     Ptr
	last  uint64
	limit uint64
}

const iterSize = uint32(unsafe.Sizeof(mapIter{}))

// NewMapIter makes an object of kind MapIter that stands before the first entry
// of m, or returns 0 if memory is exhausted. Unlike a bare number, such an
// object has a canonical encoding: what is left to visit.
func (h *Heap) NewMapIter(m Ptr) Ptr {
	it := h.alloc(iterShape, uint64(iterSize))
	if it != 0 {
		*(*mapIter)(h.edit(it, iterSize)) = mapIter{m: m, limit: h.MapLast(m)}
	}
	return it
}

// MapLast returns the number of the latest entry that a map was given, 0 if m is
// nil or no map.
func (h *Heap) MapLast(m Ptr) uint64 {
	if hd := h.mapOf(m); hd != nil {
		return hd.seq
	}
	return 0
}

// MapIterNext moves an iterator to the next entry and returns its key and
// element. It returns zeros at the end, where the iterator stays, and if it is
// no iterator; missed says that there are entries that were added meanwhile.
func (h *Heap) MapIterNext(it Ptr) (key, elem Ptr, missed bool) {
	o := &h.objs[it>>32]
	if o.flags&(exists|kindMask) != exists|uint32(MapIter) || uint32(it) != 0 {
		return 0, 0, false
	}
	state := (*mapIter)(h.at(o.addr))
	seq, key, elem := h.MapNext(state.m, state.last)
	if seq == 0 || seq > state.limit {
		return 0, 0, seq != 0
	}
	(*mapIter)(h.edit(it, iterSize)).last = seq
	return key, elem, false
}

// MapIterReset moves an iterator before the first entry of m.
func (h *Heap) MapIterReset(it, m Ptr) bool {
	o := &h.objs[it>>32]
	if o.flags&(exists|kindMask) != exists|uint32(MapIter) || uint32(it) != 0 {
		return false
	}
	*(*mapIter)(h.edit(it, iterSize)) = mapIter{m: m, limit: h.MapLast(m)}
	return true
}

// sameMap reports whether the header then, of the base image, and the header
// now have the same entries. An entry that was deleted and inserted again
// counts as another one.
func (h *Heap) sameMap(then, now []byte) bool {
	a, b := (*mapHeader)(unsafe.Pointer(&then[0])), (*mapHeader)(unsafe.Pointer(&now[0]))
	if a.count != b.count {
		return false
	}
	if a.count == 0 {
		return true
	}
	id := a.entries.Obj()
	o := &h.objs[id]
	if o.flags&inBase == 0 {
		return false
	}
	old := unsafe.Pointer(&h.baseBytes(id, o)[entriesHead])
	cur := h.entriesAt(b)
	for i, j := a.first, b.first; ; i, j = i+1, j+1 {
		for i < a.used && seqOf(a.entry(old, i))&deleted != 0 {
			i++
		}
		for j < b.used && seqOf(b.entry(cur, j))&deleted != 0 {
			j++
		}
		if i == a.used || j == b.used {
			return i == a.used && j == b.used
		}
		x := unsafe.Slice((*byte)(a.entry(old, i)), a.entSize)
		y := unsafe.Slice((*byte)(b.entry(cur, j)), b.entSize)
		if string(x) != string(y) {
			return false
		}
	}
}
