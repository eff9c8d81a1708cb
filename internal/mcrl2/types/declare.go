package types

import (
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/syntax"
)

// declareStructs makes the functions of structs. While it does, further structs
// may be found in arguments.
func (c *checker) declareStructs() {
	for i := 0; i < len(c.table.order); i++ {
		s := c.table.order[i]
		for _, k := range s.tree.Cons {
			c.constructor(s.sort, k)
		}
	}
}

// constructor makes a constructor of a struct with its projections and its
// recogniser.
func (c *checker) constructor(of *spec.Sort, k *syntax.Constructor) {
	f := &spec.Func{Name: k.Name.Text, Of: of, At: k.Name.At, Con: true, Index: len(of.Cons)}
	if len(k.Args) > 0 {
		var args []*spec.Sort
		for _, a := range k.Args {
			args = append(args, c.table.resolve(a.Sort))
		}
		f.Of = c.sorts.Function(args, of)
		f.Proj = make([]*spec.Func, len(args))
	}
	of.Cons = append(of.Cons, f)
	c.addFunc(f, "constructor")
	for i, a := range k.Args {
		if a.Name == nil {
			continue
		}
		sort := c.sorts.Function([]*spec.Sort{of}, f.Of.Args[i])
		if p := c.sharedProjection(of, f, a.Name.Text, sort); p != nil {
			f.Proj[i] = p
			continue
		}
		f.Proj[i] = &spec.Func{Name: a.Name.Text, Of: sort, At: a.Name.At, Op: spec.OpProj, Owner: f, Index: i}
		c.addFunc(f.Proj[i], "projection")
	}
	if k.Is != nil {
		f.Is = &spec.Func{Name: k.Is.Text, Of: c.sorts.Function([]*spec.Sort{of}, c.sorts.Basic(spec.Bool)), At: k.Is.At,
			Op: spec.OpIs, Owner: f}
		c.addFunc(f.Is, "recogniser")
	}
}

// sharedProjection returns the projection of an earlier constructor with the
// same name and sort.
func (c *checker) sharedProjection(of *spec.Sort, f *spec.Func, name string, sort *spec.Sort) *spec.Func {
	for _, k := range of.Cons {
		if k == f {
			break
		}
		for _, p := range k.Proj {
			if p != nil && p.Name == name && p.Of == sort {
				return p
			}
		}
	}
	return nil
}

// declareFuncs makes the constructors and maps of cons and map sections.
func (c *checker) declareFuncs(tree *syntax.Spec) {
	for _, d := range tree.Cons {
		s := c.table.resolve(d.Sort)
		if s == bad {
			c.undeclarable[d.Name.Text] = true
			continue
		}
		target := s
		if s.Kind == spec.Function {
			target = s.Result
		}
		if target.Kind != spec.Named || target.Struct {
			c.fail(d.Name.At, "constructor %s of sort %s: only sorts that are declared without = have constructors", d.Name.Text, target)
			c.undeclarable[d.Name.Text] = true
			continue
		}
		f := &spec.Func{Name: d.Name.Text, Of: s, At: d.Name.At, Con: true, Index: len(target.Cons)}
		target.Cons = append(target.Cons, f)
		c.addFunc(f, "constructor")
	}
	for _, d := range tree.Maps {
		s := c.table.resolve(d.Sort)
		if s == bad {
			c.undeclarable[d.Name.Text] = true
			continue
		}
		c.addFunc(&spec.Func{Name: d.Name.Text, Of: s, At: d.Name.At}, "map")
	}
}

// addFunc adds a function to those of the specification.
func (c *checker) addFunc(f *spec.Func, what string) {
	if spec.Signatures(f.Name) != nil && !overloadable[f.Name] {
		c.fail(f.At, "%s %s: the language has a function of that name", what, f.Name)
		return
	}
	for _, g := range c.funcs[f.Name] {
		if g.Of == f.Of {
			c.fail(f.At, "%s %s: %s is declared twice: first at %s", what, f.Name, f.Of, place(g.At))
			return
		}
	}
	c.funcs[f.Name] = append(c.funcs[f.Name], f)
	c.data.Funcs = append(c.data.Funcs, f)
}

// checkSorts refuses sorts without elements and structs that contain themselves
// in a way that gives them no meaning.
func (c *checker) checkSorts(at map[*spec.Sort]diag.Pos) {
	full := map[*spec.Sort]bool{}
	for changed := true; changed; {
		changed = false
		for _, s := range c.sorts.Declared() {
			if !full[s] && c.inhabited(s, full) {
				full[s], changed = true, true
			}
		}
	}
	for _, s := range c.sorts.Declared() {
		if !full[s] {
			c.fail(at[s], "sort %s has no elements: each of its constructors needs one first", s)
		}
	}
	for _, s := range c.table.order {
		if c.through(s.sort, s.sort, false, map[*spec.Sort]bool{}) {
			c.fail(at[s.sort], "sort %s contains itself in a Set, a Bag or a function", s.sort)
		}
	}
}

func (c *checker) inhabited(s *spec.Sort, full map[*spec.Sort]bool) bool {
	if len(s.Cons) == 0 {
		return true
	}
	for _, f := range s.Cons {
		ok := true
		if f.Of.Kind == spec.Function {
			for _, a := range f.Of.Args {
				for a.Kind == spec.Function {
					a = a.Result
				}
				ok = ok && (a.Kind != spec.Named || full[a] || a == bad)
			}
		}
		if ok {
			return true
		}
	}
	return false
}

// through reports whether goal is reached from the arguments of the constructors
// of s with a Set, a Bag or a function on the way.
func (c *checker) through(s, goal *spec.Sort, crossed bool, seen map[*spec.Sort]bool) bool {
	var visit func(a *spec.Sort, crossed bool) bool
	visit = func(a *spec.Sort, crossed bool) bool {
		switch a.Kind {
		case spec.Named:
			if a == goal {
				return crossed
			}
			if !a.Struct || seen[a] && !crossed {
				return false
			}
			if seen[a] {
				return false
			}
			seen[a] = true
			return c.through(a, goal, crossed, seen)
		case spec.Set, spec.Bag:
			return visit(a.Args[0], true)
		case spec.List, spec.FSet, spec.FBag:
			return visit(a.Args[0], crossed)
		case spec.Function:
			for _, x := range a.Args {
				if visit(x, true) {
					return true
				}
			}
			return visit(a.Result, true)
		}
		return false
	}
	for _, f := range s.Cons {
		if f.Of.Kind == spec.Function {
			for _, a := range f.Of.Args {
				if visit(a, crossed) {
					return true
				}
			}
		}
	}
	return false
}
