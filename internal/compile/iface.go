package compile

import (
	"encoding/binary"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// makeInterface boxes a value. Constants are boxed in static memory.
func (g *gen) makeInterface(v, x ssa.Value) {
	d := g.def(v)
	t := g.typ(x.Type())
	word := g.c.types.ifaceWord(v.Type(), x.Type())
	if t.Flags&bytecode.FlagDirect == 0 {
		if box, ok := g.staticBox(x, t); ok {
			g.constant(d, int64(word))
			g.constant(d.at(1), int64(box))
			return
		}
	}
	if g.boxed(d.at(1), x, t) {
		g.constant(d, int64(word))
		return
	}
	i := g.c.iface(bytecode.Iface{Word: word, Type: g.c.types.index(x.Type())})
	words := g.words(x.Type())
	g.opw(bytecode.OpMkiface, d, 2, g.use(x), words, reg{}, 0, int64(i))
}

// boxed boxes what needs no register: zero values and what lies in memory.
func (g *gen) boxed(d reg, x ssa.Value, t *bytecode.Type) bool {
	var from reg
	switch x := x.(type) {
	case *ssa.Const:
		if x.Value != nil || t.Size <= 4*wordSize {
			return false
		}
	case *ssa.UnOp:
		if !g.copied(x) {
			return false
		}
		from = g.whereIs(x.X)
	default:
		return false
	}
	box := g.newPtrReg(1, []uint64{1})
	g.op(bytecode.OpNew, box, reg{}, reg{}, int64(g.c.types.index(x.Type())))
	if from.ok() {
		g.op(bytecode.OpCopym, box, from, reg{}, int64(t.Size))
	}
	g.move(d, box, 1)
	return true
}

// staticBox is a read-only copy of a constant.
func (g *gen) staticBox(x ssa.Value, t *bytecode.Type) (uint64, bool) {
	c, ok := x.(*ssa.Const)
	if !ok || t.Size == 0 || t.Size > 64 {
		return 0, false
	}
	image := make([]byte, (t.Size+7)&^7)
	if c.Value != nil {
		if s, ok := stringConst(c); ok {
			imm := g.c.str(s)
			if s != "" {
				binary.LittleEndian.PutUint64(image, bytecode.StaticPtr(bytecode.ObjStrings, uint32(uint64(imm)>>32)))
			}
			binary.LittleEndian.PutUint64(image[8:], uint64(len(s)))
		} else if k, ok := g.scalar(x); ok {
			binary.LittleEndian.PutUint64(image, uint64(k))
		} else {
			return 0, false
		}
	}
	return g.c.static(image), true
}

// constIface makes an interface that holds a string of a named type.
func (g *gen) constIface(d reg, iface, typ types.Type, s string) {
	image := make([]byte, 16)
	imm := g.c.str(s)
	binary.LittleEndian.PutUint64(image, bytecode.StaticPtr(bytecode.ObjStrings, uint32(uint64(imm)>>32)))
	binary.LittleEndian.PutUint64(image[8:], uint64(len(s)))
	g.constant(d, int64(g.c.types.ifaceWord(iface, typ)))
	g.constant(d.at(1), int64(g.c.static(image)))
}

// changeInterface converts between interface types, which cannot fail.
func (g *gen) changeInterface(v, x ssa.Value) {
	from, to := g.typ(x.Type()), g.typ(v.Type())
	if len(from.IMethods) == len(to.IMethods) {
		// The same methods: only names differ, and itabs by the name of the type.
		if len(to.IMethods) == 0 || g.c.types.index(x.Type()) == g.c.types.index(v.Type()) {
			g.alias(v, g.use(x))
			return
		}
	}
	g.c.types.desc(v.Type())
	g.op(bytecode.OpCvtiface, g.def(v), g.use(x), reg{}, int64(g.c.types.index(v.Type())))
}

// checksMethod says whether an assertion was made by go/ssa to check that the
// receiver of a method value is not nil. Nobody uses its result, and it has the
// position of the method value or none, which no assertion of a program has.
func checksMethod(v *ssa.TypeAssert) bool {
	if v.CommaOk || len(*v.Referrers()) > 0 || !types.Identical(v.X.Type(), v.AssertedType) {
		return false
	}
	if !v.Pos().IsValid() {
		return true
	}
	for _, instr := range v.Block().Instrs {
		if c, ok := instr.(*ssa.MakeClosure); ok && c.Pos() == v.Pos() {
			return true
		}
	}
	return false
}

// typeAssert lowers x.(T).
func (g *gen) typeAssert(v *ssa.TypeAssert) {
	if checksMethod(v) {
		g.op(bytecode.OpNilchk, reg{}, g.use(v.X), reg{}, 0)
		return
	}
	op := bytecode.OpAssert
	g.c.types.desc(v.AssertedType)
	g.c.types.desc(v.X.Type())
	if types.IsInterface(v.AssertedType) {
		op = bytecode.OpAsserti
	}
	a := g.c.assert(bytecode.Assert{Src: g.c.types.index(v.X.Type()), Target: g.c.types.index(v.AssertedType)})
	x := g.use(v.X)
	if !v.CommaOk {
		g.emit(ins{op: op, a: g.def(v), wa: uint16(g.words(v.AssertedType)), b: x, wb: 2, imm: int64(a)})
		return
	}
	anchor, ex, outs := g.results(v.AssertedType, types.Typ[types.Bool])
	g.emit(ins{op: op, a: anchor, b: x, wb: 2, n: 1, imm: int64(a), x: ex})
	g.spread(v, outs)
}
