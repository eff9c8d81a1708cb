package vm

import (
	"sync/atomic"

	"github.com/heddle-mc/heddle/internal/mem"
)

// A cursor is what a Machine needs to go back, to be compared and to be stopped.
type cursor struct {
	undo  undoLog
	canon mem.Canon

	// Specials, if not nil, is called by each collection when it is known what
	// is live (see mem.Heap.Collect): finalizers and weak pointers.
	Specials func(live func(mem.ObjID) bool, visit func(mem.Ptr))

	// Rewind, if not nil, is told of every mark and restoration.
	Rewind Rewinder

	gcRequested bool
	gcStats     gcStats
	interrupted atomic.Bool
}

// A Rewinder is state outside the machine that goes back with it: that of the
// modelled operating system.
type Rewinder interface {
	Mark() int
	Restore(mark int)
}

// A Mark is a point to which a machine can be restored.
type Mark int

// An undoLog holds what Restore needs beside the heap's own log: at each mark
// the scalars, and of each goroutine that ran or was touched behind a mark the
// image it had there.
type undoLog struct {
	marks  pile[markPoint]
	images pile[gImage]
	blocks blockRoom
	epoch  uint64 // number of the latest mark; a G with another one must be saved
}

type markPoint struct {
	heap   mem.Mark
	images int
	blocks blockMark
	state  scalars
	exit   *Exit
	gs     []*G
	host   int
	key    stateKey
}

// A gImage is a copy of a goroutine.
type gImage struct {
	g         *G
	fields    G    // the contents of its slices may have changed since
	more      bool // it had some of what follows frames
	stack     []uint64
	frames    []Frame
	defers    []Defer
	deferArgs []uint64
	panics    []Panic
	part      mem.Part
}

// Mark starts a new transition: what happens from now on can be undone.
func (m *Machine) Mark() Mark {
	u := &m.undo
	u.epoch++
	p := u.marks.push()
	p.heap, p.images, p.blocks, p.state, p.exit = m.Heap.Mark(), u.images.n, u.blocks.at, m.state, m.exit
	p.gs = append(p.gs[:0], m.gs...)
	if m.search != nil {
		p.key.copyFrom(&m.search.key)
	}
	if m.Rewind != nil {
		p.host = m.Rewind.Mark()
	}
	return Mark(u.marks.n)
}

// touch saves a goroutine that is about to change, once behind each mark.
func (m *Machine) touch(g *G) {
	u := &m.undo
	if m.search != nil {
		m.search.key.known = false
	}
	if u.marks.n == 0 || g.epoch == u.epoch {
		g.known, g.plain = false, false
		return
	}
	i := u.images.push()
	i.g, i.fields = g, *g
	i.stack = append(i.stack[:0], g.stack[:m.usedStack(g)]...)
	i.frames = append(i.frames[:0], g.frames[:g.depth]...)
	if i.more = len(g.defers)+len(g.deferArgs)+len(g.panics)+g.part.Len() > 0; i.more {
		i.defers = append(i.defers[:0], g.defers...)
		i.deferArgs = append(i.deferArgs[:0], g.deferArgs...)
		i.panics = append(i.panics[:0], g.panics...)
		i.part.CopyFrom(&g.part)
	}
	g.epoch, g.known, g.plain = u.epoch, false, false
}

// usedStack is how many words of g's stack its frames and their windows occupy.
func (m *Machine) usedStack(g *G) int {
	if g.depth == 0 {
		return 0
	}
	top := &g.frames[g.depth-1]
	return min(len(g.stack), int(top.base+m.funcs[top.fn].frame))
}

// Release gives up the latest mark, with nothing that happened since.
func (m *Machine) Release(k Mark) {
	u := &m.undo
	m.Heap.Release(u.marks.at(int(k - 1)).heap)
	u.marks.n = int(k - 1)
	u.epoch++
}

// Restore undoes everything since k was marked. Marks later than k are gone, k
// itself stays.
func (m *Machine) Restore(k Mark) {
	u := &m.undo
	p := u.marks.at(int(k - 1))
	for n := u.images.n - 1; n >= p.images; n-- {
		i := u.images.at(n)
		g := i.g
		stack, frames, defers, args, panics, part := g.stack, g.frames, g.defers, g.deferArgs, g.panics, g.part
		*g = i.fields
		g.stack, g.frames = stack, frames
		g.defers, g.deferArgs, g.panics = defers[:0], args[:0], panics[:0]
		copy(stack, i.stack)
		copy(frames, i.frames)
		if i.more {
			g.defers = append(g.defers, i.defers...)
			g.deferArgs = append(g.deferArgs, i.deferArgs...)
			g.panics = append(g.panics, i.panics...)
			part.CopyFrom(&i.part)
			g.part = part
		} else {
			g.part.Empty(&part)
		}
	}
	u.images.n = p.images
	u.blocks.at = p.blocks
	u.marks.n = int(k)
	u.epoch++
	m.Heap.Restore(p.heap)
	m.state, m.exit = p.state, p.exit
	m.gs = append(m.gs[:0], p.gs...)
	if m.Rewind != nil {
		m.Rewind.Restore(p.host)
	}
	m.cur = nil
	if m.search == nil {
		m.rebuildWaits()
	} else {
		m.search.known = false
		m.search.effects.wanted, m.search.effects.known = nil, nil
		m.search.key.copyFrom(&p.key)
	}
	m.forgetDynamicTypes()
}
