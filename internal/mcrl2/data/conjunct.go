package data

import "github.com/heddle-mc/heddle/internal/mcrl2/spec"

// A conjunct is a condition or its negation.
type conjunct struct {
	x   spec.Expr
	neg bool
}

// flatten splits conjuncts into smaller ones.
func flatten(dst []conjunct, c conjunct) []conjunct {
	a, ok := c.x.(*spec.Apply)
	if !ok {
		return append(dst, c)
	}
	f, ok := a.Head.(*spec.Func)
	if !ok {
		return append(dst, c)
	}
	switch {
	case f.Op == spec.OpNot && f.Of.Result.Kind == spec.Bool:
		return flatten(dst, conjunct{a.Args[0], !c.neg})
	case f.Op == spec.OpAnd && !c.neg, f.Op == spec.OpOr && c.neg:
		return flatten(flatten(dst, conjunct{a.Args[0], c.neg}), conjunct{a.Args[1], c.neg})
	case f.Op == spec.OpImplies && c.neg:
		return flatten(flatten(dst, conjunct{a.Args[0], false}), conjunct{a.Args[1], true})
	case f.Op == spec.OpIf && f.Of.Result.Kind == spec.Bool && !c.neg && spec.IsOp(a.Args[2], spec.OpFalse):
		return flatten(flatten(dst, conjunct{a.Args[0], false}), conjunct{a.Args[1], false})
	}
	return append(dst, c)
}

// A relation is what a conjunct says about two expressions.
type relation struct {
	op   spec.Op // OpEq, OpLess, OpLessEq or OpIn
	l, r spec.Expr
}

func (c conjunct) relation() (relation, bool) {
	a, ok := c.x.(*spec.Apply)
	if !ok || len(a.Args) != 2 {
		return relation{}, false
	}
	f, ok := a.Head.(*spec.Func)
	if !ok {
		return relation{}, false
	}
	l, r := a.Args[0], a.Args[1]
	op := f.Op
	switch op {
	case spec.OpGreater:
		op, l, r = spec.OpLess, r, l
	case spec.OpGreaterEq:
		op, l, r = spec.OpLessEq, r, l
	}
	if c.neg {
		switch op {
		case spec.OpNe:
			return relation{spec.OpEq, l, r}, true
		case spec.OpLess:
			return relation{spec.OpLessEq, r, l}, l.Sort().Numeric()
		case spec.OpLessEq:
			return relation{spec.OpLess, r, l}, l.Sort().Numeric()
		}
		return relation{}, false
	}
	switch op {
	case spec.OpEq, spec.OpLess, spec.OpLessEq, spec.OpIn:
		return relation{op, l, r}, true
	case spec.OpInList:
		return relation{spec.OpIn, l, r}, true
	}
	return relation{}, false
}
