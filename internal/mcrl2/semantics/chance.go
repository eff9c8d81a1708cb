package semantics

import (
	"math/big"

	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// An Outcome is a state, by its number, and how probable it is.
type Outcome struct {
	State int
	P     *big.Rat
}

// A Chance is a step that leads to one of several states.
type Chance struct {
	From  int
	Label string
	To    []Outcome
}

// Chances explores a specification with dist: it returns the first states, all
// steps, and the number of states. It gives up, with false, at more than max states
// or steps.
func (s *System) Chances(max int) (first []Outcome, steps []Chance, states int, ok bool) {
	numbers := map[string]int{}
	var terms []term
	outcomes := func(t term) []Outcome {
		var out []Outcome
		for _, w := range s.drawn(t) {
			k := string(s.appendKey(nil, w.term))
			n, known := numbers[k]
			if !known {
				n = len(terms)
				numbers[k] = n
				terms = append(terms, w.term)
			}
			out = append(out, Outcome{n, w.p})
		}
		return out
	}
	first = outcomes(s.closure(s.spec.Init, nil))
	for i := 0; i < len(terms); i++ {
		for _, m := range s.moves(terms[i]) {
			steps = append(steps, Chance{i, s.text(m.multi), outcomes(m.next)})
		}
		if len(terms) > max || len(steps) > max {
			return nil, nil, 0, false
		}
	}
	return first, steps, len(terms), true
}

// A weighted term is one with its probability.
type weighted struct {
	p    *big.Rat
	term term
}

// drawn returns what a term may be after all that it begins with was drawn.
func (s *System) drawn(t term) []weighted {
	switch t := t.(type) {
	case closure:
		return s.drawnProc(t.p, t.env)
	case alt:
		return both2(s.drawn(t.left), s.drawn(t.right), func(l, r term) term { return alt{l, r} })
	case seq:
		return each(s.drawn(t.first), func(n term) term { return seqOf(n, t.then) })
	case par:
		return both2(s.drawn(t.left), s.drawn(t.right), parOf)
	case wrap:
		return each(s.drawn(t.body), func(n term) term { return wrapOf(t.op, n) })
	}
	return []weighted{{big.NewRat(1, 1), t}}
}

func (s *System) drawnProc(p spec.Proc, env data.Env) []weighted {
	if !s.draws(p, map[*spec.Process]bool{}) {
		return []weighted{{big.NewRat(1, 1), s.closure(p, env)}}
	}
	switch p := p.(type) {
	case *spec.Dist:
		return s.drawnDist(p, p.Vars, env)
	case *spec.Call:
		inner := s.globals()
		for i, v := range p.Process.Params {
			inner[v] = s.eval(p.Args[i], env)
		}
		return s.drawnProc(p.Process.Body, inner)
	case *spec.Seq:
		return each(s.drawnProc(p.Left, env), func(n term) term { return seqOf(n, s.closure(p.Right, env)) })
	case *spec.Alt:
		return both2(s.drawnProc(p.Left, env), s.drawnProc(p.Right, env), func(l, r term) term { return alt{l, r} })
	case *spec.Par:
		return both2(s.drawnProc(p.Left, env), s.drawnProc(p.Right, env), parOf)
	case *spec.Cond:
		holds, err := s.engine.Truth(s.eval(p.If, env), p.If.Pos(), "condition")
		switch {
		case err != nil:
			panic(refusal{err})
		case holds:
			return s.drawnProc(p.Then, env)
		case p.Else != nil:
			return s.drawnProc(p.Else, env)
		}
		return []weighted{{big.NewRat(1, 1), halted{}}}
	case *spec.Block, *spec.Hide, *spec.Rename, *spec.Comm, *spec.Allow:
		return each(s.drawnProc(bodyOf(p), env), func(n term) term { return wrapOf(p, n) })
	}
	refuse(p.Pos(), "%T around dist is not supported by the direct semantics", p)
	return nil
}

// drawnDist writes out a distribution over some variables.
func (s *System) drawnDist(p *spec.Dist, vars []*spec.Var, env data.Env) []weighted {
	if len(vars) > 0 {
		var out []weighted
		for _, val := range s.elements(vars[0].Of, p.At) {
			inner := copyEnv(env)
			inner[vars[0]] = val
			out = append(out, s.drawnDist(p, vars[1:], inner)...)
		}
		return out
	}
	n, ok := s.engine.Expr(s.eval(p.Weight, env), p.Weight.Sort()).(*spec.Number)
	if !ok {
		refuse(p.At, "the weight is no number")
	}
	if n.Value.Sign() <= 0 {
		return nil
	}
	out := s.drawnProc(p.Body, env)
	for i := range out {
		out[i].p = new(big.Rat).Mul(out[i].p, n.Value)
	}
	return out
}

func each(ws []weighted, f func(term) term) []weighted {
	for i := range ws {
		ws[i].term = f(ws[i].term)
	}
	return ws
}

func both2(ls, rs []weighted, f func(l, r term) term) []weighted {
	var out []weighted
	for _, l := range ls {
		for _, r := range rs {
			out = append(out, weighted{new(big.Rat).Mul(l.p, r.p), f(l.term, r.term)})
		}
	}
	return out
}

// draws reports whether a process may begin with a draw.
func (s *System) draws(p spec.Proc, called map[*spec.Process]bool) bool {
	switch p := p.(type) {
	case *spec.Dist:
		return true
	case *spec.Call:
		if called[p.Process] {
			return false
		}
		called[p.Process] = true
		return s.draws(p.Process.Body, called)
	case *spec.Seq:
		return s.draws(p.Left, called)
	case *spec.Alt:
		return s.draws(p.Left, called) || s.draws(p.Right, called)
	case *spec.Par:
		return s.draws(p.Left, called) || s.draws(p.Right, called)
	case *spec.LeftMerge:
		return s.draws(p.Left, called) || s.draws(p.Right, called)
	case *spec.Sync:
		return s.draws(p.Left, called) || s.draws(p.Right, called)
	case *spec.Cond:
		return s.draws(p.Then, called) || p.Else != nil && s.draws(p.Else, called)
	case *spec.Sum:
		return s.draws(p.Body, called)
	case *spec.At:
		return s.draws(p.Body, called)
	}
	if b := bodyOf(p); b != nil {
		return s.draws(b, called)
	}
	return false
}

// bodyOf returns the body of an operator on actions, or nil.
func bodyOf(p spec.Proc) spec.Proc {
	switch p := p.(type) {
	case *spec.Block:
		return p.Body
	case *spec.Hide:
		return p.Body
	case *spec.Rename:
		return p.Body
	case *spec.Comm:
		return p.Body
	case *spec.Allow:
		return p.Body
	}
	return nil
}
