package data

import "github.com/heddle-mc/heddle/internal/mcrl2/spec"

// natives are the functions of the language. Those of lists, sets, bags and
// functions are in the files of their sorts.
var natives map[spec.Op]native

func init() {
	natives = map[spec.Op]native{
		spec.OpProj: nativeProj, spec.OpIs: nativeIs,
		spec.OpEq: nativeEq, spec.OpNe: nativeNe, spec.OpIf: nativeIf,
		spec.OpLess:      order(false, false),
		spec.OpLessEq:    order(false, true),
		spec.OpGreater:   order(true, false),
		spec.OpGreaterEq: order(true, true),
		spec.OpNot:       nativeNot, spec.OpAnd: nativeAnd, spec.OpOr: nativeOr, spec.OpImplies: nativeImplies,

		spec.OpCast: nativeCast, spec.OpNeg: nativeNeg, spec.OpAdd: nativeAdd, spec.OpSub: nativeSub,
		spec.OpMul: nativeMul, spec.OpDivide: nativeDivide, spec.OpDiv: nativeDiv, spec.OpMod: nativeMod,
		spec.OpExp: nativeExp, spec.OpAbs: nativeAbs, spec.OpMin: nativeMin, spec.OpMax: nativeMax,
		spec.OpSucc: nativeSucc, spec.OpPred: nativePred, spec.OpFloor: nativeFloor, spec.OpCeil: nativeCeil,
		spec.OpRound: nativeRound,

		spec.OpCons: nativeCons, spec.OpSnoc: nativeSnoc, spec.OpConcat: nativeConcat, spec.OpLen: nativeLen,
		spec.OpAt: nativeAt, spec.OpHead: nativeHead, spec.OpTail: nativeTail, spec.OpRHead: nativeRHead,
		spec.OpRTail: nativeRTail, spec.OpInList: nativeInList,

		spec.OpInsert: nativeInsert, spec.OpInsertN: nativeInsertN, spec.OpIn: nativeIn, spec.OpCount: nativeCount,
		spec.OpUnion: nativeUnion, spec.OpDifference: nativeDifference, spec.OpIntersect: nativeIntersect,
		spec.OpComplement: nativeComplement, spec.OpSize: nativeSize, spec.OpPick: nativePick,
		spec.OpSet2Bag: nativeSet2Bag, spec.OpBag2Set: nativeBag2Set,
		spec.OpToSet: nativeSame, spec.OpToBag: nativeSame,

		spec.OpUpdate: nativeUpdate,
	}
}

func nativeOf(f *spec.Func) native {
	if f.Op == spec.OpNot && f.Of.Result.Kind != spec.Bool {
		return nativeComplement
	}
	return natives[f.Op]
}

func nativeSame(_ *Engine, _ *symbol, a []Value) (Value, bool) { return a[0], true }

func nativeProj(e *Engine, s *symbol, a []Value) (Value, bool) {
	if e.is(a[0], e.symbol(s.fn.Owner)) {
		return e.parts(a[0])[s.fn.Index], true
	}
	if c := e.constructorOf(s.args[0], a[0]); c != nil {
		if i := s.fn.ArgOf(c); i >= 0 {
			return e.parts(a[0])[i], true
		}
	}
	return 0, false
}

func nativeIs(e *Engine, s *symbol, a []Value) (Value, bool) {
	c := e.constructorOf(s.args[0], a[0])
	return truth(c == s.fn.Owner), c != nil
}

func nativeEq(e *Engine, s *symbol, a []Value) (Value, bool) {
	if e.info(s.args[0]).equal == s && a[0] != a[1] {
		return 0, false // its equations say
	}
	return e.equal(s.args[0], a[0], a[1]).value()
}

func nativeNe(e *Engine, s *symbol, a []Value) (Value, bool) {
	v, ok := e.equal(s.args[0], a[0], a[1]).value()
	return v ^ True, ok
}

func order(swapped, orEqual bool) native {
	return func(e *Engine, s *symbol, a []Value) (Value, bool) {
		if i := e.info(s.args[0]); (i.less == s || i.lessEq == s) && a[0] != a[1] {
			return 0, false // its equations say
		}
		if swapped {
			return e.less(s.args[0], a[1], a[0], orEqual).value()
		}
		return e.less(s.args[0], a[0], a[1], orEqual).value()
	}
}

func nativeIf(_ *Engine, _ *symbol, a []Value) (Value, bool) {
	switch {
	case a[0] == True || a[1] == a[2]:
		return a[1], true
	case a[0] == False:
		return a[2], true
	}
	return 0, false
}

func nativeNot(e *Engine, s *symbol, a []Value) (Value, bool) {
	if a[0].isBool() {
		return a[0] ^ True, true
	}
	if e.is(a[0], s) {
		return e.parts(a[0])[0], true
	}
	return 0, false
}

func nativeAnd(_ *Engine, _ *symbol, a []Value) (Value, bool) {
	switch {
	case a[0] == True || a[1] == False || a[0] == a[1]:
		return a[1], true
	case a[0] == False || a[1] == True:
		return a[0], true
	}
	return 0, false
}

func nativeOr(_ *Engine, _ *symbol, a []Value) (Value, bool) {
	switch {
	case a[0] == False || a[1] == True || a[0] == a[1]:
		return a[1], true
	case a[0] == True || a[1] == False:
		return a[0], true
	}
	return 0, false
}

func nativeImplies(_ *Engine, _ *symbol, a []Value) (Value, bool) {
	switch {
	case a[0] == False || a[1] == True || a[0] == a[1]:
		return True, true
	case a[0] == True:
		return a[1], true
	}
	return 0, false
}
