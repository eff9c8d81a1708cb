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

// process makes a component of a process expression. The outermost operators on
// actions are dealt with here, and parallel ones directly below them.
func (l *lineariser) process(p spec.Proc, env spec.Subst, f *filter, called []*spec.Process) *component {
	if !l.parallel(p) && wrapped(p) == nil {
		return l.leafOf(p, env, f)
	}
	switch p := p.(type) {
	case *spec.Call:
		if slices.Contains(called, p.Process) {
			refuse(p.At, "recursion through a parallel operator: process %s contains itself", p.Process.Name)
		}
		return l.process(p.Process.Body, callEnv(p, env), f, append(called[:len(called):len(called)], p.Process))
	case *spec.Par:
		var cs []*component
		part := f.part()
		for _, q := range flatten(p) {
			cs = append(cs, l.process(q, env, part, called))
		}
		return l.compose(p, cs, f)
	}
	c := l.process(wrapped(p), env, f.through(p), called)
	var out []*summand
	for _, s := range c.summands {
		if s.delta {
			out = append(out, s)
			continue
		}
		for _, r := range l.relabel(p, s.multi, f) {
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

// maxSummands bounds what a parallel operator may lead to.
const maxSummands = 100_000

// compose puts components side by side.
func (l *lineariser) compose(p *spec.Par, cs []*component, f *filter) *component {
	out := &component{}
	var offsets []int
	for _, c := range cs {
		offsets = append(offsets, len(out.params))
		out.params = append(out.params, c.params...)
		out.init = append(out.init, c.init...)
		for _, s := range c.summands {
			if s.time != nil {
				refuse(s.at, "time inside of a parallel process")
			}
		}
	}
	self := identity(out.params)
	for _, ch := range l.choices(p, cs, f) {
		l.expand(ch, func(picked []*summand) {
			n := &summand{cond: l.lib.True(), next: slices.Clone(self), at: picked[0].at}
			for i, s := range picked {
				n.vars = append(n.vars, s.vars...)
				n.cond = l.lib.And(n.cond, s.cond)
				n.multi = append(n.multi, s.multi...)
				copy(n.next[offsets[ch.picks[i].component]:], s.next)
			}
			if spec.IsOp(n.cond, spec.OpFalse) {
				return
			}
			if len(out.summands) == maxSummands {
				refuse(p.At, "parallel processes with more than %d summands: allow fewer multi-actions", maxSummands)
			}
			out.summands = append(out.summands, n)
		})
	}
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
			if len(next) > maxSummands {
				refuse(p.At, "parallel processes with more than %d multi-actions: allow fewer", maxSummands)
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

// expand calls do for each way to take one summand of each pick.
func (l *lineariser) expand(ch choice, do func([]*summand)) {
	picked := make([]*summand, len(ch.picks))
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
