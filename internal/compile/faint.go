package compile

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// dropFaint drops what only computes values for itself: in
//
//	for n := 0; !done.Load(); n++ {
//	}
//
// n is used to compute the next n, and for nothing else. Such a register is live by the rules of liveness, and would make each round of the
// loop another state. A register is needed if an instruction uses it that has an effect, or one whose result is needed. So is one by which a
// loop counts: see counted.go.
func (g *gen) dropFaint() {
	if !slices.ContainsFunc(g.blocks, func(b *block) bool { return b.head }) {
		return // what nobody uses is dropped later, see wanted
	}
	needed := make([]bool, len(g.vregs))
	changed := true
	need := func(r reg) {
		if r.ok() && !needed[r.v-1] {
			needed[r.v-1], changed = true, true
		}
	}
	for _, p := range g.counters {
		if p != nil {
			need(g.vals[p])
		}
	}
	wanted := func(r ref) bool { return needed[r.v-1] }
	lv := &g.lv
	for changed {
		changed = false
		for i := len(g.blocks) - 1; i >= 0; i-- {
			b := g.blocks[i]
			need(b.term.b)
			need(b.term.c)
			for k := len(b.ins) - 1; k >= 0; k-- {
				in := &b.ins[k]
				if in.op == opCopies {
					for _, c := range in.x.copies {
						if !c.con && wanted(c.dst) {
							need(c.src.reg)
						}
					}
					continue
				}
				lv.uses, lv.defs = in.refs(lv.uses[:0], lv.defs[:0])
				if flags[in.op]&isPure == 0 || slices.ContainsFunc(lv.defs, wanted) {
					for _, u := range lv.uses {
						need(u.reg)
					}
				}
			}
		}
	}
	for _, b := range g.blocks {
		for k := range b.ins {
			in := &b.ins[k]
			if in.op == opCopies {
				in.x.copies = slices.DeleteFunc(in.x.copies, func(c pcopy) bool { return !wanted(c.dst) })
				if len(in.x.copies) > 0 {
					continue
				}
			} else if lv.uses, lv.defs = in.refs(lv.uses[:0], lv.defs[:0]); flags[in.op]&isPure == 0 || slices.ContainsFunc(lv.defs, wanted) {
				continue
			}
			in.op, in.x = bytecode.OpNop, nil
		}
	}
}
