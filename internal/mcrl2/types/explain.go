package types

import (
	"fmt"
	"strings"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/syntax"
)

// expr checks an expression and tells what is wrong with it if it does not fit.
// It returns nil then.
func (c *checker) expr(sc *scope, e syntax.Expr, want *spec.Sort) spec.Expr {
	t := c.check(sc, e, want)
	if t.e == nil {
		c.explain(sc, e, want)
		if len(c.errs) == 0 {
			c.fail(e.Pos(), "the expression does not have the sort %s", want)
		}
		return nil
	}
	if a := t.amb; a != nil {
		c.fail(a.at, "%s is ambiguous: %s and %s fit equally well", a.name, a.a, a.b)
		return nil
	}
	return t.e
}

// explain tells why an expression does not fit the sort want, or, if want is nil,
// why it has no sort. It looks for the innermost part that is to blame.
func (c *checker) explain(sc *scope, e syntax.Expr, want *spec.Sort) {
	cands := c.candidates(sc, e)
	if len(cands) == 0 {
		c.explainInside(sc, e)
		return
	}
	if want == nil {
		c.explainHole(sc, e, cands)
		return
	}
	for _, x := range cands {
		if has(x.sort, bad) {
			return
		}
	}
	if c.explainLiteral(sc, e, want) {
		return
	}
	if w, ok := e.(*syntax.Where); ok {
		c.explain(c.inner(sc, e), w.Body, want)
		return
	}
	found := describe(cands)
	hint := ""
	if len(cands) == 1 && want.Numeric() && cands[0].sort.Numeric() {
		hint = fmt.Sprintf(": %s2%s narrows", cands[0].sort, want)
	}
	c.fail(e.Pos(), "expected %s, found %s%s", want, found, hint)
}

// explainHole tells that the sort of elements cannot be told, or that there are
// several sorts.
func (c *checker) explainHole(sc *scope, e syntax.Expr, cands []candidate) {
	if len(c.whole(cands)) > 1 {
		c.fail(e.Pos(), "the sort of the expression is ambiguous: %s", describe(cands))
		return
	}
	c.fail(e.Pos(), "cannot tell the sort of the elements of %s", shorten(syntax.PrintExpr(e)))
}

// explainLiteral looks for the element of a list, set or bag, or the body of a
// lambda, that does not fit.
func (c *checker) explainLiteral(sc *scope, e syntax.Expr, want *spec.Sort) bool {
	elems := func(kind spec.SortKind, list []syntax.Expr) bool {
		if k, ok := joinContainers(kind, want.Kind); !ok || k != want.Kind {
			return false
		}
		for _, x := range list {
			if c.check(sc, x, want.Args[0]).e == nil {
				c.explain(sc, x, want.Args[0])
				return true
			}
		}
		return false
	}
	switch e := e.(type) {
	case *syntax.ListLit:
		return elems(spec.List, e.Elems)
	case *syntax.SetLit:
		return elems(spec.FSet, e.Elems)
	case *syntax.BagLit:
		if elems(spec.FBag, e.Elems) {
			return true
		}
		for _, n := range e.Counts {
			if c.check(sc, n, c.sorts.Basic(spec.Nat)).e == nil {
				c.explain(sc, n, c.sorts.Basic(spec.Nat))
				return true
			}
		}
	case *syntax.Quant:
		in := c.inner(sc, e)
		if e.Kind != "lambda" || want.Kind != spec.Function || len(want.Args) != len(in.vars) {
			return false
		}
		for i, v := range in.vars {
			if v.Of != want.Args[i] {
				return false
			}
		}
		c.explain(in, e.Body, want.Result)
		return true
	}
	return false
}

// explainInside tells why an expression has no sort at all.
func (c *checker) explainInside(sc *scope, e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.Ident:
		c.explainName(sc, e.Name, e)
	case *syntax.ListLit:
		c.explainElems(sc, e, e.Elems, "list")
	case *syntax.SetLit:
		c.explainElems(sc, e, e.Elems, "set")
	case *syntax.BagLit:
		c.explainElems(sc, e, e.Elems, "bag")
	case *syntax.Comprehension:
		in := c.inner(sc, e)
		if cands := c.candidates(in, e.Body); len(cands) > 0 {
			c.fail(e.Body.Pos(), "expected Bool for a set or Nat for a bag, found %s", describe(cands))
			return
		}
		c.explain(in, e.Body, nil)
	case *syntax.Quant:
		if e.Kind == "lambda" {
			c.explain(c.inner(sc, e), e.Body, nil)
		} else {
			c.explain(c.inner(sc, e), e.Body, c.sorts.Basic(spec.Bool))
		}
	case *syntax.Where:
		in := c.inner(sc, e)
		for _, d := range e.Defs {
			if c.natural(sc, d.Value) == nil {
				c.explain(sc, d.Value, nil)
				return
			}
		}
		c.explain(in, e.Body, nil)
	case *syntax.Update:
		c.explainUpdate(sc, e)
	default:
		c.explainCall(sc, c.application(e))
	}
}

