package mem

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/zeebo/xxh3"
)

// A Canon writes the canonical key of a state. The caller tells the roots in an
// order that depends on the state alone, then the key is finished:
//
//	c.Begin(h)
//	c.Word(n); c.Ptr(p); c.Words(regs, len, live) ...
//	key = c.Finish(key[:0])
//
// Objects that are not in the base image are numbered in the order in which
// the traversal discovers them, breadth first, and their contents are told with
// pointers replaced by number and offset. So states that differ in allocation
// order and in garbage only have equal keys. Objects whose numbers the program knows
// (see [Heap.Number]) are told with these. Base objects go by their own
// numbers, and all those that differ from the base image are told, in the order
// of numbers. (All, not only the reachable ones: to know which ones are reachable
// takes a walk of the base image. A base object that was changed and then dropped
// stays in the key, with what it points to.)
//
// Of a map the key tells keys and elements, in an order that depends on the
// keys: by their bytes, a pointer in them counting as what it will be replaced
// by if its object is in the base or is numbered already, and otherwise as the
// contents of its object if that has no pointers. Keys that this cannot tell
// apart come in the order of insertion, so two equal states may then get two
// keys. String keys are ordered by their text. Of a channel the key tells
// capacity, whether it is closed, and the elements from the oldest on. Of an
// iterator it tells the keys that are left to visit.
//
// The zero Canon is ready for use, and meant to be used again: it then makes no
// garbage.
type Canon struct {
	// InsertionOrder makes keys tell the order of insertion of maps. Without
	// it, two states with one key can differ in the order of iteration.
	InsertionOrder bool

	// Custom, if not nil, is asked to tell an object that is Plain and not in
	// the base image, or changed, in a way of its own, by Word and Ptr. It
	// reports whether it has.
	Custom func(c *Canon, p Ptr, shape ShapeID) bool

	// Tick, if not nil, may change what a key tells of an element of a channel
	// that keeps a pointer for its owner (see [Heap.ChanAux]).
	Tick func(elem []byte)

	// Late, if not nil, may tell more when all objects that the key leads to have their numbers, by Word and Number.
	Late func(c *Canon)

	// Sums makes keys tell the changed words of base objects by a sum of 128
	// bits, as far as they do not lead to other objects, and large objects without pointers by
	// a fingerprint. Such keys are as good as others but for collisions.
	Sums bool

	h      *Heap
	buf    []byte
	roots  int      // length of what the caller wrote
	sumAt  int      // where the sum is
	stamp  uint32   // number of the traversal
	seen   []uint64 // by object number: stamp<<32 | number
	seenSt []uint64 // the same for static objects
	found  []ObjID  // by number
	wild   []Ptr    // pointers to nothing
	told   int      // how many of the found objects Walk has told
	partial
	sorter
}

// Words of a key that replace pointers have a class in their highest bits.
// Class 0 is nil, and small integers where pointers should be.
const (
	classFound = 1 << 62 // number of discovery, offset
	classBase  = 2 << 62 // object number, offset
	classWild  = 3 << 62 // place in the list of pointers to nothing
)

// Marks of what follows in a key.
const (
	markStatic = 1<<63 - 1 // where the shape's tag would be: an identity follows
	markNumber = 1<<63 - 2 // the same: the object's own number follows, and then the tag
	deltaChunk = 256       // changed base objects are told in chunks
)

// Begin starts a key of the heap's current state. The heap must not change up
// to Finish.
func (c *Canon) Begin(h *Heap) {
	if c.h != h || c.stamp == ^uint32(0) {
		clear(c.seen)
		clear(c.seenSt)
		c.h, c.stamp = h, 0
	}
	c.stamp++
	c.buf, c.found, c.wild, c.told = c.buf[:0], c.found[:0], c.wild[:0], 0
	c.seen = grown(c.seen, int(h.ids.next))
	c.seenSt = grown(c.seenSt, int(h.staticIDs.next-firstStatic))
}

func grown(s []uint64, n int) []uint64 {
	if len(s) < n {
		s = append(s, make([]uint64, n+n/4-len(s))...)
	}
	return s
}

