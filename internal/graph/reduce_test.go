package graph

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"pgregory.net/rapid"
)

// show writes a graph as parse reads it.
func show(g *Graph) string {
	var lines []string
	for _, t := range g.Transitions {
		lines = append(lines, fmt.Sprintf("%d %s %d", t.From, g.Labels[t.Label], t.To))
	}
	return strings.Join(lines, "\n")
}

func TestReduce(t *testing.T) {
	for _, test := range []struct {
		name, graph string
		e           Equivalence
		want        string
	}{
		{"a loop of equal states", "0 a 1\n1 a 2\n2 a 0", Strong, "0 a 0"},
		{"two ends", "0 a 1\n0 a 2\n0 b 3", Strong, "0 a 1\n0 b 1"},
		{"what cannot be reached", "0 a 0\n1 b 1", Strong, "0 a 0"},
		{"choices differ", "0 a 1\n0 a 2\n1 b 3\n2 c 3", Strong, "0 a 1\n0 a 2\n1 b 3\n2 c 3"},
		{"tau is a label", "0 tau 1\n1 a 2", Strong, "0 tau 1\n1 a 2"},
		{"tau that decides nothing", "0 tau 1\n1 a 2", Branching, "0 a 1"},
		{"tau that decides", "0 tau 1\n0 b 2\n1 a 2", Branching, "0 b 1\n0 tau 2\n2 a 1"},
		{"a cycle of tau", "0 tau 1\n1 tau 0\n0 a 2\n1 b 2", Branching, "0 a 1\n0 b 1"},
		{"a cycle of tau is an endless one", "0 tau 1\n1 tau 0\n0 a 2\n1 b 2", DivergenceBranching, "0 a 1\n0 b 1\n0 tau 0"},
		{"tau to an endless one", "0 tau 1\n1 tau 1\n1 a 2", DivergenceBranching, "0 a 1\n0 tau 0"},
		// Milner's third law, a.(tau.b + c) + a.b = a.(tau.b + c), holds for weak
		// bisimulation and not for branching.
		{"third law", "0 a 1\n0 a 3\n1 tau 2\n1 c 4\n2 b 4\n3 b 4", Weak, "0 a 1\n1 c 2\n1 tau 3\n3 b 2"},
		{"third law, branching", "0 a 1\n0 a 3\n1 tau 2\n1 c 4\n2 b 4\n3 b 4", Branching, "0 a 1\n0 a 2\n1 c 3\n1 tau 2\n2 b 3"},
		// tau.a + a = tau.a = a.
		{"second law", "0 tau 1\n1 a 2\n0 a 2", Weak, "0 a 1"},
		{"a loop of tau, weakly", "0 tau 1\n1 tau 0\n1 a 2", Weak, "0 a 1"},
		{"a loop of tau is endless, weakly", "0 tau 1\n1 tau 0\n1 a 2", DivergenceWeak, "0 a 1\n0 tau 0"},
		{"third law with an endless tau", "0 a 1\n0 a 3\n1 tau 2\n1 c 4\n2 b 4\n3 b 4\n3 tau 3", DivergenceWeak, "0 a 1\n0 a 2\n1 c 3\n1 tau 4\n2 b 3\n2 tau 2\n4 b 3"},
		{"steps that follow from others", "0 tau 1\n1 tau 2\n0 tau 2\n0 a 3\n1 b 3\n2 c 3\n0 b 3\n0 c 3", Weak, "0 a 1\n0 tau 2\n2 b 1\n2 tau 3\n3 c 1"},
		{"traces", "0 a 1\n0 a 2\n1 b 3\n2 c 3", Trace, "0 a 1\n1 b 2\n1 c 2"},
		{"traces with tau", "0 a 1\n0 tau 2\n2 a 3\n3 b 3", Trace, "0 a 1\n0 tau 2\n2 a 3\n3 b 3"},
		{"weak traces", "0 a 1\n0 tau 2\n2 a 3\n3 b 3", WeakTrace, "0 a 1\n1 b 1"},
		{"one state", "", WeakTrace, ""},
		{"without tau", "0 a 1\n0 a 2", Weak, "0 a 1"},
	} {
		q, err := Reduce(parse(t, test.graph), test.e, "tau")
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got := show(q); got != test.want {
			t.Errorf("%s, %v: got\n%s\nwant\n%s", test.name, test.e, got, test.want)
		}
	}
}

