package types

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/formula"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/syntax"
)

// LoadFormula reads and checks a state formula about a specification or a linear
// process, of which it takes data and actions. What the formula declares itself
// may repeat declarations of the specification.
func LoadFormula(d *spec.Data, actions []*spec.Action, file string, text []byte) (*formula.Formula, error) {
	tree, err := syntax.ParseFormula(file, text)
	if err != nil {
		return nil, err
	}
	own := *d
	own.Funcs, own.Eqns, own.Aliases = slices.Clone(d.Funcs), slices.Clone(d.Eqns), slices.Clone(d.Aliases)
	c := newChecker(&own)
	c.adopt()
	c.extend(tree.Spec)
	f := &formulaChecker{procChecker: &procChecker{checker: c, spec: &spec.Spec{Data: &own}, actions: map[string][]*spec.Action{}}}
	for _, a := range actions {
		f.actions[a.Name] = append(f.actions[a.Name], a)
	}
	for _, a := range tree.Spec.Actions {
		args := c.table.resolveAll(a.Args)
		if !slices.ContainsFunc(f.actions[a.Name.Text], func(b *spec.Action) bool { return slices.Equal(args, b.Args) }) {
			f.declareAction(a)
		}
	}
	body := f.state(nil, tree.Body)
	if err := c.err(); err != nil {
		return nil, err
	}
	return &formula.Formula{Data: &own, Body: body}, nil
}

// extend adds declarations to those that were adopted.
func (c *checker) extend(tree *syntax.Spec) {
	c.table.closed = false
	var fresh []*syntax.SortDecl
	for _, d := range tree.Sorts {
		if old := c.table.names[d.Name.Text]; old == nil {
			fresh = append(fresh, d)
		} else if d.Body != nil && c.table.resolve(d.Body) != old {
			c.fail(d.Name.At, "sort %s is declared otherwise by the specification", d.Name.Text)
		}
	}
	c.data.Aliases = append(c.data.Aliases, c.table.declare(fresh)...)
	c.declareStructs()
	known := func(f *syntax.FuncDecl) bool {
		of := c.table.resolve(f.Sort)
		return slices.ContainsFunc(c.funcs[f.Name.Text], func(g *spec.Func) bool { return g.Of == of })
	}
	rest := *tree
	rest.Cons = slices.DeleteFunc(slices.Clone(tree.Cons), known)
	rest.Maps = slices.DeleteFunc(slices.Clone(tree.Maps), known)
	c.declareFuncs(&rest)
	c.equations(tree)
	c.table.closed = true
}

// A formulaChecker checks state formulas.
type formulaChecker struct {
	*procChecker
	fixes []openFix
	odd   bool // under an odd number of negations
}

// An openFix is a fixed point in whose scope the checker is.
type openFix struct {
	fix *formula.Fix
	odd bool
}

func (f *formulaChecker) bool(sc *scope, e syntax.Expr) spec.Expr {
	return f.expr(sc, e, f.sorts.Basic(spec.Bool))
}

// state checks a state formula. What has an error becomes false.
func (f *formulaChecker) state(sc *scope, s syntax.State) formula.State {
	at := spec.Place{At: s.Pos()}
	switch s := s.(type) {
	case *syntax.StateBool:
		return &formula.Bool{Value: s.Value, Place: at}
	case *syntax.StateVal:
		return &formula.Val{E: f.bool(sc, s.E), Place: at}
	case *syntax.StateVar:
		return f.stateVar(sc, s)
	case *syntax.StateDelay:
		var time spec.Expr
		if s.Time != nil {
			time = f.expr(sc, s.Time, f.sorts.Basic(spec.Real))
		}
		if s.Op == "delay" {
			return &formula.Delay{Time: time, Place: at}
		}
		return &formula.Yaled{Time: time, Place: at}
	case *syntax.StateFix:
		return f.fix(sc, s)
	case *syntax.StateModal:
		r := f.regular(sc, s.R)
		x := f.state(sc, s.Body)
		if s.Must {
			return &formula.Must{R: r, X: x, Place: at}
		}
		return &formula.May{R: r, X: x, Place: at}
	case *syntax.StateQuant:
		in := f.bind(sc, s.Vars, "variable")
		x := f.state(in, s.Body)
		switch s.Kind {
		case "forall":
			return &formula.Forall{Vars: in.vars, X: x, Place: at}
		case "exists":
			return &formula.Exists{Vars: in.vars, X: x, Place: at}
		}
		return f.quantitative(s.At, s.Kind)
	case *syntax.StateUnary:
		if s.Op != "!" {
			return f.quantitative(s.At, s.Op)
		}
		f.odd = !f.odd
		x := f.state(sc, s.X)
		f.odd = !f.odd
		return &formula.Not{X: x, Place: at}
	case *syntax.StateBinary:
		return f.stateBinary(sc, s)
	case *syntax.StateScale:
		return f.quantitative(s.At, "*")
	}
	panic(diag.Bugf("state formula %T", s))
}

func (f *formulaChecker) stateBinary(sc *scope, s *syntax.StateBinary) formula.State {
	at := spec.Place{At: s.At}
	if s.Op == "=>" {
		f.odd = !f.odd
		x := f.state(sc, s.X)
		f.odd = !f.odd
		return &formula.Implies{X: x, Y: f.state(sc, s.Y), Place: at}
	}
	x, y := f.state(sc, s.X), f.state(sc, s.Y)
	switch s.Op {
	case "&&":
		return &formula.And{X: x, Y: y, Place: at}
	case "||":
		return &formula.Or{X: x, Y: y, Place: at}
	}
	return f.quantitative(s.At, s.Op)
}

