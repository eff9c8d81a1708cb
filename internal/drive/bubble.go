package drive

import "github.com/heddle-mc/heddle/internal/vm"

// Package testing/synctest waits until all others are blocked, and its clock
// moves only then. A driven machine knows when that is.

// bubble is why a goroutine waits whose bubble has not ended.
const bubble = "synctest.Run"

// inBubble reports whether there is a bubble.
func (m *Machine) inBubble() bool {
	for _, g := range m.gs {
		if g.Waiting() && g.Wait().Reason == bubble {
			return true
		}
	}
	return false
}

// idles reports whether g waits until all others are blocked.
func (m *Machine) idles(g *G) bool { return g.Waiting() && g.Wait().Obj == vm.IdleKey }

// allArrived notes that nobody can move until who does: whoever stands before an
// operation on a channel waits there, and a select with default must not miss it.
func (m *Machine) allArrived(who *G) {
	for _, g := range m.gs {
		m.save(g)
		g.arrived = g != who
	}
}

// idleSteps adds the steps of those that wait until all others are blocked,
// which they are. It reports whether there are any.
func (m *Machine) idleSteps() bool {
	for i, g := range m.gs {
		if m.idles(g) {
			m.steps = append(m.steps, Step{i, 0})
			m.moves[i], m.inner = true, true
		}
	}
	return m.inner
}
