// Package graph holds finite labelled graphs: what a search has seen, or what a
// file says. It reads and writes them, makes them smaller and compares them.
//
//	search ──Builder──► Graph ──► .aut, .dot
//	.aut ──ReadAut────►   │ ▲
//	                Reduce▼ │
//	             the smallest equivalent Graph
//
// It knows nothing of programs and searches: a state is a number, a label is a
// text. One label may be told to mean an internal step, tau, to the equivalences
// that know of it. Everything here depends on the graph alone, and numbers of
// results do not depend on the order of transitions.
package graph

import (
	"cmp"
	"fmt"
	"slices"
)

// A Graph has states 0 to States-1.
type Graph struct {
	Initial     int
	States      int
	Labels      []string // no text twice
	Transitions []Transition
}

// A Transition leads from a state to another. Label is an index into Labels.
type Transition struct{ From, Label, To int32 }

const (
	// maxStates is the largest number of states of a Graph.
	maxStates = 1<<31 - 1
	// maxUnnamed is how many states a file may have that nothing in it names: memory goes with the number of states, which a few bytes can claim.
	maxUnnamed = 4_000_000
)

// crowded says what is wrong with a number of states, nil if nothing is. The file has a line for some of them, and each transition names two.
func crowded(states, lines, transitions int) error {
	if unnamed := states - lines - 2*transitions - 1; unnamed > maxUnnamed {
		return fmt.Errorf("%d states and %d transitions: at least %d states are in no transition, and at most %d such are read", states, transitions, unnamed, maxUnnamed)
	}
	return nil
}

// Info is what a graph looks like from far.
type Info struct {
	States, Transitions, Labels int
	Deadlocks                   int // states without transitions
	Reachable                   int // states that can be reached from the initial one
	Deterministic               bool
}

// Info counts.
func (g *Graph) Info() Info {
	out := g.outgoing()
	i := Info{States: g.States, Transitions: len(g.Transitions), Deadlocks: len(g.Deadlocks()), Deterministic: true}
	used := make([]bool, len(g.Labels))
	labels := make([]int32, len(g.Labels)) // the last state that has the label, plus 1
	target := make([]int32, len(g.Labels))
	for s := range int32(g.States) {
		for _, t := range out.of(s) {
			used[t.Label] = true
			if labels[t.Label] == s+1 && target[t.Label] != t.To {
				i.Deterministic = false
			}
			labels[t.Label], target[t.Label] = s+1, t.To
		}
	}
	for _, u := range used {
		if u {
			i.Labels++
		}
	}
	i.Reachable = len(reachable(g, out))
	return i
}

// Deadlocks returns the states without transitions.
func (g *Graph) Deadlocks() []int {
	leaves := make([]bool, g.States)
	for _, t := range g.Transitions {
		leaves[t.From] = true
	}
	var list []int
	for s, l := range leaves {
		if !l {
			list = append(list, s)
		}
	}
	return list
}

// Equal reports whether two graphs have the same states, by number, with the same
// set of transitions between them, by text.
func (g *Graph) Equal(h *Graph) bool {
	return g.Initial == h.Initial && g.States == h.States && slices.Equal(g.sorted(), h.sorted())
}

// A named transition has a text.
type named struct {
	from, to int32
	label    string
}

// sorted returns the set of transitions, ordered.
func (g *Graph) sorted() []named {
	list := make([]named, len(g.Transitions))
	for i, t := range g.Transitions {
		list[i] = named{t.From, t.To, g.Labels[t.Label]}
	}
	slices.SortFunc(list, func(a, b named) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.label, b.label), cmp.Compare(a.to, b.to))
	})
	return slices.Compact(list)
}

// label returns the number of a text, or -1.
func (g *Graph) label(text string) int32 { return int32(slices.Index(g.Labels, text)) }

// adjacency has the transitions of each state side by side.
type adjacency struct {
	start []int32
	list  []Transition
}

func (a *adjacency) of(s int32) []Transition { return a.list[a.start[s]:a.start[s+1]] }

// outgoing returns transitions by where they start, in their order.
func (g *Graph) outgoing() *adjacency {
	return g.adjacent(func(t Transition) int32 { return t.From })
}

// incoming returns transitions by where they lead to.
func (g *Graph) incoming() *adjacency {
	return g.adjacent(func(t Transition) int32 { return t.To })
}

func (g *Graph) adjacent(end func(Transition) int32) *adjacency {
	a := &adjacency{make([]int32, g.States+1), make([]Transition, len(g.Transitions))}
	for _, t := range g.Transitions {
		a.start[end(t)+1]++
	}
	for s := range g.States {
		a.start[s+1] += a.start[s]
	}
	next := slices.Clone(a.start)
	for _, t := range g.Transitions {
		s := end(t)
		a.list[next[s]] = t
		next[s]++
	}
	return a
}

// reachable returns the states that can be reached, in the order of a
// breadth-first search.
func reachable(g *Graph, out *adjacency) []int32 {
	if g.States == 0 {
		return nil
	}
	seen := make([]bool, g.States)
	seen[g.Initial] = true
	list := []int32{int32(g.Initial)}
	for i := 0; i < len(list); i++ {
		for _, t := range out.of(list[i]) {
			if !seen[t.To] {
				seen[t.To] = true
				list = append(list, t.To)
			}
		}
	}
	return list
}

// tidy returns the part that can be reached, with states numbered in the order of
// a breadth-first search that goes along labels in the order of their texts,
// transitions in that order, once each, and only the labels that occur.
func (g *Graph) tidy() *Graph {
	order := make([]int, len(g.Labels))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(g.Labels[a], g.Labels[b]) })
	place := make([]int32, len(order))
	for i, l := range order {
		place[l] = int32(i)
	}
	out := g.outgoing()
	for s := range int32(g.States) {
		slices.SortFunc(out.of(s), func(a, b Transition) int {
			return cmp.Or(cmp.Compare(place[a.Label], place[b.Label]), cmp.Compare(a.To, b.To))
		})
	}
	list := reachable(g, out)
	number := make([]int32, g.States)
	for i, s := range list {
		number[s] = int32(i)
	}
	t := &Graph{States: len(list)}
	labels := slices.Repeat([]int32{-1}, len(g.Labels))
	for _, s := range list {
		var last Transition
		for i, e := range out.of(s) {
			if i > 0 && e == last {
				continue
			}
			last = e
			if labels[e.Label] < 0 {
				labels[e.Label] = int32(len(t.Labels))
				t.Labels = append(t.Labels, g.Labels[e.Label])
			}
			t.Transitions = append(t.Transitions, Transition{number[s], labels[e.Label], number[e.To]})
		}
	}
	return t
}
