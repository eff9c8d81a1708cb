package linear

import (
	"fmt"
	"strconv"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A signer writes down a process expression without the names of its variables:
// free ones are numbered in the order of freeVars, bound ones from there on.
// Expressions with equal signatures do the same if their free variables have the
// same values, wherever they stand in the text.
type signer struct {
	*lineariser
	out  []byte
	vars map[*spec.Var]int
}

// id returns a number for a process expression, the same for all that have its
// signature.
func (l *lineariser) id(p spec.Proc) int {
	if n, ok := l.ids[p]; ok {
		return n
	}
	s := signer{lineariser: l, vars: map[*spec.Var]int{}}
	s.bind(l.freeVars(p))
	s.proc(p)
	n, ok := l.signatures[string(s.out)]
	if !ok {
		n = len(l.signatures)
		l.signatures[string(s.out)] = n
	}
	l.ids[p] = n
	return n
}

// wrapID is id for an operator on actions, without its body.
func (l *lineariser) wrapID(p spec.Proc) int {
	s := signer{lineariser: l}
	s.operator(p)
	n, ok := l.signatures[string(s.out)]
	if !ok {
		n = len(l.signatures)
		l.signatures[string(s.out)] = n
	}
	return n
}

func (s *signer) bind(vars []*spec.Var) {
	for _, v := range vars {
		s.vars[v] = len(s.vars)
		s.object(v.Of)
	}
	s.out = append(s.out, ';')
}

// object writes a number for something that is the same if its pointer is.
func (s *signer) object(x any) {
	n, ok := s.objects[x]
	if !ok {
		n = len(s.objects)
		s.objects[x] = n
	}
	s.out = strconv.AppendInt(append(s.out, '#'), int64(n), 10)
}

func (s *signer) proc(p spec.Proc) {
	s.out = fmt.Appendf(s.out, "(%T", p)
	switch p := p.(type) {
	case *spec.Act:
		s.object(p.Action)
		s.exprs(p.Args)
	case *spec.Call:
		s.object(p.Process)
		s.exprs(p.Args)
	case *spec.Sum:
		s.bind(p.Vars)
	case *spec.Dist:
		s.bind(p.Vars)
		s.expr(p.Weight)
	case *spec.Cond:
		s.expr(p.If)
	case *spec.At:
		s.expr(p.Time)
	default:
		s.operator(p)
	}
	for _, q := range parts(p) {
		s.proc(q)
	}
	s.out = append(s.out, ')')
}

func (s *signer) operator(p spec.Proc) {
	switch p := p.(type) {
	case *spec.Block:
		s.out = fmt.Appendf(s.out, "block %q", p.Names)
	case *spec.Hide:
		s.out = fmt.Appendf(s.out, "hide %q", p.Names)
	case *spec.Rename:
		s.out = fmt.Appendf(s.out, "rename %q %q", p.From, p.To)
	case *spec.Comm:
		s.out = fmt.Appendf(s.out, "comm %q %q", p.From, p.To)
	case *spec.Allow:
		s.out = fmt.Appendf(s.out, "allow %q", p.Sets)
	}
}

func (s *signer) exprs(xs []spec.Expr) {
	for _, x := range xs {
		s.expr(x)
	}
}

func (s *signer) expr(x spec.Expr) {
	switch x := x.(type) {
	case *spec.Var:
		if n, ok := s.vars[x]; ok {
			s.out = strconv.AppendInt(append(s.out, 'v'), int64(n), 10)
		} else {
			s.object(x)
		}
	case *spec.Func:
		s.object(x)
	case *spec.Number:
		s.out = append(s.out, ' ')
		s.out = append(s.out, x.Value.String()...)
		s.object(x.Of)
	case *spec.Apply:
		s.out = append(s.out, '(')
		s.expr(x.Head)
		s.exprs(x.Args)
		s.out = append(s.out, ')')
	case *spec.Abs:
		s.out = fmt.Appendf(s.out, "(abs %d", x.Kind)
		s.bind(x.Vars)
		s.object(x.Of)
		s.expr(x.Body)
		s.out = append(s.out, ')')
	case *spec.Where:
		s.out = append(s.out, "(whr "...)
		s.exprs(x.Values)
		s.bind(x.Vars)
		s.expr(x.Body)
		s.out = append(s.out, ')')
	default:
		s.object(x)
	}
}
