package transform

import (
	"fmt"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A splitter says how one parameter is replaced by others that tell the same.
type splitter interface {
	// params returns the new parameters.
	params() []*spec.Var
	// whole returns the value of the old parameter, put together from the new ones.
	whole() spec.Expr
	// question returns what an expression about the old parameter p is without putting it
	// together, or nil.
	question(x *spec.Apply, p *spec.Var) spec.Expr
	// split returns the values of the new parameters for a value of the old one.
	split(x spec.Expr, t Tools) []spec.Expr
}

// splitParam replaces a parameter by others.
func splitParam(lps *spec.LPS, index int, u splitter, t Tools) *spec.LPS {
	out := *lps
	p := lps.Params[index]
	replace := func(x spec.Expr) spec.Expr { return t.Rewrite(withoutParam(x, p, u)) }
	out.Params = replaced(lps.Params, index, u.params())
	out.Init = replaced(lps.Init, index, u.split(lps.Init[index], t))
	out.Summands = nil
	for _, s := range lps.Summands {
		n := mapped(s, replace, nil)
		if s.Next != nil && s.Next[index] == spec.Expr(p) {
			n.Next = replaced(n.Next, index, asExprs(u.params()))
		} else if s.Next != nil {
			n.Next = replaced(n.Next, index, u.split(n.Next[index], t))
		}
		out.Summands = append(out.Summands, n)
	}
	isParam := setOf(out.Params)
	for i, s := range out.Summands {
		out.Summands[i] = assumed(s, out.Params, isParam, lps.Lib, t)
	}
	return &out
}

// withoutParam returns x without the parameter p. Where x only asks for a part
// of it, the value is not put together.
func withoutParam(x spec.Expr, p *spec.Var, u splitter) spec.Expr {
	switch x := x.(type) {
	case *spec.Var:
		if x == p {
			return u.whole()
		}
	case *spec.Apply:
		if y := u.question(x, p); y != nil {
			return y
		}
		args := make([]spec.Expr, len(x.Args))
		for i, a := range x.Args {
			args[i] = withoutParam(a, p, u)
		}
		return &spec.Apply{Head: withoutParam(x.Head, p, u), Args: args, At: x.At}
	case *spec.Abs:
		return &spec.Abs{Kind: x.Kind, Vars: x.Vars, Body: withoutParam(x.Body, p, u), Of: x.Of, At: x.At}
	case *spec.Where:
		values := make([]spec.Expr, len(x.Values))
		for i, v := range x.Values {
			values[i] = withoutParam(v, p, u)
		}
		return &spec.Where{Body: withoutParam(x.Body, p, u), Vars: x.Vars, Values: values, At: x.At}
	}
	return x
}

// comparison returns what a comparison compares p with, and whether it asks for equality.
func comparison(x *spec.Apply, p *spec.Var) (other spec.Expr, equal bool) {
	f, ok := x.Head.(*spec.Func)
	if !ok || f.Op != spec.OpEq && f.Op != spec.OpNe || len(x.Args) != 2 {
		return nil, false
	}
	switch spec.Expr(p) {
	case x.Args[0]:
		return x.Args[1], f.Op == spec.OpEq
	case x.Args[1]:
		return x.Args[0], f.Op == spec.OpEq
	}
	return nil, false
}

// taken are the names that new parameters must not have.
type taken = map[string]bool

// takenNames returns the names that new parameters must not have.
func takenNames(lps *spec.LPS) taken {
	names := taken{}
	for _, f := range lps.Funcs {
		names[f.Name] = true
	}
	for _, v := range append(append([]*spec.Var(nil), lps.Globals...), lps.Params...) {
		names[v.Name] = true
	}
	for _, s := range lps.Summands {
		for _, v := range s.Vars {
			names[v.Name] = true
		}
	}
	return names
}

// fresh returns a variable with a name that no other has.
func fresh(names taken, name string, of *spec.Sort) *spec.Var {
	out := name
	for n := 1; names[out]; n++ {
		out = fmt.Sprintf("%s_%d", name, n)
	}
	names[out] = true
	return &spec.Var{Name: out, Of: of}
}

func asExprs(vars []*spec.Var) []spec.Expr {
	out := make([]spec.Expr, len(vars))
	for i, v := range vars {
		out[i] = v
	}
	return out
}

// replaced returns xs with the element at i replaced by others.
func replaced[T any](xs []T, i int, by []T) []T {
	out := append([]T(nil), xs[:i]...)
	return append(append(out, by...), xs[i+1:]...)
}
