package data

import (
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// Format returns a value in mCRL2 syntax.
func (e *Engine) Format(v Value, s *spec.Sort) string {
	var b strings.Builder
	e.format(&b, v, s)
	return b.String()
}

// infix are the functions that stand between their arguments. All operands that
// are infix themselves get parentheses.
var infix = map[spec.Op]string{
	spec.OpEq: "==", spec.OpNe: "!=", spec.OpLess: "<", spec.OpLessEq: "<=", spec.OpGreater: ">", spec.OpGreaterEq: ">=",
	spec.OpAnd: "&&", spec.OpOr: "||", spec.OpImplies: "=>",
	spec.OpAdd: "+", spec.OpSub: "-", spec.OpMul: "*", spec.OpDivide: "/", spec.OpDiv: "div", spec.OpMod: "mod",
	spec.OpCons: "|>", spec.OpSnoc: "<|", spec.OpConcat: "++", spec.OpAt: ".", spec.OpInList: "in", spec.OpIn: "in",
	spec.OpUnion: "+", spec.OpDifference: "-", spec.OpIntersect: "*",
}

var prefix = map[spec.Op]string{spec.OpNot: "!", spec.OpNeg: "-", spec.OpLen: "#", spec.OpSize: "#", spec.OpComplement: "!"}

func (e *Engine) format(b *strings.Builder, v Value, s *spec.Sort) {
	if !v.isTerm() {
		e.formatSmall(b, v, s)
		return
	}
	y, p := e.symbolOf(v), e.parts(v)
	switch y.kind {
	case bigInt:
		b.WriteString(e.bigOf(v).String())
	case rational:
		b.WriteString(e.ratOf(v).RatString())
	case cons:
		elems, rest := e.listed(v)
		if rest == none {
			e.formatAll(b, "[", elems, s.Args[0], "]")
			return
		}
		for _, x := range elems {
			e.format(b, x, s.Args[0])
			b.WriteString(" |> ")
		}
		e.format(b, rest, s)
	case finiteSet:
		e.formatAll(b, "{", p, s.Args[0], "}")
	case finiteBag:
		b.WriteByte('{')
		e.formatPairs(b, p, s.Args[0])
		b.WriteByte('}')
	case variable:
		b.WriteString(e.vars[p[0].small()].Name)
	case coSet:
		b.WriteByte('!')
		e.format(b, p[0], s)
	default:
		if y.kind != applied {
			b.WriteString(e.formatExpr(v, s))
			return
		}
		e.formatApplied(b, y, p)
	}
}

func (e *Engine) formatSmall(b *strings.Builder, v Value, s *spec.Sort) {
	switch s.Kind {
	case spec.Bool:
		b.WriteString(strconv.FormatBool(v == True))
	case spec.Named:
		b.WriteString(s.Cons[v.small()].Name)
	case spec.List:
		b.WriteString("[]")
	case spec.Set, spec.FSet:
		b.WriteString("{}")
	case spec.Bag, spec.FBag:
		b.WriteString("{:}")
	default:
		b.WriteString(strconv.FormatInt(v.small(), 10))
	}
}

func (e *Engine) formatAll(b *strings.Builder, open string, elems []Value, s *spec.Sort, end string) {
	b.WriteString(open)
	for i, x := range elems {
		if i > 0 {
			b.WriteString(", ")
		}
		e.format(b, x, s)
	}
	b.WriteString(end)
}

func (e *Engine) formatPairs(b *strings.Builder, pairs []Value, s *spec.Sort) {
	for i := 0; i < len(pairs); i += 2 {
		if i > 0 {
			b.WriteString(", ")
		}
		e.format(b, pairs[i], s)
		b.WriteString(": ")
		e.format(b, pairs[i+1], e.data.Sorts.Basic(spec.Nat))
	}
}

func (e *Engine) formatApplied(b *strings.Builder, y *symbol, p []Value) {
	if len(p) == 0 {
		b.WriteString(y.name)
		return
	}
	if op, ok := infix[y.fn.Op]; ok && len(p) == 2 {
		e.formatOperand(b, p[0], y.args[0])
		b.WriteString(" " + op + " ")
		e.formatOperand(b, p[1], y.args[1])
		return
	}
	if op, ok := prefix[y.fn.Op]; ok && len(p) == 1 {
		b.WriteString(op)
		e.formatOperand(b, p[0], y.args[0])
		return
	}
	b.WriteString(y.name)
	sort := y.fn.Of
	for len(p) > 0 { // f(x)(y)
		b.WriteByte('(')
		for i, s := range sort.Args {
			if i > 0 {
				b.WriteString(", ")
			}
			e.format(b, p[i], s)
		}
		b.WriteByte(')')
		p, sort = p[len(sort.Args):], sort.Result
	}
}

// formatOperand puts parentheses around what is infix.
func (e *Engine) formatOperand(b *strings.Builder, v Value, s *spec.Sort) {
	if v.isTerm() {
		y := e.symbolOf(v)
		between := false
		if y.kind == applied {
			_, between = infix[y.fn.Op]
		}
		if between && len(e.parts(v)) == 2 || y.kind == quantified || y.kind == lambda || y.kind == combined || y.kind == rational {
			b.WriteByte('(')
			e.format(b, v, s)
			b.WriteByte(')')
			return
		}
	}
	e.format(b, v, s)
}
