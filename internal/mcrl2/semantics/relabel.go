package semantics

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// An action is an action with values.
type action struct {
	action *spec.Action
	args   []data.Value
}

// relabel applies an operator to a multi-action. It reports whether anything is
// left of the step.
func (s *System) relabel(op spec.Proc, multi []action) ([]action, bool) {
	var out []action
	switch p := op.(type) {
	case *spec.Block:
		for _, a := range multi {
			if slices.Contains(p.Names, a.action.Name) {
				return nil, false
			}
		}
		return multi, true
	case *spec.Allow:
		names := []string{}
		for _, a := range multi {
			names = append(names, a.action.Name)
		}
		slices.Sort(names)
		ok := len(multi) == 0
		for _, set := range p.Sets {
			ok = ok || slices.Equal(set, names)
		}
		return multi, ok
	case *spec.Hide:
		for _, a := range multi {
			if !slices.Contains(p.Names, a.action.Name) {
				out = append(out, a)
			}
		}
		return out, true
	case *spec.Rename:
		for _, a := range multi {
			for i, from := range p.From {
				if from == a.action.Name {
					a = action{s.named(p.To[i], a, p.At), a.args}
					break
				}
			}
			out = append(out, a)
		}
		return out, true
	case *spec.Comm:
		return s.communicate(p, multi), true
	}
	panic(diag.Bugf("operator %T", op))
}

// named returns the action with a name and the sorts of another one.
func (s *System) named(name string, like action, pos diag.Pos) *spec.Action {
	for _, a := range s.spec.Actions {
		if a.Name == name && slices.Equal(a.Args, like.action.Args) {
			return a
		}
	}
	refuse(pos, "no action %s with the sorts of %s", name, like.action.Name)
	return nil
}

// communicate takes groups of actions that can communicate out of the
// multi-action until there are none. What comes of them does not communicate
// again.
func (s *System) communicate(p *spec.Comm, multi []action) []action {
	rest := slices.Clone(multi)
	var done []action
	for rule, from := range p.From {
		for i := 0; i < len(rest); i++ {
			members := members(rest, i, from)
			if members == nil {
				continue
			}
			if p.To[rule] != "" {
				done = append(done, action{s.named(p.To[rule], rest[i], p.At), rest[i].args})
			}
			var others []action
			for j, a := range rest {
				if !slices.Contains(members, j) {
					others = append(others, a)
				}
			}
			rest, i = others, -1
		}
	}
	return append(done, rest...)
}

// members returns the indices of actions with the given names whose sorts and
// arguments are those of action i, which is one of them, or nil.
func members(multi []action, i int, names []string) []int {
	var out []int
	missing := slices.Clone(names)
	for j, a := range multi {
		k := slices.Index(missing, a.action.Name)
		if k < 0 || !slices.Equal(a.action.Args, multi[i].action.Args) || !slices.Equal(a.args, multi[i].args) {
			continue
		}
		missing = slices.Delete(missing, k, k+1)
		out = append(out, j)
	}
	if len(missing) > 0 || !slices.Contains(out, i) {
		return nil
	}
	return out
}
