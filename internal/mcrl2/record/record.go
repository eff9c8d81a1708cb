// Package record keeps the graph that a search of a model goes through, with what
// is needed to go its ways again: which step each transition is, and by which one
// a state was first reached. It finds tau loops in it.
//
// A Graph is an observer of searches, breadth-first ones with several workers
// included. States are numbered in the
// order in which they are mentioned, the initial one first; after a breadth-first
// search the ways back to the start are shortest.
package record

import (
	"cmp"
	"slices"

	"github.com/heddle-mc/heddle/internal/lts"
)

// An Edge is a transition.
type Edge struct {
	From, To int32
	Label    lts.Label
	Step     lts.Step
}

// A Graph is what was seen so far.
type Graph struct {
	// Keep says of a label whether its transitions are kept. Without it all are.
	Keep func(lts.Label) bool

	// Labels that several workers have seen have keys, and numbers only once Settle is
	// done: until then an edge has the number of the key.
	keys  []string
	byKey map[string]lts.Label

	ids    map[string]int32
	origin []origin
	edges  []Edge
	first  []int32 // of the edges of each state, once they are ordered
}

// An origin is how a state was first reached.
type origin struct {
	from int32
	step lts.Step
}

// State notes a state.
func (g *Graph) State(_ lts.System, digest []byte, _ int) { g.id(digest, origin{from: -1}) }

// Step notes a transition.
func (g *Graph) Step(_ lts.System, from, to []byte, s lts.Step, l lts.Label) {
	f := g.id(from, origin{from: -1})
	t := g.id(to, origin{f, s})
	if g.Keep == nil || g.Keep(l) {
		g.edges = append(g.edges, Edge{f, t, l, s})
	}
}

// Note notes a transition between states that have numbers already, from 0 for the initial one. A graph is
// made by this or as an observer.
func (g *Graph) Note(from, to int32, s lts.Step, l lts.Label) {
	g.Grow(int(max(from, to)) + 1)
	if g.Keep == nil || g.Keep(l) {
		g.edges = append(g.edges, Edge{from, to, l, s})
	}
}

// Grow makes it a graph of at least so many states, of those whose states have numbers.
func (g *Graph) Grow(states int) {
	for len(g.origin) < states {
		g.origin = append(g.origin, origin{from: -1})
	}
}

// LabelKey returns what tells a label from others in all systems of a model.
func (g *Graph) LabelKey(sys lts.System, l lts.Label) string {
	return string(sys.(interface {
		AppendLabelKey(dst []byte, l lts.Label) []byte
	}).AppendLabelKey(nil, l))
}

// Seen notes a state that one of several workers has seen.
func (g *Graph) Seen(digest []byte) { g.id(digest, origin{from: -1}) }

// Gone notes a transition that one of several workers has gone. Settle has to follow.
func (g *Graph) Gone(from, to []byte, s lts.Step, key string) {
	f := g.id(from, origin{from: -1})
	t := g.id(to, origin{f, s})
	l, ok := g.byKey[key]
	if !ok {
		if g.byKey == nil {
			g.byKey = map[string]lts.Label{}
		}
		l = lts.Label(len(g.keys))
		g.keys = append(g.keys, key)
		g.byKey[key] = l
	}
	g.edges = append(g.edges, Edge{f, t, l, s})
}

// Settle gives the labels that several workers have seen the numbers that one system
// has for them: it goes to one transition of each. Then Keep applies.
func (g *Graph) Settle(sys lts.System) {
	if g.keys == nil {
		return
	}
	known := make([]bool, len(g.keys))
	number := make([]lts.Label, len(g.keys))
	kept := g.edges[:0]
	for _, e := range g.edges {
		if !known[e.Label] {
			known[e.Label] = true
			sys.Reset()
			lts.MustReplay(sys, g.Path(e.From))
			number[e.Label] = sys.Take(e.Step)
		}
		e.Label = number[e.Label]
		if g.Keep == nil || g.Keep(e.Label) {
			kept = append(kept, e)
		}
	}
	g.edges, g.keys, g.byKey = kept, nil, nil
}

func (g *Graph) id(digest []byte, from origin) int32 {
	n, ok := g.ids[string(digest)]
	if !ok {
		if g.ids == nil {
			g.ids = map[string]int32{}
		}
		n = int32(len(g.origin))
		g.ids[string(digest)] = n
		g.origin = append(g.origin, from)
	}
	return n
}

