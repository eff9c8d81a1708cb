package linear

import "github.com/heddle-mc/heddle/internal/mcrl2/spec"

// maxWays bounds into how many steps one may be split.
const maxWays = 64

// A way is a term that a condition leads to.
type way struct {
	cond spec.Expr
	term term
}

// split makes several steps of one that leads to a condition, a.(c -> p <> q): one
// to p if c holds, one to q if not. What c reads is known before the step. The
// place of the condition is not needed then, with all that c looks at, so there
// are never more states.
func (l *lineariser) split(s step) []step {
	if s.delta {
		return []step{s}
	}
	ways := l.ways(s.next, nil)
	if len(ways) == 1 {
		s.next = ways[0].term
		return []step{s}
	}
	var out []step
	for _, w := range ways {
		n := s
		n.cond, n.next = l.lib.And(s.cond, w.cond), w.term
		if !spec.IsOp(n.cond, spec.OpFalse) {
			out = append(out, n)
		}
	}
	return out
}

// ways returns the terms that conditions at the beginning of a term lead to. The
// conditions exclude each other and one of them holds.
func (l *lineariser) ways(t term, called []*spec.Process) []way {
	same := []way{{l.lib.True(), t}}
	switch t := t.(type) {
	case *frame:
		switch p := t.node.(type) {
		case *spec.Cond:
			if !l.isBody[p] || l.passesOn(p) {
				return l.condWays(t, p, called)
			}
		case *spec.Seq:
			ways := l.begun(p.Left, t.env, called)
			if len(ways) > 1 {
				return mapWays(ways, func(first term) term { return l.inSequence(p, first, l.frameOf(p.Right, t.env)) })
			}
		case *spec.Block, *spec.Hide, *spec.Rename, *spec.Comm, *spec.Allow:
			ways := l.begun(wrapped(p), t.env, called)
			if len(ways) > 1 {
				return mapWays(ways, func(body term) term { return inWrap(p, body) })
			}
		}
	case *seqTerm:
		return mapWays(l.ways(t.first, called), func(first term) term { return l.inSequence(t.node, first, t.rest) })
	case *wrapTerm:
		return mapWays(l.ways(t.body, called), func(body term) term { return inWrap(t.node, body) })
	case *parTerm:
		left, right := l.ways(t.left, called), l.ways(t.right, called)
		if len(left)*len(right) > maxWays {
			return same
		}
		var out []way
		for _, a := range left {
			for _, b := range right {
				out = append(out, way{l.lib.And(a.cond, b.cond), inParallel(t.node, a.term, b.term)})
			}
		}
		return out
	}
	return same
}

func mapWays(ways []way, f func(term) term) []way {
	for i := range ways {
		ways[i].term = f(ways[i].term)
	}
	return ways
}

// condWays returns the ways from a condition on.
func (l *lineariser) condWays(t *frame, p *spec.Cond, called []*spec.Process) []way {
	c := l.evaluated(t.env.Apply(p.If))
	var out []way
	side := func(c spec.Expr, q spec.Proc) {
		if spec.IsOp(c, spec.OpFalse) {
			return
		}
		for _, w := range l.begun(q, t.env, called) {
			if w.cond = l.lib.And(c, w.cond); !spec.IsOp(w.cond, spec.OpFalse) {
				out = append(out, w)
			}
		}
	}
	side(c, p.Then)
	if p.Else != nil {
		side(l.lib.Not(c), p.Else)
	} else {
		side(l.lib.Not(c), l.nothing)
	}
	if len(out) > maxWays || len(out) == 0 {
		return []way{{l.lib.True(), t}}
	}
	return out
}

// begun returns the ways at the beginning of a process expression.
func (l *lineariser) begun(p spec.Proc, env spec.Subst, called []*spec.Process) []way {
	if call, ok := p.(*spec.Call); ok {
		for _, before := range called {
			if before == call.Process {
				refuse(call.At, "process %s calls itself without an action before the call", before.Name)
			}
		}
		called = append(called[:len(called):len(called)], call.Process)
	}
	return l.ways(l.frameOf(p, env), called)
}

// passesOn reports whether a condition leads to a process that is called, to a
// random draw or to deadlock: then some of its states are those of another place. The body of a
// process that does not is better left as one place.
func (l *lineariser) passesOn(p spec.Proc) bool {
	switch p := p.(type) {
	case *spec.Cond:
		return l.passesOn(p.Then) || p.Else != nil && l.passesOn(p.Else)
	case *spec.Call, *spec.Delta, *spec.Dist:
		return true
	case *spec.Seq:
		return l.beginsWithDist(p, nil) != nil
	}
	return false
}
