package compile

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// A cond is a comparison in the form of a conditional jump.
type cond struct {
	op   bytecode.Op
	b, c reg
	imm  int32
}

// inverse has the opposite outcome.
func (c cond) inverse() cond {
	switch c.op {
	case bytecode.OpJlt:
		return cond{bytecode.OpJle, c.c, c.b, 0}
	case bytecode.OpJle:
		return cond{bytecode.OpJlt, c.c, c.b, 0}
	case bytecode.OpJltu:
		return cond{bytecode.OpJleu, c.c, c.b, 0}
	case bytecode.OpJleu:
		return cond{bytecode.OpJltu, c.c, c.b, 0}
	}
	c.op = inverses[c.op]
	return c
}

var inverses = map[bytecode.Op]bytecode.Op{
	bytecode.OpJt: bytecode.OpJf, bytecode.OpJf: bytecode.OpJt,
	bytecode.OpJeq: bytecode.OpJne, bytecode.OpJne: bytecode.OpJeq,
	bytecode.OpJeqi: bytecode.OpJnei, bytecode.OpJnei: bytecode.OpJeqi,
	bytecode.OpJlti: bytecode.OpJgei, bytecode.OpJgei: bytecode.OpJlti,
	bytecode.OpJlei: bytecode.OpJgti, bytecode.OpJgti: bytecode.OpJlei,
	bytecode.OpJeqf64: bytecode.OpJnef64, bytecode.OpJnef64: bytecode.OpJeqf64,
	bytecode.OpJltf64: bytecode.OpJnltf64, bytecode.OpJnltf64: bytecode.OpJltf64,
	bytecode.OpJlef64: bytecode.OpJnlef64, bytecode.OpJnlef64: bytecode.OpJlef64,
}

// fused says whether a comparison becomes part of the conditional jump that is
// its only use.
func (g *gen) fused(v *ssa.BinOp) bool {
	switch v.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
	default:
		return false
	}
	refs := *v.Referrers()
	if len(refs) != 1 || refs[0].Block() != v.Block() {
		return false
	}
	if _, ok := refs[0].(*ssa.If); !ok {
		return false
	}
	return g.oneWord(v.X) && g.oneWord(v.Y) || g.nilTest(v) != nil
}

// oneWord says whether comparing a value of this type is comparing one word, or
// two float64.
func (g *gen) oneWord(v ssa.Value) bool {
	n := numOf(v.Type())
	if n.class == float64s {
		return true
	}
	t := g.typ(v.Type())
	return t.Words == 1 && t.Flags&bytecode.FlagPlainEq != 0
}

// nilTest is the operand of a comparison with nil, or of a slice, func, map or
// interface with its zero value, whose first word tells.
func (g *gen) nilTest(v *ssa.BinOp) ssa.Value {
	if v.Op != token.EQL && v.Op != token.NEQ {
		return nil
	}
	x, y := v.X, v.Y
	if isNil(x) {
		x, y = y, x
	}
	if !isNil(y) {
		return nil
	}
	return x
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value != nil {
		return false
	}
	switch c.Type().Underlying().(type) {
	case *types.Slice, *types.Signature, *types.Map, *types.Interface, *types.Pointer, *types.Chan:
		return true
	}
	return false
}

// test is the conditional jump for a comparison of one-word values.
func (g *gen) test(v *ssa.BinOp) cond {
	if x := g.nilTest(v); x != nil {
		op := bytecode.OpJeqi
		if v.Op == token.NEQ {
			op = bytecode.OpJnei
		}
		return cond{op: op, b: g.use(x)}
	}
	n := numOf(v.X.Type())
	x, y, tok := v.X, v.Y, v.Op
	if n.class == float64s {
		return g.testFloat(x, y, tok)
	}
	if _, ok := g.scalar(x); ok {
		if _, ok := g.scalar(y); !ok {
			x, y, tok = y, x, swapped(tok)
		}
	}
	if k, ok := g.scalar(y); ok {
		if c, ok := g.testConst(x, k, tok, n); ok {
			return c
		}
	}
	lt, le := bytecode.OpJlt, bytecode.OpJle
	if n.wideUnsigned() {
		lt, le = bytecode.OpJltu, bytecode.OpJleu
	}
	b, c := g.use(x), g.use(y)
	switch tok {
	case token.EQL:
		return cond{op: bytecode.OpJeq, b: b, c: c}
	case token.NEQ:
		return cond{op: bytecode.OpJne, b: b, c: c}
	case token.LSS:
		return cond{op: lt, b: b, c: c}
	case token.LEQ:
		return cond{op: le, b: b, c: c}
	case token.GTR:
		return cond{op: lt, b: c, c: b}
	}
	return cond{op: le, b: c, c: b}
}

