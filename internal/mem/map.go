package mem

import (
	"math/bits"
	"unsafe"

	"github.com/zeebo/xxh3"
)

// A map is three objects. The header has kind Map and is what a map value
// points to. The entries lie densely in the order of insertion, each with a
// sequence number that only grows: a deleted entry keeps its number and its
// place until the entries are compacted, so they are always sorted by number.
// The index, which maps of up to smallMap entries do without, is an open
// addressing hash table with linear probing; the highest bits of the hash are
// the first slot to look at. A slot is never emptied: a slot of a deleted entry
// finds nothing.
//
//	header: count seq entries index ...
//	entries: owner  tag*8 │ seq key elem │ seq key elem │ ...
//	index: tag<<32 | entry+1, ...
//
// The tag is the upper half of the 64-bit hash that the caller computes; the
// caller answers for its quality. Nothing of this is seen by the program: keys
// and elements are what the canonical encoding tells.
type mapHeader struct {
	count   uint64 // live entries
	seq     uint64 // number of the latest entry
	entries Ptr
	index   Ptr
	used    uint32 // entries, live and deleted
	first   uint32 // no live entry is before this one
	cap     uint32 // places for entries
	shift   uint32 // 32 less the binary logarithm of the slots
	entSize uint32
	elemOff uint32
}

const (
	mapHeaderSize = uint32(unsafe.Sizeof(mapHeader{}))
	mapEntries    = 16 // offset of entries
	mapIndex      = 24 // offset of index
	smallMap      = 8
	entriesHead   = 8 + 4*smallMap // the owner, and the tags of a small map
	entryKey      = 8              // offset of the key in an entry
	deleted       = 1 << 63        // flag of a sequence number
)

// HashWord returns a hash of a word, good for MapFind64 and the like.
func HashWord(x uint64) uint64 {
	hi, lo := bits.Mul64(x^0xa0761d6478bd642f, 0xe7037ed1a0b428db)
	return hi ^ lo
}

// HashBytes returns a hash of bytes.
func HashBytes(b []byte) uint64 { return xxh3.Hash(b) }

// mapOf returns the header of a map, or nil if m does not point to one.
func (h *Heap) mapOf(m Ptr) *mapHeader {
	o := &h.objs[m>>32]
	if o.flags&(exists|kindMask) != exists|uint32(Map) || uint32(m) != 0 {
		return nil
	}
	return (*mapHeader)(unsafe.Add(h.base, o.addr))
}

// entriesAt returns the address of the first entry of a map that has some.
func (h *Heap) entriesAt(hd *mapHeader) unsafe.Pointer {
	return unsafe.Add(h.base, h.objs[hd.entries>>32].addr+entriesHead)
}

func (hd *mapHeader) entry(first unsafe.Pointer, i uint32) unsafe.Pointer {
	return unsafe.Add(first, uint64(i)*uint64(hd.entSize))
}

// seqOf returns the sequence number of the entry at e, with its flag.
func seqOf(e unsafe.Pointer) uint64 { return *(*uint64)(e) }

// key and elem return the pointers to parts of entry i.
func (hd *mapHeader) key(i uint32) Ptr {
	return hd.entries + Ptr(entriesHead+uint64(i)*uint64(hd.entSize)+entryKey)
}

func (hd *mapHeader) elem(i uint32) Ptr {
	return hd.entries + Ptr(entriesHead+uint64(i)*uint64(hd.entSize)+uint64(hd.elemOff))
}

// NewMap makes an empty map of a shape of kind Map with room for hint entries.
// It returns 0 if memory is exhausted; a hint that is too large is ignored.
func (h *Heap) NewMap(shape ShapeID, hint uint64) Ptr {
	s := &h.shapes[shape]
	if s.flags&kindMask != uint32(Map) {
		panic("mem: NewMap: shape is not of a map")
	}
	m := h.alloc(shape, uint64(mapHeaderSize))
	if m == 0 {
		return 0
	}
	hd := h.mapOf(m)
	hd.entSize, hd.elemOff = h.shapes[s.entries].size, s.elemOff
	if hint > smallMap && hint < MaxSize {
		h.mapResize(m, hd, hint)
	}
	return m
}

// MapLen returns the number of entries of a map, 0 if m is nil or no map.
func (h *Heap) MapLen(m Ptr) uint64 {
	if hd := h.mapOf(m); hd != nil {
		return hd.count
	}
	return 0
}

