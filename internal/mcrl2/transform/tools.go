package transform

import (
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// NewTools returns tools that use an engine, which has to be one of the data of
// the process.
func NewTools(e *data.Engine, lib *spec.Library) Tools {
	known := map[*spec.Sort][]spec.Expr{}
	return Tools{
		Rewrite: e.Simplify,
		Elements: func(s *spec.Sort) ([]spec.Expr, bool) {
			xs, ok := known[s]
			if !ok {
				xs = elements(e, lib, s)
				known[s] = xs
			}
			return xs, xs != nil
		},
	}
}

// elements returns all elements of a sort, or nil if they are too many.
func elements(e *data.Engine, lib *spec.Library, s *spec.Sort) []spec.Expr {
	scope := e.NewScope()
	sum, err := e.CompileSum(scope, []*spec.Var{{Name: "x", Of: s}}, lib.True(), diag.Pos{})
	if err != nil {
		return nil
	}
	var vals []data.Value
	seen := map[data.Value]bool{}
	frame := make([]data.Value, scope.Size())
	err = sum.Each(frame, func() bool {
		if v := frame[0]; !seen[v] {
			seen[v] = true
			vals = append(vals, v)
		}
		return len(vals) <= maxInstances
	})
	if err != nil || len(vals) > maxInstances {
		return nil
	}
	var out []spec.Expr
	for _, v := range vals {
		x := e.Expr(v, s)
		if x == nil {
			return nil
		}
		out = append(out, x)
	}
	return out
}
