package mem

import "unsafe"

// Masks tell for each object which of up to 64 owners can reach it. Base objects
// that global variables lead to are everybody's and not looked into. The zero
// Masks are ready for use, and meant to be used again.
type Masks struct {
	// Walkers, if it is not nil, tells of maps with keys of some layout which owners
	// look at keys. Others do not reach what keys lead to: to look up, to insert and
	// to delete tells nobody what he does not know.
	Walkers func(keys uint64) uint64

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
		k.expand(&h.objs[h.mapOf(MakePtr(id, 0)).entries.Obj()])
	}
	k.drain()
}

// expand visits the pointers of an object, but for those of keys that the owner
// does not look at.
func (k *Masks) expand(o *object) {
	s := &k.h.shapes[o.shape]
	if s.keys == 0 || k.Walkers == nil {
		k.h.eachPtr(o, k.visit)
		return
	}
	at, bit := k.h.at(o.addr), k.bit
	walkers := bit & k.Walkers(s.tag)
	k.add(*(*Ptr)(at)) // the map
	for e := uint64(s.head); e+uint64(s.size) <= uint64(o.size); e += uint64(s.size) {
		for i, off := range s.ptrs {
			if i < s.keys {
				k.bit = walkers
			}
			if k.bit != 0 {
				k.add(*(*Ptr)(unsafe.Add(at, e+uint64(off))))
			}
			k.bit = bit
		}
	}
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
	defer func(bit uint64) { k.bit = bit }(k.bit)
	for len(k.stack) > 0 {
		id := k.stack[len(k.stack)-1]
		k.stack = k.stack[:len(k.stack)-1]
		k.bit = k.masks[id] // all of them reach what it leads to
		k.expand(&k.h.objs[id])
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

// Keys names the layout of a map's keys, as it is told to Walkers. It is 0 if they
// lead nowhere.
func (h *Heap) Keys(m Ptr) uint64 {
	o := &h.objs[m.Obj()]
	if o.flags&(exists|kindMask) != exists|uint32(Map) {
		return 0
	}
	if s := &h.shapes[h.shapes[o.shape].entries]; s.keys > 0 {
		return s.tag
	}
	return 0
}
