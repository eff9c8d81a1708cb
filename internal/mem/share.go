package mem

import "unsafe"

// Tracked reports whether accesses to an object are told to [Heap.Access].
func (h *Heap) Tracked(id ObjID) bool { return h.objs[id].flags&tracked != 0 }

// InBase reports whether an object belongs to the base image.
func (h *Heap) InBase(id ObjID) bool { return h.objs[id].flags&inBase != 0 }

// trackable reports whether an object can be tracked: it can be written, and its
// memory is not that of a map's inside.
func (o *object) trackable() bool {
	return o.flags&(exists|readOnly|static|fixed) == exists && o.kind() != entries && o.kind() != index
}

// TrackAll makes every object tracked that can be.
func (h *Heap) TrackAll() {
	for id := range ObjID(h.ids.next) {
		if o := &h.objs[id]; o.trackable() {
			h.setFlag(id, tracked, true)
		}
	}
}

// Publish makes the object of p tracked, and all that it leads to. It goes on
// through objects that are not tracked yet only: what a tracked object leads to
// was published with it. What is fixed is not tracked, but gone through.
func (h *Heap) Publish(p Ptr) {
	h.stack = h.stack[:0]
	h.publish(p)
	for len(h.stack) > 0 {
		id := h.stack[len(h.stack)-1]
		h.stack = h.stack[:len(h.stack)-1]
		h.eachPtr(&h.objs[id], h.publish)
	}
}

func (h *Heap) publish(p Ptr) {
	id := p.Obj()
	o := &h.objs[id]
	if id == 0 || o.flags&(exists|inBase|tracked|static|readOnly) != exists {
		return
	}
	switch {
	case o.kind() == index:
		return
	case o.kind() == entries: // reached from their map only, which is published once
	case o.flags&fixed != 0: // there is no circle of those alone
	default:
		h.setFlag(id, tracked, true)
	}
	if !h.shapes[o.shape].noscan() {
		h.stack = append(h.stack, id)
	}
}

// PublishFrom publishes what the n bytes at p lead to. Of a map or a channel that
// is all that it holds.
func (h *Heap) PublishFrom(p Ptr, n uint32) {
	o := &h.objs[p.Obj()]
	if o.flags&exists == 0 {
		return
	}
	lo, hi := p.Off(), uint64(p.Off())+uint64(n)
	if o.kind() != Plain {
		lo, hi = 0, uint64(o.size)
	}
	h.ptrsIn(o, lo, hi, h.Publish)
	if o.kind() == Map {
		hd := h.mapOf(MakePtr(p.Obj(), 0))
		h.eachPtr(&h.objs[hd.entries.Obj()], h.Publish)
	}
}

// PublishElem publishes what an element of a channel leads to, which lies at a
// host address.
func (h *Heap) PublishElem(ch Ptr, elem unsafe.Pointer) {
	for _, off := range h.shapes[h.objs[ch.Obj()].shape].ptrs {
		h.Publish(*(*Ptr)(unsafe.Add(elem, off)))
	}
}

// PtrAt reports whether the word at p is a pointer.
func (h *Heap) PtrAt(p Ptr) bool {
	found := false
	if o := &h.objs[p.Obj()]; o.flags&exists != 0 {
		s := &h.shapes[o.shape]
		for _, off := range s.headPtrs {
			found = found || off == p.Off()
		}
		if p.Off() >= s.head && s.size > 0 {
			at := (p.Off() - s.head) % s.size
			for _, off := range s.ptrs {
				found = found || off == at || s.head+off == p.Off()
			}
		}
	}
	return found
}

