package compile

import (
	"go/token"
	"go/types"
	"math"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// A num says how numbers of a basic type are computed with.
type num struct {
	class numClass
	bits  int // 8, 16, 32 or 64, for integers
}

type numClass uint8

const (
	notNum numClass = iota
	signed
	unsigned
	float32s
	float64s
	complex64s
	complex128s
	strings_
	bools
)

func numOf(typ types.Type) num {
	b, ok := typ.Underlying().(*types.Basic)
	if !ok {
		return num{}
	}
	switch b.Kind() {
	case types.Int, types.Int64, types.UntypedInt:
		return num{signed, 64}
	case types.Int8:
		return num{signed, 8}
	case types.Int16:
		return num{signed, 16}
	case types.Int32, types.UntypedRune:
		return num{signed, 32}
	case types.Uint, types.Uint64, types.Uintptr:
		return num{unsigned, 64}
	case types.Uint8:
		return num{unsigned, 8}
	case types.Uint16:
		return num{unsigned, 16}
	case types.Uint32:
		return num{unsigned, 32}
	case types.Float32:
		return num{class: float32s}
	case types.Float64, types.UntypedFloat:
		return num{class: float64s}
	case types.Complex64:
		return num{class: complex64s}
	case types.Complex128, types.UntypedComplex:
		return num{class: complex128s}
	case types.String, types.UntypedString:
		return num{class: strings_}
	case types.Bool, types.UntypedBool:
		return num{class: bools}
	}
	return num{}
}

func (n num) isInt() bool { return n.class == signed || n.class == unsigned }

// wideUnsigned types are those whose order differs from that of signed words.
func (n num) wideUnsigned() bool { return n.class == unsigned && n.bits == 64 }

// extend appends the instruction that makes a result valid for a narrow type.
func (g *gen) extend(r reg, n num) {
	if op := extension(n); op != bytecode.OpInvalid {
		g.op(op, r, r, reg{}, 0)
	}
}

func extension(n num) bytecode.Op {
	switch n {
	case num{signed, 8}:
		return bytecode.OpExt8s
	case num{signed, 16}:
		return bytecode.OpExt16s
	case num{signed, 32}:
		return bytecode.OpExt32s
	case num{unsigned, 8}:
		return bytecode.OpExt8u
	case num{unsigned, 16}:
		return bytecode.OpExt16u
	case num{unsigned, 32}:
		return bytecode.OpExt32u
	}
	return bytecode.OpInvalid
}

func (g *gen) binop(v *ssa.BinOp) {
	switch v.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		g.compare(v)
		return
	case token.SHL, token.SHR:
		g.shift(v)
		return
	}
	n := numOf(v.X.Type())
	switch n.class {
	case signed, unsigned:
		g.intop(v, n)
	case strings_:
		g.concat(v)
	case float32s, float64s, complex64s, complex128s:
		d := g.def(v)
		g.op(floatOps[n.class][v.Op], d, g.use(v.X), g.use(v.Y), 0)
	default:
		g.c.bug("%s: operator %s on %s", g.fn, v.Op, v.X.Type())
	}
}

var floatOps = map[numClass]map[token.Token]bytecode.Op{
	float64s: {token.ADD: bytecode.OpAddf64, token.SUB: bytecode.OpSubf64, token.MUL: bytecode.OpMulf64, token.QUO: bytecode.OpDivf64},
	float32s: {token.ADD: bytecode.OpAddf32, token.SUB: bytecode.OpSubf32, token.MUL: bytecode.OpMulf32, token.QUO: bytecode.OpDivf32},
	complex128s: {
		token.ADD: bytecode.OpAddc128, token.SUB: bytecode.OpSubc128, token.MUL: bytecode.OpMulc128, token.QUO: bytecode.OpDivc128,
	},
	complex64s: {token.ADD: bytecode.OpAddc64, token.SUB: bytecode.OpSubc64, token.MUL: bytecode.OpMulc64, token.QUO: bytecode.OpDivc64},
}

