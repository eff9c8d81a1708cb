package mem

// A Reacher finds out what can be reached from some roots, base objects
// included. The zero Reacher is ready for use, and meant to be used again.
type Reacher struct {
	h     *Heap
	stamp uint32
	marks []uint32 // by object number
	stack []ObjID
	visit func(Ptr)
}

// Begin starts anew. The heap must not change until the answers are known.
func (r *Reacher) Begin(h *Heap) {
	if r.h != h || r.stamp == 1<<32-1 {
		clear(r.marks)
		r.h, r.stamp = h, 0
		r.visit = r.add
	}
	r.stamp++
	if n := int(h.ids.next); len(r.marks) < n {
		r.marks = append(r.marks, make([]uint32, n+n/4-len(r.marks))...)
	}
}

// Root adds a root and all that it leads to.
func (r *Reacher) Root(p Ptr) {
	r.add(p)
	r.drain()
}

// Globals makes all boot objects that can be written roots, if on is set.
func (r *Reacher) Globals(on bool) {
	if !on {
		return
	}
	for id := range r.h.bootLimit {
		if o := &r.h.objs[id]; o.flags&exists != 0 && o.flags&readOnly == 0 {
			r.add(MakePtr(id, 0))
		}
	}
	r.drain()
}

func (r *Reacher) add(p Ptr) {
	id := p.Obj()
	o := &r.h.objs[id]
	if id == 0 || o.flags&(exists|static) != exists || r.marks[id] == r.stamp {
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

// Reached reports whether the object of p was reached.
func (r *Reacher) Reached(p Ptr) bool {
	id := p.Obj()
	return int(id) < len(r.marks) && r.marks[id] == r.stamp
}
