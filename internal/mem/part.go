package mem

import (
	"encoding/binary"
	"slices"
)

// A Part is the digest of a part of a state that seldom changes, so that it need
// not be told again for each key. The caller tells it once, between BeginPart
// and EndPart, and then adds it to keys as long as it has not changed:
//
//	c.BeginPart(h)
//	c.Word(n); c.Ptr(p) ...
//	c.EndPart(&part)
//	...
//	c.Begin(h); c.Part(&part) ...
//
// Base objects have the same name in every key, so the digest holds their names.
// The numbers of other objects depend on what else is in the key: the digest
// numbers them by their first occurrence in the part, and beside it there is the
// list of them. Keys with parts are as good as others but for collisions of 128
// bits.
type Part struct {
	sum   Fingerprint
	objs  []ObjID // those that are not in the base image, in order of occurrence
	roots int32   // how many of them were told before EndRoots
	bases int32   // how many base objects were told before that, or more than there is room for
	base  [6]ObjID
	vague bool
}

// CopyFrom makes p a copy of q that shares nothing with it.
func (p *Part) CopyFrom(q *Part) {
	objs := append(p.objs[:0], q.objs...)
	*p = *q
	p.objs = objs
}

// Len returns how many objects there are in the list.
func (p *Part) Len() int { return len(p.objs) }

// Empty makes p, whose list is empty, have the list of another part to use again.
func (p *Part) Empty(from *Part) { p.objs = from.objs[:0] }

// Rank is a number that depends on the part but not on the objects in the list.
func (p *Part) Rank() uint64 { return p.sum.Hi }

// Sum is what Part appends of a part that is Plain: two words.
func (p *Part) Sum() (uint64, uint64) { return p.sum.Hi, p.sum.Lo }

// Plain reports whether Sum is all there is to add to a key.
func (p *Part) Plain() bool { return len(p.objs) == 0 && !p.vague }

// Vague reports whether there are pointers to nothing in the part: it then must
// not be added to a key but told as usual.
func (p *Part) Vague() bool { return p.vague }

// partial is what a Canon knows of the part that is being told.
type partial struct {
	inPart  bool
	vague   bool
	rooting bool // EndRoots was not called yet
	bases   int
	base    [6]ObjID
	objs    []ObjID
	statics []byte // identities of static objects, one for each pointer to one
}

// BeginPart starts a part. What the Canon was about to tell is forgotten.
func (c *Canon) BeginPart(h *Heap) {
	c.h, c.buf = h, c.buf[:0]
	c.inPart, c.vague = true, false
	c.rooting, c.bases = true, 0
	c.objs, c.statics = c.objs[:0], c.statics[:0]
}

// EndRoots says that the pointers of the part that follow do not matter to
// [Sharer.RootsOf], [Masks.RootsOf] and [Reacher.HoldRootsOf]. Outside of a part it does nothing.
func (c *Canon) EndRoots() {
	if c.rooting {
		c.rooting, c.roots = false, len(c.objs)
	}
}

// rootedIn notes a base object that was told.
func (c *Canon) rootedIn(id ObjID) {
	if c.bases > len(c.base) || slices.Contains(c.base[:c.bases], id) {
		return
	}
	if c.bases < len(c.base) {
		c.base[c.bases] = id
	}
	c.bases++
}

// hasRoots reports whether there was room for all roots.
func (p *Part) hasRoots() bool { return int(p.bases) <= len(p.base) }

// EndPart ends a part.
func (c *Canon) EndPart(p *Part) {
	c.EndRoots()
	c.inPart = false
	p.roots, p.bases, p.base = int32(c.roots), int32(c.bases), c.base
	c.Word(uint64(len(c.objs)))
	c.buf = append(c.buf, c.statics...)
	p.sum, p.vague = FingerprintOf(c.buf), c.vague
	p.objs = append(p.objs[:0], c.objs...)
}

// Part appends a part.
func (c *Canon) Part(p *Part) {
	c.Word(p.sum.Hi)
	c.Word(p.sum.Lo)
	for _, id := range p.objs {
		c.Ptr(MakePtr(id, 0))
	}
}

// partRef is ref inside of a part, for objects that are not in the base image.
func (c *Canon) partRef(p Ptr, flags uint32) uint64 {
	id := p.Obj()
	switch {
	case flags&exists == 0:
		c.vague = true
		return 0
	case flags&static != 0:
		k := &c.h.staticK[id-firstStatic]
		c.statics = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(c.statics, k.hi), k.lo)
		return classWild | uint64(p.Off())
	}
	for i, o := range c.objs {
		if o == id {
			return classFound | uint64(i)<<32 | uint64(p.Off())
		}
	}
	c.objs = append(c.objs, id)
	return classFound | uint64(len(c.objs)-1)<<32 | uint64(p.Off())
}
