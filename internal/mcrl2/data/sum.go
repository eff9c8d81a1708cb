package data

import (
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A Sum enumerates the values of variables for which a condition holds.
type Sum struct {
	e    *Engine
	plan *plan
	run  run
}

// CompileSum gives the variables places in the scope and makes a plan to
// enumerate them.
func (e *Engine) CompileSum(sc *Scope, vars []*spec.Var, cond spec.Expr, at diag.Pos) (*Sum, error) {
	s := &Sum{e: e}
	err := e.protect(func() {
		slots := make([]int, len(vars))
		for i, v := range vars {
			slots[i] = sc.Add(v)
		}
		s.plan = e.plan(sc, vars, slots, []conjunct{{cond, false}}, at)
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Each calls yield for each solution, with the values of the variables in their
// places of the frame, until it returns false. Solutions may come twice. It
// refuses what cannot be enumerated and conditions that are neither true nor
// false. yield must not use the Sum.
func (s *Sum) Each(f []Value, yield func() bool) (err error) {
	e := s.e
	top, depth, open := e.top, e.depth, e.open
	e.steps = e.options.Steps
	defer func() {
		if x := recover(); x != nil {
			y, ok := x.(failure)
			if !ok {
				panic(x)
			}
			e.top, e.depth, e.open = top, depth, open
			err = y.err
		}
	}()
	s.run = run{e: e, plan: s.plan, mode: visit, yield: yield}
	s.run.from(f, 0, True)
	return nil
}
