package mem

import (
	"slices"
	"unsafe"
)

// A Reacher finds out what can be reached from some roots, base objects
// included. The zero Reacher is ready for use, and meant to be used again.
type Reacher struct {
	h     *Heap
	stamp uint32
	marks []uint32 // by object number
	stack []ObjID
	refs  []ObjID
	visit func(Ptr)

	global []bool  // by object number: a base object that globals led to in the base image
	left   []bool  // the same, by what base objects lead to since some have lost pointers
	leftOf []ObjID // all that have changed, and the pointers to base objects that they had then
	known  []bool  // one of these two: they count as reached. Nil if none do
	key    []ObjID
	base   func(Ptr)
	keep   func(Ptr)
}

// Begin starts anew. The heap must not change until the answers are known.
func (r *Reacher) Begin(h *Heap) {
	if r.h != h || r.stamp == 1<<32-1 {
		clear(r.marks)
		r.h, r.stamp = h, 0
		r.visit, r.base, r.keep = r.add, r.addBase, r.keepBase
	}
	r.stamp++
	r.known = nil
	if n := int(h.ids.next); len(r.marks) < n {
		r.marks = append(r.marks, make([]uint32, n+n/4-len(r.marks))...)
	}
}

// Root adds a root and all that it leads to.
func (r *Reacher) Root(p Ptr) {
	r.add(p)
	r.drain()
}

// Hold notes that an object is reached, but not what it leads to.
func (r *Reacher) Hold(p Ptr) {
	if id := p.Obj(); int(id) < len(r.marks) {
		r.marks[id] = r.stamp
	}
}

// HoldRootsOf is Hold for the roots of a part. It reports false if there are more
// than the part has room for.
func (r *Reacher) HoldRootsOf(p *Part) bool {
	if !p.hasRoots() {
		return false
	}
	for _, id := range p.base[:p.bases] {
		r.marks[id] = r.stamp
	}
	for _, id := range p.objs[:p.roots] {
		r.marks[id] = r.stamp
	}
	return true
}

// Base finds out what globals lead to in the base image, which was just made.
func (r *Reacher) Base(h *Heap) {
	r.global, r.left, r.leftOf = nil, nil, nil
	r.Begin(h)
	r.roots(r.visit)
	r.drain()
	r.global = make([]bool, h.ids.next)
	for id := range r.global {
		r.global[id] = r.marks[id] == r.stamp
	}
}

// Globals makes all boot objects roots that can be written and that programs can name. Most of what they lead to is as it was in the
// base image, and need not be looked at again: all of it, as long as no base object has lost a pointer to another
// one, and else what base objects lead to with those that they have left, which is remembered.
func (r *Reacher) Globals() {
	r.known = r.global
	if slices.ContainsFunc(r.h.dirtied, func(id ObjID) bool { return r.isGlobal(id) && r.hasLost(id) }) {
		r.key = r.key[:0]
		for _, id := range r.h.dirtied {
			r.key = append(r.key, id)
			r.each(id, r.keep)
			r.key = append(r.key, 0)
		}
		if r.left == nil || !slices.Equal(r.key, r.leftOf) {
			r.leftOf = append(r.leftOf[:0], r.key...)
			r.findLeft()
		}
		r.known = r.left
	}
	for _, id := range r.h.dirtied {
		if r.isKnown(id) {
			r.each(id, r.visit)
		}
	}
	r.drain()
}

// keepBase notes a pointer to a base object.
func (r *Reacher) keepBase(p Ptr) {
	if r.h.objs[p.Obj()].flags&inBase != 0 {
		r.key = append(r.key, p.Obj())
	}
}

// findLeft finds out which base objects boot objects lead to by way of base objects.
func (r *Reacher) findLeft() {
	if r.left == nil {
		r.left = make([]bool, len(r.global))
	}
	clear(r.left)
	r.roots(r.base)
	for len(r.stack) > 0 {
		id := r.stack[len(r.stack)-1]
		r.stack = r.stack[:len(r.stack)-1]
		r.h.eachPtr(&r.h.objs[id], r.base)
	}
}