// MapInsert adds an entry to a map and returns where its key and its element
// are, both zero, for the caller to write. The caller knows that the map does
// not have the key. Pointers into the map that were handed out before go stale
// if the map grows: they stay readable but no longer belong to the map. It
// returns zeros if m is no map or memory is exhausted.
func (h *Heap) MapInsert(m Ptr, hash uint64) (key, elem Ptr) {
	hd := h.mapOf(m)
	if hd == nil {
		return 0, 0
	}
	h.edit(m, mapHeaderSize)
	if hd.used == hd.cap && !h.mapMakeRoom(m, hd) {
		return 0, 0
	}
	i, tag := hd.used, uint32(hash>>32)
	hd.used++
	hd.count++
	hd.seq++
	key = hd.key(i)
	*(*uint64)(h.edit(key-entryKey, hd.entSize)) = hd.seq
	if hd.index == 0 {
		*(*uint32)(h.edit(hd.entries+8+Ptr(i)*4, 4)) = tag
		return key, hd.elem(i)
	}
	slots := unsafe.Add(h.base, h.objs[hd.index>>32].addr)
	mask := uint32(1)<<(32-hd.shift) - 1
	at := tag >> hd.shift
	for *(*uint64)(unsafe.Add(slots, uint64(at)*8)) != 0 {
		at = (at + 1) & mask
	}
	*(*uint64)(h.edit(hd.index+Ptr(at)*8, 8)) = uint64(tag)<<32 | uint64(i+1)
	return key, hd.elem(i)
}

// MapDelete removes the entry whose key is at the given place, as MapProbe,
// MapNext or a find told it, and clears key and element. It reports false if
// the map has no such entry.
func (h *Heap) MapDelete(m, key Ptr) bool {
	hd := h.mapOf(m)
	if hd == nil || hd.entries == 0 || key.Obj() != hd.entries.Obj() || key.Off() < entriesHead {
		return false
	}
	i := (key.Off() - entriesHead) / hd.entSize
	if i >= hd.used {
		return false
	}
	first := h.entriesAt(hd)
	e := hd.entry(first, i)
	seq := seqOf(e)
	if seq&deleted != 0 {
		return false
	}
	h.edit(hd.key(i)-entryKey, hd.entSize)
	clear(unsafe.Slice((*byte)(e), hd.entSize))
	*(*uint64)(e) = seq | deleted
	h.edit(m, mapHeaderSize)
	hd.count--
	for hd.first < hd.used && seqOf(hd.entry(first, hd.first))&deleted != 0 {
		hd.first++
	}
	return true
}

// MapClear removes all entries. It does nothing if m is nil or no map.
func (h *Heap) MapClear(m Ptr) {
	hd := h.mapOf(m)
	if hd == nil || hd.used == 0 {
		return
	}
	h.edit(m, mapHeaderSize)
	h.mapReset(hd)
}

// mapReset empties a map whose header is being edited and keeps its room. The
// sequence numbers go on, so that iterators notice nothing.
func (h *Heap) mapReset(hd *mapHeader) {
	n := hd.used * hd.entSize
	clear(unsafe.Slice((*byte)(h.edit(hd.entries+entriesHead, n)), n))
	if hd.index != 0 {
		size := h.objs[hd.index>>32].size
		clear(unsafe.Slice((*byte)(h.edit(hd.index, size)), size))
	}
	hd.count, hd.used, hd.first = 0, 0, 0
}

// mapMakeRoom finds room in a full map: in place if nothing is left of it, by
// dropping the deleted entries if they are many, by growing otherwise. In all
// cases at least half of the places are free afterwards, so that the cost is
// constant for each insertion.
func (h *Heap) mapMakeRoom(m Ptr, hd *mapHeader) bool {
	switch {
	case hd.count == 0 && hd.used > 0:
		h.mapReset(hd)
		return true
	case hd.count > uint64(hd.cap/2):
		return h.mapResize(m, hd, 2*uint64(hd.cap))
	case hd.count > uint64(hd.cap/8):
		return h.mapResize(m, hd, uint64(hd.cap))
	}
	return h.mapResize(m, hd, 4*hd.count)
}

