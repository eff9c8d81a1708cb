package compile

import (
	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// newGen makes a gen for a function from the remains of the last one, since
// most of the compiler's time would otherwise go into allocation.
func (c *compiler) newGen(out *bytecode.Func, fn *ssa.Function) *gen {
	old := c.spare
	if old == nil {
		old = &gen{}
	}
	g := &gen{
		c: c, fn: fn, out: out,
		registers: registers{
			vregs:    old.vregs[:0],
			vals:     reuse(old.vals),
			tuples:   reuse(old.tuples),
			resident: reuse(old.resident),
		},
		layout: layout{
			blocks: old.blocks[:0],
			free:   old.made,
			made:   old.made[:0],
		},
		facts: facts{
			folds:    reuse(old.folds),
			gathered: reuse(old.gathered),
		},
	}
	g.lv.uses, g.lv.defs = old.lv.uses[:0], old.lv.defs[:0]
	g.lv.live, g.lv.sets = old.lv.live[:0], old.lv.sets[:0]
	g.al = allocator{
		ties: old.al.ties[:0], pinned: old.al.pinned[:0], calls: old.al.calls[:0],
		units: old.al.units[:0], solo: old.al.solo[:0], slots: old.al.slots[:0],
		wordLists: old.al.wordLists[:0], list: old.al.list[:0],
	}
	c.spare = g
	return g
}

// reuse empties a map. One that has become large is dropped, because clearing it
// takes time for ever after.
func reuse[K comparable, V any](m map[K]V) map[K]V {
	if m == nil || len(m) > 500 {
		return make(map[K]V)
	}
	clear(m)
	return m
}

// newBlock makes a block, which is not in the layout yet.
func (g *gen) newBlock(depth int32) *block {
	n := len(g.made)
	if n < len(g.free) {
		b := g.free[n]
		*b = block{ins: b.ins[:0], depth: depth}
		g.made = g.free[:n+1]
		return b
	}
	b := &block{depth: depth}
	g.made = append(g.made, b)
	return b
}

// zeroed is a slice of n zero elements, in the memory of an old one if it is
// large enough.
func zeroed[T any](old []T, n int) []T {
	if cap(old) < n {
		return make([]T, n, n+n/2)
	}
	old = old[:n]
	clear(old)
	return old
}
