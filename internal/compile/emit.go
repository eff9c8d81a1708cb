package compile

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// An emitter writes the final code of a function.
type emitter struct {
	g       *gen
	out     *bytecode.Func
	fixups  []fixup
	scratch int32 // words above the frame for cyclic copies
	counts  bool  // jumps back of loops that count are marked

	// register maps
	live, ptrs []uint64
	points     []bytecode.Safepoint
	maps       map[string]int32
	key        []byte
	pcs        []int32 // of the instructions of the current block
	resumeAt   int32   // behind the last instruction behind which a goroutine may stop
}

// A fixup is a jump whose target is not known yet.
type fixup struct {
	pc int
	to *block
}

// finish writes the code.
func (g *gen) finish() {
	e := &emitter{g: g, out: g.out, maps: make(map[string]int32)}
	g.out.Code, g.out.Lines, e.points = g.c.code0[:0], g.c.lines0[:0], g.c.points0[:0]
	e.threadJumps()
	e.findTables()
	g.out.Recover = -1
	for i, b := range g.blocks {
		e.block(b, i)
	}
	for _, f := range e.fixups {
		i := &e.out.Code[f.pc]
		if bytecode.Ops[i.Op].Pattern[3] == "ct" {
			i.Imm = bytecode.Pack(i.Hi(), uint32(f.to.pc))
		} else {
			i.Imm = int64(f.to.pc)
		}
	}
	if g.recover != nil {
		g.out.Recover = int(g.recover.pc)
	}
	frame := max(g.al.frame+e.scratch, int32(g.out.Results))
	if frame > maxFrame {
		g.fail("a frame of %d words: limit is %d", frame, maxFrame)
	}
	g.out.Frame = uint16(frame)
	slices.SortStableFunc(e.points, func(a, b bytecode.Safepoint) int { return int(a.PC - b.PC) })
	e.points = slices.CompactFunc(e.points, func(a, b bytecode.Safepoint) bool { return a.PC == b.PC })
	// The lists grew in shared memory.
	g.c.code0, g.c.lines0, g.c.points0 = g.out.Code, g.out.Lines, e.points
	g.out.Code, g.out.Lines, g.out.Points = slices.Clone(g.out.Code), slices.Clone(g.out.Lines), slices.Clone(e.points)
}

// threadJumps removes blocks that only jump, and finds the targets of backward
// jumps.
func (e *emitter) threadJumps() {
	g := e.g
	for _, b := range g.blocks {
		b.empty = b != g.entry && b != g.recover && b.term.op == bytecode.OpJmp && !slices.ContainsFunc(b.ins, func(i ins) bool { return e.emits(&i) })
	}
	resolve := func(b *block, t *turn) *block {
		for n := 0; b.empty; n++ {
			if n > len(g.blocks) { // an empty loop
				b.empty = false
				break
			}
			*t = t.join(b.term.turns[0])
			b = b.term.then
		}
		return b
	}
	for _, b := range g.blocks {
		if b.term.then != nil {
			b.term.then = resolve(b.term.then, &b.term.turns[0])
		}
		if b.term.els != nil {
			b.term.els = resolve(b.term.els, &b.term.turns[1])
		}
	}
	g.blocks = slices.DeleteFunc(g.blocks, func(b *block) bool { return b.empty })
	for i, b := range g.blocks {
		b.index = int32(i)
	}
	e.counts = true
	for _, b := range g.blocks {
		n, succs := b.term.succs()
		for i, s := range succs[:n] {
			if s.index <= b.index {
				s.target = true
			} else if b.term.turns[i] == endless {
				e.counts = false // the jump that must not be marked is none that goes back
			}
		}
	}
}

// mark is 1 for a jump back that counts.
func (e *emitter) mark(t turn) uint16 {
	if e.counts && t == counted {
		return 1
	}
	return 0
}

// slot is the word of the frame of a register.
func (e *emitter) slot(r reg) int32 {
	if !r.ok() {
		return 0
	}
	return e.g.vregs[r.v-1].slot + r.w
}

// emits says whether an instruction leaves code.
func (e *emitter) emits(i *ins) bool {
	switch i.op {
	case bytecode.OpNop, opEntry, opKeep:
		return false
	case bytecode.OpMov, bytecode.OpMov2, bytecode.OpMov3, bytecode.OpMovn:
		return e.slot(i.a) != e.slot(i.b)
	case opCopies:
		return slices.ContainsFunc(i.x.copies, func(c pcopy) bool { return c.con || e.slot(c.dst.reg) != e.slot(c.src.reg) })
	}
	return true
}

