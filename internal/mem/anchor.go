package mem

import "github.com/zeebo/xxh3"

// A Place is how much of a key was told. Those who look for the right order of
// roots tell some, look at what it made, and go back:
//
//	c.Begin(h); tell what is certain; c.Deltas(); c.Walk()
//	at := c.Place()
//	c.Ptr(p); c.Walk(); hash := c.HashFrom(at)
//	c.Back(at)
type Place struct{ buf, found, wild, told int }

// Deltas appends the base objects that have changed.
func (c *Canon) Deltas() { c.deltas() }

// Walk appends the contents of the discovered objects that were not told yet. A
// key that was told so must not be finished.
func (c *Canon) Walk() {
	for ; c.told < len(c.found); c.told++ {
		c.object(c.found[c.told], &c.h.objs[c.found[c.told]])
	}
}

// Place returns how much was told.
func (c *Canon) Place() Place { return Place{len(c.buf), len(c.found), len(c.wild), c.told} }

// Back forgets what was told since.
func (c *Canon) Back(at Place) {
	for _, id := range c.found[at.found:] {
		if c.h.objs[id].flags&static != 0 {
			c.seenSt[id-firstStatic] = 0
		} else {
			c.seen[id] = 0
		}
	}
	c.buf, c.found, c.wild, c.told = c.buf[:at.buf], c.found[:at.found], c.wild[:at.wild], at.told
}

// FoundFrom lists the objects that were discovered since. It is good until more is
// told.
func (c *Canon) FoundFrom(at Place) []ObjID { return c.found[at.found:] }

// HashFrom hashes what was told since.
func (c *Canon) HashFrom(at Place) uint64 { return xxh3.Hash(c.buf[at.buf:]) }
