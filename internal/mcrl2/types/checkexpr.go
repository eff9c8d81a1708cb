package types

import (
	"math/big"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/syntax"
)

// A typed is an expression that was checked against a sort. It is the zero value
// if it does not fit.
type typed struct {
	e    spec.Expr
	cost int // how many casts were put in
	amb  *ambiguity
}

// An ambiguity is a name that stands for two functions that fit equally well.
type ambiguity struct {
	at   diag.Pos
	name string
	a, b *spec.Sort
}

type checkKey struct {
	e    syntax.Expr
	want *spec.Sort
}

// check returns an expression as one of the sort want, which has no hole.
func (c *checker) check(sc *scope, e syntax.Expr, want *spec.Sort) typed {
	k := checkKey{e, want}
	if t, ok := c.checked[k]; ok {
		return t
	}
	t := c.checkNew(sc, e, want)
	c.checked[k] = t
	return t
}

func (c *checker) checkNew(sc *scope, e syntax.Expr, want *spec.Sort) typed {
	switch e := e.(type) {
	case *syntax.Ident:
		return c.checkName(sc, e, want)
	case *syntax.Number:
		return c.checkNumber(e, want)
	case *syntax.BoolLit:
		return c.cast(typed{e: c.lib.Bool(e.Value)}, want)
	case *syntax.ListLit, *syntax.SetLit, *syntax.BagLit:
		return c.checkLiteral(sc, e, want)
	case *syntax.Comprehension:
		return c.checkComprehension(sc, e, want)
	case *syntax.Quant:
		return c.checkQuant(sc, e, want)
	case *syntax.Where:
		return c.checkWhere(sc, e, want)
	case *syntax.Update:
		return c.checkUpdate(sc, e, want)
	}
	return c.checkApply(sc, c.application(e), want)
}

// cast puts a cast to want over an expression, if there is one.
func (c *checker) cast(t typed, want *spec.Sort) typed {
	if t.e == nil {
		return t
	}
	from := t.e.Sort()
	n := c.table.casts(from, want)
	switch {
	case n < 0:
		return typed{}
	case n == 0:
		return t
	}
	if x, ok := t.e.(*spec.Number); ok {
		return typed{&spec.Number{Value: x.Value, Of: want, At: x.At}, t.cost + n, t.amb}
	}
	op, name := spec.OpCast, ""
	switch want.Kind {
	case spec.Set:
		op, name = spec.OpToSet, "FSet2Set"
	case spec.Bag:
		op, name = spec.OpToBag, "FBag2Bag"
	default:
		name = spec.CastName(from, want)
	}
	f := c.lib.Func(op, name, c.sorts.Function([]*spec.Sort{from}, want))
	return typed{&spec.Apply{Head: f, Args: []spec.Expr{t.e}, At: t.e.Pos()}, t.cost + n, t.amb}
}

func (c *checker) checkName(sc *scope, e *syntax.Ident, want *spec.Sort) typed {
	hidden := 0
	if v := sc.lookup(e.Name); v != nil {
		if t := c.cast(typed{e: v}, want); t.e != nil {
			return t
		}
		hidden = hiddenCost
	}
	var best typed
	for _, f := range c.funcs[e.Name] {
		t := c.cast(typed{e: f, cost: hidden}, want)
		switch {
		case t.e == nil || best.e != nil && best.cost < t.cost:
		case best.e == nil || t.cost < best.cost:
			best = t
		case best.amb == nil:
			best.amb = &ambiguity{e.At, e.Name, headSort(best.e), f.Of}
		}
	}
	if best.e == nil && want.Kind == spec.Function {
		for i := range spec.Signatures(e.Name) {
			if f := c.asValue(e.Name, &spec.Signatures(e.Name)[i], want); f != nil {
				return typed{e: f, cost: hidden}
			}
		}
	}
	return best
}

// asValue returns a function of the language that is used as a value of the
// given function sort.
func (c *checker) asValue(name string, b *spec.Signature, want *spec.Sort) *spec.Func {
	if len(b.Args) != len(want.Args) {
		return nil
	}
	s := hole
	for i, p := range b.Args {
		if x := c.table.bind(p, want.Args[i]); x == nil {
			return nil
		} else if x != hole {
			s = x
		}
	}
	if f := c.instance(name, b, s); f.Of == want {
		return f
	}
	return nil
}

// headSort returns the sort of the function that was chosen, under casts.
func headSort(e spec.Expr) *spec.Sort {
	for {
		a, ok := e.(*spec.Apply)
		if !ok {
			return e.Sort()
		}
		f, ok := a.Head.(*spec.Func)
		if !ok || f.Op != spec.OpCast && f.Op != spec.OpToSet && f.Op != spec.OpToBag {
			return a.Head.Sort()
		}
		e = a.Args[0]
	}
}

