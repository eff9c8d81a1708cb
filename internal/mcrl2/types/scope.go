package types

import (
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/syntax"
)

// A scope holds the variables of one binder. Inner ones hide outer ones.
type scope struct {
	outer *scope
	vars  []*spec.Var
}

func (s *scope) lookup(name string) *spec.Var {
	for ; s != nil; s = s.outer {
		for _, v := range s.vars {
			if v.Name == name {
				return v
			}
		}
	}
	return nil
}

// lookupSort returns the innermost variable of a name and a sort.
func (s *scope) lookupSort(name string, of *spec.Sort) *spec.Var {
	for ; s != nil; s = s.outer {
		for _, v := range s.vars {
			if v.Name == name && v.Of == of {
				return v
			}
		}
	}
	return nil
}

// bind makes variables of declarations; what says whose they are.
func (c *checker) bind(outer *scope, decls []*syntax.VarDecl, what string) *scope {
	s := &scope{outer: outer}
	for _, d := range decls {
		for _, v := range s.vars {
			if v.Name == d.Name.Text {
				c.fail(d.Name.At, "%s %s is declared twice: first at %s", what, d.Name.Text, place(v.At))
			}
		}
		s.vars = append(s.vars, &spec.Var{Name: d.Name.Text, Of: c.table.resolve(d.Sort), At: d.Name.At})
	}
	return s
}

// inner returns the scope inside of an expression that binds variables. It is
// made once.
func (c *checker) inner(sc *scope, e syntax.Expr) *scope {
	if s := c.scopes[e]; s != nil {
		return s
	}
	var s *scope
	switch e := e.(type) {
	case *syntax.Quant:
		s = c.bind(sc, e.Vars, "variable")
	case *syntax.Comprehension:
		s = c.bind(sc, []*syntax.VarDecl{e.Var}, "variable")
	case *syntax.Where:
		s = &scope{outer: sc}
		for _, d := range e.Defs {
			for _, v := range s.vars {
				if v.Name == d.Name.Text {
					c.fail(d.Name.At, "variable %s is declared twice: first at %s", d.Name.Text, place(v.At))
				}
			}
			of := bad
			if s := c.natural(sc, d.Value); s != nil {
				of = s
			} else {
				c.whereFailed[e] = true
			}
			s.vars = append(s.vars, &spec.Var{Name: d.Name.Text, Of: of, At: d.Name.At})
		}
	}
	c.scopes[e] = s
	return s
}
