package types

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/syntax"
)

// Load reads and checks a specification. file is only used in positions. The
// error is a diag.List.
func Load(file string, text []byte) (*spec.Spec, error) {
	tree, err := syntax.Parse(file, text)
	if err != nil {
		return nil, err
	}
	return Check(file, tree)
}

// Check checks a tree. The error is a diag.List of at most syntax.MaxErrors
// errors in the order of the text.
func Check(file string, tree *syntax.Spec) (*spec.Spec, error) {
	c := newChecker(&spec.Data{})
	for _, i := range tree.Includes {
		c.fail(i.At, "include %q: only in a file that is read by its name", i.Path)
	}
	s := &spec.Spec{Data: c.data}
	c.declarations(tree)
	c.equations(tree)
	c.processes(s, tree)
	if tree.Init == nil {
		c.fail(diag.Pos{File: file}, "there is no init: a specification has one initial process")
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	return s, nil
}

// Expr reads a data expression in the context of a specification or a linear
// process and of variables.
func Expr(d *spec.Data, vars []*spec.Var, text string) (spec.Expr, error) {
	return expression(d, vars, text, nil)
}

// ExprOf is like Expr for an expression that must have a given sort.
func ExprOf(d *spec.Data, vars []*spec.Var, text string, of *spec.Sort) (spec.Expr, error) {
	return expression(d, vars, text, of)
}

func expression(d *spec.Data, vars []*spec.Var, text string, of *spec.Sort) (spec.Expr, error) {
	tree, err := syntax.ParseExpr("expression", text)
	if err != nil {
		return nil, err
	}
	c := newChecker(d)
	c.adopt()
	sc := &scope{vars: vars}
	var e spec.Expr
	if of != nil {
		e = c.expr(sc, tree, of)
	} else if s := c.natural(sc, tree); s != nil {
		e = c.expr(sc, tree, s)
	} else {
		c.explain(sc, tree, nil)
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	return e, nil
}

// A checker checks one specification.
type checker struct {
	data  *spec.Data
	sorts *spec.Sorts
	lib   *spec.Library
	table *sortTable
	funcs map[string][]*spec.Func
	errs  diag.List
	// undeclarable are names whose declaration has an error: that they are not
	// declared is no error of its own. blamed is set if such a name was used.
	undeclarable map[string]bool
	blamed       bool

	// What is known of expressions: see candidates, check and inner.
	cands       map[syntax.Expr][]candidate
	checked     map[checkKey]typed
	scopes      map[syntax.Expr]*scope
	whereFailed map[syntax.Expr]bool
}

func newChecker(d *spec.Data) *checker {
	if d.Sorts == nil {
		d.Sorts = spec.NewSorts()
		d.Lib = spec.NewLibrary(d.Sorts)
	}
	c := &checker{data: d, sorts: d.Sorts, lib: d.Lib, funcs: map[string][]*spec.Func{}, undeclarable: map[string]bool{},
		cands: map[syntax.Expr][]candidate{}, checked: map[checkKey]typed{}, scopes: map[syntax.Expr]*scope{},
		whereFailed: map[syntax.Expr]bool{}}
	c.table = newSortTable(c.sorts, c.fail)
	return c
}

// adopt takes over what an earlier checker has declared.
func (c *checker) adopt() {
	c.table.closed = true
	for _, s := range c.sorts.Declared() {
		c.table.names[s.Name] = s
		if s.Struct {
			c.table.structs[structKey(s)] = &structSort{sort: s}
		}
	}
	for _, a := range c.data.Aliases {
		c.table.names[a.Name] = a.Of
	}
	for _, f := range c.data.Funcs {
		c.funcs[f.Name] = append(c.funcs[f.Name], f)
	}
}

func (c *checker) fail(at diag.Pos, format string, args ...any) {
	c.errs = append(c.errs, diag.Sourcef(at, format, args...))
}

func (c *checker) err() error {
	c.errs.Sort()
	if len(c.errs) > syntax.MaxErrors {
		c.errs = c.errs[:syntax.MaxErrors]
	}
	if len(c.errs) == 0 && c.blamed {
		panic(diag.Bugf("a name was blamed on an error that nobody told of"))
	}
	return c.errs.Err()
}

// forget frees what is known of the expressions of a declaration that is done.
func (c *checker) forget() {
	clear(c.cands)
	clear(c.checked)
	clear(c.scopes)
}

// declarations takes sorts, structs, constructors and maps.
func (c *checker) declarations(tree *syntax.Spec) {
	c.data.Aliases = c.table.declare(tree.Sorts)
	// Structs need not be declared to be used. Their constructors are known
	// everywhere, so they are looked for first.
	c.anonymousSorts(tree)
	c.declareStructs()
	c.declareFuncs(tree)
	at := map[*spec.Sort]diag.Pos{}
	for _, d := range tree.Sorts {
		if s := c.table.names[d.Name.Text]; s != nil && s.Name == d.Name.Text {
			at[s] = d.Name.At
		}
	}
	for _, s := range c.table.order {
		if _, ok := at[s.sort]; !ok {
			at[s.sort] = s.tree.At
		}
	}
	c.checkSorts(at)
}

// equations checks the equations.
func (c *checker) equations(tree *syntax.Spec) {
	for _, section := range tree.Eqns {
		sc := c.bind(nil, section.Vars, "variable")
		for _, e := range section.Eqns {
			c.equation(sc, e)
			c.forget()
		}
	}
}

func (c *checker) equation(sc *scope, e *syntax.Eqn) {
	out := &spec.Equation{At: e.At}
	ok := true
	if e.Cond != nil {
		out.Cond = c.expr(sc, e.Cond, c.sorts.Basic(spec.Bool))
		ok = out.Cond != nil
	}
	of := c.equationSort(sc, e)
	if of == nil {
		return
	}
	out.Left = c.expr(sc, e.Left, of)
	out.Right = c.expr(sc, e.Right, of)
	if !ok || out.Left == nil || out.Right == nil {
		return
	}
	if _, isVar := out.Left.(*spec.Var); isVar {
		c.fail(e.Left.Pos(), "the left-hand side of an equation is a function, found the variable %s", syntax.PrintExpr(e.Left))
		return
	}
	used := func(v *spec.Var) bool { return slices.Contains(sc.vars, v) }
	out.Vars = freeVars(out.Left, used, nil)
	all := freeVars(out.Right, used, slices.Clone(out.Vars))
	if out.Cond != nil {
		all = freeVars(out.Cond, used, all)
	}
	for _, v := range all[len(out.Vars):] {
		c.fail(e.At, "variable %s does not occur in the left-hand side of the equation", v.Name)
		ok = false
	}
	if ok {
		c.data.Eqns = append(c.data.Eqns, out)
	}
}

// equationSort returns the sort of both sides of an equation: one that the left
// side has by itself and that the right side fits.
func (c *checker) equationSort(sc *scope, e *syntax.Eqn) *spec.Sort {
	left := c.candidates(sc, e.Left)
	var fit []*spec.Sort
	best := 0
	for _, x := range left {
		for _, j := range c.joinAll([]candidate{x}, c.candidates(sc, e.Right)) {
			s := x.sort
			if has(s, hole) {
				s = j.sort
			}
			if has(s, hole) {
				continue
			}
			l, r := c.check(sc, e.Left, s), c.check(sc, e.Right, s)
			if l.e == nil || r.e == nil {
				continue
			}
			if cost := l.cost + r.cost; len(fit) == 0 || cost < best {
				fit, best = []*spec.Sort{s}, cost
			} else if cost == best && fit[0] != s {
				fit = append(fit, s)
			}
		}
	}
	switch {
	case len(fit) == 1:
		return fit[0]
	case len(fit) > 1:
		c.fail(e.At, "the sort of the equation is ambiguous: %s or %s", fit[0], fit[1])
	case len(left) == 0:
		c.explain(sc, e.Left, nil)
	case len(c.whole(left)) == 1:
		c.explain(sc, e.Right, c.whole(left)[0].sort)
	case len(c.candidates(sc, e.Right)) == 0:
		c.explain(sc, e.Right, nil)
	default:
		c.fail(e.At, "the sides of the equation have no sort in common: %s and %s", describe(left), describe(c.candidates(sc, e.Right)))
	}
	return nil
}

// freeVars appends the variables of an expression that are wanted, each once, in
// the order of the text.
func freeVars(e spec.Expr, wanted func(*spec.Var) bool, out []*spec.Var) []*spec.Var {
	switch e := e.(type) {
	case *spec.Var:
		if wanted(e) && !slices.Contains(out, e) {
			out = append(out, e)
		}
	case *spec.Apply:
		out = freeVars(e.Head, wanted, out)
		for _, a := range e.Args {
			out = freeVars(a, wanted, out)
		}
	case *spec.Abs:
		out = freeVars(e.Body, wanted, out)
	case *spec.Where:
		out = freeVars(e.Body, wanted, out)
		for _, v := range e.Values {
			out = freeVars(v, wanted, out)
		}
	}
	return out
}
