package linear

import (
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A component is a linear process that is a part of the whole.
type component struct {
	params   []*spec.Var
	init     []spec.Expr
	summands []*summand
	draws    []*summand  // random draws, which come before anything else
	drawing  spec.Expr   // holds where there is one to come; nil if there never is
	ended    spec.Expr   // holds where the component has ended; nil if it never does
	halt     []spec.Expr // values of the parameters where it has ended and nobody is to notice any more
}

// A summand is a spec.Summand in the making.
type summand struct {
	vars  []*spec.Var
	cond  spec.Expr
	multi []spec.ActionCall
	delta bool
	time  spec.Expr
	next  []spec.Expr
	at    diag.Pos
}

// stepSummand returns a step as a summand, with what stands for the parameters
// replaced.
func (l *lineariser) stepSummand(s *step, env spec.Subst, guard spec.Expr, next []spec.Expr) *summand {
	out := &summand{vars: s.vars, cond: l.lib.And(guard, l.evaluated(env.Apply(s.cond))), delta: s.delta, next: next, at: s.at}
	for _, a := range s.multi {
		args := make([]spec.Expr, len(a.Args))
		for i, x := range a.Args {
			args[i] = l.evaluated(env.Apply(x))
		}
		out.multi = append(out.multi, spec.ActionCall{Action: a.Action, Args: args})
	}
	if s.time != nil {
		out.time = env.Apply(s.time)
	}
	return out
}

// A wrapper is an operator on actions around a component, and what has to pass
// around that.
type wrapper struct {
	node   spec.Proc
	filter *filter
}

// process makes a component of a process expression. The outermost operators on
// actions are dealt with here, and parallel ones directly below them. The
// wrappers, the innermost first, have been met on the way.
func (l *lineariser) process(p spec.Proc, env spec.Subst, f *filter, called []*spec.Process, outer []wrapper) *component {
	if !l.parallel(p) && wrapped(p) == nil {
		c := l.leafOf(p, env, f)
		var out []*summand
		for _, s := range c.summands {
			if s.delta {
				out = append(out, s)
				continue
			}
			for _, r := range l.throughAll(s.multi, outer) {
				n := *s
				n.cond, n.multi = l.lib.And(s.cond, r.cond), r.multi
				if !spec.IsOp(n.cond, spec.OpFalse) {
					out = append(out, &n)
				}
			}
		}
		c.summands = out
		return c
	}
	switch p := p.(type) {
	case *spec.Call:
		if slices.Contains(called, p.Process) {
			refuse(p.At, "recursion through a parallel operator: process %s contains itself", p.Process.Name)
		}
		return l.process(l.bodyOf(p.Process), callEnv(p, env), f, append(called[:len(called):len(called)], p.Process), outer)
	case *spec.Par:
		var cs []*component
		part := f.part()
		for _, q := range flatten(p) {
			cs = append(cs, l.process(q, env, part, called, nil))
		}
		return l.compose(p, cs, f, outer)
	}
	return l.process(wrapped(p), env, f.through(p), called, append([]wrapper{{p, f}}, outer...))
}

// throughAll returns what operators make of a multi-action.
func (l *lineariser) throughAll(multi []spec.ActionCall, outer []wrapper) []relabelled {
	list := []relabelled{{l.lib.True(), multi}}
	for _, w := range outer {
		var next []relabelled
		for _, r := range list {
			for _, n := range l.relabel(w.node, r.multi, w.filter) {
				n.cond = l.lib.And(r.cond, n.cond)
				if !spec.IsOp(n.cond, spec.OpFalse) {
					next = append(next, n)
				}
			}
		}
		list = next
	}
	return list
}

// flatten returns the sides of parallel operators next to each other.
func flatten(p spec.Proc) []spec.Proc {
	if p, ok := p.(*spec.Par); ok {
		return append(flatten(p.Left), flatten(p.Right)...)
	}
	return []spec.Proc{p}
}

// A choice is a way in which some components do something together.
type choice struct {
	names []string
	picks []pick
}

// A pick is a component with its summands that have certain names.
type pick struct {
	component int
	summands  []*summand
}

// Bounds of what a parallel operator may lead to: combinations of names of
// actions, combinations of summands, summands that are left of them, and their
// parameters together.
const (
	maxChoices      = 100_000
	maxCombinations = 10_000_000
	maxSummands     = 1_000_000
	maxCells        = 100_000_000
)

// compose puts components side by side. What the operators around them do not let
// through is never made.
func (l *lineariser) compose(p *spec.Par, cs []*component, f *filter, outer []wrapper) *component {
	out := &component{}
	var offsets []int
	for _, c := range cs {
		offsets = append(offsets, len(out.params))
		out.params = append(out.params, c.params...)
		out.init = append(out.init, c.init...)
	}
	self := identity(out.params)
	combinations := 0
	for _, ch := range l.choices(p, cs, f) {
		l.expand(ch, outer, func(picked []*summand) {
			if combinations++; combinations > maxCombinations {
				refuse(p.At, "parallel processes with more than %d combinations of summands: allow fewer multi-actions", maxCombinations)
			}
			var multi []spec.ActionCall
			for _, s := range picked {
				multi = append(multi, s.multi...)
			}
			for _, r := range l.throughAll(multi, outer) {
				n := &summand{cond: l.lib.True(), multi: r.multi, at: picked[0].at}
				for _, s := range picked {
					n.vars = append(n.vars, s.vars...)
					n.cond = l.lib.And(n.cond, s.cond)
					l.meet(n, s.time)
				}
				if n.cond = l.lib.And(n.cond, r.cond); spec.IsOp(n.cond, spec.OpFalse) {
					continue
				}
				if len(out.summands) == maxSummands || len(out.summands)*len(self) > maxCells {
					refuse(p.At, "parallel processes with more than %d summands: allow fewer multi-actions", len(out.summands))
				}
				n.next = slices.Clone(self)
				for i, s := range picked {
					copy(n.next[offsets[ch.picks[i].component]:], s.next)
				}
				out.summands = append(out.summands, n)
			}
		})
	}
	l.composeDraws(out, cs, offsets)
	out.ended = l.lib.True()
	for _, c := range cs {
		if c.ended == nil {
			out.ended = nil
			return out
		}
		out.ended = l.lib.And(out.ended, c.ended)
	}
	out.halt = slices.Clone(self)
	copy(out.halt, cs[0].halt)
	return out
}

// composeDraws adds the draws of components. If there are several to come, those
// of the first component come first.
func (l *lineariser) composeDraws(out *component, cs []*component, offsets []int) {
	for i, c := range cs {
		if c.drawing == nil {
			continue
		}
		for _, s := range c.draws {
			n := *s
			if out.drawing != nil {
				n.cond = l.lib.And(s.cond, l.lib.Not(out.drawing))
			}
			n.next = identity(out.params)
			copy(n.next[offsets[i]:], s.next)
			out.draws = append(out.draws, &n)
		}
		if out.drawing == nil {
			out.drawing = c.drawing
		} else {
			out.drawing = l.lib.Or(out.drawing, c.drawing)
		}
	}
}

// choices returns the combinations of names that pass the filter. They are
// built up from component to component, and one that can no longer be completed
// by those that follow is dropped at once.
func (l *lineariser) choices(p *spec.Par, cs []*component, f *filter) []choice {
	later := make([]map[string]bool, len(cs)+1)
	later[len(cs)] = map[string]bool{}
	for i := len(cs) - 1; i >= 0; i-- {
		later[i] = copyOf(later[i+1])
		for _, s := range cs[i].summands {
			for _, a := range s.multi {
				later[i][a.Action.Name] = true
			}
		}
	}
	partial := []choice{{}}
	for i, c := range cs {
		var next []choice
		add := func(ch choice) {
			if f.completable(ch.names, later[i+1]) {
				next = append(next, ch)
			}
			if len(next) > maxChoices {
				refuse(p.At, "parallel processes with more than %d multi-actions: allow fewer", maxChoices)
			}
		}
		byNames := c.byNames()
		for _, ch := range partial {
			add(ch)
			for _, g := range byNames {
				merged := append(slices.Clone(ch.names), names(g[0].multi)...)
				slices.Sort(merged)
				add(choice{merged, append(ch.picks[:len(ch.picks):len(ch.picks)], pick{i, g})})
			}
		}
		partial = next
	}
	return slices.DeleteFunc(partial, func(ch choice) bool { return len(ch.picks) == 0 || !f.matches(ch.names) })
}

// byNames groups the summands of a component by the names of their
// multi-actions.
func (c *component) byNames() [][]*summand {
	index := map[string]int{}
	var out [][]*summand
	for _, s := range c.summands {
		if s.delta {
			continue
		}
		k := strings.Join(names(s.multi), "|")
		i, ok := index[k]
		if !ok {
			i = len(out)
			index[k] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], s)
	}
	return out
}

