package compile

import (
	"encoding/binary"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// minImage is how many constant stores a literal must have to be copied from
// static memory.
const minImage = 4

// image finds the constant parts of a composite literal that is built in memory:
// they are copied from static memory all at once, and the stores that would have
// made them are skipped. Nobody knows the address of a literal before it is
// complete, so nobody can tell. The literal ends where its address is used for
// something else than to fill it.
func (g *gen) image(a *ssa.Alloc) []byte {
	if a.Comment != "slicelit" && a.Comment != "complit" && a.Comment != "varargs" {
		return nil
	}
	size := g.typ(pointee(a)).Size
	if size < minImage || size > 1<<26 || len(*a.Referrers()) < 2 {
		return nil
	}
	b := imageBuilder{g: g, literal: a}
	b.scan()
	if len(b.stores) < minImage {
		return nil
	}
	b.bytes = make([]byte, size)
	if g.skips == nil {
		g.skips = make([]bool, len(a.Block().Instrs))
	}
	for _, i := range b.skip {
		g.skips[i] = true
	}
	for _, st := range b.stores {
		b.value(st.Val, b.offset(st.Addr))
	}
	return b.bytes
}

// An imageBuilder collects the constant stores to a literal.
type imageBuilder struct {
	g       *gen
	literal *ssa.Alloc
	stores  []*ssa.Store
	skip    []int // instructions of the block
	bytes   []byte
}

// scan looks for the end of the literal and collects the stores before it.
func (b *imageBuilder) scan() {
	var buf [8]*ssa.Value
	instrs := b.literal.Block().Instrs
	for i := b.g.at + 1; i < len(instrs); i++ {
		switch v := instrs[i].(type) {
		case *ssa.FieldAddr, *ssa.Jump, *ssa.If, *ssa.Return:
			continue
		case *ssa.IndexAddr:
			if v.Index != ssa.Value(b.literal) {
				continue
			}
		case *ssa.Alloc:
			if b.inner(v) {
				b.skip = append(b.skip, i)
			}
			continue
		case *ssa.UnOp:
			if a, ok := v.X.(*ssa.Alloc); ok && b.inner(a) {
				b.skip = append(b.skip, i)
				continue
			}
		case *ssa.Store:
			root := constRoot(v.Addr)
			if root == ssa.Value(b.literal) && constRoot(v.Val) != root {
				if f, ok := v.Addr.(*ssa.FieldAddr); ok && isBlank(f) {
					continue
				}
				if b.constant(v.Val) {
					b.stores = append(b.stores, v)
					b.skip = append(b.skip, i)
				}
				continue
			}
			if a, ok := root.(*ssa.Alloc); ok && b.inner(a) {
				b.skip = append(b.skip, i)
				continue
			}
		}
		for _, op := range instrs[i].Operands(buf[:0]) {
			if *op != nil && constRoot(*op) == ssa.Value(b.literal) {
				return
			}
		}
	}
}

// constant says whether a value that is stored to the literal is one.
func (b *imageBuilder) constant(v ssa.Value) bool {
	if load, ok := v.(*ssa.UnOp); ok {
		return constLocal(load) != nil
	}
	return isConstant(v)
}

// inner says whether a variable is a constant literal that becomes part of this
// one.
func (b *imageBuilder) inner(a *ssa.Alloc) bool {
	if a.Comment != "complit" || a.Block() != b.literal.Block() {
		return false
	}
	for _, ref := range *a.Referrers() {
		if load, ok := ref.(*ssa.UnOp); ok {
			if constLocal(load) != a {
				return false
			}
			st, ok := (*load.Referrers())[0].(*ssa.Store)
			return ok && st.Val == ssa.Value(load) && constRoot(st.Addr) == ssa.Value(b.literal)
		}
	}
	return false
}

// offset is how far from its literal's begin an address is.
func (b *imageBuilder) offset(addr ssa.Value) int64 {
	switch v := addr.(type) {
	case *ssa.FieldAddr:
		return b.offset(v.X) + b.g.fieldOffset(v)
	case *ssa.IndexAddr:
		return b.offset(v.X) + intConst(v.Index.(*ssa.Const).Value)*int64(b.g.typ(pointee(v)).Size)
	}
	return 0
}

// value writes a constant to the image.
func (b *imageBuilder) value(v ssa.Value, off int64) {
	t := b.g.typ(v.Type())
	if load, ok := v.(*ssa.UnOp); ok {
		b.parts(load.X, off)
		return
	}
	if k, ok := b.g.scalar(v); ok {
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], uint64(k))
		copy(b.bytes[off:off+int64(t.Size)], word[:])
		return
	}
	if s, ok := stringConst(v.(*ssa.Const)); ok {
		copy(b.bytes[off:], b.g.c.staticString(nil, s))
		return
	}
	clear(b.bytes[off : off+int64(t.Size)])
}

