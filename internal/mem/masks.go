package mem

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bitset"
)

// Masks tell for each object which owners can reach it. Base objects that global
// variables lead to are everybody's and not looked into. The zero Masks are ready for
// use, and meant to be used again.
type Masks struct {
	// Walkers, if it is not nil, tells of maps with keys of some layout which owners
	// look at keys. Others do not reach what keys lead to: to look up, to insert and
	// to delete tells nobody what he does not know.
	Walkers func(keys uint64) bitset.Set

	h      *Heap
	global func(ObjID) bool
	stamp  uint32
	words  int        // of a set
	stamps []uint32   // by object number
	masks  []uint64   // the sets of all objects, one behind the other
	own    bitset.Set // who reaches what is added now
	all    bitset.Set
	spare  bitset.Set
	visit  func(Ptr)

	// Objects that have become somebody's since they were looked into, the first one
	// first: until its turn comes, an object that many lead to becomes that of many.
	queue  []ObjID
	queued []bool // by object number
}

// Begin starts anew, for owners from 0 up to the given number. The heap must not
// change as long as masks are asked for, or must be as it was when they are.
func (k *Masks) Begin(h *Heap, owners int, global func(ObjID) bool) {
	words := max(bitset.Words(owners), 1)
	if k.h != h || k.stamp == 1<<32-1 || k.words != words {
		clear(k.stamps)
		k.h, k.stamp, k.words = h, 0, words
		k.visit = k.add
	}
	k.stamp++
	k.global = global
	if n := int(h.ids.next); len(k.stamps) < n {
		n += n / 4
		k.stamps = append(k.stamps, make([]uint32, n-len(k.stamps))...)
		k.queued = append(k.queued, make([]bool, n-len(k.queued))...)
	}
	if n := len(k.stamps) * words; len(k.masks) < n {
		k.masks = append(k.masks, make([]uint64, n-len(k.masks))...)
	}
	k.own, k.spare, k.all = k.own.Fit(words*64), k.spare.Fit(words*64), k.all.Fit(words*64)
	k.all.AddRange(0, words*64)
	// What a changed global leads to is everybody's.
	copy(k.own, k.all)
	for _, id := range h.dirtied {
		if global(id) {
			k.lead(id)
		}
	}
}

// Own says whose roots follow.
func (k *Masks) Own(owner int) {
	clear(k.own)
	k.own.Add(owner)
}

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
	k.Spread()
}

// expand visits the pointers of an object, but for those of keys that the owner
// does not look at.
func (k *Masks) expand(o *object) {
	s := &k.h.shapes[o.shape]
	if s.keys == 0 || k.Walkers == nil {
		k.h.eachPtr(o, k.visit)
		return
	}
	own, walkers := k.own, k.spare
	for i, w := range k.Walkers(s.tag) {
		walkers[i] = own[i] & w
	}
	at := k.h.at(o.addr)
	k.add(*(*Ptr)(at)) // the map
	for e := uint64(s.head); e+uint64(s.size) <= uint64(o.size); e += uint64(s.size) {
		for i, off := range s.ptrs {
			if k.own = own; i < s.keys {
				if k.own = walkers; walkers.Empty() {
					continue
				}
			}
			k.add(*(*Ptr)(unsafe.Add(at, e+uint64(off))))
		}
	}
	k.own = own
}

// Root adds a root. What it leads to is added by Spread.
func (k *Masks) Root(p Ptr) { k.add(p) }

// RootsOf is Root for the roots of a part. It reports false if there are more than the part has
// room for.
func (k *Masks) RootsOf(p *Part) bool {
	if !p.hasRoots() {
		return false
	}
	for _, list := range [...][]ObjID{p.base[:p.bases], p.objs[:p.roots]} {
		for _, id := range list {
			k.Root(MakePtr(id, 0))
		}
	}
	return true
}

func (k *Masks) add(p Ptr) {
	id := p.Obj()
	o := &k.h.objs[id]
	if id == 0 || o.flags&(exists|static) != exists || k.global(id) {
		return
	}
	mask := k.of(id)
	if k.stamps[id] != k.stamp {
		k.stamps[id] = k.stamp
		clear(mask)
	}
	if k.own.Within(mask) {
		return
	}
	mask.Union(k.own)
	if !k.queued[id] && !k.h.shapes[o.shape].noscan() {
		k.queued[id] = true
		k.queue = append(k.queue, id)
	}
}

// Spread adds all that the roots lead to. It has to be called before Of, once for the
// roots of all owners.
func (k *Masks) Spread() {
	own := k.own
	for i := 0; i < len(k.queue); i++ { // it grows
		id := k.queue[i]
		k.queued[id] = false
		k.own = k.of(id) // all of them reach what it leads to
		k.expand(&k.h.objs[id])
	}
	k.queue, k.own = k.queue[:0], own
}

// of is the set of an object.
func (k *Masks) of(id ObjID) bitset.Set {
	at := int(id) * k.words
	return k.masks[at : at+k.words : at+k.words]
}

// Of returns who can reach an object, nil if nobody does. The set is good until the
// next Begin and must not be changed.
func (k *Masks) Of(id ObjID) bitset.Set {
	switch {
	case k.global(id):
		return k.all
	case int(id) < len(k.stamps) && k.stamps[id] == k.stamp:
		return k.of(id)
	}
	return nil
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
