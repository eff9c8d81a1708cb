package spec

// An Op is a function of the language. One Op serves all sorts at which the
// function exists: OpAdd is + of numbers and nothing else, while OpUnion is + of
// sets and bags.
type Op uint8

// The functions of the language.
const (
	User   Op = iota // declared by the specification
	OpProj           // a projection of a struct
	OpIs             // a recogniser of a struct

	// All sorts.
	OpEq
	OpNe
	OpLess
	OpLessEq
	OpGreater
	OpGreaterEq
	OpIf

	// Bool.
	OpTrue
	OpFalse
	OpNot
	OpAnd
	OpOr
	OpImplies

	// Numbers. OpCast is every A2B; the sorts say which. A cast to a narrower
	// sort of a number that is not in it has no value.
	OpCast
	OpNeg
	OpAdd
	OpSub
	OpMul
	OpDivide // /, always Real
	OpDiv
	OpMod
	OpExp
	OpAbs
	OpMin
	OpMax
	OpSucc
	OpPred
	OpFloor
	OpCeil
	OpRound
	OpSqrt // of a Nat, rounded down

	// Lists.
	OpNil    // []
	OpCons   // |>
	OpSnoc   // <|
	OpConcat // ++
	OpLen    // #
	OpAt     // .
	OpHead
	OpTail
	OpRHead
	OpRTail
	OpInList // in

	// Sets and bags, finite or not; the sorts say which.
	OpEmptySet // {}
	OpEmptyBag // {:}
	OpInsert   // into an FSet: element, set; how {a, b} is written out
	OpInsertN  // into an FBag: element, number, bag; how {a: 1} is written out
	OpIn
	OpCount
	OpUnion
	OpDifference
	OpIntersect
	OpComplement // ! of a set
	OpSize       // # of an FSet or FBag
	OpPick       // an element of an FSet or FBag
	OpSet2Bag
	OpBag2Set
	OpToSet // from FSet to Set
	OpToBag // from FBag to Bag

	// Functions.
	OpUpdate // f[x -> e]: function, argument, value
)