// quantitative refuses what gives a number.
func (f *formulaChecker) quantitative(at diag.Pos, op string) formula.State {
	f.errs = append(f.errs, diag.Unsupportedf(at, "quantitative formula with %s", op))
	return &formula.Bool{Place: spec.Place{At: at}}
}

func (f *formulaChecker) fix(sc *scope, s *syntax.StateFix) formula.State {
	x := &formula.Fix{Greatest: s.Op == "nu", Name: s.Name, Place: spec.Place{At: s.At}}
	in := f.bind(sc, s.Params, "parameter")
	x.Params = in.vars
	for i, e := range s.Init {
		x.Init = append(x.Init, f.expr(sc, e, in.vars[i].Of))
	}
	f.fixes = append(f.fixes, openFix{x, f.odd})
	x.X = f.state(in, s.Body)
	f.fixes = f.fixes[:len(f.fixes)-1]
	return x
}

// stateVar checks the use of a fixed point. A name that is none may be a data
// expression: val may be left out.
func (f *formulaChecker) stateVar(sc *scope, s *syntax.StateVar) formula.State {
	at := spec.Place{At: s.At}
	for i := len(f.fixes) - 1; i >= 0; i-- {
		open := f.fixes[i]
		if open.fix.Name != s.Name {
			continue
		}
		v := &formula.Var{Fix: open.fix, Place: at}
		if len(s.Args) != len(open.fix.Params) {
			f.fail(s.At, "%s takes %s, found %d", s.Name, count(len(open.fix.Params), "argument"), len(s.Args))
			return v
		}
		for j, e := range s.Args {
			v.Args = append(v.Args, f.expr(sc, e, open.fix.Params[j].Of))
		}
		if open.odd != f.odd {
			f.fail(s.At, "%s is under an odd number of negations: such a fixed point need not exist", s.Name)
		}
		return v
	}
	if sc.lookup(s.Name) == nil && f.funcs[s.Name] == nil {
		f.fail(s.At, "%s is not declared: it is neither a fixed point around this place nor data", s.Name)
		return &formula.Bool{Place: at}
	}
	var e syntax.Expr = &syntax.Ident{Name: s.Name, Place: s.Place}
	if len(s.Args) > 0 {
		e = &syntax.Apply{Fun: e, Args: s.Args, Place: s.Place}
	}
	return &formula.Val{E: f.bool(sc, e), Place: at}
}

// regular checks a regular formula.
func (f *formulaChecker) regular(sc *scope, r syntax.Regular) formula.Regular {
	at := spec.Place{At: r.Pos()}
	switch r := r.(type) {
	case *syntax.RegIter:
		return &formula.Iter{X: f.regular(sc, r.X), Once: r.Op == "+", Place: at}
	case *syntax.RegBinary:
		switch r.Op {
		case ".":
			return &formula.Seq{X: f.regular(sc, r.X), Y: f.regular(sc, r.Y), Place: at}
		case "+":
			return &formula.Alt{X: f.regular(sc, r.X), Y: f.regular(sc, r.Y), Place: at}
		}
	}
	return &formula.Step{A: f.action(sc, r), Place: at}
}

// action checks an action formula.
func (f *formulaChecker) action(sc *scope, r syntax.Regular) formula.Action {
	at := spec.Place{At: r.Pos()}
	switch r := r.(type) {
	case *syntax.RegMulti:
		m := &formula.Multi{Place: at}
		for _, a := range r.Actions {
			if len(f.actions[a.Name]) == 0 {
				f.fail(a.At, "action %s is not declared", a.Name)
				continue
			}
			if x, ok := f.call(sc, a).(*spec.Act); ok {
				m.Actions = append(m.Actions, spec.ActionCall{Action: x.Action, Args: x.Args})
			}
		}
		return m
	case *syntax.RegBool:
		return &formula.ActBool{Value: r.Value, Place: at}
	case *syntax.RegVal:
		return &formula.ActVal{E: f.bool(sc, r.E), Place: at}
	case *syntax.RegNot:
		return &formula.ActNot{X: f.action(sc, r.X), Place: at}
	case *syntax.RegQuant:
		in := f.bind(sc, r.Vars, "variable")
		x := f.action(in, r.Body)
		if r.Kind == "forall" {
			return &formula.ActForall{Vars: in.vars, X: x, Place: at}
		}
		return &formula.ActExists{Vars: in.vars, X: x, Place: at}
	case *syntax.RegAt:
		return &formula.ActAt{X: f.action(sc, r.X), Time: f.expr(sc, r.Time, f.sorts.Basic(spec.Real)), Place: at}
	case *syntax.RegBinary:
		x, y := f.action(sc, r.X), f.action(sc, r.Y)
		switch r.Op {
		case "&&":
			return &formula.ActAnd{X: x, Y: y, Place: at}
		case "||":
			return &formula.ActOr{X: x, Y: y, Place: at}
		case "=>":
			return &formula.ActImplies{X: x, Y: y, Place: at}
		}
	}
	panic(diag.Bugf("action formula %T", r))
}
