package types

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/syntax"
)

// LoadRename reads and checks rules that rename actions of a linear process. The
// process that is returned has what the rules declare, and is otherwise the same.
func LoadRename(l *spec.LPS, file string, text []byte) (*spec.LPS, []*spec.RenameRule, error) {
	tree, err := syntax.ParseRename(file, text)
	if err != nil {
		return nil, nil, err
	}
	own := *l.Data
	own.Funcs, own.Eqns, own.Aliases = slices.Clone(own.Funcs), slices.Clone(own.Eqns), slices.Clone(own.Aliases)
	c := newChecker(&own)
	c.adopt()
	c.extend(tree.Spec)
	p := &procChecker{checker: c, spec: &spec.Spec{Data: &own, Actions: slices.Clone(l.Actions)}, actions: map[string][]*spec.Action{}}
	for _, a := range l.Actions {
		p.actions[a.Name] = append(p.actions[a.Name], a)
	}
	for _, a := range tree.Spec.Actions {
		args := c.table.resolveAll(a.Args)
		if !slices.ContainsFunc(p.actions[a.Name.Text], func(b *spec.Action) bool { return slices.Equal(args, b.Args) }) {
			p.declareAction(a)
		}
	}
	var rules []*spec.RenameRule
	for _, r := range tree.Rules {
		in := p.bind(nil, r.Vars, "variable")
		out := &spec.RenameRule{Vars: in.vars, Cond: c.lib.True(), Delta: r.Delta}
		if r.Cond != nil {
			out.Cond = p.expr(in, r.Cond, p.sorts.Basic(spec.Bool))
		}
		from := p.renamed(in, r.From)
		if from == nil {
			continue
		}
		out.From = *from
		if r.To != nil {
			out.To = p.renamed(in, r.To)
		}
		rules = append(rules, out)
		for _, v := range out.Vars {
			if out.Uses(v) && !slices.ContainsFunc(out.From.Args, func(x spec.Expr) bool { return x == spec.Expr(v) }) {
				c.fail(r.At, "the value of %s is not known: it has to be an argument of %s", v.Name, from.Action.Name)
			}
		}
	}
	if err := c.err(); err != nil {
		return nil, nil, err
	}
	out := *l
	out.Data, out.Actions = &own, p.spec.Actions
	return &out, rules, nil
}

// renamed checks an action of a rule. It returns nil if there is an error.
func (p *procChecker) renamed(sc *scope, x *syntax.Call) *spec.ActionCall {
	if len(p.actions[x.Name]) == 0 {
		p.fail(x.At, "action %s is not declared", x.Name)
		return nil
	}
	a, ok := p.call(sc, x).(*spec.Act)
	if !ok {
		return nil
	}
	return &spec.ActionCall{Action: a.Action, Args: a.Args}
}