// States returns the number of states.
func (g *Graph) States() int { return len(g.origin) }

// Edges returns the transitions of a state, in their order. Nothing may be noted
// any more.
func (g *Graph) Edges(state int32) []Edge {
	if g.first == nil {
		slices.SortStableFunc(g.edges, func(a, b Edge) int { return cmp.Compare(a.From, b.From) })
		g.first = make([]int32, len(g.origin)+1)
		for _, e := range g.edges {
			g.first[e.From+1]++
		}
		for i := range g.origin {
			g.first[i+1] += g.first[i]
		}
	}
	return g.edges[g.first[state]:g.first[state+1]]
}

// Path returns the way by which a state was first reached.
func (g *Graph) Path(state int32) lts.Path {
	var p lts.Path
	for o := g.origin[state]; o.from >= 0; o = g.origin[o.from] {
		p = append(p, o.step)
	}
	slices.Reverse(p)
	return p
}

// Loop returns a loop of kept transitions: the first state, by number, that is on
// one, and the steps of a shortest way from it back to itself. It reports false
// if there is none.
func (g *Graph) Loop() (state int32, steps lts.Path, ok bool) {
	onLoop := g.components()
	for s := range onLoop {
		if onLoop[s] {
			return int32(s), g.back(int32(s)), true
		}
	}
	return 0, nil, false
}

// Choice returns two transitions of one state, the first by number that has such
// ones, with the same label and to different states.
func (g *Graph) Choice() (a, b Edge, ok bool) {
	for s := range g.origin {
		first := map[lts.Label]Edge{}
		for _, e := range g.Edges(int32(s)) {
			if a, ok = first[e.Label]; ok && a.To != e.To {
				return a, e, true
			}
			first[e.Label] = e
		}
	}
	return Edge{}, Edge{}, false
}

// back returns a shortest way from a state on a loop to itself, breadth-first.
func (g *Graph) back(start int32) lts.Path {
	from := map[int32]Edge{}
	for queue := []int32{start}; len(queue) > 0; queue = queue[1:] {
		for _, e := range g.Edges(queue[0]) {
			if _, seen := from[e.To]; seen {
				continue
			}
			from[e.To] = e
			if e.To != start {
				queue = append(queue, e.To)
				continue
			}
			path := lts.Path{e.Step}
			for s := e.From; s != start; s = from[s].From {
				path = append(path, from[s].Step)
			}
			slices.Reverse(path)
			return path
		}
	}
	return nil
}

// components tells which states are on loops: those in a strongly connected
// component with an edge inside (Tarjan's algorithm, with a stack of its own).
func (g *Graph) components() []bool {
	n := len(g.origin)
	onLoop := make([]bool, n)
	number, low := make([]int32, n), make([]int32, n)
	onStack := make([]bool, n)
	type frame struct {
		state int32
		next  int
	}
	var stack []int32
	var calls []frame
	count := int32(0)
	for root := range n {
		if number[root] != 0 {
			continue
		}
		calls = append(calls, frame{state: int32(root)})
		for len(calls) > 0 {
			f := &calls[len(calls)-1]
			s := f.state
			if f.next == 0 {
				count++
				number[s], low[s] = count, count
				stack, onStack[s] = append(stack, s), true
			}
			edges := g.Edges(s)
			if f.next < len(edges) {
				to := edges[f.next].To
				f.next++
				switch {
				case number[to] == 0:
					calls = append(calls, frame{state: to})
				case onStack[to]:
					low[s] = min(low[s], number[to])
					onLoop[s] = onLoop[s] || to == s
				}
				continue
			}
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				up := calls[len(calls)-1].state
				low[up] = min(low[up], low[s])
			}
			if low[s] != number[s] {
				continue
			}
			for size := 1; ; size++ {
				top := stack[len(stack)-1]
				stack, onStack[top] = stack[:len(stack)-1], false
				onLoop[top] = onLoop[top] || top != s || size > 1
				if top == s {
					break
				}
			}
		}
	}
	return onLoop
}

// Only returns a graph with the same states and only those transitions whose
// labels are kept.
func (g *Graph) Only(keep func(lts.Label) bool) *Graph {
	out := &Graph{origin: g.origin}
	for _, e := range g.edges {
		if keep(e.Label) {
			out.edges = append(out.edges, e)
		}
	}
	return out
}
