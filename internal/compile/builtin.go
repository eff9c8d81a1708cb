package compile

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// builtin lowers the call of a built-in function. The value v may be nil if the
// result is not wanted.
func (g *gen) builtin(v *ssa.Call, b *ssa.Builtin, args []ssa.Value) {
	switch name := b.Name(); name {
	case "len", "cap":
		g.lenCap(v, name, args[0])
	case "append":
		g.append(v, args[0], args[1])
	case "copy":
		elem := args[0].Type().Underlying().(*types.Slice).Elem()
		g.op(bytecode.OpCopy, g.result(v, 1), g.use(args[0]), g.use(args[1]), int64(g.typ(elem).Size))
	case "clear":
		g.clear(args[0])
	case "close":
		g.op(bytecode.OpClose, reg{}, g.use(args[0]), reg{}, 0)
	case "delete":
		m := args[0].Type().Underlying().(*types.Map)
		w := g.words(m.Key())
		g.opw(bytecode.OpMapdel, reg{}, 0, g.use(args[0]), 1, g.use(args[1]), w, int64(g.c.types.index(args[0].Type())))
	case "min", "max":
		g.minMax(v, name, args)
	case "print", "println":
		g.print(args, name == "println")
	case "recover":
		g.op(bytecode.OpRecover, g.result(v, 2), reg{}, reg{}, 0)
	case "panic":
		g.op(bytecode.OpPanic, reg{}, g.use(args[0]), reg{}, 0)
	case "complex":
		g.complex(v, args[0], args[1])
	case "real", "imag":
		g.realImag(v, name, args[0])
	case "ssa:wrapnilchk":
		g.wrapNilCheck(v, args)
	case "ssa:deferstack":
		g.op(bytecode.OpDeferstack, g.def(v), reg{}, reg{}, 0)
	case "Add":
		g.unsafeAdd(v, args[0], args[1])
	case "Slice":
		elem := args[0].Type().Underlying().(*types.Pointer).Elem()
		g.op(bytecode.OpUnsafeslice, g.result(v, 3), g.use(args[0]), g.use(args[1]), int64(g.c.types.index(elem)))
	case "String":
		g.op(bytecode.OpUnsafestr, g.result(v, 2), g.use(args[0]), g.use(args[1]), 0)
	case "SliceData", "StringData":
		g.alias(v, g.use(args[0]))
	case "Sizeof":
		g.constant(g.def(v), int64(g.typ(args[0].Type()).Size))
	case "Alignof":
		g.constant(g.def(v), int64(g.typ(args[0].Type()).Align))
	case "Offsetof":
		g.constant(g.def(v), g.offsetOf(args[0], v.Pos()))
	default:
		g.c.bug("%s: built-in function %s", g.fn, name)
	}
}

// offsetOf is the offset of the field that was selected to get a value. If it is
// a field of a variable, the selections before are those of embedded structs and
// count too.
func (g *gen) offsetOf(x ssa.Value, lparen token.Pos) int64 {
	all := g.selectsVariable(lparen)
	if load, ok := x.(*ssa.UnOp); ok {
		x = load.X
	}
	off := int64(-1)
	for {
		switch f := x.(type) {
		case *ssa.Field:
			off = max(off, 0) + int64(g.typ(f.X.Type()).Fields[f.Field].Off)
			x = f.X
		case *ssa.FieldAddr:
			off = max(off, 0) + g.fieldOffset(f)
			x = f.X
		default:
			if off < 0 {
				g.fail("unsafe.Offsetof of this field in a generic function")
			}
			return off
		}
		if !all {
			return off
		}
	}
}

// result is where the words of a built-in's result go.
func (g *gen) result(v *ssa.Call, words int) reg {
	if v == nil {
		return g.newReg(words)
	}
	return g.def(v)
}

func (g *gen) lenCap(v *ssa.Call, name string, x ssa.Value) {
	word := 1
	if name == "cap" {
		word = 2
	}
	switch t := x.Type().Underlying().(type) {
	case *types.Slice:
		g.alias(v, g.use(x).at(word))
	case *types.Basic:
		if c, ok := x.(*ssa.Const); ok {
			g.constant(g.def(v), int64(len(constant.StringVal(c.Value))))
			return
		}
		g.alias(v, g.use(x).at(1))
	case *types.Map:
		g.op(bytecode.OpMaplen, g.def(v), g.use(x), reg{}, 0)
	case *types.Chan:
		op := bytecode.OpChanlen
		if name == "cap" {
			op = bytecode.OpChancap
		}
		g.op(op, g.def(v), g.use(x), reg{}, 0)
	case *types.Array:
		g.constant(g.def(v), t.Len())
	case *types.Pointer:
		g.constant(g.def(v), t.Elem().Underlying().(*types.Array).Len())
	default:
		g.c.bug("%s: %s of %s", g.fn, name, x.Type())
	}
}

func (g *gen) clear(x ssa.Value) {
	switch t := x.Type().Underlying().(type) {
	case *types.Slice:
		g.op(bytecode.OpClearslice, reg{}, g.use(x), reg{}, int64(g.typ(t.Elem()).Size))
	case *types.Map:
		g.op(bytecode.OpMapclear, reg{}, g.use(x), reg{}, int64(g.c.types.index(x.Type())))
	}
}

