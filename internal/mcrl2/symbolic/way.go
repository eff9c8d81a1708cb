package symbolic

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/ldd"
)

// between returns the states of a shortest way from the initial state to one of a set,
// without the first one: it goes through the states by their distance until it is at one
// of the set, and back from there.
func (x *Space) between(to ldd.Set) [][]uint32 {
	all := x.Steps(nil)
	layers := []ldd.Set{x.initial}
	seen := x.initial
	for last := x.initial; x.store.Intersect(last, to) == ldd.Empty; {
		last = x.store.Minus(all.Next(last), seen)
		if last == ldd.Empty {
			panic(diag.Bugf("no way leads to a state that was reached"))
		}
		seen = x.store.Union(seen, last)
		layers = append(layers, last)
		if x.tidy(append(slices.Clone(layers), seen, to)...) {
			all.forget()
		}
	}
	n := len(layers) - 1
	list := make([][]uint32, n)
	v := x.store.First(x.store.Intersect(layers[n], to))
	for i := n; i > 0; i-- {
		list[i-1] = v
		before := ldd.Empty
		for k := 0; before == ldd.Empty; k++ {
			g := x.groups[k]
			before = x.store.Prev(x.store.Vector(v), g.relation, g.shape, layers[i-1])
		}
		v = x.store.First(before)
	}
	return list
}
