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