// addBase adds a base object to those that are left.
func (r *Reacher) addBase(p Ptr) {
	id := p.Obj()
	o := &r.h.objs[id]
	if int(id) >= len(r.left) || r.left[id] || id == 0 || o.flags&(exists|static|inBase) != exists|inBase {
		return
	}
	r.left[id] = true
	if !r.h.shapes[o.shape].noscan() {
		r.stack = append(r.stack, id)
	}
}

// hasLost reports whether a changed object no longer has a pointer that it had in the base image to one
// that globals led to.
func (r *Reacher) hasLost(id ObjID) bool {
	h, o := r.h, &r.h.objs[id]
	if o.kind() != Plain {
		return true // perhaps
	}
	s := &h.shapes[o.shape]
	if s.noscan() {
		return false
	}
	then, now := h.baseBytes(id, o), h.span(o.addr, uint64(o.size))
	for e := uint32(0); e < o.size; e += s.size {
		for _, off := range s.ptrs {
			if at := e + off; at+8 <= o.size {
				was := *(*Ptr)(unsafe.Pointer(&then[at]))
				// That one may be gone by now, and another object have its number.
				if was != *(*Ptr)(unsafe.Pointer(&now[at])) && r.isGlobal(was.Obj()) {
					return true
				}
			}
		}
	}
	return false
}

// each visits the pointers of a changed object. Those that a map holds are in an object of its own, whose changes are
// noted as the map's.
func (r *Reacher) each(id ObjID, visit func(Ptr)) {
	h, o := r.h, &r.h.objs[id]
	h.eachPtr(o, visit)
	if o.kind() != Map {
		return
	}
	for _, off := range h.shapes[o.shape].headPtrs {
		p := *(*Ptr)(unsafe.Add(h.at(o.addr), off))
		if e := &h.objs[p.Obj()]; e.kind() == entries {
			h.eachPtr(e, visit)
		}
	}
}

// roots visits the boot objects that can be written and that programs can name.
func (r *Reacher) roots(visit func(Ptr)) {
	for id := range r.h.bootLimit {
		if o := &r.h.objs[id]; o.flags&(exists|readOnly|noRoot) == exists {
			visit(MakePtr(id, 0))
		}
	}
}

func (r *Reacher) add(p Ptr) {
	id := p.Obj()
	o := &r.h.objs[id]
	if id == 0 || o.flags&(exists|static) != exists || r.marks[id] == r.stamp || r.isKnown(id) {
		return
	}
	r.marks[id] = r.stamp
	if !r.h.shapes[o.shape].noscan() {
		r.stack = append(r.stack, id)
	}
}

func (r *Reacher) drain() {
	for len(r.stack) > 0 {
		id := r.stack[len(r.stack)-1]
		r.stack = r.stack[:len(r.stack)-1]
		r.refs = r.h.refs(r.refs[:0], &r.h.objs[id])
		for _, id := range r.refs {
			if int(id) >= len(r.marks) || r.marks[id] != r.stamp {
				r.add(MakePtr(id, 0))
			}
		}
	}
}

// Global reports whether an object is a base object that globals led to in the
// base image.
func (r *Reacher) Global(id ObjID) bool { return r.isGlobal(id) }

func (r *Reacher) isKnown(id ObjID) bool { return int(id) < len(r.known) && r.known[id] }

func (r *Reacher) isGlobal(id ObjID) bool { return int(id) < len(r.global) && r.global[id] }

// Reached reports whether the object of p was reached.
func (r *Reacher) Reached(p Ptr) bool {
	id := p.Obj()
	if r.isKnown(id) {
		return true
	}
	return int(id) < len(r.marks) && r.marks[id] == r.stamp
}
