package symbolic

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/ldd"
	"github.com/heddle-mc/heddle/internal/lts"
)

// Steps are the steps of a process with some labels.
//
// What all groups do to a set is computed level by level: what a group does that looks
// at nothing before a level is the same whatever stands before.
type Steps struct {
	x         *Space
	relations map[*group]ldd.Set
	next      map[closure]ldd.Set
	prev      map[pair]ldd.Set
}

// A pair is two sets of what follows the levels before one.
type pair struct {
	level      int
	to, within ldd.Set
}

// Labels returns the labels of all steps, in the order in which they came up. They
// have to be kept.
func (x *Space) Labels() (list []lts.Label) {
	seen := map[lts.Label]bool{}
	for _, g := range x.groups {
		for _, s := range g.steps {
			if !seen[s.label] {
				seen[s.label] = true
				list = append(list, s.label)
			}
		}
	}
	slices.Sort(list)
	return list
}

// Steps returns the steps with some labels, which have to be kept, or all steps if in is
// nil. Nodes must not be given back as long as it is used, unless it forgets.
func (x *Space) Steps(in func(lts.Label) bool) *Steps {
	out := &Steps{x: x, relations: map[*group]ldd.Set{}}
	out.forget()
	for _, g := range x.groups {
		if in == nil {
			out.relations[g] = g.relation
			continue
		}
		var lines [][]uint32
		for _, s := range g.steps {
			if in(s.label) {
				lines = append(lines, s.line)
			}
		}
		out.relations[g] = x.store.Of(lines)
	}
	return out
}

// forget forgets what was computed.
func (s *Steps) forget() { s.next, s.prev = map[closure]ldd.Set{}, map[pair]ldd.Set{} }

// maxRemembered is how many results are remembered.
const maxRemembered = 1 << 21

// Next returns the states to which the steps lead.
func (s *Steps) Next(from ldd.Set) ldd.Set {
	if len(s.next) > maxRemembered {
		s.next = map[closure]ldd.Set{}
	}
	return s.ahead(0, from)
}

// ahead is Next from a level on.
func (s *Steps) ahead(level int, set ldd.Set) ldd.Set {
	x := s.x
	if set == ldd.Empty || level == len(x.levels) {
		return s.idle(set)
	}
	key := closure{level, set}
	if r, ok := s.next[key]; ok {
		return r
	}
	var list []ldd.Set
	for a := set; a != ldd.Empty; a = x.store.Right(a) {
		list = append(list, a)
	}
	r := ldd.Empty
	for _, a := range slices.Backward(list) {
		r = x.store.Node(x.store.Value(a), s.ahead(level+1, x.store.Down(a)), r)
	}
	for _, g := range x.byTop[level] {
		r = x.store.Union(r, x.store.Next(set, s.relations[g], g.topShape))
	}
	s.next[key] = r
	return r
}

// idle is what groups make of a set that look at no level.
func (s *Steps) idle(set ldd.Set) ldd.Set {
	for _, g := range s.x.byTop[len(s.x.levels)] {
		if s.relations[g] != ldd.Empty {
			return set
		}
	}
	return ldd.Empty
}

// Prev returns the states of a set from which the steps lead to one of another.
func (s *Steps) Prev(to, within ldd.Set) ldd.Set {
	if len(s.prev) > maxRemembered {
		s.prev = map[pair]ldd.Set{}
	}
	return s.back(0, to, within)
}

// back is Prev from a level on.
func (s *Steps) back(level int, to, within ldd.Set) ldd.Set {
	x := s.x
	if to == ldd.Empty || within == ldd.Empty || level == len(x.levels) {
		return s.idle(x.store.Intersect(to, within))
	}
	key := pair{level, to, within}
	if r, ok := s.prev[key]; ok {
		return r
	}
	var values []uint32
	var downs []ldd.Set
	for a, b := to, within; a != ldd.Empty && b != ldd.Empty; {
		switch v, w := x.store.Value(a), x.store.Value(b); {
		case v < w:
			a = x.store.Right(a)
		case v > w:
			b = x.store.Right(b)
		default:
			values, downs = append(values, v), append(downs, s.back(level+1, x.store.Down(a), x.store.Down(b)))
			a, b = x.store.Right(a), x.store.Right(b)
		}
	}
	r := ldd.Empty
	for i := len(values) - 1; i >= 0; i-- {
		r = x.store.Node(values[i], downs[i], r)
	}
	for _, g := range x.byTop[level] {
		r = x.store.Union(r, x.store.Prev(to, s.relations[g], g.topShape, within))
	}
	s.prev[key] = r
	return r
}

// Store returns the store of the sets.
func (x *Space) Store() *ldd.Store { return x.store }

// Initial returns the set of the initial state.
func (x *Space) Initial() ldd.Set { return x.initial }

// Reached returns the states that can be reached.
func (x *Space) Reached() ldd.Set { return x.reached }

// Try does something with sets that may be stopped. The error says so.
func (x *Space) Try(f func()) error { return x.try(f) }
