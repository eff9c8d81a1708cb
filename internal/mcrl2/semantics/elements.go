package semantics

import (
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// maxElements bounds the elements of a sort that a sum may go over.
const maxElements = 10_000

// elements returns all elements of a sort. It refuses sorts with too many.
func (s *System) elements(of *spec.Sort, pos diag.Pos) []data.Value {
	if vals, ok := s.sorts[of]; ok {
		return vals
	}
	v := &spec.Var{Name: "x", Of: of}
	scope := s.engine.NewScope()
	sum, err := s.engine.CompileSum(scope, []*spec.Var{v}, s.spec.Lib.True(), pos)
	if err != nil {
		panic(refusal{err})
	}
	var vals []data.Value
	seen := map[data.Value]bool{}
	frame := make([]data.Value, scope.Size())
	err = sum.Each(frame, func() bool {
		if !seen[frame[0]] {
			seen[frame[0]] = true
			vals = append(vals, frame[0])
		}
		return len(vals) <= maxElements
	})
	if err != nil {
		panic(refusal{err})
	}
	if len(vals) > maxElements {
		refuse(pos, "sum over sort %s, which has more than %d elements", of, maxElements)
	}
	s.sorts[of] = vals
	return vals
}

// solutions returns the moves of a sum over a condition. The engine finds the
// values for which it holds, also of sorts that are infinite if the condition
// leaves finitely many.
func (s *System) solutions(p *spec.Sum, c *spec.Cond, env data.Env) []move {
	outer := s.free[p]
	scope := s.engine.NewScope(outer...)
	sum, err := s.engine.CompileSum(scope, p.Vars, c.If, p.At)
	if err != nil {
		panic(refusal{err})
	}
	frame := make([]data.Value, scope.Size())
	for i, v := range outer {
		frame[i] = env[v]
	}
	var found []data.Env
	err = sum.Each(frame, func() bool {
		inner := copyEnv(env)
		for i, v := range p.Vars {
			inner[v] = frame[len(outer)+i]
		}
		found = append(found, inner)
		return len(found) <= maxElements
	})
	if err != nil {
		panic(refusal{err})
	}
	if len(found) > maxElements {
		refuse(p.At, "sum with more than %d solutions", maxElements)
	}
	var out []move
	for _, inner := range found {
		out = append(out, s.procMoves(c.Then, inner)...)
	}
	return out
}
