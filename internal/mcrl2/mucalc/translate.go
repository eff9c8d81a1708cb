package mucalc

import (
	"fmt"
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/formula"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// Translate returns an equation system whose initial variable is true if the formula
// holds in the initial state of the process (Groote and Willemse, "Parameterised
// boolean equation systems"). There is an equation for each fixed point and each
// iteration of a regular formula; its parameters are those of the fixed point, those
// of the process, and the variables around it. A modality becomes a conjunction or a
// disjunction over the summands of the process. All variables have different names.
func Translate(f *formula.Formula, l *spec.LPS) (*formula.System, error) {
	t := &translator{lps: l, lib: f.Data.Lib, system: &formula.System{Data: f.Data}, used: map[string]int{},
		known: map[*formula.Fix]*equation{}, stars: map[*formula.Iter]*formula.Fix{}}
	globals := spec.Subst{}
	for _, g := range l.Globals {
		if globals[g] = l.Witness(g.Of); globals[g] == nil {
			return nil, diag.Unsupportedf(g.At, "the value of the global variable %s", g.Name)
		}
	}
	for _, fn := range f.Data.Funcs {
		t.used[fn.Name]++
	}
	t.globals = globals
	t.params, _ = t.fresh(l.Params, nil)
	root := f.Body
	if _, ok := root.(*formula.Fix); !ok {
		root = &formula.Fix{Greatest: true, Name: "Z", X: root, Place: spec.Place{At: root.Pos()}}
	}
	var init []spec.Expr
	for _, x := range l.Init {
		init = append(init, globals.Apply(x))
	}
	v := t.state(root, false, scopeOf{at: init, by: spec.Subst{}})
	if t.err != nil {
		return nil, t.err
	}
	t.system.Init = v.(*formula.Var)
	return t.system, nil
}

// A translator makes equations.
type translator struct {
	lps     *spec.LPS
	lib     *spec.Library
	system  *formula.System
	params  []*spec.Var // of the process, with names of their own
	globals spec.Subst
	used    map[string]int
	known   map[*formula.Fix]*equation
	stars   map[*formula.Iter]*formula.Fix // the fixed points of iterations
	err     error
}

// An equation is one with the variables of the formula around the fixed point.
type equation struct {
	left  *formula.Fix
	outer []*spec.Var
}

// A scopeOf is where a part of the formula is looked at: the values of the process's
// parameters, the new variables for those of the formula, and the latter in their
// order. A part is looked at once for each summand that leads to it.
type scopeOf struct {
	at   []spec.Expr
	by   spec.Subst
	vars []*spec.Var
}

func (t *translator) fail(at diag.Pos, format string, args ...any) {
	if t.err == nil {
		t.err = diag.Unsupportedf(at, format, args...)
	}
}

// fresh returns new variables with names that no other has, and a substitution by
// them that extends another one.
func (t *translator) fresh(vars []*spec.Var, by spec.Subst) ([]*spec.Var, spec.Subst) {
	out := make(spec.Subst, len(by)+len(vars))
	for v, x := range by {
		out[v] = x
	}
	var list []*spec.Var
	for _, v := range vars {
		w := &spec.Var{Name: t.name(v.Name), Of: v.Of, At: v.At}
		list = append(list, w)
		out[v] = w
	}
	return list, out
}

func (t *translator) name(base string) string {
	name := base
	for t.used[name] > 0 {
		name = fmt.Sprintf("%s_%d", base, t.used[base])
		t.used[base]++
	}
	t.used[name]++
	return name
}

// state translates a formula, or its negation.
func (t *translator) state(f formula.State, neg bool, sc scopeOf) formula.State {
	at := spec.Place{At: f.Pos()}
	switch f := f.(type) {
	case *formula.Bool:
		return &formula.Bool{Value: f.Value != neg, Place: at}
	case *formula.Val:
		x := sc.by.Apply(f.E)
		if neg {
			x = t.lib.Not(x)
		}
		return &formula.Val{E: x, Place: at}
	case *formula.Not:
		return t.state(f.X, !neg, sc)
	case *formula.And:
		return junctionOf(neg, t.state(f.X, neg, sc), t.state(f.Y, neg, sc))
	case *formula.Or:
		return junctionOf(!neg, t.state(f.X, neg, sc), t.state(f.Y, neg, sc))
	case *formula.Implies:
		return junctionOf(!neg, t.state(f.X, !neg, sc), t.state(f.Y, neg, sc))
	case *formula.Forall:
		return t.quantifier(f.Vars, f.X, neg, neg, sc, at)
	case *formula.Exists:
		return t.quantifier(f.Vars, f.X, neg, !neg, sc, at)
	case *formula.Must:
		return t.regular(f.R, neg, sc, func(sc scopeOf) formula.State { return t.state(f.X, neg, sc) })
	case *formula.May:
		return t.regular(f.R, !neg, sc, func(sc scopeOf) formula.State { return t.state(f.X, neg, sc) })
	case *formula.Fix:
		e := t.fix(f, f.Greatest != neg, sc, func(sc scopeOf) formula.State { return t.state(f.X, neg, sc) })
		return t.use(e, f.Init, sc, at)
	case *formula.Var:
		return t.use(t.known[f.Fix], f.Args, sc, at)
	}
	t.fail(f.Pos(), "delay and yaled: time is not explored")
	return &formula.Bool{}
}

// junctionOf is a disjunction (may) or a conjunction. What is decided is left out.
func junctionOf(may bool, x, y formula.State) formula.State {
	for _, p := range [][2]formula.State{{x, y}, {y, x}} {
		if b, ok := p[0].(*formula.Bool); ok {
			if b.Value == may {
				return b
			}
			return p[1]
		}
	}
	if may {
		return &formula.Or{X: x, Y: y}
	}
	return &formula.And{X: x, Y: y}
}

func (t *translator) quantifier(vars []*spec.Var, x formula.State, neg, may bool, sc scopeOf, at spec.Place) formula.State {
	list, by := t.fresh(vars, sc.by)
	body := t.state(x, neg, scopeOf{sc.at, by, slices.Concat(sc.vars, vars)})
	return quantified(may, list, body, at)
}

func quantified(may bool, vars []*spec.Var, body formula.State, at spec.Place) formula.State {
	switch {
	case len(vars) == 0:
		return body
	case may:
		return &formula.Exists{Vars: vars, X: body, Place: at}
	}
	return &formula.Forall{Vars: vars, X: body, Place: at}
}

// fix makes the equation of a fixed point, unless it is there.
func (t *translator) fix(f *formula.Fix, greatest bool, sc scopeOf, body func(scopeOf) formula.State) *equation {
	if e := t.known[f]; e != nil {
		return e
	}
	params, by := t.fresh(f.Params, nil)
	outer, by := t.fresh(sc.vars, by)
	e := &equation{left: &formula.Fix{Greatest: greatest, Name: t.name(f.Name), Place: f.Place}, outer: sc.vars}
	e.left.Params = slices.Concat(params, t.params, outer)
	t.known[f] = e
	t.system.Equations = append(t.system.Equations, e.left)
	var at []spec.Expr
	for _, p := range t.params {
		at = append(at, p)
	}
	e.left.X = body(scopeOf{at, by, slices.Concat(sc.vars, f.Params)})
	return e
}

// use returns the variable of an equation at a place.
func (t *translator) use(e *equation, args []spec.Expr, sc scopeOf, at spec.Place) formula.State {
	v := &formula.Var{Fix: e.left, Place: at}
	for _, x := range args {
		v.Args = append(v.Args, sc.by.Apply(x))
	}
	v.Args = append(v.Args, sc.at...)
	for _, x := range e.outer {
		v.Args = append(v.Args, sc.by.Apply(x))
	}
	return v
}

// regular translates <R> (may) or [R] before what then says.
func (t *translator) regular(r formula.Regular, may bool, sc scopeOf, then func(scopeOf) formula.State) formula.State {
	switch r := r.(type) {
	case *formula.Step:
		return t.step(r.A, may, sc, then)
	case *formula.Seq:
		return t.regular(r.X, may, sc, func(sc scopeOf) formula.State { return t.regular(r.Y, may, sc, then) })
	case *formula.Alt:
		return junctionOf(may, t.regular(r.X, may, sc, then), t.regular(r.Y, may, sc, then))
	case *formula.Iter:
		// <R*>X is mu Z. X || <R>Z, [R*]X is nu Z. X && [R]Z.
		star := func(sc scopeOf) formula.State {
			f := t.stars[r]
			if f == nil {
				f = &formula.Fix{Name: "Z", Place: r.Place}
				t.stars[r] = f
			}
			e := t.fix(f, !may, sc, func(in scopeOf) formula.State {
				again := func(at scopeOf) formula.State { return t.use(t.known[f], nil, at, r.Place) }
				return junctionOf(may, then(in), t.regular(r.X, may, in, again))
			})
			return t.use(e, nil, sc, r.Place)
		}
		if r.Once {
			return t.regular(r.X, may, sc, star)
		}
		return star(sc)
	}
	t.fail(r.Pos(), "regular formula")
	return &formula.Bool{}
}

// step translates a modality with one step.
func (t *translator) step(a formula.Action, may bool, sc scopeOf, then func(scopeOf) formula.State) formula.State {
	all := formula.State(&formula.Bool{Value: !may})
	now := make(spec.Subst, len(t.globals)+len(sc.at))
	for v, x := range t.globals {
		now[v] = x
	}
	for i, p := range t.lps.Params {
		now[p] = sc.at[i]
	}
	for _, s := range t.lps.Summands {
		if s.Delta {
			continue
		}
		if s.Time != nil {
			t.fail(s.At, "time of an action")
		}
		vars, by := t.fresh(s.Vars, now)
		calls := make([]spec.ActionCall, len(s.Multi))
		for i, c := range s.Multi {
			calls[i].Action = c.Action
			calls[i].Args, _ = by.ApplyAll(c.Args)
		}
		cond := t.lib.And(by.Apply(s.Cond), t.match(a, calls, sc.by))
		if spec.IsOp(cond, spec.OpFalse) {
			continue
		}
		next, _ := by.ApplyAll(s.Next)
		body := then(scopeOf{next, sc.by, sc.vars})
		place := spec.Place{At: a.Pos()}
		if may {
			body = junctionOf(false, &formula.Val{E: cond, Place: place}, body)
		} else {
			body = junctionOf(true, &formula.Val{E: t.lib.Not(cond), Place: place}, body)
		}
		all = junctionOf(may, all, quantified(may, vars, body, place))
	}
	return all
}

// match returns the condition under which a multi-action is in an action formula.
func (t *translator) match(a formula.Action, calls []spec.ActionCall, by spec.Subst) spec.Expr {
	lib := t.lib
	switch a := a.(type) {
	case *formula.ActBool:
		return lib.Bool(a.Value)
	case *formula.ActVal:
		return by.Apply(a.E)
	case *formula.ActNot:
		return lib.Not(t.match(a.X, calls, by))
	case *formula.ActAnd:
		return lib.And(t.match(a.X, calls, by), t.match(a.Y, calls, by))
	case *formula.ActOr:
		return lib.Or(t.match(a.X, calls, by), t.match(a.Y, calls, by))
	case *formula.ActImplies:
		return lib.Or(lib.Not(t.match(a.X, calls, by)), t.match(a.Y, calls, by))
	case *formula.ActForall:
		return t.matchAny(spec.Forall, a.Vars, a.X, calls, by)
	case *formula.ActExists:
		return t.matchAny(spec.Exists, a.Vars, a.X, calls, by)
	case *formula.Multi:
		if len(a.Actions) != len(calls) {
			return lib.False()
		}
		return t.pair(a, calls, by, make([]bool, len(calls)), 0)
	}
	t.fail(a.Pos(), "time of an action")
	return lib.False()
}

func (t *translator) matchAny(b spec.Binder, vars []*spec.Var, x formula.Action, calls []spec.ActionCall, by spec.Subst) spec.Expr {
	list, in := t.fresh(vars, by)
	body := t.match(x, calls, in)
	if spec.IsOp(body, spec.OpTrue) || spec.IsOp(body, spec.OpFalse) {
		return body
	}
	return &spec.Abs{Kind: b, Vars: list, Body: body, Of: t.lib.Sorts.Basic(spec.Bool), At: x.Pos()}
}

// pair returns the condition under which the actions from the i-th on are those that
// are not used yet, in some order.
func (t *translator) pair(a *formula.Multi, calls []spec.ActionCall, by spec.Subst, used []bool, i int) spec.Expr {
	lib := t.lib
	if i == len(a.Actions) {
		return lib.True()
	}
	any := lib.False()
	for k, c := range calls {
		if used[k] || !sameAction(a.Actions[i].Action, c.Action) {
			continue
		}
		same := lib.True()
		for j, x := range a.Actions[i].Args {
			same = lib.And(same, lib.Eq(by.Apply(x), c.Args[j]))
		}
		used[k] = true
		any = lib.Or(any, lib.And(same, t.pair(a, calls, by, used, i+1)))
		used[k] = false
	}
	return any
}
