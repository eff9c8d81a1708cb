package data

import (
	"math/big"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A side is which bound is looked for.
type side bool

const (
	lower side = false
	upper side = true
)

// A bounder finds bounds of a number in conditions.
type bounder struct {
	p *planner
	v *spec.Var
}

// all returns the tightest of the bounds that conjuncts give, or nil.
func (b bounder) all(cs []conjunct, s side) code {
	var best code
	for _, c := range cs {
		best = b.p.e.tighter(best, b.of(c, s), s)
	}
	return best
}

// of returns the bound that a condition gives, or nil.
func (b bounder) of(c conjunct, s side) code {
	if r, ok := c.relation(); ok && r.op != spec.OpIn && r.l.Sort().Numeric() {
		var best code
		if r.op == spec.OpEq || s == upper {
			best = b.isolate(r.l, r.r, s, r.op == spec.OpLess)
		}
		if r.op == spec.OpEq || s == lower {
			best = b.p.e.tighter(best, b.isolate(r.r, r.l, s, r.op == spec.OpLess), s)
		}
		if s == lower {
			best = b.p.e.tighter(best, b.fromAbs(r.l, r.r), s)
			if r.op == spec.OpEq {
				best = b.p.e.tighter(best, b.fromAbs(r.r, r.l), s)
			}
		}
		return best
	}
	a, ok := c.x.(*spec.Apply)
	if !ok {
		return nil
	}
	f, ok := a.Head.(*spec.Func)
	if !ok {
		return nil
	}
	if parts := flatten(nil, c); len(parts) > 1 || len(parts) == 1 && parts[0].x != c.x {
		return b.all(parts, s)
	}
	switch {
	case f.Op == spec.OpOr && !c.neg, f.Op == spec.OpAnd && c.neg:
		return b.p.e.wider(b.of(conjunct{a.Args[0], c.neg}, s), b.of(conjunct{a.Args[1], c.neg}, s), s)
	case f.Op == spec.OpImplies && !c.neg:
		return b.p.e.wider(b.of(conjunct{a.Args[0], true}, s), b.of(conjunct{a.Args[1], false}, s), s)
	case f.Op == spec.OpIf && f.Of.Result.Kind == spec.Bool:
		yes := b.all([]conjunct{{a.Args[0], false}, {a.Args[1], c.neg}}, s)
		no := b.all([]conjunct{{a.Args[0], true}, {a.Args[2], c.neg}}, s)
		return b.p.e.wider(yes, no, s)
	}
	return nil
}

// isolate returns the bound of the variable that follows from t <= e, or e <= t
// for a lower one, where e is known.
func (b bounder) isolate(t, e spec.Expr, s side, strict bool) code {
	if !b.p.known(e) {
		return nil
	}
	bound := b.p.e.compile(e, b.p.sc).code()
	if strict && t.Sort().Kind != spec.Real {
		k := small(1)
		if s == lower {
			k = small(-1)
		}
		bound = b.p.e.minus(bound, constantOperand(k).code())
	}
	return b.peel(t, bound, s)
}

// fromAbs returns the lower bound that follows from abs(t) <= e.
func (b bounder) fromAbs(t, e spec.Expr) code {
	for {
		a, ok := t.(*spec.Apply)
		if !ok || !b.p.known(e) {
			return nil
		}
		switch f, ok := a.Head.(*spec.Func); {
		case ok && f.Op == spec.OpCast && wider(f.Of.Result, f.Of.Args[0]):
			t = a.Args[0]
		case ok && f.Op == spec.OpAbs:
			zero := constantOperand(small(0)).code()
			return b.peel(a.Args[0], b.p.e.minus(zero, b.p.e.compile(e, b.p.sc).code()), lower)
		default:
			return nil
		}
	}
}

// peel takes away what stands around the variable.
func (b bounder) peel(t spec.Expr, bound code, s side) code {
	if t == spec.Expr(b.v) {
		return bound
	}
	a, ok := t.(*spec.Apply)
	if !ok {
		return nil
	}
	f, ok := a.Head.(*spec.Func)
	if !ok {
		return nil
	}
	e := b.p.e
	constant := func(x spec.Expr) code { return e.compile(x, b.p.sc).code() }
	switch f.Op {
	case spec.OpCast:
		if wider(f.Of.Result, f.Of.Args[0]) {
			return b.peel(a.Args[0], bound, s)
		}
	case spec.OpAbs:
		if s == upper {
			return b.peel(a.Args[0], bound, s)
		}
	case spec.OpSucc:
		return b.peel(a.Args[0], e.minus(bound, constantOperand(small(1)).code()), s)
	case spec.OpPred:
		return b.peel(a.Args[0], e.minus(bound, constantOperand(small(-1)).code()), s)
	case spec.OpAdd:
		for i := range 2 {
			t, k := a.Args[i], a.Args[1-i]
			if b.p.known(k) {
				return b.peel(t, e.minus(bound, constant(k)), s)
			}
			if s == upper && nonNegative(k) {
				if c := b.peel(t, bound, s); c != nil {
					return c
				}
			}
		}
	case spec.OpSub:
		if b.p.known(a.Args[1]) {
			k := constant(a.Args[1])
			return b.peel(a.Args[0], e.plus(bound, k), s)
		}
		if b.p.known(a.Args[0]) {
			return b.peel(a.Args[1], e.minus(constant(a.Args[0]), bound), !s)
		}
	case spec.OpMul:
		for i := range 2 {
			if s == upper && positive(a.Args[1-i]) && nonNegative(a.Args[i]) {
				if c := b.peel(a.Args[i], bound, s); c != nil {
					return c
				}
			}
		}
	case spec.OpMax, spec.OpMin:
		if (f.Op == spec.OpMax) == (s == upper) {
			for i := range 2 {
				if c := b.peel(a.Args[i], bound, s); c != nil {
					return c
				}
			}
		}
	}
	return nil
}

// nonNegative reports whether an expression is never below 0, by its sort.
func nonNegative(x spec.Expr) bool { return atLeast(x, spec.Nat, 0) }

func positive(x spec.Expr) bool { return atLeast(x, spec.Pos, 1) }

func atLeast(x spec.Expr, k spec.SortKind, n int64) bool {
	if kind := x.Sort().Kind; kind == spec.Pos || kind == k {
		return true
	}
	switch x := x.(type) {
	case *spec.Number:
		return x.Value.Cmp(new(big.Rat).SetInt64(n)) >= 0
	case *spec.Apply:
		if f, ok := x.Head.(*spec.Func); ok && f.Op == spec.OpCast {
			return atLeast(x.Args[0], k, n)
		}
	}
	return false
}

// tighter returns the tighter of two bounds, either of which may be nil.
func (e *Engine) tighter(a, b code, s side) code { return e.either(a, b, s == lower, true) }

// wider returns the wider of two bounds, or nil if one of them is.
func (e *Engine) wider(a, b code, s side) code { return e.either(a, b, s == upper, false) }

func (e *Engine) either(a, b code, larger, oneIsEnough bool) code {
	switch {
	case a == nil || b == nil:
		if !oneIsEnough {
			return nil
		}
		if a == nil {
			return b
		}
		return a
	}
	return func(f []Value) Value {
		v, w := a(f), b(f)
		vOK, wOK := v != unset && e.isNumber(v), w != unset && e.isNumber(w)
		switch {
		case !vOK || !wOK:
			if oneIsEnough && vOK {
				return v
			}
			if oneIsEnough && wOK {
				return w
			}
			return unset
		case (e.compareNumbers(v, w) > 0) == larger:
			return v
		}
		return w
	}
}

func (e *Engine) minus(a, b code) code {
	return func(f []Value) Value {
		v, w := a(f), b(f)
		if (v|w)&1 == 0 {
			if d := int64(v) - int64(w); (int64(v)^int64(w))&(int64(v)^d) >= 0 {
				return Value(d)
			}
		}
		if v == unset || w == unset || !e.isNumber(v) || !e.isNumber(w) {
			return unset
		}
		return e.number(new(big.Rat).Sub(e.ratOf(v), e.ratOf(w)))
	}
}

func (e *Engine) plus(a, b code) code {
	return func(f []Value) Value {
		v, w := a(f), b(f)
		if v == unset || w == unset || !e.isNumber(v) || !e.isNumber(w) {
			return unset
		}
		return e.number(new(big.Rat).Add(e.ratOf(v), e.ratOf(w)))
	}
}
