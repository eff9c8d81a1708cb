package linear

import (
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// Terminate is the name of the action that a process does when it ends.
const Terminate = "Terminate"

// A lineariser holds what is known about one specification.
type lineariser struct {
	spec    *spec.Spec
	lib     *spec.Library
	actions map[string][]*spec.Action // by name

	free       map[spec.Proc][]*spec.Var // free variables of process expressions
	ends       map[*spec.Process]bool    // processes that can end
	canEndAt   map[spec.Proc]bool        // expressions that can end; nil while that is not known
	hasPar     map[*spec.Process]bool    // processes that are parallel at their outermost
	isBody     map[spec.Proc]bool        // bodies of processes
	ids        map[spec.Proc]int         // numbers of places in the text
	signatures map[string]int            // which have their numbers
	objects    map[any]int               // what signatures are made of
	checks     map[*spec.Comm]bool       // communications known to be well formed
	leaves     int

	nothing *spec.Delta // what a condition without else leads to

	bodies map[*spec.Process]spec.Proc // of processes, where they are not those of the text
	draws  []*spec.Action              // that stand for random draws

	engine *data.Engine            // evaluates closed expressions; nil if the equations cannot be used
	known  map[spec.Expr]spec.Expr // closed expressions that were evaluated

	equalities map[[2]spec.Expr]spec.Expr // of arguments

	dontCares []*spec.Var  // global variables that were added
	funcs     []*spec.Func // functions that were added, for stacks
}

// maxSteps bounds the evaluation of a closed expression.
const maxSteps = 100_000

// evaluated returns the value of a closed expression. Others, and those that have
// no value soon, stay as they are.
func (l *lineariser) evaluated(x spec.Expr) spec.Expr {
	switch x.(type) {
	case *spec.Apply, *spec.Where:
	default:
		return x
	}
	y, ok := l.known[x]
	if !ok {
		y = x
		if l.engine != nil && len(spec.FreeVars(x)) == 0 {
			y = l.engine.Simplify(x)
		}
		l.known[x] = y
	}
	return y
}

// A refusal travels as a panic from the depths of the rules to Linearise.
type refusal struct{ err *diag.Error }

func refuse(pos diag.Pos, format string, args ...any) {
	panic(refusal{diag.Unsupportedf(pos, format, args...)})
}

// Linearise returns a linear process that is strongly bisimilar to the
// specification. It fails for what the package comment names.
func Linearise(s *spec.Spec) (lps *spec.LPS, err error) {
	l := &lineariser{spec: s, lib: s.Lib, actions: map[string][]*spec.Action{},
		free: map[spec.Proc][]*spec.Var{}, ids: map[spec.Proc]int{}, signatures: map[string]int{}, objects: map[any]int{}, checks: map[*spec.Comm]bool{}}
	l.known, l.equalities = map[spec.Expr]spec.Expr{}, map[[2]spec.Expr]spec.Expr{}
	if e, err := data.New(s.Data, data.Options{Steps: maxSteps}); err == nil {
		l.engine = e
	}
	for _, a := range s.Actions {
		l.actions[a.Name] = append(l.actions[a.Name], a)
	}
	defer func() {
		if r := recover(); r != nil {
			ref, ok := r.(refusal)
			if !ok {
				panic(r)
			}
			lps, err = nil, ref.err
		}
	}()
	l.nothing = &spec.Delta{Place: spec.Place{At: s.Init.Pos()}}
	l.isBody = map[spec.Proc]bool{}
	l.bodies = map[*spec.Process]spec.Proc{}
	for _, p := range s.Procs {
		l.bodies[p] = l.outside(p.Body)
		l.isBody[l.bodies[p]] = true
	}
	l.orderParams()
	l.findEnds()
	l.findParallel()
	c := l.process(l.outside(s.Init), nil, nil, nil, nil)
	return l.finish(c), nil
}

// finish makes the linear process of a component, which is everything.
func (l *lineariser) finish(c *component) *spec.LPS {
	out := &spec.LPS{Data: l.spec.Data, Actions: l.spec.Actions, Params: c.params, Init: c.init}
	if l.funcs != nil {
		d := *l.spec.Data
		d.Funcs = append(append([]*spec.Func(nil), d.Funcs...), l.funcs...)
		out.Data = &d
	}
	out.Globals = append(append(out.Globals, l.spec.Globals...), l.dontCares...)
	if c.drawing != nil {
		for _, s := range c.summands {
			s.cond = l.lib.And(l.lib.Not(c.drawing), s.cond)
		}
		c.summands = append(c.summands, c.draws...)
		out.Draws = l.drawName()
		out.Actions = append(append([]*spec.Action(nil), out.Actions...), l.draws...)
	}
	for _, s := range c.summands {
		out.Summands = append(out.Summands, l.summand(s))
	}
	if c.ended != nil {
		a := l.action(Terminate, nil)
		if a == nil {
			a = &spec.Action{Name: Terminate}
			out.Actions = append(append([]*spec.Action(nil), out.Actions...), a)
		}
		out.Summands = append(out.Summands,
			&spec.Summand{Cond: c.ended, Multi: []spec.ActionCall{{Action: a}}, Next: c.halt, At: l.spec.Init.Pos()})
	}
	uniqueNames(out)
	return out
}

// summand drops variables that nobody looks at: no sort is empty.
func (l *lineariser) summand(s *summand) *spec.Summand {
	es := []spec.Expr{s.cond}
	for _, a := range s.multi {
		es = append(es, a.Args...)
	}
	if s.time != nil {
		es = append(es, s.time)
	}
	es = append(es, s.next...)
	used := map[*spec.Var]bool{}
	for _, v := range spec.FreeVars(es...) {
		used[v] = true
	}
	var vars []*spec.Var
	for _, v := range s.vars {
		if used[v] {
			vars = append(vars, v)
		}
	}
	return &spec.Summand{Vars: vars, Cond: s.cond, Multi: s.multi, Delta: s.delta, Time: s.time, Next: s.next, At: s.at}
}

// action returns the declared action with a name and sorts, or nil.
func (l *lineariser) action(name string, sorts []*spec.Sort) *spec.Action {
	for _, a := range l.actions[name] {
		if sameSorts(a.Args, sorts) {
			return a
		}
	}
	return nil
}

func sameSorts(s, t []*spec.Sort) bool {
	if len(s) != len(t) {
		return false
	}
	for i := range s {
		if s[i] != t[i] {
			return false
		}
	}
	return true
}
