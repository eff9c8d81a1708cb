package drive

import (
	"bytes"
	"strings"
)

// Spins returns a goroutine that goes around in circles, if nothing else can happen any more: each step of the state
// leads back to it, as in a loop without operations, or in one that waits for a flag that nobody is left to set.
// The main goroutine comes first. It is nil if something else can happen, or nothing at all.
func (m *Machine) Spins() *G {
	if !m.MaySpin() {
		return nil
	}
	var first *G
	mark := m.Mark()
	m.start = m.AppendKey(m.start[:0])
	circles := true
	for _, st := range append([]Step(nil), m.Steps()...) {
		if g := m.gs[st.Who]; first == nil || g.path == "" {
			first = g
		}
		circles = m.comesAround(st)
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

// maxAround is after how many operations a goroutine that is alone may be back where it began, and maxSame after how many one that writes is
// taken to write something else each time.
const maxAround, maxSame = 64, 8

// comesAround reports whether a step leads back to the state, whose key is start. That of a goroutine which is alone is long, and
// to try it takes as long as the step. So its operations are tried, one after the other. The machine is somewhere else afterwards.
func (m *Machine) comesAround(st Step) bool {
	g := m.gs[st.Who]
	if g.spun || len(m.gs) > 1 && !(g.solo == soloSteps && m.isolated(g)) {
		m.try(st.Who, st.Alt)
		return m.Exit() == nil && m.back && m.isBack()
	}
	m.fine, m.writes = true, 0
	defer func() { m.fine = false }()
	depth, f, pc := g.Depth(), g.Top().Func(), g.Top().PC()
	for i := range maxAround {
		m.try(st.Who, st.Alt)
		if m.Exit() != nil || g.Depth() == 0 {
			return false
		}
		if g.Depth() == depth && g.Top().Func() == f && g.Top().PC() == pc && m.isBack() {
			return true
		}
		next := m.Steps()
		if m.writes > 0 && i >= maxSame || len(next) != 1 || next[0].Alt != 0 || next[0].Who == ClockStep || m.Waits() {
			return false
		}
		st = next[0]
	}
	return false
}

// isBack reports whether the step that was tried leads to the state whose key is start.
func (m *Machine) isBack() bool {
	m.finishTry()
	m.around = m.AppendKey(m.around[:0])
	return bytes.Equal(m.around, m.start)
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
