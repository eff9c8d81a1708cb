package compile

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// receive lowers <-ch.
func (g *gen) receive(v *ssa.UnOp) {
	elem := v.X.Type().Underlying().(*types.Chan).Elem()
	imm := int64(g.c.types.index(elem))
	ch := g.use(v.X)
	if !v.CommaOk {
		words := g.words(elem)
		d := g.def(v)
		g.emit(ins{op: bytecode.OpRecv, a: d, wa: uint16(words), b: ch, wb: 1, n: unused(v), imm: imm})
		return
	}
	anchor, x, outs := g.results(elem, types.Typ[types.Bool])
	g.emit(ins{op: bytecode.OpRecv, a: anchor, b: ch, wb: 1, n: bytecode.RecvOk | unused(v), imm: imm, x: x})
	g.spread(v, outs)
}

// unused is RecvUnused if nobody looks at the value that is received.
func unused(v *ssa.UnOp) uint16 {
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.Extract:
			if ref.Index == 0 && len(*ref.Referrers()) > 0 {
				return 0
			}
		default:
			return 0
		}
	}
	return bytecode.RecvUnused
}

// selectStmt lowers a select statement.
func (g *gen) selectStmt(v *ssa.Select) {
	if len(v.States) > 65535 {
		g.fail("select with %d cases: limit is 65535", len(v.States))
	}
	used := make(map[int]bool)
	for _, ref := range *v.Referrers() {
		if e, ok := ref.(*ssa.Extract); ok {
			used[e.Index] = true
		}
	}
	sel := &bytecode.Select{Blocking: v.Blocking}
	x := &extra{sel: sel}
	index, recvOk := g.newReg(1), g.newReg(1)
	tuple := []reg{index, recvOk}
	var zeroed []ref
	for _, st := range v.States {
		elem := st.Chan.Type().Underlying().(*types.Chan).Elem()
		words := g.words(elem)
		c := bytecode.Case{Send: st.Dir == types.SendOnly, Elem: g.c.types.index(elem), Value: -1}
		ch := g.use(st.Chan)
		x.uses = append(x.uses, ref{ch, 1})
		val := reg{}
		if c.Send {
			val = g.use(st.Send)
			if words > 0 {
				x.uses = append(x.uses, ref{val, int32(words)})
			}
			c.Value = 0
		} else {
			if used[len(tuple)] {
				val = g.regOf(elem)
				if words > 0 {
					zeroed = append(zeroed, ref{val, int32(words)})
				}
				c.Value = 0
			}
			tuple = append(tuple, val)
		}
		sel.Cases = append(sel.Cases, c)
		x.selRegs = append(x.selRegs, ch, val)
	}
	// A receive that is not chosen yields the zero value: the machine writes
	// only the chosen one.
	for _, z := range zeroed {
		g.zero(z.reg, int(z.words))
	}
	x.uses = append(x.uses, zeroed...)
	x.defs = append(x.defs, zeroed...)
	x.defs = append(x.defs, ref{index, 1}, ref{recvOk, 1})
	x.selRegs = append(x.selRegs, recvOk, index)
	g.emit(ins{op: bytecode.OpSelect, x: x})
	g.tuples[v] = tuple
}
