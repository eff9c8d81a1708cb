package graph

import "slices"

// TwoWays is a state that does the same in two ways, and how it is come to.
type TwoWays struct {
	Trace  []int32 // labels, as few as possible
	State  int32
	Label  int32
	To, Or int32
}

// TwoWays returns how many of the states that can be reached do the same in two ways, so that it is not known which state follows, and one of the
// nearest, nil if there is none.
func (g *Graph) TwoWays() (int, *TwoWays) {
	out := g.outgoing()
	type step struct{ from, label int32 }
	came := map[int32]step{int32(g.Initial): {-1, -1}}
	list := []int32{int32(g.Initial)}
	var first *TwoWays
	count := 0
	for i := 0; i < len(list); i++ {
		s := list[i]
		to, two := map[int32]int32{}, false
		for _, t := range out.of(s) {
			if _, ok := came[t.To]; !ok {
				came[t.To] = step{s, t.Label}
				list = append(list, t.To)
			}
			other, ok := to[t.Label]
			if to[t.Label] = t.To; !ok || other == t.To || two {
				continue
			}
			two = true
			if first == nil {
				first = &TwoWays{State: s, Label: t.Label, To: min(other, t.To), Or: max(other, t.To)}
			}
		}
		if two {
			count++
		}
	}
	if first != nil {
		for s := first.State; came[s].from >= 0; s = came[s].from {
			first.Trace = append(first.Trace, came[s].label)
		}
		slices.Reverse(first.Trace)
	}
	return count, first
}