// PtrsBehind visits the pointers in the n bytes at p, or in as many as there are of the object, with how far behind p they begin; the
// first may begin before. It looks into objects of kind Plain only.
func (h *Heap) PtrsBehind(p Ptr, n uint64, visit func(off int64, to Ptr)) {
	o := &h.objs[p.Obj()]
	s := &h.shapes[o.shape]
	if o.flags&exists == 0 || o.kind() != Plain || s.noscan() {
		return
	}
	at, end := uint64(p.Off()), min(uint64(p.Off())+n, uint64(o.size))
	one := func(w uint64) {
		if w+8 > at && w < end && w+8 <= uint64(o.size) {
			visit(int64(w)-int64(at), *(*Ptr)(h.at(o.addr + w)))
		}
	}
	for _, off := range s.headPtrs {
		one(uint64(off))
	}
	if len(s.ptrs) == 0 {
		return
	}
	e := uint64(s.head)
	if at > e {
		e += (at - e) / uint64(s.size) * uint64(s.size)
	}
	for ; e < end; e += uint64(s.size) {
		for _, off := range s.ptrs {
			one(e + uint64(off))
		}
	}
}

// eachPtr visits all pointers of an object.
func (h *Heap) eachPtr(o *object, visit func(Ptr)) { h.ptrsIn(o, 0, uint64(o.size), visit) }

// ptrsIn visits the pointers of an object that lie in a range of its bytes.
func (h *Heap) ptrsIn(o *object, lo uint32, hi uint64, visit func(Ptr)) {
	s := &h.shapes[o.shape]
	at := h.at(o.addr)
	for _, off := range s.headPtrs {
		if off >= lo && uint64(off) < hi {
			visit(*(*Ptr)(unsafe.Add(at, off)))
		}
	}
	if len(s.ptrs) == 0 {
		return
	}
	e := uint64(s.head)
	if uint64(lo) > e {
		e += (uint64(lo) - e) / uint64(s.size) * uint64(s.size)
	}
	for ; e < min(hi, uint64(o.size)); e += uint64(s.size) {
		for _, off := range s.ptrs {
			if w := e + uint64(off); w+8 > uint64(lo) && w < hi && w+8 <= uint64(o.size) {
				visit(*(*Ptr)(unsafe.Add(at, w)))
			}
		}
	}
}

// refs appends the objects that an object has pointers to, each as often as it has some. It is what the walks of all that can be reached
// spend their time in, so it calls nobody.
func (h *Heap) refs(dst []ObjID, o *object) []ObjID {
	s := &h.shapes[o.shape]
	at := h.at(o.addr)
	for _, off := range s.headPtrs {
		if id := (*(*Ptr)(unsafe.Add(at, off))).Obj(); id != 0 {
			dst = append(dst, id)
		}
	}
	if len(s.ptrs) == 0 {
		return dst
	}
	size := uint64(o.size)
	for e := uint64(s.head); e < size; e += uint64(s.size) {
		for _, off := range s.ptrs {
			w := e + uint64(off)
			if w+8 > size {
				break
			}
			if id := (*(*Ptr)(unsafe.Add(at, w))).Obj(); id != 0 {
				dst = append(dst, id)
			}
		}
	}
	return dst
}

// A Sharer finds out which objects beyond the base image can be reached by more
// than one owner, and tracks exactly those. The caller tells the roots of each
// owner in turn:
//
//	s.Begin(h)
//	s.Own(1); s.Root(p) ...
//	s.Own(2); s.Root(q) ...
//	s.Claim(1, x) ...
//	s.Finish()
//
// Base objects count as everybody's, so what a changed one leads to does too.
// The zero Sharer is ready for use, and meant to be used again.
type Sharer struct {
	h     *Heap
	owner uint32
	stamp uint32
	marks []uint64 // by object number: stamp<<32 | owner
	found []ObjID
	stack []ObjID
	refs  []ObjID
	visit func(Ptr)
}

// everybody owns what several owners can reach.
const everybody = 1<<32 - 1

