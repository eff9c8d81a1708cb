package recheck

import (
	"encoding/binary"
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/formula"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
)

// For a formula so many transitions are looked at, each as often as there is need to, and so many arguments of a fixed point.
const maxWork, maxValues = 1 << 30, 1 << 16

// A truth finds out where in a graph formulas hold, by what they are defined to mean. It looks only at states that matter for what it was asked.
type truth struct {
	engine    *data.Engine
	lib       *spec.Library
	sys       *state.System
	graph     *graph
	fixed     map[*formula.Fix]*fixedPoint // those that are looked at just now
	about     map[done]spec.Expr
	codes     map[any]compiled // by the expression, or the formula behind a quantifier
	questions map[formula.State]spec.Expr
	work      int
}

// done is an action that was done, with a formula that may be about it.
type done struct {
	act   formula.Action
	label lts.Label
}

// compiled is a condition, a value or a choice of values.
type compiled struct {
	scope *data.Scope
	code  *data.Code
	sum   *data.Sum
}

// values are those of the variables that a part of a formula may use.
type values struct {
	vars []*spec.Var
	list []data.Value
}

func (v values) with(vars []*spec.Var, list []data.Value) values {
	return values{slices.Concat(v.vars, vars), slices.Concat(v.list, list)}
}

// frame returns them as compiled expressions want them.
func (v values) frame(scope *data.Scope) []data.Value {
	return append(v.list[:len(v.list):len(v.list)], make([]data.Value, max(0, scope.Size()-len(v.list)))...)
}

// A set of states is a list in order.
type set []int32

func (s set) plus(o set) set {
	both := slices.Concat(s, o)
	slices.Sort(both)
	return slices.Compact(both)
}

// only returns the set, or no states.
func (s set) only(yes bool) set {
	if yes {
		return s
	}
	return nil
}

func (s set) and(o set) set   { return s.part(o, true) }
func (s set) minus(o set) set { return s.part(o, false) }

// part returns those states that are in another set, or those that are not.
func (s set) part(o set, in bool) (out set) {
	for _, n := range s {
		for len(o) > 0 && o[0] < n {
			o = o[1:]
		}
		if in == (len(o) > 0 && o[0] == n) {
			out = append(out, n)
		}
	}
	return out
}

func newTruth(sys *state.System, g *graph, f *formula.Formula) *truth {
	return &truth{sys.Engine(), f.Data.Lib, sys, g, map[*formula.Fix]*fixedPoint{}, map[done]spec.Expr{}, map[any]compiled{}, map[formula.State]spec.Expr{}, 0}
}

// decide returns whether a formula holds in the first state.
func (t *truth) decide(f *formula.Formula) bool { return len(t.where(f.Body, values{}, set{0})) > 0 }

// where returns in which of some states a formula holds.
func (t *truth) where(f formula.State, at values, in set) set {
	if len(in) == 0 {
		return nil
	}
	switch f := f.(type) {
	case *formula.Bool:
		return in.only(f.Value)
	case *formula.Val:
		return in.only(t.holds(f.E, at))
	case *formula.Not:
		return in.minus(t.where(f.X, at, in))
	case *formula.And:
		left := t.where(f.X, at, t.open(f, true, at, in))
		return t.where(f.Y, at, left)
	case *formula.Or:
		left := t.open(f, false, at, in)
		left = left.minus(t.where(f.X, at, left))
		return in.minus(left.minus(t.where(f.Y, at, left)))
	case *formula.Implies:
		left := t.where(f.X, at, t.open(f, false, at, in))
		return in.minus(left.minus(t.where(f.Y, at, left)))
	case *formula.Forall:
		left := in
		t.each(f.Vars, f.X, false, at, func(at values) { left = t.where(f.X, at, left) })
		return left
	case *formula.Exists:
		left := in
		t.each(f.Vars, f.X, true, at, func(at values) { left = left.minus(t.where(f.X, at, left)) })
		return in.minus(left)
	case *formula.May:
		return t.ways(f.R, at, in, func(to set) set { return t.where(f.X, at, to) })
	case *formula.Must: // there is no way to where it does not hold
		return in.minus(t.ways(f.R, at, in, func(to set) set { return to.minus(t.where(f.X, at, to)) }))
	case *formula.Fix:
		return t.fix(f, at, in)
	case *formula.Var:
		return t.ask(f.Fix, f.Args, at, in)
	}
	stop(diag.Unsupportedf(f.Pos(), "delay and yaled: time is not explored"))
	return nil
}