// Word appends a number.
func (c *Canon) Word(x uint64) { c.buf = binary.LittleEndian.AppendUint64(c.buf, x) }

// Room appends n words that the caller fills in before anything else is appended.
func (c *Canon) Room(n int) []uint64 {
	at := len(c.buf)
	if n == 0 {
		return nil
	}
	c.buf = slices.Grow(c.buf, n*8)[:at+n*8]
	return unsafe.Slice((*uint64)(unsafe.Pointer(&c.buf[at])), n)
}

// Drop takes back the last n words.
func (c *Canon) Drop(n int) { c.buf = c.buf[:len(c.buf)-n*8] }

// Ptr appends a pointer; its object becomes part of the key.
func (c *Canon) Ptr(p Ptr) { c.Word(c.ref(p)) }

// Bytes appends bytes and their length.
func (c *Canon) Bytes(b []byte) {
	c.Word(uint64(len(b)))
	c.buf = append(c.buf, b...)
}

// Words appends n words of host memory. Those whose bit is set are pointers;
// the bitmap may be short.
func (c *Canon) Words(ws unsafe.Pointer, n int, ptrs []uint64) {
	start := len(c.buf)
	c.buf = append(c.buf, unsafe.Slice((*byte)(ws), n*8)...)
	for i, w := range ptrs {
		for ; w != 0; w &= w - 1 {
			if k := i*64 + bits.TrailingZeros64(w); k < n {
				c.patch(start + k*8)
			}
		}
	}
}

// MapRest appends what an iterator over m that last saw entry number after and
// goes up to entry number limit has left to visit. The numbers themselves say
// nothing to another state: what comes after the limit is never visited.
func (c *Canon) MapRest(m Ptr, after, limit uint64) {
	c.Ptr(m)
	c.mapRest(m, after, limit)
}

// Finish appends the key to dst.
func (c *Canon) Finish(dst []byte) []byte { return append(dst, c.finish()...) }

// A Fingerprint is a 128-bit hash of a key.
type Fingerprint struct{ Hi, Lo uint64 }

// FingerprintOf hashes a key.
func FingerprintOf(key []byte) Fingerprint {
	u := xxh3.Hash128(key)
	return Fingerprint{u.Hi, u.Lo}
}

// FinishFingerprint is Finish for those who want the fingerprint alone.
func (c *Canon) FinishFingerprint() Fingerprint { return FingerprintOf(c.finish()) }

// View hashes what was told and the objects that it leads to, without the rest of
// the heap. It ends what Begin began, as Finish does.
func (c *Canon) View() uint64 {
	for i := 0; i < len(c.found); i++ {
		c.object(c.found[i], &c.h.objs[c.found[i]])
	}
	return xxh3.Hash(c.buf)
}

// Found returns the discovered objects in the order of their numbers, after
// Finish and up to the next Begin. It includes static objects.
func (c *Canon) Found() []ObjID { return c.found }

func (c *Canon) finish() []byte {
	c.roots = len(c.buf)
	if c.Sums {
		c.sumDeltas()
	} else {
		c.deltas()
	}
	c.Word(0)
	for i := 0; i < len(c.found); i++ {
		c.object(c.found[i], &c.h.objs[c.found[i]])
	}
	for _, p := range c.wild {
		c.Word(uint64(p))
	}
	if c.Late != nil {
		c.Late(c)
	}
	// The lengths make the parts of the key distinguishable.
	c.Word(uint64(len(c.wild)))
	c.Word(uint64(c.roots))
	return c.buf
}

// deltas appends the dirty base objects that have changed.
func (c *Canon) deltas() {
	h := c.h
	small, n := c.Room(2*len(h.dirtied)), 0
	others := false
	for _, id := range h.dirtied {
		o := &h.objs[id]
		if o.shape != 0 || o.size != 8 {
			others = true
			continue
		}
		// It is a lock or a number.
		now := *(*uint64)(h.at(o.addr))
		if now != *(*uint64)(unsafe.Pointer(&h.baseData[h.baseOff[id]])) {
			small[n], small[n+1] = uint64(id), now
			n += 2
		}
	}
	c.Drop(len(small) - n)
	if others {
		c.otherDeltas()
	}
}

