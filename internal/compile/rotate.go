package compile

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// maxHead is how many instructions the head of a loop may have to be copied.
const maxHead = 4

// rotate copies the test at the head of a loop to the ends of the blocks that
// jump to it, so that a turn of the loop takes one jump:
//
//	jmp head; head: if c goto body else done; body: ...; jmp head
//
// becomes
//
//	if c goto body else done; body: ...; if c goto body else done
func (g *gen) rotate() {
	for _, b := range g.blocks {
		for range 2 {
			if b.term.op != bytecode.OpJmp || !rotatable(b.term.then) || b == b.term.then {
				break
			}
			h := b.term.then
			t := b.term.turns[0]
			b.ins = append(b.ins, h.ins...)
			b.term = h.term
			for i := range b.term.turns {
				b.term.turns[i] = t.join(h.term.turns[i])
			}
		}
	}
	g.dropUnreached()
}

// rotatable says whether a block is a loop's head that only tests.
func rotatable(h *block) bool {
	if !h.head || len(h.ins) > maxHead || h.term.op == bytecode.OpInvalid || h.term.op == bytecode.OpJmp {
		return false
	}
	for i := range h.ins {
		switch op := h.ins[i].op; {
		case op >= bytecode.NumOps:
			return false
		case bytecode.Ops[op].Flags&(bytecode.Visible|bytecode.Call|bytecode.Point|bytecode.Ends) != 0:
			return false
		case h.ins[i].x != nil:
			return false
		}
	}
	return true
}

// dropUnreached removes blocks that nothing leads to.
func (g *gen) dropUnreached() {
	var stack []*block
	reach := func(b *block) {
		if b != nil && !b.reached {
			b.reached = true
			stack = append(stack, b)
		}
	}
	reach(g.entry)
	reach(g.recover)
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n, succs := b.term.succs()
		for _, s := range succs[:n] {
			reach(s)
		}
	}
	g.merge()
	g.blocks = slices.DeleteFunc(g.blocks, func(b *block) bool { return !b.reached })
	for i, b := range g.blocks {
		b.index = int32(i)
	}
}

// merge joins blocks to the only one that leads to them.
func (g *gen) merge() {
	for _, b := range g.blocks {
		if !b.reached {
			continue
		}
		n, succs := b.term.succs()
		for _, s := range succs[:n] {
			s.preds++
		}
	}
	for _, b := range g.blocks {
		for b.reached && b.term.op == bytecode.OpJmp {
			s := b.term.then
			if s.preds != 1 || s == b || s == g.entry || s == g.recover {
				break
			}
			t := b.term.turns[0]
			b.ins = append(b.ins, s.ins...)
			b.term = s.term
			for i := range b.term.turns {
				b.term.turns[i] = t.join(s.term.turns[i])
			}
			s.reached = false
		}
	}
}
