package graph

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A Preorder says when a graph does no more than another.
type Preorder uint8

// The preorders. Tau is a label as others are where the comment does not say
// otherwise.
const (
	Simulation      Preorder = iota // each step is answered by one to a state that simulates its end
	ReadySimulation                 // and states that simulate each other can do the same labels
	TraceOrder                      // each sequence of labels is one of the other
	WeakTraceOrder                  // the same, without tau
	Failures                        // and what can be refused behind it can be refused there
	WeakFailures                    // the same with tau: states without tau refuse what they cannot do
)

var preorderNames = [...]string{"sim", "ready-sim", "trace", "weak-trace", "failures", "weak-failures"}

// String returns the name that mCRL2's tools use.
func (p Preorder) String() string { return preorderNames[p] }

// ParsePreorder returns the preorder with a name.
func ParsePreorder(name string) (Preorder, error) {
	switch name {
	case "simulation":
		return Simulation, nil
	case "ready-simulation":
		return ReadySimulation, nil
	}
	if i := slices.Index(preorderNames[:], name); i >= 0 {
		return Preorder(i), nil
	}
	return 0, diag.Usagef("unknown preorder %q: say simulation, ready-simulation, trace, weak-trace, failures or weak-failures", name)
}

// An Excess is what one graph does and another does not.
type Excess struct {
	Trace   []string // nil for simulations
	Refuses []string // behind the trace, with nothing else that it needs; nil if the trace is too much
	Formula *Formula // holds in the first and not in the second; nil if it would be too long
	Labels  []string // of the formula
}

// Within reports, by nil, whether the initial state of g is below that of h.
func Within(g, h *Graph, p Preorder, tau string) (*Excess, error) {
	switch {
	case g.States == 0 || h.States == 0:
		return nil, diag.Usagef("a graph without states is not compared")
	case p == Simulation || p == ReadySimulation:
		return simulate(g, h, p)
	}
	return refines(g, h, p, tau)
}

// maxSimulated bounds the pairs of states that are looked at.
const maxSimulated = 1 << 23

// A simulator finds out which states of a graph simulate which: it goes through the
// pairs that the first one leads to, and takes away those of which a step has no
// answer left. What was taken away has a reason: a step whose answers were all taken
// away before.
type simulator struct {
	valuer
	pairs  [][2]int32 // of states
	number map[[2]int32]int32
	tasks  []task
	waits  [][]int32  // of each pair: the tasks that it is an answer to
	reason []int32    // of a pair that is taken away: its task, or -1; 0 if it is not
	made   []*Formula // of pairs
	queue  []int32    // pairs that are taken away
	whole  []*Formula // ready simulation: what a pair differs in at once
}

// A task is a step of the first state of a pair, with the number of answers.
type task struct {
	pair int32
	step Transition
	left int32
}

func simulate(g, h *Graph, p Preorder) (*Excess, error) {
	u := union(g, h)
	class, q := partition(u, Strong, -1)
	m := &simulator{valuer: valuer{out: q.outgoing(), tau: -1, endless: -1}, number: map[[2]int32]int32{}, tasks: []task{{}}}
	m.pair(class[g.Initial], class[g.States+h.Initial])
	for i := int32(0); int(i) < len(m.pairs); i++ {
		if len(m.pairs) > maxSimulated {
			return nil, diag.Incompletef("more than %d pairs of states have to be looked at", maxSimulated)
		}
		m.expand(i, p == ReadySimulation)
	}
	for i := 0; i < len(m.queue) && m.reason[0] == 0; i++ {
		for _, t := range m.waits[m.queue[i]] {
			if m.tasks[t].left--; m.tasks[t].left == 0 {
				m.take(m.tasks[t].pair, t)
			}
		}
	}
	if m.reason[0] == 0 {
		return nil, nil
	}
	e := &Excess{Formula: m.formula(0), Labels: u.Labels}
	if e.Formula.size > MaxFormula {
		e.Formula = nil
	}
	return e, nil
}

func (m *simulator) pair(s, t int32) int32 {
	key := [2]int32{s, t}
	n, ok := m.number[key]
	if !ok {
		n = int32(len(m.pairs))
		m.number[key] = n
		m.pairs = append(m.pairs, key)
		m.waits, m.reason = append(m.waits, nil), append(m.reason, 0)
		m.made, m.whole = append(m.made, nil), append(m.whole, nil)
	}
	return n
}

// take takes a pair away.
func (m *simulator) take(pair, reason int32) {
	if m.reason[pair] == 0 {
		m.reason[pair] = reason
		m.queue = append(m.queue, pair)
	}
}

// expand makes the tasks of a pair.
func (m *simulator) expand(i int32, ready bool) {
	s, t := m.pairs[i][0], m.pairs[i][1]
	if s == t {
		return // a state simulates itself
	}
	if ready {
		for _, y := range m.out.of(t) {
			if !slices.ContainsFunc(m.out.of(s), func(x Transition) bool { return x.Label == y.Label }) {
				m.whole[i] = not(may(y.Label, and()))
				m.take(i, -1)
				return
			}
		}
	}
	for _, x := range m.out.of(s) {
		n := int32(len(m.tasks))
		m.tasks = append(m.tasks, task{pair: i, step: x})
		for _, y := range m.out.of(t) {
			if y.Label == x.Label {
				k := m.pair(x.To, y.To)
				m.waits[k] = append(m.waits[k], n)
				m.tasks[n].left++
			}
		}
		if m.tasks[n].left == 0 {
			m.take(i, n)
			return
		}
	}
}