func (g *gen) testFloat(x, y ssa.Value, tok token.Token) cond {
	b, c := g.use(x), g.use(y)
	switch tok {
	case token.EQL:
		return cond{op: bytecode.OpJeqf64, b: b, c: c}
	case token.NEQ:
		return cond{op: bytecode.OpJnef64, b: b, c: c}
	case token.LSS:
		return cond{op: bytecode.OpJltf64, b: b, c: c}
	case token.LEQ:
		return cond{op: bytecode.OpJlef64, b: b, c: c}
	case token.GTR:
		return cond{op: bytecode.OpJltf64, b: c, c: b}
	}
	return cond{op: bytecode.OpJlef64, b: c, c: b}
}

// testConst compares with a constant, if it is small enough.
func (g *gen) testConst(x ssa.Value, k int64, tok token.Token, n num) (cond, bool) {
	if n.wideUnsigned() {
		// Comparisons with 0 and 1 are those for equality with 0.
		switch {
		case tok == token.GTR && k == 0, tok == token.GEQ && k == 1:
			tok, k = token.NEQ, 0
		case tok == token.LEQ && k == 0, tok == token.LSS && k == 1:
			tok, k = token.EQL, 0
		case tok != token.EQL && tok != token.NEQ:
			return cond{}, false
		}
	}
	if !fits32(k) {
		return cond{}, false
	}
	if n.class == bools {
		// x == true is x.
		if (tok == token.EQL) == (k == 1) {
			return cond{op: bytecode.OpJt, b: g.use(x)}, true
		}
		return cond{op: bytecode.OpJf, b: g.use(x)}, true
	}
	op := map[token.Token]bytecode.Op{
		token.EQL: bytecode.OpJeqi, token.NEQ: bytecode.OpJnei, token.LSS: bytecode.OpJlti,
		token.LEQ: bytecode.OpJlei, token.GTR: bytecode.OpJgti, token.GEQ: bytecode.OpJgei,
	}[tok]
	return cond{op: op, b: g.use(x), imm: int32(k)}, true
}

// swapped is the comparison with exchanged operands.
func swapped(tok token.Token) token.Token {
	switch tok {
	case token.LSS:
		return token.GTR
	case token.LEQ:
		return token.GEQ
	case token.GTR:
		return token.LSS
	case token.GEQ:
		return token.LEQ
	}
	return tok
}

// compare leaves the outcome of a comparison in a register.
func (g *gen) compare(v *ssa.BinOp) {
	if g.fused(v) {
		return
	}
	d := g.def(v)
	if x := g.nilTest(v); x != nil {
		op := bytecode.OpEqi
		if v.Op == token.NEQ {
			op = bytecode.OpNei
		}
		g.op(op, d, g.use(x), reg{}, 0)
		return
	}
	n := numOf(v.X.Type())
	switch n.class {
	case signed, unsigned, bools:
		g.compareInt(d, v, n)
		return
	case float64s, float32s, strings_:
		g.compareOrdered(d, v, n.class)
		return
	}
	g.equal(d, v.X, v.Y, n)
	if v.Op == token.NEQ {
		g.op(bytecode.OpNot, d, d, reg{}, 0)
	}
}

