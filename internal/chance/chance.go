// Package chance holds finite graphs whose transitions lead to a distribution of
// states.
//
//	graph.Graph with draws ──Of──► Graph ──► .aut, .fsm, .dot
//	                                │ ▲
//	                          Reduce▼ │ modulo probabilistic bisimulation
//
// It knows nothing of models: a draw is a transition whose label begins with a
// certain name and has the probability as its first argument.
package chance

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/graph"
)

// A Graph has states 0 to States-1.
type Graph struct {
	Initial     Distribution
	States      int
	Labels      []string
	Transitions []Transition
}

// A Transition leads from a state to one of several.
type Transition struct {
	From, Label int
	To          Distribution
}

// A Distribution is a list of states with their probabilities, which are positive
// and have the sum 1. States are in ascending order.
type Distribution []Share

// A Share is a state with its probability.
type Share struct {
	State int
	P     *big.Rat
}

// Of returns a graph without its draws: transitions whose labels are name(p, …),
// where p is a probability. States with draws have nothing else. It fails where
// probabilities do not have the sum 1.
func Of(g *graph.Graph, name string) (*Graph, error) {
	c := collapse{graph: g, draws: make([][]draw, g.States), number: make([]int, g.States), known: map[int32]Distribution{}}
	weights := make([]*big.Rat, len(g.Labels))
	for i, text := range g.Labels {
		weights[i] = probability(text, name)
	}
	for _, t := range g.Transitions {
		if p := weights[t.Label]; p != nil {
			c.draws[t.From] = append(c.draws[t.From], draw{t.To, p})
		}
	}
	out := &Graph{}
	for s := range c.number {
		if c.draws[s] == nil {
			c.number[s] = out.States
			out.States++
		}
	}
	var err error
	if out.Initial, err = c.of(int32(g.Initial), nil); err != nil {
		return nil, err
	}
	labels := make([]int, len(g.Labels))
	for i, text := range g.Labels {
		if weights[i] == nil {
			labels[i] = len(out.Labels)
			out.Labels = append(out.Labels, text)
		}
	}
	for _, t := range g.Transitions {
		if weights[t.Label] != nil {
			continue
		}
		to, err := c.of(t.To, nil)
		if err != nil {
			return nil, err
		}
		out.Transitions = append(out.Transitions, Transition{c.number[t.From], labels[t.Label], to})
	}
	return out, nil
}

// probability returns the probability of a draw, or nil if a label is none.
func probability(label, name string) *big.Rat {
	if name == "" {
		return nil
	}
	rest, ok := strings.CutPrefix(label, name+"(")
	if !ok {
		return nil
	}
	p, ok := new(big.Rat).SetString(rest[:strings.IndexAny(rest+")", ",)")])
	if !ok {
		return nil
	}
	return p
}

type draw struct {
	to int32
	p  *big.Rat
}

type collapse struct {
	graph  *graph.Graph
	draws  [][]draw
	number []int // of states without draws
	known  map[int32]Distribution
}

// of returns the distribution that a state stands for.
func (c *collapse) of(s int32, outer []int32) (Distribution, error) {
	if c.draws[s] == nil {
		return Distribution{{c.number[s], big.NewRat(1, 1)}}, nil
	}
	if d, ok := c.known[s]; ok {
		return d, nil
	}
	if slices.Contains(outer, s) {
		return nil, diag.Usagef("state %d: draws without an end", s)
	}
	sum, shares := new(big.Rat), map[int]*big.Rat{}
	for _, w := range c.draws[s] {
		sum.Add(sum, w.p)
		next, err := c.of(w.to, append(outer[:len(outer):len(outer)], s))
		if err != nil {
			return nil, err
		}
		for _, n := range next {
			if shares[n.State] == nil {
				shares[n.State] = new(big.Rat)
			}
			shares[n.State].Add(shares[n.State], new(big.Rat).Mul(w.p, n.P))
		}
	}
	if sum.Cmp(big.NewRat(1, 1)) != 0 {
		return nil, diag.Usagef("state %d: the probabilities of a dist have the sum %s, want 1", s, sum.RatString())
	}
	d := sorted(shares)
	c.known[s] = d
	return d, nil
}

func sorted(shares map[int]*big.Rat) Distribution {
	var d Distribution
	for s, p := range shares {
		d = append(d, Share{s, p})
	}
	slices.SortFunc(d, func(a, b Share) int { return cmp.Compare(a.State, b.State) })
	return d
}

// Deadlocks counts states without transitions.
func (g *Graph) Deadlocks() int {
	busy := make([]bool, g.States)
	n := g.States
	for _, t := range g.Transitions {
		if !busy[t.From] {
			busy[t.From] = true
			n--
		}
	}
	return n
}
