package compile

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// Flags of slice expressions.
const (
	hasLow = 1 << iota
	hasHigh
	hasMax
	isUnsigned // shifted by the number of the index
)

// slice lowers x[low:high:max].
func (g *gen) slice(v *ssa.Slice) {
	if g.varargs(v) != nil {
		return
	}
	if a := madeSlice(v.X); a != nil {
		arr := pointee(a).Underlying().(*types.Array)
		n := g.use(v.High)
		g.op(bytecode.OpMakeslice, g.def(v), n, g.word(arr.Len()), int64(g.c.types.index(arr.Elem())))
		return
	}
	x := g.use(v.X)
	bounds := []ssa.Value{v.Low, v.High, v.Max}
	if v.Low != nil {
		if k, ok := g.scalar(v.Low); ok && k == 0 {
			bounds[0] = nil
		}
	}
	var op bytecode.Op
	var imm int64
	length := int64(-1)
	switch t := v.X.Type().Underlying().(type) {
	case *types.Slice:
		op, imm = bytecode.OpSlice, int64(g.typ(t.Elem()).Size)
	case *types.Pointer:
		arr := t.Elem().Underlying().(*types.Array)
		op, imm, length = bytecode.OpSlicearr, int64(g.typ(arr.Elem()).Size), arr.Len()
		if bounds[0] == nil && g.wholeSlice(v, x, bounds, length) {
			return
		}
	default:
		op = bytecode.OpSlicestr
	}
	if bounds[0] == nil && bounds[1] == nil && bounds[2] == nil && length < 0 {
		g.alias(v, x)
		return
	}
	anchor := g.newPtrReg(0, nil)
	ex := &extra{}
	for i, b := range bounds {
		if b == nil {
			continue
		}
		imm |= hasLow << (32 + i)
		if unsignedWord(b) {
			imm |= isUnsigned << (32 + i)
		}
		r := g.newReg(1)
		g.load(r, b)
		g.tie(anchor, r, i)
		ex.uses = append(ex.uses, ref{r, 1})
	}
	if length >= 0 {
		r := g.word(length)
		g.tie(anchor, r, 3)
		ex.uses = append(ex.uses, ref{r, 1})
	}
	w := &bytecode.Operands[op]
	g.emit(ins{op: op, a: g.def(v), wa: uint16(w[0].Words), b: x, wb: uint16(w[1].Words), c: anchor, imm: imm, x: ex})
}

// madeSlice recognises the array that go/ssa allocates for make([]T, n, k) with
// a constant k. If n is not constant it may be out of range, and the machine's
// makeslice knows what to say then.
func madeSlice(v ssa.Value) *ssa.Alloc {
	a, ok := v.(*ssa.Alloc)
	if !ok || a.Comment != "makeslice" || len(*a.Referrers()) != 1 {
		return nil
	}
	s, ok := (*a.Referrers())[0].(*ssa.Slice)
	if !ok || s.High == nil || s.Low != nil || s.Max != nil {
		return nil
	}
	if c, ok := s.High.(*ssa.Const); ok {
		k := intConst(c.Value)
		if k >= 0 && k <= pointee(a).Underlying().(*types.Array).Len() {
			return nil
		}
	}
	return a
}

// wholeSlice lowers (*p)[:k:m] for a constant k, which is known to be in range.
func (g *gen) wholeSlice(v *ssa.Slice, x reg, bounds []ssa.Value, length int64) bool {
	n, m := length, length
	if bounds[1] != nil {
		k, ok := g.scalar(bounds[1])
		if !ok || k < 0 || k > length {
			return false
		}
		n = k
	}
	if bounds[2] != nil {
		k, ok := g.scalar(bounds[2])
		if !ok || k < n || k > length {
			return false
		}
		m = k
	}
	if !g.nonNil(v.X) {
		g.op(bytecode.OpNilchk, reg{}, x, reg{}, 0)
	}
	d := g.def(v)
	g.move(d, x, 1)
	g.constant(d.at(1), n)
	g.constant(d.at(2), m)
	return true
}

// append lowers append(s, t...).
func (g *gen) append(v *ssa.Call, s, t ssa.Value) {
	d := g.def(v)
	elem := v.Type().Underlying().(*types.Slice).Elem()
	if c, ok := t.(*ssa.Const); ok && c.Value == nil {
		g.load(d, s)
		return
	}
	if _, ok := t.Type().Underlying().(*types.Basic); ok {
		g.op(bytecode.OpAppendstr, d, g.use(s), g.use(t), 0)
		return
	}
	idx := g.c.types.index(elem)
	if sl, ok := t.(*ssa.Slice); ok {
		if va := g.varargs(sl); va != nil {
			g.appendElems(d, s, elem, va)
			return
		}
	}
	g.op(bytecode.OpAppend, d, g.use(s), g.use(t), int64(idx))
}

