package data

import (
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

func TestEquations(t *testing.T) {
	k := newKit()
	n := func(v int64) spec.Expr { return k.n(v, k.nat) }
	nats := k.of(spec.List, k.nat)
	x, y, m, l := k.v("x", k.nat), k.v("y", k.nat), k.v("m", k.nat), k.v("l", nats)

	fact := k.userMap("fact", k.nat, k.nat)
	k.eqn(nil, apply(fact, n(0)), n(1))
	k.eqn(k.less(n(0), x), apply(fact, x), k.op(spec.OpMul, k.nat, x, apply(fact, k.op(spec.OpCast, k.nat, k.op(spec.OpSub, k.int, x, n(1))))))

	// Insertion sort, and a function that needs no stack.
	ins := k.userMap("ins", nats, k.nat, nats)
	k.eqn(nil, apply(ins, x, k.list(k.nat)), k.list(k.nat, x))
	cell := func(h, t spec.Expr) spec.Expr { return k.op(spec.OpCons, nats, h, t) }
	k.eqn(k.op(spec.OpLessEq, k.bool, x, y), apply(ins, x, cell(y, l)), cell(x, cell(y, l)))
	k.eqn(k.less(y, x), apply(ins, x, cell(y, l)), cell(y, apply(ins, x, l)))
	sort := k.userMap("sort", nats, nats)
	k.eqn(nil, apply(sort, k.list(k.nat)), k.list(k.nat))
	k.eqn(nil, apply(sort, cell(x, l)), apply(ins, x, apply(sort, l)))
	count := k.userMap("count", k.nat, k.nat, k.nat)
	k.eqn(nil, apply(count, x, m), k.op(spec.OpIf, k.nat, k.eq(x, n(0)), m,
		apply(count, k.op(spec.OpCast, k.nat, k.op(spec.OpSub, k.int, x, n(1))), k.op(spec.OpAdd, k.nat, m, n(2)))))

	// A pattern that is not left-linear, and one that no value fits.
	same := k.userMap("same", k.bool, k.nat, k.nat)
	k.eqn(nil, apply(same, x, x), k.op(spec.OpTrue, k.bool))
	pos := k.v("q", k.pos)
	half := k.userMap("pred", k.nat, k.nat)
	k.eqn(nil, apply(half, k.op(spec.OpCast, k.nat, pos)), k.op(spec.OpPred, k.nat, pos))

	// Functions to functions, functions as arguments and constants that are
	// functions.
	nn := k.fun(k.nat, k.nat)
	add := k.userMap("add", nn, k.nat)
	k.eqn(nil, apply(apply(add, x), y), k.op(spec.OpAdd, k.nat, x, y))
	f := k.v("f", nn)
	mapf := k.userMap("map", nats, nn, nats)
	k.eqn(nil, apply(mapf, f, k.list(k.nat)), k.list(k.nat))
	k.eqn(nil, apply(mapf, f, cell(x, l)), cell(apply(f, x), apply(mapf, f, l)))
	twice := k.userMap("twice", nn)
	z := k.v("z", k.nat)
	k.eqn(nil, twice, k.abs(spec.Lambda, k.op(spec.OpAdd, k.nat, z, z), z))

	loop := k.userMap("loop", k.nat, k.nat)
	k.eqn(nil, apply(loop, x), apply(loop, k.op(spec.OpAdd, k.nat, x, n(1))))
	deep := k.userMap("deep", k.nat, k.nat)
	k.eqn(nil, apply(deep, x), k.op(spec.OpAdd, k.nat, n(1), apply(deep, k.op(spec.OpAdd, k.nat, x, n(1)))))
	c := k.userMap("c", k.nat)
	k.eqn(nil, c, n(42))

	three := k.list(k.nat, k.nats(3, 1, 2)...)
	update := func(f, x, v spec.Expr) spec.Expr { return k.op(spec.OpUpdate, nn, f, x, v) }
	e := k.engine(t)
	e.options.Steps, e.options.Depth = 300_000, 10_000
	checkAll(t, e, []evalCase{
		{apply(fact, n(5)), "120"},
		{apply(fact, n(30)), "265252859812191058636308480000000"},
		{apply(sort, three), "[1, 2, 3]"},
		{apply(count, n(200_000), n(0)), "400000"},
		{apply(same, n(3), n(3)), "true"},
		{apply(same, n(3), n(4)), "same(3, 4)"},
		{apply(half, n(3)), "2"},
		{apply(half, n(0)), "pred(0)"},
		{apply(apply(add, n(3)), n(4)), "7"},
		{apply(mapf, apply(add, n(10)), three), "[13, 11, 12]"},
		{apply(mapf, twice, three), "[6, 2, 4]"},
		{apply(mapf, fact, three), "[6, 1, 2]"},
		{apply(mapf, k.abs(spec.Lambda, k.op(spec.OpMul, k.nat, z, c), z), three), "[126, 42, 84]"},
		{apply(twice, c), "84"},
		{update(update(twice, n(1), n(7)), n(0), n(9)), "(lambda z: Nat. z + z)[0 -> 9][1 -> 7]"},
		{update(update(twice, n(1), n(7)), n(1), n(2)), "lambda z: Nat. z + z"},
		{k.eq(update(twice, n(1), n(2)), twice), "true"},
		{k.eq(update(twice, n(1), n(3)), twice), "false"},
		{apply(update(twice, n(1), n(7)), n(1)), "7"},
		{apply(update(twice, n(1), n(7)), n(2)), "4"},
		{&spec.Where{Body: k.op(spec.OpAdd, k.nat, x, y), Vars: []*spec.Var{x, y}, Values: []spec.Expr{n(1), c}}, "43"},
		{apply(loop, n(0)), "error: rewriting of loop does not end within 300000 steps: not supported (see docs/LIMITS.md)"},
		{apply(deep, n(0)), "error: calls of deep are nested more than 10000 deep: not supported (see docs/LIMITS.md)"},
		{apply(fact, n(4)), "24"}, // the engine goes on after an error
	})
}

func TestStructs(t *testing.T) {
	k := newKit()
	n := func(v int64) spec.Expr { return k.n(v, k.nat) }
	s := k.d.Sorts.Declare("T")
	s.Struct = true
	k.addCons(s, []conOf{{name: "leaf"}, {"node", []*spec.Sort{s, k.nat, s}}, {name: "other"}})
	leaf, node, other := s.Cons[0], s.Cons[1], s.Cons[2]
	one := apply(node, leaf, n(1), leaf)
	two := apply(node, one, n(2), other)
	check := []evalCase{
		{two, "node(node(leaf, 1, leaf), 2, other)"},
		{apply(node.Proj[0], two), "node(leaf, 1, leaf)"},
		{apply(node.Proj[1], leaf), "p1(leaf)"},
		{apply(node.Is, two), "true"},
		{apply(node.Is, leaf), "false"},
		{apply(leaf.Is, leaf), "true"},
		{apply(other.Is, two), "false"},
		{k.eq(one, apply(node.Proj[0], two)), "true"},
		{k.eq(one, two), "false"},
		{k.less(leaf, one), "true"},
		{k.less(one, other), "true"},
		{k.less(one, two), "true"},
		{k.less(two, one), "false"},
		{k.op(spec.OpLessEq, k.bool, two, two), "true"},
		{k.fset(s, two, other, leaf, one), "{leaf, node(leaf, 1, leaf), node(node(leaf, 1, leaf), 2, other), other}"},
	}
	checkAll(t, k.engine(t), check)
}

// A sort declared by cons has the equality that its equations give it.
func TestNamedSorts(t *testing.T) {
	k := newKit()
	plain, own, bare := k.d.Sorts.Declare("Plain"), k.d.Sorts.Declare("Own"), k.d.Sorts.Declare("Bare")
	k.addCons(plain, []conOf{{name: "a"}, {name: "b"}})
	k.addCons(own, []conOf{{name: "c"}, {name: "d"}, {name: "e"}})
	k.eqn(nil, k.eq(own.Cons[0], own.Cons[1]), k.op(spec.OpTrue, k.bool))
	k.eqn(nil, k.eq(own.Cons[0], own.Cons[2]), k.op(spec.OpFalse, k.bool))
	u, v := k.userMap("u", bare), k.userMap("v", bare)
	checkAll(t, k.engine(t), []evalCase{
		{k.eq(plain.Cons[0], plain.Cons[1]), "false"},
		{k.eq(own.Cons[0], own.Cons[1]), "true"},
		{k.op(spec.OpNe, k.bool, own.Cons[0], own.Cons[1]), "false"},
		{k.eq(own.Cons[0], own.Cons[2]), "false"},
		{k.eq(own.Cons[1], own.Cons[2]), "d == e"},
		{k.eq(k.list(own, own.Cons[0]), k.list(own, own.Cons[1])), "true"},
		{k.op(spec.OpInList, k.bool, own.Cons[0], k.list(own, own.Cons[1])), "true"},
		{k.eq(u, u), "true"},
		{k.eq(u, v), "u == v"},
		{k.fset(own, own.Cons[0], own.Cons[1]), "{d}"},
	})
}

func TestQuantifiers(t *testing.T) {
	k := newKit()
	n := func(v int64) spec.Expr { return k.n(v, k.nat) }
	i := func(v int64) spec.Expr { return k.n(v, k.int) }
	d := k.structOf("D", conOf{name: "d0"}, conOf{name: "d1"})
	pair := k.structOf("Pair", conOf{"pair", []*spec.Sort{k.nat, d}})
	x, y, b, c, z := k.v("x", k.nat), k.v("y", k.nat), k.v("b", k.bool), k.v("c", d), k.v("z", k.int)
	r, p := k.v("r", k.real), k.v("p", pair)
	bl := k.v("l", k.of(spec.List, k.bool))
	f := k.v("f", k.fun(k.bool, d))
	s := k.v("s", k.of(spec.Set, d))
	ex := func(body spec.Expr, vars ...*spec.Var) spec.Expr { return k.abs(spec.Exists, body, vars...) }
	all := func(body spec.Expr, vars ...*spec.Var) spec.Expr { return k.abs(spec.Forall, body, vars...) }
	implies := func(a, b spec.Expr) spec.Expr { return k.op(spec.OpImplies, k.bool, a, b) }
	plus := func(a, b spec.Expr) spec.Expr { return k.op(spec.OpAdd, k.nat, a, b) }
	times := func(a, b spec.Expr) spec.Expr { return k.op(spec.OpMul, k.nat, a, b) }
	checkAll(t, k.engine(t), []evalCase{
		{ex(b, b), "true"},
		{all(b, b), "false"},
		{all(k.or(b, k.not(b)), b), "true"},
		{ex(k.eq(c, d.Cons[1]), c), "true"},
		{ex(k.and(k.less(x, n(5)), k.eq(times(x, x), n(9))), x), "true"},
		{ex(k.and(k.less(x, n(3)), k.eq(times(x, x), n(9))), x), "false"},
		{all(implies(k.less(x, n(10)), k.op(spec.OpLessEq, k.bool, times(x, n(1)), n(9))), x), "true"},
		{all(implies(k.less(x, n(10)), k.less(x, n(9))), x), "false"},
		{ex(k.and(k.eq(plus(x, y), n(3)), k.eq(times(x, y), n(2))), x, y), "true"},
		{ex(k.and(k.eq(plus(x, y), n(3)), k.eq(times(x, y), n(3))), x, y), "false"},
		{ex(k.or(k.eq(x, n(3)), k.and(k.less(x, n(2)), k.eq(x, n(5)))), x), "true"},
		{ex(k.and(k.less(i(-3), z), k.and(k.less(z, i(0)), k.eq(k.op(spec.OpMul, k.int, z, z), i(4)))), z), "true"},
		{ex(k.and(k.eq(r, k.rat(1, 2)), k.less(r, k.rat(1, 1))), r), "true"},
		{ex(k.and(k.op(spec.OpInList, k.bool, x, k.list(k.nat, k.nats(4, 7)...)), k.less(n(5), x)), x), "true"},
		{ex(k.eq(p, apply(pair.Cons[0], n(3), d.Cons[0])), p), "true"},
		{ex(k.and(k.eq(apply(pair.Cons[0], x, c), apply(pair.Cons[0], n(3), d.Cons[0])), k.eq(x, n(3))), x, c), "true"},
		{ex(k.and(k.eq(bl, k.list(k.bool, b)), b), bl, b), "true"},
		{ex(k.and(k.op(spec.OpInList, k.bool, k.op(spec.OpTrue, k.bool), bl), k.op(spec.OpEq, k.bool, k.op(spec.OpTail, bl.Of, bl), k.list(k.bool))), bl), "true"},
		{ex(k.and(apply(f, d.Cons[0]), k.not(apply(f, d.Cons[1]))), f), "true"},
		{ex(k.and(apply(f, d.Cons[0]), k.not(apply(f, d.Cons[0]))), f), "false"},
		{ex(k.and(k.op(spec.OpIn, k.bool, d.Cons[0], s), k.not(k.op(spec.OpIn, k.bool, d.Cons[1], s))), s), "true"},
		{all(k.or(b, k.op(spec.OpTrue, k.bool)), b), "true"},
		{ex(k.eq(x, x), x), "true"},
		{ex(k.less(n(3), x), x), "true"},
		{ex(k.less(n(300), x), x), "exists x: Nat. 300 < x"},
		{all(k.or(k.less(n(3), x), k.less(x, n(4))), x), "true"},
	})
}

func TestSum(t *testing.T) {
	k := newKit()
	n := func(v int64) spec.Expr { return k.n(v, k.nat) }
	m, x, y, r := k.v("m", k.nat), k.v("x", k.nat), k.v("y", k.pos), k.v("r", k.real)
	yn := k.op(spec.OpCast, k.nat, y)
	for _, c := range []struct {
		vars []*spec.Var
		cond spec.Expr
		want string
	}{
		{[]*spec.Var{x}, k.less(x, m), "0 1 2 3 "},
		{[]*spec.Var{x, y}, k.and(k.eq(x, k.op(spec.OpAdd, k.nat, yn, n(1))), k.less(x, m)), "2,1 3,2 "},
		{[]*spec.Var{x, y}, k.eq(k.op(spec.OpAdd, k.nat, x, yn), m), "0,4 1,3 2,2 3,1 "},
		{[]*spec.Var{x}, k.and(k.less(m, n(4)), k.less(n(2), x)), ""},
		{[]*spec.Var{x}, k.less(n(2), x), "error: values of x: Nat: the condition gives it no upper bound: not supported (see docs/LIMITS.md)"},
		{[]*spec.Var{r}, k.less(r, k.rat(1, 2)), "error: values of r: Real: the condition does not give its value: not supported (see docs/LIMITS.md)"},
		{[]*spec.Var{x}, k.and(k.less(x, n(2)), k.eq(k.op(spec.OpHead, k.nat, k.list(k.nat)), n(1))),
			"error: the condition is neither true nor false: it rewrites to head([]) == 1: not supported (see docs/LIMITS.md)"},
	} {
		e := k.engine(t)
		sc := e.NewScope(m)
		sum, err := e.CompileSum(sc, c.vars, c.cond, c.cond.Pos())
		if err != nil {
			t.Fatal(err)
		}
		f := make([]Value, sc.Size())
		f[0] = small(4)
		var got strings.Builder
		err = sum.Each(f, func() bool {
			for i, v := range c.vars {
				if i > 0 {
					got.WriteString(",")
				}
				got.WriteString(e.Format(f[1+i], v.Of))
			}
			got.WriteString(" ")
			return true
		})
		if err != nil {
			got.WriteString("error: " + err.Error())
		}
		if got.String() != c.want {
			t.Errorf("%s: got %q, want %q", text(c.cond, nil), got.String(), c.want)
		}
	}
}
