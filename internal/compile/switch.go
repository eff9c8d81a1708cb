package compile

import (
	"math"
	"slices"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// minCases is how many comparisons a jump table must replace.
const minCases = 4

// A table is a jump table in place of a chain of comparisons of one word with
// constants.
type table struct {
	low   int64
	cases []*block // by value - low
	def   *block
}

// findTables replaces chains of comparisons, which switch statements become, by
// jump tables where the constants are dense. A chain goes through blocks that do
// nothing but compare, and that nothing else leads to.
func (e *emitter) findTables() {
	g := e.g
	for _, b := range g.blocks {
		b.preds = 0
	}
	for _, b := range g.blocks {
		n, succs := b.term.succs()
		for _, s := range succs[:n] {
			s.preds++
		}
	}
	found := false
	for _, b := range g.blocks {
		if !b.empty {
			found = e.findTable(b) || found
		}
	}
	if !found {
		return
	}
	g.blocks = slices.DeleteFunc(g.blocks, func(b *block) bool { return b.empty })
	for i, b := range g.blocks {
		b.index = int32(i)
	}
}

// An equality is a comparison of a word with a constant and what follows.
type equality struct {
	slot    int32
	value   int64
	is, not *block
}

// equality is the comparison that ends a block.
func (e *emitter) equality(b *block) (equality, bool) {
	t := &b.term
	switch t.op {
	case bytecode.OpJeqi:
		return equality{e.slot(t.b), int64(t.imm), t.then, t.els}, true
	case bytecode.OpJnei:
		return equality{e.slot(t.b), int64(t.imm), t.els, t.then}, true
	}
	return equality{}, false
}

// findTable looks for the chain that begins with a block.
func (e *emitter) findTable(b *block) bool {
	first, ok := e.equality(b)
	if !ok {
		return false
	}
	chain := []equality{first}
	var links []*block
	for next := first.not; ; {
		q, ok := e.equality(next)
		if !ok || q.slot != first.slot || next.preds != 1 || next.target || next == e.g.entry || next == e.g.recover ||
			slices.ContainsFunc(next.ins, func(i ins) bool { return e.emits(&i) }) {
			break
		}
		chain = append(chain, q)
		links = append(links, next)
		next = q.not
	}
	low, high := int64(math.MaxInt64), int64(math.MinInt64)
	for _, q := range chain {
		low, high = min(low, q.value), max(high, q.value)
		if q.is.index <= b.index {
			return false // a table jumps forward only
		}
	}
	last := chain[len(chain)-1].not
	n := high - low + 1
	if len(chain) < minCases || n > 2*int64(len(chain))+2 || low < math.MinInt16 || low > math.MaxInt16 || last.index <= b.index {
		return false
	}
	t := &table{low: low, cases: make([]*block, n), def: last}
	for _, q := range chain {
		if k := q.value - low; t.cases[k] == nil { // the first case wins
			t.cases[k] = q.is
		}
	}
	for k, c := range t.cases {
		if c == nil {
			t.cases[k] = last
		}
	}
	b.table = t
	for _, l := range links {
		l.empty = true
	}
	return true
}

// jumpTable writes a table at the end of a block.
func (e *emitter) jumpTable(b, next *block) {
	t := b.table
	e.put(bytecode.Instr{
		Op: bytecode.OpSwitch, B: e.operand(b.term.b), C: uint16(int16(t.low)), Imm: bytecode.Pack(uint32(len(t.cases)), 0),
	})
	for _, c := range t.cases {
		e.fixups = append(e.fixups, fixup{len(e.out.Code), c})
		e.put(bytecode.Instr{Op: bytecode.OpJmp})
	}
	e.jump(b, t.def, noTurn, next)
}
