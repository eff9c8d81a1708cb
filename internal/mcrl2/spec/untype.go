package spec

import (
	"fmt"

	"github.com/heddle-mc/heddle/internal/mcrl2/syntax"
)

// An untyper makes trees of what the type checker has made of trees.
//
// Numbers are the difficulty: x + 1 has the same text whether the 1 is a Pos or
// an Int that the checker has made of it. Each expression is therefore made in
// one of two ways. If the context fixes the sort, as a declared function does for
// its arguments, casts to wider sorts are left out. Otherwise the text must have
// the right sort by itself, and a cast is written down where it would have
// another one.
type untyper struct {
	names map[*Var]string
	// arity counts what is declared with a name and a number of arguments: with
	// more than one, arguments do not get their sort from the declaration.
	arity    map[arityKey]int
	isAction map[string]bool
	tells    map[*Apply]bool // what is known of applications: see known
}

type arityKey struct {
	name string
	n    int
}

func newUntyper(d *Data) *untyper {
	u := &untyper{names: map[*Var]string{}, arity: map[arityKey]int{}, isAction: map[string]bool{}, tells: map[*Apply]bool{}}
	if d != nil {
		for _, f := range d.Funcs {
			u.count(f.Name, len(f.Of.Args))
		}
	}
	return u
}

func (u *untyper) count(name string, n int) { u.arity[arityKey{name, n}]++ }

func (u *untyper) actions(list []*Action) {
	for _, a := range list {
		u.count(a.Name, len(a.Args))
		u.isAction[a.Name] = true
	}
}

func name(s string) syntax.Name { return syntax.Name{Text: s} }

func actionDecls(list []*Action) []*syntax.ActDecl {
	var out []*syntax.ActDecl
	for _, a := range list {
		d := &syntax.ActDecl{Name: name(a.Name)}
		for _, s := range a.Args {
			d.Args = append(d.Args, sortTree(s))
		}
		out = append(out, d)
	}
	return out
}

func (u *untyper) globals(vars []*Var) []*syntax.VarDecl {
	out, _ := u.enter(vars, func(*free) {})
	return out
}

// data makes the data part of a specification.
func (u *untyper) data(d *Data) *syntax.Spec {
	t := &syntax.Spec{}
	for _, s := range d.Sorts.Declared() {
		decl := &syntax.SortDecl{Name: name(s.Name)}
		if s.Struct {
			decl.Body = structTree(s)
		}
		t.Sorts = append(t.Sorts, decl)
	}
	for _, f := range d.Funcs {
		decl := &syntax.FuncDecl{Name: name(f.Name), Sort: sortTree(f.Of)}
		switch {
		case f.Op != User:
		case !f.Con:
			t.Maps = append(t.Maps, decl)
		case !result(f.Of).Struct:
			t.Cons = append(t.Cons, decl)
		}
	}
	u.equations(t, d.Eqns)
	return t
}

func result(s *Sort) *Sort {
	if s.Kind == Function {
		return s.Result
	}
	return s
}

// equations puts equations into sections whose variables have one sort each.
func (u *untyper) equations(t *syntax.Spec, eqns []*Equation) {
	var section *syntax.EqnSection
	sorts := map[string]syntax.Sort{}
	for _, q := range eqns {
		vars, done := u.enter(q.Vars, func(f *free) {
			f.expr(q.Left)
			f.expr(q.Right)
			if q.Cond != nil {
				f.expr(q.Cond)
			}
		})
		fits := section != nil
		for _, v := range vars {
			if s, ok := sorts[v.Name.Text]; ok && syntax.PrintSort(s) != syntax.PrintSort(v.Sort) {
				fits = false
			}
		}
		if !fits {
			section = &syntax.EqnSection{}
			t.Eqns = append(t.Eqns, section)
			clear(sorts)
		}
		for _, v := range vars {
			if _, ok := sorts[v.Name.Text]; !ok {
				sorts[v.Name.Text] = v.Sort
				section.Vars = append(section.Vars, v)
			}
		}
		e := &syntax.Eqn{Left: u.expr(q.Left, false), Right: u.expr(q.Right, true)}
		if q.Cond != nil {
			e.Cond = u.expr(q.Cond, true)
		}
		section.Eqns = append(section.Eqns, e)
		done()
	}
}

// sortTree makes the tree of a sort.
func sortTree(s *Sort) syntax.Sort {
	switch s.Kind {
	case List, Set, Bag, FSet, FBag:
		return &syntax.SortOf{Kind: sortNames[s.Kind], Elem: sortTree(s.Args[0])}
	case Function:
		f := &syntax.SortFunc{Result: sortTree(s.Result)}
		for _, a := range s.Args {
			f.Args = append(f.Args, sortTree(a))
		}
		return f
	case Named:
		return &syntax.SortName{Name: s.Name}
	}
	return &syntax.SortName{Name: sortNames[s.Kind]}
}

func structTree(s *Sort) syntax.Sort {
	t := &syntax.SortStruct{}
	for _, f := range s.Cons {
		c := &syntax.Constructor{Name: name(f.Name)}
		for i, a := range f.Of.Args {
			p := &syntax.Projection{Sort: sortTree(a)}
			if i < len(f.Proj) && f.Proj[i] != nil {
				n := name(f.Proj[i].Name)
				p.Name = &n
			}
			c.Args = append(c.Args, p)
		}
		if f.Is != nil {
			n := name(f.Is.Name)
			c.Is = &n
		}
		t.Cons = append(t.Cons, c)
	}
	return t
}

// enter gives names to the variables of a binder. collect tells what is used
// inside: the names differ from those of other variables and of functions that
// are. Functions that are applied are not taken for variables that cannot be.
// done takes the names back.
func (u *untyper) enter(vars []*Var, collect func(*free)) (decls []*syntax.VarDecl, done func()) {
	if len(vars) == 0 {
		return nil, func() {}
	}
	f := &free{}
	collect(f)
	taken := map[string]bool{}
	own := map[*Var]bool{}
	for _, v := range vars {
		own[v] = true
	}
	for _, v := range f.vars {
		if !own[v] {
			taken[u.name(v)] = true
		}
	}
	for _, g := range f.values {
		taken[g.Name] = true
	}
	type saved struct {
		v    *Var
		name string
	}
	var old []saved
	for _, v := range vars {
		old = append(old, saved{v, u.names[v]})
		n := v.Name
		for i := 1; taken[n] || v.Of.Kind == Function && f.isHead(n); i++ {
			n = fmt.Sprintf("%s_%d", v.Name, i)
		}
		taken[n] = true
		u.names[v] = n
		decls = append(decls, &syntax.VarDecl{Name: name(n), Sort: sortTree(v.Of)})
	}
	return decls, func() {
		for _, s := range old {
			if s.name == "" {
				delete(u.names, s.v)
			} else {
				u.names[s.v] = s.name
			}
		}
	}
}

// name returns the name that a variable has here. Variables that are not bound
// have their own.
func (u *untyper) name(v *Var) string {
	if n, ok := u.names[v]; ok {
		return n
	}
	return v.Name
}
