package transform

import "github.com/heddle-mc/heddle/internal/mcrl2/spec"

// Equalelm drops parameters that always have the value of another one. It begins
// with the guess that all parameters are equal that have the same first value,
// and divides those that a summand gives different values.
func Equalelm(lps *spec.LPS, t Tools) *spec.LPS {
	by := spec.Subst{} // parameters and the one that stands for them
	var firsts []*spec.Var
	values := map[*spec.Var]spec.Expr{}
	for i, p := range lps.Params {
		if len(spec.FreeVars(lps.Init[i])) > 0 {
			continue
		}
		values[p] = t.Rewrite(lps.Init[i])
		if q := likeOneOf(p, firsts, values); q != nil {
			by[p] = q
		} else {
			firsts = append(firsts, p)
		}
	}
	for changed := true; changed && len(by) > 0; {
		changed = false
		for _, s := range lps.Summands {
			if !s.Delta && divide(lps, s, by) {
				changed = true
			}
		}
	}
	if len(by) == 0 {
		return lps
	}
	drop := map[int]bool{}
	for i, p := range lps.Params {
		if by[p] != nil {
			drop[i] = true
		}
	}
	return without(lps, drop, by, t)
}

// likeOneOf returns the variable among firsts that has the sort and the value of
// p, or nil.
func likeOneOf(p *spec.Var, firsts []*spec.Var, values map[*spec.Var]spec.Expr) *spec.Var {
	for _, q := range firsts {
		if q.Of == p.Of && equal(values[p], values[q]) {
			return q
		}
	}
	return nil
}

// divide takes parameters apart that a summand gives different values, as long as
// the guess is right before it, and reports whether it did.
func divide(lps *spec.LPS, s *spec.Summand, by spec.Subst) bool {
	type class struct {
		old *spec.Var // which stood for the parameters so far
		new *spec.Var
		to  spec.Expr
	}
	many := map[*spec.Var]bool{} // stand for others
	for _, q := range by {
		many[q.(*spec.Var)] = true
	}
	var classes []class
	next := spec.Subst{}
params:
	for i, p := range lps.Params {
		old := p
		if q, ok := by[p]; ok {
			old = q.(*spec.Var)
		}
		if !many[old] {
			continue
		}
		to := by.Apply(s.Next[i])
		for _, c := range classes {
			if c.old == old && equal(c.to, to) {
				next[p] = c.new
				continue params
			}
		}
		classes = append(classes, class{old, p, to})
	}
	if len(next) == len(by) {
		return false
	}
	clear(by)
	for p, q := range next {
		by[p] = q
	}
	return true
}
