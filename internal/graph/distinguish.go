package graph

import (
	"cmp"
	"slices"
)

// Distinguish returns a formula that holds in the initial state of g and not in
// that of h, which are not equivalent under one of the bisimulations, and the texts
// of its labels. It is nil if the formula would be too long, or takes too much to
// find.
//
// The formula follows the rounds of the refinement in which states of one block
// were told apart (Cleaveland, "On automatically explaining bisimulation
// inequivalence"). When s and t were told apart in round k, s could do a step, to
// s', that t could not do to the block of s' of round k-1. So <a> before what tells
// s' from all states to which t can do a, each an earlier round, tells s from t. For
// branching bisimulation a step is s ⇒ s1 -a-> s', and the formula is
// <tau*>(X && <a>Y): X tells s1 from the states outside of its block that t reaches
// by tau and that can do a, Y tells s' from where the others lead. This is enough
// because a tau that leads out of a block does not come back to it, in any round.
func Distinguish(g, h *Graph, e Equivalence, tau string) (*Formula, []string) {
	if g.States == 0 || h.States == 0 {
		return nil, nil
	}
	u := union(g, h)
	class, q := partition(u, e, u.label(tau))
	d := newDistinguisher(q, e, u.label(tau))
	if d == nil {
		return nil, nil
	}
	f := d.formula(d.of[class[g.Initial]], d.of[class[g.States+h.Initial]])
	if d.failed || f.size > MaxFormula {
		return nil, nil
	}
	return f, u.Labels
}

const (
	maxPairs      = 1 << 17 // pairs of states for which a formula is made
	maxTried      = 1 << 11 // pairs for which several formulas are tried
	maxSaturation = 1 << 24 // transitions of a graph with all weak steps
)

// A distinguisher makes formulas for states of a reduced graph.
type distinguisher struct {
	valuer
	e      Equivalence
	r      *refiner
	steps  *adjacency // what the refinement was about
	of     []int32    // states of the reduced graph here
	made   map[[2]int32]*Formula
	failed bool
}

// newDistinguisher prepares for a graph without equivalent states.
func newDistinguisher(q *Graph, e Equivalence, tau int32) *distinguisher {
	d := &distinguisher{e: e, of: ranks(q.States), made: map[[2]int32]*Formula{}, valuer: valuer{tau: tau, endless: -1}}
	if tau < 0 {
		d.e = Strong
	}
	if d.e == Strong {
		d.tau = -1
		d.r = newRefiner(q, -1, nil)
		d.out = d.r.out
		d.steps = d.out
		d.r.run()
		return d
	}
	if d.e.divergence() {
		d.endless = int32(len(q.Labels))
	}
	c, of := collapse(q, tau, d.endless)
	d.of, d.out = of, c.outgoing()
	d.steps = d.out
	if d.e.weak() {
		if c = saturate(c, tau); c == nil {
			return nil
		}
		d.r = newRefiner(c, -1, nil)
		d.steps = d.r.out
	} else {
		d.r = newRefiner(c, tau, ranks(c.States))
	}
	d.r.run()
	return d
}

// saturate returns a graph with a transition for each weak step, that is with any
// number of tau before and after, and any number of tau for tau. Tau leads to lower
// numbers. It returns nil if there are too many.
func saturate(g *Graph, tau int32) *Graph {
	out := g.outgoing()
	s := &Graph{Initial: g.Initial, States: g.States, Labels: g.Labels}
	w := &weaver{g: g, out: out, tau: tau, block: ranks(g.States), after: make([][]int32, g.States), sigs: make([][]uint64, g.States)}
	for from := range int32(g.States) {
		w.after[from] = w.closure(from)
	}
	for from := range int32(g.States) {
		w.sigs[from] = w.signature(from)
		for _, x := range w.sigs[from] {
			s.Transitions = append(s.Transitions, Transition{from, int32(x >> 32), int32(uint32(x))})
		}
		if len(s.Transitions) > maxSaturation {
			return nil
		}
	}
	return s
}

// formula returns a formula that holds in s and not in t, which are not equivalent.
func (d *distinguisher) formula(s, t int32) *Formula {
	if s > t {
		return not(d.formula(t, s))
	}
	key := [2]int32{s, t}
	if f, ok := d.made[key]; ok {
		return f
	}
	if len(d.made) >= maxPairs {
		d.failed = true
	}
	if d.failed {
		return and()
	}
	d.made[key] = nil // counts
	level := d.r.level(s, t) - 1
	var best *Formula
	for i, from := range []int32{s, t} {
		other := s + t - from
		for _, x := range d.candidates(from, other, level) {
			f := d.answer(x, other, level)
			if i == 1 {
				f = not(f)
			}
			if best == nil || f.size < best.size {
				best = f
			}
			if best != nil && len(d.made) > maxTried {
				break
			}
		}
	}
	d.made[key] = best
	return best
}

