package linear

import "github.com/heddle-mc/heddle/internal/mcrl2/spec"

// mustAgree returns the place of an argument that has to be the same in both
// actions of a choice, because the operators around let them through only if they
// communicate, or -1. If there are several it is one that is a constant often:
// most pairs of a sender and a receiver then need not be looked at.
func (l *lineariser) mustAgree(ch choice, outer []wrapper) int {
	a, b := ch.picks[0].summands, ch.picks[1].summands
	if len(a)*len(b) < 16 || len(a[0].multi) != 1 || len(b[0].multi) != 1 {
		return -1
	}
	x, y := a[0].multi[0].Action, b[0].multi[0].Action
	for _, s := range a {
		if s.multi[0].Action != x {
			return -1
		}
	}
	for _, s := range b {
		if s.multi[0].Action != y {
			return -1
		}
	}
	if !sameSorts(x.Args, y.Args) || l.passesApart([]spec.ActionCall{{Action: x}, {Action: y}}, outer) {
		return -1
	}
	best, most := -1, 0
	for k := range x.Args {
		n := constants(a, k) * constants(b, k)
		if n > most {
			best, most = k, n
		}
	}
	return best
}

// passesApart reports whether a multi-action passes the operators if nothing in it
// communicates.
func (l *lineariser) passesApart(multi []spec.ActionCall, outer []wrapper) bool {
	for _, w := range outer {
		if _, ok := w.node.(*spec.Comm); ok {
			continue
		}
		r := l.relabel(w.node, multi, nil)
		if len(r) == 0 {
			return false
		}
		multi = r[0].multi
	}
	return true
}

func constants(ss []*summand, arg int) int {
	n := 0
	for _, s := range ss {
		if isConstant(s.multi[0].Args[arg]) {
			n++
		}
	}
	return n
}

// isConstant reports whether x differs from all constants that are written
// differently.
func isConstant(x spec.Expr) bool {
	switch x := x.(type) {
	case *spec.Number:
		return true
	case *spec.Func:
		return x.Con && x.Of.Struct
	}
	return false
}

func constantKey(x spec.Expr) string {
	if n, ok := x.(*spec.Number); ok {
		return n.Value.String()
	}
	return x.(*spec.Func).Name
}

// An indexed summand has its place in a list.
type indexed struct {
	at int
	*summand
}

// byConstant divides summands by what an argument of their action is. Those
// where it is no constant come second.
func byConstant(ss []*summand, arg int) (map[string][]indexed, []indexed) {
	index := map[string][]indexed{}
	var others []indexed
	for i, s := range ss {
		if x := s.multi[0].Args[arg]; isConstant(x) {
			index[constantKey(x)] = append(index[constantKey(x)], indexed{i, s})
		} else {
			others = append(others, indexed{i, s})
		}
	}
	return index, others
}

// merged returns summands of two lists in the order that they had.
func merged(a, b []indexed) []*summand {
	var out []*summand
	for len(a) > 0 || len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && a[0].at < b[0].at {
			out, a = append(out, a[0].summand), a[1:]
		} else {
			out, b = append(out, b[0].summand), b[1:]
		}
	}
	return out
}
