package compile

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// A place is where a load or store goes, before it is one instruction.
type place struct {
	kind   placeKind
	base   reg    // pointer, slice or frame-resident variable
	idx    reg    // of placeSlice, placeIndexed and placeFrameIndexed
	scale  int64  // bytes of an element
	off    int64  // bytes
	static uint64 // of placeStatic
	length int64  // of placeFrameIndexed: to check the index against
	uint   bool   // the index is an unsigned word
}

type placeKind uint8

const (
	placePtr          placeKind = iota // base + off
	placeStatic                        // static + off
	placeSlice                         // element idx of slice base, not checked yet
	placeIndexed                       // base + idx * scale + off, checked
	placeFrame                         // in register base, at byte off
	placeFrameIndexed                  // in register base, at idx * scale + off, not checked yet
)

// resolve finds the place that an address denotes.
func (g *gen) resolve(v ssa.Value) place {
	switch v := v.(type) {
	case *ssa.Global:
		return place{kind: placeStatic, static: g.c.global(v)}
	case *ssa.Alloc:
		if r, ok := g.resident[v]; ok {
			return place{kind: placeFrame, base: r}
		}
	case *ssa.FieldAddr:
		if g.folded(v) {
			p := g.resolve(v.X)
			p.off += g.fieldOffset(v)
			if ix, ok := v.X.(*ssa.IndexAddr); ok && g.sameLine(ix.Pos(), v.Pos()) {
				g.pos = v.Pos() // it is the field that is accessed, and an index out of range is told by its line
			}
			return p
		}
	case *ssa.IndexAddr:
		if g.folded(v) {
			return g.element(v)
		}
	}
	return place{base: g.use(v)}
}

// sameLine reports whether two places are in one line.
func (g *gen) sameLine(a, b token.Pos) bool {
	return a.IsValid() && b.IsValid() && g.c.position(a).Line == g.c.position(b).Line
}

func (g *gen) fieldOffset(v *ssa.FieldAddr) int64 {
	st := v.X.Type().Underlying().(*types.Pointer).Elem()
	return int64(g.typ(st).Fields[v.Field].Off)
}

// element is the place of an element of a slice or an array behind a pointer.
func (g *gen) element(v *ssa.IndexAddr) place {
	if v.Pos().IsValid() {
		g.pos = v.Pos() // where an index out of range is reported
	}
	size := int64(g.typ(v.Type().Underlying().(*types.Pointer).Elem()).Size)
	if _, ok := v.X.Type().Underlying().(*types.Slice); ok {
		return place{kind: placeSlice, base: g.use(v.X), idx: g.use(v.Index), scale: size, uint: unsignedWord(v.Index)}
	}
	length := v.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array).Len()
	return g.elementOf(g.resolve(v.X), v.Index, size, length)
}

// elementOf is the place of an element of the array at p.
func (g *gen) elementOf(p place, index ssa.Value, size, length int64) place {
	if k, ok := g.scalar(index); ok && k >= 0 && k < length {
		p.off += k * size
		return p
	}
	idx := g.use(index)
	if p.kind == placeFrame {
		return place{kind: placeFrameIndexed, base: p.base, idx: idx, scale: size, off: p.off, length: length, uint: unsignedWord(index)}
	}
	if !inRange(index, length) {
		g.op(bytecode.OpBound, reg{}, idx, reg{}, length)
		g.markUint(unsignedWord(index))
	}
	switch p.kind {
	case placeStatic:
		return place{kind: placeIndexed, base: g.pointerWord(int64(p.static)), idx: idx, scale: size, off: p.off}
	case placePtr:
		return place{kind: placeIndexed, base: p.base, idx: idx, scale: size, off: p.off}
	}
	return place{kind: placeIndexed, base: g.address(p), idx: idx, scale: size}
}

// unsignedWord says whether an index has a type whose values may exceed those of
// int. Where it is out of range the panic says so.
func unsignedWord(v ssa.Value) bool {
	n := numOf(v.Type())
	return n.class == unsigned && n.bits == 64
}

