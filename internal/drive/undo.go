package drive

import (
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// An undoLog holds what Restore needs beside the log of the machine of the
// language: at each mark what belongs to the state, and of each goroutine that changed
// behind a mark what was kept of it there.
type undoLog struct {
	marks  vm.PagedStack[markPoint]
	images vm.PagedStack[image]
	blocks blockRoom
}

type markPoint struct {
	images  int
	blocks  blockMark
	checked checkedState
	gs      []*G
	key     stateKey
}

// An image is a copy of what is kept of a goroutine.
type image struct {
	g    *G
	kept kept // the contents of its part may have changed since
	part mem.Part
}

// Mark starts a new transition: what happens from now on can be undone.
func (m *Machine) Mark() vm.Mark {
	l := &m.log
	p := l.marks.Push()
	p.images, p.blocks, p.checked = l.images.N, l.blocks.at, m.checked
	p.gs = append(p.gs[:0], m.gs...)
	p.key.copyFrom(&m.key)
	return m.Machine.Mark()
}

// save saves a goroutine that is about to change.
func (m *Machine) save(g *G) { m.Machine.Save(&g.G) }

// changing notes that a goroutine is about to change.
func (m *Machine) changing(g *G, saved bool) {
	m.key.known = false
	if saved {
		i := m.log.images.Push()
		i.g, i.kept = g, g.kept
		if g.part.Len() > 0 {
			i.part.CopyFrom(&g.part)
		}
	}
	g.known, g.plain = false, false
}

// Release gives up the latest mark, with nothing that happened since.
func (m *Machine) Release(k vm.Mark) {
	m.Machine.Release(k)
	m.log.marks.N = int(k - 1)
}

// Restore undoes everything since k was marked. Marks later than k are gone, k
// itself stays.
func (m *Machine) Restore(k vm.Mark) {
	l := &m.log
	p := l.marks.At(int(k - 1))
	for n := l.images.N - 1; n >= p.images; n-- {
		i := l.images.At(n)
		part := i.g.part
		i.g.kept = i.kept
		if i.kept.part.Len() > 0 {
			part.CopyFrom(&i.part)
			i.g.part = part
		} else {
			i.g.part.Empty(&part)
		}
	}
	l.images.N, l.blocks.at, l.marks.N = p.images, p.blocks, int(k)
	m.Machine.Restore(k)
	m.gs = append(m.gs[:0], p.gs...)
	m.checked = p.checked
	m.known, m.ordered = false, false
	m.effects.wanted, m.effects.known = nil, nil
	m.key.copyFrom(&p.key)
}
