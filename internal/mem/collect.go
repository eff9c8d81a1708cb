package mem

import (
	"math/bits"
	"unsafe"
)

// A collector is the memory that collections reuse.
type collector struct {
	reached []uint64 // bitmap by object number
	stack   []ObjID
}

// A Collection is the result of [Heap.Collect].
type Collection struct {
	Objects, Bytes           uint64 // what is left
	FreedObjects, FreedBytes uint64
}

// minCollect is how much must be allocated before a collection is worth it.
const minCollect = 16 << 20

// ShouldCollect reports whether so much was allocated since the last collection
// that another one is worth its cost: as much as was left then, or half of what the limit leaves.
func (h *Heap) ShouldCollect() bool {
	if h.sinceGC <= minCollect {
		return false
	}
	left := h.limit - min(h.limit, h.used())
	return h.sinceGC > min(h.liveAtGC, left/2)
}

// Collect frees the objects that cannot be reached. Roots are what the function
// roots visits, all boot objects that can be written and all static objects. A
// pointer into an object or to its end keeps it; one to nothing is ignored.
//
// Then specials, which may be nil, is called: it may ask what is live and visit
// further pointers, which keeps those objects too (finalizers, weak pointers).
// What live says takes visits before it into account.
//
// Objects born before the latest open mark are never freed, since Restore will
// want them, nor is what they point to. Frees are undone like everything else.
func (h *Heap) Collect(roots func(visit func(Ptr)), specials func(live func(ObjID) bool, visit func(Ptr))) Collection {
	n := int(h.ids.next+63) / 64
	if cap(h.reached) < n {
		h.reached = make([]uint64, n+n/4)
	}
	h.reached = h.reached[:n]
	clear(h.reached)

	for id := range h.bootLimit {
		o := &h.objs[id]
		if o.flags&exists != 0 && o.flags&readOnly == 0 {
			h.reach(MakePtr(id, 0))
		}
	}
	for id := uint64(firstStatic); id < h.staticIDs.next; id++ {
		h.scan(&h.objs[id])
	}
	if roots != nil {
		roots(h.reach)
	}
	h.drain()
	if specials != nil {
		live := func(id ObjID) bool {
			if h.objs[id].flags&(static|boot) != 0 {
				return true
			}
			return int(id/64) < len(h.reached) && h.reached[id/64]&(1<<(id%64)) != 0
		}
		specials(live, func(p Ptr) {
			h.reach(p)
			h.drain()
		})
	}
	h.held = 0
	if n := len(h.marks); n > 0 {
		live := h.reachedBytes()
		for id := range ObjID(h.ids.next) {
			if h.objs[id].epoch < h.marks[n-1].epoch {
				h.reach(MakePtr(id, 0))
			}
		}
		h.drain()
		h.held = h.reachedBytes() - live
	}
	return h.sweep()
}

// reachedBytes returns how many bytes the objects occupy that were reached.
func (h *Heap) reachedBytes() (n uint64) {
	for w, bits64 := range h.reached {
		for ; bits64 != 0; bits64 &= bits64 - 1 {
			_, block := classOf(footprint(h.objs[w*64+bits.TrailingZeros64(bits64)].size))
			n += block
		}
	}
	return n
}

// reach notes that the object of p is live.
func (h *Heap) reach(p Ptr) {
	id := p.Obj()
	if id == 0 || uint64(id) >= h.ids.next {
		return
	}
	o := &h.objs[id]
	if o.flags&exists == 0 || p.Off() > o.size || h.reached[id/64]&(1<<(id%64)) != 0 {
		return
	}
	h.reached[id/64] |= 1 << (id % 64)
	if !h.shapes[o.shape].noscan() {
		h.stack = append(h.stack, id)
	}
}

func (h *Heap) drain() {
	for len(h.stack) > 0 {
		id := h.stack[len(h.stack)-1]
		h.stack = h.stack[:len(h.stack)-1]
		h.scan(&h.objs[id])
	}
}

// scan reaches for all pointers of an object.
func (h *Heap) scan(o *object) {
	s := &h.shapes[o.shape]
	at := h.at(o.addr)
	for _, off := range s.headPtrs {
		h.reach(*(*Ptr)(unsafe.Add(at, off)))
	}
	if len(s.ptrs) == 0 {
		return
	}
	for e := uint64(s.head); e < uint64(o.size); e += uint64(s.size) {
		for _, off := range s.ptrs {
			if e+uint64(off)+8 > uint64(o.size) {
				break
			}
			h.reach(*(*Ptr)(unsafe.Add(at, e+uint64(off))))
		}
	}
}

// sweep frees what was not reached, high numbers first so that low ones are
// used again first.
func (h *Heap) sweep() (c Collection) {
	bytes := h.bytes
	for id := h.ids.next - 1; id >= uint64(h.bootLimit); id-- {
		o := &h.objs[id]
		if o.flags&exists == 0 {
			continue
		}
		if h.reached[id/64]&(1<<(id%64)) != 0 {
			c.Objects++
			continue
		}
		h.release(ObjID(id), o)
		c.FreedObjects++
	}
	c.Bytes, c.FreedBytes = h.bytes, bytes-h.bytes
	h.liveAtGC, h.sinceGC = h.bytes, 0
	return c
}
