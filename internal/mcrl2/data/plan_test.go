package data

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"pgregory.net/rapid"
)

// A condDrawer draws conditions over variables of several sorts.
type condDrawer struct {
	k       *kit
	t       *rapid.T
	x, y    *spec.Var // Nat
	z       *spec.Var // Int
	p       *spec.Var // Pos
	c       *spec.Var // D
	q       *spec.Var // Pair
	pair, d *spec.Sort
}

func (d *condDrawer) below(n int) int { return rapid.IntRange(0, n-1).Draw(d.t, "choice") }

func (d *condDrawer) small() spec.Expr { return d.k.n(int64(d.below(5)), d.k.nat) }

// nat draws a number that is at most about 30.
func (d *condDrawer) nat(depth int) spec.Expr {
	k := d.k
	if depth == 0 {
		return []spec.Expr{d.x, d.y, d.small(), k.op(spec.OpCast, k.nat, d.p)}[d.below(4)]
	}
	switch d.below(5) {
	case 0:
		return k.op(spec.OpAdd, k.nat, d.nat(depth-1), d.nat(depth-1))
	case 1:
		return k.op(spec.OpMax, k.nat, d.nat(depth-1), d.nat(depth-1))
	case 2:
		return apply(d.pair.Cons[0].Proj[0], d.q)
	}
	return d.nat(0)
}

func (d *condDrawer) con() spec.Expr {
	if d.below(2) == 0 {
		return d.c
	}
	return d.d.Cons[d.below(len(d.d.Cons))]
}

func (d *condDrawer) cond(depth int) spec.Expr {
	k := d.k
	if depth > 0 {
		a := d.cond(depth - 1)
		switch d.below(5) {
		case 0:
			return k.and(a, d.cond(depth-1))
		case 1:
			return k.or(a, d.cond(depth-1))
		case 2:
			return k.not(a)
		case 3:
			return k.op(spec.OpImplies, k.bool, a, d.cond(depth-1))
		}
		return k.op(spec.OpIf, k.bool, a, d.cond(depth-1), d.cond(depth-1))
	}
	ops := []spec.Op{spec.OpEq, spec.OpNe, spec.OpLess, spec.OpLessEq, spec.OpGreater, spec.OpGreaterEq}
	op := ops[d.below(len(ops))]
	switch d.below(7) {
	case 0:
		return k.op(op, k.bool, d.con(), d.con())
	case 1:
		return k.eq(d.q, apply(d.pair.Cons[0], d.nat(0), d.con()))
	case 2:
		return k.op(op, k.bool, k.op(spec.OpCast, k.int, d.nat(1)), d.z)
	case 3:
		return k.op(spec.OpInList, k.bool, d.nat(0), k.list(k.nat, d.small(), d.small(), d.nat(0)))
	case 4:
		return apply(d.pair.Cons[d.below(2)].Is, d.q)
	}
	return k.op(op, k.bool, d.nat(1), d.nat(1))
}

// bounds returns conditions that bound all numbers, in one of several ways.
func (d *condDrawer) bounds() []spec.Expr {
	k := d.k
	six := k.n(6, k.nat)
	of := func(v spec.Expr) spec.Expr {
		switch d.below(5) {
		case 0:
			return k.less(v, six)
		case 1:
			return k.not(k.less(six, v))
		case 2:
			return k.op(spec.OpGreaterEq, k.bool, six, k.op(spec.OpAdd, k.nat, v, d.small()))
		case 3:
			return k.op(spec.OpInList, k.bool, v, k.list(k.nat, d.small(), d.small(), six))
		}
		return k.or(k.less(v, k.n(2, k.nat)), k.eq(v, d.small()))
	}
	i := func(n int64) spec.Expr { return k.n(n, k.int) }
	z := k.and(k.less(i(-3), d.z), k.op(spec.OpLessEq, k.bool, d.z, i(2)))
	if d.below(2) == 0 {
		z = k.less(k.op(spec.OpCast, k.int, k.op(spec.OpAbs, k.nat, d.z)), i(3))
	}
	proj := apply(d.pair.Cons[0].Proj[0], d.q)
	q := k.or(apply(d.pair.Cons[1].Is, d.q), k.less(proj, k.n(3, k.nat)))
	return []spec.Expr{of(d.x), of(d.y), of(k.op(spec.OpCast, k.nat, d.p)), z, q}
}

// TestPlans holds enumeration against trying all values.
func TestPlans(t *testing.T) {
	k := newKit()
	d3 := k.structOf("D", conOf{name: "d0"}, conOf{name: "d1"}, conOf{name: "d2"})
	pair := k.structOf("Pair", conOf{"pair", []*spec.Sort{k.nat, d3}}, conOf{name: "nothing"})
	e := k.engine(t)
	solved, solutions := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		d := &condDrawer{k: k, t: t, x: k.v("x", k.nat), y: k.v("y", k.nat), z: k.v("z", k.int), p: k.v("p", k.pos),
			c: k.v("c", d3), q: k.v("q", pair), pair: pair, d: d3}
		parts := append(d.bounds(), d.cond(2))
		for range d.below(3) {
			parts = append(parts, d.cond(1))
		}
		order := rapid.Permutation(parts).Draw(t, "order")
		cond := order[0]
		for _, c := range order[1:] {
			cond = k.and(cond, c)
		}
		vars := rapid.Permutation([]*spec.Var{d.x, d.y, d.z, d.p, d.c, d.q}).Draw(t, "variables")
		sc := e.NewScope()
		sum, err := e.CompileSum(sc, vars, cond, cond.Pos())
		if err != nil {
			t.Fatal(err)
		}
		code, err := e.Compile(cond, sc)
		if err != nil {
			t.Fatal(err)
		}
		f := make([]Value, sc.Size())
		got := map[string]bool{}
		if err := sum.Each(f, func() bool {
			got[fmt.Sprint(f[:len(vars)])] = true
			return true
		}); err != nil {
			// p0(nothing) is a term, so a condition may have no value.
			t.Skip(err)
		}
		values := map[*spec.Sort][]Value{d3: e.elementsOf(d3)}
		for n := range int64(7) {
			values[k.nat] = append(values[k.nat], small(n))
			values[k.pos] = append(values[k.pos], small(n+1))
			values[k.int] = append(values[k.int], small(n-3))
		}
		for n := range int64(4) {
			for _, c := range values[d3] {
				values[pair] = append(values[pair], e.make(e.symbol(pair.Cons[0]), small(n), c))
			}
		}
		values[pair] = append(values[pair], small(1))
		want := map[string]bool{}
		var fill func(i int)
		fill = func(i int) {
			if i < len(vars) {
				for _, v := range values[vars[i].Of] {
					f[i] = v
					fill(i + 1)
				}
				return
			}
			if v, err := code.Eval(f); err != nil {
				t.Fatal(err)
			} else if v == True {
				want[fmt.Sprint(f[:len(vars)])] = true
			}
		}
		fill(0)
		solved, solutions = solved+1, solutions+len(want)
		if !maps.Equal(got, want) {
			t.Fatalf("%s\nfor %v: got %d solutions, want %d: %v, %v", text(cond, nil), textVars(vars), len(got), len(want),
				slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
		}
	})
	t.Logf("%d conditions with %d solutions", solved, solutions)
	if solved == 0 || solutions == 0 {
		t.Errorf("%d conditions were solved and had %d solutions, want some", solved, solutions)
	}
}
