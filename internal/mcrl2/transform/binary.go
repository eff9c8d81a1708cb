package transform

import (
	"fmt"
	"math/bits"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// maxBinary is how many elements a sort may have that Binary replaces.
const maxBinary = 256

// Binary replaces each parameter of a finite sort other than Bool by as many of sort
// Bool as are needed to tell its elements apart: the number of an element, in the order
// in which they are enumerated, in binary, the highest digit first. Functions are left
// alone.
func Binary(lps *spec.LPS, t Tools) *spec.LPS {
	for i := len(lps.Params) - 1; i >= 0; i-- {
		p := lps.Params[i]
		if p.Of.Kind == spec.Bool || p.Of.Kind == spec.Function {
			continue
		}
		elements, ok := t.Elements(p.Of)
		if !ok || len(elements) < 2 || len(elements) > maxBinary {
			continue
		}
		u := &digits{lib: lps.Lib, elements: elements}
		names := takenNames(lps)
		for k := range bits.Len(uint(len(elements) - 1)) {
			u.vars = append(u.vars, fresh(names, fmt.Sprintf("%s_b%d", p.Name, k+1), lps.Sorts.Basic(spec.Bool)))
		}
		lps = splitParam(lps, i, u, t)
	}
	return lps
}

// digits is how a parameter of a finite sort is replaced.
type digits struct {
	lib      *spec.Library
	elements []spec.Expr
	vars     []*spec.Var
}

func (u *digits) params() []*spec.Var { return u.vars }

// digit reports whether a digit of a number is 1.
func (u *digits) digit(n, k int) bool { return n>>(len(u.vars)-1-k)&1 == 1 }

// whole looks the element up. Numbers without one never occur, and are the last one.
func (u *digits) whole() spec.Expr { return u.below(0, 0) }

// below is the part of whole behind the first k digits, which are those of n.
func (u *digits) below(k, n int) spec.Expr {
	if k == len(u.vars) {
		return u.elements[min(n, len(u.elements)-1)]
	}
	if first := n << (len(u.vars) - k); first >= len(u.elements)-1 { // all behind are the last one
		return u.elements[len(u.elements)-1]
	}
	return u.lib.If(u.vars[k], u.below(k+1, n<<1|1), u.below(k+1, n<<1))
}

// number returns the number of an element, -1 if x is none that can be seen to be one.
func (u *digits) number(x spec.Expr) int {
	for n, e := range u.elements {
		if equal(x, e) {
			return n
		}
	}
	return -1
}

func (u *digits) question(x *spec.Apply, p *spec.Var) spec.Expr {
	other, same := comparison(x, p)
	if other == nil {
		return nil
	}
	n := u.number(other)
	if n < 0 {
		return nil
	}
	cond := u.lib.True()
	for k, v := range u.vars {
		if u.digit(n, k) {
			cond = u.lib.And(cond, v)
		} else {
			cond = u.lib.And(cond, u.lib.Not(v))
		}
	}
	if !same {
		cond = u.lib.Not(cond)
	}
	return cond
}

func (u *digits) split(x spec.Expr, t Tools) []spec.Expr {
	var out []spec.Expr
	if n := u.number(x); n >= 0 {
		for k := range u.vars {
			if u.digit(n, k) {
				out = append(out, u.lib.True())
			} else {
				out = append(out, u.lib.False())
			}
		}
		return out
	}
	if a, ok := x.(*spec.Apply); ok && spec.IsOp(a.Head, spec.OpIf) {
		yes, no := u.split(a.Args[1], t), u.split(a.Args[2], t)
		for i := range yes {
			yes[i] = t.Rewrite(u.lib.If(a.Args[0], yes[i], no[i]))
		}
		return yes
	}
	for k := range u.vars {
		digit := u.lib.False()
		for n, e := range u.elements {
			if u.digit(n, k) {
				digit = u.lib.Or(digit, u.lib.Eq(x, e))
			}
		}
		out = append(out, t.Rewrite(digit))
	}
	return out
}
