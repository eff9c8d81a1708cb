package types

import (
	"fmt"
	"strings"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// dump prints an expression with the sort of each symbol.
func dump(e spec.Expr) string {
	var b strings.Builder
	dumpExpr(&b, e)
	return b.String()
}

func dumpExpr(b *strings.Builder, e spec.Expr) {
	list := func(es []spec.Expr) {
		for i, x := range es {
			if i > 0 {
				b.WriteString(", ")
			}
			dumpExpr(b, x)
		}
	}
	vars := func(vs []*spec.Var) {
		for _, v := range vs {
			fmt.Fprintf(b, " %s:%s", v.Name, v.Of)
		}
	}
	switch e := e.(type) {
	case *spec.Var:
		b.WriteString(e.Name)
	case *spec.Number:
		fmt.Fprintf(b, "%s:%s", e.Value.RatString(), e.Of)
	case *spec.Func:
		if e.Op == spec.User || e.Op == spec.OpTrue || e.Op == spec.OpFalse {
			b.WriteString(e.Name)
			return
		}
		fmt.Fprintf(b, "<%s:%s>", e.Name, e.Of)
	case *spec.Apply:
		dumpExpr(b, e.Head)
		b.WriteString("(")
		list(e.Args)
		b.WriteString(")")
	case *spec.Abs:
		fmt.Fprintf(b, "%s", []string{"lambda", "forall", "exists", "set", "bag"}[e.Kind])
		vars(e.Vars)
		b.WriteString(".")
		dumpExpr(b, e.Body)
	case *spec.Where:
		b.WriteString("whr")
		vars(e.Vars)
		b.WriteString("=")
		list(e.Values)
		b.WriteString(".")
		dumpExpr(b, e.Body)
	default:
		fmt.Fprintf(b, "%T", e)
	}
}

// dumpSpec prints a specification with the sort of each symbol.
func dumpSpec(s *spec.Spec) string {
	var b strings.Builder
	for _, x := range s.Sorts.Declared() {
		fmt.Fprintf(&b, "sort %s %v\n", x.Name, x.Struct)
		for _, f := range x.Cons {
			fmt.Fprintf(&b, "  %d %s: %s", f.Index, f.Name, f.Of)
			for _, p := range f.Proj {
				if p == nil {
					b.WriteString(" -")
				} else {
					fmt.Fprintf(&b, " %s/%s/%d", p.Name, p.Owner.Name, p.Index)
				}
			}
			if f.Is != nil {
				b.WriteString(" ?" + f.Is.Name)
			}
			b.WriteString("\n")
		}
	}
	for _, f := range s.Funcs {
		fmt.Fprintf(&b, "func %s: %s %v %d\n", f.Name, f.Of, f.Con, f.Op)
	}
	for _, e := range s.Eqns {
		b.WriteString("eqn ")
		for _, v := range e.Vars {
			fmt.Fprintf(&b, "%s:%s ", v.Name, v.Of)
		}
		if e.Cond != nil {
			b.WriteString(dump(e.Cond) + " -> ")
		}
		b.WriteString(dump(e.Left) + " = " + dump(e.Right) + "\n")
	}
	for _, a := range s.Actions {
		fmt.Fprintf(&b, "act %s(%s)\n", a.Name, sortList(a.Args))
	}
	for _, v := range s.Globals {
		fmt.Fprintf(&b, "glob %s: %s\n", v.Name, v.Of)
	}
	for _, p := range s.Procs {
		fmt.Fprintf(&b, "proc %s", p.Name)
		for _, v := range p.Params {
			fmt.Fprintf(&b, " %s:%s", v.Name, v.Of)
		}
		b.WriteString(" = " + dumpProc(p.Body) + "\n")
	}
	if s.Init != nil {
		b.WriteString("init " + dumpProc(s.Init) + "\n")
	}
	return b.String()
}

func dumpProc(p spec.Proc) string {
	exprs := func(list []spec.Expr) string {
		var s []string
		for _, e := range list {
			s = append(s, dump(e))
		}
		return "(" + strings.Join(s, ", ") + ")"
	}
	both := func(op string, l, r spec.Proc) string { return "(" + dumpProc(l) + op + dumpProc(r) + ")" }
	vars := func(list []*spec.Var) string {
		s := ""
		for _, v := range list {
			s += " " + v.Name + ":" + v.Of.String()
		}
		return s
	}
	switch p := p.(type) {
	case *spec.Act:
		return p.Action.Name + "[" + sortList(p.Action.Args) + "]" + exprs(p.Args)
	case *spec.Call:
		s := p.Process.Name + "["
		for _, v := range p.Process.Params {
			s += v.Of.String() + ";"
		}
		return s + "]" + exprs(p.Args)
	case *spec.Tau:
		return "tau"
	case *spec.Delta:
		return "delta"
	case *spec.Seq:
		return both(".", p.Left, p.Right)
	case *spec.Alt:
		return both("+", p.Left, p.Right)
	case *spec.Par:
		return both("||", p.Left, p.Right)
	case *spec.LeftMerge:
		return both("||_", p.Left, p.Right)
	case *spec.Sync:
		return both("|", p.Left, p.Right)
	case *spec.Until:
		return both("<<", p.Left, p.Right)
	case *spec.Sum:
		return "sum" + vars(p.Vars) + "." + dumpProc(p.Body)
	case *spec.Dist:
		return "dist" + vars(p.Vars) + "[" + dump(p.Weight) + "]." + dumpProc(p.Body)
	case *spec.Cond:
		if p.Else == nil {
			return "(" + dump(p.If) + "->" + dumpProc(p.Then) + ")"
		}
		return "(" + dump(p.If) + "->" + dumpProc(p.Then) + "<>" + dumpProc(p.Else) + ")"
	case *spec.At:
		return "(" + dumpProc(p.Body) + "@" + dump(p.Time) + ")"
	case *spec.Block:
		return fmt.Sprintf("block(%v,%s)", p.Names, dumpProc(p.Body))
	case *spec.Hide:
		return fmt.Sprintf("hide(%v,%s)", p.Names, dumpProc(p.Body))
	case *spec.Rename:
		return fmt.Sprintf("rename(%v,%v,%s)", p.From, p.To, dumpProc(p.Body))
	case *spec.Comm:
		return fmt.Sprintf("comm(%v,%v,%s)", p.From, p.To, dumpProc(p.Body))
	case *spec.Allow:
		return fmt.Sprintf("allow(%v,%s)", p.Sets, dumpProc(p.Body))
	}
	return fmt.Sprintf("%T", p)
}
