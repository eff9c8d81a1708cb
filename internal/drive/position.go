package drive

import "cmp"

// A where is where a goroutine stands in the code: function and instruction of its
// two outermost frames, then the instructions of four more. Goroutines that stand in
// one place are kept together, and those of one function in the order of how far they
// are: so a goroutine that takes a step leaves the others in their order, and states
// that differ in one step have steps that are alike, in the same order. Nothing
// depends on it but what is tried first, and how well the tree of a search can be
// foretold: see docs/RATIONALE.md.
type where [3]uint64

// whereIs returns where a goroutine stands. That of the main goroutine comes before all
// others.
func whereIs(g *G) (w where) {
	if g.path == "" {
		return w
	}
	for i := range g.Frames()[:min(g.Depth(), 6)] {
		fr := &g.Frames()[i]
		w.set(i, fr.Func(), fr.PC())
	}
	return w
}

// set says where the i-th frame stands, of which there are at most six.
func (w *where) set(i int, fn, pc int32) {
	if i < 2 {
		w[i] = uint64(fn+1)<<32 | uint64(uint32(pc))
	} else {
		w[2] |= uint64(min(uint32(pc), 1<<16-1)) << (16 * (5 - i))
	}
}

// compare is negative if a place comes before another one, and 0 if it is the same.
func (w *where) compare(o *where) int {
	if w[0] != o[0] {
		return cmp.Compare(w[0], o[0])
	}
	if w[1] != o[1] {
		return cmp.Compare(w[1], o[1])
	}
	return cmp.Compare(w[2], o[2])
}