// otherDeltas appends the dirty base objects that are not just a number.
func (c *Canon) otherDeltas() {
	h := c.h
	for _, id := range h.dirtied {
		o := &h.objs[id]
		switch {
		case o.shape == 0 && o.size == 8:
		case o.kind() == Plain:
			c.plainDelta(id, o)
		case h.changed(id, o):
			c.Word(uint64(id))
			c.object(id, o)
		}
	}
}

// plainDelta appends a dirty base object of kind Plain if it has changed. Shape
// and size are those of the base image, so they are not told.
func (c *Canon) plainDelta(id ObjID, o *object) {
	h := c.h
	n := uint64(o.size)
	now := h.at(o.addr)
	then := unsafe.Pointer(&h.baseData[h.baseOff[id]])
	if string(unsafe.Slice((*byte)(now), n)) == string(unsafe.Slice((*byte)(then), n)) {
		return
	}
	c.Word(uint64(id))
	s := &h.shapes[o.shape]
	switch {
	case s.noscan() && n <= deltaChunk:
		c.buf = append(c.buf, unsafe.Slice((*byte)(now), n)...)
	case c.Custom != nil && len(s.ptrs) > 0 && c.Custom(c, MakePtr(id, 0), o.shape):
	case n > deltaChunk:
		c.delta(id, o, s)
	default:
		c.raw(o, s, 0, n)
	}
}

// ref returns the word that stands for a pointer.
func (c *Canon) ref(p Ptr) uint64 {
	id := p.Obj()
	if id == 0 {
		return uint64(p)
	}
	flags := c.h.objs[id].flags
	if flags&inBase != 0 {
		if c.rooting {
			c.rootedIn(id)
		}
		return classBase | uint64(p)
	}
	if c.inPart {
		return c.partRef(p, flags)
	}
	var s *uint64
	switch {
	case flags&exists == 0:
		c.wild = append(c.wild, p)
		return classWild | uint64(len(c.wild))
	case flags&static != 0:
		s = &c.seenSt[id-firstStatic]
	default:
		s = &c.seen[id]
	}
	if uint32(*s>>32) != c.stamp {
		c.found = append(c.found, id)
		*s = uint64(c.stamp)<<32 | uint64(len(c.found))
	}
	return classFound | *s<<32 | uint64(p.Off())
}

// Number returns what stands for a pointer, if its object is in the base image or the key leads to it.
func (c *Canon) Number(p Ptr) (word uint64, ok bool) {
	o := &c.h.objs[p.Obj()]
	if o.flags&inBase != 0 {
		return c.ref(p), true
	}
	if o.flags&(exists|static) != exists || uint32(c.seen[p.Obj()]>>32) != c.stamp {
		return 0, false
	}
	return c.ref(p), true
}

// patch replaces the pointer at a place of the key.
func (c *Canon) patch(at int) {
	b := c.buf[at : at+8]
	if p := Ptr(binary.LittleEndian.Uint64(b)); p != 0 {
		binary.LittleEndian.PutUint64(b, c.ref(p))
	}
}

// object appends the contents of an object.
func (c *Canon) object(id ObjID, o *object) {
	if o.flags&static != 0 {
		k := &c.h.staticK[id-firstStatic]
		c.Word(markStatic)
		c.Word(k.hi)
		c.Word(k.lo)
		return
	}
	s := &c.h.shapes[o.shape]
	if o.flags&(numbered|inBase) == numbered {
		c.Word(markNumber)
		c.Word(uint64(id))
	}
	c.Word(s.tag)
	switch o.kind() {
	case Map:
		c.mapObject(MakePtr(id, 0), s)
	case Chan:
		c.chanObject(o, s)
	case MapIter:
		it := (*mapIter)(c.h.at(o.addr))
		c.MapRest(it.m, it.last, it.limit)
	default:
		if c.Custom != nil && len(s.ptrs) > 0 && c.Custom(c, MakePtr(id, 0), o.shape) {
			return
		}
		c.Word(uint64(o.size))
		switch {
		case o.flags&inBase != 0 && o.size > deltaChunk:
			c.delta(id, o, s)
		case c.Sums && o.size > mostRaw && len(s.ptrs)+len(s.headPtrs) == 0:
			f := FingerprintOf(c.h.span(o.addr, uint64(o.size)))
			c.Word(f.Hi)
			c.Word(f.Lo)
		default:
			c.raw(o, s, 0, uint64(o.size))
		}
	}
}

