package graph

import "testing"

// TestDistinguish: formulas of well-known pairs. internal/model has those of random
// ones judged.
func TestDistinguish(t *testing.T) {
	for _, test := range []struct {
		name, g, h string
		e          Equivalence
		want       string
	}{
		{"when to choose", "0 a 1\n0 a 2\n1 b 3\n2 c 3", "0 a 1\n1 b 3\n1 c 3", Strong, "<a>[b]false"},
		{"the other way round", "0 a 1\n1 b 3\n1 c 3", "0 a 1\n0 a 2\n1 b 3\n2 c 3", Strong, "[a]<b>true"},
		{"two things at once", "0 a 1\n1 b 3\n1 c 3\n0 a 4\n4 b 3\n0 a 5\n5 c 3", "0 a 4\n4 b 3\n0 a 5\n5 c 3", Strong, "<a>(<c>true && <b>true)"},
		{"tau is a label", "0 tau 1\n1 a 2", "0 a 1", Strong, "<tau>true"},
		{"tau that decides", "0 tau 1\n0 b 2\n1 a 2", "0 b 1\n0 a 1", Branching, "<tau*>[tau* . b]false"},
		// Milner's third law holds for weak bisimulation and not for branching.
		{"third law", "0 a 1\n0 a 3\n1 tau 2\n1 c 4\n2 b 4\n3 b 4", "0 a 1\n1 tau 2\n1 c 4\n2 b 4", Branching, "<tau* . a>[tau* . c]false"},
		{"endless tau", "0 a 1\n1 tau 1", "0 a 1", DivergenceBranching, "<tau* . a>(nu X1. <tau>X1)"},
		{"no endless tau", "0 a 1", "0 a 1\n1 tau 1", DivergenceBranching, "<tau* . a>(mu X1. [tau]X1)"},
		{"weak", "0 a 1\n1 tau 2\n1 b 3\n2 c 3", "0 a 1\n1 b 3\n1 c 3", Weak, "<tau* . a . tau*>[tau* . b]false"},
	} {
		f, labels := Distinguish(parse(t, test.g), parse(t, test.h), test.e, "tau")
		if f == nil {
			t.Errorf("%s: got no formula", test.name)
			continue
		}
		if got := f.Text(labels, func(l string) string { return l }, "tau"); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

// TestDistinguishChain: a formula that nobody would read is not made.
func TestDistinguishChain(t *testing.T) {
	chain := func(n int32) *Graph {
		g := &Graph{States: int(n) + 1, Labels: []string{"a"}}
		for s := range n {
			g.Transitions = append(g.Transitions, Transition{s, 0, s + 1})
		}
		return g
	}
	if f, _ := Distinguish(chain(100), chain(101), Strong, "tau"); f == nil || f.Size() != 103 { // 101 steps, [ends] and false
		t.Errorf("got %v, want a formula of 103 operators", f)
	}
	if f, _ := Distinguish(chain(MaxFormula), chain(MaxFormula+1), Strong, "tau"); f != nil {
		t.Errorf("got a formula of %d operators", f.Size())
	}
}
