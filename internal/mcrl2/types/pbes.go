package types

import (
	"github.com/heddle-mc/heddle/internal/mcrl2/formula"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/syntax"
)

// LoadPbes reads and checks a parameterised boolean equation system.
func LoadPbes(file string, text []byte) (*formula.System, error) {
	tree, err := syntax.ParsePbes(file, text)
	if err != nil {
		return nil, err
	}
	c := newChecker(&spec.Data{})
	c.declarations(tree.Spec)
	c.equations(tree.Spec)
	f := &formulaChecker{procChecker: &procChecker{checker: c, spec: &spec.Spec{Data: c.data}, actions: map[string][]*spec.Action{}}}
	s := &formula.System{Data: c.data}
	var scopes []*scope
	known := map[string]bool{}
	for _, e := range tree.Equations {
		if known[e.Name.Text] {
			c.fail(e.Name.At, "second equation for %s", e.Name.Text)
		}
		known[e.Name.Text] = true
		in := f.bind(nil, e.Params, "parameter")
		x := &formula.Fix{Greatest: e.Op == "nu", Name: e.Name.Text, Params: in.vars, Place: spec.Place{At: e.Name.At}}
		s.Equations, scopes = append(s.Equations, x), append(scopes, in)
		f.fixes = append(f.fixes, openFix{fix: x})
	}
	for i, e := range tree.Equations {
		s.Equations[i].X = f.state(scopes[i], e.Body)
	}
	v, ok := f.stateVar(nil, tree.Init).(*formula.Var)
	if !ok && len(c.errs) == 0 {
		c.fail(tree.Init.At, "%s is not an equation", tree.Init.Name)
	}
	s.Init = v
	if err := c.err(); err != nil {
		return nil, err
	}
	return s, nil
}
