package spec

import (
	"strings"

	"github.com/heddle-mc/heddle/internal/mcrl2/syntax"
)

// Format returns a data expression in mCRL2 syntax.
func Format(e Expr) string {
	return syntax.PrintExpr(newUntyper(nil).expr(e, true))
}

// Text returns the declarations of sorts, functions and equations in mCRL2 syntax.
func (d *Data) Text() string { return syntax.Print(newUntyper(d).data(d)) }

// FormatProc returns a process expression in mCRL2 syntax.
func FormatProc(p Proc) string {
	return syntax.PrintProc(newUntyper(nil).proc(p))
}

// String returns the specification as text that is checked to an equal one: with
// the same sorts, functions, equations and processes, save for the names of
// variables where two would clash.
func (s *Spec) String() string {
	u := newUntyper(s.Data)
	u.actions(s.Actions)
	for _, p := range s.Procs {
		u.count(p.Name, len(p.Params))
	}
	t := u.data(s.Data)
	t.Globals = u.globals(s.Globals)
	t.Actions = actionDecls(s.Actions)
	for _, p := range s.Procs {
		vars, done := u.enter(p.Params, func(f *free) { f.proc(p.Body) })
		t.Procs = append(t.Procs, &syntax.ProcDecl{Name: name(p.Name), Params: vars, Body: u.proc(p.Body)})
		done()
	}
	if s.Init != nil {
		t.Init = u.proc(s.Init)
	}
	return syntax.Print(t)
}

// String returns the linear process in mCRL2 syntax: a specification with one
// process P.
func (l *LPS) String() string {
	u := newUntyper(l.Data)
	u.actions(l.Actions)
	t := u.data(l.Data)
	t.Globals = u.globals(l.Globals)
	t.Actions = actionDecls(l.Actions)
	var b strings.Builder
	b.WriteString(syntax.Print(t))
	proc := "P"
	for u.arity[arityKey{proc, len(l.Params)}] > 0 || u.isAction[proc] {
		proc += "'"
	}
	params, done := u.enter(l.Params, func(f *free) {
		for _, s := range l.Summands {
			f.summand(s)
		}
	})
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	b.WriteString("proc " + proc + params1(params) + " =\n")
	var list []string
	for _, s := range l.Summands {
		list = append(list, u.summand(proc, l.Params, s))
	}
	if len(list) == 0 {
		list = []string{"delta"}
	}
	b.WriteString("       " + strings.Join(list, "\n     + ") + ";\n\n")
	done()
	call := &syntax.Call{Name: proc, Args: u.exprs(l.Init, true)}
	b.WriteString("init " + syntax.PrintProc(call) + ";\n")
	return b.String()
}

// params1 prints parameters in parentheses, or nothing if there are none.
func params1(vars []*syntax.VarDecl) string {
	if len(vars) == 0 {
		return ""
	}
	return "(" + printVars(vars) + ")"
}

func printVars(vars []*syntax.VarDecl) string {
	var s []string
	for _, v := range vars {
		s = append(s, v.Name.Text+": "+syntax.PrintSort(v.Sort))
	}
	return strings.Join(s, ", ")
}

// summand prints one summand: sum, condition and step have lines of their own.
func (u *untyper) summand(proc string, params []*Var, s *Summand) string {
	out := ""
	vars, done := u.enter(s.Vars, func(f *free) {
		f.summand(s)
		f.vars = append(f.vars, params...) // P(x = e) mentions them all
	})
	defer done()
	if len(vars) > 0 {
		out = "sum " + printVars(vars) + ".\n         "
	}
	var body syntax.Proc = u.multi(s.Multi)
	if s.Delta {
		body = &syntax.Delta{}
	}
	if s.Time != nil {
		body = &syntax.At{Body: body, Time: u.expr(s.Time, true)}
	}
	if !s.Delta {
		next := &syntax.CallAssign{Name: proc}
		for i, e := range s.Next {
			if e != Expr(params[i]) {
				next.Args = append(next.Args, &syntax.Assign{Name: name(u.names[params[i]]), Value: u.expr(e, true)})
			}
		}
		body = &syntax.BinaryProc{Op: ".", X: body, Y: next}
	}
	if s.Cond != nil && !IsOp(s.Cond, OpTrue) {
		cond := syntax.PrintProc(&syntax.Cond{If: u.expr(s.Cond, true), Then: &syntax.Delta{}})
		out += strings.TrimSuffix(cond, " delta") + "\n         "
	}
	return out + syntax.PrintProc(body)
}

// multi returns a multi-action; none is tau.
func (u *untyper) multi(list []ActionCall) syntax.Proc {
	var out syntax.Proc
	for _, a := range list {
		call := &syntax.Call{Name: a.Action.Name, Args: u.exprs(a.Args, u.arity[arityKey{a.Action.Name, len(a.Args)}] <= 1)}
		if out == nil {
			out = call
		} else {
			out = &syntax.BinaryProc{Op: "|", X: out, Y: call}
		}
	}
	if out == nil {
		return &syntax.Tau{}
	}
	return out
}

// String returns the name.
func (v *Var) String() string { return Format(v) }

// String returns the name of the function, or what stands for it.
func (f *Func) String() string { return Format(f) }

// String returns the number.
func (n *Number) String() string { return Format(n) }

// String returns the expression in mCRL2 syntax.
func (a *Apply) String() string { return Format(a) }

// String returns the expression in mCRL2 syntax.
func (a *Abs) String() string { return Format(a) }

// String returns the expression in mCRL2 syntax.
func (w *Where) String() string { return Format(w) }