// put appends an instruction.
func (e *emitter) put(i bytecode.Instr) {
	e.out.Code = append(e.out.Code, i)
}

// block writes one block.
func (e *emitter) block(b *block, index int) {
	g := e.g
	b.pc = int32(len(e.out.Code))
	e.pcs = e.pcs[:0]
	for k := range b.ins {
		i := &b.ins[k]
		if !e.emits(i) {
			e.pcs = append(e.pcs, -1)
			continue
		}
		if len(e.out.Code) == int(b.pc) && e.needsPad(b, i) {
			e.put(bytecode.Instr{Op: bytecode.OpNop})
		}
		e.pad(i)
		e.line(i.pos)
		e.pcs = append(e.pcs, int32(len(e.out.Code)))
		g.scribe.note(int32(len(e.out.Code)), b, k)
		e.instr(i)
		if e.resumes(i) {
			e.resumeAt = int32(len(e.out.Code))
		}
	}
	var next *block
	if index+1 < len(g.blocks) {
		next = g.blocks[index+1]
	}
	ends := e.term(b, next)
	if (b == g.entry || b == g.recover || b.target) && len(e.out.Code) == int(b.pc) {
		e.put(bytecode.Instr{Op: bytecode.OpNop}) // the safepoint there is this block's
	}
	e.mapsOf(b, ends)
}

// needsPad says whether a block begins with a call whose register map is not
// the one that holds at the beginning of the block.
func (e *emitter) needsPad(b *block, i *ins) bool {
	return (b == e.g.entry || b == e.g.recover || b.target) && i.op < bytecode.NumOps && bytecode.Ops[i.op].Flags&bytecode.Call != 0
}

// instr writes one instruction.
func (e *emitter) instr(i *ins) {
	if i.op == opCopies {
		e.copies(i.x.copies)
		return
	}
	out := bytecode.Instr{Op: i.op, A: e.operand(i.a), B: e.operand(i.b), C: e.operand(i.c), Imm: i.imm}
	switch i.op {
	case bytecode.OpMov, bytecode.OpMov2, bytecode.OpMov3, bytecode.OpMovn:
		e.move(e.slot(i.a), e.slot(i.b), int32(i.wa))
		return
	case bytecode.OpFld8u, bytecode.OpFld8s, bytecode.OpFld16u, bytecode.OpFld16s, bytecode.OpFld32u, bytecode.OpFld32s,
		bytecode.OpFst8, bytecode.OpFst16, bytecode.OpFst32:
		out.Imm += int64(e.slot(i.c)) * wordSize
		out.C = 0
	case bytecode.OpFldn, bytecode.OpFstn:
		out.Imm += int64(e.slot(i.c)) * wordSize
		out.C = 0
	case bytecode.OpDefer, bytecode.OpDeferc, bytecode.OpDeferi:
		if !i.c.ok() {
			out.C = bytecode.NoReg
		}
	case bytecode.OpSelect:
		out.Imm = int64(e.selectCases(i.x))
	}
	if bytecode.Ops[i.op].Pattern[2] == "n" {
		out.C = i.n
	} else if i.n != 0 { // see markUint
		e.out.Uints = append(e.out.Uints, len(e.out.Code))
	}
	e.put(out)
}

// operand is a register operand.
func (e *emitter) operand(r reg) uint16 { return uint16(e.slot(r)) }

// move copies words between different places.
func (e *emitter) move(dst, src, words int32) {
	i := bytecode.Instr{Op: bytecode.OpMovn, A: uint16(dst), B: uint16(src), Imm: int64(words)}
	if words <= 3 {
		i.Op = [...]bytecode.Op{1: bytecode.OpMov, 2: bytecode.OpMov2, 3: bytecode.OpMov3}[words]
		i.Imm = 0
	}
	e.put(i)
}

// selectCases writes the table of a select statement.
func (e *emitter) selectCases(x *extra) int {
	sel := *x.sel
	sel.Cases = slices.Clone(sel.Cases)
	for k := range sel.Cases {
		c := &sel.Cases[k]
		c.Chan = int(e.slot(x.selRegs[2*k]))
		if c.Value >= 0 {
			c.Value = int(e.slot(x.selRegs[2*k+1]))
		}
	}
	n := 2 * len(sel.Cases)
	sel.RecvOk, sel.Index = int(e.slot(x.selRegs[n])), int(e.slot(x.selRegs[n+1]))
	e.out.Selects = append(e.out.Selects, sel)
	return len(e.out.Selects) - 1
}
