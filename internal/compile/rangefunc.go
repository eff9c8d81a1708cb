package compile

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A loop over a function that is not left as it has to be panics with an error of package runtime. In SSA form it panics with a
// string that says nothing of how it was left. So such a panic gets the loop's state as its operand instead, before anything
// else looks at the function.

// tellRangeStates does that.
func tellRangeStates(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		if b.Comment != yieldFails && b.Comment != resumeFails || len(b.Preds) != 1 {
			continue
		}
		v, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Panic)
		branch, isIf := b.Preds[0].Instrs[len(b.Preds[0].Instrs)-1].(*ssa.If)
		if !ok || !isIf {
			continue
		}
		if cond, ok := branch.Cond.(*ssa.BinOp); ok && types.Identical(cond.X.Type(), types.Typ[types.Int]) {
			v.X = cond.X
			if refs := cond.X.Referrers(); refs != nil {
				*refs = append(*refs, v)
			}
		}
	}
}

// What package ssa calls the blocks that panic so, and where it looks by which statement a loop was left.
const (
	yieldFails  = "yield-invalid"
	resumeFails = "rangefunc.resume.busy"
	resumeExits = "rangefunc.resume.exits"
)

// rangeFails returns the state of a loop whose failure a panic is, and 1 if it was over.
func rangeFails(v *ssa.Panic) (state ssa.Value, over int64, ok bool) {
	if types.IsInterface(v.X.Type()) {
		return nil, 0, false
	}
	if v.Block().Comment == resumeFails {
		over = 1
	}
	return v.X, over, true
}

// leaveRange ends a loop over a function that was left by a statement: package ssa does so only where it came to its end. It belongs to
// the block in which it is looked up which statement that was.
func (g *gen) leaveRange(b *ssa.BasicBlock) {
	if b.Comment != resumeExits || len(b.Preds) != 1 {
		return
	}
	branch, ok := b.Preds[0].Instrs[len(b.Preds[0].Instrs)-1].(*ssa.If)
	if !ok {
		return
	}
	cond, ok := branch.Cond.(*ssa.BinOp)
	if !ok {
		return
	}
	if state, ok := cond.X.(*ssa.UnOp); ok && state.Op == token.MUL {
		g.storeAt(g.resolve(state.X), g.word(rangeDone), types.Typ[types.Int])
	}
}

// rangeDone is the state of a loop that is over, as package ssa has it.
const rangeDone = -2
