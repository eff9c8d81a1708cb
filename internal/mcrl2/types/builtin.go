package types

import "github.com/heddle-mc/heddle/internal/mcrl2/spec"

// overloadable are names of functions that the language got late: there are
// specifications that declare them.
var overloadable = map[string]bool{"pick": true, "sqrt": true}

// sort returns the pattern with S filled in.
func (t *sortTable) sort(p spec.Pattern, s *spec.Sort) *spec.Sort {
	switch {
	case p.IsS:
		return s
	case p.OfS:
		return t.sorts.Of(p.Kind, s)
	}
	return t.sorts.Basic(p.Kind)
}

// bind returns what S is if an expression of the sort s is to be used at p: the
// hole if p does not contain S, and nil if it does not fit.
func (t *sortTable) bind(p spec.Pattern, s *spec.Sort) *spec.Sort {
	switch {
	case p.IsS:
		return s
	case s == hole, s == bad:
		return hole
	case p.OfS:
		if k, ok := joinContainers(p.Kind, s.Kind); ok && k == p.Kind {
			return s.Args[0]
		}
		return nil
	case t.casts(s, t.sorts.Basic(p.Kind)) < 0:
		return nil
	}
	return hole
}

// instance returns the symbol of a function with S filled in.
func (c *checker) instance(name string, b *spec.Signature, s *spec.Sort) *spec.Func {
	args := make([]*spec.Sort, len(b.Args))
	for i, a := range b.Args {
		args[i] = c.table.sort(a, s)
	}
	return c.lib.Func(b.Op, name, c.sorts.Function(args, c.table.sort(b.Result, s)))
}
