package drive

import (
	"github.com/heddle-mc/heddle/internal/bytecode"
)

// A Race is two accesses to the same memory of which one is a write and that
// nothing orders.
type Race struct {
	G, H *G
	A, B Access // of G and of H
	// Rivals, if they are not zero, are operations before which G and H stand, and no accesses.
	Rivals [2]Rival
}

// collide looks for accesses of the step's goroutines that collide with the
// blocks of others.
func (m *Machine) collide() {
	for i, g := range m.movers {
		if len(g.block) == 0 {
			continue
		}
		for _, o := range m.gs {
			if o == g || len(o.block) == 0 {
				continue
			}
			if i > 0 && moved(m.movers[:i], o) {
				continue
			}
			m.compare(g, g.block, o)
		}
	}
	m.collideOp()
}

// collideOp compares what the last operation has accessed with the blocks of others than who has done it.
func (m *Machine) collideOp() {
	if len(m.op) == 0 || !m.atomicOp() {
		return
	}
	for _, o := range m.gs {
		if o != m.opBy {
			m.compare(m.opBy, m.op, o)
		}
	}
}

// moved reports whether g is among the goroutines of a list.
func moved(list []*G, g *G) bool {
	for _, o := range list {
		if o == g {
			return true
		}
	}
	return false
}

// atomicOp reports whether the accesses of the step's operation count as such.
func (m *Machine) atomicOp() bool {
	a := m.op[0]
	f := &m.funcs[a.fn]
	if !f.native {
		in := &f.f.Code[a.pc]
		if in.Op != bytecode.OpCall {
			return false
		}
		f = &m.funcs[in.Imm]
	}
	return f.op != nil && f.op.Row.Atomic
}

func (m *Machine) compare(g *G, b Block, o *G) {
	if o.settled && g.serves() || g.settled && o.serves() {
		return
	}
	for _, x := range b {
		for _, y := range o.block {
			if x.Obj == y.Obj && (x.Write || y.Write) && x.lo < y.hi && y.lo < x.hi {
				if x.observes() {
					m.unfit.Ordered = true
					continue
				}
				m.races = append(m.races, Race{G: g, H: o, A: x, B: y})
			}
		}
	}
}
