package linear

import (
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A step is a symbolic step of a term: for all values of vars for which cond
// holds, it does multi and leads to next.
type step struct {
	vars  []*spec.Var
	cond  spec.Expr
	multi []spec.ActionCall
	delta bool // does nothing, until time
	time  spec.Expr
	next  term
	at    diag.Pos
}

// steps returns the steps of a term whose multi-actions pass a filter. There is
// one rule for each operator.
func (l *lineariser) steps(t term, f *filter) []step {
	r := rules{lineariser: l}
	return r.term(t, f)
}

// rules applies the rules of the operational semantics. It knows which processes
// were called since the last action.
type rules struct {
	*lineariser
	called []*spec.Process
}

func (r *rules) term(t term, f *filter) []step {
	switch t := t.(type) {
	case *frame:
		return r.proc(t.node, t.env, f)
	case *seqTerm:
		return r.sequence(t.node, r.term(t.first, f), t.rest)
	case *parTerm:
		part := f.part()
		left, right := r.term(t.left, part), r.term(t.right, part)
		return r.merge(t.node, left, right, t.left, t.right, f, true, true)
	case *wrapTerm:
		return r.wrap(t.node, r.term(t.body, f.through(t.node)), f)
	}
	return nil
}

func (r *rules) proc(p spec.Proc, env spec.Subst, f *filter) []step {
	switch p := p.(type) {
	case *spec.Act:
		if !f.matches([]string{p.Action.Name}) {
			return nil
		}
		args, _ := env.ApplyAll(p.Args)
		return []step{{cond: r.lib.True(), multi: []spec.ActionCall{{Action: p.Action, Args: args}}, at: p.At}}
	case *spec.Tau:
		return []step{{cond: r.lib.True(), at: p.At}}
	case *spec.Delta:
		return []step{{cond: r.lib.True(), delta: true, at: p.At}}
	case *spec.Call:
		for _, q := range r.called {
			if q == p.Process {
				refuse(p.At, "process %s calls itself without an action before the call", q.Name)
			}
		}
		r.called = append(r.called, p.Process)
		s := r.proc(r.bodyOf(p.Process), callEnv(p, env), f)
		r.called = r.called[:len(r.called)-1]
		return s
	case *spec.Seq:
		s := r.proc(p.Left, env, f)
		if !r.canEnd(p.Left) {
			return s
		}
		return r.sequence(p, s, r.frameOf(p.Right, env))
	case *spec.Alt:
		return append(r.proc(p.Left, env, f), r.proc(p.Right, env, f)...)
	case *spec.Sum:
		return r.sum(p, env, f)
	case *spec.Cond:
		c := env.Apply(p.If)
		s := r.guard(c, p.Then, env, f)
		if p.Else != nil {
			s = append(s, r.guard(r.lib.Not(c), p.Else, env, f)...)
		}
		return s
	case *spec.At:
		return r.at(p, env, f)
	case *spec.Par, *spec.LeftMerge, *spec.Sync:
		return r.parallelProc(p, env, f)
	case *spec.Dist:
		refuse(p.At, "dist inside of sum, @, |, ||_ or a condition without an action before it")
	case *spec.Until:
		refuse(p.At, "<<: there is no real time")
	}
	if body := wrapped(p); body != nil {
		return r.wrap(p, r.proc(body, env, f.through(p)), f)
	}
	panic(diag.Bugf("process expression %T", p))
}

func (r *rules) sequence(node *spec.Seq, s []step, rest *frame) []step {
	for i := range s {
		if !s[i].delta {
			s[i].next = r.inSequence(node, s[i].next, rest)
		}
	}
	return s
}

// sum gives the variables of the sum new ones as values: the sum may be entered
// several times on one way.
func (r *rules) sum(p *spec.Sum, env spec.Subst, f *filter) []step {
	inner := make(spec.Subst, len(env)+len(p.Vars))
	for v, e := range env {
		inner[v] = e
	}
	vars := make([]*spec.Var, len(p.Vars))
	for i, v := range p.Vars {
		vars[i] = &spec.Var{Name: v.Name, Of: v.Of, At: v.At}
		inner[v] = vars[i]
	}
	s := r.proc(p.Body, inner, f)
	for i := range s {
		s[i].vars = append(append([]*spec.Var(nil), vars...), s[i].vars...)
	}
	return s
}

func (r *rules) guard(c spec.Expr, p spec.Proc, env spec.Subst, f *filter) []step {
	if spec.IsOp(c, spec.OpFalse) {
		return nil
	}
	s := r.proc(p, env, f)
	for i := range s {
		s[i].cond = r.lib.And(c, s[i].cond)
	}
	return s
}

func (r *rules) at(p *spec.At, env spec.Subst, f *filter) []step {
	t := env.Apply(p.Time)
	s := r.proc(p.Body, env, f)
	for i := range s {
		if s[i].time != nil {
			s[i].cond = r.lib.And(s[i].cond, r.lib.Eq(s[i].time, t))
		}
		s[i].time = t
	}
	return s
}

func (r *rules) parallelProc(p spec.Proc, env spec.Subst, f *filter) []step {
	var left, right spec.Proc
	alone, together := true, true
	switch p := p.(type) {
	case *spec.Par:
		left, right = p.Left, p.Right
	case *spec.LeftMerge:
		left, right, together = p.Left, p.Right, false
	case *spec.Sync:
		left, right, alone = p.Left, p.Right, false
	}
	part := f.part()
	ls := r.proc(left, env, part)
	var rs []step
	if _, leftOnly := p.(*spec.LeftMerge); !leftOnly {
		rs = r.proc(right, env, part)
	}
	return r.merge(p, ls, rs, r.frameOf(left, env), r.frameOf(right, env), f, alone, together)
}

// merge returns the steps of two processes side by side: each alone, and both
// together.
func (r *rules) merge(node spec.Proc, ls, rs []step, left, right term, f *filter, alone, together bool) []step {
	var out []step
	if alone {
		for _, s := range ls {
			if !s.delta && f.matches(names(s.multi)) {
				s.next = inParallel(node, s.next, right)
				out = append(out, s)
			}
		}
		for _, s := range rs {
			if !s.delta && f.matches(names(s.multi)) {
				s.next = inParallel(node, left, s.next)
				out = append(out, s)
			}
		}
	}
	if !together {
		return out
	}
	for _, a := range ls {
		for _, b := range rs {
			if a.delta || b.delta {
				continue
			}
			multi := append(append([]spec.ActionCall(nil), a.multi...), b.multi...)
			if !f.matches(names(multi)) {
				continue
			}
			if len(out) > maxSummands {
				refuse(node.Pos(), "parallel processes with more than %d summands: allow fewer multi-actions", maxSummands)
			}
			n := step{
				vars: append(append([]*spec.Var(nil), a.vars...), b.vars...), cond: r.lib.And(a.cond, b.cond),
				multi: multi, next: inParallel(node, a.next, b.next), at: a.at, time: a.time,
			}
			if b.time != nil && a.time != nil {
				n.cond = r.lib.And(n.cond, r.lib.Eq(a.time, b.time))
			} else if b.time != nil {
				n.time = b.time
			}
			out = append(out, n)
		}
	}
	return out
}

// wrap applies an operator on multi-actions to steps.
func (r *rules) wrap(node spec.Proc, s []step, f *filter) []step {
	var out []step
	for _, s := range s {
		if s.delta {
			out = append(out, s)
			continue
		}
		for _, res := range r.relabel(node, s.multi, f) {
			n := s
			n.cond, n.multi, n.next = r.lib.And(s.cond, res.cond), res.multi, inWrap(node, s.next)
			if !spec.IsOp(n.cond, spec.OpFalse) {
				out = append(out, n)
			}
		}
	}
	return out
}