func (g *gen) compareInt(d reg, v *ssa.BinOp, n num) {
	x, y, tok := v.X, v.Y, v.Op
	if _, ok := g.scalar(x); ok {
		x, y, tok = y, x, swapped(tok)
	}
	if k, ok := g.scalar(y); ok {
		if n.wideUnsigned() && tok != token.EQL && tok != token.NEQ {
			switch {
			case tok == token.LSS:
				g.op(bytecode.OpLtui, d, g.use(x), reg{}, k)
				return
			case tok == token.GTR:
				g.op(bytecode.OpGtui, d, g.use(x), reg{}, k)
				return
			case tok == token.LEQ && k != -1:
				g.op(bytecode.OpLtui, d, g.use(x), reg{}, k+1)
				return
			case tok == token.GEQ && k != 0:
				g.op(bytecode.OpGtui, d, g.use(x), reg{}, k-1)
				return
			}
		} else {
			op := map[token.Token]bytecode.Op{
				token.EQL: bytecode.OpEqi, token.NEQ: bytecode.OpNei, token.LSS: bytecode.OpLti,
				token.LEQ: bytecode.OpLei, token.GTR: bytecode.OpGti, token.GEQ: bytecode.OpGei,
			}[tok]
			g.op(op, d, g.use(x), reg{}, k)
			return
		}
	}
	lt, le := bytecode.OpLt, bytecode.OpLe
	if n.wideUnsigned() {
		lt, le = bytecode.OpLtu, bytecode.OpLeu
	}
	g.ordered(d, g.use(x), g.use(y), tok, [4]bytecode.Op{bytecode.OpEq, bytecode.OpNe, lt, le})
}

func (g *gen) compareOrdered(d reg, v *ssa.BinOp, class numClass) {
	ops := [4]bytecode.Op{bytecode.OpEqf64, bytecode.OpNef64, bytecode.OpLtf64, bytecode.OpLef64}
	switch class {
	case float32s:
		ops = [4]bytecode.Op{bytecode.OpEqf32, bytecode.OpNef32, bytecode.OpLtf32, bytecode.OpLef32}
	case strings_:
		ops = [4]bytecode.Op{bytecode.OpStreq, bytecode.OpStrne, bytecode.OpStrlt, bytecode.OpStrle}
		if x, y := v.X, v.Y; emptyString(x) || emptyString(y) {
			if emptyString(x) {
				x = y
			}
			if v.Op == token.EQL || v.Op == token.NEQ {
				op := bytecode.OpEqi
				if v.Op == token.NEQ {
					op = bytecode.OpNei
				}
				g.op(op, d, g.use(x).at(1), reg{}, 0)
				return
			}
		}
	}
	g.ordered(d, g.use(v.X), g.use(v.Y), v.Op, ops)
}

func emptyString(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.ExactString() == `""`
}

// ordered compares with one of the opcodes for ==, !=, < and <=.
func (g *gen) ordered(d, x, y reg, tok token.Token, ops [4]bytecode.Op) {
	switch tok {
	case token.EQL:
		g.op(ops[0], d, x, y, 0)
	case token.NEQ:
		g.op(ops[1], d, x, y, 0)
	case token.LSS:
		g.op(ops[2], d, x, y, 0)
	case token.LEQ:
		g.op(ops[3], d, x, y, 0)
	case token.GTR:
		g.op(ops[2], d, y, x, 0)
	case token.GEQ:
		g.op(ops[3], d, y, x, 0)
	}
}

// equal compares values that are not ordered.
func (g *gen) equal(d reg, vx, vy ssa.Value, n num) {
	t := g.typ(vx.Type())
	x, y := g.use(vx), g.use(vy)
	switch {
	case n.class == complex128s:
		g.op(bytecode.OpEqc128, d, x, y, 0)
	case n.class == complex64s:
		g.op(bytecode.OpEqc64, d, x, y, 0)
	case t.Words == 0:
		g.constant(d, 1)
	case t.Kind == bytecode.Interface && len(t.IMethods) == 0:
		g.op(bytecode.OpIfaceeq, d, x, y, 0)
	case t.Kind == bytecode.Interface:
		g.op(bytecode.OpIfaceqm, d, x, y, 0)
	case t.Words == 1 && t.Flags&bytecode.FlagPlainEq != 0:
		g.op(bytecode.OpEq, d, x, y, 0)
	default:
		w := int(t.Words)
		g.opw(bytecode.OpEqt, d, 1, x, w, y, w, int64(g.c.types.index(vx.Type())))
	}
}
