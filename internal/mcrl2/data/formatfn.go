package data

import (
	"strings"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// formatExpr returns a value that is a function, or is given by one.
func (e *Engine) formatExpr(v Value, s *spec.Sort) string {
	y, p := e.symbolOf(v), e.parts(v)
	switch y.kind {
	case lambda, quantified:
		names := map[*spec.Var]string{}
		for i, c := range y.template.captured {
			names[c] = e.Format(p[i], c.Of)
		}
		x := y.template.abs
		if y.kind == lambda && x.Kind != spec.Lambda {
			return "lambda " + textVars(x.Vars) + ". " + text(x.Body, names)
		}
		return text(x, names)
	case update:
		var b strings.Builder
		e.formatOperand(&b, p[0], s)
		for i := 1; i < len(p); i += 2 {
			b.WriteString("[" + e.Format(p[i], s.Args[0]) + " -> " + e.Format(p[i+1], s.Result) + "]")
		}
		return b.String()
	case setOf:
		whole := e.comprehension(p[0], s, spec.SetOf)
		if p[1] != none { // the elements for which the function is wrong: symmetric difference
			wrong := e.Format(p[1], s)
			return "(" + whole + " - " + wrong + ") + (" + wrong + " - " + whole + ")"
		}
		return whole
	case bagOf:
		whole := e.comprehension(p[0], s, spec.BagOf)
		if len(p) > 1 {
			var b strings.Builder
			e.formatPairs(&b, p[1:], s.Args[0])
			return whole + " with {" + b.String() + "}"
		}
		return whole
	case application:
		args := make([]string, len(p)-1)
		of := e.sortOf(p[0])
		for i, a := range p[1:] {
			args[i] = e.Format(a, of.Args[i])
		}
		return "(" + e.Format(p[0], of) + ")(" + strings.Join(args, ", ") + ")"
	}
	return e.formatCombined(y, p, s)
}

// comprehension returns the set or bag of a function.
func (e *Engine) comprehension(fn Value, s *spec.Sort, kind spec.Binder) string {
	y := e.symbolOf(fn)
	if y.kind == lambda {
		p := e.parts(fn)
		names := map[*spec.Var]string{}
		for i, c := range y.template.captured {
			names[c] = e.Format(p[i], c.Of)
		}
		x := y.template.abs
		return "{ " + textVars(x.Vars) + " | " + text(x.Body, names) + " }"
	}
	return e.formatCombined(y, e.parts(fn), s)
}

// formatCombined returns a combination as what it was made by.
func (e *Engine) formatCombined(y *symbol, p []Value, s *spec.Sort) string {
	switch y.combine {
	case constantly:
		vars := make([]string, len(s.Args))
		for i, a := range s.Args {
			vars[i] = "x" + string(rune('0'+i)) + ": " + a.String()
		}
		return "lambda " + strings.Join(vars, ", ") + ". " + e.Format(p[0], s.Result)
	case table:
		return e.formatTable(p, s)
	case not:
		return "!" + e.comprehension(p[0], s, spec.SetOf)
	case indicator:
		return "Set2Bag(" + e.Format(p[0], s) + ")"
	case support:
		return "Bag2Set(" + e.Format(p[0], s) + ")"
	}
	op := map[combination]string{bothOf: " * ", eitherOf: " + ", sumOf: " + ", excessOf: " - ", leastOf: " * "}[y.combine]
	return "(" + e.Format(p[0], s) + op + e.Format(p[1], s) + ")"
}

func (e *Engine) formatTable(p []Value, s *spec.Sort) string {
	n := int(p[0].small())
	var b strings.Builder
	b.WriteString("lambda ")
	for i, a := range s.Args {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("x" + string(rune('0'+i)) + ": " + a.String())
	}
	b.WriteString(". ")
	rows := 0
	for row := p[1:]; len(row) > 0; row = row[n+1:] {
		if len(row) == n+1 {
			b.WriteString(e.Format(row[n], s.Result))
			break
		}
		b.WriteString("if(")
		for i := range n {
			if i > 0 {
				b.WriteString(" && ")
			}
			b.WriteString("x" + string(rune('0'+i)) + " == " + e.Format(row[i], s.Args[i]))
		}
		b.WriteString(", " + e.Format(row[n], s.Result) + ", ")
		rows++
	}
	return b.String() + strings.Repeat(")", rows)
}

// sortOf returns the sort of a value that is a term with a symbol of its own.
func (e *Engine) sortOf(v Value) *spec.Sort {
	y, p := e.symbolOf(v), e.parts(v)
	switch y.kind {
	case variable:
		return e.vars[p[0].small()].Of
	case lambda:
		if y.template.abs.Kind == spec.Lambda {
			return y.template.abs.Of
		}
	case application:
		return e.sortOf(p[0]).Result
	case update:
		return y.result
	case applied:
		if len(p) == 0 {
			return y.fn.Of
		}
		return y.result
	case quantified:
		return e.data.Sorts.Basic(spec.Bool)
	}
	return nil
}

func textVars(vars []*spec.Var) string {
	list := make([]string, len(vars))
	for i, v := range vars {
		list[i] = v.Name + ": " + v.Of.String()
	}
	return strings.Join(list, ", ")
}

// text returns an expression. Variables with a name in names are written so.
func text(x spec.Expr, names map[*spec.Var]string) string {
	list := func(xs []spec.Expr) string {
		out := make([]string, len(xs))
		for i, a := range xs {
			out[i] = text(a, names)
		}
		return strings.Join(out, ", ")
	}
	switch x := x.(type) {
	case *spec.Var:
		if n, ok := names[x]; ok {
			return n
		}
		return x.Name
	case *spec.Func:
		return x.Name
	case *spec.Number:
		return x.Value.RatString()
	case *spec.Apply:
		if f, ok := x.Head.(*spec.Func); ok {
			if op, ok := infix[f.Op]; ok && len(x.Args) == 2 {
				return textOperand(x.Args[0], names) + " " + op + " " + textOperand(x.Args[1], names)
			}
			if op, ok := prefix[f.Op]; ok {
				return op + textOperand(x.Args[0], names)
			}
			if f.Op == spec.OpCast && wider(f.Of.Result, f.Of.Args[0]) || f.Op == spec.OpToSet || f.Op == spec.OpToBag {
				return text(x.Args[0], names)
			}
			if f.Op == spec.OpUpdate {
				return textOperand(x.Args[0], names) + "[" + text(x.Args[1], names) + " -> " + text(x.Args[2], names) + "]"
			}
		}
		return textOperand(x.Head, names) + "(" + list(x.Args) + ")"
	case *spec.Abs:
		body := text(x.Body, names)
		switch x.Kind {
		case spec.SetOf, spec.BagOf:
			return "{ " + textVars(x.Vars) + " | " + body + " }"
		}
		return [...]string{spec.Lambda: "lambda ", spec.Forall: "forall ", spec.Exists: "exists "}[x.Kind] + textVars(x.Vars) + ". " + body
	case *spec.Where:
		parts := make([]string, len(x.Vars))
		for i, v := range x.Vars {
			parts[i] = v.Name + " = " + text(x.Values[i], names)
		}
		return text(x.Body, names) + " whr " + strings.Join(parts, ", ") + " end"
	}
	return "?"
}

// textOperand puts parentheses around what is not an atom.
func textOperand(x spec.Expr, names map[*spec.Var]string) string {
	s := text(x, names)
	switch x := x.(type) {
	case *spec.Abs, *spec.Where:
		return "(" + s + ")"
	case *spec.Apply:
		if f, ok := x.Head.(*spec.Func); ok {
			if _, between := infix[f.Op]; between {
				return "(" + s + ")"
			}
		}
	}
	return s
}
