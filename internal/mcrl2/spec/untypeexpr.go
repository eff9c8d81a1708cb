package spec

import (
	"math/big"

	"github.com/heddle-mc/heddle/internal/mcrl2/syntax"
)

// expr makes the tree of an expression. fixed says that the context fixes its
// sort.
func (u *untyper) expr(e Expr, fixed bool) syntax.Expr {
	switch e := e.(type) {
	case *Var:
		return &syntax.Ident{Name: u.name(e)}
	case *Func:
		return u.symbol(e)
	case *Number:
		return u.number(e, fixed)
	case *Abs:
		return u.abs(e, fixed)
	case *Where:
		vars, done := u.enter(e.Vars, func(f *free) { f.expr(e.Body) })
		w := &syntax.Where{Body: u.expr(e.Body, fixed)}
		done()
		for i, v := range vars {
			w.Defs = append(w.Defs, &syntax.Assign{Name: v.Name, Value: u.expr(e.Values[i], false)})
		}
		return w
	case *Apply:
		return u.apply(e, fixed)
	}
	return &syntax.Ident{Name: "?"}
}

func (u *untyper) exprs(list []Expr, fixed bool) []syntax.Expr {
	var out []syntax.Expr
	for _, e := range list {
		out = append(out, u.expr(e, fixed))
	}
	return out
}

func (u *untyper) abs(e *Abs, fixed bool) syntax.Expr {
	vars, done := u.enter(e.Vars, func(f *free) { f.expr(e.Body) })
	defer done()
	switch e.Kind {
	case SetOf, BagOf:
		return &syntax.Comprehension{Var: vars[0], Body: u.expr(e.Body, true)}
	case Forall:
		return &syntax.Quant{Kind: "forall", Vars: vars, Body: u.expr(e.Body, true)}
	case Exists:
		return &syntax.Quant{Kind: "exists", Vars: vars, Body: u.expr(e.Body, true)}
	}
	return &syntax.Quant{Kind: "lambda", Vars: vars, Body: u.expr(e.Body, fixed)}
}

// symbol makes a function that is not applied. Operators become lambda.
func (u *untyper) symbol(f *Func) syntax.Expr {
	switch f.Op {
	case OpTrue, OpFalse:
		return &syntax.BoolLit{Value: f.Op == OpTrue}
	case OpNil:
		return &syntax.ListLit{}
	case OpEmptySet:
		return &syntax.SetLit{}
	case OpEmptyBag:
		return &syntax.BagLit{}
	case OpInsert, OpInsertN, OpUpdate, OpToSet, OpToBag:
	default:
		if isName(f.Name) {
			return &syntax.Ident{Name: f.Name}
		}
	}
	var vars []*Var
	var args []Expr
	for i, s := range f.Of.Args {
		v := &Var{Name: string(rune('x' + i)), Of: s}
		vars, args = append(vars, v), append(args, v)
	}
	return u.abs(&Abs{Kind: Lambda, Vars: vars, Body: &Apply{Head: f, Args: args}, Of: f.Of}, false)
}

// number makes a number. Those that are negative or no integers are written by
// operators.
func (u *untyper) number(n *Number, fixed bool) syntax.Expr {
	v := new(big.Rat).Abs(n.Value)
	var out syntax.Expr = &syntax.Number{Text: v.Num().String()}
	if n.Value.Sign() < 0 {
		out = &syntax.Unary{Op: "-", X: out}
	}
	if !v.IsInt() {
		out = &syntax.Binary{Op: "/", X: out, Y: &syntax.Number{Text: v.Denom().String()}}
	}
	if k := bareNumber(n.Value); !fixed && k != n.Of.Kind {
		return &syntax.Apply{Fun: &syntax.Ident{Name: sortNames[k] + "2" + sortNames[n.Of.Kind]}, Args: []syntax.Expr{out}}
	}
	return out
}