// A fixedPoint is what is thought of a fixed point: first that it holds everywhere, if it is the greatest one, or nowhere.
type fixedPoint struct {
	at    values
	list  []*application
	known map[string]*application // by its arguments
	whole bool                    // all that was asked was looked at
}

// An application is a fixed point with arguments: in which states it was asked for, in which of them it was looked at, and where it is thought to hold.
type application struct {
	at                 values
	asked, seen, holds set
}

// fix returns where a fixed point holds: what its body does not confirm is changed, until it confirms all.
func (t *truth) fix(f *formula.Fix, at values, in set) set {
	own := &fixedPoint{at: at, known: map[string]*application{}}
	t.fixed[f] = own
	t.ask(f, f.Init, at, in)
	for again := true; again; {
		fresh := !own.whole // there is something new to look at, and only at that
		again, own.whole = fresh, true
		for i := 0; i < len(own.list); i++ {
			a := own.list[i]
			look := a.asked
			if fresh {
				look = a.asked.minus(a.seen)
			}
			a.seen = a.seen.plus(look)
			now := t.where(f.X, a.at, look)
			again = again || len(now) != len(a.holds.and(look))
			a.holds = a.holds.minus(look).plus(now)
		}
		again = again || !own.whole
	}
	return t.ask(f, f.Init, at, in)
}

// ask returns where a fixed point is thought to hold.
func (t *truth) ask(f *formula.Fix, args []spec.Expr, at values, in set) set {
	own, key := t.fixed[f], []byte{}
	var list []data.Value
	for _, x := range args {
		v := t.eval(x, at)
		list, key = append(list, v), binary.LittleEndian.AppendUint64(key, uint64(v))
	}
	a := own.known[string(key)]
	if a == nil {
		a = &application{at: own.at.with(f.Params, list)}
		if own.known[string(key)], own.list = a, append(own.list, a); len(own.list) > maxValues {
			giveUp("formula", "a fixed point is asked for with more than %d arguments", maxValues)
		}
	}
	if fresh := in.minus(a.asked); len(fresh) > 0 {
		a.asked, own.whole = a.asked.plus(fresh), false
		if f.Greatest {
			a.holds = a.holds.plus(fresh)
		}
	}
	return in.and(a.holds)
}

// ways returns from which of some states an action sequence of R leads to a state that then chooses. It is given all those that R leads to.
func (t *truth) ways(r formula.Regular, at values, in set, then func(set) set) set {
	switch r := r.(type) {
	case *formula.Step:
		return t.step(r.A, at, in, then)
	case *formula.Seq:
		return t.ways(r.X, at, in, func(to set) set { return t.ways(r.Y, at, to, then) })
	case *formula.Alt:
		return t.ways(r.X, at, in, then).plus(t.ways(r.Y, at, in, then))
	case *formula.Iter:
		var reached set
		for fresh := in; len(fresh) > 0; {
			var next set
			t.ways(r.X, at, fresh, func(to set) set { next = next.plus(to); return nil })
			reached = reached.plus(fresh)
			fresh = next.minus(reached)
		}
		good := then(reached)
		known := func(to set) set { return to.and(good) }
		for more := good; len(more) > 0; {
			more = t.ways(r.X, at, reached.minus(good), known)
			good = good.plus(more)
		}
		if r.Once {
			return t.ways(r.X, at, in, known)
		}
		return in.and(good)
	}
	stop(diag.Unsupportedf(r.Pos(), "regular formula"))
	return nil
}

// step is ways for one action.
func (t *truth) step(act formula.Action, at values, in set, then func(set) set) (out set) {
	var edges [][2]int32
	var to set
	for _, s := range in {
		for _, e := range t.graph.edges[s] {
			if t.work++; t.work > maxWork {
				giveUp("formula", "it takes too long to find out where it holds")
			}
			d := done{act, e.label}
			if t.about[d] == nil {
				t.about[d] = t.is(act, t.sys.Performed(e.label))
			}
			if t.holds(t.about[d], at) {
				edges, to = append(edges, [2]int32{s, e.to}), append(to, e.to)
			}
		}
	}
	good := then(to.plus(nil))
	for _, e := range edges {
		if _, ok := slices.BinarySearch(good, e[1]); ok {
			out = append(out, e[0])
		}
	}
	return slices.Compact(out)
}

// eval returns the value of an expression.
func (t *truth) eval(x spec.Expr, at values) data.Value {
	c, ok := t.codes[x]
	if !ok {
		c.scope = t.engine.NewScope(at.vars...)
		c.code = must(t.engine.Compile(x, c.scope))
		t.codes[x] = c
	}
	return must(c.code.Eval(at.frame(c.scope)))
}

