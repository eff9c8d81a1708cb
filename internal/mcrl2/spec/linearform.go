package spec

import "github.com/heddle-mc/heddle/internal/diag"

// Linear returns a specification as a linear process if it has the form of one:
// a single process that init calls, whose alternatives do one multi-action each
// and call it again. This is how linear processes are read back from their text.
// Otherwise the error says what is not linear, and where.
func Linear(s *Spec) (*LPS, error) {
	call, ok := s.Init.(*Call)
	if !ok {
		return nil, diag.Sourcef(s.Init.Pos(), "not a linear process: expected the call of a process in init")
	}
	l := &LPS{Data: s.Data, Actions: s.Actions, Globals: s.Globals, Params: call.Process.Params, Init: call.Args}
	r := &linearReader{lps: l, process: call.Process}
	if err := r.alternatives(call.Process.Body, nil, s.Lib.True()); err != nil {
		return nil, err
	}
	for _, a := range s.Actions {
		if a.Name == DrawName && len(a.Args) > 1 && a.Args[0].Kind == Real {
			l.Draws = DrawName
		}
	}
	return l, nil
}

type linearReader struct {
	lps     *LPS
	process *Process
}

// alternatives adds the summands of a process under sums and a condition.
func (r *linearReader) alternatives(p Proc, vars []*Var, cond Expr) error {
	lib := r.lps.Lib
	switch p := p.(type) {
	case *Alt:
		// The tree leans to the left; go down there without recursion.
		list := []Proc{p.Right}
		left := p.Left
		for a, ok := left.(*Alt); ok; a, ok = left.(*Alt) {
			list, left = append(list, a.Right), a.Left
		}
		list = append(list, left)
		for i := len(list) - 1; i >= 0; i-- {
			if err := r.alternatives(list[i], vars, cond); err != nil {
				return err
			}
		}
		return nil
	case *Sum:
		return r.alternatives(p.Body, append(vars[:len(vars):len(vars)], p.Vars...), cond)
	case *Cond:
		if err := r.alternatives(p.Then, vars, lib.And(cond, p.If)); err != nil || p.Else == nil {
			return err
		}
		return r.alternatives(p.Else, vars, lib.And(cond, lib.Not(p.If)))
	}
	return r.step(p, &Summand{Vars: vars, Cond: cond, At: p.Pos()})
}

// step adds a summand that does p.
func (r *linearReader) step(p Proc, s *Summand) error {
	seq, ok := p.(*Seq)
	if ok {
		call, isCall := seq.Right.(*Call)
		if !isCall || call.Process != r.process {
			return diag.Sourcef(seq.Right.Pos(), "not a linear process: expected a call of %s after the action", r.process.Name)
		}
		p, s.Next = seq.Left, call.Args
	}
	if at, isAt := p.(*At); isAt {
		p, s.Time = at.Body, at.Time
	}
	if _, isDelta := p.(*Delta); isDelta {
		s.Delta = true
	} else if err := r.multi(p, s); err != nil {
		return err
	} else if !ok {
		return diag.Sourcef(p.Pos(), "not a linear process: expected a call of %s after the action", r.process.Name)
	}
	r.lps.Summands = append(r.lps.Summands, s)
	return nil
}

// multi adds the actions of a multi-action.
func (r *linearReader) multi(p Proc, s *Summand) error {
	switch p := p.(type) {
	case *Tau:
		return nil
	case *Act:
		s.Multi = append(s.Multi, ActionCall{p.Action, p.Args})
		return nil
	case *Sync:
		if err := r.multi(p.Left, s); err != nil {
			return err
		}
		return r.multi(p.Right, s)
	}
	return diag.Sourcef(p.Pos(), "not a linear process: expected an action")
}