// mostRaw is how many bytes without pointers stand in a key with [Canon.Sums]. More are told by their fingerprint: a key of a state that is nearly
// all of memory would take that memory several times over.
const mostRaw = 64 << 10

// raw appends n bytes of an object from off on.
func (c *Canon) raw(o *object, s *shape, off, n uint64) {
	start := len(c.buf)
	c.buf = append(c.buf, c.h.span(o.addr+off, n)...)
	for _, p := range s.headPtrs {
		if uint64(p) >= off && uint64(p)+8 <= off+n {
			c.patch(start + int(uint64(p)-off))
		}
	}
	if len(s.ptrs) == 0 {
		return
	}
	e := uint64(s.head)
	if off > e {
		e += (off - e) / uint64(s.size) * uint64(s.size)
	}
	for ; e < off+n; e += uint64(s.size) {
		for _, p := range s.ptrs {
			if at := e + uint64(p); at >= off && at+8 <= off+n {
				c.patch(start + int(at-off))
			}
		}
	}
}

// delta appends those chunks of a large base object that differ from the base
// image. A shape whose pointers could straddle chunks is told as a whole.
func (c *Canon) delta(id ObjID, o *object, s *shape) {
	if (s.size|s.head)%8 != 0 {
		c.raw(o, s, 0, uint64(o.size))
		return
	}
	then, now := c.h.baseBytes(id, o), c.h.span(o.addr, uint64(o.size))
	for off := 0; off < len(now); off += deltaChunk {
		end := min(off+deltaChunk, len(now))
		if string(then[off:end]) != string(now[off:end]) {
			c.Word(uint64(off) + 1)
			c.raw(o, s, uint64(off), uint64(end-off))
		}
	}
	c.Word(0)
}

func (c *Canon) chanObject(o *object, s *shape) {
	data := c.h.span(o.addr, uint64(o.size))
	hd := (*chanHeader)(unsafe.Pointer(&data[0]))
	c.Word(hd.cap)
	c.Word(uint64(hd.group)<<40 | hd.len<<1 | uint64(hd.closed))
	c.Ptr(hd.aux)
	for i := range hd.len {
		start := len(c.buf)
		c.part(data[hd.place(i):][:hd.elemSize], s.ptrs)
		if hd.aux != 0 && hd.group == 0 && c.Tick != nil { // the clock of a group is told as it is
			c.Tick(c.buf[start:])
		}
	}
}

// part appends bytes that hold pointers at the given offsets.
func (c *Canon) part(b []byte, ptrs []uint32) {
	start := len(c.buf)
	c.buf = append(c.buf, b...)
	for _, off := range ptrs {
		c.patch(start + int(off))
	}
}

// mapObject appends the entries of a map.
func (c *Canon) mapObject(m Ptr, s *shape) {
	hd := c.h.mapOf(m)
	c.Word(hd.count)
	if hd.count == 0 {
		return
	}
	first := c.h.entriesAt(hd)
	c.live = c.live[:0]
	for i := hd.first; i < hd.used; i++ {
		if seqOf(hd.entry(first, i))&deleted == 0 {
			c.live = append(c.live, place{entry: i})
		}
	}
	if !c.InsertionOrder {
		c.sortKeys(hd, first, s)
	}
	for _, p := range c.live {
		e := hd.entry(first, p.entry)
		c.part(unsafe.Slice((*byte)(unsafe.Add(e, entryKey)), s.keySize), s.keyPtrs)
		c.part(unsafe.Slice((*byte)(unsafe.Add(e, s.elemOff)), s.elemSize), s.elemPtrs)
	}
}