// formula returns what the first state of a pair that was taken away can do and the
// second cannot.
func (m *simulator) formula(i int32) *Formula {
	if m.made[i] != nil {
		return m.made[i]
	}
	f := m.whole[i]
	if r := m.reason[i]; r > 0 {
		x := m.tasks[r].step
		var parts []*Formula
		for _, y := range m.out.of(m.pairs[i][1]) {
			if y.Label == x.Label && !slices.ContainsFunc(parts, func(f *Formula) bool { return !m.holds(f, y.To) }) {
				parts = append(parts, m.formula(m.number[[2]int32{x.To, y.To}]))
			}
		}
		f = may(x.Label, and(parts...))
	}
	m.made[i] = f
	return f
}

// maxRefined bounds the pairs of a state and a set of states.
const maxRefined = 1 << 22

// refines goes through the states of g, each with the set of states of h that the
// same trace leads to, breadth-first.
func refines(g, h *Graph, p Preorder, tau string) (*Excess, error) {
	before, hidden := Strong, int32(-1)
	u := union(g, h)
	if p == WeakTraceOrder {
		before, hidden = Weak, u.label(tau)
	}
	if p == WeakFailures {
		before, hidden = DivergenceBranching, u.label(tau) // endless tau is not stable
	}
	class, q := partition(u, before, hidden)
	out := q.outgoing()
	sets := &determiniser{out: out, tau: hidden, numbers: map[string]int32{}, inSet: make([]bool, q.States)}
	posts := map[[2]int32]int32{}
	post := func(set, label int32) int32 {
		if label == hidden {
			return set
		}
		n, ok := posts[[2]int32{set, label}]
		if !ok {
			var to []int32
			for _, s := range sets.sets[set] {
				for _, t := range out.of(s) {
					if t.Label == label {
						to = append(to, t.To)
					}
				}
			}
			n = sets.number(to)
			posts[[2]int32{set, label}] = n
		}
		return n
	}
	type pair struct{ state, set int32 }
	type origin struct{ from, label int32 }
	pairs := []pair{{class[g.Initial], sets.number([]int32{class[g.States+h.Initial]})}}
	origins := []origin{{-1, -1}}
	seen := map[pair]bool{pairs[0]: true}
	way := func(i int) (trace []string) {
		for ; origins[i].from >= 0; i = int(origins[i].from) {
			if origins[i].label != hidden {
				trace = append(trace, u.Labels[origins[i].label])
			}
		}
		slices.Reverse(trace)
		return trace
	}
	if hidden < 0 {
		tau = ""
	}
	for i := 0; i < len(pairs); i++ {
		if len(pairs) > maxRefined {
			return nil, diag.Incompletef("more than %d pairs of a state and a set of states have to be looked at", maxRefined)
		}
		now := pairs[i]
		if p >= Failures {
			if refused, more := refuses(out, now.state, sets.sets[now.set], hidden); more {
				return failureExcess(way(i), refused, u.Labels, tau, hidden), nil
			}
		}
		for _, t := range out.of(now.state) {
			next := pair{t.To, post(now.set, t.Label)}
			if len(sets.sets[next.set]) == 0 {
				trace := append(way(i), u.Labels[t.Label])
				f, labels := TraceFormula(trace, tau)
				return &Excess{Trace: trace, Formula: f, Labels: labels}, nil
			}
			if !seen[next] {
				seen[next] = true
				pairs = append(pairs, next)
				origins = append(origins, origin{int32(i), t.Label})
			}
		}
	}
	return nil, nil
}

// refuses reports whether a state refuses labels of which each state of a set can do
// one, and returns such labels.
func refuses(out *adjacency, s int32, set []int32, tau int32) ([]int32, bool) {
	can := func(s, label int32) bool {
		return slices.ContainsFunc(out.of(s), func(t Transition) bool { return t.Label == label })
	}
	if tau >= 0 && can(s, tau) {
		return nil, false
	}
	var refused []int32
	for _, t := range set {
		if tau >= 0 && can(t, tau) || slices.ContainsFunc(refused, func(l int32) bool { return can(t, l) }) {
			continue
		}
		i := slices.IndexFunc(out.of(t), func(x Transition) bool { return !can(s, x.Label) })
		if i < 0 {
			return nil, false // it refuses all that s does
		}
		refused = append(refused, out.of(t)[i].Label)
	}
	slices.Sort(refused)
	return refused, true
}

// failureExcess is the excess of a trace and what is refused behind it.
func failureExcess(trace []string, refused []int32, labels []string, tau string, hidden int32) *Excess {
	e := &Excess{Trace: append([]string{}, trace...), Refuses: []string{}}
	var parts []*Formula
	add := func(text string) {
		parts = append(parts, not(may(int32(len(trace)+len(parts)), and())))
		e.Labels = append(e.Labels, text)
	}
	e.Labels = append(e.Labels, trace...)
	if hidden >= 0 {
		add(tau)
	}
	for _, l := range refused {
		add(labels[l])
		e.Refuses = append(e.Refuses, labels[l])
	}
	f := and(parts...)
	if tau != "" {
		f = taus(f)
	}
	for i := len(trace) - 1; i >= 0; i-- {
		f = may(int32(i), f)
		if tau != "" {
			f = taus(f)
		}
	}
	e.Formula = f
	return e
}
