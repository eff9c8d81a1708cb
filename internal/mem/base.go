package mem

import (
	"bytes"
	"slices"
)

// A baseImage remembers what the objects were when the heap was sealed, so that
// canonical keys tell only what is different. The old bytes of an object are
// copied at its first change, and kept for good: undo does not touch them.
type baseImage struct {
	baseCount int      // how many ordinary objects of it there are
	baseOff   []uint64 // by object number: where its bytes are, 0 if not copied
	baseData  []byte
	dirtied   []ObjID // the dirty objects in order of numbers; no entries or indexes of maps
}

// Seal declares all objects to be the base image but those that are to stay young
// (nil for none). From then on canonical keys name base objects by their numbers
// and tell the contents of those only that differ. No mark may be open. Sealing
// again makes a new base image.
func (h *Heap) Seal(young func(ObjID) bool) {
	if len(h.marks) > 0 {
		panic("mem: Seal with an open mark")
	}
	h.baseOff = make([]uint64, h.ids.next)
	h.baseData = make([]byte, 8, 1<<12)
	h.dirtied = h.dirtied[:0]
	h.baseCount = 0
	for id := range h.objs[:h.ids.next] {
		o := &h.objs[id]
		if o.flags&exists == 0 {
			continue
		}
		o.flags &^= dirty | inBase
		o.close()
		if young != nil && young(ObjID(id)) {
			continue
		}
		o.flags |= inBase
		if o.flags&(boot|static) == 0 {
			h.baseCount++
		}
		if o.kind() == MapIter {
			// What is left to visit depends on another object, the map.
			h.soil(ObjID(id), o)
		}
	}
}

// Young returns how many ordinary objects there are that do not belong to the base
// image.
func (h *Heap) Young() int { return h.count - h.baseCount }

// Sealed reports whether there is a base image.
func (h *Heap) Sealed() bool { return h.baseOff != nil }

// soil makes a base object dirty. A change of a map's entries is a change of
// the map, and one of its index is none.
func (h *Heap) soil(id ObjID, o *object) {
	kind := o.kind()
	if kind == index {
		return
	}
	if h.baseOff[id] == 0 {
		h.baseOff[id] = uint64(len(h.baseData))
		h.baseData = append(h.baseData, h.span(o.addr, uint64(o.size))...)
	}
	before := o.flags
	o.flags |= dirty
	if kind != entries {
		h.setDirty(id, before, o.flags)
		return
	}
	owner := (*(*Ptr)(h.at(o.addr))).Obj()
	if m := &h.objs[owner]; m.flags&(inBase|dirty|kindMask) == inBase|uint32(Map) {
		if len(h.marks) > 0 {
			h.logFlags(owner, m)
		}
		h.soil(owner, m)
	}
}

// setDirty keeps the list of dirty objects when an object's flags change.
func (h *Heap) setDirty(id ObjID, before, after uint32) {
	if (before^after)&dirty == 0 || Kind((before|after)&kindMask) == entries {
		return
	}
	i, found := slices.BinarySearch(h.dirtied, id)
	switch {
	case after&dirty != 0 && !found:
		h.dirtied = slices.Insert(h.dirtied, i, id)
	case after&dirty == 0 && found:
		h.dirtied = slices.Delete(h.dirtied, i, i+1)
	}
}

// baseBytes returns the bytes that a base object had in the base image.
func (h *Heap) baseBytes(id ObjID, o *object) []byte {
	if off := h.baseOff[id]; off != 0 {
		return h.baseData[off:][:o.size:o.size]
	}
	return h.span(o.addr, uint64(o.size))
}

// changed reports whether a dirty base object differs from the base image in a
// way that the program can see.
func (h *Heap) changed(id ObjID, o *object) bool {
	then, now := h.baseBytes(id, o), h.span(o.addr, uint64(o.size))
	if o.kind() == MapIter {
		return true
	}
	if o.kind() == Map {
		return !h.sameMap(then, now)
	}
	if bytes.Equal(then, now) {
		return false
	}
	return o.kind() != Chan || !h.sameChan(o, then, now)
}
