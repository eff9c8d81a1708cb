package types

import "github.com/heddle-mc/heddle/internal/mcrl2/syntax"

// anonymousSorts looks for structs wherever a sort may stand.
func (c *checker) anonymousSorts(tree *syntax.Spec) {
	for _, d := range tree.Cons {
		c.structsOf(d.Sort)
	}
	for _, d := range tree.Maps {
		c.structsOf(d.Sort)
	}
	for _, s := range tree.Eqns {
		c.structsOfVars(s.Vars)
		for _, e := range s.Eqns {
			c.structsOfExprs(e.Cond, e.Left, e.Right)
		}
	}
	c.structsOfVars(tree.Globals)
	for _, a := range tree.Actions {
		for _, s := range a.Args {
			c.structsOf(s)
		}
	}
	for _, p := range tree.Procs {
		c.structsOfVars(p.Params)
		c.structsOfProc(p.Body)
	}
	c.structsOfProc(tree.Init)
}

// structsOf makes the structs of a sort.
func (c *checker) structsOf(s syntax.Sort) {
	switch s := s.(type) {
	case *syntax.SortOf:
		c.structsOf(s.Elem)
	case *syntax.SortFunc:
		for _, a := range s.Args {
			c.structsOf(a)
		}
		c.structsOf(s.Result)
	case *syntax.SortStruct:
		c.table.anonymous(s)
	}
}

func (c *checker) structsOfVars(vars []*syntax.VarDecl) {
	for _, v := range vars {
		c.structsOf(v.Sort)
	}
}

func (c *checker) structsOfExprs(list ...syntax.Expr) {
	for _, e := range list {
		switch e := e.(type) {
		case *syntax.ListLit:
			c.structsOfExprs(e.Elems...)
		case *syntax.SetLit:
			c.structsOfExprs(e.Elems...)
		case *syntax.BagLit:
			c.structsOfExprs(e.Elems...)
			c.structsOfExprs(e.Counts...)
		case *syntax.Comprehension:
			c.structsOf(e.Var.Sort)
			c.structsOfExprs(e.Body)
		case *syntax.Apply:
			c.structsOfExprs(e.Fun)
			c.structsOfExprs(e.Args...)
		case *syntax.Update:
			c.structsOfExprs(e.Fun, e.Arg, e.Value)
		case *syntax.Unary:
			c.structsOfExprs(e.X)
		case *syntax.Binary:
			c.structsOfExprs(e.X, e.Y)
		case *syntax.Quant:
			c.structsOfVars(e.Vars)
			c.structsOfExprs(e.Body)
		case *syntax.Where:
			c.structsOfExprs(e.Body)
			for _, d := range e.Defs {
				c.structsOfExprs(d.Value)
			}
		}
	}
}

func (c *checker) structsOfProc(x syntax.Proc) {
	switch x := x.(type) {
	case *syntax.Call:
		c.structsOfExprs(x.Args...)
	case *syntax.CallAssign:
		for _, a := range x.Args {
			c.structsOfExprs(a.Value)
		}
	case *syntax.BinaryProc:
		c.structsOfProc(x.X)
		c.structsOfProc(x.Y)
	case *syntax.Sum:
		c.structsOfVars(x.Vars)
		c.structsOfProc(x.Body)
	case *syntax.Dist:
		c.structsOfVars(x.Vars)
		c.structsOfExprs(x.Weight)
		c.structsOfProc(x.Body)
	case *syntax.Cond:
		c.structsOfExprs(x.If)
		c.structsOfProc(x.Then)
		c.structsOfProc(x.Else)
	case *syntax.At:
		c.structsOfProc(x.Body)
		c.structsOfExprs(x.Time)
	case *syntax.NameSet:
		c.structsOfProc(x.Body)
	case *syntax.Rename:
		c.structsOfProc(x.Body)
	case *syntax.Comm:
		c.structsOfProc(x.Body)
	case *syntax.Allow:
		c.structsOfProc(x.Body)
	}
}
