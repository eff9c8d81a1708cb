package transform

import "github.com/heddle-mc/heddle/internal/mcrl2/spec"

// Rewr rewrites all expressions. What a condition says of a parameter, that it
// is equal to a constant, is used in the rest of the summand. Summands whose
// condition is false are dropped.
func Rewr(lps *spec.LPS, t Tools) *spec.LPS {
	out := with(lps, nil)
	out.Init = nil
	for _, x := range lps.Init {
		out.Init = append(out.Init, t.Rewrite(x))
	}
	isParam := setOf(lps.Params)
	for _, s := range lps.Summands {
		n := mapped(s, t.Rewrite, nil)
		if spec.IsOp(n.Cond, spec.OpFalse) {
			continue
		}
		if n = assumed(n, lps.Params, isParam, lps.Lib, t); !spec.IsOp(n.Cond, spec.OpFalse) {
			out.Summands = append(out.Summands, n)
		}
	}
	return out
}

func setOf(vars []*spec.Var) map[*spec.Var]bool {
	out := map[*spec.Var]bool{}
	for _, v := range vars {
		out[v] = true
	}
	return out
}

// assumed returns a summand in which parameters are replaced by the constants
// that the condition says they are equal to.
func assumed(s *spec.Summand, params []*spec.Var, isParam map[*spec.Var]bool, lib *spec.Library, t Tools) *spec.Summand {
	known := spec.Subst{}
	cond := lib.True()
	var rest []spec.Expr
	for _, c := range conjuncts(nil, s.Cond) {
		v, value := fact(c, lib)
		if v == nil || !isParam[v] || known[v] != nil {
			rest = append(rest, c)
			continue
		}
		known[v] = value
		cond = lib.And(cond, c)
	}
	if len(known) == 0 {
		return s
	}
	f := func(x spec.Expr) spec.Expr {
		if y := known.Apply(x); y != x {
			return t.Rewrite(y)
		}
		return x
	}
	out := mapped(s, f, nil)
	out.Cond = cond
	for _, c := range rest {
		out.Cond = lib.And(out.Cond, f(c))
	}
	for i, x := range s.Next {
		if x == spec.Expr(params[i]) {
			out.Next[i] = x // it stays what it is
		}
	}
	return out
}

// fact returns a variable and the constant that a condition says it is, or nil.
func fact(c spec.Expr, lib *spec.Library) (*spec.Var, spec.Expr) {
	if v, ok := c.(*spec.Var); ok {
		return v, lib.True()
	}
	if a, ok := c.(*spec.Apply); ok && spec.IsOp(a.Head, spec.OpNot) {
		if v, ok := a.Args[0].(*spec.Var); ok {
			return v, lib.False()
		}
	}
	l, r, ok := sides(c)
	if !ok {
		return nil, nil
	}
	if constant(l) {
		l, r = r, l
	}
	if v, ok := l.(*spec.Var); ok && constant(r) {
		return v, r
	}
	return nil, nil
}
