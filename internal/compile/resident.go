package compile

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// maxResident is how many words a variable may have that lives in registers.
const maxResident = 64

// findResidents decides which variables live in the frame: those whose address
// is never needed, because it is only used to load and store the variable or
// parts of it.
func (g *gen) findResidents() {
	for _, b := range g.fn.Blocks {
		for _, instr := range b.Instrs {
			a, ok := instr.(*ssa.Alloc)
			if !ok {
				continue
			}
			if g.pruned(a) {
				continue
			}
			g.gather(a)
			if _, ok := g.resident[a]; !ok && g.mayReside(a) {
				g.resident[a] = g.regFor(g.typ(pointee(a)))
			}
		}
	}
}

// pointee is the type of the variable that a pointer points to.
func pointee(v ssa.Value) types.Type { return v.Type().Underlying().(*types.Pointer).Elem() }

func (g *gen) mayReside(a *ssa.Alloc) bool {
	t := g.typ(pointee(a))
	if t.Size > maxResident*wordSize {
		return false
	}
	return g.onlyAccessed(a, false)
}

// onlyAccessed says whether an address is only loaded from and stored to.
func (g *gen) onlyAccessed(addr ssa.Value, indexed bool) bool {
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Val == addr || !g.accessible(pointee(addr), indexed) {
				return false
			}
		case *ssa.UnOp:
			if ref.Op != token.MUL || !g.accessible(pointee(addr), indexed) {
				return false
			}
		case *ssa.FieldAddr:
			if !g.onlyAccessed(ref, indexed) {
				return false
			}
		case *ssa.IndexAddr:
			if ref.X != addr {
				return false
			}
			if _, ok := ref.Index.(*ssa.Const); !ok && indexed || !g.onlyAccessed(ref, indexed || !ok) {
				return false
			}
		case *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// accessible says whether there are instructions to access a part of a variable
// in registers: at a computed index there are none for odd sizes.
func (g *gen) accessible(typ types.Type, indexed bool) bool {
	if !indexed {
		return true
	}
	t := g.typ(typ)
	return t.Reg != bytecode.RegCopy || t.Size%wordSize == 0 && t.Align == wordSize
}

// inResident says whether an address is in a variable that lives in registers.
func (g *gen) inResident(v ssa.Value) bool {
	for {
		switch x := v.(type) {
		case *ssa.Alloc:
			_, ok := g.resident[x]
			return ok
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		default:
			return false
		}
	}
}

// alloc lowers the declaration of a variable.
func (g *gen) alloc(v *ssa.Alloc) {
	if r, ok := g.resident[v]; ok {
		if r.ok() {
			g.zero(r, g.width(r))
		}
		return
	}
	if madeSlice(v) != nil {
		return
	}
	if image := g.image(v); image != nil {
		g.newLiteral(v, image)
		return
	}
	if p := g.literal(v); p != 0 {
		g.move(g.def(v), g.pointerWord(int64(p)), 1)
		return
	}
	op := bytecode.OpNew
	if final(v) {
		op = bytecode.OpNewfinal
	}
	g.op(op, g.def(v), reg{}, reg{}, int64(g.c.types.index(g.allocated(v))))
}