// markUint notes whether the index of the last instruction is an unsigned word.
func (g *gen) markUint(unsigned bool) {
	if unsigned {
		g.cur.ins[len(g.cur.ins)-1].n = 1
	}
}

// inRange recognises indices that cannot exceed the length of an array.
func inRange(v ssa.Value, length int64) bool {
	if c, ok := v.(*ssa.Convert); ok {
		v = c.X
	}
	n := numOf(v.Type())
	if n.class == unsigned && n.bits < 32 && length >= 1<<n.bits {
		return true
	}
	if b, ok := v.(*ssa.BinOp); ok && b.Op == token.AND {
		for _, x := range []ssa.Value{b.X, b.Y} {
			if c, ok := x.(*ssa.Const); ok && c.Value != nil {
				if k := intConst(c.Value); k >= 0 && k < length {
					return true
				}
			}
		}
	}
	if b, ok := v.(*ssa.BinOp); ok && b.Op == token.REM && n.class == unsigned {
		if c, ok := b.Y.(*ssa.Const); ok && c.Value != nil {
			k := intConst(c.Value)
			return k > 0 && k <= length
		}
	}
	return false
}

// pointerWord is a new register that holds a static pointer.
func (g *gen) pointerWord(p int64) reg {
	r := g.newPtrReg(1, []uint64{1})
	g.constant(r, p)
	return r
}

// address is a register with the address of a place.
func (g *gen) address(p place) reg {
	r := g.newPtrReg(1, []uint64{1})
	g.addressTo(r, p)
	return r
}

// addressTo leaves the address of a place in a register. It checks what the
// place needs checked.
func (g *gen) addressTo(d reg, p place) {
	switch p.kind {
	case placePtr:
		g.op(bytecode.OpLea, d, p.base, reg{}, p.off)
	case placeStatic:
		g.constant(d, int64(p.static)+p.off)
	case placeSlice:
		g.op(bytecode.OpIxaddr, d, p.base, p.idx, p.scale)
		g.markUint(p.uint)
		if p.off != 0 {
			g.op(bytecode.OpAddi, d, d, reg{}, p.off)
		}
	case placeIndexed:
		g.op(bytecode.OpPaddr, d, p.base, p.idx, p.scale)
		if p.off != 0 {
			g.op(bytecode.OpAddi, d, d, reg{}, p.off)
		}
	default:
		g.c.bug("%s: address of a register", g.fn)
	}
}

// addr lowers an instruction that computes an address, unless its uses do that.
func (g *gen) addr(v ssa.Value) {
	if refs := *v.Referrers(); len(refs) == 1 {
		// The part of a literal: all stores are like this one.
		if st, ok := refs[0].(*ssa.Store); ok && st.Addr == v && st.Val != v {
			if _, ok := constRoot(v).(*ssa.Alloc); ok {
				return
			}
		}
	}
	if g.folded(v) {
		return
	}
	var p place
	switch v := v.(type) {
	case *ssa.FieldAddr:
		p = g.resolve(v.X)
		p.off += g.fieldOffset(v)
		if p.kind == placePtr && p.off == 0 && g.nonNil(v.X) {
			g.alias(v, p.base)
			return
		}
		if p.kind == placePtr && g.nonNil(v.X) {
			g.op(bytecode.OpAddi, g.def(v), p.base, reg{}, p.off)
			return
		}
	case *ssa.IndexAddr:
		p = g.element(v)
	}
	g.addressTo(g.def(v), p)
}

// folded says whether an address is never computed because all its uses are
// loads and stores that can compute it themselves. A check that it implies must
// then happen at its first use, so nothing may come between.
func (g *gen) folded(v ssa.Value) bool {
	if f, ok := g.folds[v]; ok {
		return f
	}
	f := g.foldable(v)
	g.folds[v] = f
	return f
}

