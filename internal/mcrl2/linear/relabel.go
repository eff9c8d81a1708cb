package linear

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A relabelled is a multi-action that an operator makes of another one, if cond
// holds.
type relabelled struct {
	cond  spec.Expr
	multi []spec.ActionCall
}

// relabel applies an operator to a multi-action. Results that the filter for the
// operator as a whole does not let through are left out.
func (l *lineariser) relabel(node spec.Proc, m []spec.ActionCall, f *filter) []relabelled {
	var out []spec.ActionCall
	switch p := node.(type) {
	case *spec.Comm:
		return l.communicate(p, m, f)
	case *spec.Allow:
		if len(m) > 0 && !slices.ContainsFunc(p.Sets, func(s []string) bool { return slices.Equal(s, names(m)) }) {
			return nil
		}
		out = m
	case *spec.Block:
		for _, a := range m {
			if slices.Contains(p.Names, a.Action.Name) {
				return nil
			}
		}
		out = m
	case *spec.Hide:
		for _, a := range m {
			if !slices.Contains(p.Names, a.Action.Name) {
				out = append(out, a)
			}
		}
	case *spec.Rename:
		for _, a := range m {
			if i := slices.Index(p.From, a.Action.Name); i >= 0 {
				a.Action = l.mustAction(p.At, p.To[i], a.Action.Args)
			}
			out = append(out, a)
		}
	}
	if !f.matches(names(out)) {
		return nil
	}
	return []relabelled{{l.lib.True(), out}}
}

func (l *lineariser) mustAction(pos diag.Pos, name string, sorts []*spec.Sort) *spec.Action {
	a := l.action(name, sorts)
	if a == nil {
		panic(refusal{diag.Sourcef(pos, "no action %s with the sorts of what becomes one", name)})
	}
	return a
}

// communicate applies a comm. Actions communicate if their names are those of
// the left side of a communication and their arguments are equal. All that can
// communicate do: what is left over has different arguments.
func (l *lineariser) communicate(p *spec.Comm, m []spec.ActionCall, f *filter) []relabelled {
	l.checkComm(p)
	var out []relabelled
	var rec func(rest, done []spec.ActionCall, left []spec.ActionCall, cond spec.Expr)
	rec = func(rest, done, left []spec.ActionCall, cond spec.Expr) {
		if spec.IsOp(cond, spec.OpFalse) {
			return
		}
		if len(rest) == 0 {
			all := append(slices.Clone(done), left...)
			if !f.matches(names(all)) {
				return
			}
			for _, g := range l.partners(p, left) {
				cond = l.lib.And(cond, l.lib.Not(l.equalArgs(left, g)))
			}
			if !spec.IsOp(cond, spec.OpFalse) {
				out = append(out, relabelled{cond, all})
			}
			return
		}
		// The first action stays, or communicates with some of the others.
		rec(rest[1:], done, append(slices.Clone(left), rest[0]), cond)
		for _, g := range l.partners(p, rest) {
			if g.members[0] != 0 {
				continue
			}
			next := slices.Clone(done)
			if to := p.To[g.rule]; to != "" {
				a := rest[0]
				a.Action = l.mustAction(p.At, to, a.Action.Args)
				next = append(next, a)
			}
			var others []spec.ActionCall
			for i, a := range rest {
				if !slices.Contains(g.members, i) {
					others = append(others, a)
				}
			}
			rec(others, next, left, l.lib.And(cond, l.equalArgs(rest, g)))
		}
	}
	rec(m, nil, nil, l.lib.True())
	return out
}

// checkComm refuses communications that share names: the result would depend on
// the order.
func (l *lineariser) checkComm(p *spec.Comm) {
	if l.checks[p] {
		return
	}
	l.checks[p] = true
	seen := map[string]int{}
	for i, from := range p.From {
		for _, n := range from {
			if j, ok := seen[n]; ok && j != i {
				refuse(p.At, "action %s occurs in two communications", n)
			}
			seen[n] = i
		}
	}
}

// A group is a choice of actions of a multi-action, by their indices in
// ascending order, whose names are the left side of a communication.
type group struct {
	rule    int
	members []int
}

// partners returns all groups of a multi-action.
func (l *lineariser) partners(p *spec.Comm, m []spec.ActionCall) []group {
	var out []group
	for rule, from := range p.From {
		var rec func(i int, chosen []int, missing []string)
		rec = func(i int, chosen []int, missing []string) {
			if len(missing) == 0 {
				out = append(out, group{rule, slices.Clone(chosen)})
				return
			}
			for ; i < len(m); i++ {
				k := slices.Index(missing, m[i].Action.Name)
				if k < 0 || len(chosen) > 0 && !sameSorts(m[i].Action.Args, m[chosen[0]].Action.Args) {
					continue
				}
				rec(i+1, append(chosen[:len(chosen):len(chosen)], i), slices.Delete(slices.Clone(missing), k, k+1))
			}
		}
		rec(0, nil, from)
	}
	return out
}

// equalArgs returns the condition that the members of a group have the same
// arguments.
func (l *lineariser) equalArgs(m []spec.ActionCall, g group) spec.Expr {
	cond := l.lib.True()
	first := m[g.members[0]]
	for _, i := range g.members[1:] {
		for j, a := range m[i].Args {
			cond = l.lib.And(cond, l.equalTo(first.Args[j], a))
		}
	}
	return cond
}

// equalTo returns the condition that two arguments are equal. The same two may
// meet often.
func (l *lineariser) equalTo(x, y spec.Expr) spec.Expr {
	if isConstant(x) && isConstant(y) {
		return l.lib.Eq(x, y)
	}
	k := [2]spec.Expr{x, y}
	c, ok := l.equalities[k]
	if !ok {
		c = l.evaluated(l.lib.Eq(x, y))
		l.equalities[k] = c
	}
	return c
}
