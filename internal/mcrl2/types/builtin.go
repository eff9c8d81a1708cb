package types

import "github.com/heddle-mc/heddle/internal/mcrl2/spec"

// A pattern is a sort that may contain the variable S: kind alone for basic
// sorts, varS for S, or a container of S.
type pattern struct {
	kind spec.SortKind
	isS  bool // S itself
	of   bool // kind(S)
}

// A builtin is one function of the language.
type builtin struct {
	op     spec.Op
	args   []pattern
	result pattern
}

// generic reports whether there is an S.
func (b *builtin) generic() bool {
	for _, a := range b.args {
		if a.isS || a.of {
			return true
		}
	}
	return false
}

var (
	pBool = pattern{kind: spec.Bool}
	pPos  = pattern{kind: spec.Pos}
	pNat  = pattern{kind: spec.Nat}
	pInt  = pattern{kind: spec.Int}
	pReal = pattern{kind: spec.Real}
	pS    = pattern{isS: true}
	pList = pattern{kind: spec.List, of: true}
	pSet  = pattern{kind: spec.Set, of: true}
	pBag  = pattern{kind: spec.Bag, of: true}
	pFSet = pattern{kind: spec.FSet, of: true}
	pFBag = pattern{kind: spec.FBag, of: true}
)

// builtins are the functions of the language by name. A prefix minus has the name
// "-" too; the number of arguments tells.
var builtins = map[string][]builtin{}

// overloadable are names of functions that the language got late: there are
// specifications that declare them.
var overloadable = map[string]bool{"pick": true, "sqrt": true}

func define(name string, op spec.Op, result pattern, args ...pattern) {
	builtins[name] = append(builtins[name], builtin{op, args, result})
}

// castNames are the names of casts between numbers.
var numberNames = map[spec.SortKind]string{spec.Pos: "Pos", spec.Nat: "Nat", spec.Int: "Int", spec.Real: "Real"}

func init() {
	for name, op := range map[string]spec.Op{"==": spec.OpEq, "!=": spec.OpNe, "<": spec.OpLess, "<=": spec.OpLessEq,
		">": spec.OpGreater, ">=": spec.OpGreaterEq} {
		define(name, op, pBool, pS, pS)
	}
	define("if", spec.OpIf, pS, pBool, pS, pS)
	define("!", spec.OpNot, pBool, pBool)
	define("!", spec.OpComplement, pSet, pSet)
	define("&&", spec.OpAnd, pBool, pBool, pBool)
	define("||", spec.OpOr, pBool, pBool, pBool)
	define("=>", spec.OpImplies, pBool, pBool, pBool)
	initNumbers()
	initContainers()
}

