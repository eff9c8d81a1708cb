package graph

import (
	"maps"
	"slices"
)

// byTheBook computes one of the bisimulations as its definition says: it starts
// with all pairs and removes those that cannot answer each other. Label 0 is tau.
// For divergence, each state on a cycle of tau says so by a label of its own.
func byTheBook(g *Graph, e Equivalence) [][]bool {
	n := g.States
	switch e {
	case DivergenceBranching:
		g, e = withDivergence(g), Branching
	case DivergenceWeak:
		g, e = withDivergence(g), Weak
	}
	related := make([][]bool, n)
	for s := range related {
		related[s] = slices.Repeat([]bool{true}, n)
	}
	for again := true; again; {
		again = false
		for s := range n {
			for t := range n {
				if related[s][t] && !(answers(g, e, related, s, t) && answers(g, e, related, t, s)) {
					related[s][t], related[t][s] = false, false
					again = true
				}
			}
		}
	}
	return related
}

// silent returns what tau leads to from a state, with itself.
func silent(g *Graph, s int) []int {
	list := []int{s}
	for i := 0; i < len(list); i++ {
		for _, t := range g.Transitions {
			if int(t.From) == list[i] && t.Label == 0 && !slices.Contains(list, int(t.To)) {
				list = append(list, int(t.To))
			}
		}
	}
	return list
}

// answers reports whether t can answer each step of s.
func answers(g *Graph, e Equivalence, related [][]bool, s, t int) bool {
	for _, step := range g.Transitions {
		if int(step.From) == s && !answered(g, e, related, s, t, step) {
			return false
		}
	}
	return true
}

func withDivergence(g *Graph) *Graph {
	d := &Graph{States: g.States, Transitions: slices.Clone(g.Transitions)}
	for _, t := range g.Transitions {
		if t.Label == 0 && slices.Contains(silent(g, int(t.To)), int(t.From)) {
			d.Transitions = append(d.Transitions, Transition{t.From, int32(len(g.Labels)), t.From})
		}
	}
	return d
}

func answered(g *Graph, e Equivalence, related [][]bool, s, t int, step Transition) bool {
	to := int(step.To)
	if e != Strong && step.Label == 0 {
		if e == Weak { // any number of tau, also none
			return slices.ContainsFunc(silent(g, t), func(x int) bool { return related[to][x] })
		}
		if related[to][t] {
			return true
		}
	}
	before := []int{t}
	if e != Strong {
		before = silent(g, t)
	}
	for _, x := range before {
		if e == Branching && !related[s][x] {
			continue
		}
		for _, other := range g.Transitions {
			if int(other.From) != x || other.Label != step.Label {
				continue
			}
			after := []int{int(other.To)}
			if e == Weak {
				after = silent(g, int(other.To))
			}
			if slices.ContainsFunc(after, func(y int) bool { return related[to][y] }) {
				return true
			}
		}
	}
	return false
}

// tracesOf returns all traces up to a length.
func tracesOf(g *Graph, prefix string, most int) []string {
	found := map[string]bool{}
	type at struct {
		state int32
		trace string
	}
	seen := map[at]bool{}
	var walk func(a at)
	walk = func(a at) {
		if seen[a] {
			return
		}
		seen[a] = true
		found[a.trace] = true
		if len(a.trace) == most {
			return
		}
		for _, t := range g.Transitions {
			if t.From == a.state {
				walk(at{t.To, a.trace + string(g.Labels[t.Label][0])})
			}
		}
	}
	walk(at{int32(g.Initial), prefix})
	return slices.Sorted(maps.Keys(found))
}
