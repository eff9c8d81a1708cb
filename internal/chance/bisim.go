package chance

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// Reduce returns the smallest graph that is probabilistically bisimilar (K.G. Larsen,
// A. Skou, Bisimulation through probabilistic testing, 1991): states are together
// if for each transition of one the other has one with the same label that leads
// to each class with the same probability.
func Reduce(g *Graph) *Graph {
	class := g.classes()
	out := &Graph{Labels: g.Labels, Initial: lifted(g.Initial, class)}
	for _, c := range class {
		out.States = max(out.States, c+1)
	}
	seen := map[string]bool{}
	for _, t := range g.Transitions {
		n := Transition{class[t.From], t.Label, lifted(t.To, class)}
		if k := fmt.Sprintf("%d %d %s", n.From, n.Label, n.To.aut()); !seen[k] {
			seen[k] = true
			out.Transitions = append(out.Transitions, n)
		}
	}
	return out
}

// Equivalent reports whether two graphs are probabilistically bisimilar.
func Equivalent(g, h *Graph) bool {
	both := &Graph{States: g.States + h.States, Labels: slices.Clone(g.Labels)}
	both.Transitions = slices.Clone(g.Transitions)
	shift := func(d Distribution) Distribution {
		var out Distribution
		for _, s := range d {
			out = append(out, Share{s.State + g.States, s.P})
		}
		return out
	}
	for _, t := range h.Transitions {
		l := slices.Index(both.Labels, h.Labels[t.Label])
		if l < 0 {
			l = len(both.Labels)
			both.Labels = append(both.Labels, h.Labels[t.Label])
		}
		both.Transitions = append(both.Transitions, Transition{t.From + g.States, l, shift(t.To)})
	}
	class := both.classes()
	return lifted(g.Initial, class).aut() == lifted(shift(h.Initial), class).aut()
}

// classes numbers the classes of states, in the order in which they are met.
func (g *Graph) classes() []int {
	class := make([]int, g.States)
	for n := min(1, g.States); ; {
		sets := make([]map[string]bool, g.States)
		for _, t := range g.Transitions {
			if sets[t.From] == nil {
				sets[t.From] = map[string]bool{}
			}
			sets[t.From][fmt.Sprintf("%d %s", t.Label, lifted(t.To, class).aut())] = true
		}
		index := map[string]int{}
		next := make([]int, g.States)
		for s, set := range sets {
			var parts []string
			for p := range set {
				parts = append(parts, p)
			}
			slices.Sort(parts)
			k := fmt.Sprintf("%d;%s", class[s], strings.Join(parts, ";"))
			c, ok := index[k]
			if !ok {
				c = len(index)
				index[k] = c
			}
			next[s] = c
		}
		class = next
		if len(index) == n {
			return class
		}
		n = len(index)
	}
}

// lifted returns the distribution of classes.
func lifted(d Distribution, class []int) Distribution {
	shares := map[int]*big.Rat{}
	for _, s := range d {
		c := class[s.State]
		if shares[c] == nil {
			shares[c] = new(big.Rat)
		}
		shares[c].Add(shares[c], s.P)
	}
	return sorted(shares)
}
