package vm

import (
	"encoding/binary"
	"slices"
	"strings"
)

// A driven machine names its goroutines by who started them: the path of a
// goroutine is that of its parent and the smallest number that no other live
// child of it has. So the name does not depend on what others did in between, and
// a server that starts a goroutine for each request does not count for ever. The
// goroutines are kept in the order of their paths.

// adopt names a new goroutine and puts it in its place.
func (m *Machine) adopt(g *G) {
	parent := "\xff\xff" // the clock's
	if m.cur != nil {
		parent = m.cur.path
	} else if m.state.nextG == 2 {
		parent = ""
	}
	if g.ID == 1 {
		g.path = ""
	} else {
		g.path = m.freePath(parent)
	}
	g.entry = g.frames[0].fn
	i, _ := slices.BinarySearchFunc(m.gs, g.path, func(o *G, path string) int { return strings.Compare(o.path, path) })
	m.gs = slices.Insert(m.gs, i, g)
}

// freePath returns the first path below a parent's that no goroutine has.
func (m *Machine) freePath(parent string) string {
	for n := uint16(0); ; n++ {
		path := parent + string(binary.BigEndian.AppendUint16(nil, n))
		if !slices.ContainsFunc(m.gs, func(g *G) bool { return g.path == path }) {
			return path
		}
	}
}
