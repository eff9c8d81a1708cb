package vm

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/mem"
)

// What a step does depends on the goroutine that takes it and on the memory that
// it reads. If it stands before an operation on memory and does nothing but
// access base objects, its effect is noted, and need not be found out again where
// the same goroutine, or one in the same state, finds the same values:
//
//	goroutine (digest) ──► cells that it reads ──► their values ──► effect
//	                                                                ├ the sum of the cells that change
//	                                                                └ its digest afterwards
//
// Everything else a step could look at makes it opaque: other goroutines, young
// objects, channels, maps, the clock, natives that are not known to keep to
// memory. What is in the way of an effect in another state is looked at there:
// who waits on memory that the step wakes, and blocks that collide.

const (
	maxCells   = 24      // of an effect
	maxPrints  = 8       // of a goroutine in one of its states
	maxVain    = 4       // effects of it that were looked for and not found
	maxEffects = 1 << 16 // then all are forgotten
)

// A local is a goroutine in one of its states, of whichever name.
type local struct {
	prints []footprint
	vain   int
	never  bool // it does not stand before an operation on memory
}

// A footprint is a list of cells that a step reads, with the effects by what is
// in them.
type footprint struct {
	cells   []mem.Cell
	effects []*effect // open addressing
	n       int
}

// An effect is what a step does.
type effect struct {
	hash    uint64
	values  []uint64 // in the cells
	heap    mem.Sum  // by how much the sum of changed base objects changes
	sum     mem.Sum  // of the goroutine afterwards, zero if it has ended
	gone    bool     // it has ended
	back    bool     // see search
	outside bool
	block   Block     // of the goroutine afterwards
	op      Block     // accesses of an operation that others can race with
	wakes   []mem.Ptr // who waits on these would wake
	touched []mem.Ptr // see search
	trail   Block
}

// effects is what a search knows of steps.
type effects struct {
	locals map[mem.Sum]*local
	n      int
	values []uint64
	wanted *G // whose next step is to be noted
	known  *G // whose next step has the effect
	effect *effect
	next   stateKey // of the state that it leads to
	recorder
}

// A recorder notes the effect of a step.
type recorder struct {
	recording bool
	opaque    bool
	probed    bool // what search.probing was
	cells     []mem.Cell
	before    []uint64
	wakes     []mem.Ptr
	made      uint64
	state     scalars
	count     int // goroutines
}

// localOf returns what is known of g.
func (e *effects) localOf(m *Machine, g *G) *local {
	if g.local != nil {
		return g.local
	}
	sum := g.sum()
	l := e.locals[sum]
	if l == nil {
		if e.locals == nil || e.n >= maxEffects || len(e.locals) >= maxEffects {
			e.locals, e.n = make(map[mem.Sum]*local), 0
		}
		l = &local{never: !m.beforeMemory(g)}
		e.locals[sum] = l
	}
	g.local = l
	return l
}

// beforeMemory reports whether the next step of g is an operation on memory. It
// depends on what the digest of g tells.
func (m *Machine) beforeMemory(g *G) bool {
	if g.spun || g.ending || g.chosen != 0 || g.cases != nil || g.atEnd != 0 || len(g.panics) > 0 || g.depth == 0 {
		return false
	}
	f := &m.funcs[g.frames[g.depth-1].fn]
	return f.code == nil && f.op != nil && f.op.Memory
}

// find returns the effect that a step has here, nil if it is not known.
func (e *effects) find(h *mem.Heap, l *local) *effect {
	for i := range l.prints {
		p := &l.prints[i]
		e.values = e.values[:0]
		for _, c := range p.cells {
			e.values = append(e.values, h.Load(c))
		}
		if x := p.effects[p.place(hashWords(e.values), e.values)]; x != nil {
			return x
		}
	}
	return nil
}

func hashWords(words []uint64) uint64 {
	h := uint64(len(words))
	for _, w := range words {
		h = mem.HashWord(h ^ w)
	}
	return h
}

// place returns where the effect with some values is, or where it would be put.
func (p *footprint) place(hash uint64, values []uint64) int {
	mask := len(p.effects) - 1
	i := int(hash) & mask
	for ; p.effects[i] != nil; i = (i + 1) & mask {
		if p.effects[i].hash == hash && slices.Equal(p.effects[i].values, values) {
			break
		}
	}
	return i
}

