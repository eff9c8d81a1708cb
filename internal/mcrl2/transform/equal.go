package transform

import "github.com/heddle-mc/heddle/internal/mcrl2/spec"

// equal reports whether two expressions are the same but for the names of bound
// variables.
func equal(x, y spec.Expr) bool { return equalUnder(x, y, nil) }

// equalUnder takes variables of x for variables of y as bound says.
func equalUnder(x, y spec.Expr, bound map[*spec.Var]*spec.Var) bool {
	if x == y && len(bound) == 0 {
		return true
	}
	switch x := x.(type) {
	case *spec.Var:
		y, ok := y.(*spec.Var)
		if to, isBound := bound[x]; isBound {
			return ok && to == y
		}
		return ok && x == y
	case *spec.Func:
		return x == y
	case *spec.Number:
		y, ok := y.(*spec.Number)
		return ok && x.Of == y.Of && x.Value.Cmp(y.Value) == 0
	case *spec.Apply:
		y, ok := y.(*spec.Apply)
		return ok && equalUnder(x.Head, y.Head, bound) && allEqual(x.Args, y.Args, bound)
	case *spec.Abs:
		y, ok := y.(*spec.Abs)
		if !ok || x.Kind != y.Kind || x.Of != y.Of || len(x.Vars) != len(y.Vars) {
			return false
		}
		return equalUnder(x.Body, y.Body, bind(bound, x.Vars, y.Vars))
	case *spec.Where:
		y, ok := y.(*spec.Where)
		if !ok || len(x.Vars) != len(y.Vars) || !allEqual(x.Values, y.Values, bound) {
			return false
		}
		return equalUnder(x.Body, y.Body, bind(bound, x.Vars, y.Vars))
	}
	return false
}

func allEqual(xs, ys []spec.Expr, bound map[*spec.Var]*spec.Var) bool {
	if len(xs) != len(ys) {
		return false
	}
	for i := range xs {
		if !equalUnder(xs[i], ys[i], bound) {
			return false
		}
	}
	return true
}

func bind(bound map[*spec.Var]*spec.Var, xs, ys []*spec.Var) map[*spec.Var]*spec.Var {
	out := make(map[*spec.Var]*spec.Var, len(bound)+len(xs))
	for x, y := range bound {
		out[x] = y
	}
	for i := range xs {
		out[xs[i]] = ys[i]
	}
	return out
}

// conjuncts appends the parts of a conjunction.
func conjuncts(dst []spec.Expr, x spec.Expr) []spec.Expr {
	if a, ok := x.(*spec.Apply); ok && spec.IsOp(a.Head, spec.OpAnd) {
		return conjuncts(conjuncts(dst, a.Args[0]), a.Args[1])
	}
	return append(dst, x)
}

// sides returns the sides of an equation.
func sides(x spec.Expr) (l, r spec.Expr, ok bool) {
	a, isApply := x.(*spec.Apply)
	if !isApply || !spec.IsOp(a.Head, spec.OpEq) {
		return nil, nil, false
	}
	return a.Args[0], a.Args[1], true
}

func occurs(v *spec.Var, x spec.Expr) bool {
	for _, w := range spec.FreeVars(x) {
		if v == w {
			return true
		}
	}
	return false
}

// exprs returns all expressions of a summand but those of the next state.
func exprs(s *spec.Summand) []spec.Expr {
	out := []spec.Expr{s.Cond}
	for _, a := range s.Multi {
		out = append(out, a.Args...)
	}
	if s.Time != nil {
		out = append(out, s.Time)
	}
	return out
}

// hashSummand returns a number that is the same for summands that are the same.
func hashSummand(s *spec.Summand) uint64 {
	h := uint64(len(s.Multi))
	for _, x := range exprs(s) {
		h = hash(h, x)
	}
	for _, x := range s.Next {
		h = hash(h, x)
	}
	return h
}

// hash adds an expression to a hash. Variables do not count: bound ones may have
// any name.
func hash(h uint64, x spec.Expr) uint64 {
	text := ""
	switch x := x.(type) {
	case *spec.Func:
		text = x.Name
	case *spec.Number:
		text = x.Value.String()
	case *spec.Apply:
		h = hash(h, x.Head)
		for _, a := range x.Args {
			h = hash(h, a)
		}
	case *spec.Abs:
		h = hash(h, x.Body)
	case *spec.Where:
		h = hash(h, x.Body)
	}
	const prime = 1099511628211
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * prime
	}
	return (h ^ 0xff) * prime
}
