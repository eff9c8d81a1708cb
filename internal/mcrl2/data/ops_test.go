package data

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

type evalCase struct {
	x    spec.Expr
	want string
}

func checkAll(t *testing.T, e *Engine, cases []evalCase) {
	t.Helper()
	for i, c := range cases {
		if got := eval(t, e, c.x); got != c.want {
			t.Errorf("case %d, %s: got %s, want %s", i, text(c.x, nil), got, c.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	k := newKit()
	n := func(v int64) spec.Expr { return k.n(v, k.nat) }
	i := func(v int64) spec.Expr { return k.n(v, k.int) }
	p := func(v int64) spec.Expr { return k.n(v, k.pos) }
	big62 := k.op(spec.OpExp, k.nat, n(2), n(62))
	big100 := k.op(spec.OpExp, k.nat, n(10), n(100))
	checkAll(t, k.engine(t), []evalCase{
		{k.op(spec.OpAdd, k.nat, n(2), n(3)), "5"},
		{k.op(spec.OpSub, k.int, n(2), n(3)), "-1"},
		{k.op(spec.OpMul, k.int, i(-7), i(6)), "-42"},
		{big62, "4611686018427387904"},
		{k.op(spec.OpSub, k.int, big62, n(1)), "4611686018427387903"},
		{k.op(spec.OpMul, k.nat, big62, big62), "21267647932558653966460912964485513216"},
		{k.eq(k.op(spec.OpSub, k.int, k.op(spec.OpAdd, k.nat, big100, n(1)), big100), i(1)), "true"},
		{k.less(big62, big100), "true"},
		{k.op(spec.OpDiv, k.int, i(-7), p(2)), "-4"},
		{k.op(spec.OpMod, k.nat, i(-7), p(2)), "1"},
		{k.op(spec.OpDiv, k.nat, n(7), p(2)), "3"},
		{k.op(spec.OpMod, k.nat, n(7), p(2)), "1"},
		{k.op(spec.OpMod, k.nat, i(-8), p(2)), "0"},
		{k.op(spec.OpExp, k.nat, n(0), n(0)), "1"},
		{k.op(spec.OpExp, k.int, i(-2), n(3)), "-8"},
		{k.op(spec.OpExp, k.real, k.rat(2, 3), i(-2)), "9/4"},
		{k.op(spec.OpExp, k.real, k.rat(0, 1), i(-2)), "exp(0, -2)"},
		{k.op(spec.OpExp, k.int, i(-1), n(1<<40)), "1"},
		{k.op(spec.OpDivide, k.real, n(6), n(4)), "3/2"},
		{k.op(spec.OpDivide, k.real, n(6), n(3)), "2"},
		{k.op(spec.OpDivide, k.real, n(6), n(0)), "6 / 0"},
		{k.op(spec.OpCast, k.nat, i(-1)), "cast(-1)"},
		{k.op(spec.OpCast, k.nat, i(7)), "7"},
		{k.op(spec.OpCast, k.pos, n(0)), "cast(0)"},
		{k.op(spec.OpCast, k.int, k.rat(1, 2)), "cast(1/2)"},
		{k.op(spec.OpCast, k.real, i(-3)), "-3"},
		{k.op(spec.OpFloor, k.int, k.rat(-3, 2)), "-2"},
		{k.op(spec.OpCeil, k.int, k.rat(-3, 2)), "-1"},
		{k.op(spec.OpRound, k.int, k.rat(-3, 2)), "-1"},
		{k.op(spec.OpRound, k.int, k.rat(3, 2)), "2"},
		{k.op(spec.OpAbs, k.nat, i(-9)), "9"},
		{k.op(spec.OpMin, k.real, k.rat(1, 2), k.rat(1, 3)), "1/3"},
		{k.op(spec.OpMax, k.real, k.rat(1, 2), k.rat(1, 3)), "1/2"},
		{k.op(spec.OpSucc, k.pos, n(0)), "1"},
		{k.op(spec.OpPred, k.int, n(0)), "-1"},
		{k.op(spec.OpNeg, k.int, p(3)), "-3"},
		{k.op(spec.OpGreaterEq, k.bool, i(-3), i(-3)), "true"},
		{k.op(spec.OpLessEq, k.bool, k.rat(1, 2), k.rat(2, 4)), "true"},
	})
}

func TestLists(t *testing.T) {
	k := newKit()
	l := k.list(k.nat, k.nats(1, 2, 3)...)
	ls := l.Sort()
	empty := k.list(k.nat)
	n := func(v int64) spec.Expr { return k.n(v, k.nat) }
	checkAll(t, k.engine(t), []evalCase{
		{l, "[1, 2, 3]"},
		{empty, "[]"},
		{k.op(spec.OpSnoc, ls, l, n(4)), "[1, 2, 3, 4]"},
		{k.op(spec.OpConcat, ls, l, l), "[1, 2, 3, 1, 2, 3]"},
		{k.op(spec.OpLen, k.nat, l), "3"},
		{k.op(spec.OpAt, k.nat, l, n(2)), "3"},
		{k.op(spec.OpAt, k.nat, l, n(3)), "[1, 2, 3] . 3"},
		{k.op(spec.OpHead, k.nat, l), "1"},
		{k.op(spec.OpHead, k.nat, empty), "head([])"},
		{k.op(spec.OpTail, ls, l), "[2, 3]"},
		{k.op(spec.OpRHead, k.nat, l), "3"},
		{k.op(spec.OpRTail, ls, l), "[1, 2]"},
		{k.op(spec.OpInList, k.bool, n(3), l), "true"},
		{k.op(spec.OpInList, k.bool, n(4), l), "false"},
		{k.eq(l, k.op(spec.OpConcat, ls, l, empty)), "true"},
		{k.less(l, k.list(k.nat, k.nats(1, 3)...)), "true"},
		{k.less(l, k.list(k.nat, k.nats(1, 2)...)), "false"},
		{k.op(spec.OpLessEq, k.bool, l, l), "true"},
		{k.eq(k.op(spec.OpHead, k.nat, empty), k.op(spec.OpHead, k.nat, empty)), "true"},
		{k.eq(k.op(spec.OpHead, k.nat, empty), n(1)), "head([]) == 1"},
		{k.and(k.not(k.eq(empty, empty)), k.eq(k.op(spec.OpHead, k.nat, empty), n(1))), "false"},
		{k.and(k.eq(k.op(spec.OpHead, k.nat, empty), n(1)), k.op(spec.OpFalse, k.bool)), "false"},
	})
}

func TestSets(t *testing.T) {
	k := newKit()
	n := func(v int64) spec.Expr { return k.n(v, k.nat) }
	a, b := k.fset(k.nat, k.nats(3, 1, 2, 1)...), k.fset(k.nat, k.nats(2, 5)...)
	fs := a.Sort()
	sa, sb := k.set(a), k.set(b)
	s := sa.Sort()
	x := k.v("x", k.nat)
	under := func(m int64) spec.Expr { return k.abs(spec.SetOf, k.less(x, n(m)), x) }
	even := k.abs(spec.SetOf, k.eq(k.op(spec.OpMod, k.nat, x, k.n(2, k.pos)), n(0)), x)
	d := k.structOf("D", conOf{name: "d0"}, conOf{name: "d1"}, conOf{name: "d2"})
	y := k.v("y", d)
	con := func(i int) spec.Expr { return d.Cons[i] }
	ds := k.of(spec.Set, d)
	checkAll(t, k.engine(t), []evalCase{
		{a, "{1, 2, 3}"},
		{k.op(spec.OpUnion, fs, a, b), "{1, 2, 3, 5}"},
		{k.op(spec.OpDifference, fs, a, b), "{1, 3}"},
		{k.op(spec.OpIntersect, fs, a, b), "{2}"},
		{k.op(spec.OpSize, k.nat, a), "3"},
		{k.op(spec.OpPick, k.nat, a), "1"},
		{k.op(spec.OpPick, k.nat, k.fset(k.nat)), "pick({})"},
		{k.op(spec.OpIn, k.bool, n(2), a), "true"},
		{k.op(spec.OpIn, k.bool, n(4), a), "false"},
		{k.op(spec.OpLessEq, k.bool, k.fset(k.nat, n(2)), a), "true"},
		{k.less(a, a), "false"},
		{k.less(b, a), "false"},
		{k.eq(a, k.fset(k.nat, k.nats(1, 2, 3)...)), "true"},
		{k.op(spec.OpComplement, s, sa), "!{1, 2, 3}"},
		{k.op(spec.OpIn, k.bool, n(7), k.op(spec.OpComplement, s, sa)), "true"},
		{k.op(spec.OpUnion, s, k.op(spec.OpComplement, s, sa), sb), "!{1, 3}"},
		{k.op(spec.OpIntersect, s, k.op(spec.OpComplement, s, sa), sb), "{5}"},
		{k.op(spec.OpIntersect, s, k.op(spec.OpComplement, s, sa), k.op(spec.OpComplement, s, sb)), "!{1, 2, 3, 5}"},
		{k.op(spec.OpDifference, s, k.op(spec.OpComplement, s, sa), sb), "!{1, 2, 3, 5}"},
		{k.eq(sa, k.op(spec.OpComplement, s, sa)), "false"},
		{k.op(spec.OpLessEq, k.bool, sb, k.op(spec.OpComplement, s, k.set(k.fset(k.nat, n(1))))), "true"},
		{under(4), "{0, 1, 2, 3}"},
		{k.eq(under(2), k.set(k.fset(k.nat, k.nats(0, 1)...))), "true"},
		{k.op(spec.OpIn, k.bool, n(4), even), "true"},
		{k.op(spec.OpIn, k.bool, n(5), even), "false"},
		{k.op(spec.OpIntersect, s, even, under(5)), "{0, 2, 4}"},
		{k.op(spec.OpIn, k.bool, n(5), k.op(spec.OpUnion, s, even, k.set(k.fset(k.nat, n(5))))), "true"},
		{k.op(spec.OpIn, k.bool, n(4), k.op(spec.OpDifference, s, even, k.set(k.fset(k.nat, n(4))))), "false"},
		{k.op(spec.OpIn, k.bool, n(6), k.op(spec.OpDifference, s, even, k.set(k.fset(k.nat, n(4))))), "true"},
		{k.eq(even, even), "true"},
		{k.eq(even, k.abs(spec.SetOf, k.eq(k.op(spec.OpMod, k.nat, y0(k), k.n(2, k.pos)), n(0)), theY)), "true"},
		{k.op(spec.OpIn, k.bool, n(3), k.op(spec.OpComplement, s, even)), "true"},
		{k.abs(spec.SetOf, k.not(k.eq(y, con(1))), y), "{d0, d2}"},
		{k.op(spec.OpComplement, ds, k.set(k.fset(d, con(1)))), "{d0, d2}"},
		{k.eq(k.op(spec.OpComplement, ds, k.set(k.fset(d, con(1)))), k.set(k.fset(d, con(2), con(0)))), "true"},
	})
}

var theY *spec.Var

func y0(k *kit) spec.Expr {
	theY = k.v("z", k.nat)
	return theY
}

func TestBags(t *testing.T) {
	k := newKit()
	n := func(v int64) spec.Expr { return k.n(v, k.nat) }
	a := k.fbag(k.nat, k.nats(3, 1, 1, 2, 3, 1, 7, 0)...)
	b := k.fbag(k.nat, k.nats(1, 1, 9, 4)...)
	fb := a.Sort()
	x := k.v("x", k.nat)
	bag := k.of(spec.Bag, k.nat)
	double := k.abs(spec.BagOf, k.op(spec.OpAdd, k.nat, x, x), x)
	ba := k.op(spec.OpToBag, bag, a)
	checkAll(t, k.engine(t), []evalCase{
		{a, "{1: 2, 3: 2}"},
		{k.op(spec.OpUnion, fb, a, b), "{1: 3, 3: 2, 9: 4}"},
		{k.op(spec.OpDifference, fb, a, b), "{1: 1, 3: 2}"},
		{k.op(spec.OpIntersect, fb, a, b), "{1: 1}"},
		{k.op(spec.OpCount, k.nat, n(3), a), "2"},
		{k.op(spec.OpCount, k.nat, n(4), a), "0"},
		{k.op(spec.OpIn, k.bool, n(3), a), "true"},
		{k.op(spec.OpSize, k.nat, a), "4"},
		{k.op(spec.OpLessEq, k.bool, k.fbag(k.nat, k.nats(1, 1)...), a), "true"},
		{k.less(a, a), "false"},
		{k.op(spec.OpLessEq, k.bool, b, a), "false"},
		{k.op(spec.OpBag2Set, k.of(spec.FSet, k.nat), a), "{1, 3}"},
		{k.op(spec.OpSet2Bag, fb, k.fset(k.nat, k.nats(4, 2)...)), "{2: 1, 4: 1}"},
		{k.op(spec.OpCount, k.nat, n(3), double), "6"},
		{k.op(spec.OpCount, k.nat, n(3), k.op(spec.OpUnion, bag, double, ba)), "8"},
		{k.op(spec.OpDifference, bag, ba, double), "{:}"},
		{k.op(spec.OpIn, k.bool, n(0), double), "false"},
		{k.op(spec.OpIn, k.bool, n(2), k.op(spec.OpBag2Set, k.of(spec.Set, k.nat), double)), "true"},
	})
}