// A candidate is a step that one of two states can do and the other cannot: from,
// which is the state or where tau leads to in its block, does it.
type candidate struct{ Transition }

// candidates returns the steps of s, to blocks of a round, that t does not have, the
// most promising first.
func (d *distinguisher) candidates(s, t, level int32) []candidate {
	have := map[[2]int32]bool{}
	for _, x := range d.near(t, level) {
		have[[2]int32{x.Label, d.r.blockAt(x.To, level)}] = true
	}
	count := map[int32]int{} // how many steps of t have to be told from it
	for _, x := range d.near(t, level) {
		count[x.Label]++
	}
	var list []candidate
	for _, x := range d.near(s, level) {
		if !have[[2]int32{x.Label, d.r.blockAt(x.To, level)}] {
			list = append(list, candidate{x})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(count[a.Label], count[b.Label]) })
	const enough = 8
	return list[:min(len(list), enough)]
}

// near returns the steps of a state and, with tau, those of the states of its block
// to which tau leads; not tau within the block.
func (d *distinguisher) near(s, level int32) []Transition {
	if d.r.tau < 0 {
		return d.steps.of(s)
	}
	var list []Transition
	b := d.r.blockAt(s, level)
	for _, x := range d.behind(s) {
		if d.r.blockAt(x, level) != b {
			continue
		}
		for _, t := range d.steps.of(x) {
			if t.Label != d.tau || d.r.blockAt(t.To, level) != b {
				list = append(list, t)
			}
		}
	}
	return list
}

// behind returns the states to which tau leads, the state itself first.
func (d *distinguisher) behind(s int32) []int32 {
	list, seen := []int32{s}, map[int32]bool{s: true}
	for i := 0; i < len(list); i++ {
		for _, t := range d.out.of(list[i]) {
			if t.Label == d.tau && !seen[t.To] {
				seen[t.To] = true
				list = append(list, t.To)
			}
		}
	}
	return list
}

// answer returns a formula that says that a step can be done, and does not hold in t.
func (d *distinguisher) answer(x candidate, t, level int32) *Formula {
	if d.r.tau >= 0 {
		return d.branching(x, t, level)
	}
	var ends []int32
	for _, y := range d.steps.of(t) {
		if y.Label == x.Label {
			ends = append(ends, y.To)
		}
	}
	then := d.all(x.To, ends)
	switch {
	case !d.e.weak():
		return may(x.Label, then)
	case x.Label == d.tau:
		return taus(then)
	case x.Label == d.endless:
		return taus(forever(taus(then)))
	}
	return taus(may(x.Label, taus(then)))
}

// branching is answer for branching bisimulation.
func (d *distinguisher) branching(x candidate, t, level int32) *Formula {
	b := d.r.blockAt(t, level)
	behind := d.behind(t)
	var ends, outside []int32
	for _, s := range behind {
		if d.r.blockAt(s, level) != b {
			outside = append(outside, s)
			continue
		}
		if x.Label == d.endless {
			continue
		}
		if x.Label == d.tau {
			ends = append(ends, s)
		}
		for _, y := range d.out.of(s) {
			if y.Label == x.Label {
				ends = append(ends, y.To)
			}
		}
	}
	if x.Label == d.endless {
		return taus(forever(d.all(x.From, outside)))
	}
	then := d.all(x.To, ends)
	step := may(x.Label, then)
	if x.Label == d.tau {
		step = or(then, step)
	}
	outside = slices.DeleteFunc(outside, func(s int32) bool { return !d.holds(step, s) })
	before := d.all(x.From, outside)
	if x.Label == d.tau && before.isTrue() {
		return taus(then)
	}
	return taus(and(before, step))
}

// all returns a formula that holds in s and in none of others.
func (d *distinguisher) all(s int32, others []int32) *Formula {
	others = slices.Clone(others)
	slices.Sort(others)
	others = slices.Compact(others)
	slices.SortStableFunc(others, func(a, b int32) int { return cmp.Compare(d.r.level(s, a), d.r.level(s, b)) })
	var parts []*Formula
	for _, t := range others {
		if !slices.ContainsFunc(parts, func(f *Formula) bool { return !d.holds(f, t) }) {
			parts = append(parts, d.formula(s, t))
			if d.failed {
				return and()
			}
		}
	}
	// Earlier parts may be superfluous because of later ones.
	for i := 0; i < len(parts); {
		rest := slices.Delete(slices.Clone(parts), i, i+1)
		needed := slices.ContainsFunc(others, func(t int32) bool {
			return !slices.ContainsFunc(rest, func(f *Formula) bool { return !d.holds(f, t) })
		})
		if needed {
			i++
		} else {
			parts = rest
		}
	}
	return and(parts...)
}
