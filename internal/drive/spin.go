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
	met := m.met
	m.met = 0
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
	bounded := m.met&^MetGlance != 0 // it may go on in a way that is not followed: another order of a map, another number
	m.met = met                      // nothing has happened
	if !circles || bounded {
		return nil
	}
	return first
}

// A pace is how far a goroutine goes at a time.
type pace uint8

const (
	bySteps      pace = iota
	byOperations      // one that is alone stops at its next operation
	byTurns           // one that has run too long stops at its next call or jump back
)

// maxAround is after how many operations a goroutine that is alone may be back where it began, and maxSame after how many one that writes is
// taken to write something else each time.
const maxAround, maxSame = 64, 8

// comesAround reports whether a step leads back to the state, whose key is start. That of a goroutine which is alone is long, and
// to try it takes as long as the step. So its operations are tried, one after the other. So are those of the only one that can move, if they
// are all on memory alone and one of them looks at something: then there is no way out. The machine is somewhere else afterwards.
func (m *Machine) comesAround(st Step) bool {
	g := m.gs[st.Who]
	if g.spun && m.turnsAround(st) {
		return true
	}
	if g.spun && !m.longest(g) {
		return false
	}
	alone := len(m.gs) == 1 || g.solo == soloSteps && m.isolated(g)
	if g.spun || !alone && !(len(m.Steps()) == 1 && m.polls(st)) {
		m.try(st.Who, st.Alt)
		return m.Exit() == nil && m.back && !m.asksOthers() && m.isBack()
	}
	strict, looked := !alone || !m.mayOnlyLook(g), false
	m.pace, m.writes = byOperations, 0
	defer func() { m.pace = bySteps }()
	depth, f, pc, solo := g.Depth(), g.Top().Func(), g.Top().PC(), g.solo
	for i := range maxAround {
		looked = looked || m.looks(g)
		m.try(st.Who, st.Alt)
		if m.Exit() != nil || g.Depth() == 0 || m.asksOthers() {
			return false
		}
		m.save(g)
		g.solo = solo
		if g.Depth() == depth && g.Top().Func() == f && g.Top().PC() == pc {
			if m.isBack() || strict {
				return bytes.Equal(m.around, m.start) && (looked || !strict)
			}
		}
		next := m.Steps()
		if m.writes > 0 && i >= maxSame || len(next) != 1 || next[0].Alt != 0 || next[0].Who == ClockStep || m.Waits() || strict && !m.polls(next[0]) {
			return false
		}
		st = next[0]
	}
	return false
}

// turnsAround reports whether a goroutine that has run too long goes around in a loop without an operation and comes back to where it is. To
// take the step would take long. So it takes one turn after the other: after the first one all are the same, or it is somewhere else. If
// others go around as well, the first has to lead back to the state. The machine is there again afterwards.
func (m *Machine) turnsAround(st Step) bool {
	mark := m.Mark()
	g := m.gs[st.Who]
	spent, solo := g.spent, g.solo
	alone := len(m.Steps()) == 1
	m.pace = byTurns
	defer func() { m.pace = bySteps }()
	first := append([]byte(nil), m.start...)
	for i := range maxAround {
		m.try(st.Who, st.Alt)
		if m.Exit() != nil || !g.spun || m.asksOthers() || len(m.touched) > 0 {
			break
		}
		m.save(g)
		g.spent, g.solo = spent, solo // which say how long steps are
		if m.isBack() {
			m.start = first
			m.Restore(mark)
			m.Release(mark)
			return true
		}
		if i == 0 && alone {
			m.start = append([]byte(nil), m.around...)
		}
	}
	m.start = first
	m.Restore(mark)
	m.Release(mark)
	return false
}

// asksOthers reports whether the step that was tried has to do with what may change by itself: the time, which passes for who computes long
// enough, or what is outside of the program.
func (m *Machine) asksOthers() bool { return m.clockRead || m.outside || len(m.far) > 0 }

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
	steps := m.Steps()
	for _, st := range steps {
		if st.Who == ClockStep || st.Alt != 0 || !m.mayOnlyLook(m.gs[st.Who]) && !(len(steps) == 1 && m.inEndlessLoop(m.gs[st.Who]) && m.polls(st)) {
			return false
		}
	}
	return len(steps) > 0 && !m.Waits()
}

// looks reports whether a goroutine stands before an operation that tells it something. To lock and to unlock does not: who does that again and
// again may be at work.
func (m *Machine) looks(g *G) bool {
	_, op := m.StandsAtNative(g)
	return op == nil || !strings.HasSuffix(op.Row.Name, "ock") || strings.Contains(op.Row.Name, ".Try")
}

// polls reports whether a goroutine stands before an operation by which nobody learns anything who cannot look at its memory: on a lock or
// an atomic variable, a default, a len.
func (m *Machine) polls(st Step) bool {
	g := m.gs[st.Who]
	if _, op := m.StandsAtNative(g); op != nil {
		return op.Row.Memory || op.Row.Name == "runtime.Gosched"
	}
	if g.spun || g.ending || g.launch || g.Completed() || g.Depth() == 0 {
		return false
	}
	o, ok := m.ChanOpOf(&g.G)
	if !ok || o.Looks() {
		return ok
	}
	cas, partner := m.AlternativeOf(st.Who, st.Alt)
	return cas == -1 && partner == nil
}

// mayOnlyLook reports whether the next step of a goroutine may be one that changes nothing: it
// has run too long without an operation, or stands before an atomic one, which may be a look.
func (m *Machine) mayOnlyLook(g *G) bool {
	if g.spun {
		return true
	}
	_, op := m.StandsAtNative(g)
	return op != nil && strings.HasPrefix(op.Row.Name, "sync/atomic.")
}

// Waits reports whether the clock, or a signal, may still let a goroutine go on.
func (m *Machine) Waits() bool { return m.alarmed() || m.Hears() }