// A vararg is the array behind the variable arguments of append: it becomes
// registers.
type vararg struct {
	alloc *ssa.Alloc
	n     int64
}

// varargs is the array behind a slice that holds the arguments of append(s, a,
// b), or behind the literal of append(s, []T{a, b}...); nil for other slices.
func (g *gen) varargs(v *ssa.Slice) *vararg {
	a, ok := v.X.(*ssa.Alloc)
	if !ok || v.Low != nil || v.High != nil || v.Max != nil {
		return nil
	}
	return g.gathered[a]
}

// gather finds the arrays of variable arguments before their function is
// lowered.
func (g *gen) gather(a *ssa.Alloc) {
	if a.Comment != "varargs" && a.Comment != "slicelit" {
		return
	}
	for _, ref := range *a.Referrers() {
		if s, ok := ref.(*ssa.Slice); ok && s.Low == nil && s.High == nil && s.Max == nil {
			g.gathered[a] = g.findVarargs(a, s)
		}
	}
}

func (g *gen) findVarargs(a *ssa.Alloc, s *ssa.Slice) *vararg {
	arr, ok := pointee(a).Underlying().(*types.Array)
	if !ok || arr.Len() > 16 || a.Block() != s.Block() || g.typ(pointee(a)).Size > maxResident*wordSize || g.typ(pointee(a)).Size == 0 {
		return nil
	}
	refs := *s.Referrers()
	if len(refs) != 1 || refs[0].Block() != s.Block() {
		return nil
	}
	call, ok := refs[0].(*ssa.Call)
	if !ok {
		return nil
	}
	if b, ok := call.Call.Value.(*ssa.Builtin); !ok || b.Name() != "append" || call.Call.Args[1] != ssa.Value(s) {
		return nil
	}
	for _, ref := range *a.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Slice:
			if ref != s {
				return nil
			}
		case *ssa.IndexAddr:
			if !g.constIndex(ref) {
				return nil
			}
			for _, use := range *ref.Referrers() {
				st, ok := use.(*ssa.Store)
				if !ok || st.Addr != ssa.Value(ref) {
					return nil
				}
			}
		default:
			return nil
		}
	}
	g.resident[a] = g.regFor(g.typ(pointee(a)))
	return &vararg{alloc: a, n: arr.Len()}
}

// appendElems appends elements that lie in registers.
func (g *gen) appendElems(d reg, s ssa.Value, elem types.Type, va *vararg) {
	r := g.resident[va.alloc]
	imm := bytecode.Pack(uint32(va.n), uint32(g.c.types.index(elem)))
	g.opw(bytecode.OpAppendf, d, 3, g.use(s), 3, r, g.width(r), imm)
}

// concat lowers a + b + ... on strings.
func (g *gen) concat(v *ssa.BinOp) {
	if len(g.parts(v, nil)) == 2 {
		g.op(bytecode.OpConcat, g.def(v), g.use(v.X), g.use(v.Y), 0)
		return
	}
	parts := g.parts(v, nil)
	anchor, x := g.side(parts)
	g.emit(ins{op: bytecode.OpConcatn, a: g.def(v), wa: 2, b: anchor, imm: int64(len(parts)), x: x})
}

// parts flattens a concatenation.
func (g *gen) parts(v *ssa.BinOp, list []ssa.Value) []ssa.Value {
	for _, x := range []ssa.Value{v.X, v.Y} {
		if b, ok := x.(*ssa.BinOp); ok && g.skipped(b) {
			list = g.parts(b, list)
		} else {
			list = append(list, x)
		}
	}
	return list
}

// skipped says whether a concatenation is part of a longer one in its block.
func (g *gen) skipped(v *ssa.BinOp) bool {
	if v.Op != token.ADD || numOf(v.Type()).class != strings_ {
		return false
	}
	refs := *v.Referrers()
	if len(refs) != 1 || refs[0].Block() != v.Block() {
		return false
	}
	b, ok := refs[0].(*ssa.BinOp)
	return ok && b.Op == token.ADD
}

// stringConst is the text of a string constant.
func stringConst(c *ssa.Const) (string, bool) {
	if c.Value == nil || c.Value.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(c.Value), true
}
