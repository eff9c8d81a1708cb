package drive

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// What a step does depends on the goroutine that takes it and on the memory that
// it reads. If it stands before an operation on memory, does nothing but access
// memory, and changes nothing but base objects, its effect is noted. It need not
// be found out again where the same goroutine, or one in the same state, finds
// the same values:
//
//	goroutine (digest) ──► cells that it reads, and their values ──► effect
//	                                                                 ├ the sum of the cells that change
//	                                                                 └ its digest afterwards
//
// Everything else a step could look at makes it opaque: other goroutines,
// channels, maps, the clock, natives that are not known to keep to memory. What
// is in the way of an effect in another state is looked at there: who waits on
// memory that the step wakes, and blocks that collide.

const (
	maxCells   = 24      // of an effect
	maxVain    = 4       // effects of a goroutine that were looked for in vain, more than were found
	maxEffects = 1 << 16 // then all are forgotten
)

// A local is a goroutine in one of its states, of whichever name.
type local struct {
	tree  *decisions
	root  uint32
	vain  int
	never bool   // its next step depends on more than memory
	model *model // nil if it was not needed yet, or if there is none
}

// A stepEffect is what a step does.
type stepEffect struct {
	changes []change
	heap    mem.Sum // by how much the sum of changed base objects changes
	to      *local  // the goroutine afterwards, nil if it has ended
	sum     mem.Sum // of that, zero if it has ended
	gone    bool    // it has ended
	last    bool    // it has, or has nothing left but its last block
	back    bool    // see search
	outside bool    // see stepped, as for what follows
	clock   bool
	block   Block     // of the goroutine afterwards
	op      Block     // accesses of an operation that others can race with
	wakes   []mem.Ptr // who waits on these would wake
	touched []effect.Token
	loads   Block
	trail   Block
}

// effects is what a search knows of steps.
type effects struct {
	tree   *decisions
	locals map[mem.Sum]*local
	n      int
	wanted *G // whose next step is to be noted
	known  *G // whose next step has the effect
	effect *stepEffect
	taken  uint // steps that had a known effect
	recorder
}

// A recorder notes the effect of a step.
type recorder struct {
	recording bool
	opaque    bool
	probed    bool // what running.probing was
	cells     []mem.Cell
	before    []uint64
	wakes     []mem.Ptr
	made      uint64
	state     vm.Counters
	checked   checkedState
	count     int // goroutines
}

// localOf returns what is known of g.
func (e *effects) localOf(m *Machine, g *G) *local {
	if g.local != nil && g.local.tree == e.tree {
		return g.local
	}
	if e.tree == nil || e.n >= maxEffects || len(e.locals) >= maxEffects {
		e.tree, e.locals, e.n = newDecisions(), make(map[mem.Sum]*local), 0
	}
	sum := g.sum()
	l := e.locals[sum]
	if l == nil {
		l = &local{tree: e.tree}
		if m.beforeMemory(g) {
			l.root = e.tree.node()
		} else {
			l.never = true
		}
		e.locals[sum] = l
	}
	g.local = l
	return l
}

// beforeMemory reports whether the next step of g is an operation on memory. It
// depends on what the digest of g tells.
func (m *Machine) beforeMemory(g *G) bool {
	if g.spun || g.ending || g.Completed() || g.HasCases() || g.AtEnd() != 0 || g.Panicking() || g.Depth() == 0 {
		return false
	}
	f := &m.funcs[g.Top().Func()]
	return f.native && f.op != nil && f.op.Row.Memory
}

// note notes that a step accesses n bytes of a tracked object.
func (e *effects) note(h *mem.Heap, p mem.Ptr, n uint32) {
	id := p.Obj()
	if e.opaque || h.Kind(p) != mem.Plain {
		e.opaque = true
		return
	}
	if !h.InBase(id) { // there may be another one of its number in another state
		e.noteCell(h, mem.Cell{Obj: id, Off: mem.WholeCell})
	}
	for off := p.Off() &^ 7; off < p.Off()+n; off += 8 {
		e.noteCell(h, mem.Cell{Obj: id, Off: off})
	}
}

func (e *effects) noteCell(h *mem.Heap, c mem.Cell) {
	for _, o := range e.cells {
		if o == c {
			return
		}
	}
	if len(e.cells) == maxCells {
		e.opaque = true
		return
	}
	e.cells, e.before = append(e.cells, c), append(e.before, h.Load(c))
}

// startRecording begins to note what a step does.
func (m *Machine) startRecording() {
	e := &m.effects
	e.recording, e.opaque, e.probed = true, false, m.probing
	m.Beyond = false
	e.cells, e.before, e.wakes = e.cells[:0], e.before[:0], e.wakes[:0]
	e.made, e.state, e.checked, e.count = m.Heap.Allocations(), m.Counters(), m.checked, len(m.gs)
	m.probing = true
}

// endRecording keeps the effect of the step of g, if it has one.
func (m *Machine) endRecording(g *G, l *local) {
	e := &m.effects
	e.recording, m.probing = false, e.probed
	if !m.recorded(g) {
		l.vain++
		return
	}
	x := &stepEffect{
		gone: g.Dead(), last: g.Dead() || g.ending, back: m.back, outside: m.outside, clock: m.clockRead,
		block: slices.Clone(g.block), wakes: slices.Clone(e.wakes),
		touched: slices.Clone(m.touched), loads: slices.Clone(m.loads), trail: slices.Clone(m.trail),
	}
	if !x.gone {
		x.sum, x.to = g.sum(), e.localOf(m, g)
		if x.to.model == nil {
			x.to.model = m.modelOf(g)
		}
	}
	if len(m.op) > 0 && m.atomicOp() {
		x.op = slices.Clone(m.op)
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
		x.changes = append(x.changes, change{c, now})
	}
	if !l.tree.add(l.root, e.cells, e.before, x) {
		l.never = true
		return
	}
	e.n++
	l.vain--
}

// recorded reports whether the step that g has just taken did nothing but change
// g and base objects.
func (m *Machine) recorded(g *G) bool {
	e := &m.effects
	if e.opaque || m.Beyond || m.clockRead || m.Exit() != nil || e.made != m.Heap.Allocations() || len(m.gs) < 2 ||
		len(m.races)+len(m.failed)+len(m.started) > 0 || len(m.movers) != 1 || m.movers[0] != g {
		return false
	}
	if e.state != m.Counters() || e.checked != m.checked {
		return false
	}
	if g.Dead() {
		return len(m.gs) == e.count-1
	}
	return len(m.gs) == e.count && g.known && g.plain
}

// sum is the digest of a goroutine that is plain.
func (g *G) sum() mem.Sum {
	hi, lo := g.part.Sum()
	return mem.Sum{Hi: hi, Lo: lo}
}
