package data

import (
	"strconv"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// Simplify rewrites an expression to normal form. Its free variables stand for
// themselves. What cannot be written as an expression, or does not come to an
// end, is left as it was.
func (e *Engine) Simplify(x spec.Expr) spec.Expr {
	switch x.(type) {
	case *spec.Var, *spec.Number:
		return x
	}
	whole := e.options
	e.options = Options{min(whole.Steps, openSteps), min(whole.Depth, openDepth), min(whole.Terms, openTerms)}
	v, err := e.Eval(x, nil)
	e.options = whole
	delete(e.evals, x)
	if err != nil {
		return x
	}
	if y := e.export(v, x.Sort(), x.Pos()); y != nil {
		return y
	}
	return x
}

// What is evaluated for its looks is given up early.
const (
	openSteps = 100_000
	openDepth = 2_000
	openTerms = 1_000
)

// Expr returns the expression of a value, or nil if it has none: a set or bag
// that is given by more than one function.
func (e *Engine) Expr(v Value, s *spec.Sort) spec.Expr { return e.export(v, s, diag.Pos{}) }

// export is Expr with a position for what is made.
func (e *Engine) export(v Value, s *spec.Sort, at diag.Pos) spec.Expr {
	x := exporter{e: e, lib: e.data.Lib, at: at}
	y := x.export(v, s)
	if x.failed {
		return nil
	}
	return y
}

type exporter struct {
	e      *Engine
	lib    *spec.Library
	at     diag.Pos
	failed bool
}

func (x *exporter) fail() spec.Expr {
	x.failed = true
	return x.lib.False()
}

func (x *exporter) function(args []*spec.Sort, result *spec.Sort) *spec.Sort {
	if len(args) == 0 {
		return result
	}
	return x.lib.Sorts.Function(args, result)
}

func (x *exporter) apply(op spec.Op, name string, result *spec.Sort, args ...spec.Expr) spec.Expr {
	sorts := make([]*spec.Sort, len(args))
	for i, a := range args {
		sorts[i] = a.Sort()
	}
	f := x.lib.Func(op, name, x.function(sorts, result))
	if len(args) == 0 {
		return f
	}
	return &spec.Apply{Head: f, Args: args, At: x.at}
}

// finite returns FSet or FBag of the elements of s.
func (x *exporter) finite(s *spec.Sort) *spec.Sort {
	switch s.Kind {
	case spec.Set:
		return x.lib.Sorts.Of(spec.FSet, s.Args[0])
	case spec.Bag:
		return x.lib.Sorts.Of(spec.FBag, s.Args[0])
	}
	return s
}

// lift makes an FSet a Set and an FBag a Bag if that is what is wanted.
func (x *exporter) lift(y spec.Expr, s *spec.Sort) spec.Expr {
	of := y.Sort()
	switch {
	case of == s:
		return y
	case of.Kind == spec.FSet && s.Kind == spec.Set:
		return x.apply(spec.OpToSet, "@toset", s, y)
	case of.Kind == spec.FBag && s.Kind == spec.Bag:
		return x.apply(spec.OpToBag, "@tobag", s, y)
	case of.Numeric() && s.Numeric():
		return x.apply(spec.OpCast, of.String()+"2"+s.String(), s, y)
	}
	return x.fail()
}

func (x *exporter) export(v Value, s *spec.Sort) spec.Expr {
	e := x.e
	if s.Numeric() && e.isNumber(v) {
		return &spec.Number{Value: e.ratOf(v), Of: s, At: x.at}
	}
	if !v.isTerm() {
		return x.small(v, s)
	}
	y, p := e.symbolOf(v), e.parts(v)
	switch y.kind {
	case cons:
		elems, rest := e.listed(v)
		list := x.export(rest, s)
		for i := len(elems) - 1; i >= 0; i-- {
			list = x.apply(spec.OpCons, "|>", s, x.export(elems[i], s.Args[0]), list)
		}
		return list
	case finiteSet:
		of := x.finite(s)
		set := x.apply(spec.OpEmptySet, "{}", of)
		for i := len(p) - 1; i >= 0; i-- {
			set = x.apply(spec.OpInsert, "@insert", of, x.export(p[i], s.Args[0]), set)
		}
		return x.lift(set, s)
	case finiteBag:
		of := x.finite(s)
		bag := x.apply(spec.OpEmptyBag, "{:}", of)
		for i := len(p) - 2; i >= 0; i -= 2 {
			n := x.export(p[i+1], e.data.Sorts.Basic(spec.Nat))
			bag = x.apply(spec.OpInsertN, "@insert", of, x.export(p[i], s.Args[0]), n, bag)
		}
		return x.lift(bag, s)
	case coSet:
		return x.apply(spec.OpComplement, "!", s, x.export(p[0], s))
	case setOf, bagOf:
		if y.kind == setOf && p[1] != none || y.kind == bagOf && len(p) > 1 || e.symbolOf(p[0]).kind != lambda {
			return x.fail()
		}
		return x.abs(p[0], map[symbolKind]spec.Binder{setOf: spec.SetOf, bagOf: spec.BagOf}[y.kind], s)
	case lambda:
		return x.abs(v, spec.Lambda, s)
	case quantified:
		return x.abs(v, y.template.abs.Kind, s)
	case variable:
		return x.lift(e.vars[p[0].small()], s)
	case update:
		f := x.export(p[0], s)
		for i := 1; i < len(p); i += 2 {
			f = x.apply(spec.OpUpdate, "@update", s, f, x.export(p[i], s.Args[0]), x.export(p[i+1], s.Result))
		}
		return f
	case application:
		of := e.sortOf(p[0])
		if of == nil {
			return x.fail()
		}
		a := &spec.Apply{Head: x.export(p[0], of), At: x.at}
		for i, w := range p[1:] {
			a.Args = append(a.Args, x.export(w, of.Args[i]))
		}
		return x.lift(a, s)
	case applied:
		return x.applied(y, p, s)
	}
	if y.combine == constantly && y.kind == combined && s.Kind == spec.Function {
		abs := &spec.Abs{Kind: spec.Lambda, Of: s, At: x.at}
		for i, a := range s.Args {
			abs.Vars = append(abs.Vars, &spec.Var{Name: "x" + strconv.Itoa(i), Of: a})
		}
		abs.Body = x.export(p[0], s.Result)
		return abs
	}
	return x.fail()
}

func (x *exporter) small(v Value, s *spec.Sort) spec.Expr {
	switch s.Kind {
	case spec.Bool:
		return x.lib.Bool(v == True)
	case spec.Named:
		return s.Cons[v.small()]
	case spec.List:
		return x.apply(spec.OpNil, "[]", s)
	case spec.Set, spec.FSet:
		return x.lift(x.apply(spec.OpEmptySet, "{}", x.finite(s)), s)
	case spec.Bag, spec.FBag:
		return x.lift(x.apply(spec.OpEmptyBag, "{:}", x.finite(s)), s)
	}
	panic(diag.Bugf("value %d of sort %v", v, s))
}

func (x *exporter) applied(y *symbol, p []Value, s *spec.Sort) spec.Expr {
	var head spec.Expr = y.fn
	of := y.fn.Of
	for len(p) > 0 {
		a := &spec.Apply{Head: head, At: x.at}
		for i, arg := range of.Args {
			a.Args = append(a.Args, x.export(p[i], arg))
		}
		head, p, of = a, p[len(of.Args):], of.Result
	}
	return x.lift(head, s)
}

// abs returns a binder with what it captured in its place.
func (x *exporter) abs(v Value, kind spec.Binder, s *spec.Sort) spec.Expr {
	t := x.e.symbolOf(v).template
	sub := spec.Subst{}
	for i, c := range t.captured {
		sub[c] = x.export(x.e.parts(v)[i], c.Of)
	}
	whole := &spec.Abs{Kind: kind, Vars: t.abs.Vars, Body: t.abs.Body, Of: s, At: t.abs.At}
	return sub.Apply(whole)
}
