package spec

// A Pattern is a sort in the signature of a function of the language: a basic
// sort, the sort S that the function exists for, or a container of S.
type Pattern struct {
	Kind SortKind // of the basic sort or the container
	IsS  bool     // S itself
	OfS  bool     // Kind(S)
}

// A Signature is one function of the language: what it takes and gives. Functions
// without S have one for each combination of sorts.
type Signature struct {
	Op     Op
	Args   []Pattern
	Result Pattern
}

// Generic reports whether the function exists for each sort S.
func (g *Signature) Generic() bool {
	for _, a := range g.Args {
		if a.IsS || a.OfS {
			return true
		}
	}
	return false
}

// Signatures returns the functions of the language with a name. A prefix minus
// has the name "-" too; the number of arguments tells.
func Signatures(name string) []Signature { return signatures[name] }

var signatures = map[string][]Signature{}

var (
	pBool = Pattern{Kind: Bool}
	pPos  = Pattern{Kind: Pos}
	pNat  = Pattern{Kind: Nat}
	pInt  = Pattern{Kind: Int}
	pReal = Pattern{Kind: Real}
	pS    = Pattern{IsS: true}
	pList = Pattern{Kind: List, OfS: true}
	pSet  = Pattern{Kind: Set, OfS: true}
	pBag  = Pattern{Kind: Bag, OfS: true}
	pFSet = Pattern{Kind: FSet, OfS: true}
	pFBag = Pattern{Kind: FBag, OfS: true}
)

func define(name string, op Op, result Pattern, args ...Pattern) {
	signatures[name] = append(signatures[name], Signature{op, args, result})
}

// CastName returns the name of the cast between two sorts.
func CastName(from, to *Sort) string {
	return sortNames[from.Kind] + "2" + sortNames[to.Kind]
}

func init() {
	for name, op := range map[string]Op{"==": OpEq, "!=": OpNe, "<": OpLess, "<=": OpLessEq,
		">": OpGreater, ">=": OpGreaterEq} {
		define(name, op, pBool, pS, pS)
	}
	define("if", OpIf, pS, pBool, pS, pS)
	define("!", OpNot, pBool, pBool)
	define("!", OpComplement, pSet, pSet)
	define("&&", OpAnd, pBool, pBool, pBool)
	define("||", OpOr, pBool, pBool, pBool)
	define("=>", OpImplies, pBool, pBool, pBool)
	initNumbers()
	initContainers()
}

// initNumbers has the result sorts of mCRL2's data library.
func initNumbers() {
	for a := Pos; a <= Real; a++ {
		for b := Pos; b <= Real; b++ {
			if a != b {
				define(sortNames[a]+"2"+sortNames[b], OpCast, Pattern{Kind: b}, Pattern{Kind: a})
			}
		}
	}
	define("-", OpNeg, pInt, pPos)
	define("-", OpNeg, pInt, pNat)
	define("-", OpNeg, pInt, pInt)
	define("-", OpNeg, pReal, pReal)
	define("+", OpAdd, pPos, pPos, pPos)
	define("+", OpAdd, pPos, pPos, pNat)
	define("+", OpAdd, pPos, pNat, pPos)
	define("+", OpAdd, pNat, pNat, pNat)
	define("+", OpAdd, pInt, pInt, pInt)
	define("+", OpAdd, pReal, pReal, pReal)
	define("-", OpSub, pInt, pPos, pPos)
	define("-", OpSub, pInt, pNat, pNat)
	define("-", OpSub, pInt, pInt, pInt)
	define("-", OpSub, pReal, pReal, pReal)
	define("*", OpMul, pPos, pPos, pPos)
	define("*", OpMul, pNat, pNat, pNat)
	define("*", OpMul, pInt, pInt, pInt)
	define("*", OpMul, pReal, pReal, pReal)
	define("/", OpDivide, pReal, pReal, pReal)
	define("div", OpDiv, pNat, pNat, pPos)
	define("div", OpDiv, pInt, pInt, pPos)
	define("mod", OpMod, pNat, pNat, pPos)
	define("mod", OpMod, pNat, pInt, pPos)
	define("exp", OpExp, pPos, pPos, pNat)
	define("exp", OpExp, pNat, pNat, pNat)
	define("exp", OpExp, pInt, pInt, pNat)
	define("exp", OpExp, pReal, pReal, pInt)
	define("abs", OpAbs, pNat, pInt)
	define("abs", OpAbs, pReal, pReal)
	for _, p := range []Pattern{pPos, pNat, pInt, pReal} {
		define("min", OpMin, p, p, p)
		define("max", OpMax, p, p, p)
	}
	define("max", OpMax, pPos, pPos, pNat)
	define("max", OpMax, pPos, pNat, pPos)
	define("max", OpMax, pPos, pPos, pInt)
	define("max", OpMax, pPos, pInt, pPos)
	define("max", OpMax, pNat, pNat, pInt)
	define("max", OpMax, pNat, pInt, pNat)
	define("succ", OpSucc, pPos, pPos)
	define("succ", OpSucc, pPos, pNat)
	define("succ", OpSucc, pInt, pInt)
	define("succ", OpSucc, pReal, pReal)
	define("pred", OpPred, pNat, pPos)
	define("pred", OpPred, pInt, pNat)
	define("pred", OpPred, pInt, pInt)
	define("pred", OpPred, pReal, pReal)
	define("floor", OpFloor, pInt, pReal)
	define("ceil", OpCeil, pInt, pReal)
	define("round", OpRound, pInt, pReal)
	define("sqrt", OpSqrt, pNat, pNat)
}

func initContainers() {
	define("|>", OpCons, pList, pS, pList)
	define("<|", OpSnoc, pList, pList, pS)
	define("++", OpConcat, pList, pList, pList)
	define(".", OpAt, pS, pList, pNat)
	define("head", OpHead, pS, pList)
	define("tail", OpTail, pList, pList)
	define("rhead", OpRHead, pS, pList)
	define("rtail", OpRTail, pList, pList)
	define("#", OpLen, pNat, pList)
	define("#", OpSize, pNat, pFSet)
	define("#", OpSize, pNat, pFBag)
	define("in", OpInList, pBool, pS, pList)
	for _, p := range []Pattern{pFSet, pSet, pFBag, pBag} {
		define("in", OpIn, pBool, pS, p)
		define("+", OpUnion, p, p, p)
		define("-", OpDifference, p, p, p)
		define("*", OpIntersect, p, p, p)
	}
	define("count", OpCount, pNat, pS, pFBag)
	define("count", OpCount, pNat, pS, pBag)
	define("pick", OpPick, pS, pFSet)
	define("pick", OpPick, pS, pFBag)
	define("Set2Bag", OpSet2Bag, pBag, pSet)
	define("Bag2Set", OpBag2Set, pSet, pBag)
}
