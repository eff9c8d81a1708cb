package transform

import "github.com/heddle-mc/heddle/internal/mcrl2/spec"

// Parunfold replaces each parameter that has a constructor outermost by one that tells
// the constructor and others for its arguments: structures, as Structelm does, and
// lists, by whether they are empty, their head and their tail. What it makes is not
// unfolded again; whoever wants that applies it again. Sorts whose constructors have
// no projections are left alone.
func Parunfold(lps *spec.LPS, t Tools) *spec.LPS {
	for i := len(lps.Params) - 1; i >= 0; i-- {
		if u := unfold(lps, i); u != nil {
			lps = splitParam(lps, i, u, t)
		} else if u := unfoldList(lps, i); u != nil {
			lps = splitParam(lps, i, u, t)
		}
	}
	return lps
}

// A listing is how a list is replaced.
type listing struct {
	lib              *spec.Library
	of               *spec.Sort
	some, head, tail *spec.Var
	none             spec.Expr // the head of an empty list
}

// unfoldList returns how to replace a list, or nil if the parameter is none, or if there
// is no element that could stand for the head of an empty one.
func unfoldList(lps *spec.LPS, index int) *listing {
	p := lps.Params[index]
	if p.Of.Kind != spec.List {
		return nil
	}
	none := lps.Witness(p.Of.Args[0])
	if none == nil {
		return nil
	}
	names := takenNames(lps)
	return &listing{lib: lps.Lib, of: p.Of, none: none,
		some: fresh(names, p.Name+"_some", lps.Sorts.Basic(spec.Bool)),
		head: fresh(names, p.Name+"_head", p.Of.Args[0]),
		tail: fresh(names, p.Name+"_tail", p.Of),
	}
}

func (u *listing) params() []*spec.Var { return []*spec.Var{u.some, u.head, u.tail} }

func (u *listing) empty() *spec.Func { return u.lib.Func(spec.OpNil, "[]", u.of) }

// apply applies a function of lists.
func (u *listing) apply(op spec.Op, name string, result *spec.Sort, args ...spec.Expr) spec.Expr {
	var of []*spec.Sort
	for range args {
		of = append(of, u.of)
	}
	if op == spec.OpCons {
		of[0] = u.of.Args[0]
	}
	return &spec.Apply{Head: u.lib.Func(op, name, u.lib.Sorts.Function(of, result)), Args: args}
}

func (u *listing) whole() spec.Expr {
	return u.lib.If(u.some, u.apply(spec.OpCons, "|>", u.of, u.head, u.tail), u.empty())
}

func (u *listing) question(x *spec.Apply, p *spec.Var) spec.Expr {
	if other, same := comparison(x, p); other != nil && spec.IsOp(other, spec.OpNil) {
		if same {
			return u.lib.Not(u.some)
		}
		return u.some
	}
	if len(x.Args) != 1 || x.Args[0] != spec.Expr(p) {
		return nil
	}
	// Head and tail of an empty list are no values, and stay.
	stays := &spec.Apply{Head: x.Head, Args: []spec.Expr{u.empty()}, At: x.At}
	switch {
	case spec.IsOp(x.Head, spec.OpHead):
		return u.lib.If(u.some, u.head, stays)
	case spec.IsOp(x.Head, spec.OpTail):
		return u.lib.If(u.some, u.tail, stays)
	}
	return nil
}

func (u *listing) split(x spec.Expr, t Tools) []spec.Expr {
	if spec.IsOp(x, spec.OpNil) {
		return []spec.Expr{u.lib.False(), u.none, u.empty()}
	}
	if a, ok := x.(*spec.Apply); ok {
		switch {
		case spec.IsOp(a.Head, spec.OpCons):
			return []spec.Expr{u.lib.True(), a.Args[0], a.Args[1]}
		case spec.IsOp(a.Head, spec.OpIf):
			yes, no := u.split(a.Args[1], t), u.split(a.Args[2], t)
			for i := range yes {
				yes[i] = t.Rewrite(u.lib.If(a.Args[0], yes[i], no[i]))
			}
			return yes
		}
	}
	some := u.lib.Not(u.lib.Eq(x, u.empty()))
	return []spec.Expr{t.Rewrite(some),
		t.Rewrite(u.lib.If(some, u.apply(spec.OpHead, "head", u.of.Args[0], x), u.none)),
		t.Rewrite(u.lib.If(some, u.apply(spec.OpTail, "tail", u.of, x), u.empty()))}
}