// An intForm gives the opcodes of an integer operator.
type intForm struct {
	op, imm    bytecode.Op // on 64 bits, and with a constant right operand
	s32, u32   bytecode.Op // on 32 bits, OpInvalid if op and an extension are needed
	si32, ui32 bytecode.Op
	exact      bool // the result of narrow operands is in range
	commutes   bool
}

var intForms = map[token.Token]intForm{
	token.ADD: {
		op: bytecode.OpAdd, imm: bytecode.OpAddi, s32: bytecode.OpAdd32s, u32: bytecode.OpAdd32u,
		si32: bytecode.OpAddi32s, ui32: bytecode.OpAddi32u, commutes: true,
	},
	token.SUB:     {op: bytecode.OpSub, s32: bytecode.OpSub32s, u32: bytecode.OpSub32u},
	token.MUL:     {op: bytecode.OpMul, imm: bytecode.OpMuli, s32: bytecode.OpMul32s, u32: bytecode.OpMul32u, commutes: true},
	token.AND:     {op: bytecode.OpAnd, imm: bytecode.OpAndi, exact: true, commutes: true},
	token.OR:      {op: bytecode.OpOr, imm: bytecode.OpOri, exact: true, commutes: true},
	token.XOR:     {op: bytecode.OpXor, imm: bytecode.OpXori, exact: true, commutes: true},
	token.AND_NOT: {op: bytecode.OpAndnot, exact: true},
}

func (g *gen) intop(v *ssa.BinOp, n num) {
	if v.Op == token.QUO || v.Op == token.REM {
		g.divide(v, n)
		return
	}
	form := intForms[v.Op]
	x, y := v.X, v.Y
	if _, ok := g.scalar(x); ok && form.commutes {
		x, y = y, x
	}
	k, isConst := g.scalar(y)
	d := g.def(v)
	switch {
	case isConst && v.Op == token.SUB:
		form, k = intForms[token.ADD], -k
	case isConst && v.Op == token.AND_NOT:
		form, k = intForms[token.AND], ^k
	}
	if isConst {
		g.intImm(d, g.use(x), k, n, form)
		return
	}
	if k, ok := g.scalar(x); ok && v.Op == token.SUB {
		g.op(bytecode.OpRsubi, d, g.use(y), reg{}, k)
		g.extend(d, n)
		return
	}
	op := form.op
	if n.bits == 32 && n.class == signed && form.s32 != bytecode.OpInvalid {
		op, form.exact = form.s32, true
	} else if n.bits == 32 && n.class == unsigned && form.u32 != bytecode.OpInvalid {
		op, form.exact = form.u32, true
	}
	g.op(op, d, g.use(x), g.use(y), 0)
	if !form.exact {
		g.extend(d, n)
	}
}

// intImm computes d = x op k.
func (g *gen) intImm(d, x reg, k int64, n num, form intForm) {
	op, exact := form.imm, form.exact
	switch {
	case n == num{signed, 32} && form.si32 != bytecode.OpInvalid:
		op, exact = form.si32, true
	case n == num{unsigned, 32} && form.ui32 != bytecode.OpInvalid:
		op, exact = form.ui32, true
	case n == num{unsigned, 8} && op == bytecode.OpAddi:
		op, exact = bytecode.OpAddi8u, true
	}
	g.op(op, d, x, reg{}, k)
	if !exact {
		g.extend(d, n)
	}
}

// divide divides; the quotient of the least integer by -1 wraps around.
func (g *gen) divide(v *ssa.BinOp, n num) {
	ops := [2][2]bytecode.Op{{bytecode.OpDivu, bytecode.OpRemu}, {bytecode.OpDiv, bytecode.OpRem}}
	imms := [2][2]bytecode.Op{{bytecode.OpDivui, bytecode.OpRemui}, {bytecode.OpDivi, bytecode.OpRemi}}
	s, q := 0, 0
	if n.class == signed {
		s = 1
	}
	if v.Op == token.REM {
		q = 1
	}
	d := g.def(v)
	if k, ok := g.scalar(v.Y); ok && k != 0 && !(s == 1 && k == -1) {
		g.op(imms[s][q], d, g.use(v.X), reg{}, k)
		return
	}
	g.op(ops[s][q], d, g.use(v.X), g.use(v.Y), 0)
	if s == 1 && q == 0 {
		g.extend(d, n)
	}
}

