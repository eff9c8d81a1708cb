package graph

// Components returns, for each state, the number of its strongly connected
// component under tau, and how many there are. Tau leads from a component to
// those with lower numbers only (Tarjan's algorithm, without recursion).
func Components(g *Graph, tau int32) (of []int32, count int) {
	out := g.outgoing()
	const unseen = -1
	of = make([]int32, g.States)
	index := make([]int32, g.States) // when first seen
	low := make([]int32, g.States)
	for s := range of {
		of[s], index[s] = unseen, unseen
	}
	type frame struct{ state, next int32 }
	var calls []frame
	var stack []int32
	clock := int32(0)
	enter := func(s int32) {
		index[s], low[s] = clock, clock
		clock++
		stack = append(stack, s)
		calls = append(calls, frame{s, 0})
	}
	for root := range int32(g.States) {
		if index[root] != unseen {
			continue
		}
		enter(root)
		for len(calls) > 0 {
			f := &calls[len(calls)-1]
			s := f.state
			if edges := out.of(s); int(f.next) < len(edges) {
				t := edges[f.next]
				f.next++
				switch {
				case t.Label != tau:
				case index[t.To] == unseen:
					enter(t.To)
				case of[t.To] == unseen: // still on the stack
					low[s] = min(low[s], index[t.To])
				}
				continue
			}
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				p := calls[len(calls)-1].state
				low[p] = min(low[p], low[s])
			}
			if low[s] == index[s] {
				for {
					last := stack[len(stack)-1]
					stack = stack[:len(stack)-1]
					of[last] = int32(count)
					if last == s {
						break
					}
				}
				count++
			}
		}
	}
	return of, count
}

// collapse makes one state of each component under tau, so that tau has no cycles.
// The number of a state is then its rank. Where there was a cycle, and divergence
// is not negative, the state has a transition to itself with that label. It also
// returns the new state of each state.
func collapse(g *Graph, tau, divergence int32) (*Graph, []int32) {
	of, count := Components(g, tau)
	c := &Graph{Initial: int(of[g.Initial]), States: count, Labels: g.Labels}
	diverges := make([]bool, count)
	for _, t := range g.Transitions {
		from, to := of[t.From], of[t.To]
		if t.Label == tau && from == to {
			diverges[from] = true
			continue
		}
		c.Transitions = append(c.Transitions, Transition{from, t.Label, to})
	}
	if divergence >= 0 {
		for s, d := range diverges {
			if d {
				c.Transitions = append(c.Transitions, Transition{int32(s), divergence, int32(s)})
			}
		}
	}
	return c, of
}

// ranks returns the numbers 0 to n-1: the ranks of the states of a collapsed graph.
func ranks(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(i)
	}
	return list
}