// mapRoom returns the places and the slots of a map that is to hold n entries.
// At most five slots of eight are used.
func mapRoom(n uint64) (places, slots uint64) {
	if n <= smallMap {
		return smallMap, 0
	}
	slots = uint64(1) << bits.Len64((n*8-1)/5)
	return slots/2 + slots/8, slots
}

// mapResize moves the live entries of a map, whose header is being edited, to
// new objects with room for n. It reports false if memory is exhausted.
func (h *Heap) mapResize(m Ptr, hd *mapHeader, n uint64) bool {
	places, slots := mapRoom(n)
	if slots > 1<<32 {
		return false
	}
	ents := h.alloc(h.shapes[h.objs[m>>32].shape].entries, entriesHead+places*uint64(hd.entSize))
	if ents == 0 {
		return false
	}
	var idx Ptr
	if slots > 0 {
		if idx = h.alloc(indexShape, slots*8); idx == 0 {
			h.Free(ents.Obj())
			return false
		}
	}
	to := h.span(h.objs[ents>>32].addr, uint64(h.objs[ents>>32].size))
	*(*Ptr)(unsafe.Pointer(&to[0])) = m
	next := *hd
	next.entries, next.index = ents, idx
	next.cap, next.used, next.first = uint32(places), uint32(hd.count), 0
	next.shift = 0
	if slots > 0 {
		next.shift = uint32(32 - bits.TrailingZeros64(slots))
	}
	if hd.count > 0 {
		h.mapReindex(hd, &next, h.mapMove(hd, to[entriesHead:]))
	}
	*hd = next
	return true
}

// mapMove copies the live entries. If some were deleted it returns the new
// number of each live entry, otherwise nil.
func (h *Heap) mapMove(hd *mapHeader, to []byte) []uint32 {
	first, size := h.entriesAt(hd), uint64(hd.entSize)
	if hd.count == uint64(hd.used) {
		copy(to, unsafe.Slice((*byte)(first), uint64(hd.used)*size))
		return nil
	}
	if cap(h.mapScratch) < int(hd.used) {
		h.mapScratch = make([]uint32, hd.used)
	}
	renumber := h.mapScratch[:hd.used]
	n := uint32(0)
	for i := range hd.used {
		e := hd.entry(first, i)
		if renumber[i] = n; seqOf(e)&deleted == 0 {
			copy(to[uint64(n)*size:], unsafe.Slice((*byte)(e), size))
			n++
		} else {
			renumber[i] = ^uint32(0)
		}
	}
	return renumber
}

// mapReindex writes the tags or the index of a map's new entries. An old index
// is read in the order of its slots, and as these are ordered by hash, the new
// one is written from its beginning to its end.
func (h *Heap) mapReindex(hd, next *mapHeader, renumber []uint32) {
	newTags := (*[smallMap]uint32)(h.at(h.objs[next.entries>>32].addr + 8))
	var slots unsafe.Pointer
	mask := uint32(0)
	if next.index != 0 {
		slots = h.at(h.objs[next.index>>32].addr)
		mask = uint32(1)<<(32-next.shift) - 1
	}
	put := func(tag, i uint32) {
		if renumber != nil {
			if i = renumber[i]; i == ^uint32(0) {
				return
			}
		}
		if slots == nil {
			newTags[i] = tag
			return
		}
		at := tag >> next.shift
		for *(*uint64)(unsafe.Add(slots, uint64(at)*8)) != 0 {
			at = (at + 1) & mask
		}
		*(*uint64)(unsafe.Add(slots, uint64(at)*8)) = uint64(tag)<<32 | uint64(i+1)
	}
	if hd.index == 0 {
		tags := (*[smallMap]uint32)(h.at(h.objs[hd.entries>>32].addr + 8))
		for i := range hd.used {
			put(tags[i], i)
		}
		return
	}
	o := &h.objs[hd.index>>32]
	for _, s := range unsafe.Slice((*uint64)(h.at(o.addr)), o.size/8) {
		if s != 0 {
			put(uint32(s>>32), uint32(s)-1)
		}
	}
}

// MapIterMap returns the map over which it goes.
func (h *Heap) MapIterMap(it Ptr) Ptr {
	o := &h.objs[it.Obj()]
	if o.flags&(exists|kindMask) != exists|uint32(MapIter) {
		return 0
	}
	return (*mapIter)(h.at(o.addr)).m
}
