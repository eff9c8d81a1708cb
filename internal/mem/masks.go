package mem

// Masks tell for each object which of up to 64 owners can reach it. Base objects
// that global variables lead to are everybody's and not looked into. The zero
// Masks are ready for use, and meant to be used again.
type Masks struct {
	h      *Heap
	global func(ObjID) bool
	stamp  uint32
	bit    uint64
	stamps []uint32 // by object number
	masks  []uint64
	stack  []ObjID
	visit  func(Ptr)
}

// Begin starts anew. The heap must not change as long as masks are asked for, or
// must be as it was when they are.
func (k *Masks) Begin(h *Heap, global func(ObjID) bool) {
	if k.h != h || k.stamp == 1<<32-1 {
		clear(k.stamps)
		k.h, k.stamp = h, 0
		k.visit = k.add
	}
	k.stamp++
	k.global = global
	if n := int(h.ids.next); len(k.stamps) < n {
		n += n / 4
		k.stamps = append(k.stamps, make([]uint32, n-len(k.stamps))...)
		k.masks = append(k.masks, make([]uint64, n-len(k.masks))...)
	}
	// What a changed global leads to is everybody's.
	k.bit = ^uint64(0)
	for _, id := range h.dirtied {
		if global(id) {
			k.lead(id)
		}
	}
}

// Own says whose roots follow.
func (k *Masks) Own(owner int) { k.bit = 1 << owner }

// Changed adds what the changed base objects lead to.
func (k *Masks) Changed() {
	for _, id := range k.h.dirtied {
		k.lead(id)
	}
}

// lead visits what an object leads to.
func (k *Masks) lead(id ObjID) {
	h, o := k.h, &k.h.objs[id]
	h.eachPtr(o, k.visit)
	if o.kind() == Map {
		h.eachPtr(&h.objs[h.mapOf(MakePtr(id, 0)).entries.Obj()], k.visit)
	}
	k.drain()
}

// Root adds a root and all that it leads to.
func (k *Masks) Root(p Ptr) {
	k.add(p)
	k.drain()
}

func (k *Masks) add(p Ptr) {
	id := p.Obj()
	o := &k.h.objs[id]
	if id == 0 || o.flags&(exists|static) != exists || k.global(id) {
		return
	}
	if k.stamps[id] != k.stamp {
		k.stamps[id], k.masks[id] = k.stamp, 0
	}
	if k.masks[id]&k.bit == k.bit {
		return
	}
	k.masks[id] |= k.bit
	if !k.h.shapes[o.shape].noscan() {
		k.stack = append(k.stack, id)
	}
}

func (k *Masks) drain() {
	for len(k.stack) > 0 {
		id := k.stack[len(k.stack)-1]
		k.stack = k.stack[:len(k.stack)-1]
		k.h.eachPtr(&k.h.objs[id], k.visit)
	}
}

// Of returns who can reach an object. An object that nobody reached is nobody's.
func (k *Masks) Of(id ObjID) uint64 {
	switch {
	case k.global(id):
		return ^uint64(0)
	case int(id) < len(k.stamps) && k.stamps[id] == k.stamp:
		return k.masks[id]
	}
	return 0
}