// bareNumber returns the sort of a number by itself.
func bareNumber(v *big.Rat) SortKind {
	switch {
	case !v.IsInt():
		return Real
	case v.Sign() < 0:
		return Int
	case v.Sign() == 0:
		return Nat
	}
	return Pos
}

func (u *untyper) apply(a *Apply, fixed bool) syntax.Expr {
	f, ok := a.Head.(*Func)
	if !ok {
		return &syntax.Apply{Fun: u.expr(a.Head, false), Args: u.exprs(a.Args, true)}
	}
	switch f.Op {
	case User, OpProj, OpIs:
		one := u.arity[arityKey{f.Name, len(a.Args)}] <= 1 && signatures[f.Name] == nil
		return &syntax.Apply{Fun: &syntax.Ident{Name: f.Name}, Args: u.exprs(a.Args, one)}
	case OpCast:
		if fixed && u.implicit(a) {
			return u.expr(a.Args[0], false)
		}
		return &syntax.Apply{Fun: &syntax.Ident{Name: f.Name}, Args: u.exprs(a.Args, true)}
	case OpToSet, OpToBag:
		return u.expr(a.Args[0], false)
	case OpUpdate:
		return &syntax.Update{Fun: u.expr(a.Args[0], false), Arg: u.expr(a.Args[1], true), Value: u.expr(a.Args[2], true)}
	case OpCons, OpInsert, OpInsertN:
		if lit := u.literal(a, fixed); lit != nil {
			return lit
		}
	}
	switch f.Op {
	case OpInsert:
		return &syntax.Binary{Op: "+", X: &syntax.SetLit{Elems: u.exprs(a.Args[:1], false)}, Y: u.expr(a.Args[1], false)}
	case OpInsertN:
		lit := &syntax.BagLit{Elems: u.exprs(a.Args[:1], false), Counts: u.exprs(a.Args[1:2], true)}
		return &syntax.Binary{Op: "+", X: lit, Y: u.expr(a.Args[2], false)}
	}
	args := u.exprs(a.Args, u.implied(f, a.Args))
	switch {
	case isName(f.Name):
		return &syntax.Apply{Fun: &syntax.Ident{Name: f.Name}, Args: args}
	case len(args) == 1:
		return &syntax.Unary{Op: f.Name, X: args[0]}
	}
	return &syntax.Binary{Op: f.Name, X: args[0], Y: args[1]}
}

// isName reports whether a function is applied by parentheses and not an
// operator.
func isName(s string) bool {
	c := s[0]
	return (c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z') && s != "in" && s != "div" && s != "mod"
}

// literal makes a list, set or bag of which all elements are known; otherwise it
// returns nil.
func (u *untyper) literal(a *Apply, fixed bool) syntax.Expr {
	elems, counts, ok := literalElems(a)
	if !ok {
		return nil
	}
	fixed = fixed || u.bare(a) == a.Sort()
	switch a.Head.(*Func).Op {
	case OpCons:
		return &syntax.ListLit{Elems: u.exprs(elems, fixed)}
	case OpInsert:
		return &syntax.SetLit{Elems: u.exprs(elems, fixed)}
	}
	return &syntax.BagLit{Elems: u.exprs(elems, fixed), Counts: u.exprs(counts, true)}
}

// literalElems returns the elements of a list, set or bag that is written out.
func literalElems(e Expr) (elems, counts []Expr, ok bool) {
	for {
		switch x := e.(type) {
		case *Func:
			return elems, counts, x.Op == OpNil || x.Op == OpEmptySet || x.Op == OpEmptyBag
		case *Apply:
			f, isFunc := x.Head.(*Func)
			if !isFunc {
				return nil, nil, false
			}
			switch f.Op {
			case OpCons, OpInsert:
				elems, e = append(elems, x.Args[0]), x.Args[1]
			case OpInsertN:
				elems, counts, e = append(elems, x.Args[0]), append(counts, x.Args[1]), x.Args[2]
			default:
				return nil, nil, false
			}
		default:
			return nil, nil, false
		}
	}
}
