package drive

import (
	"bytes"
	"strings"

	"github.com/heddle-mc/heddle/internal/vm"
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
		circles = m.comesAround(st, mark)
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

// maxAround is after how many operations it is no longer looked at each whether a goroutine that is alone is back where it began, and maxSame after how many
// a goroutine that writes is taken to write something else each time.
const maxAround, maxSame = 64, 8

// comesAround reports whether a step leads back to the state, whose key is start. That of a goroutine which is alone is long, and
// to try it takes as long as the step. So first its operations are tried one by one, and the step as a whole only if none of these has
// written anything. The machine is somewhere else afterwards.
func (m *Machine) comesAround(st Step, mark vm.Mark) bool {
	if g := m.gs[st.Who]; !g.spun && (len(m.gs) == 1 || g.solo == soloSteps && m.isolated(g)) {
		m.fine, m.writes = true, 0
		around, over := m.goesAround(st)
		m.fine = false
		if over {
			return around
		}
		m.Restore(mark)
	}
	m.try(st.Who, st.Alt)
	return m.Exit() == nil && m.back && m.isBack()
}

// goesAround reports whether the next operations of a goroutine lead back to the state, whose key is start, and whether that is certain.
func (m *Machine) goesAround(st Step) (back, certain bool) {
	for i := range maxAround {
		m.try(st.Who, st.Alt)
		switch {
		case m.Exit() != nil:
			return false, true
		case m.isBack():
			return true, true
		case m.writes > 0 && i >= maxSame:
			return false, true
		}
		next := m.Steps()
		if len(next) != 1 || next[0].Alt != 0 || next[0].Who == ClockStep || m.Waits() {
			return false, true
		}
		st = next[0]
	}
	return false, false
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
