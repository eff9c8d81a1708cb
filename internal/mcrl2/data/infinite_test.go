package data

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"pgregory.net/rapid"
)

// A shadow is a set or bag as a function: how often a number is in it. All
// numbers in expressions are small, so that two of them are equal if they agree
// up to horizon.
type shadow func(n int64) int64

const horizon = 130

// A setDrawer draws sets and bags of natural numbers with their shadows.
type setDrawer struct {
	k *kit
	t *rapid.T
}

func (d *setDrawer) below(n int) int { return rapid.IntRange(0, n-1).Draw(d.t, "choice") }

func (d *setDrawer) set(depth int) (spec.Expr, shadow) {
	k := d.k
	of := k.of(spec.Set, k.nat)
	if depth == 0 || d.below(5) == 0 {
		x := k.v("x", k.nat)
		c := int64(d.below(6))
		switch d.below(5) {
		case 0:
			return k.set(k.fset(k.nat, k.nats(c, 3, c+1)...)), func(n int64) int64 { return bit(n == c || n == 3 || n == c+1) }
		case 1:
			return k.abs(spec.SetOf, k.less(x, k.n(c, k.nat)), x), func(n int64) int64 { return bit(n < c) }
		case 2:
			return k.abs(spec.SetOf, k.less(k.n(c, k.nat), x), x), func(n int64) int64 { return bit(n > c) }
		case 3:
			return k.set(k.fset(k.nat)), func(int64) int64 { return 0 }
		}
		even := k.eq(k.op(spec.OpMod, k.nat, x, k.n(c+1, k.pos)), k.n(0, k.nat))
		return k.abs(spec.SetOf, even, x), func(n int64) int64 { return bit(n%(c+1) == 0) }
	}
	a, f := d.set(depth - 1)
	switch d.below(5) {
	case 0:
		return k.op(spec.OpComplement, of, a), func(n int64) int64 { return 1 - f(n) }
	case 1:
		b, g := d.bag(depth - 1)
		return k.op(spec.OpBag2Set, of, b), func(n int64) int64 { return bit(g(n) > 0) }
	}
	b, g := d.set(depth - 1)
	switch d.below(3) {
	case 0:
		return k.op(spec.OpUnion, of, a, b), func(n int64) int64 { return f(n) | g(n) }
	case 1:
		return k.op(spec.OpIntersect, of, a, b), func(n int64) int64 { return f(n) & g(n) }
	}
	return k.op(spec.OpDifference, of, a, b), func(n int64) int64 { return f(n) &^ g(n) }
}

func (d *setDrawer) bag(depth int) (spec.Expr, shadow) {
	k := d.k
	of := k.of(spec.Bag, k.nat)
	if depth == 0 || d.below(4) == 0 {
		c := int64(d.below(4))
		switch d.below(3) {
		case 0:
			return k.op(spec.OpToBag, of, k.fbag(k.nat, k.nats(c, 2, 3, 1)...)), func(n int64) int64 { return 2*bit(n == c) + bit(n == 3) }
		case 1:
			s, f := d.set(0)
			return k.op(spec.OpSet2Bag, of, s), f
		}
		x := k.v("x", k.nat)
		return k.abs(spec.BagOf, k.op(spec.OpMod, k.nat, x, k.n(c+1, k.pos)), x), func(n int64) int64 { return n % (c + 1) }
	}
	a, f := d.bag(depth - 1)
	b, g := d.bag(depth - 1)
	switch d.below(3) {
	case 0:
		return k.op(spec.OpUnion, of, a, b), func(n int64) int64 { return f(n) + g(n) }
	case 1:
		return k.op(spec.OpIntersect, of, a, b), func(n int64) int64 { return min(f(n), g(n)) }
	}
	return k.op(spec.OpDifference, of, a, b), func(n int64) int64 { return max(f(n)-g(n), 0) }
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func TestInfinite(t *testing.T) {
	k := newKit()
	e := k.engine(t)
	decided := 0
	rapid.Check(t, func(t *rapid.T) {
		d := &setDrawer{k, t}
		draw := d.set
		member := func(n int64, x spec.Expr) spec.Expr { return k.op(spec.OpIn, k.bool, k.n(n, k.nat), x) }
		if d.below(2) == 0 {
			draw = d.bag
			member = func(n int64, x spec.Expr) spec.Expr { return k.op(spec.OpCount, k.nat, k.n(n, k.nat), x) }
		}
		a, f := draw(3)
		b, g := draw(3)
		eval := func(x spec.Expr) Value {
			v, err := e.Eval(x, nil)
			if err != nil {
				t.Fatalf("%s: %v", text(x, nil), err)
			}
			delete(e.evals, x)
			return v
		}
		for n := range int64(12) {
			if got := eval(member(n, a)).small(); got != f(n) {
				t.Fatalf("%d in %s: got %d, want %d", n, text(a, nil), got, f(n))
			}
		}
		equal, subset := true, true
		for n := range int64(horizon) {
			equal = equal && f(n) == g(n)
			subset = subset && f(n) <= g(n)
		}
		for _, c := range []struct {
			op   spec.Op
			want bool
		}{{spec.OpEq, equal}, {spec.OpNe, !equal}, {spec.OpLessEq, subset}, {spec.OpLess, subset && !equal}, {spec.OpGreaterEq, equal || subsetOf(g, f)}} {
			x := k.op(c.op, k.bool, a, b)
			if v := eval(x); v.isBool() {
				decided++
				if v != truth(c.want) {
					t.Fatalf("%s: got %v, want %v", text(x, nil), v == True, c.want)
				}
			}
		}
	})
	if decided == 0 {
		t.Error("no comparison was decided")
	}
}

func subsetOf(f, g shadow) bool {
	for n := range int64(horizon) {
		if f(n) > g(n) {
			return false
		}
	}
	return true
}
