package graph

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
)

// Graphs with about a million transitions.
func BenchmarkReduce(b *testing.B) {
	chain := &Graph{States: 1_000_001, Labels: []string{"a"}}
	for s := range int32(1_000_000) {
		chain.Transitions = append(chain.Transitions, Transition{s, 0, s + 1})
	}
	// Deterministic noise: each state has some transitions somewhere, three on average.
	random := &Graph{States: 350_000, Labels: []string{"tau", "a", "b", "c"}}
	x := uint64(1)
	for s := range int32(random.States) {
		for l := range int32(4) {
			x = x*6364136223846793005 + 1442695040888963407
			if x>>62 != 0 {
				random.Transitions = append(random.Transitions, Transition{s, l, int32(x >> 33 % uint64(random.States))})
			}
		}
	}
	grid := observed(b, ltstest.Grid(6, 8), explore.BreadthFirst) // 531441 states, 2.8 million transitions
	for _, test := range []struct {
		name string
		g    *Graph
	}{{"chain", chain}, {"random", random}, {"grid", grid}} {
		for _, e := range []Equivalence{Strong, Branching} {
			b.Run(test.name+"/"+e.String(), func(b *testing.B) {
				for b.Loop() {
					if _, err := Reduce(test.g, e, test.g.Labels[0]); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
