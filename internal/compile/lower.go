package compile

import (
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// lower turns the blocks of the function into blocks of virtual instructions.
func (g *gen) lower() {
	fn := g.fn
	loops := findLoops(fn)
	order := layoutOrder(fn, loops)
	g.blockOf = make([]*block, len(fn.Blocks))
	for _, b := range order {
		g.blockOf[b.Index] = g.newBlock(loops.depth[b.Index])
		g.blockOf[b.Index].head = loops.head[b.Index]
	}
	g.entry = g.blockOf[0]
	g.cur = g.entry
	for _, p := range fn.Params {
		g.param(p)
	}
	g.keepParams()
	if len(fn.FreeVars) > 0 {
		g.closure = g.newPtrReg(1, []uint64{1})
		g.al.pinned = append(g.al.pinned, pin{g.closure.v - 1, int32(g.out.Params)})
	}
	g.finishParams()
	g.findResidents()
	g.loadFreeVars()
	for _, b := range order {
		if b == fn.Recover {
			g.recover = g.blockOf[b.Index]
		}
		g.lowerBlock(b)
	}
	g.blocks = append(g.blocks, g.cold...)
}

// param gives a parameter the next words of the frame.
func (g *gen) param(p ssa.Value) {
	words := g.words(p.Type())
	r := g.def(p)
	if words > 0 {
		g.al.pinned = append(g.al.pinned, pin{r.v - 1, int32(g.out.Params)})
	}
	if int(g.out.Params)+words > maxFrame {
		g.fail("a function with more than %d words of parameters", maxFrame)
	}
	g.out.Params += uint16(words)
}

// finishParams defines the parameters at the function's entry.
func (g *gen) finishParams() {
	x := &extra{}
	for _, p := range g.al.pinned {
		x.defs = append(x.defs, ref{reg{v: p.v + 1}, g.vregs[p.v].words})
	}
	g.emit(ins{op: opEntry, x: x})
}

// loadFreeVars loads captured values that are used more than once.
func (g *gen) loadFreeVars() {
	for _, fv := range g.fn.FreeVars {
		refs := *fv.Referrers()
		if len(refs) > 1 {
			g.vals[fv] = g.freeVar(fv)
		}
	}
}

// lowerBlock lowers one block and its end.
func (g *gen) lowerBlock(b *ssa.BasicBlock) {
	g.cur = g.blockOf[b.Index]
	g.blocks = append(g.blocks, g.cur)
	g.nth = 0
	if len(b.Preds) == 1 {
		g.phiCopies(b.Preds[0], b)
	}
	g.leaveRange(b)
	n := len(b.Instrs)
	lost := g.lostDefers(b)
	end := g.endOf(b)
	g.skips = nil
	for i, instr := range b.Instrs[:n-1] {
		if _, ok := instr.(*ssa.RunDefers); ok && end.IsValid() {
			g.pos = end
		}
		if i == lost {
			g.runDefers()
		}
		g.at = i
		g.tells(b, i)
		if !g.guards(instr) && !g.pruned(instr) && !g.inImage(i) {
			g.instr(instr)
		}
	}
	last := b.Instrs[n-1]
	g.tells(b, n-1)
	if lost == n-1 {
		g.runDefers()
	}
	if p := last.Pos(); p.IsValid() {
		g.pos = p
	} else if end.IsValid() {
		g.pos = end
	}
	switch v := last.(type) {
	case *ssa.Jump:
		g.edgeTo(b, b.Succs[0])
	case *ssa.If:
		if load, ok := v.Cond.(*ssa.UnOp); ok && isGuard(load.X) {
			g.edgeTo(b, b.Succs[1])
			break
		}
		g.branchOn(b, v.Cond)
	case *ssa.Return:
		g.ret(v)
	case *ssa.Panic:
		if state, over, ok := rangeFails(v); ok {
			g.op(bytecode.OpRangefail, reg{}, g.use(state), reg{}, over)
			break
		}
		g.op(bytecode.OpPanic, reg{}, g.use(v.X), reg{}, 0)
	default: // a call that does not return
		g.instr(last)
		g.emit(ins{op: bytecode.OpUnreachable})
	}
}

// edgeTo ends the current block with a jump to a block with phis.
func (g *gen) edgeTo(from, to *ssa.BasicBlock) {
	if len(to.Preds) > 1 {
		g.phiCopies(from, to)
	}
	g.jump(g.blockOf[to.Index])
	g.cur.term.turns[0] = g.turnOf(from, to)
}

// branchOn ends the current block with a conditional jump. An edge that needs
// copies gets a block of its own.
func (g *gen) branchOn(b *ssa.BasicBlock, v ssa.Value) {
	c := g.condition(v)
	from := g.cur
	ends, turns := [2]*block{}, [2]turn{}
	var splits []*block
	for i, s := range b.Succs {
		ends[i] = g.blockOf[s.Index]
		turns[i] = g.turnOf(b, s)
		if len(s.Preds) > 1 && hasPhis(s) {
			e := g.newBlock(min(from.depth, ends[i].depth))
			e.split = true
			g.cur = e
			// Both edges may lead to the same block: the phi's second edge is for the second.
			g.phiCopiesEdge(b, s, i == 1 && b.Succs[0] == b.Succs[1])
			g.jump(ends[i])
			e.term.turns[0] = turns[i]
			ends[i] = e
			splits = append(splits, e)
		}
	}
	g.cur = from
	g.branch(c.op, c.b, c.c, c.imm, ends[0], ends[1])
	from.term.turns = turns
	g.blocks = append(g.blocks, splits...)
}

// condition turns a boolean into the condition of a jump.
func (g *gen) condition(v ssa.Value) cond {
	if x, ok := v.(*ssa.BinOp); ok && g.fused(x) {
		return g.test(x)
	}
	return cond{op: bytecode.OpJt, b: g.use(v)}
}

func hasPhis(b *ssa.BasicBlock) bool {
	_, ok := b.Instrs[0].(*ssa.Phi)
	return ok
}

func (g *gen) phiCopies(from, to *ssa.BasicBlock) { g.phiCopiesEdge(from, to, false) }

// phiCopiesEdge assigns the phis of block to, coming from another block, all at
// once. If second is set it is the second of two edges between the blocks.
func (g *gen) phiCopiesEdge(from, to *ssa.BasicBlock, second bool) {
	if !hasPhis(to) {
		return
	}
	edge := slices.Index(to.Preds, from)
	if second {
		edge += 1 + slices.Index(to.Preds[edge+1:], from)
	}
	x := &extra{}
	for _, instr := range to.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		if g.pruned(phi) {
			continue
		}
		words := g.words(phi.Type())
		if words == 0 || len(*phi.Referrers()) == 0 {
			if words == 0 {
				g.vals[phi] = reg{}
			}
			continue
		}
		src := phi.Edges[edge]
		if src == ssa.Value(phi) {
			continue
		}
		c := pcopy{dst: ref{g.def(phi), int32(words)}}
		if k, ok := g.scalar(src); ok {
			c.con, c.imm = true, k
		} else {
			c.src = ref{g.use(src), int32(words)}
		}
		x.copies = append(x.copies, c)
	}
	if len(x.copies) > 0 {
		g.emit(ins{op: opCopies, x: x})
	}
}

