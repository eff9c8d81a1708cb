package transform

import (
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// Structelm replaces each parameter of a struct sort by one that tells the
// constructor, if there are several, and one for each argument of a constructor.
// Arguments of constructors that the value does not have are always the same.
// Structures with nothing but constants are left alone, and so are those with an
// argument that has no projection or with constructors that cannot be told apart
// by what the specification declares.
func Structelm(lps *spec.LPS, t Tools) *spec.LPS {
	for i := len(lps.Params) - 1; i >= 0; i-- {
		if u := unfold(lps, i); u != nil {
			lps = splitParam(lps, i, u, t)
		}
	}
	return lps
}

// An unfolding is how one parameter is replaced.
type unfolding struct {
	lib   *spec.Library
	cons  []*spec.Func
	tag   *spec.Var     // tells the constructor by its number from 1 on; nil if there is one
	parts [][]*spec.Var // for each constructor, its arguments
	none  [][]spec.Expr // what they are if the constructor is another one
	taken taken
}

// unfold returns how to replace a parameter, or nil if it cannot or need not be.
func unfold(lps *spec.LPS, index int) *unfolding {
	p := lps.Params[index]
	if p.Of.Kind != spec.Named || !p.Of.Struct {
		return nil
	}
	u := &unfolding{lib: lps.Lib, cons: p.Of.Cons, taken: takenNames(lps)}
	args := 0
	if len(u.cons) > 1 {
		u.tag = u.fresh(p.Name+"_is", lps.Sorts.Basic(spec.Pos))
	}
	for _, c := range u.cons {
		var parts []*spec.Var
		var none []spec.Expr
		if c.Of.Kind == spec.Function {
			for k, of := range c.Of.Args {
				args++
				w := lps.Witness(of)
				if w == nil && len(u.cons) > 1 || k >= len(c.Proj) || c.Proj[k] == nil {
					return nil
				}
				parts = append(parts, u.fresh(p.Name+"_"+c.Proj[k].Name, of))
				none = append(none, w)
			}
		}
		u.parts = append(u.parts, parts)
		u.none = append(u.none, none)
	}
	unknown := 0
	for _, c := range u.cons {
		if len(u.cons) > 1 && u.test(c, p) == nil {
			unknown++
		}
	}
	if args == 0 || unknown > 1 {
		return nil
	}
	return u
}

func (u *unfolding) fresh(name string, of *spec.Sort) *spec.Var { return fresh(u.taken, name, of) }

func (u *unfolding) params() []*spec.Var {
	var out []*spec.Var
	if u.tag != nil {
		out = append(out, u.tag)
	}
	for _, parts := range u.parts {
		out = append(out, parts...)
	}
	return out
}

// question returns the answer to a recogniser, a projection or a comparison with
// a constant of p, or nil if x is nothing like that.
func (u *unfolding) question(x *spec.Apply, p *spec.Var) spec.Expr {
	f, ok := x.Head.(*spec.Func)
	if !ok {
		return nil
	}
	isP := func(i int) bool { return x.Args[i] == spec.Expr(p) }
	switch {
	case f.Op == spec.OpIs && isP(0):
		return u.tagIs(f.Owner)
	case f.Op == spec.OpEq && (isP(0) || isP(1)):
		other := x.Args[0]
		if isP(0) {
			other = x.Args[1]
		}
		if c, ok := other.(*spec.Func); ok && c.Con {
			return u.tagIs(c)
		}
	case f.Op == spec.OpProj && isP(0):
		// A projection that the constructor does not have is no value, and stays.
		out := spec.Expr(&spec.Apply{Head: f, Args: []spec.Expr{u.whole()}, At: x.At})
		for i, c := range u.cons {
			for k, proj := range c.Proj {
				if proj == f {
					out = u.lib.If(u.tagIs(c), u.parts[i][k], out)
				}
			}
		}
		return out
	}
	return nil
}

// tagIs returns the condition that the value has a constructor.
func (u *unfolding) tagIs(c *spec.Func) spec.Expr {
	if u.tag == nil {
		return u.lib.True()
	}
	return u.lib.Eq(u.tag, u.lib.Int(int64(c.Index+1), spec.Pos))
}

// whole returns the value put together again.
func (u *unfolding) whole() spec.Expr {
	last := len(u.cons) - 1
	out := construct(u.cons[last], asExprs(u.parts[last]))
	for i := last - 1; i >= 0; i-- {
		out = u.lib.If(u.lib.Eq(u.tag, u.lib.Int(int64(i+1), spec.Pos)), construct(u.cons[i], asExprs(u.parts[i])), out)
	}
	return out
}

// split returns the values of the new parameters for a value of the old one.
func (u *unfolding) split(x spec.Expr, t Tools) []spec.Expr {
	if f, args := constructed(x); f != nil {
		return u.splitKnown(f, args)
	}
	if a, ok := x.(*spec.Apply); ok && spec.IsOp(a.Head, spec.OpIf) {
		yes, no := u.split(a.Args[1], t), u.split(a.Args[2], t)
		for i := range yes {
			yes[i] = t.Rewrite(u.lib.If(a.Args[0], yes[i], no[i]))
		}
		return yes
	}
	var out []spec.Expr
	last := len(u.cons) - 1
	if u.tag != nil {
		tag := spec.Expr(u.lib.Int(int64(last+1), spec.Pos))
		for i := last - 1; i >= 0; i-- {
			tag = u.lib.If(u.is(u.cons[i], x), u.lib.Int(int64(i+1), spec.Pos), tag)
		}
		out = append(out, t.Rewrite(tag))
	}
	for i, c := range u.cons {
		for k := range u.parts[i] {
			e := u.project(c, k, x)
			if u.tag != nil {
				e = u.lib.If(u.is(c, x), e, u.none[i][k])
			}
			out = append(out, t.Rewrite(e))
		}
	}
	return out
}

// splitKnown is split for a constructor applied to arguments.
func (u *unfolding) splitKnown(f *spec.Func, args []spec.Expr) []spec.Expr {
	var out []spec.Expr
	if u.tag != nil {
		out = append(out, u.lib.Int(int64(f.Index+1), spec.Pos))
	}
	for i, c := range u.cons {
		if c == f {
			out = append(out, args...)
		} else {
			out = append(out, u.none[i]...)
		}
	}
	return out
}

func constructed(x spec.Expr) (*spec.Func, []spec.Expr) {
	switch x := x.(type) {
	case *spec.Func:
		if x.Con {
			return x, nil
		}
	case *spec.Apply:
		if f, ok := x.Head.(*spec.Func); ok && f.Con {
			return f, x.Args
		}
	}
	return nil, nil
}

func construct(f *spec.Func, args []spec.Expr) spec.Expr {
	if len(args) == 0 {
		return f
	}
	return &spec.Apply{Head: f, Args: args}
}

// is returns the condition that x has constructor c. At most one constructor has
// no test of its own; a value that is none of the others has that one.
func (u *unfolding) is(c *spec.Func, x spec.Expr) spec.Expr {
	if t := u.test(c, x); t != nil {
		return t
	}
	cond := u.lib.True()
	for _, o := range u.cons {
		if o != c {
			cond = u.lib.And(cond, u.lib.Not(u.test(o, x)))
		}
	}
	return cond
}

// test returns the condition that x has constructor c by its recogniser, or by
// comparison with a constant. It returns nil if there is neither.
func (u *unfolding) test(c *spec.Func, x spec.Expr) spec.Expr {
	switch {
	case c.Is != nil:
		return &spec.Apply{Head: c.Is, Args: []spec.Expr{x}}
	case c.Of.Kind != spec.Function:
		return u.lib.Eq(x, c)
	}
	return nil
}

// project returns argument k of x, which has constructor c.
func (u *unfolding) project(c *spec.Func, k int, x spec.Expr) spec.Expr {
	return &spec.Apply{Head: c.Proj[k], Args: []spec.Expr{x}}
}
