package transform

import "github.com/heddle-mc/heddle/internal/mcrl2/spec"

// Deadelm drops summands that never happen, because they ask for a value of a
// parameter that nobody gives to it, and summands that are there twice. It looks
// at parameters that are only ever set to constants or left alone, such as those
// that tell the place of a process.
func Deadelm(lps *spec.LPS, t Tools) *spec.LPS {
	possible := map[*spec.Var][]spec.Expr{}
	for i, p := range lps.Params {
		if constant(lps.Init[i]) && onlyConstants(lps, i) {
			possible[p] = []spec.Expr{lps.Init[i]}
		}
	}
	alive := make([]bool, len(lps.Summands))
	for changed := true; changed; {
		changed = false
		for k, s := range lps.Summands {
			if alive[k] || !mayHappen(s, possible) {
				continue
			}
			alive[k], changed = true, true
			for i, p := range lps.Params {
				if vals, ok := possible[p]; ok && !s.Delta && s.Next[i] != spec.Expr(p) && !contains(vals, s.Next[i]) {
					possible[p] = append(vals, s.Next[i])
				}
			}
		}
	}
	var out []*spec.Summand
	alike := map[uint64][]*spec.Summand{}
	for k, s := range lps.Summands {
		h := hashSummand(s)
		if alive[k] && !repeated(s, alike[h]) {
			out = append(out, s)
			alike[h] = append(alike[h], s)
		}
	}
	return with(lps, out)
}

// constant reports whether x is a value that differs from all others that are
// written differently.
func constant(x spec.Expr) bool {
	switch x := x.(type) {
	case *spec.Number:
		return true
	case *spec.Func:
		return x.Op == spec.OpTrue || x.Op == spec.OpFalse || x.Con && x.Of.Struct
	}
	return false
}

func onlyConstants(lps *spec.LPS, i int) bool {
	for _, s := range lps.Summands {
		if !s.Delta && s.Next[i] != spec.Expr(lps.Params[i]) && !constant(s.Next[i]) {
			return false
		}
	}
	return true
}

// mayHappen reports whether no conjunct of the condition asks for a value that a
// parameter does not have.
func mayHappen(s *spec.Summand, possible map[*spec.Var][]spec.Expr) bool {
	for _, c := range conjuncts(nil, s.Cond) {
		if spec.IsOp(c, spec.OpFalse) {
			return false
		}
		l, r, ok := sides(c)
		if !ok {
			continue
		}
		if constant(l) {
			l, r = r, l
		}
		p, ok := l.(*spec.Var)
		if !ok || !constant(r) {
			continue
		}
		if vals, ok := possible[p]; ok && !contains(vals, r) {
			return false
		}
	}
	return true
}

func contains(xs []spec.Expr, x spec.Expr) bool {
	for _, y := range xs {
		if equal(x, y) {
			return true
		}
	}
	return false
}

// repeated reports whether a summand without sum is among others.
func repeated(s *spec.Summand, others []*spec.Summand) bool {
	if len(s.Vars) > 0 {
		return false
	}
	for _, o := range others {
		if len(o.Vars) == 0 && same(s, o) {
			return true
		}
	}
	return false
}

func same(s, o *spec.Summand) bool {
	if s.Delta != o.Delta || (s.Time == nil) != (o.Time == nil) || len(s.Multi) != len(o.Multi) || !equal(s.Cond, o.Cond) {
		return false
	}
	if s.Time != nil && !equal(s.Time, o.Time) {
		return false
	}
	for i, a := range s.Multi {
		if a.Action != o.Multi[i].Action || !allEqual(a.Args, o.Multi[i].Args, nil) {
			return false
		}
	}
	return s.Delta || allEqual(s.Next, o.Next, nil)
}
