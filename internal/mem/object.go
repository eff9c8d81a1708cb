package mem

import "unsafe"

// An object is an entry of the object table, of which [Entry] is the part that
// others see. The entry of a number that is not
// in use has flags 0, and addr then is the next free number.
//
// The limits are one more than the size up to which an access needs no second
// look, and 0 if every access does: so that the entry of a missing object
// refuses even an empty access.
type object struct {
	addr  uint64 // of the bytes, relative to the start of the arena
	rlim  uint32 // size+1, or 0 if the object is tracked
	wlim  uint32 // size+1, or 0 if a write must be looked at first
	size  uint32
	shape ShapeID
	epoch uint32 // window of the undo log in which the object was born
	flags uint32
}

const objectSize = uint64(unsafe.Sizeof(object{}))

// Flags of an object; the lowest bits are its Kind.
const (
	kindMask  = 7
	exists    = 1 << (iota + 2)
	saved     // its old bytes need not be saved in the current window
	readOnly  // no write ever succeeds
	opaque    // only this package writes it
	tracked   // every access calls Heap.Access
	inBase    // belongs to the base image
	dirty     // written since the base image was sealed
	boot      // allocated by AllocAt
	static    // allocated by AllocStatic
	chunked   // larger than chunkedSize: saved in chunks
	fixed     // written no more: see Fix
	noRoot    // nobody can name it: see NoRoot
	numbered  // its number is known to the program: see Number
	notOnFast = readOnly | opaque | tracked
)

func (o *object) kind() Kind { return Kind(o.flags & kindMask) }

// footprint returns how many bytes of a block an object of the given size uses.
func footprint(size uint32) uint64 {
	if size <= chunkedSize {
		return uint64(size)
	}
	return chunkTable(size) + 4*((uint64(size)+chunkSize-1)/chunkSize)
}

// Alloc makes an object of the given size, all zero. The object is an array of
// elements of the shape; ids and addresses depend only on the history of the
// heap. Alloc returns 0, and changes nothing, if the size is beyond [MaxSize],
// or if the limit of the heap (see [Heap.SetLimit]) or the memory of the host
// is exhausted: the caller may [Heap.Collect] and try again.
//
// Objects of the other kinds come from [Heap.NewMap] and its like.
func (h *Heap) Alloc(shape ShapeID, size uint64) Ptr {
	if h.shapes[shape].flags != 0 {
		panic("mem: Alloc: shape is not plain")
	}
	return h.alloc(shape, size)
}

func (h *Heap) alloc(shape ShapeID, size uint64) Ptr {
	if size > MaxSize {
		return 0
	}
	n := footprint(uint32(size))
	addr, cut, ok := h.takeBlock(n)
	if !ok {
		return 0
	}
	id, cutID := h.freeID, false
	if id != 0 {
		h.freeID = ObjID(h.objs[id].addr)
	} else {
		next, ok := h.ids.bump(1)
		if !ok {
			h.putBlock(addr, n, cut)
			return 0
		}
		id, cutID = ObjID(next), true
	}
	h.fill(id, addr, shape, uint32(size), 0)
	h.count++
	h.made++
	if len(h.marks) > 0 {
		h.logAlloc(id, cut, cutID)
	}
	return MakePtr(id, 0)
}

// AllocAt makes a boot object: one with a number of the caller's choice below
// the boot limit. Boot objects are never freed. The number must be free and no
// mark may be open. It returns 0 if memory is exhausted.
func (h *Heap) AllocAt(id ObjID, shape ShapeID, size uint64) Ptr {
	if id == 0 || id >= h.bootLimit || h.objs[id].flags != 0 || len(h.marks) > 0 || h.shapes[shape].flags != 0 {
		panic("mem: AllocAt: number not free, mark open, or shape not plain")
	}
	if size > MaxSize {
		return 0
	}
	addr, _, ok := h.takeBlock(footprint(uint32(size)))
	if !ok {
		return 0
	}
	h.fill(id, addr, shape, uint32(size), boot)
	return MakePtr(id, 0)
}

// fill makes a table entry for a new object.
func (h *Heap) fill(id ObjID, addr uint64, shape ShapeID, size uint32, flags uint32) {
	s := &h.shapes[shape]
	flags |= exists | saved | s.flags
	if size > chunkedSize {
		flags |= chunked
	}
	wlim := size + 1
	if flags&notOnFast != 0 {
		wlim = 0
	}
	h.objs[id] = object{
		addr: addr, rlim: size + 1, wlim: wlim, size: size, shape: shape, epoch: h.epoch, flags: flags,
	}
}

// Free ends the life of an ordinary object. It reports false, and does nothing,
// for a boot or static object and for one that does not exist. The entries of a
// map go with it. The caller answers for pointers that are left.
func (h *Heap) Free(id ObjID) bool {
	o := &h.objs[id]
	if o.flags&exists == 0 || o.flags&(boot|static) != 0 {
		return false
	}
	if o.kind() == Map {
		hd := *h.mapOf(MakePtr(id, 0))
		h.Free(hd.entries.Obj())
		h.Free(hd.index.Obj())
	}
	h.release(id, o)
	return true
}