// add adds an effect. It is given up if the goroutine reads now this and now that.
func (l *local) add(cells []mem.Cell, x *effect) bool {
	i := slices.IndexFunc(l.prints, func(p footprint) bool { return slices.Equal(p.cells, cells) })
	if i < 0 {
		if i = len(l.prints); i == maxPrints {
			return false
		}
		l.prints = append(l.prints, footprint{cells: slices.Clone(cells), effects: make([]*effect, 4)})
	}
	p := &l.prints[i]
	if p.n++; p.n > len(p.effects)/2 {
		old := p.effects
		p.effects = make([]*effect, 2*len(old))
		for _, o := range old {
			if o != nil {
				p.effects[p.place(o.hash, o.values)] = o
			}
		}
	}
	p.effects[p.place(x.hash, x.values)] = x
	return true
}

// opaque says that the running step looks at something other than memory.
func (m *Machine) opaque() {
	if m.search != nil {
		m.search.effects.opaque = true
	}
}

// note notes that a step accesses n bytes of a tracked object.
func (e *effects) note(h *mem.Heap, p mem.Ptr, n uint32) {
	id := p.Obj()
	if e.opaque || !h.IsBase(id) {
		e.opaque = true
		return
	}
words:
	for off := p.Off() &^ 7; off < p.Off()+n; off += 8 {
		c := mem.Cell{Obj: id, Off: off}
		for _, o := range e.cells {
			if o == c {
				continue words
			}
		}
		if len(e.cells) == maxCells {
			e.opaque = true
			return
		}
		e.cells, e.before = append(e.cells, c), append(e.before, h.Load(c))
	}
}

// startRecording begins to note what a step does.
func (m *Machine) startRecording() {
	s := m.search
	e := &s.effects
	e.recording, e.opaque, e.probed = true, false, s.probing
	e.cells, e.before, e.wakes = e.cells[:0], e.before[:0], e.wakes[:0]
	e.made, e.state, e.count = m.Heap.Allocations(), m.state, len(m.gs)
	s.probing = true
}

// endRecording keeps the effect of the step of g, if it has one.
func (m *Machine) endRecording(g *G, l *local) {
	s := m.search
	e := &s.effects
	e.recording, s.probing = false, e.probed
	if !m.recorded(g) {
		l.vain++
		return
	}
	x := &effect{
		hash: hashWords(e.before), values: slices.Clone(e.before),
		gone: g.status == gDead, back: s.back, outside: s.outside,
		block: slices.Clone(g.block), wakes: slices.Clone(e.wakes),
		touched: slices.Clone(s.touched), trail: slices.Clone(s.trail),
	}
	if !x.gone {
		x.sum = g.sum()
	}
	if len(s.op) > 0 && m.atomicOp(g) {
		x.op = slices.Clone(s.op)
	}
	for i, c := range e.cells {
		old, now := e.before[i], m.Heap.Load(c)
		if old == now {
			continue
		}
		sum, ok := m.Heap.ChangeSum(c, old, now)
		if !ok {
			l.vain++
			return
		}
		x.heap = x.heap.Add(sum)
	}
	if !l.add(e.cells, x) {
		l.vain++
		return
	}
	e.n++
}

// recorded reports whether the step that g has just taken did nothing but change
// g and base objects.
func (m *Machine) recorded(g *G) bool {
	s := m.search
	e := &s.effects
	if e.opaque || m.exit != nil || e.made != m.Heap.Allocations() || len(m.gs) < 2 ||
		len(s.races)+len(s.failed)+len(s.started) > 0 || len(s.movers) != 1 || s.movers[0] != g {
		return false
	}
	a, b := &e.state, &m.state
	if a.nextG != b.nextG || a.ticket != b.ticket || a.now != b.now || a.rng != b.rng ||
		a.timers != b.timers || a.numTimers != b.numTimers || a.checked != b.checked {
		return false
	}
	if g.status == gDead {
		return len(m.gs) == e.count-1
	}
	return len(m.gs) == e.count && g.known && g.plain
}

// sum is the digest of a goroutine that is plain.
func (g *G) sum() mem.Sum {
	hi, lo := g.part.Sum()
	return mem.Sum{Hi: hi, Lo: lo}
}