func (c *checker) explainName(sc *scope, name string, e syntax.Expr) {
	switch {
	case c.undeclarable[name]:
		c.blamed = true
	case spec.Signatures(name) != nil:
		c.fail(e.Pos(), "%s is a function of the language: its arguments are missing", name)
	default:
		c.fail(e.Pos(), "%s is not declared", name)
	}
}

func (c *checker) explainElems(sc *scope, e syntax.Expr, elems []syntax.Expr, what string) {
	sums := []candidate{{sort: hole}}
	for _, x := range elems {
		cands := c.candidates(sc, x)
		if len(cands) == 0 {
			c.explain(sc, x, nil)
			return
		}
		next := c.joinAll(sums, cands)
		if len(next) == 0 {
			c.fail(x.Pos(), "expected %s like the elements of the %s before it, found %s", describe(sums), what, describe(cands))
			return
		}
		sums = next
	}
	c.fail(e.Pos(), "the %s has no sort", what)
}

func (c *checker) explainUpdate(sc *scope, e *syntax.Update) {
	for _, x := range []syntax.Expr{e.Fun, e.Arg, e.Value} {
		if len(c.candidates(sc, x)) == 0 {
			c.explain(sc, x, nil)
			return
		}
	}
	for _, f := range c.whole(c.candidates(sc, e.Fun)) {
		if f.sort.Kind == spec.Function && len(f.sort.Args) == 1 {
			if c.check(sc, e.Arg, f.sort.Args[0]).e == nil {
				c.explain(sc, e.Arg, f.sort.Args[0])
			} else {
				c.explain(sc, e.Value, f.sort.Result)
			}
			return
		}
	}
	c.fail(e.Fun.Pos(), "expected a function of one argument, found %s", describe(c.candidates(sc, e.Fun)))
}

func (c *checker) explainCall(sc *scope, k *call) {
	var found []string
	for _, a := range k.args {
		cands := c.candidates(sc, a)
		if len(cands) == 0 {
			c.explain(sc, a, nil)
			return
		}
		found = append(found, describe(cands))
	}
	opts := c.options(sc, k)
	if len(opts) == 1 {
		for i, a := range k.args {
			if c.check(sc, a, opts[0].of.Args[i]).e == nil {
				c.explain(sc, a, opts[0].of.Args[i])
				return
			}
		}
	}
	switch {
	case k.name == "":
		if cands := c.candidates(sc, k.head); len(cands) == 0 {
			c.explain(sc, k.head, nil)
		} else {
			c.fail(k.head.Pos(), "expected a function of %s, found %s", count(len(k.args), "argument"), describe(cands))
		}
		return
	case k.op:
		c.explainOperator(sc, k, found)
		return
	case c.undeclarable[k.name]:
		c.blamed = true
		return
	}
	v, funcs, lib := sc.lookup(k.name), c.funcs[k.name], spec.Signatures(k.name)
	switch {
	case v == nil && funcs == nil && lib == nil:
		c.fail(k.e.Pos(), "%s is not declared", k.name)
	case v != nil && funcs == nil && lib == nil:
		c.fail(k.e.Pos(), "variable %s of sort %s does not take %s", k.name, v.Of, count(len(k.args), "argument"))
	case lib != nil:
		c.explainOperator(sc, k, found)
	case len(opts) == 0:
		c.fail(k.e.Pos(), "%s does not take %s: there is %s", k.name, count(len(k.args), "argument"), signatures(k.name, funcs))
	default:
		c.fail(k.e.Pos(), "no %s takes (%s): there is %s", k.name, strings.Join(found, ", "), signatures(k.name, funcs))
	}
}

// explainOperator tells why a function of the language does not take the
// arguments.
func (c *checker) explainOperator(sc *scope, k *call, found []string) {
	if k.name == "if" && len(k.args) == 3 && c.check(sc, k.args[0], c.sorts.Basic(spec.Bool)).e == nil {
		c.explain(sc, k.args[0], c.sorts.Basic(spec.Bool))
		return
	}
	for _, b := range spec.Signatures(k.name) {
		if len(b.Args) == len(k.args) {
			if b.Args[len(b.Args)-1].IsS && b.Args[len(b.Args)-2].IsS {
				c.fail(k.e.Pos(), "%s needs two expressions of one sort, found %s and %s", k.name, found[len(found)-2], found[len(found)-1])
			} else {
				c.fail(k.e.Pos(), "no %s takes (%s)", k.name, strings.Join(found, ", "))
			}
			return
		}
	}
	c.fail(k.e.Pos(), "%s does not take %s", k.name, count(len(k.args), "argument"))
}

// describe lists the sorts of candidates.
func describe(list []candidate) string {
	var s []string
	for _, x := range list {
		s = append(s, x.sort.String())
	}
	return orList(s)
}

func signatures(name string, funcs []*spec.Func) string {
	var s []string
	for _, f := range funcs {
		s = append(s, name+": "+f.Of.String())
	}
	return strings.Join(s, ", ")
}

func orList(s []string) string {
	if len(s) > 5 {
		s = append(s[:5:5], "others")
	}
	if len(s) < 2 {
		return strings.Join(s, "")
	}
	return strings.Join(s[:len(s)-1], ", ") + " or " + s[len(s)-1]
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

func shorten(s string) string {
	if len(s) > 40 {
		return s[:37] + "..."
	}
	return s
}