func (h *Heap) release(id ObjID, o *object) {
	if len(h.marks) > 0 {
		h.logFree(id, o)
	}
	h.setDirty(id, o.flags, 0)
	h.count--
	if o.flags&inBase != 0 {
		h.baseCount--
	}
	addr, size := o.addr, o.size
	if o.flags&numbered != 0 {
		*o = object{}
	} else {
		*o = object{addr: uint64(h.freeID)}
		h.freeID = id
	}
	h.putBlock(addr, footprint(size), false)
}

// Exists reports whether p points into an existing object or to its end.
func (h *Heap) Exists(p Ptr) bool {
	o := &h.objs[p>>32]
	return o.flags&exists != 0 && uint32(p) <= o.size
}

// Size returns the size in bytes of an object, 0 if there is none.
func (h *Heap) Size(id ObjID) uint32 { return h.objs[id].size }

// HoldsNoPtrs reports whether an object has no room for pointers.
func (h *Heap) HoldsNoPtrs(id ObjID) bool { return h.shapes[h.objs[id].shape].noscan() }

// Shape returns the shape of an object, 0 if there is none.
func (h *Heap) Shape(id ObjID) ShapeID { return h.objs[id].shape }

// Kind returns the kind of the object that p points to, Plain if there is none.
func (h *Heap) Kind(p Ptr) Kind { return h.objs[p>>32].kind() }

// IsStatic reports whether id is a static object.
func (h *Heap) IsStatic(id ObjID) bool { return h.objs[id].flags&static != 0 }

// IsReadOnly reports whether p points to a read-only object.
func (h *Heap) IsReadOnly(p Ptr) bool { return h.objs[p>>32].flags&readOnly != 0 }

// SetReadOnly makes every later write to an object fail.
func (h *Heap) SetReadOnly(id ObjID) { h.setFlag(id, readOnly, true) }

// Fix promises that an object is written no more, which nobody checks, or ends
// that. A fixed object is never tracked: whoever reads it depends on nobody.
func (h *Heap) Fix(id ObjID, on bool) { h.setFlag(id, fixed, on) }

// FixNew is Fix for an object that was just made, which may still be written as
// long as nobody else can reach it.
func (h *Heap) FixNew(p Ptr) {
	if o := &h.objs[p.Obj()]; o.flags&(exists|static|readOnly|inBase) == exists {
		o.flags |= fixed
	}
}

// NoRoot says of a boot object that a program can reach it by pointers alone. It is never freed for all that, nor is what it
// points to.
func (h *Heap) NoRoot(id ObjID) { h.setFlag(id, noRoot, true) }

// Number says that the program has got a pointer to an object as a number, which it may keep and compare. From then on
// canonical keys tell the object's own number, and nobody else gets that when the object is gone.
func (h *Heap) Number(id ObjID) {
	if h.objs[id].flags&(static|boot) == 0 { // these have theirs for good
		h.setFlag(id, numbered, true)
	}
}

// SetTracked makes every access to an object call [Heap.Access], or ends that.
func (h *Heap) SetTracked(id ObjID, on bool) { h.setFlag(id, tracked, on) }

func (h *Heap) setFlag(id ObjID, flag uint32, on bool) {
	o := &h.objs[id]
	if o.flags&exists == 0 || (o.flags&flag != 0) == on {
		return
	}
	if len(h.marks) > 0 && o.flags&static == 0 {
		h.logFlags(id, o)
	}
	o.flags ^= flag
	h.setLimits(o)
}

// setLimits derives the limits from the flags.
func (h *Heap) setLimits(o *object) {
	o.rlim, o.wlim = o.size+1, 0
	if o.flags&tracked != 0 {
		o.rlim = 0
	}
	if o.flags&(notOnFast|saved) == saved {
		o.wlim = o.size + 1
	}
}

// A staticKey is what stands for a static object in canonical keys.
type staticKey struct{ hi, lo uint64 }

// AllocStatic makes an immortal object that is not part of any state: neither
// undone nor freed. Canonical keys name it by identity, which therefore must
// determine its contents. A second call with one identity returns the object
// of the first. The caller fills the object before its number can reach a
// canonical key and does not change it afterwards. It returns 0 if memory is
// exhausted.
func (h *Heap) AllocStatic(shape ShapeID, size uint64, identity []byte) Ptr {
	if h.shapes[shape].flags != 0 {
		panic("mem: AllocStatic: shape is not plain")
	}
	if p := h.FindStatic(identity); p != 0 || size > MaxSize {
		return p
	}
	_, block := classOf(max(footprint(uint32(size)), 1))
	if block > h.limit || h.used() > h.limit-block {
		return 0
	}
	addr, ok := h.fixed.bump(block)
	if !ok {
		return 0
	}
	id, ok := h.staticIDs.bump(1)
	if !ok {
		return 0
	}
	h.bytes += block
	h.fill(ObjID(id), addr, shape, uint32(size), static)
	h.statics[string(identity)] = ObjID(id)
	h.staticK = append(h.staticK, staticIdentity(identity))
	return MakePtr(ObjID(id), 0)
}

// FindStatic returns the static object of the given identity, or 0.
func (h *Heap) FindStatic(identity []byte) Ptr {
	return MakePtr(h.statics[string(identity)], 0)
}
