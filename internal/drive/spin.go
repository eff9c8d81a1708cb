package drive

import "strings"

// Spins returns a goroutine that goes around in circles, if nothing else can happen any more: each step of the state
// leads back to it, as in a loop without operations, or in one that waits for a flag that nobody is left to set.
// The main goroutine comes first. It is nil if something else can happen, or nothing at all.
func (m *Machine) Spins() *G {
	if !m.MaySpin() {
		return nil
	}
	steps := m.Steps()
	var first *G
	mark := m.Mark()
	circles := true
	for _, st := range append([]Step(nil), steps...) {
		if g := m.gs[st.Who]; first == nil || g.path == "" {
			first = g
		}
		m.try(st.Who, st.Alt)
		circles = circles && m.back && m.comesBack(st.Who, st.Alt, mark)
		m.Restore(mark)
		if !circles {
			break
		}
	}
	m.Release(mark)
	if !circles {
		return nil
	}
	return first
}

// MaySpin reports whether Spins has to try the steps to know.
func (m *Machine) MaySpin() bool {
	if m.Exit() != nil || m.checked.mainGone || m.checked.pruned {
		return false
	}
	for _, st := range m.Steps() {
		if st.Who == ClockStep || st.Alt != 0 || !m.mayOnlyLook(m.gs[st.Who]) {
			return false
		}
	}
	return len(m.Steps()) > 0 && !m.Waits()
}

// mayOnlyLook reports whether the next step of a goroutine may be one that changes nothing: it
// has run too long without an operation, or stands before an atomic one, which may be a look. One that computes for long
// is not taken to be in a circle before its steps are as long as they will be: to try one takes as long as the step.
func (m *Machine) mayOnlyLook(g *G) bool {
	if g.spun {
		return m.longest(g)
	}
	_, op := m.StandsAtNative(g)
	return op != nil && strings.HasPrefix(op.Row.Name, "sync/atomic.")
}

// Waits reports whether the clock, or a signal, may still let a goroutine go on.
func (m *Machine) Waits() bool { return m.alarmed() || m.Hears() }