// meet makes a summand happen at a time, too. Actions that happen together have
// one time.
func (l *lineariser) meet(n *summand, time spec.Expr) {
	switch {
	case time == nil:
	case n.time == nil:
		n.time = time
	default:
		n.cond = l.lib.And(n.cond, l.lib.Eq(n.time, time))
	}
}

// expand calls do for each way to take one summand of each pick, but for some of
// which the operators around make nothing.
func (l *lineariser) expand(ch choice, outer []wrapper, do func([]*summand)) {
	picked := make([]*summand, len(ch.picks))
	if len(picked) == 2 {
		if arg := l.mustAgree(ch, outer); arg >= 0 {
			constants, others := byConstant(ch.picks[1].summands, arg)
			for _, s := range ch.picks[0].summands {
				picked[0] = s
				partners := ch.picks[1].summands
				if x := s.multi[0].Args[arg]; isConstant(x) {
					partners = merged(constants[constantKey(x)], others)
				}
				for _, i := range partners {
					picked[1] = i
					do(picked)
				}
			}
			return
		}
	}
	var rec func(i int)
	rec = func(i int) {
		if i == len(picked) {
			do(picked)
			return
		}
		for _, s := range ch.picks[i].summands {
			picked[i] = s
			rec(i + 1)
		}
	}
	rec(0)
}