// initNumbers has the result sorts of mCRL2's data library.
func initNumbers() {
	for a := spec.Pos; a <= spec.Real; a++ {
		for b := spec.Pos; b <= spec.Real; b++ {
			if a != b {
				define(numberNames[a]+"2"+numberNames[b], spec.OpCast, pattern{kind: b}, pattern{kind: a})
			}
		}
	}
	define("-", spec.OpNeg, pInt, pPos)
	define("-", spec.OpNeg, pInt, pNat)
	define("-", spec.OpNeg, pInt, pInt)
	define("-", spec.OpNeg, pReal, pReal)
	define("+", spec.OpAdd, pPos, pPos, pPos)
	define("+", spec.OpAdd, pPos, pPos, pNat)
	define("+", spec.OpAdd, pPos, pNat, pPos)
	define("+", spec.OpAdd, pNat, pNat, pNat)
	define("+", spec.OpAdd, pInt, pInt, pInt)
	define("+", spec.OpAdd, pReal, pReal, pReal)
	define("-", spec.OpSub, pInt, pPos, pPos)
	define("-", spec.OpSub, pInt, pNat, pNat)
	define("-", spec.OpSub, pInt, pInt, pInt)
	define("-", spec.OpSub, pReal, pReal, pReal)
	define("*", spec.OpMul, pPos, pPos, pPos)
	define("*", spec.OpMul, pNat, pNat, pNat)
	define("*", spec.OpMul, pInt, pInt, pInt)
	define("*", spec.OpMul, pReal, pReal, pReal)
	define("/", spec.OpDivide, pReal, pReal, pReal)
	define("div", spec.OpDiv, pNat, pNat, pPos)
	define("div", spec.OpDiv, pInt, pInt, pPos)
	define("mod", spec.OpMod, pNat, pNat, pPos)
	define("mod", spec.OpMod, pNat, pInt, pPos)
	define("exp", spec.OpExp, pPos, pPos, pNat)
	define("exp", spec.OpExp, pNat, pNat, pNat)
	define("exp", spec.OpExp, pInt, pInt, pNat)
	define("exp", spec.OpExp, pReal, pReal, pInt)
	define("abs", spec.OpAbs, pNat, pInt)
	define("abs", spec.OpAbs, pReal, pReal)
	for _, p := range []pattern{pPos, pNat, pInt, pReal} {
		define("min", spec.OpMin, p, p, p)
		define("max", spec.OpMax, p, p, p)
	}
	define("max", spec.OpMax, pPos, pPos, pNat)
	define("max", spec.OpMax, pPos, pNat, pPos)
	define("max", spec.OpMax, pPos, pPos, pInt)
	define("max", spec.OpMax, pPos, pInt, pPos)
	define("max", spec.OpMax, pNat, pNat, pInt)
	define("max", spec.OpMax, pNat, pInt, pNat)
	define("succ", spec.OpSucc, pPos, pPos)
	define("succ", spec.OpSucc, pPos, pNat)
	define("succ", spec.OpSucc, pInt, pInt)
	define("succ", spec.OpSucc, pReal, pReal)
	define("pred", spec.OpPred, pNat, pPos)
	define("pred", spec.OpPred, pInt, pNat)
	define("pred", spec.OpPred, pInt, pInt)
	define("pred", spec.OpPred, pReal, pReal)
	define("floor", spec.OpFloor, pInt, pReal)
	define("ceil", spec.OpCeil, pInt, pReal)
	define("round", spec.OpRound, pInt, pReal)
	define("sqrt", spec.OpSqrt, pNat, pNat)
}

func initContainers() {
	define("|>", spec.OpCons, pList, pS, pList)
	define("<|", spec.OpSnoc, pList, pList, pS)
	define("++", spec.OpConcat, pList, pList, pList)
	define(".", spec.OpAt, pS, pList, pNat)
	define("head", spec.OpHead, pS, pList)
	define("tail", spec.OpTail, pList, pList)
	define("rhead", spec.OpRHead, pS, pList)
	define("rtail", spec.OpRTail, pList, pList)
	define("#", spec.OpLen, pNat, pList)
	define("#", spec.OpSize, pNat, pFSet)
	define("#", spec.OpSize, pNat, pFBag)
	define("in", spec.OpInList, pBool, pS, pList)
	for _, p := range []pattern{pFSet, pSet, pFBag, pBag} {
		define("in", spec.OpIn, pBool, pS, p)
		define("+", spec.OpUnion, p, p, p)
		define("-", spec.OpDifference, p, p, p)
		define("*", spec.OpIntersect, p, p, p)
	}
	define("count", spec.OpCount, pNat, pS, pFBag)
	define("count", spec.OpCount, pNat, pS, pBag)
	define("pick", spec.OpPick, pS, pFSet)
	define("Set2Bag", spec.OpSet2Bag, pBag, pSet)
	define("Bag2Set", spec.OpBag2Set, pSet, pBag)
}

// sort returns the pattern with S filled in.
func (t *sortTable) sort(p pattern, s *spec.Sort) *spec.Sort {
	switch {
	case p.isS:
		return s
	case p.of:
		return t.sorts.Of(p.kind, s)
	}
	return t.sorts.Basic(p.kind)
}

// bind returns what S is if an expression of the sort s is to be used at p: the
// hole if p does not contain S, and nil if it does not fit.
func (t *sortTable) bind(p pattern, s *spec.Sort) *spec.Sort {
	switch {
	case p.isS:
		return s
	case s == t.hole, s == t.bad:
		return t.hole
	case p.of:
		if k, ok := joinContainers(p.kind, s.Kind); ok && k == p.kind {
			return s.Args[0]
		}
		return nil
	case t.casts(s, t.sorts.Basic(p.kind)) < 0:
		return nil
	}
	return t.hole
}

// instance returns the symbol of a function with S filled in.
func (c *checker) instance(name string, b *builtin, s *spec.Sort) *spec.Func {
	args := make([]*spec.Sort, len(b.args))
	for i, a := range b.args {
		args[i] = c.table.sort(a, s)
	}
	return c.lib.Func(b.op, name, c.sorts.Function(args, c.table.sort(b.result, s)))
}
