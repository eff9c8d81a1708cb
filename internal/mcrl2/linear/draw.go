package linear

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A draw is the distribution at the beginning of a term.
type draw struct {
	vars   []*spec.Var
	weight spec.Expr
	next   term
	at     diag.Pos
}

// drawOf returns the first distribution that a term begins with, or nil.
func (l *lineariser) drawOf(t term, called []*spec.Process) *draw {
	within := func(d *draw, f func(term) term) *draw {
		if d != nil {
			d.next = f(d.next)
		}
		return d
	}
	switch t := t.(type) {
	case *frame:
		return l.frameDraw(t, called)
	case *seqTerm:
		return within(l.drawOf(t.first, called), func(n term) term { return l.inSequence(t.node, n, t.rest) })
	case *wrapTerm:
		return within(l.drawOf(t.body, called), func(n term) term { return inWrap(t.node, n) })
	case *parTerm:
		if d := l.drawOf(t.left, called); d != nil {
			return within(d, func(n term) term { return inParallel(t.node, n, t.right) })
		}
		return within(l.drawOf(t.right, called), func(n term) term { return inParallel(t.node, t.left, n) })
	}
	return nil
}

func (l *lineariser) frameDraw(t *frame, called []*spec.Process) *draw {
	begun := func(p spec.Proc, f func(term) term) *draw {
		in := called
		if c, ok := p.(*spec.Call); ok {
			if slices.Contains(called, c.Process) {
				return nil // not guarded: the rules refuse it
			}
			in = append(called[:len(called):len(called)], c.Process)
		}
		d := l.drawOf(l.frameOf(p, t.env), in)
		if d != nil {
			d.next = f(d.next)
		}
		return d
	}
	switch p := t.node.(type) {
	case *spec.Dist:
		env := make(spec.Subst, len(t.env)+len(p.Vars))
		for v, e := range t.env {
			env[v] = e
		}
		d := &draw{at: p.At}
		for _, v := range p.Vars {
			w := &spec.Var{Name: v.Name, Of: v.Of, At: v.At}
			d.vars = append(d.vars, w)
			env[v] = w
		}
		d.weight, d.next = env.Apply(p.Weight), l.frameOf(p.Body, env)
		return d
	case *spec.Seq:
		return begun(p.Left, func(n term) term { return l.inSequence(p, n, l.frameOf(p.Right, t.env)) })
	case *spec.Par:
		if d := begun(p.Left, func(n term) term { return inParallel(p, n, l.frameOf(p.Right, t.env)) }); d != nil {
			return d
		}
		return begun(p.Right, func(n term) term { return inParallel(p, l.frameOf(p.Left, t.env), n) })
	}
	if body := wrapped(t.node); body != nil {
		return begun(body, func(n term) term { return inWrap(t.node, n) })
	}
	return nil
}

// drawStep returns the step of a draw: an action with the probability and what was
// drawn.
func (l *lineariser) drawStep(d *draw) step {
	sorts := []*spec.Sort{l.lib.Sorts.Basic(spec.Real)}
	args := []spec.Expr{d.weight}
	for _, v := range d.vars {
		sorts = append(sorts, v.Of)
		args = append(args, v)
	}
	var action *spec.Action
	for _, a := range l.draws {
		if sameSorts(a.Args, sorts) {
			action = a
		}
	}
	if action == nil {
		action = &spec.Action{Name: l.drawName(), Args: sorts, At: d.at}
		l.draws = append(l.draws, action)
	}
	return step{vars: d.vars, cond: l.positive(d.weight), multi: []spec.ActionCall{{Action: action, Args: args}}, next: d.next, at: d.at}
}

// drawName returns a name that the specification does not have.
func (l *lineariser) drawName() string {
	name := spec.DrawName
	for l.actions[name] != nil {
		name += "_"
	}
	return name
}

// positive returns the condition that a weight is more than nothing. It is made
// of the conditions in it where that is possible: they bound the variables.
func (l *lineariser) positive(w spec.Expr) spec.Expr {
	w = l.evaluated(w)
	if n, ok := w.(*spec.Number); ok {
		return l.lib.Bool(n.Value.Sign() > 0)
	}
	if a, ok := w.(*spec.Apply); ok && spec.IsOp(a.Head, spec.OpIf) {
		c := a.Args[0]
		yes, no := l.positive(a.Args[1]), l.positive(a.Args[2])
		return l.lib.Or(l.lib.And(c, yes), l.lib.And(l.lib.Not(c), no))
	}
	real := l.lib.Sorts.Basic(spec.Real)
	less := l.lib.Func(spec.OpLess, "<", l.lib.Sorts.Function([]*spec.Sort{real, real}, l.lib.Sorts.Basic(spec.Bool)))
	return &spec.Apply{Head: less, Args: []spec.Expr{l.lib.Int(0, spec.Real), w}, At: w.Pos()}
}

// bodyOf returns the body of a process, with distributions outside of choices.
func (l *lineariser) bodyOf(p *spec.Process) spec.Proc {
	if b, ok := l.bodies[p]; ok {
		return b
	}
	return p.Body
}

// outside returns p with distributions before choices instead of in them:
// dist x[w].p + q is dist x[w].(p + q).
func (l *lineariser) outside(p spec.Proc) spec.Proc {
	list := parts(p)
	changed := false
	for i, q := range list {
		n := l.outside(q)
		changed = changed || n != q
		list[i] = n
	}
	if changed {
		p = withParts(p, list)
	}
	alt, ok := p.(*spec.Alt)
	if !ok {
		return p
	}
	left, a := l.pull(alt.Left)
	right, b := l.pull(alt.Right)
	if len(a)+len(b) == 0 {
		return p
	}
	var out spec.Proc = &spec.Alt{Left: left, Right: right, Place: alt.Place}
	for _, d := range append(b, a...) {
		d.Body = out
		out = d
	}
	return out
}

