package semantics

import (
	"math/big"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A move is a step of a term: a multi-action and what comes then.
type move struct {
	multi []action
	time  *big.Rat // or nil
	next  term
}

// moves returns the steps of a term.
func (s *System) moves(t term) []move {
	switch t := t.(type) {
	case closure:
		return s.procMoves(t.p, t.env)
	case seq:
		return then(s.moves(t.first), t.then)
	case alt:
		return append(s.moves(t.left), s.moves(t.right)...)
	case par:
		return both(s.moves(t.left), s.moves(t.right), t.left, t.right)
	case wrap:
		return s.wrapMoves(t.op, s.moves(t.body))
	case ended:
		return []move{{[]action{{action: s.terminate}}, nil, halted{}}}
	}
	return nil
}

func (s *System) procMoves(p spec.Proc, env data.Env) []move {
	switch p := p.(type) {
	case *spec.Act:
		a := action{action: p.Action}
		for _, x := range p.Args {
			a.args = append(a.args, s.eval(x, env))
		}
		return []move{{[]action{a}, nil, ended{}}}
	case *spec.Tau:
		return []move{{nil, nil, ended{}}}
	case *spec.Delta:
		return nil
	case *spec.Call:
		s.depth++
		defer func() { s.depth-- }()
		if s.depth > maxCalls {
			refuse(p.At, "process %s calls itself without an action before the call", p.Process.Name)
		}
		inner := s.globals()
		for i, v := range p.Process.Params {
			inner[v] = s.eval(p.Args[i], env)
		}
		return s.procMoves(p.Process.Body, inner)
	case *spec.Seq:
		return then(s.procMoves(p.Left, env), s.closure(p.Right, env))
	case *spec.Alt:
		return append(s.procMoves(p.Left, env), s.procMoves(p.Right, env)...)
	case *spec.Sum:
		if c, ok := p.Body.(*spec.Cond); ok && c.Else == nil {
			return s.solutions(p, c, env)
		}
		return s.sumMoves(p, p.Vars, env)
	case *spec.Cond:
		holds, err := s.engine.Truth(s.eval(p.If, env), p.If.Pos(), "condition")
		switch {
		case err != nil:
			panic(refusal{err})
		case holds:
			return s.procMoves(p.Then, env)
		case p.Else != nil:
			return s.procMoves(p.Else, env)
		}
		return nil
	case *spec.At:
		return s.atTime(p, env)
	case *spec.Par:
		return both(s.procMoves(p.Left, env), s.procMoves(p.Right, env), s.closure(p.Left, env), s.closure(p.Right, env))
	case *spec.LeftMerge:
		var out []move
		for _, m := range s.procMoves(p.Left, env) {
			out = append(out, move{m.multi, m.time, parOf(m.next, s.closure(p.Right, env))})
		}
		return out
	case *spec.Sync:
		return together(s.procMoves(p.Left, env), s.procMoves(p.Right, env))
	case *spec.Block:
		return s.wrapMoves(p, s.procMoves(p.Body, env))
	case *spec.Hide:
		return s.wrapMoves(p, s.procMoves(p.Body, env))
	case *spec.Rename:
		return s.wrapMoves(p, s.procMoves(p.Body, env))
	case *spec.Comm:
		return s.wrapMoves(p, s.procMoves(p.Body, env))
	case *spec.Allow:
		return s.wrapMoves(p, s.procMoves(p.Body, env))
	}
	refuse(p.Pos(), "%T is not supported by the direct semantics", p)
	return nil
}

// atTime has the steps that happen at a time.
func (s *System) atTime(p *spec.At, env data.Env) []move {
	x, ok := s.engine.Expr(s.eval(p.Time, env), p.Time.Sort()).(*spec.Number)
	if !ok {
		refuse(p.At, "the time is no number")
	}
	var out []move
	for _, m := range s.procMoves(p.Body, env) {
		if m.time == nil || m.time.Cmp(x.Value) == 0 {
			m.time = x.Value
			out = append(out, m)
		}
	}
	return out
}

// sumMoves writes out a sum over some variables.
func (s *System) sumMoves(p *spec.Sum, vars []*spec.Var, env data.Env) []move {
	if len(vars) == 0 {
		return s.procMoves(p.Body, env)
	}
	var out []move
	for _, val := range s.elements(vars[0].Of, p.At) {
		inner := copyEnv(env)
		inner[vars[0]] = val
		out = append(out, s.sumMoves(p, vars[1:], inner)...)
	}
	return out
}

// closure returns p with the values of its free variables.
func (s *System) closure(p spec.Proc, env data.Env) term {
	own := s.globals()
	for _, v := range s.free[p] {
		own[v] = env[v]
	}
	return closure{p, own}
}

func then(ms []move, rest term) []move {
	var out []move
	for _, m := range ms {
		out = append(out, move{m.multi, m.time, seqOf(m.next, rest)})
	}
	return out
}

// both has the steps of two processes side by side.
func both(ls, rs []move, left, right term) []move {
	var out []move
	for _, m := range ls {
		out = append(out, move{m.multi, m.time, parOf(m.next, right)})
	}
	for _, m := range rs {
		out = append(out, move{m.multi, m.time, parOf(left, m.next)})
	}
	return append(out, together(ls, rs)...)
}

// maxMoves bounds the steps that two processes may do at once.
const maxMoves = 50_000

// together has the steps that two processes do at once.
func together(ls, rs []move) []move {
	if len(ls)*len(rs) > maxMoves {
		panic(refusal{diag.Incompletef("a state with more than %d steps of parallel processes", maxMoves)})
	}
	var out []move
	for _, a := range ls {
		for _, b := range rs {
			time := a.time
			if time == nil {
				time = b.time
			} else if b.time != nil && b.time.Cmp(time) != 0 {
				continue
			}
			multi := append(append([]action(nil), a.multi...), b.multi...)
			out = append(out, move{multi, time, parOf(a.next, b.next)})
		}
	}
	return out
}

func (s *System) wrapMoves(op spec.Proc, ms []move) []move {
	var out []move
	for _, m := range ms {
		if multi, ok := s.relabel(op, m.multi); ok {
			out = append(out, move{multi, m.time, wrapOf(op, m.next)})
		}
	}
	return out
}

func copyEnv(env data.Env) data.Env {
	out := make(data.Env, len(env)+1)
	for v, x := range env {
		out[v] = x
	}
	return out
}

// A refusal travels as a panic from the rules to the System.
type refusal struct{ err error }

func refuse(pos diag.Pos, format string, args ...any) {
	panic(refusal{diag.RunUnsupportedf(pos, format, args...)})
}
