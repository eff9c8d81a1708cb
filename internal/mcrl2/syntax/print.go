package syntax

import "strings"

// Print returns a specification as text that Parse reads as the same tree, save
// for positions.
func Print(s *Spec) string {
	p := &printer{}
	p.spec(s)
	return p.b.String()
}

// PrintSort returns a sort as text.
func PrintSort(s Sort) string {
	p := &printer{}
	p.sort(s, false)
	return p.b.String()
}

// PrintExpr returns a data expression as text.
func PrintExpr(e Expr) string {
	p := &printer{}
	p.expr(e, precWhere)
	return p.b.String()
}

// PrintProc returns a process expression as text.
func PrintProc(x Proc) string {
	p := &printer{}
	p.proc(x, 0)
	return p.b.String()
}

type printer struct{ b strings.Builder }

func (p *printer) put(parts ...string) {
	for _, s := range parts {
		p.b.WriteString(s)
	}
}

// list calls f for each of n items with commas between them.
func (p *printer) list(n int, f func(i int)) {
	for i := range n {
		if i > 0 {
			p.put(", ")
		}
		f(i)
	}
}

func (p *printer) spec(s *Spec) {
	for _, f := range s.Includes {
		p.put("include \"", f.Path, "\";\n")
	}
	p.section("sort", len(s.Sorts), func(i int) {
		d := s.Sorts[i]
		p.put(d.Name.Text)
		if d.Body != nil {
			p.put(" = ")
			p.sort(d.Body, false)
		}
	})
	p.section("cons", len(s.Cons), func(i int) { p.funcDecl(s.Cons[i]) })
	p.section("map", len(s.Maps), func(i int) { p.funcDecl(s.Maps[i]) })
	for _, e := range s.Eqns {
		p.section("var", len(e.Vars), func(i int) { p.varDecls(e.Vars[i : i+1]) })
		p.section("eqn", len(e.Eqns), func(i int) { p.equation(e.Eqns[i]) })
	}
	p.section("glob", len(s.Globals), func(i int) { p.varDecls(s.Globals[i : i+1]) })
	p.section("act", len(s.Actions), func(i int) {
		a := s.Actions[i]
		p.put(a.Name.Text)
		if len(a.Args) > 0 {
			p.put(": ")
			p.product(a.Args)
		}
	})
	p.section("proc", len(s.Procs), func(i int) {
		d := s.Procs[i]
		p.put(d.Name.Text)
		if len(d.Params) > 0 {
			p.put("(")
			p.varDecls(d.Params)
			p.put(")")
		}
		p.put(" = ")
		p.proc(d.Body, 0)
	})
	if s.Init != nil {
		p.section("init", 1, func(int) { p.proc(s.Init, 0) })
	}
}

// section prints n declarations under a keyword.
func (p *printer) section(keyword string, n int, f func(i int)) {
	for i := range n {
		if i == 0 {
			p.put(keyword, " ")
		} else {
			p.put(strings.Repeat(" ", len(keyword)+1))
		}
		f(i)
		p.put(";\n")
	}
}

func (p *printer) funcDecl(d *FuncDecl) {
	p.put(d.Name.Text, ": ")
	p.sort(d.Sort, false)
}

func (p *printer) equation(e *Eqn) {
	if e.Cond != nil {
		p.expr(e.Cond, precWhere)
		p.put(" -> ")
	}
	p.expr(e.Left, precWhere)
	p.put(" = ")
	p.expr(e.Right, precWhere)
}

func (p *printer) varDecls(vars []*VarDecl) {
	p.list(len(vars), func(i int) {
		p.put(vars[i].Name.Text, ": ")
		_, isStruct := vars[i].Sort.(*SortStruct) // its bars could be taken for those of a comprehension
		p.sort(vars[i].Sort, isStruct)
	})
}

// sort prints a sort, in parentheses if it is a function or a struct and simple
// is set.
func (p *printer) sort(s Sort, simple bool) {
	switch s := s.(type) {
	case *SortName:
		p.put(s.Name)
	case *SortOf:
		p.put(s.Kind, "(")
		p.sort(s.Elem, false)
		p.put(")")
	case *SortFunc:
		if simple {
			p.put("(")
			defer p.put(")")
		}
		p.product(s.Args)
		p.put(" -> ")
		_, isStruct := s.Result.(*SortStruct)
		p.sort(s.Result, isStruct)
	case *SortStruct:
		if simple {
			p.put("(")
			defer p.put(")")
		}
		p.put("struct ")
		for i, c := range s.Cons {
			if i > 0 {
				p.put(" | ")
			}
			p.constructor(c)
		}
	}
}

func (p *printer) constructor(c *Constructor) {
	p.put(c.Name.Text)
	if len(c.Args) > 0 {
		p.put("(")
		p.list(len(c.Args), func(i int) {
			if n := c.Args[i].Name; n != nil {
				p.put(n.Text, ": ")
			}
			p.sort(c.Args[i].Sort, false)
		})
		p.put(")")
	}
	if c.Is != nil {
		p.put("?", c.Is.Text)
	}
}

func (p *printer) product(list []Sort) {
	for i, s := range list {
		if i > 0 {
			p.put(" # ")
		}
		p.sort(s, true)
	}
}