// pull takes the distributions out of the beginning of a process, the innermost
// first.
func (l *lineariser) pull(p spec.Proc) (spec.Proc, []*spec.Dist) {
	switch p := p.(type) {
	case *spec.Dist:
		rest, ds := l.pull(p.Body)
		d := *p
		return rest, append(ds, &d)
	case *spec.Alt:
		left, a := l.pull(p.Left)
		right, b := l.pull(p.Right)
		if len(a)+len(b) > 0 {
			return &spec.Alt{Left: left, Right: right, Place: p.Place}, append(b, a...)
		}
	case *spec.Seq:
		if left, ds := l.pull(p.Left); len(ds) > 0 {
			return &spec.Seq{Left: left, Right: p.Right, Place: p.Place}, ds
		}
	case *spec.Cond:
		return l.pullCond(p)
	case *spec.Sum:
		if _, ds := l.pull(p.Body); len(ds) > 0 {
			refuse(ds[0].At, "dist inside of sum without an action before it")
		}
	case *spec.Call:
		if d := l.beginsWithDist(p.Process.Body, nil); d != nil {
			refuse(p.At, "a process that begins with dist inside of a choice")
		}
	}
	return p, nil
}

// pullCond takes distributions out of a condition. Where they do not matter, what
// is drawn is always the same.
func (l *lineariser) pullCond(p *spec.Cond) (spec.Proc, []*spec.Dist) {
	then, a := l.pull(p.Then)
	other, b := p.Else, []*spec.Dist(nil)
	if p.Else != nil {
		other, b = l.pull(p.Else)
	}
	if len(a)+len(b) == 0 {
		return p, nil
	}
	for _, d := range a {
		d.Weight = l.lib.If(p.If, d.Weight, l.certain(d))
	}
	for _, d := range b {
		d.Weight = l.lib.If(p.If, l.certain(d), d.Weight)
	}
	return &spec.Cond{If: p.If, Then: then, Else: other, Place: p.Place}, append(b, a...)
}

// certain is the weight of a distribution that always draws the same.
func (l *lineariser) certain(d *spec.Dist) spec.Expr {
	c := l.lib.True()
	for _, v := range d.Vars {
		w := l.spec.Witness(v.Of)
		if w == nil {
			refuse(d.At, "dist inside of a choice: sort %s has no element", v.Of)
		}
		c = l.lib.And(c, l.lib.Eq(v, w))
	}
	return l.lib.If(c, l.lib.Int(1, spec.Real), l.lib.Int(0, spec.Real))
}

// beginsWithDist returns a distribution that p begins with, also by calls.
func (l *lineariser) beginsWithDist(p spec.Proc, called []*spec.Process) *spec.Dist {
	switch p := p.(type) {
	case *spec.Dist:
		return p
	case *spec.Act, *spec.Tau, *spec.Delta:
		return nil
	case *spec.Seq:
		return l.beginsWithDist(p.Left, called)
	case *spec.Call:
		if slices.Contains(called, p.Process) {
			return nil
		}
		return l.beginsWithDist(p.Process.Body, append(called[:len(called):len(called)], p.Process))
	}
	for _, q := range parts(p) {
		if d := l.beginsWithDist(q, called); d != nil {
			return d
		}
	}
	return nil
}

// withParts returns p with other process expressions directly below it.
func withParts(p spec.Proc, list []spec.Proc) spec.Proc {
	switch p := p.(type) {
	case *spec.Seq:
		return &spec.Seq{Left: list[0], Right: list[1], Place: p.Place}
	case *spec.Alt:
		return &spec.Alt{Left: list[0], Right: list[1], Place: p.Place}
	case *spec.Par:
		return &spec.Par{Left: list[0], Right: list[1], Place: p.Place}
	case *spec.LeftMerge:
		return &spec.LeftMerge{Left: list[0], Right: list[1], Place: p.Place}
	case *spec.Sync:
		return &spec.Sync{Left: list[0], Right: list[1], Place: p.Place}
	case *spec.Until:
		return &spec.Until{Left: list[0], Right: list[1], Place: p.Place}
	case *spec.Sum:
		return &spec.Sum{Vars: p.Vars, Body: list[0], Place: p.Place}
	case *spec.Dist:
		return &spec.Dist{Vars: p.Vars, Weight: p.Weight, Body: list[0], Place: p.Place}
	case *spec.Cond:
		c := &spec.Cond{If: p.If, Then: list[0], Place: p.Place}
		if p.Else != nil {
			c.Else = list[1]
		}
		return c
	case *spec.At:
		return &spec.At{Body: list[0], Time: p.Time, Place: p.Place}
	case *spec.Block:
		return &spec.Block{Names: p.Names, Body: list[0], Place: p.Place}
	case *spec.Hide:
		return &spec.Hide{Names: p.Names, Body: list[0], Place: p.Place}
	case *spec.Rename:
		return &spec.Rename{From: p.From, To: p.To, Body: list[0], Place: p.Place}
	case *spec.Comm:
		return &spec.Comm{From: p.From, To: p.To, Body: list[0], Place: p.Place}
	case *spec.Allow:
		return &spec.Allow{Sets: p.Sets, Body: list[0], Place: p.Place}
	}
	return p
}