// Counters that count up independently are, up to bisimulation, as many as there
// are; if nobody sees which one counts, there is one that counts to the sum.
func TestReduceGrid(t *testing.T) {
	g := observed(t, ltstest.Grid(3, 4), explore.BreadthFirst)
	q, err := Reduce(g, Strong, "")
	if err != nil || q.States != 125 {
		t.Errorf("got %d states, %v, want 125", q.States, err)
	}
	for i := range g.Labels {
		g.Labels[i] = "up"
	}
	one := &Graph{States: g.States, Labels: []string{"up"}}
	for _, e := range g.Transitions {
		one.Transitions = append(one.Transitions, Transition{e.From, 0, e.To})
	}
	if q, err = Reduce(one, Strong, ""); err != nil || q.States != 13 || len(q.Transitions) != 12 {
		t.Errorf("got %d states, %d transitions, %v, want 13 and 12", q.States, len(q.Transitions), err)
	}
}

func TestCompare(t *testing.T) {
	const all = "bisim dpbranching-bisim branching-bisim dpweak-bisim weak-bisim trace weak-trace"
	for _, test := range []struct{ name, g, h, same string }{
		{"the same", "0 a 1\n1 b 0", "0 a 1\n1 b 2\n2 a 1", all},
		{"when to choose", "0 a 1\n0 a 2\n1 b 3\n2 c 3", "0 a 1\n1 b 3\n1 c 3", "trace weak-trace"},
		{"tau between", "0 a 1\n1 tau 2\n2 b 3", "0 a 1\n1 b 2", "dpbranching-bisim branching-bisim dpweak-bisim weak-bisim weak-trace"},
		{"endless tau", "0 a 1\n1 tau 1", "0 a 1", "branching-bisim weak-bisim weak-trace"},
		{"third law", "0 a 1\n0 a 3\n1 tau 2\n1 c 4\n2 b 4\n3 b 4", "0 a 1\n1 tau 2\n1 c 4\n2 b 4", "dpweak-bisim weak-bisim weak-trace"},
		// The first can go to what the second is, which is not enough.
		{"part of the other", "0 tau 1\n0 b 2\n1 a 2", "0 a 1", ""},
		{"other label", "0 a 1", "0 b 1", ""},
	} {
		var same []string
		for e := Strong; e <= WeakTrace; e++ {
			forth, _, err1 := Compare(parse(t, test.g), parse(t, test.h), e, "tau")
			back, _, err2 := Compare(parse(t, test.h), parse(t, test.g), e, "tau")
			if err1 != nil || err2 != nil || forth != back {
				t.Errorf("%s, %v: got %v and %v, %v, %v", test.name, e, forth, back, err1, err2)
			}
			if forth {
				same = append(same, e.String())
			}
		}
		if got := strings.Join(same, " "); got != test.same {
			t.Errorf("%s: got %q, want %q", test.name, got, test.same)
		}
	}
}

func TestCompareWitness(t *testing.T) {
	g := parse(t, "0 a 1\n1 tau 2\n2 b 3\n3 c 0")
	for _, test := range []struct{ h, want string }{
		{"0 a 1\n1 b 2\n2 c 0", ""},
		{"0 a 1\n1 b 2\n2 d 0", "a b c"},
		{"0 a 1\n1 b 2\n2 c 0\n2 a 0", "a b a"},
		{"0 a 0", "a a"},
		{"", "a"},
	} {
		same, witness, err := Compare(g, parse(t, test.h), WeakTrace, "tau")
		if got := strings.Join(witness, " "); err != nil || got != test.want || same != (test.want == "") {
			t.Errorf("%q: got %v, %q, %v, want %q", test.h, same, got, err, test.want)
		}
	}
}

func TestParseEquivalence(t *testing.T) {
	for e := Strong; e <= WeakTrace; e++ {
		if got, err := ParseEquivalence(e.String()); err != nil || got != e {
			t.Errorf("got %v, %v, want %v", got, err, e)
		}
	}
	if _, err := ParseEquivalence("strong"); err == nil {
		t.Error("strong: got no error")
	}
}

// draw draws a graph with up to n states.
func draw(t *rapid.T, n int, labels []string) *Graph {
	g := &Graph{States: rapid.IntRange(1, n).Draw(t, "states"), Labels: labels}
	state := rapid.Int32Range(0, int32(g.States-1))
	g.Initial = int(state.Draw(t, "initial"))
	g.Transitions = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Transition {
		return Transition{state.Draw(t, "from"), rapid.Int32Range(0, int32(len(labels)-1)).Draw(t, "label"), state.Draw(t, "to")}
	}), 0, 3*g.States).Draw(t, "transitions")
	return g
}