// guards recognises what an initialiser does so that it runs only once.
func (g *gen) guards(instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.UnOp:
		return isGuard(v.X)
	case *ssa.Store:
		return isGuard(v.Addr)
	}
	return false
}

// lostDefers is the index of the instruction before which a block runs deferred
// calls, -1 if it does not. go/ssa removes RunDefers from functions without
// Defer, but the body of a range-over-func loop, which is another function, may
// defer calls on behalf of this one: then its caller's deferstack remains. Those
// calls run before the results are loaded to be returned.
func (g *gen) lostDefers(b *ssa.BasicBlock) int {
	n := len(b.Instrs) - 1
	if _, ok := b.Instrs[n].(*ssa.Return); !ok || !g.lendsDefers() || b == g.fn.Recover {
		return -1
	}
	for n > 0 {
		load, ok := b.Instrs[n-1].(*ssa.UnOp)
		if !ok || load.Op != token.MUL {
			break
		}
		n--
	}
	return n
}

// lendsDefers says whether only others defer calls to this function's end.
func (g *gen) lendsDefers() bool {
	if g.lends == 0 {
		g.lends = -1
		if g.fn.Recover != nil {
			g.lends = +1
		}
		for _, b := range g.fn.Blocks {
			for _, instr := range b.Instrs {
				switch instr.(type) {
				case *ssa.Defer, *ssa.RunDefers:
					g.lends = -1
					return false
				}
			}
		}
	}
	return g.lends > 0
}

// endOf is where a block that returns does so: at its return statement, or at
// the end of the function's body.
func (g *gen) endOf(b *ssa.BasicBlock) token.Pos {
	ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
	if !ok {
		return token.NoPos
	}
	if ret.Pos().IsValid() {
		return ret.Pos()
	}
	switch s := g.fn.Syntax().(type) {
	case *ast.FuncDecl:
		return s.Body.Rbrace
	case *ast.FuncLit:
		return s.Body.Rbrace
	}
	return token.NoPos
}
