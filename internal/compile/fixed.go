package compile

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// Variables such as io.EOF are assigned when their package is initialised and
// never again. That such a variable is read depends on nothing, which a search
// wants to know: most functions of the library mention one.

// noteGlobals notes which variables a function may change, or lets others change
// by taking their addresses.
func (c *compiler) noteGlobals(fn *ssa.Function) {
	if fn == nil {
		return
	}
	init := isInit(fn)
	var operands [8]*ssa.Value
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			for _, op := range instr.Operands(operands[:0]) {
				if v, ok := (*op).(*ssa.Global); ok && !c.varying[v] && !reads(instr, v, init) {
					c.varying[v] = true
				}
			}
		}
	}
}

// reads reports whether an instruction only reads a variable. In an initialiser
// it may assign to it.
func reads(instr ssa.Instruction, v *ssa.Global, init bool) bool {
	switch x := instr.(type) {
	case *ssa.UnOp:
		return x.Op == token.MUL
	case *ssa.Store:
		return init && x.Addr == ssa.Value(v) && x.Val != ssa.Value(v)
	case *ssa.FieldAddr:
		return onlyLoads(x)
	case *ssa.IndexAddr:
		return onlyLoads(x)
	case *ssa.DebugRef:
		return true
	}
	return false
}

// onlyLoads reports whether an address of a part is used for reading alone.
func onlyLoads(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch x := r.(type) {
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return false
			}
		case *ssa.FieldAddr:
			if !onlyLoads(x) {
				return false
			}
		case *ssa.IndexAddr:
			if x.X != v || !onlyLoads(x) {
				return false
			}
		case *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// fixGlobals marks the variables that nobody changes. Initialisers are looked at
// whole, whatever of them was compiled.
func (c *compiler) fixGlobals() {
	for _, p := range c.lp.Packages {
		if p.SSA != nil {
			c.noteGlobals(p.SSA.Func("init"))
		}
	}
	varies := make([]bool, len(c.prog.Globals))
	for v := range c.varying {
		if i, ok := c.globals[v]; ok {
			varies[i] = true
		}
	}
	for i := range varies {
		g := &c.prog.Globals[i]
		g.Fixed = !varies[i] && g.Origin == bytecode.Variable // literals are written through pointers
	}
}
