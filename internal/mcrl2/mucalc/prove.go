package mucalc

import (
	"encoding/binary"
	"fmt"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/formula"
	"github.com/heddle-mc/heddle/internal/mcrl2/record"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
)

// That a formula holds has evidence: what the player who wants it to hold chooses. Whoever has it need not
// solve the game. He makes only those vertices that the choices lead to, whatever the other player
// does, and looks whether that player can get anywhere: to a vertex where the first one is stuck, or around
// a loop whose highest priority is odd. Neither is a matter of the game's solution, and nothing of the evidence is believed.
//
// Evidence is a list of numbers: of each vertex with several successors that belongs to the player, in the order in
// which vertices are made, which one is chosen.

// Evidence returns why a formula holds, which Verify takes.
func (o *Outcome) Evidence() ([]byte, error) {
	if !o.Holds {
		return nil, diag.Bugf("evidence of a formula that does not hold")
	}
	full := o.solution
	b := full.anew()
	var out []byte
	err := b.played(full.root, func(k vertexKey, list []vertexKey) (int, error) {
		next := full.strategy[full.known[k]]
		for i, to := range list {
			if next >= 0 && full.vertices[next] == to {
				out = binary.AppendUvarint(out, uint64(i))
				return i, nil
			}
		}
		return 0, diag.Bugf("the winner of a game goes nowhere")
	})
	if err == nil {
		err = b.won()
	}
	if err != nil {
		return nil, diag.Bugf("the solution of a formula's game is wrong: %v", err)
	}
	return out, nil
}

// Verify finds out whether evidence shows that a formula holds in the initial state of a graph, which is as for
// Solve. An error that has no kind says why it does not.
func Verify(f *formula.Formula, g *record.Graph, sys *state.System, evidence []byte) error {
	b, root, err := newBuilder(f, g, sys)
	if err != nil {
		return err
	}
	err = b.played(root, func(_ vertexKey, list []vertexKey) (int, error) {
		x, n := binary.Uvarint(evidence)
		if n <= 0 {
			return 0, fmt.Errorf("it ends before the choices do")
		}
		if evidence = evidence[n:]; x >= uint64(len(list)) {
			return 0, fmt.Errorf("choice %d of %d", x+1, len(list))
		}
		return int(x), nil
	})
	if err == nil && len(evidence) > 0 {
		err = fmt.Errorf("it has more choices than there are")
	}
	if err != nil {
		return err
	}
	return b.won()
}

// anew returns a builder of the same game that has made nothing yet.
func (b *builder) anew() *builder {
	return &builder{compiler: b.compiler, graph: b.graph, match: b.match, known: map[vertexKey]int32{}, envs: b.envs, values: b.values, constants: b.constants}
}

// played makes the vertices that are reached if the verifier goes where choose says.
func (b *builder) played(root *node, choose func(k vertexKey, list []vertexKey) (int, error)) error {
	b.vertex(0, root, 0)
	b.first = append(b.first, 0)
	var list []vertexKey
	for v := 0; v < len(b.vertices); v++ {
		if err := b.tooLarge(); err != nil {
			return err
		}
		made, start := len(b.vertices), len(b.succ)
		if err := b.expand(b.vertices[v]); err != nil {
			return err
		}
		if b.owner[v] == verifier && len(b.succ)-start > 1 {
			list = list[:0]
			for _, w := range b.succ[start:] {
				list = append(list, b.vertices[w])
			}
			i, err := choose(b.vertices[v], list)
			if err != nil {
				return err
			}
			b.forget(made)
			b.succ = b.succ[:start]
			b.edge(list[i].state, b.nodes[list[i].node], list[i].env)
		}
		b.first = append(b.first, int32(len(b.succ)))
	}
	return nil
}

// forget forgets all vertices but the first so many.
func (b *builder) forget(n int) {
	for _, k := range b.vertices[n:] {
		delete(b.known, k)
	}
	b.vertices, b.owner, b.priority = b.vertices[:n], b.owner[:n], b.priority[:n]
}

// won returns nil if the verifier wins a game in which it has no choice, and how the other one gets the better of it
// otherwise.
func (g *game) won() error {
	odd := map[int8]bool{}
	for v, p := range g.priority {
		if g.owner[v] == verifier && g.first[v] == g.first[v+1] {
			return fmt.Errorf("it leads to where the formula does not hold")
		}
		if p%2 == 1 {
			odd[p] = true
		}
	}
	for p := range odd {
		if g.loops(p) {
			return fmt.Errorf("it leads around a loop on which the formula does not hold")
		}
	}
	return nil
}

// loops reports whether there is a loop with a priority on it and no higher one: a strongly connected component of
// the vertices with at most that priority which has one of them, and an edge inside (Tarjan's algorithm).
func (g *game) loops(p int8) bool {
	n := len(g.owner)
	number, low := make([]int32, n), make([]int32, n)
	onStack := make([]bool, n)
	type call struct{ v, next int32 }
	var stack []int32
	var calls []call
	count := int32(0)
	for root := range n {
		if number[root] != 0 || g.priority[root] > p {
			continue
		}
		calls = append(calls, call{int32(root), 0})
		for len(calls) > 0 {
			c := &calls[len(calls)-1]
			v := c.v
			if number[v] == 0 {
				count++
				number[v], low[v] = count, count
				stack, onStack[v] = append(stack, v), true
				c.next = g.first[v]
			}
			if c.next < g.first[v+1] {
				w := g.succ[c.next]
				c.next++
				switch {
				case g.priority[w] > p:
				case number[w] == 0:
					calls = append(calls, call{w, 0})
				case w == v && g.priority[v] == p:
					return true
				case onStack[w]:
					low[v] = min(low[v], number[w])
				}
				continue
			}
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				up := calls[len(calls)-1].v
				low[up] = min(low[up], low[v])
			}
			if low[v] != number[v] {
				continue
			}
			size, has := 0, false
			for top := int32(-1); top != v; size++ {
				top = stack[len(stack)-1]
				stack, onStack[top] = stack[:len(stack)-1], false
				has = has || g.priority[top] == p
			}
			if size > 1 && has {
				return true
			}
		}
	}
	return false
}
