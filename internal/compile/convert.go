package compile

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// convert lowers conversions that may change the representation.
func (g *gen) convert(v ssa.Value, x ssa.Value) {
	from, to := x.Type().Underlying(), v.Type().Underlying()
	nf, nt := numOf(from), numOf(to)
	switch {
	case types.IdenticalIgnoreTags(from, to):
		g.alias(v, g.use(x))
	case nt.class == strings_:
		g.toString(v, x, from, nf)
	case nf.class == strings_:
		op := bytecode.OpStrbytes
		if elem := to.(*types.Slice).Elem().Underlying().(*types.Basic); elem.Kind() != types.Uint8 {
			op = bytecode.OpStrrunes
		}
		g.op(op, g.def(v), g.use(x), reg{}, 0)
	case nf.isInt() && nt.isInt():
		g.convertInt(v, x, nf, nt)
	case nf.class == notNum && nt.class == notNum:
		g.pun(x, v.Type())
		g.alias(v, g.use(x))
	case nf.class == notNum && g.keepsNumber(v):
		g.op(bytecode.OpPtrnum, g.def(v), g.use(x), reg{}, g.insideLibrary())
	case nf.class == notNum && g.asksAlignment(v):
		g.op(bytecode.OpPtrnum, g.def(v), g.use(x), reg{}, bytecode.NumberAligned)
	case nf.class == notNum || nt.class == notNum:
		// Between unsafe.Pointer and uintptr: one is a pointer and the other is not.
		g.move(g.def(v), g.use(x), g.words(v.Type()))
	default:
		g.convertNum(g.def(v), g.use(x), nf, nt)
	}
}

func (g *gen) toString(v, x ssa.Value, from types.Type, nf num) {
	d := g.def(v)
	switch {
	case nf.isInt():
		g.op(bytecode.OpRunestr, d, g.use(x), reg{}, 0)
	default:
		op := bytecode.OpBytesstr
		if elem := from.(*types.Slice).Elem().Underlying().(*types.Basic); elem.Kind() != types.Uint8 {
			op = bytecode.OpRunesstr
		}
		g.op(op, d, g.use(x), reg{}, 0)
	}
}

// convertInt keeps the low bits. Widening needs nothing, since words hold
// narrow integers extended.
func (g *gen) convertInt(v, x ssa.Value, nf, nt num) {
	narrower := nf.bits > nt.bits
	resigned := nf.bits == nt.bits && nf.class != nt.class && nf.bits < 64
	widened := nf.bits < nt.bits && nf.class == signed && nt.class == unsigned && nt.bits < 64
	if !narrower && !resigned && !widened {
		g.alias(v, g.use(x))
		return
	}
	g.op(extension(nt), g.def(v), g.use(x), reg{}, 0)
}

// convertNum converts where floats or complex numbers are involved, as gc does
// on amd64: to small integers by way of int32, to uint32 by way of int64.
func (g *gen) convertNum(d, x reg, nf, nt num) {
	one := func(op bytecode.Op) { g.op(op, d, x, reg{}, 0) }
	switch {
	case nf == nt:
		g.move(d, x, int(max(1, g.vregs[d.v-1].words)))
	case nf.class == float64s && nt.class == float32s:
		one(bytecode.OpCvtf64f32)
	case nf.class == float32s && nt.class == float64s:
		one(bytecode.OpCvtf32f64)
	case nf.class == complex64s && nt.class == complex128s:
		one(bytecode.OpCvtc64c128)
	case nf.class == complex128s && nt.class == complex64s:
		one(bytecode.OpCvtc128c64)
	case nf.isInt() && nt.class == float64s:
		if nf.wideUnsigned() {
			one(bytecode.OpCvtuf64)
		} else {
			one(bytecode.OpCvtif64)
		}
	case nf.isInt() && nt.class == float32s:
		if nf.wideUnsigned() {
			one(bytecode.OpCvtuf32)
		} else {
			one(bytecode.OpCvtif32)
		}
	default:
		g.floatToInt(d, x, nf, nt)
	}
}

func (g *gen) floatToInt(d, x reg, nf, nt num) {
	wide, wideU, narrow := bytecode.OpCvtf64i, bytecode.OpCvtf64u, bytecode.OpCvtf64i32
	if nf.class == float32s {
		wide, wideU, narrow = bytecode.OpCvtf32i, bytecode.OpCvtf32u, bytecode.OpCvtf32i32
	}
	switch {
	case nt.wideUnsigned():
		g.op(wideU, d, x, reg{}, 0)
	case nt.bits == 64, nt == num{unsigned, 32}:
		g.op(wide, d, x, reg{}, 0)
		g.extend(d, nt)
	default:
		g.op(narrow, d, x, reg{}, 0)
		if nt.bits < 32 {
			g.extend(d, nt)
		}
	}
}

// multiConvert lowers a conversion whose kind depends on type arguments; in an
// instance they are known.
func (g *gen) multiConvert(v *ssa.MultiConvert) {
	from, to := v.X.Type().Underlying(), v.Type().Underlying()
	if s, ok := from.(*types.Slice); ok {
		switch t := to.(type) {
		case *types.Array:
			if types.Identical(s.Elem(), t.Elem()) {
				p := g.newPtrReg(1, []uint64{1})
				g.op(bytecode.OpSlice2arr, p, g.use(v.X), reg{}, t.Len())
				g.loadAt(g.def(v), place{base: p}, v.Type())
				return
			}
		case *types.Pointer:
			if a, ok := t.Elem().Underlying().(*types.Array); ok && types.Identical(s.Elem(), a.Elem()) {
				g.op(bytecode.OpSlice2arr, g.def(v), g.use(v.X), reg{}, a.Len())
				return
			}
		}
	}
	if types.IsInterface(v.Type()) {
		if types.IsInterface(v.X.Type()) {
			g.changeInterface(v, v.X)
		} else {
			g.makeInterface(v, v.X)
		}
		return
	}
	if numOf(from).class == notNum && numOf(to).class == notNum {
		g.pun(v.X, v.Type())
		g.alias(v, g.use(v.X))
		return
	}
	g.convert(v, v.X)
}
