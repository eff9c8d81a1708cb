package state

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// withTime gives a process with actions at a time one more parameter, the time of
// the last action that had one. An action at a time happens after that; one
// without a time may happen at any time and leaves it alone. That a process lets
// no more time pass (delta at a time) is not looked at. This is how the mCRL2
// toolset explores such processes.
func withTime(l *spec.LPS) *spec.LPS {
	if !slices.ContainsFunc(l.Summands, func(s *spec.Summand) bool { return !s.Delta && s.Time != nil }) {
		return l
	}
	sort := l.Sorts.Basic(spec.Real)
	less := l.Lib.Func(spec.OpLess, "<", l.Sorts.Function([]*spec.Sort{sort, sort}, l.Sorts.Basic(spec.Bool)))
	last := &spec.Var{Name: freeName(l, "time"), Of: sort}
	out := *l
	out.Params = append(slices.Clone(l.Params), last)
	out.Init = append(slices.Clone(l.Init), l.Lib.Int(0, spec.Real))
	out.Summands = nil
	for _, s := range l.Summands {
		n := *s
		switch {
		case s.Delta:
		case s.Time == nil:
			n.Next = append(slices.Clone(s.Next), last)
		default:
			later := &spec.Apply{Head: less, Args: []spec.Expr{last, s.Time}, At: s.Time.Pos()}
			n.Cond = l.Lib.And(s.Cond, later)
			n.Next = append(slices.Clone(s.Next), s.Time)
		}
		out.Summands = append(out.Summands, &n)
	}
	return &out
}

// freeName returns a name that no parameter has.
func freeName(l *spec.LPS, name string) string {
	for slices.ContainsFunc(l.Params, func(p *spec.Var) bool { return p.Name == name }) {
		name += "_"
	}
	return name
}
