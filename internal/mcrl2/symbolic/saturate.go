package symbolic

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/ldd"
)

// A closure is a set of what follows the levels before one.
type closure struct {
	level int
	set   ldd.Set
}

// saturate closes a set of what follows the levels before one under the groups
// that look at that level and those behind it alone. What a group does to vectors
// of the set does not depend on what stands before, so the closure is computed
// once. Relations that grow afterwards do not change it: of the short vectors in
// it all steps are learned.
func (x *Space) saturate(level int, set ldd.Set) ldd.Set {
	if level == len(x.levels) || set == ldd.Empty {
		return set
	}
	key := closure{level, set}
	if r, ok := x.closed[key]; ok {
		return r
	}
	mark := len(x.needed)
	x.needed = append(x.needed, set, ldd.Empty)
	first := x.below(level, set)
	x.needed[mark+1] = first
	for again := true; again; {
		again = false
		for _, g := range x.byTop[level] {
			for fresh := x.needed[mark+1]; ; {
				x.learn(g, fresh)
				next := x.below(level, x.store.Minus(x.store.Next(fresh, g.relation, g.topShape), x.needed[mark+1]))
				fresh = x.store.Minus(next, x.needed[mark+1])
				if fresh == ldd.Empty {
					break
				}
				x.needed[mark+1] = x.store.Union(x.needed[mark+1], fresh)
				again = len(x.byTop[level]) > 1
				x.breathe(fresh)
			}
		}
	}
	out := x.needed[mark+1]
	x.needed = x.needed[:mark]
	x.closed[key] = out
	x.closed[closure{level, out}] = out
	return out
}

// below closes what follows each first number.
func (x *Space) below(level int, set ldd.Set) ldd.Set {
	if level+1 == len(x.levels) || set == ldd.Empty {
		return set
	}
	mark := len(x.needed)
	x.needed = append(x.needed, set)
	for a := set; a != ldd.Empty; a = x.store.Right(a) {
		x.needed = append(x.needed, x.saturate(level+1, x.store.Down(a)))
	}
	var numbers []uint32
	for a := set; a != ldd.Empty; a = x.store.Right(a) {
		numbers = append(numbers, x.store.Value(a))
	}
	out := ldd.Empty
	for i := len(numbers) - 1; i >= 0; i-- {
		out = x.store.Node(numbers[i], x.needed[mark+1+i], out)
	}
	x.needed = x.needed[:mark]
	return out
}

// breathe tells of progress, and gives back nodes if there are many.
func (x *Space) breathe(also ldd.Set) {
	if x.ticks++; x.ticks&(1<<6-1) == 0 && x.o.Progress != nil {
		x.o.Progress(Progress{Nodes: x.store.Nodes(), Learned: x.learned, Bytes: x.store.Bytes()})
	}
	x.tidy(append(slices.Clone(x.needed), also)...)
}

// tidy gives back nodes if there are many, but for those of some sets and of what is
// needed anyway, and reports whether it did.
func (x *Space) tidy(keep ...ldd.Set) bool {
	if x.store.Nodes() < x.large {
		return false
	}
	keep = append(keep, x.initial, x.reached)
	for _, g := range x.groups {
		keep = append(keep, g.sets()...)
	}
	has := x.store.Collect(keep...)
	for c, r := range x.closed {
		if !has(c.set) || !has(r) {
			delete(x.closed, c)
		}
	}
	x.large = max(x.large, 4*x.store.Nodes())
	return true
}

// sets returns the sets that a group needs.
func (g *group) sets() []ldd.Set {
	return []ldd.Set{g.shape, g.topShape, g.topReads, g.allReads, g.known, g.active, g.relation}
}
