package graph

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
)

// An Equivalence says when two states are as good as each other.
type Equivalence uint8

// The equivalences, from the finest to the coarsest, except that Branching and
// DivergenceWeak are not finer than each other, nor are Trace and Weak. All but Strong and Trace know of tau.
const (
	Strong              Equivalence = iota // strong bisimulation
	DivergenceBranching                    // Branching, and an endless tau is not the same as none
	Branching                              // branching bisimulation
	DivergenceWeak                         // Weak, and an endless tau is not the same as none
	Weak                                   // weak bisimulation, Milner's observation equivalence
	Trace                                  // the same sequences of labels
	WeakTrace                              // the same, without tau
)

var equivalenceNames = [...]string{"bisim", "dpbranching-bisim", "branching-bisim", "dpweak-bisim", "weak-bisim", "trace", "weak-trace"}

// String returns the name that mCRL2's tools use.
func (e Equivalence) String() string { return equivalenceNames[e] }

// ParseEquivalence returns the equivalence with a name.
func ParseEquivalence(name string) (Equivalence, error) {
	if i := slices.Index(equivalenceNames[:], name); i >= 0 {
		return Equivalence(i), nil
	}
	return 0, diag.Usagef("unknown equivalence %q: say bisim, dpbranching-bisim, branching-bisim, dpweak-bisim, weak-bisim, trace or weak-trace", name)
}

// Reduce returns the smallest graph that is equivalent to g, with only what can be
// reached, states numbered breadth-first and the labels that occur. Tau is the
// text of the label that means an internal step. Only traces may fail: they can
// need too many states.
func Reduce(g *Graph, e Equivalence, tau string) (*Graph, error) {
	q, err := reduce(g.tidy(), e, tau)
	if err != nil {
		return nil, err
	}
	return q.tidy(), nil
}

// reduce is Reduce without numbering the states.
func reduce(g *Graph, e Equivalence, tau string) (*Graph, error) {
	if g.States == 0 {
		return g, nil
	}
	if e <= Weak {
		_, q := partition(g, e, g.label(tau))
		return q, nil
	}
	// Traces: what is bisimilar has the same ones, and makes for smaller sets.
	before, hidden := Strong, int32(-1)
	if e == WeakTrace {
		before, hidden = Weak, g.label(tau)
	}
	_, small := partition(g, before, g.label(tau))
	d, err := determinise(small, hidden)
	if err != nil {
		return nil, err
	}
	_, q := partition(d, Strong, -1)
	return q, nil
}

// partition returns the class of each state under one of the bisimulations, and
// the graph of classes, which are numbered in the order of their first states. Tau
// is a label, or -1 if there is none.
func partition(g *Graph, e Equivalence, tau int32) ([]int32, *Graph) {
	class, q := classes(g, e, tau)
	number := slices.Repeat([]int32{-1}, q.States)
	next := int32(0)
	for s, c := range class {
		if number[c] < 0 {
			number[c] = next
			next++
		}
		class[s] = number[c]
	}
	q.Initial = int(number[q.Initial])
	for i, t := range q.Transitions {
		q.Transitions[i] = Transition{number[t.From], t.Label, number[t.To]}
	}
	return class, q
}

// classes is partition without an order.
func classes(g *Graph, e Equivalence, tau int32) ([]int32, *Graph) {
	switch {
	case e == Strong || tau < 0:
		r := newRefiner(g, -1, nil)
		r.run()
		return r.block, r.quotient(g)
	case e == Branching:
		return branching(g, tau, -1)
	case e == DivergenceBranching:
		divergence := int32(len(g.Labels)) // its text does not matter
		class, q := branching(g, tau, divergence)
		return class, endless(q, divergence, tau)
	case e == Weak || e == DivergenceWeak:
		divergence := int32(-1)
		if e == DivergenceWeak {
			divergence = int32(len(g.Labels))
		}
		first, q := branching(g, tau, divergence)
		c, second := collapse(q, tau, -1)
		w := newWeaver(c, tau)
		w.run()
		class := make([]int32, g.States)
		for s := range class {
			class[s] = w.block[second[first[s]]]
		}
		return class, endless(w.quotient(), divergence, tau)
	}
	panic(diag.Bugf("%v is no bisimulation", e))
}

// endless makes tau of a label that stands for endless tau: it leads from states to
// themselves.
func endless(q *Graph, divergence, tau int32) *Graph {
	for i := range q.Transitions {
		if q.Transitions[i].Label == divergence {
			q.Transitions[i].Label = tau
		}
	}
	return q
}

// branching is partition for branching bisimulation. Divergence is a label for
// endless tau, or -1 if that does not matter.
func branching(g *Graph, tau, divergence int32) ([]int32, *Graph) {
	c, of := collapse(g, tau, divergence)
	r := newRefiner(c, tau, ranks(c.States))
	r.run()
	class := make([]int32, g.States)
	for s := range class {
		class[s] = r.block[of[s]]
	}
	return class, r.quotient(c)
}

