package transform

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// Sumelm drops variables of sums whose value the condition gives: one of its
// conjuncts is x == e, x or !x, or x == e after x was made a wider number.
// Variables that occur nowhere are dropped too.
func Sumelm(lps *spec.LPS, t Tools) *spec.LPS {
	var out []*spec.Summand
	for _, s := range lps.Summands {
		for len(s.Vars) > 0 {
			g, ok := given(s, lps.Lib)
			if !ok {
				break
			}
			n := *s
			n.Cond = g.rest
			s = substituted(&n, spec.Subst{g.v: g.value}, nil, t)
			s.Vars = slices.DeleteFunc(slices.Clone(s.Vars), func(w *spec.Var) bool { return g.v == w })
		}
		if !spec.IsOp(s.Cond, spec.OpFalse) {
			out = append(out, withoutUnused(s))
		}
	}
	return with(lps, out)
}

// A solution is a variable with its only possible value, and what is left of the
// condition.
type solution struct {
	v     *spec.Var
	value spec.Expr
	rest  spec.Expr
}

// given finds a variable of the summand that has only one possible value.
func given(s *spec.Summand, lib *spec.Library) (solution, bool) {
	cs := conjuncts(nil, s.Cond)
	for i, c := range cs {
		v, value, extra := solve(c, s.Vars, lib)
		if v == nil {
			continue
		}
		rest := extra
		for j, d := range cs {
			if j != i {
				rest = lib.And(rest, d)
			}
		}
		return solution{v, value, rest}, true
	}
	return solution{}, false
}

// solve returns the variable whose value a condition gives, the value, and what
// else the condition says, or nil.
func solve(c spec.Expr, vars []*spec.Var, lib *spec.Library) (*spec.Var, spec.Expr, spec.Expr) {
	isVar := func(x spec.Expr) *spec.Var {
		if v, ok := x.(*spec.Var); ok && slices.Contains(vars, v) {
			return v
		}
		return nil
	}
	if v := isVar(c); v != nil {
		return v, lib.True(), lib.True()
	}
	if a, ok := c.(*spec.Apply); ok && spec.IsOp(a.Head, spec.OpNot) {
		if v := isVar(a.Args[0]); v != nil {
			return v, lib.False(), lib.True()
		}
	}
	l, r, ok := sides(c)
	if !ok {
		return nil, nil, nil
	}
	for range 2 {
		if v := isVar(l); v != nil && !occurs(v, r) {
			return v, r, lib.True()
		}
		if a, ok := l.(*spec.Apply); ok && spec.IsOp(a.Head, spec.OpCast) {
			if v := isVar(a.Args[0]); v != nil && !occurs(v, r) {
				if value, extra := narrowed(r, v.Of, lib); value != nil {
					return v, value, extra
				}
			}
		}
		l, r = r, l
	}
	return nil, nil, nil
}

// narrowed returns a number as one of a narrower sort, and the condition that it
// is one. It returns nil for real numbers.
func narrowed(x spec.Expr, to *spec.Sort, lib *spec.Library) (spec.Expr, spec.Expr) {
	from := x.Sort()
	if from.Kind == spec.Real || from.Kind <= to.Kind {
		return nil, nil
	}
	cast := lib.Func(spec.OpCast, from.String()+"2"+to.String(), lib.Sorts.Function([]*spec.Sort{from}, to))
	op, name := spec.OpLessEq, "<="
	if to.Kind == spec.Pos {
		op, name = spec.OpLess, "<"
	}
	compare := lib.Func(op, name, lib.Sorts.Function([]*spec.Sort{from, from}, lib.Sorts.Basic(spec.Bool)))
	extra := &spec.Apply{Head: compare, Args: []spec.Expr{lib.Int(0, from.Kind), x}}
	return &spec.Apply{Head: cast, Args: []spec.Expr{x}}, extra
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
