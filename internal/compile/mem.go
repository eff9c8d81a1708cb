package compile

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// Columns of the tables of loads and stores.
const (
	col8u = iota
	col8s
	col16u
	col16s
	col32u
	col32s
	col64
	col128
	col192
	colBytes // any other size
)

var loadOps = [...][colBytes]bytecode.Op{
	placePtr: {
		bytecode.OpLd8u, bytecode.OpLd8s, bytecode.OpLd16u, bytecode.OpLd16s, bytecode.OpLd32u, bytecode.OpLd32s,
		bytecode.OpLd64, bytecode.OpLd128, bytecode.OpLd192,
	},
	placeStatic: {
		bytecode.OpLdg8u, bytecode.OpLdg8s, bytecode.OpLdg16u, bytecode.OpLdg16s, bytecode.OpLdg32u, bytecode.OpLdg32s,
		bytecode.OpLdg64, bytecode.OpLdg128, bytecode.OpLdg192,
	},
	placeSlice: {
		bytecode.OpLdx8u, bytecode.OpLdx8s, bytecode.OpLdx16u, bytecode.OpLdx16s, bytecode.OpLdx32u, bytecode.OpLdx32s,
		bytecode.OpLdx64, bytecode.OpLdx128, bytecode.OpLdx192,
	},
	placeIndexed: {
		bytecode.OpLdp8u, bytecode.OpLdp8s, bytecode.OpLdp16u, bytecode.OpLdp16s, bytecode.OpLdp32u, bytecode.OpLdp32s,
		bytecode.OpLdp64, bytecode.OpLdp128, bytecode.OpLdp192,
	},
	placeFrame: {
		bytecode.OpFld8u, bytecode.OpFld8s, bytecode.OpFld16u, bytecode.OpFld16s, bytecode.OpFld32u, bytecode.OpFld32s,
	},
	placeFrameIndexed: {
		bytecode.OpFldx8u, bytecode.OpFldx8s, bytecode.OpFldx16u, bytecode.OpFldx16s, bytecode.OpFldx32u, bytecode.OpFldx32s,
		bytecode.OpFldx64,
	},
}

var storeOps = [...][colBytes]bytecode.Op{
	placePtr: {
		col8u: bytecode.OpSt8, col16u: bytecode.OpSt16, col32u: bytecode.OpSt32,
		col64: bytecode.OpSt64, col128: bytecode.OpSt128, col192: bytecode.OpSt192,
	},
	placeStatic: {
		col8u: bytecode.OpStg8, col16u: bytecode.OpStg16, col32u: bytecode.OpStg32,
		col64: bytecode.OpStg64, col128: bytecode.OpStg128, col192: bytecode.OpStg192,
	},
	placeSlice: {
		col8u: bytecode.OpStx8, col16u: bytecode.OpStx16, col32u: bytecode.OpStx32,
		col64: bytecode.OpStx64, col128: bytecode.OpStx128, col192: bytecode.OpStx192,
	},
	placeIndexed: {
		col8u: bytecode.OpStp8, col16u: bytecode.OpStp16, col32u: bytecode.OpStp32,
		col64: bytecode.OpStp64, col128: bytecode.OpStp128, col192: bytecode.OpStp192,
	},
	placeFrame: {col8u: bytecode.OpFst8, col16u: bytecode.OpFst16, col32u: bytecode.OpFst32},
	placeFrameIndexed: {
		col8u: bytecode.OpFstx8, col16u: bytecode.OpFstx16, col32u: bytecode.OpFstx32, col64: bytecode.OpFstx64,
	},
}

// column finds the load for a type.
func column(t *bytecode.Type) int {
	switch t.Reg {
	case bytecode.RegU8:
		return col8u
	case bytecode.RegS8:
		return col8s
	case bytecode.RegU16:
		return col16u
	case bytecode.RegS16:
		return col16s
	case bytecode.RegU32:
		return col32u
	case bytecode.RegS32:
		return col32s
	case bytecode.Reg64:
		return col64
	}
	switch t.Size {
	case 1:
		return col8u
	case 2:
		return col16u
	case 4:
		return col32u
	case 8:
		return col64
	case 16:
		return col128
	case 24:
		return col192
	}
	return colBytes
}

// storeColumn finds the store for a type, which does not care for signs.
func storeColumn(t *bytecode.Type) int {
	switch c := column(t); c {
	case col8s, col16s, col32s:
		return c - 1
	default:
		return c
	}
}

