package linear

import (
	"fmt"
	"strings"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// show returns a linear process as text, one line for each summand, for looking
// at its shape.
func show(l *spec.LPS) string {
	var b strings.Builder
	b.WriteString("P(")
	for i, p := range l.Params {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s: %s = %s", p.Name, p.Of, showExpr(l.Init[i]))
	}
	b.WriteString(")\n")
	for _, s := range l.Summands {
		for _, v := range s.Vars {
			fmt.Fprintf(&b, "sum %s: %s. ", v.Name, v.Of)
		}
		b.WriteString(showExpr(s.Cond) + " -> ")
		if s.Delta {
			b.WriteString("delta")
		} else if len(s.Multi) == 0 {
			b.WriteString("tau")
		}
		for i, a := range s.Multi {
			if i > 0 {
				b.WriteString("|")
			}
			b.WriteString(a.Action.Name)
			if len(a.Args) > 0 {
				b.WriteString("(" + showExprs(a.Args) + ")")
			}
		}
		if s.Time != nil {
			b.WriteString(" @ " + showExpr(s.Time))
		}
		if !s.Delta {
			var changed []string
			for i, e := range s.Next {
				if e != spec.Expr(l.Params[i]) {
					changed = append(changed, l.Params[i].Name+" = "+showExpr(e))
				}
			}
			b.WriteString(" . P(" + strings.Join(changed, ", ") + ")")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func showExprs(es []spec.Expr) string {
	var out []string
	for _, e := range es {
		out = append(out, showExpr(e))
	}
	return strings.Join(out, ", ")
}

func showExpr(e spec.Expr) string {
	switch e := e.(type) {
	case *spec.Var:
		return e.Name
	case *spec.Func:
		return e.Name
	case *spec.Number:
		return e.Value.RatString()
	case *spec.Apply:
		h := showExpr(e.Head)
		switch f, _ := e.Head.(*spec.Func); {
		case f != nil && f.Op == spec.OpNot:
			return "!" + showExpr(e.Args[0])
		case f != nil && f.Op == spec.OpCast:
			return showExpr(e.Args[0])
		case f != nil && len(e.Args) == 2 && !strings.ContainsAny(h[:1], "abcdefghijklmnopqrstuvwxyz"):
			return "(" + showExpr(e.Args[0]) + " " + h + " " + showExpr(e.Args[1]) + ")"
		}
		return h + "(" + showExprs(e.Args) + ")"
	}
	return fmt.Sprintf("%T", e)
}
