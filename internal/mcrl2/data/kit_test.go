package data

import (
	"math/big"
	"testing"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A kit makes expressions for tests.
type kit struct {
	d                         *spec.Data
	bool, pos, nat, int, real *spec.Sort
}

func newKit() *kit {
	u := spec.NewSorts()
	k := &kit{d: &spec.Data{Sorts: u, Lib: spec.NewLibrary(u)}}
	k.bool, k.pos, k.nat, k.int, k.real = u.Basic(spec.Bool), u.Basic(spec.Pos), u.Basic(spec.Nat), u.Basic(spec.Int), u.Basic(spec.Real)
	return k
}

func (k *kit) of(kind spec.SortKind, s *spec.Sort) *spec.Sort { return k.d.Sorts.Of(kind, s) }

func (k *kit) fun(result *spec.Sort, args ...*spec.Sort) *spec.Sort {
	return k.d.Sorts.Function(args, result)
}

// op applies a function of the language.
func (k *kit) op(op spec.Op, result *spec.Sort, args ...spec.Expr) spec.Expr {
	of := result
	if len(args) > 0 {
		sorts := make([]*spec.Sort, len(args))
		for i, a := range args {
			sorts[i] = a.Sort()
		}
		of = k.fun(result, sorts...)
	}
	f := k.d.Lib.Func(op, opNames[op], of)
	if len(args) == 0 {
		return f
	}
	return &spec.Apply{Head: f, Args: args}
}

var opNames = map[spec.Op]string{spec.OpHead: "head", spec.OpTail: "tail", spec.OpCast: "cast", spec.OpExp: "exp",
	spec.OpAbs: "abs", spec.OpMin: "min", spec.OpMax: "max", spec.OpPick: "pick", spec.OpIf: "if"}

func apply(f spec.Expr, args ...spec.Expr) spec.Expr { return &spec.Apply{Head: f, Args: args} }

func (k *kit) n(v int64, s *spec.Sort) spec.Expr {
	return &spec.Number{Value: new(big.Rat).SetInt64(v), Of: s}
}

func (k *kit) rat(a, b int64) spec.Expr {
	return &spec.Number{Value: big.NewRat(a, b), Of: k.real}
}

func (k *kit) nats(list ...int64) []spec.Expr {
	var out []spec.Expr
	for _, n := range list {
		out = append(out, k.n(n, k.nat))
	}
	return out
}

func (k *kit) list(elem *spec.Sort, xs ...spec.Expr) spec.Expr {
	s := k.of(spec.List, elem)
	l := k.op(spec.OpNil, s)
	for i := len(xs) - 1; i >= 0; i-- {
		l = k.op(spec.OpCons, s, xs[i], l)
	}
	return l
}

func (k *kit) fset(elem *spec.Sort, xs ...spec.Expr) spec.Expr {
	s := k.of(spec.FSet, elem)
	l := k.op(spec.OpEmptySet, s)
	for i := len(xs) - 1; i >= 0; i-- {
		l = k.op(spec.OpInsert, s, xs[i], l)
	}
	return l
}

func (k *kit) set(x spec.Expr) spec.Expr {
	return k.op(spec.OpToSet, k.of(spec.Set, x.Sort().Args[0]), x)
}

func (k *kit) fbag(elem *spec.Sort, xs ...spec.Expr) spec.Expr {
	s := k.of(spec.FBag, elem)
	l := k.op(spec.OpEmptyBag, s)
	for i := len(xs) - 2; i >= 0; i -= 2 {
		l = k.op(spec.OpInsertN, s, xs[i], xs[i+1], l)
	}
	return l
}

func (k *kit) v(name string, s *spec.Sort) *spec.Var { return &spec.Var{Name: name, Of: s} }

func (k *kit) abs(kind spec.Binder, body spec.Expr, vars ...*spec.Var) spec.Expr {
	a := &spec.Abs{Kind: kind, Vars: vars, Body: body, Of: k.bool}
	switch kind {
	case spec.Lambda:
		sorts := make([]*spec.Sort, len(vars))
		for i, v := range vars {
			sorts[i] = v.Of
		}
		a.Of = k.fun(body.Sort(), sorts...)
	case spec.SetOf:
		a.Of = k.of(spec.Set, vars[0].Of)
	case spec.BagOf:
		a.Of = k.of(spec.Bag, vars[0].Of)
	}
	return a
}

func (k *kit) eq(a, b spec.Expr) spec.Expr   { return k.op(spec.OpEq, k.bool, a, b) }
func (k *kit) less(a, b spec.Expr) spec.Expr { return k.op(spec.OpLess, k.bool, a, b) }
func (k *kit) and(a, b spec.Expr) spec.Expr  { return k.op(spec.OpAnd, k.bool, a, b) }
func (k *kit) or(a, b spec.Expr) spec.Expr   { return k.op(spec.OpOr, k.bool, a, b) }
func (k *kit) not(a spec.Expr) spec.Expr     { return k.op(spec.OpNot, k.bool, a) }

// structOf declares a struct. Each constructor is its name and its arguments,
// whose projections are called p0, p1 …
func (k *kit) structOf(name string, cons ...conOf) *spec.Sort {
	s := k.d.Sorts.Declare(name)
	s.Struct = true
	k.addCons(s, cons)
	return s
}

type conOf struct {
	name string
	args []*spec.Sort
}

func (k *kit) addCons(s *spec.Sort, cons []conOf) {
	for i, c := range cons {
		of := s
		if len(c.args) > 0 {
			of = k.fun(s, c.args...)
		}
		f := &spec.Func{Name: c.name, Of: of, Con: true, Index: i}
		f.Is = &spec.Func{Name: "is_" + c.name, Of: k.fun(k.bool, s), Op: spec.OpIs, Owner: f}
		for j, a := range c.args {
			f.Proj = append(f.Proj, &spec.Func{Name: "p" + string(rune('0'+j)), Of: k.fun(a, s), Op: spec.OpProj, Owner: f, Index: j})
		}
		s.Cons = append(s.Cons, f)
	}
}

func (k *kit) userMap(name string, result *spec.Sort, args ...*spec.Sort) *spec.Func {
	of := result
	if len(args) > 0 {
		of = k.fun(result, args...)
	}
	return &spec.Func{Name: name, Of: of}
}

// eqn adds cond -> l = r.
func (k *kit) eqn(cond, l, r spec.Expr) {
	k.d.Eqns = append(k.d.Eqns, &spec.Equation{Vars: spec.FreeVars(l, r), Cond: cond, Left: l, Right: r})
}

func (k *kit) engine(t testing.TB) *Engine {
	t.Helper()
	e, err := New(k.d, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// eval returns the value of an expression as text.
func eval(t testing.TB, e *Engine, x spec.Expr) string {
	t.Helper()
	v, err := e.Eval(x, nil)
	if err != nil {
		return "error: " + err.Error()
	}
	return e.Format(v, x.Sort())
}