// parts writes the parts of a constant literal inside.
func (b *imageBuilder) parts(addr ssa.Value, off int64) {
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			b.value(ref.Val, off)
		case *ssa.FieldAddr:
			if !isBlank(ref) {
				b.parts(ref, off+b.g.fieldOffset(ref))
			}
		case *ssa.IndexAddr:
			b.parts(ref, off+intConst(ref.Index.(*ssa.Const).Value)*int64(b.g.typ(pointee(ref)).Size))
		}
	}
}

// isConstant says whether an image can hold a value.
func isConstant(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value == nil {
			return true
		}
		b, ok := v.Type().Underlying().(*types.Basic)
		return ok && b.Kind() != types.Complex128 && b.Kind() != types.UntypedComplex
	case *ssa.Function, *ssa.Global:
		return true
	}
	return false
}

// constLocal is the variable that holds a constant literal which is only loaded
// to become part of a larger one, nil if the load is another one.
func constLocal(load *ssa.UnOp) *ssa.Alloc {
	a, ok := load.X.(*ssa.Alloc)
	if !ok || load.Op != token.MUL || a.Comment != "complit" || a.Block() != load.Block() || len(*load.Referrers()) != 1 {
		return nil
	}
	for _, ref := range *a.Referrers() {
		if ref != ssa.Instruction(load) && !constStores(ref, a) {
			return nil
		}
	}
	return a
}

// constStores says whether an instruction that mentions an address only serves
// to store constants there, in the block of its variable.
func constStores(instr ssa.Instruction, addr ssa.Value) bool {
	if instr.Block() != addr.(ssa.Instruction).Block() {
		return false
	}
	switch v := instr.(type) {
	case *ssa.Store:
		return v.Addr == addr && isConstant(v.Val)
	case *ssa.FieldAddr:
		for _, ref := range *v.Referrers() {
			if !constStores(ref, v) {
				return false
			}
		}
		return true
	case *ssa.IndexAddr:
		if _, ok := v.Index.(*ssa.Const); !ok || v.X != addr {
			return false
		}
		for _, ref := range *v.Referrers() {
			if !constStores(ref, v) {
				return false
			}
		}
		return true
	}
	return false
}

// constRoot is what an address is computed from by constant steps.
func constRoot(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			if _, ok := x.Index.(*ssa.Const); !ok {
				return nil
			}
			if _, ok := x.X.Type().Underlying().(*types.Pointer); !ok {
				return nil
			}
			v = x.X
		default:
			return v
		}
	}
}

// newLiteral allocates a literal and copies its constant parts.
func (g *gen) newLiteral(v *ssa.Alloc, image []byte) {
	d := g.def(v)
	if p := g.literal(v); p != 0 {
		g.move(d, g.pointerWord(int64(p)), 1)
	} else {
		g.op(bytecode.OpNew, d, reg{}, reg{}, int64(g.c.types.index(pointee(v))))
	}
	src := g.pointerWord(int64(g.c.static(image)))
	g.op(bytecode.OpCopym, d, src, reg{}, int64(len(image)))
}

// inImage says whether an image made instruction i of the current block
// superfluous.
func (g *gen) inImage(i int) bool { return g.skips != nil && g.skips[i] }
