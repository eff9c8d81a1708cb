package compile

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// lazyLoad says whether a struct or array is loaded only to select parts of it
// before memory can change: then the parts are loaded instead.
func (g *gen) lazyLoad(v *ssa.UnOp) bool {
	if v.Op != token.MUL {
		return false
	}
	if f, ok := g.folds[v]; ok {
		return f
	}
	f := g.partsOnly(v, v)
	g.folds[v] = f
	return f
}

// partsOnly says whether only parts of part, which is part of load, are used.
func (g *gen) partsOnly(load *ssa.UnOp, part ssa.Value) bool {
	refs := *part.Referrers()
	if len(refs) == 0 || len(refs) > 3 && g.typ(part.Type()).Size <= 3*wordSize {
		return false
	}
	for _, ref := range refs {
		switch ref := ref.(type) {
		case *ssa.Field:
		case *ssa.Index:
			if ref.X != part || g.typ(part.Type()).Kind != bytecode.Array {
				return false
			}
		default:
			return false
		}
		if ref.Block() != load.Block() || !g.quietUntil(load, ref) {
			return false
		}
	}
	return g.typ(part.Type()).Size > 0
}

// part finds the place of a struct or array that is loaded lazily.
func (g *gen) part(v ssa.Value) (place, bool) {
	if load, ok := v.(*ssa.UnOp); ok && g.lazyLoad(load) {
		return g.resolve(load.X), true
	}
	return place{}, false
}

// field lowers the selection of a field of a struct in a register.
func (g *gen) field(v *ssa.Field) {
	f := g.typ(v.X.Type()).Fields[v.Field]
	if p, ok := g.part(v.X); ok {
		p.off += int64(f.Off)
		if g.typ(v.Type()).Size == 0 {
			g.check(p)
			g.vals[v] = reg{}
			return
		}
		if p.kind == placeFrame {
			g.loadFrame(g.def(v), p, g.typ(v.Type()))
			return
		}
		g.loadAt(g.def(v), p, v.Type())
		return
	}
	g.selectPart(v, v.X, int64(f.Off))
}

// selectPart makes v the part of a register at a byte offset.
func (g *gen) selectPart(v, x ssa.Value, off int64) {
	t := g.typ(v.Type())
	if t.Size == 0 {
		g.vals[v] = reg{}
		return
	}
	p := place{kind: placeFrame, base: g.use(x), off: off}
	if wholeWords(off, t) {
		g.alias(v, p.base.at(int(off/wordSize)))
		return
	}
	// The register may be a part of another one.
	g.loadPart(g.def(v), p, t, int(g.typ(x.Type()).Words))
}

// loadPart is loadFrame for a register of so many words.
func (g *gen) loadPart(d reg, p place, t *bytecode.Type, words int) {
	src := p.base.at(int(p.off / wordSize))
	in := p.off % wordSize
	if column(t) < col64 {
		g.opw(loadOps[placeFrame][column(t)], d, 1, reg{}, 0, src, 1, in)
		return
	}
	g.opw(bytecode.OpFldn, d, int(t.Words), reg{}, 0, src, min(words, spanWords(in, t.Size)), bytecode.Pack(t.Size, uint32(in)))
}

// index lowers the selection of an element of an array or string value.
func (g *gen) index(v *ssa.Index) {
	arr, ok := v.X.Type().Underlying().(*types.Array)
	if !ok {
		switch v.X.Type().Underlying().(type) {
		case *types.Slice:
			g.loadAt(g.def(v), place{kind: placeSlice, base: g.use(v.X), idx: g.use(v.Index), scale: int64(g.typ(v.Type()).Size), uint: unsignedWord(v.Index)}, v.Type())
		case *types.Pointer:
			arr := pointee(v.X).Underlying().(*types.Array)
			p := g.elementOf(place{base: g.use(v.X)}, v.Index, int64(g.typ(v.Type()).Size), arr.Len())
			g.loadAt(g.def(v), p, v.Type())
		default:
			g.op(bytecode.OpStridx, g.def(v), g.use(v.X), g.use(v.Index), 0)
			g.markUint(unsignedWord(v.Index))
		}
		return
	}
	t := g.typ(v.Type())
	if p, ok := g.part(v.X); ok {
		p = g.elementOf(p, v.Index, int64(t.Size), arr.Len())
		if t.Size == 0 {
			g.check(p)
			g.vals[v] = reg{}
			return
		}
		g.loadAt(g.def(v), p, v.Type())
		return
	}
	if k, ok := g.scalar(v.Index); ok && k >= 0 && k < arr.Len() {
		g.selectPart(v, v.X, k*int64(t.Size))
		return
	}
	idx, x, d := g.use(v.Index), g.use(v.X), g.def(v)
	g.op(bytecode.OpBound, reg{}, idx, reg{}, arr.Len())
	g.markUint(unsignedWord(v.Index))
	if t.Size == 0 {
		return
	}
	words := int(g.typ(v.X.Type()).Words)
	get := func(d reg, col int, off int) {
		g.opw(loadOps[placeFrameIndexed][col], d, 1, x, words, idx, 1, bytecode.Pack(t.Size, uint32(off)))
	}
	switch col := column(t); {
	case col <= col64:
		get(d, col, 0)
	case t.Size%wordSize == 0:
		for w := range int(t.Words) {
			get(d.at(w), col64, w*wordSize)
		}
	default:
		g.indexOdd(d, v, x, idx)
	}
}

// indexOdd selects an element of odd size by way of memory.
func (g *gen) indexOdd(d reg, v *ssa.Index, x, idx reg) {
	p := g.newPtrReg(1, []uint64{1})
	g.op(bytecode.OpNew, p, reg{}, reg{}, int64(g.c.types.index(v.X.Type())))
	g.storeAt(place{base: p}, x, v.X.Type())
	g.loadAt(d, place{kind: placeIndexed, base: p, idx: idx, scale: int64(g.typ(v.Type()).Size), uint: unsignedWord(v.Index)}, v.Type())
}