func (c *checker) checkNumber(e *syntax.Number, want *spec.Sort) typed {
	least := spec.Pos
	if e.Text == "0" {
		least = spec.Nat
	}
	if want == bad {
		want = c.sorts.Basic(least)
	}
	if !want.Numeric() || want.Kind < least {
		return typed{}
	}
	n, ok := new(big.Int).SetString(e.Text, 10)
	if !ok {
		panic(diag.Bugf("number %q", e.Text))
	}
	return typed{e: &spec.Number{Value: new(big.Rat).SetInt(n), Of: want, At: e.At}, cost: int(want.Kind - least)}
}

// checkLiteral checks lists, sets and bags that are written out.
func (c *checker) checkLiteral(sc *scope, e syntax.Expr, want *spec.Sort) typed {
	var kind spec.SortKind
	var elems, counts []syntax.Expr
	switch e := e.(type) {
	case *syntax.ListLit:
		kind, elems = spec.List, e.Elems
	case *syntax.SetLit:
		kind, elems = spec.FSet, e.Elems
	case *syntax.BagLit:
		kind, elems, counts = spec.FBag, e.Elems, e.Counts
	}
	if k, ok := joinContainers(kind, want.Kind); !ok || k != want.Kind {
		if want == bad {
			return typed{e: c.lib.True()}
		}
		return typed{}
	}
	elem := want.Args[0]
	of := c.sorts.Of(kind, elem)
	nat := c.sorts.Basic(spec.Nat)
	sum := typed{}
	var out spec.Expr
	var add *spec.Func
	switch kind {
	case spec.List:
		out = c.lib.Func(spec.OpNil, "[]", of)
		add = c.lib.Func(spec.OpCons, "|>", c.sorts.Function([]*spec.Sort{elem, of}, of))
	case spec.FSet:
		out = c.lib.Func(spec.OpEmptySet, "{}", of)
		add = c.lib.Func(spec.OpInsert, "insert", c.sorts.Function([]*spec.Sort{elem, of}, of))
	default:
		out = c.lib.Func(spec.OpEmptyBag, "{:}", of)
		add = c.lib.Func(spec.OpInsertN, "insert", c.sorts.Function([]*spec.Sort{elem, nat, of}, of))
	}
	for i := len(elems) - 1; i >= 0; i-- {
		x := c.check(sc, elems[i], elem)
		if !sum.add(x) {
			return typed{}
		}
		args := []spec.Expr{x.e, out}
		if kind == spec.FBag {
			n := c.check(sc, counts[i], nat)
			if !sum.add(n) {
				return typed{}
			}
			args = []spec.Expr{x.e, n.e, out}
		}
		out = &spec.Apply{Head: add, Args: args, At: e.Pos()}
	}
	sum.e = out
	return c.cast(sum, want)
}

// add takes over the cost of a part, and reports whether it fits.
func (t *typed) add(part typed) bool {
	t.cost += part.cost
	if t.amb == nil {
		t.amb = part.amb
	}
	return part.e != nil
}

func (c *checker) checkComprehension(sc *scope, e *syntax.Comprehension, want *spec.Sort) typed {
	in := c.inner(sc, e)
	var t typed
	kind, body := spec.SetOf, c.sorts.Basic(spec.Bool)
	switch {
	case want.Kind == spec.Bag:
		kind, body = spec.BagOf, c.sorts.Basic(spec.Nat)
	case want.Kind != spec.Set && want != bad:
		return t
	}
	if want != bad && want.Args[0] != in.vars[0].Of && in.vars[0].Of != bad {
		return t
	}
	b := c.check(in, e.Body, body)
	if t.add(b) {
		t.e = &spec.Abs{Kind: kind, Vars: in.vars, Body: b.e, Of: want, At: e.At}
	}
	return t
}

func (c *checker) checkQuant(sc *scope, e *syntax.Quant, want *spec.Sort) typed {
	in := c.inner(sc, e)
	kind, body := spec.Lambda, want
	switch {
	case e.Kind != "lambda":
		kind = spec.Forall
		if e.Kind == "exists" {
			kind = spec.Exists
		}
		if want.Kind != spec.Bool && want != bad {
			return typed{}
		}
		body = c.sorts.Basic(spec.Bool)
	case want == bad:
	case want.Kind != spec.Function || len(want.Args) != len(in.vars):
		return typed{}
	default:
		for i, v := range in.vars {
			if v.Of != want.Args[i] && v.Of != bad {
				return typed{}
			}
		}
		body = want.Result
	}
	var t typed
	b := c.check(in, e.Body, body)
	if t.add(b) {
		t.e = &spec.Abs{Kind: kind, Vars: in.vars, Body: b.e, Of: want, At: e.At}
	}
	return t
}