// Compare reports whether the initial states of two graphs are equivalent. If
// they differ in their traces and e is about traces, it also returns a shortest
// trace that only one of them has.
func Compare(g, h *Graph, e Equivalence, tau string) (same bool, witness []string, err error) {
	switch {
	case g.States == 0 || h.States == 0:
		return g.States == h.States, nil, nil
	case e >= Trace:
		return compareTraces(g, h, e, tau)
	}
	u := union(g, h)
	class, _ := partition(u, e, u.label(tau))
	return class[g.Initial] == class[g.States+h.Initial], nil, nil
}

// HasTrace reports whether a graph has a trace. With a tau, such steps may be in
// between; it is "" for traces in which it counts.
func (g *Graph) HasTrace(trace []string, tau string) bool {
	if g.States == 0 {
		return false
	}
	out := g.outgoing()
	now := []int32{int32(g.Initial)}
	step := func(from []int32, label string, keep bool) []int32 {
		var list []int32
		seen := map[int32]bool{}
		add := func(s int32) {
			if !seen[s] {
				seen[s] = true
				list = append(list, s)
			}
		}
		if keep {
			for _, s := range from {
				add(s)
			}
			from = list
		}
		for i := 0; i < len(from); i++ {
			for _, t := range out.of(from[i]) {
				if g.Labels[t.Label] == label {
					add(t.To)
				}
			}
			if keep {
				from = list
			}
		}
		return list
	}
	for _, label := range trace {
		if tau != "" {
			now = step(now, tau, true)
		}
		now = step(now, label, false)
	}
	return len(now) > 0
}

// TraceFormula returns the formula that a graph has a trace, and the texts of its
// labels. Tau is "" for traces in which it counts.
func TraceFormula(trace []string, tau string) (*Formula, []string) {
	f := and()
	for i := len(trace) - 1; i >= 0; i-- {
		f = may(int32(i), f)
		if tau != "" {
			f = taus(f)
		}
	}
	return f, trace
}

// union puts two graphs side by side.
func union(g, h *Graph) *Graph {
	var b Builder
	u := Graph{Initial: g.Initial, States: g.States + h.States}
	add := func(g *Graph, offset int32) {
		labels := make([]int32, len(g.Labels))
		for i, text := range g.Labels {
			labels[i] = b.label(text)
		}
		for _, t := range g.Transitions {
			u.Transitions = append(u.Transitions, Transition{t.From + offset, labels[t.Label], t.To + offset})
		}
	}
	add(g, 0)
	add(h, int32(g.States))
	u.Labels = b.g.Labels
	return &u
}

// compareTraces goes through two deterministic graphs at once, breadth-first.
func compareTraces(g, h *Graph, e Equivalence, tau string) (bool, []string, error) {
	a, err := Reduce(g, e, tau)
	if err != nil {
		return false, nil, err
	}
	b, err := Reduce(h, e, tau)
	if err != nil {
		return false, nil, err
	}
	type both struct{ a, b int32 }
	type origin struct {
		from  int // in pairs
		label string
	}
	outA, outB := a.outgoing(), b.outgoing()
	pairs := []both{{int32(a.Initial), int32(b.Initial)}}
	origins := []origin{{-1, ""}}
	seen := map[both]bool{pairs[0]: true}
	for i := 0; i < len(pairs); i++ {
		// Both lists are in the order of the texts, see tidy.
		x, y := outA.of(pairs[i].a), outB.of(pairs[i].b)
		for k := range max(len(x), len(y)) {
			var only string
			switch {
			case k >= len(x):
				only = b.Labels[y[k].Label]
			case k >= len(y):
				only = a.Labels[x[k].Label]
			default:
				only = min(a.Labels[x[k].Label], b.Labels[y[k].Label])
			}
			if k >= len(x) || k >= len(y) || a.Labels[x[k].Label] != b.Labels[y[k].Label] {
				witness := []string{only}
				for at := i; origins[at].from >= 0; at = origins[at].from {
					witness = append(witness, origins[at].label)
				}
				slices.Reverse(witness)
				return false, witness, nil
			}
			next := both{x[k].To, y[k].To}
			if !seen[next] {
				seen[next] = true
				pairs = append(pairs, next)
				origins = append(origins, origin{i, only})
			}
		}
	}
	return true, nil, nil
}

// divergence reports whether endless tau matters.
func (e Equivalence) divergence() bool { return e == DivergenceBranching || e == DivergenceWeak }

// weak reports whether it is weak bisimulation.
func (e Equivalence) weak() bool { return e == Weak || e == DivergenceWeak }

// Classes returns the class of each state under a bisimulation, and the graph of classes, which are numbered in the order of their
// first states. Traces have none.
func Classes(g *Graph, e Equivalence, tau string) ([]int32, *Graph) {
	if e > Weak {
		e = Strong
	}
	return partition(g, e, g.label(tau))
}
