package transform

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// Rename renames actions by rules, one rule after the other. A summand that a rule
// fits for some values becomes several.
func Rename(lps *spec.LPS, rules []*spec.RenameRule) *spec.LPS {
	for _, r := range rules {
		var out []*spec.Summand
		for _, s := range lps.Summands {
			out = append(out, renamed(s, r, lps.Lib)...)
		}
		lps = with(lps, out)
	}
	return lps
}

// renamed applies a rule to each action of a summand.
func renamed(s *spec.Summand, r *spec.RenameRule, lib *spec.Library) []*spec.Summand {
	if s.Delta {
		return []*spec.Summand{s}
	}
	type variant struct {
		cond  spec.Expr
		multi []spec.ActionCall
		delta bool
	}
	list := []variant{{cond: s.Cond}}
	for _, a := range s.Multi {
		fits, to := instance(r, a, lib)
		var next []variant
		for _, v := range list {
			if c := lib.And(v.cond, fits); !spec.IsOp(c, spec.OpFalse) {
				w := variant{c, slices.Clone(v.multi), v.delta || r.Delta}
				if to != nil {
					w.multi = append(w.multi, *to)
				}
				next = append(next, w)
			}
			if c := lib.And(v.cond, lib.Not(fits)); !spec.IsOp(c, spec.OpFalse) {
				next = append(next, variant{c, append(slices.Clone(v.multi), a), v.delta})
			}
		}
		list = next
	}
	var out []*spec.Summand
	for _, v := range list {
		n := *s
		n.Cond, n.Multi, n.Delta = v.cond, v.multi, v.delta
		if v.delta {
			n.Multi, n.Next = nil, nil
		}
		out = append(out, &n)
	}
	return out
}

// instance returns the condition under which a rule fits an action, and what the
// action becomes.
func instance(r *spec.RenameRule, a spec.ActionCall, lib *spec.Library) (spec.Expr, *spec.ActionCall) {
	if a.Action != r.From.Action && !(a.Action.Name == r.From.Action.Name && slices.Equal(a.Action.Args, r.From.Action.Args)) {
		return lib.False(), nil
	}
	by := spec.Subst{}
	for i, x := range r.From.Args {
		if v, ok := x.(*spec.Var); ok && slices.Contains(r.Vars, v) && by[v] == nil {
			by[v] = a.Args[i]
		}
	}
	fits := lib.True()
	for i, x := range r.From.Args {
		if y := by.Apply(x); y != a.Args[i] {
			fits = lib.And(fits, lib.Eq(y, a.Args[i]))
		}
	}
	fits = lib.And(fits, by.Apply(r.Cond))
	if r.To == nil {
		return fits, nil
	}
	args, _ := by.ApplyAll(r.To.Args)
	return fits, &spec.ActionCall{Action: r.To.Action, Args: args}
}
