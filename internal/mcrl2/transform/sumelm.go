package transform

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// Sumelm drops variables of sums whose value the condition gives: one of its
// conjuncts is x == e, x or !x. Variables that occur nowhere are dropped too.
func Sumelm(lps *spec.LPS, t Tools) *spec.LPS {
	var out []*spec.Summand
	for _, s := range lps.Summands {
		for {
			v, e := given(s, lps.Lib)
			if v == nil {
				break
			}
			s = substituted(s, spec.Subst{v: e}, nil, t)
			s.Vars = slices.DeleteFunc(slices.Clone(s.Vars), func(w *spec.Var) bool { return v == w })
		}
		if !spec.IsOp(s.Cond, spec.OpFalse) {
			out = append(out, withoutUnused(s))
		}
	}
	return with(lps, out)
}

// given returns a variable of the summand with its only possible value, or nil.
func given(s *spec.Summand, lib *spec.Library) (*spec.Var, spec.Expr) {
	if len(s.Vars) == 0 {
		return nil, nil
	}
	isVar := func(x spec.Expr) *spec.Var {
		if v, ok := x.(*spec.Var); ok && slices.Contains(s.Vars, v) {
			return v
		}
		return nil
	}
	for _, c := range conjuncts(nil, s.Cond) {
		if v := isVar(c); v != nil {
			return v, lib.True()
		}
		if a, ok := c.(*spec.Apply); ok && spec.IsOp(a.Head, spec.OpNot) {
			if v := isVar(a.Args[0]); v != nil {
				return v, lib.False()
			}
		}
		l, r, ok := sides(c)
		if !ok {
			continue
		}
		if v := isVar(l); v != nil && !occurs(v, r) {
			return v, r
		}
		if v := isVar(r); v != nil && !occurs(v, l) {
			return v, l
		}
	}
	return nil, nil
}

// maxInstances bounds how many summands Suminst makes of one.
const maxInstances = 1000

// Suminst writes out sums over finite sorts: one summand for each element for
// which the condition is not false at once. A summand that would become too many
// keeps the rest of its variables.
func Suminst(lps *spec.LPS, t Tools) *spec.LPS {
	var out []*spec.Summand
	for _, s := range lps.Summands {
		out = append(out, instances(s, t)...)
	}
	return with(lps, out)
}

func instances(s *spec.Summand, t Tools) []*spec.Summand {
	done := []*spec.Summand{s}
	for _, v := range s.Vars {
		elements, ok := t.Elements(v.Of)
		if !ok || len(elements)*len(done) > maxInstances {
			continue
		}
		var next []*spec.Summand
		for _, d := range done {
			for _, e := range elements {
				n := substituted(d, spec.Subst{v: e}, nil, t)
				n.Vars = slices.DeleteFunc(slices.Clone(d.Vars), func(w *spec.Var) bool { return v == w })
				if !spec.IsOp(n.Cond, spec.OpFalse) {
					next = append(next, n)
				}
			}
		}
		done = next
	}
	return done
}
