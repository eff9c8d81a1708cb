package drive

import (
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// A step whose effect is known need not be executed to get where it leads: the cells are
// changed that it changes, and the goroutine is made like the one whose step was noted, which
// was in the same state and so is now. One of some is executed nevertheless, and must
// have the effect that it had before.

// executedOf is how many steps with a known effect there are for one that is executed.
const executedOf = 64

// A change is a cell that a step changes, and what is in it afterwards.
type change struct {
	cell mem.Cell
	to   uint64
}

// A model is a goroutine in one of its states, for others to be made like it. All of it follows
// from the digest, but for registers that nobody reads any more.
type model struct {
	posture  *vm.Posture
	standing standing
	progress progress
	receipt  uint32
	ticket   uint64
	queue    mem.Ptr
	where    where
	order    uint64
	rivals   bool
	part     mem.Part // which has no list of objects
}

// modelOf returns the model of a goroutine that is plain, nil if there is more to tell of it.
func (m *Machine) modelOf(g *G) *model {
	if !g.Simple() || g.exit != nil {
		return nil
	}
	return &model{
		posture: m.PostureOf(&g.G), standing: g.standing, progress: g.progress, receipt: g.receipt,
		ticket: g.ticket, queue: g.queue, where: g.where, order: g.order, rivals: g.rivals, part: g.part,
	}
}

// become makes g, which was saved, like the model of a local.
func (g *G) become(l *local) {
	o := l.model
	g.Assume(o.posture)
	g.standing, g.progress, g.receipt = o.standing, o.progress, o.receipt
	g.ticket, g.queue = o.ticket, o.queue
	list := g.part
	g.known, g.plain, g.where, g.order, g.rivals, g.local, g.part = true, true, o.where, o.order, o.rivals, l, o.part
	g.part.Empty(&list)
}

// replays reports whether the step of g, whose effect is known, is not to be executed.
func (m *Machine) replays(g *G) bool {
	x := m.effects.effect
	if m.probing || !g.Simple() || !x.gone && x.to.model == nil {
		return false
	}
	m.effects.taken++
	return m.effects.taken%executedOf != 0
}

// replay does to the machine what the step of g does.
func (m *Machine) replay(g *G) {
	x, before := m.effects.effect, g.sum()
	m.movers = append(m.movers, g)
	m.back, m.outside, m.clockRead = x.back, x.outside, x.clock
	for _, c := range x.changes {
		m.Heap.Store(c.cell, c.to)
	}
	m.save(g)
	g.settled = false
	if g.block = x.block; x.gone {
		g.Clear()
		g.ending = true
	} else {
		g.become(x.to)
	}
	m.finishStep()
	m.arrived(g, x, before)
}

// arrived makes the key, which is that of the state before the step of g, that of
// the current state.
func (m *Machine) arrived(g *G, x *stepEffect, before mem.Sum) {
	same := x.gone == g.Dead() && (x.gone || g.plain && g.sum() == x.sum)
	for _, c := range x.changes {
		same = same && m.Heap.Load(c.cell) == c.to
	}
	if !same {
		panic(diag.Bugf("a step did not have the effect that it had before"))
	}
	x.apply(m.key.bytes, m.countAt(), m.key.sumAt, before)
	m.key.known = true
	m.effects.known = nil
}