// mapRest appends the keys of the entries after one and up to another.
func (c *Canon) mapRest(m Ptr, after, limit uint64) {
	at := len(c.buf)
	c.Word(0)
	n := uint64(0)
	if hd := c.h.mapOf(m); hd != nil && hd.count > 0 {
		s := &c.h.shapes[c.h.objs[m>>32].shape]
		first := c.h.entriesAt(hd)
		for i := hd.place(first, after); i < hd.used; i++ {
			e := hd.entry(first, i)
			if seqOf(e)&^deleted > limit {
				break
			}
			if seqOf(e)&deleted == 0 {
				c.part(unsafe.Slice((*byte)(unsafe.Add(e, entryKey)), s.keySize), s.keyPtrs)
				n++
			}
		}
	}
	binary.LittleEndian.PutUint64(c.buf[at:], n)
}

// A sorter is the memory that sorting keys of maps reuses.
type sorter struct {
	live []place
	text []byte
}

// A place is a live entry and what to sort it by.
type place struct {
	lead     uint64 // the first bytes of the text
	from, to int    // the text, in sorter.text
	entry    uint32
}

// sortKeys puts the live entries in canonical order.
func (c *Canon) sortKeys(hd *mapHeader, first unsafe.Pointer, s *shape) {
	c.text = c.text[:0]
	for i := range c.live {
		p := &c.live[i]
		p.from = len(c.text)
		c.keyText(unsafe.Add(hd.entry(first, p.entry), entryKey), s)
		p.to = len(c.text)
		var lead [8]byte
		copy(lead[:], c.text[p.from:])
		p.lead = binary.BigEndian.Uint64(lead[:])
	}
	text := c.text
	slices.SortFunc(c.live, func(a, b place) int {
		if a.lead != b.lead {
			if a.lead < b.lead {
				return -1
			}
			return 1
		}
		x, y := text[a.from:a.to], text[b.from:b.to]
		if string(x) != string(y) {
			if string(x) < string(y) {
				return -1
			}
			return 1
		}
		return int(a.entry) - int(b.entry)
	})
}

// keyText appends to the sorter's text what a key is sorted by.
func (c *Canon) keyText(key unsafe.Pointer, s *shape) {
	if s.keyString {
		k := (*[2]uint64)(key)
		if b, ok := c.h.view(Ptr(k[0]), k[1]); ok {
			c.text = append(c.text, b...)
			return
		}
	}
	start := len(c.text)
	c.text = append(c.text, unsafe.Slice((*byte)(key), s.keySize)...)
	for _, off := range s.keyPtrs {
		b := c.text[start+int(off):]
		p := Ptr(binary.LittleEndian.Uint64(b))
		id := p.Obj()
		o := &c.h.objs[id]
		switch {
		case o.flags&exists == 0 || o.flags&inBase != 0:
		case o.flags&static != 0:
			binary.LittleEndian.PutUint64(b, uint64(p.Off()))
			k := &c.h.staticK[id-firstStatic]
			c.text = binary.LittleEndian.AppendUint64(c.text, k.hi)
			c.text = binary.LittleEndian.AppendUint64(c.text, k.lo)
		case uint32(c.seen[id]>>32) == c.stamp:
			binary.LittleEndian.PutUint64(b, classFound|c.seen[id]<<32|uint64(p.Off()))
		default:
			binary.LittleEndian.PutUint64(b, classWild|uint64(p.Off()))
			if c.h.shapes[o.shape].noscan() {
				c.text = append(c.text, c.h.span(o.addr, uint64(o.size))...)
			}
		}
	}
}

// view is Bytes without a look at tracking and with a full-width length.
func (h *Heap) view(p Ptr, n uint64) ([]byte, bool) {
	o := &h.objs[p>>32]
	if n == 0 {
		return nil, true
	}
	if o.flags&exists == 0 || n > uint64(o.size) || uint64(p.Off()) > uint64(o.size)-n {
		return nil, false
	}
	return h.span(o.addr+uint64(p.Off()), n), true
}
