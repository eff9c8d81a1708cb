package mem

import "unsafe"

// A Reacher finds out what can be reached from some roots, base objects
// included. The zero Reacher is ready for use, and meant to be used again.
type Reacher struct {
	h     *Heap
	stamp uint32
	marks []uint32 // by object number
	stack []ObjID
	visit func(Ptr)

	global []bool // by object number: a base object that globals lead to
	all    bool   // those count as reached
}

// Begin starts anew. The heap must not change until the answers are known.
func (r *Reacher) Begin(h *Heap) {
	if r.h != h || r.stamp == 1<<32-1 {
		clear(r.marks)
		r.h, r.stamp = h, 0
		r.visit = r.add
	}
	r.stamp++
	r.all = false
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
	r.global = nil
	r.Begin(h)
	r.everyGlobal()
	r.global = make([]bool, h.ids.next)
	for id := range r.global {
		r.global[id] = r.marks[id] == r.stamp
	}
}

// Globals makes all boot objects roots that can be written and that programs can name. As long as no base
// object that they led to in the base image has lost a pointer to another one,
// nothing of that needs to be looked at again.
func (r *Reacher) Globals() {
	for _, id := range r.h.dirtied {
		if int(id) < len(r.global) && r.global[id] && r.lost(id) {
			r.everyGlobal()
			return
		}
	}
	r.all = true
	for _, id := range r.h.dirtied {
		if int(id) < len(r.global) && r.global[id] {
			r.scan(id)
		}
	}
	r.drain()
}

// lost reports whether a changed object no longer has a pointer to a base object
// that it had in the base image.
func (r *Reacher) lost(id ObjID) bool {
	h, o := r.h, &r.h.objs[id]
	if o.kind() != Plain {
		return true // it is not worth the trouble
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
				if was != *(*Ptr)(unsafe.Pointer(&now[at])) && h.objs[was.Obj()].flags&inBase != 0 {
					return true
				}
			}
		}
	}
	return false
}

// scan adds what an object leads to.
func (r *Reacher) scan(id ObjID) {
	o := &r.h.objs[id]
	r.h.eachPtr(o, r.visit)
}

func (r *Reacher) everyGlobal() {
	for id := range r.h.bootLimit {
		if o := &r.h.objs[id]; o.flags&(exists|readOnly|noRoot) == exists {
			r.add(MakePtr(id, 0))
		}
	}
	r.drain()
}

func (r *Reacher) add(p Ptr) {
	id := p.Obj()
	o := &r.h.objs[id]
	if id == 0 || o.flags&(exists|static) != exists || r.marks[id] == r.stamp || r.all && r.isGlobal(id) {
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
		r.h.eachPtr(&r.h.objs[id], r.visit)
	}
}

// Global reports whether an object is a base object that globals led to in the
// base image.
func (r *Reacher) Global(id ObjID) bool { return r.isGlobal(id) }

func (r *Reacher) isGlobal(id ObjID) bool { return int(id) < len(r.global) && r.global[id] }

// Reached reports whether the object of p was reached.
func (r *Reacher) Reached(p Ptr) bool {
	id := p.Obj()
	if r.all && r.isGlobal(id) {
		return true
	}
	return int(id) < len(r.marks) && r.marks[id] == r.stamp
}