func (g *gen) foldable(v ssa.Value) bool {
	if g.inResident(v) {
		return true
	}
	refs := *v.Referrers()
	if len(refs) == 0 {
		return false
	}
	instr := v.(ssa.Instruction)
	if ix, ok := v.(*ssa.IndexAddr); ok && !g.constIndex(ix) {
		if len(refs) > 2 {
			return false
		}
		for _, ref := range refs {
			if ref.Block() != instr.Block() {
				return false
			}
		}
		if !g.firstUseSoon(instr, v) {
			return false
		}
	} else if !g.nonNil(addrBase(v)) && !g.firstUseSoon(instr, v) {
		return false
	}
	for _, ref := range refs {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Val == v {
				return false
			}
		case *ssa.UnOp:
			if ref.Op != token.MUL {
				return false
			}
		case *ssa.FieldAddr:
			if !g.folded(ref) {
				return false
			}
		case *ssa.IndexAddr:
			if ref.X != v || !g.folded(ref) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// constIndex says whether an element's place is known up to its array's address.
func (g *gen) constIndex(v *ssa.IndexAddr) bool {
	if _, ok := v.X.Type().Underlying().(*types.Slice); ok {
		return false
	}
	_, ok := v.Index.(*ssa.Const)
	return ok
}

// addrBase is the pointer that an address of a part is computed from.
func addrBase(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return v.X
	case *ssa.IndexAddr:
		return v.X
	}
	return v
}

// nonNil recognises pointers that are never nil.
func (g *gen) nonNil(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.Global:
		return true
	case *ssa.FreeVar:
		return v.Parent().Parent() != nil // the address of a captured variable
	case *ssa.FieldAddr:
		return g.computed(v) || g.nonNil(v.X)
	case *ssa.IndexAddr:
		_, slice := v.X.Type().Underlying().(*types.Slice)
		return g.computed(v) || !slice && g.nonNil(v.X)
	case *ssa.ChangeType:
		return g.nonNil(v.X)
	}
	return false
}

// computed says whether an address is known to be computed, and so checked.
func (g *gen) computed(v ssa.Value) bool {
	folded, ok := g.folds[v]
	return ok && !folded
}

// firstUseSoon says whether a value is used in its own block before anything
// happens that could be observed.
func (g *gen) firstUseSoon(instr ssa.Instruction, v ssa.Value) bool {
	instrs, i := g.find(instr)
	var buf [8]*ssa.Value
	for _, next := range instrs[i+1:] {
		for _, op := range next.Operands(buf[:0]) {
			if *op == v {
				return true
			}
		}
		if hasEffect(next) {
			return false
		}
	}
	return false
}

// find is the position of an instruction in its block.
func (g *gen) find(instr ssa.Instruction) ([]ssa.Instruction, int) {
	b := instr.Block()
	if len(b.Instrs) <= 40 {
		return b.Instrs, slices.Index(b.Instrs, instr)
	}
	if g.indexed != b {
		g.indexed = b
		g.indices = make(map[ssa.Instruction]int, len(b.Instrs))
		for i, instr := range b.Instrs {
			g.indices[instr] = i
		}
	}
	return b.Instrs, g.indices[instr]
}

// hasEffect says whether an instruction may change memory, panic for another
// reason than its address, or be noticed by others.
func hasEffect(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Store, *ssa.MapUpdate, *ssa.Send, *ssa.Go, *ssa.Defer, *ssa.RunDefers, *ssa.Panic, *ssa.Select,
		*ssa.Next, *ssa.Return, *ssa.If, *ssa.Jump, *ssa.TypeAssert, *ssa.SliceToArrayPointer, *ssa.Slice:
		return true
	case *ssa.Call:
		b, ok := instr.Call.Value.(*ssa.Builtin)
		return !ok || b.Name() != "len" && b.Name() != "cap"
	case *ssa.UnOp:
		return instr.Op == token.ARROW
	}
	return false
}