// Begin starts anew. The heap must not change up to Finish.
func (s *Sharer) Begin(h *Heap) {
	if s.h != h || s.stamp == 1<<32-1 {
		clear(s.marks)
		s.h, s.stamp = h, 0
		s.visit = s.Root
	}
	s.stamp++
	s.marks = grown(s.marks, int(h.ids.next))
	s.found = s.found[:0]
	s.owner = everybody
	for _, id := range h.dirtied {
		o := &h.objs[id]
		h.eachPtr(o, s.visit)
		if o.kind() == Map { // its entries may belong to the base and still be new
			h.eachPtr(&h.objs[h.mapOf(MakePtr(id, 0)).entries.Obj()], s.visit)
		}
	}
	s.drain()
}

// Own says whose roots follow. Owners are positive numbers.
func (s *Sharer) Own(k int) { s.owner = uint32(k) }

// Everyone says that the roots that follow are everybody's.
func (s *Sharer) Everyone() { s.owner = everybody }

// Globals makes all boot objects that can be written roots.
func (s *Sharer) Globals() {
	for id := range s.h.bootLimit {
		if o := &s.h.objs[id]; o.flags&exists != 0 && o.flags&readOnly == 0 {
			s.Root(MakePtr(id, 0))
		}
	}
}

// Seen returns how many objects have an owner.
func (s *Sharer) Seen() int { return len(s.found) }

// Only returns the one owner who can reach an object, 0 if that is nobody or
// several can.
func (s *Sharer) Only(id ObjID) int {
	if int(id) >= len(s.marks) || uint32(s.marks[id]>>32) != s.stamp || uint32(s.marks[id]) == everybody {
		return 0
	}
	return int(uint32(s.marks[id]))
}

// Root adds a root, and what it leads to.
func (s *Sharer) Root(p Ptr) {
	if s.add(p) {
		s.drain()
	}
}

// RootsOf adds the roots of a part.
func (s *Sharer) RootsOf(p *Part) {
	for _, id := range p.objs[:p.roots] {
		if s.add(MakePtr(id, 0)) {
			s.drain()
		}
	}
}

func (s *Sharer) add(p Ptr) bool {
	id := p.Obj()
	o := &s.h.objs[id]
	if id == 0 || o.flags&(exists|inBase|static) != exists {
		return false
	}
	m := &s.marks[id]
	owner := s.owner
	switch {
	case uint32(*m>>32) != s.stamp:
		s.found = append(s.found, id)
	case uint32(*m) == everybody || uint32(*m) == owner:
		return false
	default:
		owner = everybody
	}
	*m = uint64(s.stamp)<<32 | uint64(owner)
	s.stack = append(s.stack, id)
	return true
}

func (s *Sharer) drain() {
	owner := s.owner
	for len(s.stack) > 0 {
		id := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		o := &s.h.objs[id]
		if s.h.shapes[o.shape].noscan() {
			continue
		}
		mark := s.marks[id]
		s.owner = uint32(mark)
		s.refs = s.h.refs(s.refs[:0], o)
		for _, id := range s.refs {
			// Most are known to be this owner's, or everybody's.
			if int(id) < len(s.marks) && (s.marks[id] == mark || s.marks[id] == mark|everybody) {
				continue
			}
			s.add(MakePtr(id, 0))
		}
	}
	s.owner = owner
}

// claimed is set in the mark of an object that an owner has claimed, and of those
// that are everybody's.
const claimed = 1 << 31

// Claim says, when all roots were told, that an owner needs to know what others do
// to an object, whether or not it can still reach it. It reports whether there
// are others who can; the object is tracked then.
func (s *Sharer) Claim(owner int, id ObjID) bool {
	if s.h.objs[id].flags&inBase != 0 {
		return true
	}
	if int(id) >= len(s.marks) || uint32(s.marks[id]>>32) != s.stamp {
		return false
	}
	if m := uint32(s.marks[id]); m != everybody && m&^claimed == uint32(owner) {
		return false
	}
	s.marks[id] |= claimed
	return true
}

// Finish tracks the found objects that several owners reach or that one reaches
// and another claims, and no others.
func (s *Sharer) Finish() {
	for _, id := range s.found {
		if s.h.objs[id].trackable() {
			s.h.setFlag(id, tracked, s.marks[id]&claimed != 0)
		}
	}
}