func (g *gen) minMax(v *ssa.Call, name string, args []ssa.Value) {
	n := numOf(v.Type())
	var ops [2]bytecode.Op
	switch {
	case n.class == float64s:
		ops = [2]bytecode.Op{bytecode.OpMinf64, bytecode.OpMaxf64}
	case n.class == float32s:
		ops = [2]bytecode.Op{bytecode.OpMinf32, bytecode.OpMaxf32}
	case n.class == strings_:
		ops = [2]bytecode.Op{bytecode.OpMinstr, bytecode.OpMaxstr}
	case n.wideUnsigned():
		ops = [2]bytecode.Op{bytecode.OpMinu, bytecode.OpMaxu}
	default:
		ops = [2]bytecode.Op{bytecode.OpMini, bytecode.OpMaxi}
	}
	op := ops[0]
	if name == "max" {
		op = ops[1]
	}
	acc := g.use(args[0])
	for i, a := range args[1:] {
		d := g.regOf(v.Type())
		if i == len(args)-2 {
			d = g.def(v)
		}
		g.op(op, d, acc, g.use(a), 0)
		acc = d
	}
	if len(args) == 1 {
		g.alias(v, acc)
	}
}

// print lowers print and println.
func (g *gen) print(args []ssa.Value, line bool) {
	item := func(r reg, words int, kind int64) {
		g.opw(bytecode.OpPrint, reg{}, 0, r, words, reg{}, 0, kind)
	}
	for i, a := range args {
		if i > 0 && line {
			item(reg{}, 0, bytecode.PrintSpace)
		}
		item(g.use(a), g.words(a.Type()), printKind(a.Type()))
	}
	if line {
		item(reg{}, 0, bytecode.PrintNewline)
	}
}

func printKind(typ types.Type) int64 {
	switch u := typ.Underlying().(type) {
	case *types.Interface:
		return bytecode.PrintIface
	case *types.Slice:
		return bytecode.PrintSlice
	case *types.Basic:
		switch n := numOf(u); n.class {
		case bools:
			return bytecode.PrintBool
		case signed:
			return bytecode.PrintInt
		case unsigned:
			if named, ok := types.Unalias(typ).(*types.Named); ok && named.Obj().Name() == "hex" &&
				named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "runtime" {
				return bytecode.PrintHex
			}
			return bytecode.PrintUint
		case float64s:
			return bytecode.PrintFloat64
		case float32s:
			return bytecode.PrintFloat32
		case complex128s:
			return bytecode.PrintComplex128
		case complex64s:
			return bytecode.PrintComplex64
		case strings_:
			return bytecode.PrintString
		}
	}
	return bytecode.PrintPointer
}

func (g *gen) complex(v *ssa.Call, re, im ssa.Value) {
	if numOf(v.Type()).class == complex64s {
		g.op(bytecode.OpMkc64, g.def(v), g.use(re), g.use(im), 0)
		return
	}
	d := g.def(v)
	g.load(d, re)
	g.load(d.at(1), im)
}

func (g *gen) realImag(v *ssa.Call, name string, x ssa.Value) {
	if numOf(x.Type()).class == complex64s {
		op := bytecode.OpRealc64
		if name == "imag" {
			op = bytecode.OpImagc64
		}
		g.op(op, g.def(v), g.use(x), reg{}, 0)
		return
	}
	r := g.use(x)
	if name == "imag" {
		r = r.at(1)
	}
	g.alias(v, r)
}

func (g *gen) unsafeAdd(v *ssa.Call, p, n ssa.Value) {
	if k, ok := g.scalar(n); ok {
		g.op(bytecode.OpAddi, g.def(v), g.use(p), reg{}, k)
		return
	}
	g.op(bytecode.OpAdd, g.def(v), g.use(p), g.use(n), 0)
}

// wrapNilCheck lowers the check of a wrapper that calls a value method through a
// pointer. It panics as runtime.panicwrap does.
func (g *gen) wrapNilCheck(v *ssa.Call, args []ssa.Value) {
	p := g.use(args[0])
	g.alias(v, p)
	plain := g.c.runtimeType("plainError")
	if plain == nil {
		g.op(bytecode.OpNilchk, reg{}, p, reg{}, 0)
		return
	}
	elem := args[0].Type().Underlying().(*types.Pointer).Elem()
	method := constant.StringVal(args[2].(*ssa.Const).Value)
	pkg, name := "", elem.String()
	if named, ok := types.Unalias(elem).(*types.Named); ok {
		name = named.Obj().Name()
		if named.Obj().Pkg() != nil {
			pkg = named.Obj().Pkg().Path() + "."
		}
	}
	text := fmt.Sprintf("value method %s%s.%s called using nil *%s pointer", pkg, name, method, name)

	cold, done := g.newBlock(0), g.newBlock(g.cur.depth)
	g.branch(bytecode.OpJeqi, p, reg{}, 0, cold, done)
	g.blocks = append(g.blocks, done)
	g.cold = append(g.cold, cold)

	g.cur = cold
	r := g.newPtrReg(2, []uint64{3})
	g.constIface(r, types.NewInterfaceType(nil, nil), plain, text)
	g.op(bytecode.OpPanic, reg{}, r, reg{}, 0)
	g.cur = done
}
