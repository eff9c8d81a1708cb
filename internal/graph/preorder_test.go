package graph

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWithin(t *testing.T) {
	const all = "sim ready-sim trace weak-trace failures weak-failures"
	for _, test := range []struct{ name, g, h, want string }{
		{"the same", "0 a 1\n1 b 0", "0 a 1\n1 b 2\n2 a 1", all},
		{"less", "0 a 1", "0 a 1\n0 b 1", "sim trace weak-trace"},
		{"more", "0 a 1\n0 b 1", "0 a 1", ""},
		{"later choice", "0 a 1\n1 b 3\n1 c 3", "0 a 1\n0 a 2\n1 b 3\n2 c 3", "trace weak-trace failures weak-failures"},
		{"earlier choice", "0 a 1\n0 a 2\n1 b 3\n2 c 3", "0 a 1\n1 b 3\n1 c 3", "sim trace weak-trace"},
		// a.b + a.(b + c) and a.(b + c): the first may refuse c.
		{"simulated, not ready", "0 a 1\n1 b 3\n0 a 2\n2 b 3\n2 c 3", "0 a 2\n2 b 3\n2 c 3", "sim trace weak-trace"},
		{"tau", "0 tau 1\n1 a 2", "0 a 1", "weak-trace weak-failures"},
		{"tau that decides", "0 tau 1\n1 a 2\n0 b 2", "0 a 1\n0 b 1", "weak-trace"},
		{"endless tau refuses nothing", "0 tau 0\n0 a 1", "0 a 1\n0 b 1", "weak-trace weak-failures"},
	} {
		var got []string
		for p := Simulation; p <= WeakFailures; p++ {
			more, err := Within(parse(t, test.g), parse(t, test.h), p, "tau")
			if err != nil {
				t.Fatal(err)
			}
			if more == nil {
				got = append(got, p.String())
			}
		}
		slices.Sort(got)
		want := strings.Fields(test.want)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", test.name, got, want)
		}
	}
}

func TestWithinWhy(t *testing.T) {
	for _, test := range []struct {
		g, h                    string
		p                       Preorder
		trace, refuses, formula string
	}{
		{"0 a 1\n1 b 3\n1 c 3", "0 a 1\n0 a 2\n1 b 3\n2 c 3", Simulation, "", "", "<a>(<b>true && <c>true)"},
		{"0 a 1\n1 b 3\n0 a 2\n2 b 3\n2 c 3", "0 a 2\n2 b 3\n2 c 3", ReadySimulation, "", "", "<a>[c]false"},
		{"0 a 1\n1 b 3\n0 a 2\n2 b 3\n2 c 3", "0 a 2\n2 b 3\n2 c 3", Failures, "a", "c", "<a>[c]false"},
		{"0 tau 1\n1 a 2\n0 b 2", "0 a 1\n0 b 1", WeakFailures, "", "b", "<tau*>([tau]false && [b]false)"},
		{"0 a 1\n1 tau 2\n2 b 3", "0 a 1\n1 c 2", WeakTraceOrder, "a b", "", "<tau* . a . tau* . b>true"},
		{"0 a 1\n1 tau 2\n2 b 3", "0 a 1\n1 b 2", TraceOrder, "a tau", "", "<a . tau>true"},
	} {
		more, err := Within(parse(t, test.g), parse(t, test.h), test.p, "tau")
		if err != nil || more == nil {
			t.Fatalf("%v: got %v, %v", test.p, more, err)
		}
		text := more.Formula.Text(more.Labels, func(l string) string { return l }, "tau")
		if trace, refuses := strings.Join(more.Trace, " "), strings.Join(more.Refuses, " "); trace != test.trace || refuses != test.refuses || text != test.formula {
			t.Errorf("%v: got %q, %q, %s, want %q, %q, %s", test.p, trace, refuses, text, test.trace, test.refuses, test.formula)
		}
	}
}

// simulatedByTheBook starts with all pairs and removes those that cannot answer.
func simulatedByTheBook(u *Graph, ready bool) [][]bool {
	labels := func(s int) (set [9]bool) {
		for _, x := range u.Transitions {
			if int(x.From) == s {
				set[x.Label] = true
			}
		}
		return set
	}
	below := make([][]bool, u.States)
	for s := range below {
		for t := range u.States {
			below[s] = append(below[s], !ready || labels(s) == labels(t))
		}
	}
	for again := true; again; {
		again = false
		for s := range u.States {
			for t := range u.States {
				if below[s][t] && slices.ContainsFunc(u.Transitions, func(x Transition) bool {
					return int(x.From) == s && !slices.ContainsFunc(u.Transitions, func(y Transition) bool {
						return int(y.From) == t && y.Label == x.Label && below[x.To][y.To]
					})
				}) {
					below[s][t], again = false, true
				}
			}
		}
	}
	return below
}

