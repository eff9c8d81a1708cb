package compile

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// instr lowers one instruction. Those that end a block are in block.go.
func (g *gen) instr(instr ssa.Instruction) {
	if p := instr.Pos(); p.IsValid() {
		g.pos = p
	}
	switch v := instr.(type) {
	case *ssa.DebugRef, *ssa.Phi:
	case *ssa.Alloc:
		g.alloc(v)
	case *ssa.Call:
		g.call(v)
	case *ssa.BinOp:
		if !g.skipped(v) {
			g.binop(v)
		}
	case *ssa.UnOp:
		g.unop(v)
	case *ssa.ChangeType:
		g.alias(v, g.use(v.X))
	case *ssa.Convert:
		g.convert(v, v.X)
	case *ssa.MultiConvert:
		g.multiConvert(v)
	case *ssa.ChangeInterface:
		g.changeInterface(v, v.X)
	case *ssa.SliceToArrayPointer:
		arr := pointee(v).Underlying().(*types.Array)
		g.op(bytecode.OpSlice2arr, g.def(v), g.use(v.X), reg{}, arr.Len())
	case *ssa.MakeInterface:
		g.makeInterface(v, v.X)
	case *ssa.MakeClosure:
		g.makeClosure(v)
	case *ssa.MakeMap:
		r := reg{}
		if v.Reserve != nil {
			r = g.use(v.Reserve)
		} else {
			r = g.word(0)
		}
		g.op(bytecode.OpMakemap, g.def(v), r, reg{}, int64(g.c.types.index(v.Type())))
	case *ssa.MakeChan:
		g.op(bytecode.OpMakechan, g.def(v), g.use(v.Size), reg{}, int64(g.c.types.index(v.Type())))
	case *ssa.MakeSlice:
		elem := v.Type().Underlying().(*types.Slice).Elem()
		n := g.use(v.Len)
		m := n
		if v.Cap != v.Len {
			m = g.use(v.Cap)
		}
		g.op(bytecode.OpMakeslice, g.def(v), n, m, int64(g.c.types.index(elem)))
	case *ssa.Slice:
		g.slice(v)
	case *ssa.FieldAddr:
		g.addr(v)
	case *ssa.IndexAddr:
		g.addr(v)
	case *ssa.Field:
		g.field(v)
	case *ssa.Index:
		g.index(v)
	case *ssa.Lookup:
		g.lookup(v)
	case *ssa.Select:
		g.selectStmt(v)
	case *ssa.Range:
		g.rangeOver(v)
	case *ssa.Next:
		g.next(v)
	case *ssa.TypeAssert:
		g.typeAssert(v)
	case *ssa.Extract:
		g.extract(v)
	case *ssa.Go:
		g.goStmt(v)
	case *ssa.Defer:
		g.deferStmt(v)
	case *ssa.RunDefers:
		g.runDefers()
	case *ssa.Send:
		elem := v.Chan.Type().Underlying().(*types.Chan).Elem()
		g.opw(bytecode.OpSend, reg{}, 0, g.use(v.Chan), 1, g.use(v.X), g.words(elem), int64(g.c.types.index(elem)))
	case *ssa.Store:
		g.store(v)
	case *ssa.MapUpdate:
		m := v.Map.Type().Underlying().(*types.Map)
		key, val := g.words(m.Key()), g.words(m.Elem())
		g.opw(bytecode.OpMapset, g.use(v.Map), 1, g.use(v.Key), key, g.use(v.Value), val, int64(g.c.types.index(v.Map.Type())))
	default:
		g.c.bug("%s: instruction %T", g.fn, instr)
	}
}

// runDefers runs deferred calls. Their frames lie above this one.
func (g *gen) runDefers() {
	g.emit(ins{op: bytecode.OpRundefers, x: &extra{call: -1}})
}

// lookup reads a map.
func (g *gen) lookup(v *ssa.Lookup) {
	m, ok := v.X.Type().Underlying().(*types.Map)
	if !ok { // a string
		g.op(bytecode.OpStridx, g.def(v), g.use(v.X), g.use(v.Index), 0)
		g.markUint(unsignedWord(v.Index))
		return
	}
	typ := int64(g.c.types.index(v.X.Type()))
	key, val := g.words(m.Key()), g.words(m.Elem())
	x, k := g.use(v.X), g.use(v.Index)
	if !v.CommaOk {
		g.opw(bytecode.OpMapget, g.def(v), val, x, 1, k, key, typ)
		return
	}
	anchor, x2, outs := g.results(m.Elem(), types.Typ[types.Bool])
	g.emit(ins{op: bytecode.OpMapget2, a: anchor, b: x, wb: 1, c: k, wc: uint16(key), imm: typ, x: x2})
	g.spread(v, outs)
}

// results makes the registers that an instruction leaves several values in, one
// behind the other.
func (g *gen) results(ts ...types.Type) (reg, *extra, []ref) {
	anchor := g.newPtrReg(0, nil)
	outs := make([]ref, len(ts))
	off := 0
	for i, t := range ts {
		words := g.words(t)
		outs[i] = ref{g.regOf(t), int32(words)}
		g.tie(anchor, outs[i].reg, off)
		off += words
	}
	var defs []ref
	for _, o := range outs {
		if o.words > 0 {
			defs = append(defs, o)
		}
	}
	return anchor, &extra{defs: defs}, outs
}

// rangeOver makes an iterator.
func (g *gen) rangeOver(v *ssa.Range) {
	if _, ok := v.X.Type().Underlying().(*types.Map); ok {
		it := g.newPtrReg(4, []uint64{1})
		g.vals[v] = it
		g.op(bytecode.OpMaprange, it, g.use(v.X), reg{}, int64(g.c.types.index(v.X.Type())))
		return
	}
	it := g.newPtrReg(3, []uint64{1})
	g.vals[v] = it
	g.load(it, v.X)
	g.constant(it.at(2), 0)
}

// next advances an iterator.
func (g *gen) next(v *ssa.Next) {
	it := g.vals[v.Iter]
	boolean, integer := types.Typ[types.Bool], types.Typ[types.Int]
	if v.IsString {
		anchor, x, outs := g.results(boolean, integer, types.Typ[types.Int32])
		g.emit(ins{op: bytecode.OpStrnext, a: anchor, b: it, wb: 3, x: x})
		g.spread(v, outs)
		return
	}
	m := v.Iter.(*ssa.Range).X.Type()
	mt := m.Underlying().(*types.Map)
	var parts uint16
	for _, ref := range *v.Referrers() {
		if e, ok := ref.(*ssa.Extract); ok && e.Index > 0 {
			parts |= 1 << (e.Index - 1)
		}
	}
	ts := []types.Type{boolean}
	if parts&1 != 0 {
		ts = append(ts, mt.Key())
	}
	if parts&2 != 0 {
		ts = append(ts, mt.Elem())
	}
	anchor, x, outs := g.results(ts...)
	g.emit(ins{op: bytecode.OpMapnext, a: anchor, b: it, wb: 4, n: parts, imm: int64(g.c.types.index(m)), x: x})
	full := []ref{outs[0], {}, {}}
	k := 1
	for i := range 2 {
		if parts>>i&1 != 0 {
			full[i+1] = outs[k]
			k++
		}
	}
	g.spread(v, full)
}