// holds returns whether a condition does.
func (t *truth) holds(x spec.Expr, at values) bool {
	return must(t.engine.Truth(t.eval(x, at), x.Pos(), "the condition"))
}

// each calls a function with all values of further variables for which it is open whether a formula holds, or does not hold.
func (t *truth) each(vars []*spec.Var, f formula.State, holds bool, at values, yield func(values)) {
	c, ok := t.codes[f]
	if !ok {
		c.scope = t.engine.NewScope(at.vars...)
		c.sum = must(t.engine.CompileSum(c.scope, vars, t.question(f, holds), f.Pos()))
		t.codes[f] = c
	}
	var list []values
	frame := at.frame(c.scope)
	stop(c.sum.Each(frame, func() bool {
		list = append(list, at.with(vars, frame[len(at.vars):len(at.vars)+len(vars)]))
		return true
	}))
	for _, v := range list {
		yield(v)
	}
}

// open returns a set if values do not decide that a formula does not hold, or holds, and no states otherwise: so what does not matter is not asked.
func (t *truth) open(f formula.State, holds bool, at values, in set) set {
	if t.questions[f] == nil {
		t.questions[f] = t.question(f, holds)
	}
	return in.only(t.holds(t.questions[f], at))
}

// question returns a condition on variables without which a formula does not hold, or without which it does.
func (t *truth) question(f formula.State, holds bool) spec.Expr {
	switch f := f.(type) {
	case *formula.Val:
		if holds {
			return f.E
		}
		return t.lib.Not(f.E)
	case *formula.Not:
		return t.question(f.X, !holds)
	case *formula.And:
		if holds {
			return t.lib.And(t.question(f.X, true), t.question(f.Y, true))
		}
	case *formula.Or:
		if !holds {
			return t.lib.And(t.question(f.X, false), t.question(f.Y, false))
		}
	case *formula.Implies:
		if !holds {
			return t.lib.And(t.question(f.X, true), t.question(f.Y, false))
		}
	}
	return t.lib.True()
}

// is returns the condition under which an action formula is about what was performed.
func (t *truth) is(a formula.Action, performed []state.Performed) spec.Expr {
	quantified := func(kind spec.Binder, vars []*spec.Var, x formula.Action) spec.Expr {
		body := t.is(x, performed)
		if spec.IsOp(body, spec.OpTrue) || spec.IsOp(body, spec.OpFalse) {
			return body
		}
		return &spec.Abs{Kind: kind, Vars: vars, Body: body, Of: t.lib.Sorts.Basic(spec.Bool), At: a.Pos()}
	}
	switch a := a.(type) {
	case *formula.ActBool:
		return t.lib.Bool(a.Value)
	case *formula.ActVal:
		return a.E
	case *formula.ActNot:
		return t.lib.Not(t.is(a.X, performed))
	case *formula.ActAnd:
		return t.lib.And(t.is(a.X, performed), t.is(a.Y, performed))
	case *formula.ActOr:
		return t.lib.Or(t.is(a.X, performed), t.is(a.Y, performed))
	case *formula.ActImplies:
		return t.lib.Or(t.lib.Not(t.is(a.X, performed)), t.is(a.Y, performed))
	case *formula.ActForall:
		return quantified(spec.Forall, a.Vars, a.X)
	case *formula.ActExists:
		return quantified(spec.Exists, a.Vars, a.X)
	case *formula.Multi:
		return t.same(a.Actions, performed)
	}
	stop(diag.Unsupportedf(a.Pos(), "time of an action"))
	return t.lib.False()
}

// same returns the condition under which actions are those that were performed, in some order.
func (t *truth) same(list []spec.ActionCall, performed []state.Performed) spec.Expr {
	if len(list) == 0 || len(list) != len(performed) {
		return t.lib.Bool(len(list) == len(performed))
	}
	any, first := t.lib.False(), list[0]
	for i, d := range performed {
		if d.Action.Name != first.Action.Name || !slices.Equal(d.Action.Args, first.Action.Args) {
			continue
		}
		all := t.same(list[1:], slices.Delete(slices.Clone(performed), i, i+1))
		for k, x := range first.Args {
			v := t.engine.Expr(d.Args[k], d.Action.Args[k])
			if v == nil {
				stop(diag.Unsupportedf(x.Pos(), "an argument of %s that cannot be written down", d.Action.Name))
			}
			all = t.lib.And(t.lib.Eq(x, v), all)
		}
		any = t.lib.Or(any, all)
	}
	return any
}