// behindTrace returns the states behind a trace. With weak, label 0 may be in between.
func behindTrace(g *Graph, trace []int32, weak bool) []int {
	now := []int{g.Initial}
	for i := 0; ; i++ {
		if weak {
			var all []int
			for _, s := range now {
				all = append(all, silent(g, s)...)
			}
			now = all
		}
		if i == len(trace) {
			return now
		}
		var next []int
		for _, s := range now {
			for _, x := range g.Transitions {
				if int(x.From) == s && x.Label == trace[i] && !slices.Contains(next, int(x.To)) {
					next = append(next, int(x.To))
				}
			}
		}
		now = next
	}
}

// canRefuse reports whether a state refuses labels, given as bits. With weak, a state
// that can do label 0 refuses nothing.
func canRefuse(g *Graph, s int, labels int, weak bool) bool {
	return !slices.ContainsFunc(g.Transitions, func(x Transition) bool {
		return int(x.From) == s && (labels>>x.Label&1 == 1 || weak && x.Label == 0)
	})
}

// moreByTheBook looks for a trace of g up to a length that h does not have, or, for
// failures, behind which g refuses what h does not.
func moreByTheBook(g, h *Graph, p Preorder, most int) bool {
	weak := p == WeakTraceOrder || p == WeakFailures
	first := int32(0)
	if weak {
		first = 1
	}
	var look func(trace []int32) bool
	look = func(trace []int32) bool {
		a, b := behindTrace(g, trace, weak), behindTrace(h, trace, weak)
		if len(a) == 0 {
			return false
		}
		if len(b) == 0 {
			return true
		}
		for set := range 1 << len(g.Labels) {
			if p >= Failures && slices.ContainsFunc(a, func(s int) bool { return canRefuse(g, s, set, weak) }) &&
				!slices.ContainsFunc(b, func(s int) bool { return canRefuse(h, s, set, weak) }) {
				return true
			}
		}
		for l := first; int(l) < len(g.Labels) && len(trace) < most; l++ {
			if look(append(trace[:len(trace):len(trace)], l)) {
				return true
			}
		}
		return false
	}
	return look(nil)
}

// TestPreordersAreByTheBook: two ways, one answer.
func TestPreordersAreByTheBook(t *testing.T) {
	var counts [WeakFailures + 1][2]int
	rapid.Check(t, func(t *rapid.T) {
		labels := []string{"tau", "a", "b"}
		g, h := draw(t, 4, labels), draw(t, 4, labels)
		if rapid.Bool().Draw(t, "near") { // a graph that is nearly the other
			h = &Graph{Initial: g.Initial, States: g.States, Labels: labels, Transitions: slices.Clone(g.Transitions)}
			if n := len(h.Transitions); n > 0 {
				h.Transitions[rapid.IntRange(0, n-1).Draw(t, "which")].Label = rapid.Int32Range(0, 2).Draw(t, "label")
			}
		}
		u := union(g, h)
		for p := Simulation; p <= WeakFailures; p++ {
			more, err := Within(g, h, p, "tau")
			if err != nil {
				t.Fatal(err)
			}
			got := more == nil
			want := p > ReadySimulation && !moreByTheBook(g, h, p, 7)
			if p <= ReadySimulation {
				want = simulatedByTheBook(u, p == ReadySimulation)[g.Initial][g.States+h.Initial]
			}
			if got != want && !(p > ReadySimulation && want && len(more.Trace) > 7) {
				t.Fatalf("%v: got %v, want %v\n%s\nand\n%s", p, got, want, show(g), show(h))
			}
			if got {
				counts[p][0]++
			} else {
				counts[p][1]++
			}
		}
	})
	for p := Simulation; p <= WeakFailures; p++ {
		if counts[p][0] < 10 || counts[p][1] < 10 {
			t.Errorf("%v: %v graphs are below and not below others: too few", p, counts[p])
		}
	}
}