// loadAt loads a value from a place.
func (g *gen) loadAt(d reg, p place, typ types.Type) {
	t, words := g.typ(typ), g.words(typ)
	if words == 0 {
		return
	}
	col := column(t)
	switch p.kind {
	case placeFrame:
		g.loadFrame(d, p, t)
		return
	case placeFrameIndexed:
		g.op(bytecode.OpBound, reg{}, p.idx, reg{}, p.length)
		g.markUint(p.uint)
		if col <= col64 {
			g.opw(loadOps[p.kind][col], d, 1, p.base, g.width(p.base), p.idx, 1, bytecode.Pack(uint32(p.scale), uint32(p.off)))
			return
		}
		for w := range words {
			imm := bytecode.Pack(uint32(p.scale), uint32(int(p.off)+w*wordSize))
			g.opw(bytecode.OpFldx64, d.at(w), 1, p.base, g.width(p.base), p.idx, 1, imm)
		}
		return
	}
	if col == colBytes {
		if p.kind != placePtr {
			p = place{base: g.address(p)}
		}
		g.opw(bytecode.OpLdn, d, words, p.base, 1, reg{}, 0, bytecode.Pack(t.Size, uint32(p.off)))
		return
	}
	op := loadOps[p.kind][col]
	switch p.kind {
	case placePtr:
		g.op(op, d, p.base, reg{}, p.off)
	case placeStatic:
		g.op(op, d, reg{}, reg{}, int64(p.static)+p.off)
	default:
		g.op(op, d, p.base, p.idx, bytecode.Pack(uint32(p.scale), uint32(p.off)))
		g.markUint(p.uint)
	}
}

// storeAt stores a register to a place.
func (g *gen) storeAt(p place, s reg, typ types.Type) {
	t, words := g.typ(typ), g.words(typ)
	if words == 0 {
		return
	}
	col := storeColumn(t)
	switch p.kind {
	case placeFrame:
		g.storeFrame(p, s, t)
		return
	case placeFrameIndexed:
		g.op(bytecode.OpBound, reg{}, p.idx, reg{}, p.length)
		g.markUint(p.uint)
		if col <= col64 {
			g.opw(storeOps[p.kind][col], p.base, g.width(p.base), p.idx, 1, s, 1, bytecode.Pack(uint32(p.scale), uint32(p.off)))
			return
		}
		for w := range words {
			imm := bytecode.Pack(uint32(p.scale), uint32(int(p.off)+w*wordSize))
			g.opw(bytecode.OpFstx64, p.base, g.width(p.base), p.idx, 1, s.at(w), 1, imm)
		}
		return
	}
	if col == colBytes {
		if p.kind != placePtr {
			p = place{base: g.address(p)}
		}
		g.opw(bytecode.OpStn, p.base, 1, s, words, reg{}, 0, bytecode.Pack(t.Size, uint32(p.off)))
		return
	}
	op := storeOps[p.kind][col]
	switch p.kind {
	case placePtr:
		g.op(op, p.base, s, reg{}, p.off)
	case placeStatic:
		g.op(op, reg{}, s, reg{}, int64(p.static)+p.off)
	default:
		g.op(op, p.base, p.idx, s, bytecode.Pack(uint32(p.scale), uint32(p.off)))
		g.markUint(p.uint)
	}
}

// width is the number of words of the register that r begins.
func (g *gen) width(r reg) int {
	if !r.ok() {
		return 0
	}
	return int(g.vregs[r.v-1].words - r.w)
}

// loadFrame reads a part of a variable that lives in registers.
func (g *gen) loadFrame(d reg, p place, t *bytecode.Type) {
	src := p.base.at(int(p.off / wordSize))
	in := p.off % wordSize
	switch {
	case wholeWords(p.off, t), p.off == 0 && int(t.Words) == g.width(p.base) && t.Reg == bytecode.RegCopy:
		g.move(d, src, int(t.Words))
	case column(t) < col64:
		g.opw(loadOps[placeFrame][column(t)], d, 1, reg{}, 0, src, 1, in)
	default:
		g.opw(bytecode.OpFldn, d, int(t.Words), reg{}, 0, src, spanWords(in, t.Size), bytecode.Pack(t.Size, uint32(in)))
	}
}