func (c *checker) checkWhere(sc *scope, e *syntax.Where, want *spec.Sort) typed {
	in := c.inner(sc, e)
	if c.whereFailed[e] {
		return typed{}
	}
	var t typed
	b := c.check(in, e.Body, want)
	if !t.add(b) {
		return typed{}
	}
	w := &spec.Where{Body: b.e, Vars: in.vars, At: e.At}
	for i, d := range e.Defs {
		v := c.check(sc, d.Value, in.vars[i].Of)
		if !t.add(v) {
			return typed{}
		}
		w.Values = append(w.Values, v.e)
	}
	t.e = w
	return t
}

func (c *checker) checkUpdate(sc *scope, e *syntax.Update, want *spec.Sort) typed {
	if want.Kind != spec.Function || len(want.Args) != 1 {
		return typed{}
	}
	var t typed
	f := c.check(sc, e.Fun, want)
	if !t.add(f) {
		return typed{}
	}
	x := c.check(sc, e.Arg, want.Args[0])
	v := c.check(sc, e.Value, want.Result)
	if !t.add(x) || !t.add(v) {
		return typed{}
	}
	up := c.lib.Func(spec.OpUpdate, "update", c.sorts.Function([]*spec.Sort{want, want.Args[0], want.Result}, want))
	t.e = &spec.Apply{Head: up, Args: []spec.Expr{f.e, x.e, v.e}, At: e.At}
	return t
}

func (c *checker) checkApply(sc *scope, k *call, want *spec.Sort) typed {
	var best choice
	for _, o := range c.options(sc, k) {
		if o.of == bad {
			return typed{e: c.lib.True()}
		}
		c.try(&best, sc, k, o, want)
	}
	if best.e != nil && best.cost == 0 {
		return best.typed
	}
	gen, _ := c.instances(sc, k, want)
	for _, o := range gen {
		c.try(&best, sc, k, o, want)
	}
	return best.typed
}

// A choice is the best function for a call so far.
type choice struct {
	typed
	inner int // what the arguments cost
}

// try looks whether a function is a better choice: first come the casts of
// arguments, then that of the result.
func (c *checker) try(best *choice, sc *scope, k *call, o option, want *spec.Sort) {
	if c.table.casts(o.of.Result, want) < 0 {
		return
	}
	t := c.applyOption(sc, k, o)
	inner := t.cost
	if t = c.cast(t, want); t.e == nil {
		return
	}
	switch {
	case best.e == nil || inner < best.inner || inner == best.inner && t.cost < best.cost:
		*best = choice{t, inner}
	case inner == best.inner && t.cost == best.cost && o.user && best.amb == nil:
		best.amb = &ambiguity{k.e.Pos(), k.name, headSort(best.e), o.of}
	}
}

// applyOption applies one function to the arguments of a call.
func (c *checker) applyOption(sc *scope, k *call, o option) typed {
	t := typed{cost: o.cost}
	head := o.head
	if head == nil {
		h := c.check(sc, k.head, o.of)
		if !t.add(h) {
			return typed{}
		}
		head = h.e
	}
	args := make([]spec.Expr, len(k.args))
	for i, a := range k.args {
		x := c.check(sc, a, o.of.Args[i])
		if !t.add(x) {
			return typed{}
		}
		args[i] = x.e
	}
	t.e = fold(&spec.Apply{Head: head, Args: args, At: k.e.Pos()})
	return t
}

// fold makes a number of what is only written as an application because the
// language has no other way to write it: -1, 1/2 and Pos2Real(1).
func fold(a *spec.Apply) spec.Expr {
	f, ok := a.Head.(*spec.Func)
	if !ok {
		return a
	}
	v := new(big.Rat)
	for i, x := range a.Args {
		n, ok := x.(*spec.Number)
		if !ok {
			return a
		}
		if i == 0 {
			v.Set(n.Value)
		} else if f.Op == spec.OpDivide && n.Value.Sign() != 0 {
			v.Quo(v, n.Value)
		}
	}
	switch {
	case f.Op == spec.OpNeg:
		v.Neg(v)
	case f.Op == spec.OpDivide && a.Args[1].(*spec.Number).Value.Sign() != 0:
	case f.Op == spec.OpCast && f.Of.Args[0].Kind < f.Of.Result.Kind:
	default:
		return a
	}
	return &spec.Number{Value: v, Of: f.Of.Result, At: a.At}
}
