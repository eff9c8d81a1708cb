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
	marks  PagedStack[markPoint]
	images PagedStack[gImage]
	epoch  uint64 // number of the latest mark; a G with another one must be saved
}

type markPoint struct {
	heap   mem.Mark
	images int
	state  scalars
	exit   *Exit
	gs     []*G
	host   int
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
}

// Mark starts a new transition: what happens from now on can be undone.
func (m *Machine) Mark() Mark {
	u := &m.undo
	u.epoch++
	p := u.marks.Push()
	p.heap, p.images, p.state, p.exit = m.Heap.Mark(), u.images.N, m.state, m.exit
	p.gs = append(p.gs[:0], m.sched.gs...)
	if m.Rewind != nil {
		p.host = m.Rewind.Mark()
	}
	return Mark(u.marks.N)
}

// Save saves a goroutine that is about to change, once behind each mark.
func (m *Machine) Save(g *G) {
	u := &m.undo
	if u.marks.N == 0 || g.epoch == u.epoch {
		m.driver.Changing(g, false)
		return
	}
	m.driver.Changing(g, true)
	i := u.images.Push()
	i.g, i.fields = g, *g
	i.stack = append(i.stack[:0], g.stack[:m.usedStack(g)]...)
	i.frames = append(i.frames[:0], g.frames[:g.depth]...)
	if i.more = len(g.defers)+len(g.deferArgs)+len(g.panics) > 0; i.more {
		i.defers = append(i.defers[:0], g.defers...)
		i.deferArgs = append(i.deferArgs[:0], g.deferArgs...)
		i.panics = append(i.panics[:0], g.panics...)
	}
	g.epoch = u.epoch
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
	m.Heap.Release(u.marks.At(int(k - 1)).heap)
	u.marks.N = int(k - 1)
	u.epoch++
}

// Restore undoes everything since k was marked. Marks later than k are gone, k
// itself stays.
func (m *Machine) Restore(k Mark) {
	u := &m.undo
	p := u.marks.At(int(k - 1))
	for n := u.images.N - 1; n >= p.images; n-- {
		i := u.images.At(n)
		g := i.g
		stack, frames, defers, args, panics := g.stack, g.frames, g.defers, g.deferArgs, g.panics
		*g = i.fields
		g.stack, g.frames = stack, frames
		g.defers, g.deferArgs, g.panics = defers[:0], args[:0], panics[:0]
		copy(stack, i.stack)
		copy(frames, i.frames)
		if i.more {
			g.defers = append(g.defers, i.defers...)
			g.deferArgs = append(g.deferArgs, i.deferArgs...)
			g.panics = append(g.panics, i.panics...)
		}
	}
	u.images.N = p.images
	u.marks.N = int(k)
	u.epoch++
	m.Heap.Restore(p.heap)
	m.state, m.exit = p.state, p.exit
	m.sched.gs = append(m.sched.gs[:0], p.gs...)
	if m.Rewind != nil {
		m.Rewind.Restore(p.host)
	}
	m.cur = nil
	if !m.driven {
		m.rebuildWaits()
	}
	m.forgetDynamicTypes()
}