// storeFrame writes a part of a variable that lives in registers.
func (g *gen) storeFrame(p place, s reg, t *bytecode.Type) {
	dst := p.base.at(int(p.off / wordSize))
	in := p.off % wordSize
	switch {
	case wholeWords(p.off, t), p.off == 0 && int(t.Words) == g.width(p.base) && t.Reg == bytecode.RegCopy:
		g.move(dst, s, int(t.Words))
	case storeColumn(t) < col64:
		g.opw(storeOps[placeFrame][storeColumn(t)], reg{}, 0, s, 1, dst, 1, in)
	default:
		g.opw(bytecode.OpFstn, reg{}, 0, s, int(t.Words), dst, spanWords(in, t.Size), bytecode.Pack(t.Size, uint32(in)))
	}
}

// wholeWords says whether a part of a register at a byte offset has the form of
// a register itself. A field of a multiple of eight bytes need not: structs of
// smaller numbers and complex64 may begin in the middle of a word.
func wholeWords(off int64, t *bytecode.Type) bool {
	return off%wordSize == 0 && (t.Reg == bytecode.Reg64 || t.Reg == bytecode.RegCopy && t.Size%wordSize == 0)
}

// spanWords is how many words the size bytes from byte in of a word touch.
func spanWords(in int64, size uint32) int { return (int(in) + int(size) + wordSize - 1) / wordSize }

// deref lowers a load.
func (g *gen) deref(v *ssa.UnOp) {
	if g.lazyLoad(v) || g.copied(v) {
		return
	}
	refs := *v.Referrers()
	if onlyMeasured(v) || g.toItself(v) {
		return
	}
	typ := v.Type()
	if g.typ(typ).Size == 0 {
		if !g.nonNil(v.X) {
			g.check(g.resolve(v.X))
		}
		g.vals[v] = reg{}
		return
	}
	p := g.resolve(v.X)
	if len(refs) == 0 {
		g.touch(p, g.typ(typ))
		return
	}
	if p.kind == placeFrame && wholeWords(p.off, g.typ(typ)) && g.readOnce(v) {
		g.alias(v, p.base.at(int(p.off/wordSize)))
		return
	}
	g.loadAt(g.def(v), p, typ)
}

// touch reads a place for nobody: _ = x.f is an access as good as any other. To
// read what lives in registers is none.
func (g *gen) touch(p place, t *bytecode.Type) {
	switch p.kind {
	case placeFrame:
	case placeFrameIndexed:
		g.check(p)
	default:
		if p.kind != placePtr {
			p = place{base: g.address(p)}
		}
		g.op(bytecode.OpTouch, reg{}, p.base, reg{}, bytecode.Pack(t.Size, uint32(p.off)))
	}
}

// check panics if a place cannot be accessed.
func (g *gen) check(p place) {
	switch p.kind {
	case placePtr:
		g.op(bytecode.OpNilchk, reg{}, p.base, reg{}, 0)
	case placeSlice, placeIndexed:
		g.address(p)
	case placeFrameIndexed:
		g.op(bytecode.OpBound, reg{}, p.idx, reg{}, p.length)
		g.markUint(p.uint)
	}
}

// readOnce says whether a value read from a variable in registers is used up
// before the variable can change: it needs no copy then.
func (g *gen) readOnce(v *ssa.UnOp) bool {
	refs := *v.Referrers()
	if len(refs) != 1 || refs[0].Block() != v.Block() {
		return false
	}
	switch ref := refs[0].(type) {
	case *ssa.Store, *ssa.Return, *ssa.Send, *ssa.MapUpdate, *ssa.MakeInterface, *ssa.TypeAssert, *ssa.Lookup:
	case *ssa.Call:
		if _, ok := ref.Call.Value.(*ssa.Builtin); ok {
			return false
		}
	case *ssa.BinOp:
		if numOf(ref.Type()).class == strings_ {
			return false // may be part of a longer concatenation
		}
		if g.fused(ref) {
			return g.quietUntil(v, (*ref.Referrers())[0])
		}
	default:
		return false // may itself be evaluated later
	}
	return g.quietUntil(v, refs[0])
}

// quietUntil says whether nothing between two instructions of a block changes
// memory.
func (g *gen) quietUntil(from, to ssa.Instruction) bool {
	instrs, i := g.find(from)
	for _, next := range instrs[i+1:] {
		if next == to {
			return true
		}
		if hasEffect(next) {
			return false
		}
	}
	return false
}

