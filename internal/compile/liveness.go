package compile

import (
	"math/bits"
	"slices"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// noBlock is a register's block before one mentions it.
const noBlock = -2

// manyBlocks is the block of a register that several blocks mention.
const manyBlocks = -1

// liveness is computed for each word of each register. Instruction i reads at
// position 2i and writes at 2i+1.
type liveness struct {
	globals int      // words of registers that several blocks mention; their bits come first
	words   int      // of all registers
	live    []uint64 // at the position of a walk
	dropped bool     // an instruction that used a register of another block
	recover []uint64 // words that are live at the recover block, and so everywhere
	firsts  []int32  // by register that is live at the recover block: where the entry block defines it

	sets       []uint64 // of all blocks
	owners     []int32  // by global word: its register
	uses, defs []ref
}

// A span is a half-open range of positions.
type span struct{ from, to int32 }

// analyse computes the live ranges of all registers and drops instructions
// whose results nobody uses.
func (g *gen) analyse() {
	lv := &g.lv
	g.number()
	// What a dropped instruction used may be dead too, in other blocks.
	for again := true; again; again = lv.dropped {
		g.dataflow()
		lv.dropped = false
		lv.live = zeroed(lv.live, (lv.words+63)/64)
		for i := range g.vregs {
			g.vregs[i].ranges = g.vregs[i].room[:0]
		}
		for i := len(g.blocks) - 1; i >= 0; i-- {
			g.rangesOf(g.blocks[i])
		}
	}
	for i := range g.vregs {
		slices.Reverse(g.vregs[i].ranges)
	}
}

// number numbers the instructions, and the words of registers, those of
// registers that cross blocks first.
func (g *gen) number() {
	lv := &g.lv
	at := int32(0)
	for i, b := range g.blocks {
		b.first = at
		at += int32(len(b.ins)) + 1
		mention := func(r reg) {
			if r.ok() {
				v := &g.vregs[r.v-1]
				switch v.block {
				case noBlock:
					v.block = int32(i)
				case int32(i):
				default:
					v.block = manyBlocks
				}
			}
		}
		for k := range b.ins {
			lv.uses, lv.defs = b.ins[k].refs(lv.uses[:0], lv.defs[:0])
			for _, r := range lv.uses {
				mention(r.reg)
			}
			for _, r := range lv.defs {
				mention(r.reg)
			}
		}
		mention(b.term.b)
		mention(b.term.c)
	}
	n := int32(0)
	for _, global := range []bool{true, false} {
		for i := range g.vregs {
			if v := &g.vregs[i]; (v.block == manyBlocks) == global {
				v.bit = n
				n += v.words
			}
		}
		if global {
			lv.globals = int(n)
		}
	}
	lv.words = int(n)
}

// dataflow computes which global words are live at the ends of blocks.
func (g *gen) dataflow() {
	lv := &g.lv
	size := (lv.globals + 63) / 64
	lv.sets = zeroed(lv.sets, 4*size*len(g.blocks))
	sets := lv.sets
	for _, b := range g.blocks {
		b.in, b.out, b.gen, b.kill = sets[:size:size], sets[size:2*size:2*size], sets[2*size:3*size:3*size], sets[3*size:4*size:4*size]
		sets = sets[4*size:]
		g.genKill(b)
	}
	if size == 0 {
		return
	}
	lv.recover = nil
	if g.recover != nil {
		lv.recover = slices.Clone(g.recover.gen)
		g.findFirsts()
	}
	for changed := true; changed; {
		changed = false
		for i := len(g.blocks) - 1; i >= 0; i-- {
			b := g.blocks[i]
			n, succs := b.term.succs()
			for w := range size {
				out := uint64(0)
				for _, s := range succs[:n] {
					out |= s.in[w]
				}
				kill := b.kill[w]
				if lv.recover != nil && b != g.recover {
					out |= lv.recover[w]
					if b != g.entry {
						kill &^= lv.recover[w]
					}
				}
				in := b.gen[w] | out&^kill
				if out != b.out[w] || in != b.in[w] {
					b.out[w], b.in[w] = out, in
					changed = true
				}
			}
		}
	}
}

// findFirsts finds where the entry block defines the registers that the recover
// block reads. No call can have been deferred before that.
func (g *gen) findFirsts() {
	lv := &g.lv
	lv.firsts = make([]int32, len(g.vregs))
	for k := len(g.entry.ins) - 1; k >= 0; k-- {
		lv.uses, lv.defs = g.entry.ins[k].refs(lv.uses[:0], lv.defs[:0])
		for _, d := range lv.defs {
			lv.firsts[d.v-1] = int32(k)
		}
	}
}

// always says whether instruction k of block b does not end the life of a
// register because the recover block may read it.
func (g *gen) always(b *block, k int, r reg) bool {
	lv := &g.lv
	if lv.recover == nil || b == g.recover {
		return false
	}
	bit := g.vregs[r.v-1].bit + r.w
	if int(bit) >= lv.globals || lv.recover[bit>>6]>>(bit&63)&1 == 0 {
		return false
	}
	return b != g.entry || int(lv.firsts[r.v-1]) != k
}

func (g *gen) genKill(b *block) {
	lv := &g.lv
	use := func(r reg, words int32) {
		v := &g.vregs[r.v-1]
		if v.block != manyBlocks {
			return
		}
		for bit := v.bit + r.w; bit < v.bit+r.w+words; bit++ {
			b.gen[bit>>6] |= 1 << (bit & 63)
		}
	}
	if b.term.b.ok() {
		use(b.term.b, 1)
	}
	if b.term.c.ok() {
		use(b.term.c, 1)
	}
	for k := len(b.ins) - 1; k >= 0; k-- {
		lv.uses, lv.defs = b.ins[k].refs(lv.uses[:0], lv.defs[:0])
		for _, d := range lv.defs {
			v := &g.vregs[d.v-1]
			if v.block != manyBlocks {
				continue
			}
			for bit := v.bit + d.w; bit < v.bit+d.w+d.words; bit++ {
				b.gen[bit>>6] &^= 1 << (bit & 63)
				b.kill[bit>>6] |= 1 << (bit & 63)
			}
		}
		for _, u := range lv.uses {
			use(u.reg, u.words)
		}
	}
}

// rangesOf walks a block backwards and extends the ranges of its registers.
func (g *gen) rangesOf(b *block) {
	lv := &g.lv
	end := 2 * (b.first + int32(len(b.ins)) + 1)
	clear(lv.live)
	copy(lv.live, b.out)
	if tail := lv.globals & 63; tail != 0 && len(b.out) > 0 {
		lv.live[len(b.out)-1] &= 1<<tail - 1
	}
	// Registers that are live at the end.
	var open []int32
	for w := range b.out {
		for rest := b.out[w]; rest != 0; rest &= rest - 1 {
			v := g.owner(int32(w*64 + bits.TrailingZeros64(rest)))
			if g.vregs[v].live == 0 {
				g.begin(v, end)
				open = append(open, v)
			}
			g.vregs[v].live++
		}
	}
	at := b.first + int32(len(b.ins))
	for _, r := range [2]reg{b.term.b, b.term.c} {
		if r.ok() {
			open = g.read(r, 1, 2*at+1, open)
		}
	}
	for k := len(b.ins) - 1; k >= 0; k-- {
		i := &b.ins[k]
		at := b.first + int32(k)
		lv.uses, lv.defs = i.refs(lv.uses[:0], lv.defs[:0])
		if flags[i.op]&isPure != 0 && !g.wanted(i) {
			lv.dropped = lv.dropped || slices.ContainsFunc(lv.uses, func(u ref) bool { return g.vregs[u.v-1].block == manyBlocks })
			i.op = bytecode.OpNop
			i.x = nil
			continue
		}
		if i.op == opCopies {
			lv.uses, lv.defs = i.refs(lv.uses[:0], lv.defs[:0])
		}
		for _, d := range lv.defs {
			open = g.write(d, at, open, g.always(b, k, d.reg))
		}
		to := 2*at + 1
		if flags[i.op]&holds != 0 {
			to++
		}
		for _, u := range lv.uses {
			open = g.read(u.reg, u.words, to, open)
		}
	}
	for _, v := range open {
		if g.vregs[v].live > 0 {
			g.end(v, 2*b.first)
			g.vregs[v].live = 0
		}
	}
}

// wanted says whether a pure instruction's results are used. It drops the
// copies of a parallel copy that are not.
func (g *gen) wanted(i *ins) bool {
	if i.op == opCopies {
		n := len(i.x.copies)
		i.x.copies = slices.DeleteFunc(i.x.copies, func(c pcopy) bool { return !g.anyLive(c.dst) })
		g.lv.dropped = g.lv.dropped || len(i.x.copies) < n
		return len(i.x.copies) > 0
	}
	return slices.ContainsFunc(g.lv.defs, g.anyLive)
}

func (g *gen) anyLive(r ref) bool {
	v := &g.vregs[r.v-1]
	for bit := v.bit + r.w; bit < v.bit+r.w+r.words; bit++ {
		if g.lv.live[bit>>6]>>(bit&63)&1 != 0 {
			return true
		}
	}
	return false
}

// owner is the register of a global word.
func (g *gen) owner(bit int32) int32 {
	if g.lv.owners == nil {
		g.lv.owners = make([]int32, g.lv.globals)
		for i := range g.vregs {
			if v := &g.vregs[i]; v.block == manyBlocks {
				for w := range v.words {
					g.lv.owners[v.bit+w] = int32(i)
				}
			}
		}
	}
	return g.lv.owners[bit]
}

// begin opens a range that ends at a position; walking backwards, its start is
// not known yet.
func (g *gen) begin(v, to int32) {
	r := &g.vregs[v].ranges
	if n := len(*r); n > 0 && (*r)[n-1].from <= to {
		(*r)[n-1].from = -1 // joins the range behind it
		return
	}
	*r = append(*r, span{-1, to})
}

// end closes the open range.
func (g *gen) end(v, from int32) {
	r := g.vregs[v].ranges
	r[len(r)-1].from = from
}

// read makes words live before a position.
func (g *gen) read(r reg, words, to int32, open []int32) []int32 {
	v := &g.vregs[r.v-1]
	if words == 0 {
		return open
	}
	if v.live == 0 {
		g.begin(r.v-1, to)
		open = append(open, r.v-1)
	} else if last := &v.ranges[len(v.ranges)-1]; last.to < to {
		last.to = to
	}
	for bit := v.bit + r.w; bit < v.bit+r.w+words; bit++ {
		if g.lv.live[bit>>6]>>(bit&63)&1 == 0 {
			g.lv.live[bit>>6] |= 1 << (bit & 63)
			v.live++
		}
	}
	return open
}

// write ends the life of words at the instruction that sets them.
func (g *gen) write(d ref, at int32, open []int32, always bool) []int32 {
	v := &g.vregs[d.v-1]
	if always {
		return open
	}
	was := v.live
	for bit := v.bit + d.w; bit < v.bit+d.w+d.words; bit++ {
		if g.lv.live[bit>>6]>>(bit&63)&1 != 0 {
			g.lv.live[bit>>6] &^= 1 << (bit & 63)
			v.live--
		}
	}
	switch {
	case was == 0: // nobody reads it, but it is written
		g.begin(d.v-1, 2*at+3)
		g.end(d.v-1, 2*at+1)
	case v.live == 0:
		g.end(d.v-1, 2*at+1)
	}
	return open
}
