package linear

import "github.com/heddle-mc/heddle/internal/mcrl2/spec"

// A slot holds a variable of the text in all places that need it. If one place
// needs it several times, because the process is there several times, each has a
// slot of its own. Its value is a parameter of the leaf, or an expression if it
// never changes.
type slot struct {
	v      *spec.Var
	value  spec.Expr
	places []bool // where it is needed
	fixed  bool
}

// allocate gives the parameters of places their slots, and finds out which of
// these never change.
func (lf *leaf) allocate(init []spec.Expr) {
	byVar := map[*spec.Var][]int{}
	for i, pl := range lf.places {
		used := map[*spec.Var]int{}
		for _, v := range pl.vars {
			k := used[v]
			used[v]++
			if k == len(byVar[v]) {
				byVar[v] = append(byVar[v], len(lf.slots))
				lf.slots = append(lf.slots, &slot{v: v, places: make([]bool, len(lf.places))})
			}
			s := byVar[v][k]
			pl.slots = append(pl.slots, s)
			lf.slots[s].places[i] = true
		}
	}
	for k, s := range lf.places[0].slots {
		lf.slots[s].fixed = true
		lf.slots[s].value = init[k]
	}
	for _, pl := range lf.places {
		for _, e := range pl.edges {
			to := lf.places[e.to]
			for k, x := range e.values {
				own, ok := x.(*spec.Var)
				if !ok || !pl.isOwn(own, to.slots[k]) {
					lf.slots[to.slots[k]].fixed = false
				}
			}
		}
	}
}

// isOwn reports whether v stands for what a slot holds.
func (pl *place) isOwn(v *spec.Var, slot int) bool {
	for k, own := range pl.own {
		if own == v {
			return pl.slots[k] == slot
		}
	}
	return false
}

// colours adds a parameter for each set of slots that can share one, because no
// place needs two of them, and returns the sets. Slots of variables with the same
// name are put together first.
func (lf *leaf) colours(params *[]*spec.Var) [][]int {
	var sets [][]int
	var busy [][]bool
	var own []*spec.Var
	fits := func(s *slot, c int) bool {
		if own[c].Of != s.v.Of {
			return false
		}
		for i, b := range s.places {
			if b && busy[c][i] {
				return false
			}
		}
		return true
	}
	for i, s := range lf.slots {
		if s.fixed {
			continue
		}
		best := -1
		for c := range sets {
			if fits(s, c) && (best < 0 || own[c].Name == s.v.Name && own[best].Name != s.v.Name) {
				best = c
			}
		}
		if best < 0 {
			best = len(sets)
			sets, busy = append(sets, nil), append(busy, make([]bool, len(lf.places)))
			own = append(own, &spec.Var{Name: s.v.Name, Of: s.v.Of, At: s.v.At})
		}
		sets[best] = append(sets[best], i)
		for p, b := range s.places {
			busy[best][p] = busy[best][p] || b
		}
		s.value = own[best]
	}
	*params = append(*params, own...)
	return sets
}