// Two ways, one answer: the classes are those of the definitions.
func TestPartitionIsByTheBook(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := draw(t, 7, []string{"tau", "a", "b"})
		for e := Strong; e <= Weak; e++ {
			class, q := partition(g, e, 0)
			want := byTheBook(g, e)
			classes := slices.Clone(class)
			slices.Sort(classes)
			if n := len(slices.Compact(classes)); n != q.States {
				t.Fatalf("%v: got %d states, want the %d classes", e, q.States, n)
			}
			for s := range g.States {
				for u := range g.States {
					if got := class[s] == class[u]; got != want[s][u] {
						t.Fatalf("%v: states %d and %d are equivalent: got %v, want %v\n%s", e, s, u, got, want[s][u], show(g))
					}
				}
			}
		}
	})
}

// Weak bisimulation with divergence as van Glabbeek, Luttik and Trčka define it: if a
// state has an endless tau along states that are related to another, then so has the
// other.
func TestDivergenceWeak(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := draw(t, 6, []string{"tau", "a"})
		class, _ := partition(g, DivergenceWeak, 0)
		endless := make([]bool, g.States) // along states of its class
		for s := range endless {
			endless[s] = true
		}
		for range g.States {
			for s := range endless {
				endless[s] = endless[s] && slices.ContainsFunc(g.Transitions, func(x Transition) bool {
					return int(x.From) == s && x.Label == 0 && class[x.To] == class[s] && endless[x.To]
				})
			}
		}
		for s := range endless {
			for u := range endless {
				if class[s] == class[u] && endless[s] != endless[u] {
					t.Fatalf("states %d and %d are equivalent, and one of them goes on for ever\n%s", s, u, show(g))
				}
			}
		}
	})
}

func TestReduceProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := draw(t, 12, []string{"b", "tau", "a"})
		shuffled := *g
		shuffled.Transitions = rapid.Permutation(g.Transitions).Draw(t, "order")
		for e := Strong; e <= WeakTrace; e++ {
			q, err := Reduce(g, e, "tau")
			if err != nil {
				t.Fatal(err)
			}
			if same, _, err := Compare(g, q, e, "tau"); err != nil || !same {
				t.Fatalf("%v: the reduced graph is not equivalent: %v\n%s\nand\n%s", e, err, show(g), show(q))
			}
			if again, err := Reduce(q, e, "tau"); err != nil || again.States != q.States || len(again.Transitions) != len(q.Transitions) {
				t.Fatalf("%v: reduced twice: got\n%s\nwant\n%s", e, show(again), show(q))
			}
			if other, err := Reduce(&shuffled, e, "tau"); err != nil || show(other) != show(q) {
				t.Fatalf("%v: transitions in another order: got\n%s\nwant\n%s", e, show(other), show(q))
			}
			if e >= Trace && !q.Info().Deterministic {
				t.Fatalf("%v: got\n%s\nwant it deterministic", e, show(q))
			}
		}
	})
}

// Each equivalence is coarser than those that its comment says.
func TestHierarchy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, h := draw(t, 4, []string{"tau", "a"}), draw(t, 4, []string{"tau", "a"})
		var same [WeakTrace + 1]bool
		for e := Strong; e <= WeakTrace; e++ {
			same[e], _, _ = Compare(g, h, e, "tau")
		}
		for _, finer := range [][2]Equivalence{
			{Strong, DivergenceBranching}, {DivergenceBranching, Branching}, {Branching, Weak}, {DivergenceBranching, DivergenceWeak}, {DivergenceWeak, Weak}, {Strong, Trace}, {Weak, WeakTrace}, {Trace, WeakTrace},
		} {
			if same[finer[0]] && !same[finer[1]] {
				t.Fatalf("equal under %v and not under %v:\n%s\nand\n%s", finer[0], finer[1], show(g), show(h))
			}
		}
		if same[Trace] != slices.Equal(tracesOf(g, "", 9), tracesOf(h, "", 9)) {
			t.Fatalf("traces: got %v\n%s\nand\n%s", same[Trace], show(g), show(h))
		}
	})
}