func (g *gen) shift(v *ssa.BinOp) {
	n := numOf(v.X.Type())
	left := v.Op == token.SHL
	d := g.def(v)
	isSigned := numOf(v.Y.Type()).class == signed
	if k, ok := g.scalar(v.Y); ok && !(isSigned && k < 0) { // a variable that is always negative: it panics
		g.shiftImm(d, v.X, uint64(k), left, n)
		return
	}
	y := g.use(v.Y)
	if isSigned && !nonNegative(v.Y) {
		g.op(bytecode.OpShchk, reg{}, y, reg{}, 0)
	}
	x := g.use(v.X)
	switch {
	case left && n == num{unsigned, 32}:
		g.op(bytecode.OpShl32u, d, x, y, 0)
	case left:
		g.op(bytecode.OpShl, d, x, y, 0)
		g.extend(d, n)
	case n.class == signed:
		g.op(bytecode.OpSar, d, x, y, 0)
	default:
		g.op(bytecode.OpShr, d, x, y, 0)
	}
}

func (g *gen) shiftImm(d reg, x ssa.Value, k uint64, left bool, n num) {
	switch {
	case k >= uint64(n.bits) && !left && n.class == signed:
		g.op(bytecode.OpSari, d, g.use(x), reg{}, 63)
	case k >= uint64(n.bits):
		g.constant(d, 0)
	case left && n == num{unsigned, 32}:
		g.op(bytecode.OpShli32u, d, g.use(x), reg{}, int64(k))
	case left:
		g.op(bytecode.OpShli, d, g.use(x), reg{}, int64(k))
		g.extend(d, n)
	case n.class == signed:
		g.op(bytecode.OpSari, d, g.use(x), reg{}, int64(k))
	default:
		g.op(bytecode.OpShri, d, g.use(x), reg{}, int64(k))
	}
}

// nonNegative recognises signed values that are never negative.
func nonNegative(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return v.Value != nil && intConst(v.Value) >= 0
	case *ssa.BinOp:
		switch v.Op {
		case token.AND:
			return nonNegative(v.X) || nonNegative(v.Y)
		case token.REM, token.QUO, token.SHR:
			return nonNegative(v.X) && (v.Op == token.SHR || nonNegative(v.Y))
		}
	case *ssa.Convert:
		from, to := numOf(v.X.Type()), numOf(v.Type())
		return from.class == unsigned && from.bits < to.bits
	case *ssa.Call:
		b, ok := v.Call.Value.(*ssa.Builtin)
		return ok && (b.Name() == "len" || b.Name() == "cap")
	}
	return false
}

func (g *gen) unop(v *ssa.UnOp) {
	switch v.Op {
	case token.MUL:
		g.deref(v)
	case token.ARROW:
		g.receive(v)
	case token.NOT:
		g.op(bytecode.OpNot, g.def(v), g.use(v.X), reg{}, 0)
	case token.XOR:
		d, n := g.def(v), numOf(v.Type())
		g.op(bytecode.OpCom, d, g.use(v.X), reg{}, 0)
		if n.class == unsigned {
			g.extend(d, n)
		}
	case token.SUB:
		n := numOf(v.Type())
		d, x := g.def(v), g.use(v.X)
		switch n.class {
		case float64s:
			g.op(bytecode.OpNegf64, d, x, reg{}, 0)
		case float32s:
			g.op(bytecode.OpNegf32, d, x, reg{}, 0)
		case complex128s:
			g.op(bytecode.OpNegc128, d, x, reg{}, 0)
		case complex64s:
			g.op(bytecode.OpNegc64, d, x, reg{}, 0)
		default:
			g.op(bytecode.OpNeg, d, x, reg{}, 0)
			g.extend(d, n)
		}
	}
}

// fits32 says whether a constant can be compared with in a conditional jump.
func fits32(k int64) bool { return k >= math.MinInt32 && k <= math.MaxInt32 }
