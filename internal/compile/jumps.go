package compile

import (
	"math"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// backForms are the conditional jumps that may go back.
var backForms = map[bytecode.Op]bytecode.Op{
	bytecode.OpJlt: bytecode.OpJltback, bytecode.OpJle: bytecode.OpJleback, bytecode.OpJne: bytecode.OpJneback,
	bytecode.OpJlti: bytecode.OpJltiback, bytecode.OpJgti: bytecode.OpJgtiback,
	bytecode.OpJgei: bytecode.OpJgeiback, bytecode.OpJnei: bytecode.OpJneiback,
}

// A termPC is an instruction of a block's end that needs a register map.
type termPC struct {
	pc int32
	to *block // what is live at this block is live there; nil: what the end reads too
}

// term writes the end of a block. Of the two ways of a condition, the one that
// is next needs no jump.
func (e *emitter) term(b, next *block) []termPC {
	t := &b.term
	switch t.op {
	case bytecode.OpInvalid:
		return nil
	case bytecode.OpJmp:
		return e.jump(b, t.then, t.turns[0], next)
	}
	e.line(t.pos)
	if b.table != nil {
		e.jumpTable(b, next)
		return nil
	}
	c := cond{t.op, t.b, t.c, t.imm}
	then, els := t.then, t.els
	turnThen, turnEls := t.turns[0], t.turns[1]
	if then == els {
		return e.jump(b, then, turnThen.join(turnEls), next)
	}
	if then == next || els.index <= b.index && then.index > b.index && els != next {
		c, then, els = c.inverse(), els, then
		turnThen, turnEls = turnEls, turnThen
	}
	var points []termPC
	if then.index <= b.index {
		back, ok := e.backward(c)
		if !ok {
			// Jump over a jump back.
			skip := e.condJump(c.inverse(), nil)
			points = append(points, e.jump(b, then, turnThen, nil)...)
			if els.index > b.index {
				e.fixups = append(e.fixups, fixup{skip, els})
				return points
			}
			e.setTarget(skip, len(e.out.Code))
			return append(points, e.jump(b, els, turnEls, next)...)
		}
		points = append(points, termPC{pc: int32(len(e.out.Code))})
		c = back
	}
	pc := e.condJump(c, then)
	if then.index <= b.index {
		e.out.Code[pc].A = e.mark(turnThen)
	}
	return append(points, e.jump(b, els, turnEls, next)...)
}

// backward is the form of a conditional jump that may go back.
func (e *emitter) backward(c cond) (cond, bool) {
	switch {
	case c.op == bytecode.OpJt:
		c.op, c.imm = bytecode.OpJnei, 0
	case c.op == bytecode.OpJf: // a boolean is 0 or 1
		c.op, c.imm = bytecode.OpJlti, 1
	case c.op == bytecode.OpJlei && c.imm < math.MaxInt32:
		c.op, c.imm = bytecode.OpJlti, c.imm+1
	}
	op, ok := backForms[c.op]
	c.op = op
	return c, ok
}

// condJump writes a conditional jump and returns its address.
func (e *emitter) condJump(c cond, to *block) int {
	pc := len(e.out.Code)
	i := bytecode.Instr{Op: c.op, B: e.operand(c.b), C: e.operand(c.c)}
	if bytecode.Ops[c.op].Pattern[3] == "ct" {
		i.Imm = bytecode.Pack(uint32(c.imm), 0)
	}
	e.put(i)
	if to != nil {
		e.fixups = append(e.fixups, fixup{pc, to})
	}
	return pc
}

// setTarget completes a jump.
func (e *emitter) setTarget(pc, to int) {
	i := &e.out.Code[pc]
	if bytecode.Ops[i.Op].Pattern[3] == "ct" {
		i.Imm = bytecode.Pack(i.Hi(), uint32(to))
	} else {
		i.Imm = int64(to)
	}
}

// jump writes a jump from block b, unless its target is next.
func (e *emitter) jump(b, to *block, t turn, next *block) []termPC {
	if to == next {
		return nil
	}
	pc := len(e.out.Code)
	i := bytecode.Instr{Op: bytecode.OpJmp}
	var points []termPC
	if to.index <= b.index {
		i.Op, i.A = bytecode.OpJmpback, e.mark(t)
		points = append(points, termPC{int32(pc), to})
	}
	e.put(i)
	e.fixups = append(e.fixups, fixup{pc, to})
	return points
}