// store lowers a store.
func (g *gen) store(v *ssa.Store) {
	typ := v.Val.Type()
	t := g.typ(typ)
	if f, ok := v.Addr.(*ssa.FieldAddr); ok && isBlank(f) {
		return // blank fields of literals stay zero
	}
	if t.Size == 0 {
		if !g.nonNil(v.Addr) {
			g.check(g.resolve(v.Addr))
		}
		return
	}
	load, ok := v.Val.(*ssa.UnOp)
	if ok && g.toItself(load) {
		return
	}
	if ok && g.copied(load) {
		g.copyMemory(v.Addr, load.X, t)
		return
	}
	if c, ok := v.Val.(*ssa.Const); ok && c.Value == nil && t.Words > 1 {
		g.storeZero(g.resolve(v.Addr), t)
		return
	}
	p := g.resolve(v.Addr)
	whole := wholeWords(p.off, t)
	if p.kind == placeFrame && whole {
		g.load(p.base.at(int(p.off/wordSize)), v.Val)
		return
	}
	g.storeAt(p, g.use(v.Val), typ)
}

// toItself says whether a load is that of a variable which is assigned to itself,
// as by "return err" where err is the result. The Go compiler makes nothing of
// such an assignment, so it is no access.
func (g *gen) toItself(v *ssa.UnOp) bool {
	if v.Op != token.MUL || len(*v.Referrers()) != 1 {
		return false
	}
	s, ok := (*v.Referrers())[0].(*ssa.Store)
	if !ok || !isVariable(v.X) || s.Addr != v.X || s.Block() != v.Block() {
		return false
	}
	instrs, i := g.find(v)
	for _, next := range instrs[i+1:] {
		if next == ssa.Instruction(s) {
			return g.assignsItself(v.Pos())
		}
		if other, ok := next.(*ssa.Store); ok && isVariable(other.Addr) && other.Addr != v.X {
			continue // several results are returned
		}
		if hasEffect(next) {
			return false
		}
	}
	return false
}

// isVariable says whether an address is that of a whole variable.
func isVariable(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Alloc, *ssa.FreeVar, *ssa.Global:
		return true
	}
	return false
}

// storeZero clears memory.
func (g *gen) storeZero(p place, t *bytecode.Type) {
	if p.kind == placeFrame && p.off%wordSize == 0 && (t.Size%wordSize == 0 || int(t.Words) == g.width(p.base)) {
		g.zero(p.base.at(int(p.off/wordSize)), int(t.Words))
		return
	}
	if p.kind == placeFrame || p.kind == placeFrameIndexed {
		z := g.newReg(int(t.Words))
		g.zero(z, int(t.Words))
		if p.kind == placeFrame {
			g.storeFrame(p, z, t)
			return
		}
		g.op(bytecode.OpBound, reg{}, p.idx, reg{}, p.length)
		g.markUint(p.uint)
		for w := range int(t.Words) {
			imm := bytecode.Pack(uint32(p.scale), uint32(int(p.off)+w*wordSize))
			g.opw(bytecode.OpFstx64, p.base, g.width(p.base), p.idx, 1, z.at(w), 1, imm)
		}
		return
	}
	if p.kind != placePtr {
		p = place{base: g.address(p)}
	}
	g.op(bytecode.OpStz, p.base, reg{}, reg{}, bytecode.Pack(t.Size, uint32(p.off)))
}

// copied says whether a loaded value goes straight to other memory. What a
// channel or an operator yields is in a register: it is not loaded.
func (g *gen) copied(v *ssa.UnOp) bool {
	if v.Op != token.MUL || g.typ(v.Type()).Size <= 4*wordSize {
		return false
	}
	refs := *v.Referrers()
	if len(refs) != 1 {
		return false
	}
	to := refs[0]
	switch to := to.(type) {
	case *ssa.Store:
		if to.Val != v || g.inResident(to.Addr) {
			return false
		}
	case *ssa.MakeInterface:
	default:
		return false
	}
	return to.Block() == v.Block() && g.quietUntil(v, to) && !g.inResident(v.X)
}

// copyMemory copies a value from one address to another.
func (g *gen) copyMemory(dst, src ssa.Value, t *bytecode.Type) {
	b := g.whereIs(src)
	a := g.whereIs(dst)
	g.op(bytecode.OpCopym, a, b, reg{}, int64(t.Size))
}

// whereIs makes an address a pointer in a register.
func (g *gen) whereIs(v ssa.Value) reg {
	p := g.resolve(v)
	if p.kind == placePtr && p.off == 0 {
		return p.base
	}
	return g.address(p)
}

// isBlank says whether a field is named _.
func isBlank(v *ssa.FieldAddr) bool {
	return pointee(v.X).Underlying().(*types.Struct).Field(v.Field).Name() == "_"
}
