package graph

import (
	"fmt"
	"slices"
	"strings"
)

// A Formula tells states apart. It is true, a conjunction, a disjunction or a
// negation of others, <a>X, <tau*>X, or nu Z. X && <tau>Z: tau can go on for ever
// and X holds all the time. Parts may be shared.
type Formula struct {
	op    formulaOp
	label int32 // of a may
	kids  []*Formula
	size  int            // number of operators, with those of parts as often as they are written
	known map[int32]bool // the states in which it holds and does not, as far as somebody asked
}

type formulaOp uint8

const (
	opAnd formulaOp = iota // without kids it is true
	opOr
	opNot
	opMay
	opTaus
	opForever
)

// MaxFormula is the size of a formula that is of no use to anybody.
const MaxFormula = 1 << 16

func newFormula(op formulaOp, label int32, kids ...*Formula) *Formula {
	f := &Formula{op: op, label: label, kids: kids, size: 1, known: map[int32]bool{}}
	for _, k := range kids {
		f.size = min(f.size+k.size, MaxFormula+1)
	}
	return f
}

func and(list ...*Formula) *Formula {
	list = slices.DeleteFunc(slices.Clone(list), (*Formula).isTrue)
	if len(list) == 1 {
		return list[0]
	}
	return newFormula(opAnd, 0, list...)
}

func (f *Formula) isTrue() bool { return f.op == opAnd && len(f.kids) == 0 }

func or(x, y *Formula) *Formula {
	if x.isTrue() {
		return x
	}
	return newFormula(opOr, 0, x, y)
}

func not(x *Formula) *Formula {
	if x.op == opNot {
		return x.kids[0]
	}
	return newFormula(opNot, 0, x)
}

func may(label int32, x *Formula) *Formula { return newFormula(opMay, label, x) }

func taus(x *Formula) *Formula {
	if x.isTrue() || x.op == opTaus || x.op == opForever && x.kids[0].isTrue() {
		return x
	}
	return newFormula(opTaus, 0, x)
}

func forever(x *Formula) *Formula { return newFormula(opForever, 0, x) }

// Size returns the number of operators.
func (f *Formula) Size() int { return f.size }

// Labels returns the texts of the labels that occur, of those that all have.
func (f *Formula) Labels(all []string) []string {
	var list []string
	seen := map[*Formula]bool{}
	var walk func(*Formula)
	walk = func(f *Formula) {
		if seen[f] {
			return
		}
		seen[f] = true
		if f.op == opMay && !slices.Contains(list, all[f.label]) {
			list = append(list, all[f.label])
		}
		for _, k := range f.kids {
			walk(k)
		}
	}
	walk(f)
	return list
}

// Text writes a formula in the modal mu-calculus of mCRL2. Labels are written by
// action, which puts what is more than one into brackets; tau is the text of the
// internal step.
func (f *Formula) Text(labels []string, action func(string) string, tau string) string {
	w := formulaWriter{labels: labels, action: action, tau: action(tau)}
	return w.text(f, false, loose)
}

type formulaWriter struct {
	labels []string
	action func(string) string
	tau    string
	fixes  int
}

// How tight a text has to be so that it needs no brackets.
const (
	loose   = iota
	inOr    // part of a disjunction
	inAnd   // part of a conjunction
	inModal // behind a modality
)

// text writes a formula, or its negation, which is pushed to the leaves.
func (w *formulaWriter) text(f *Formula, neg bool, tight int) string {
	switch f.op {
	case opNot:
		return w.text(f.kids[0], !neg, tight)
	case opAnd, opOr:
		if len(f.kids) == 0 {
			return fmt.Sprint((f.op == opAnd) != neg)
		}
		mark, own := " && ", inAnd
		if (f.op == opAnd) == neg {
			mark, own = " || ", inOr
		}
		var parts []string
		for _, k := range f.kids {
			parts = append(parts, w.text(k, neg, own))
		}
		return brackets(strings.Join(parts, mark), tight > own)
	case opForever:
		w.fixes++
		name := fmt.Sprintf("X%d", w.fixes)
		fix, mark, step := "nu", "&&", "<"+w.tau+">"
		if neg {
			fix, mark, step = "mu", "||", "["+w.tau+"]"
		}
		if f.kids[0].isTrue() {
			return brackets(fmt.Sprintf("%s %s. %s%s", fix, name, step, name), tight > loose)
		}
		return brackets(fmt.Sprintf("%s %s. %s %s %s%s", fix, name, w.text(f.kids[0], neg, inAnd), mark, step, name), tight > loose)
	}
	// Modalities that follow each other are one.
	var steps []string
	for f.op == opMay || f.op == opTaus {
		if f.op == opTaus {
			steps = append(steps, w.tau+"*")
		} else {
			steps = append(steps, w.action(w.labels[f.label]))
		}
		f = f.kids[0]
	}
	open, closed := "<", ">"
	if neg {
		open, closed = "[", "]"
	}
	return open + strings.Join(steps, " . ") + closed + w.text(f, neg, inModal)
}

func brackets(text string, need bool) string {
	if need {
		return "(" + text + ")"
	}
	return text
}

// A valuer tells where formulas hold, in a graph in which tau has no cycles except
// where endless says so.
type valuer struct {
	out     *adjacency
	tau     int32
	endless int32 // the label of a transition to itself that stands for endless tau, or -1
}

// holds reports whether a formula holds in a state.
func (v *valuer) holds(f *Formula, s int32) bool {
	known, ok := f.known[s]
	if !ok {
		known = v.value(f, s)
		f.known[s] = known
	}
	return known
}

func (v *valuer) value(f *Formula, s int32) bool {
	switch f.op {
	case opAnd:
		return !slices.ContainsFunc(f.kids, func(k *Formula) bool { return !v.holds(k, s) })
	case opOr:
		return slices.ContainsFunc(f.kids, func(k *Formula) bool { return v.holds(k, s) })
	case opNot:
		return !v.holds(f.kids[0], s)
	case opMay:
		return slices.ContainsFunc(v.out.of(s), func(t Transition) bool { return t.Label == f.label && v.holds(f.kids[0], t.To) })
	case opTaus:
		return v.holds(f.kids[0], s) ||
			slices.ContainsFunc(v.out.of(s), func(t Transition) bool { return t.Label == v.tau && v.holds(f, t.To) })
	}
	return v.holds(f.kids[0], s) && slices.ContainsFunc(v.out.of(s), func(t Transition) bool {
		return t.Label == v.endless || t.Label == v.tau && v.holds(f, t.To)
	})
}
