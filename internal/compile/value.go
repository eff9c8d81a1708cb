package compile

import (
	"go/constant"
	"go/types"
	"math"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// use is the register that holds a value. Constants get a new one.
func (g *gen) use(v ssa.Value) reg {
	if r, ok := g.vals[v]; ok {
		return r
	}
	switch v := v.(type) {
	case *ssa.Const, *ssa.Global, *ssa.Function:
		r := g.newPtrReg(g.words(v.Type()), g.typ(v.Type()).Ptrs)
		if g.vregs[r.v-1].words == 0 {
			return reg{}
		}
		g.load(r, v)
		return r
	case *ssa.FreeVar:
		return g.freeVar(v)
	case *ssa.FieldAddr, *ssa.IndexAddr:
		if g.folded(v) {
			g.c.bug("%s: address %s is used as a value", g.fn, v.Name())
		}
	case *ssa.BinOp:
		if g.fused(v) {
			g.c.bug("%s: comparison %s is used as a value", g.fn, v.Name())
		}
	}
	r := g.regFor(g.typ(v.Type()))
	g.vals[v] = r
	return r
}

// def is the register that an instruction leaves its value in.
func (g *gen) def(v ssa.Value) reg {
	if r, ok := g.vals[v]; ok {
		return r
	}
	g.words(v.Type())
	r := g.regFor(g.typ(v.Type()))
	g.vals[v] = r
	return r
}

// alias makes a value another name of a register.
func (g *gen) alias(v ssa.Value, r reg) {
	if old, ok := g.vals[v]; ok && old != r {
		// A phi of an earlier block has already named it.
		g.move(old, r, g.words(v.Type()))
		return
	}
	g.vals[v] = r
}

// load brings a value into a register.
func (g *gen) load(dst reg, v ssa.Value) {
	words := g.words(v.Type())
	if words == 0 {
		return
	}
	if k, ok := g.scalar(v); ok {
		g.constant(dst, k)
		return
	}
	c, ok := v.(*ssa.Const)
	if !ok {
		g.move(dst, g.use(v), words)
		return
	}
	if c.Value == nil {
		g.zero(dst, words)
		return
	}
	switch b := c.Type().Underlying().(*types.Basic); {
	case b.Info()&types.IsString != 0:
		s := constant.StringVal(c.Value)
		if s == "" {
			g.zero(dst, 2)
			return
		}
		g.op(bytecode.OpStr, dst, reg{}, reg{}, g.c.str(s))
	case b.Info()&types.IsComplex != 0:
		z := c.Complex128()
		g.constant(dst, int64(math.Float64bits(real(z))))
		g.constant(dst.at(1), int64(math.Float64bits(imag(z))))
	default:
		g.c.bug("constant %s of type %s", c, c.Type())
	}
}

// scalar is the word of a constant that takes one: a number, a boolean, nil, or
// the address of something static.
func (g *gen) scalar(v ssa.Value) (int64, bool) {
	switch v := v.(type) {
	case *ssa.Global:
		return int64(g.c.global(v)), true
	case *ssa.Function:
		return int64(g.c.funcValue(v)), true
	case *ssa.Const:
		return g.scalarConst(v)
	}
	return 0, false
}

func (g *gen) scalarConst(c *ssa.Const) (int64, bool) {
	if c.Value == nil {
		t := g.typ(c.Type())
		return 0, t.Words == 1
	}
	b, ok := c.Type().Underlying().(*types.Basic)
	if !ok {
		// A constant of type parameter type does not survive instantiation.
		g.c.bug("constant %s of type %s", c, c.Type())
	}
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		if constant.BoolVal(c.Value) {
			return 1, true
		}
		return 0, true
	case info&types.IsInteger != 0:
		return truncate(intConst(c.Value), b.Kind()), true
	case b.Kind() == types.Float32:
		return int64(math.Float32bits(float32Of(c.Value))), true
	case info&types.IsFloat != 0:
		return int64(math.Float64bits(c.Float64())), true
	case b.Kind() == types.Complex64:
		re := math.Float32bits(float32Of(constant.Real(c.Value)))
		im := math.Float32bits(float32Of(constant.Imag(c.Value)))
		return int64(uint64(im)<<32 | uint64(re)), true
	case b.Kind() == types.UnsafePointer:
		return intConst(c.Value), true
	}
	return 0, false
}

func float32Of(v constant.Value) float32 {
	f, _ := constant.Float32Val(v)
	return f
}

// intConst is an integer constant as 64 bits.
func intConst(v constant.Value) int64 {
	v = constant.ToInt(v)
	if i, ok := constant.Int64Val(v); ok {
		return i
	}
	u, _ := constant.Uint64Val(v)
	return int64(u)
}

// truncate keeps the bits of an integer type, extended to 64.
func truncate(v int64, kind types.BasicKind) int64 {
	switch kind {
	case types.Int8:
		return int64(int8(v))
	case types.Int16:
		return int64(int16(v))
	case types.Int32, types.UntypedRune:
		return int64(int32(v))
	case types.Uint8:
		return int64(uint8(v))
	case types.Uint16:
		return int64(uint16(v))
	case types.Uint32:
		return int64(uint32(v))
	}
	return v
}

// freeVar loads a captured value from the closure object, where the captured
// words follow the code word.
func (g *gen) freeVar(v *ssa.FreeVar) reg {
	off := wordSize
	for _, fv := range g.fn.FreeVars {
		if fv == v {
			break
		}
		off += wordSize * g.words(fv.Type())
	}
	words := g.words(v.Type())
	r := g.regFor(g.typ(v.Type()))
	if words > 0 {
		g.loadWords(r, g.closure, words, off)
	}
	return r
}

// loadWords loads whole words from memory.
func (g *gen) loadWords(dst, ptr reg, words, off int) {
	switch words {
	case 1:
		g.op(bytecode.OpLd64, dst, ptr, reg{}, int64(off))
	case 2:
		g.op(bytecode.OpLd128, dst, ptr, reg{}, int64(off))
	case 3:
		g.op(bytecode.OpLd192, dst, ptr, reg{}, int64(off))
	default:
		g.opw(bytecode.OpLdn, dst, words, ptr, 1, reg{}, 0, bytecode.Pack(uint32(words*wordSize), uint32(off)))
	}
}
