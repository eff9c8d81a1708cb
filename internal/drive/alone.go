package drive

import "github.com/heddle-mc/heddle/internal/mem"

// A goroutine is alone if nobody else can come before what it does next, whatever that is. Then its operations are no steps, and nobody notes
// what it accesses: a program of one goroutine is a state or two. So is a test of one goroutine, for which the
// harness waits: the goroutines of package testing wait at channels, and nobody but the test can wake them.
//
// It is found out before a step who is alone in it, and ends when the goroutine starts another one, sets a timer that may, or wakes one. From
// then on accesses count, to all that there is: what it has stored meanwhile was not looked at. Conditions of package verify are
// looked at after each step, so with these steps stay what they are.
//
// The first operations of a test that is alone are steps nevertheless: most tests have no more, and a story can tell them.

// alone reports whether there is only one goroutine that can move, and nothing that could
// start another one.
func (m *Machine) alone() bool {
	return (len(m.gs) == 1 || m.lone != nil) && m.Counters().NumTimers == 0
}

// unseen reports whether nobody else, and no condition, can see what the running goroutine does.
func (m *Machine) unseen() bool { return m.alone() && m.checked.nWatches == 0 }

// soloSteps is how many steps a goroutine takes that is alone although there are others, before its operations are no steps.
const soloSteps = 64

// isolate finds out whether g, which is about to move, is alone although there are others.
func (m *Machine) isolate(g *G) {
	switch {
	case !m.isolated(g):
		g.solo = 0
	case g.solo < soloSteps:
		g.solo++
	default:
		m.lone = g
	}
}

// isolated reports whether all others than g wait for it.
func (m *Machine) isolated(g *G) bool {
	return len(m.gs) > 1 && m.checked.nWatches == 0 && !m.opts.Joined && !g.ending && m.harnessWaits(g)
}

// harnessWaits reports whether all but g are goroutines of package testing that wait to receive something.
func (m *Machine) harnessWaits(g *G) bool {
	for _, o := range m.gs {
		if o == g {
			continue
		}
		op, ok := m.standsAtChan(o)
		if !ok || !op.Waits || len(o.block) > 0 || m.funcs[o.Top().Func()].harness != harness {
			return false
		}
		for i := range op.N {
			ch, send := op.At(i)
			if send || ch != 0 && (m.Heap.ChanAux(ch) != 0 || m.Heap.ChanClosed(ch) || m.Heap.ChanLen(ch) > 0) {
				return false
			}
		}
	}
	return true
}

// waitedAt reports whether somebody else than g waits at a channel.
func (m *Machine) waitedAt(g *G, ch mem.Ptr) bool {
	if ch == 0 {
		return false
	}
	for _, o := range m.gs {
		if o == g {
			continue
		}
		op, ok := m.standsAtChan(o)
		for i := 0; ok && i < op.N; i++ {
			if at, _ := op.At(i); at == ch {
				return true
			}
		}
	}
	return false
}

// marksFailed reports whether g is about to say that a test has failed, which is seen in a state.
func (m *Machine) marksFailed(g *G) bool {
	for i := g.Depth() - 1; i >= 0; i-- {
		if kind := m.funcs[g.Frames()[i].Func()].harness; kind != beneath {
			return kind == failing
		}
	}
	return false
}

// joined notes that g has started child, and may not be alone any more.
func (m *Machine) joined(g, child *G) {
	if m.lone != nil || m.alone2(g, child) {
		m.endAlone()
	}
}

// alone2 reports whether g and child are all there is.
func (m *Machine) alone2(g, child *G) bool {
	for _, o := range m.gs {
		if o != g && o != child {
			return false
		}
	}
	return true
}

// woken notes that a goroutine was made runnable.
func (m *Machine) woken(g *G) {
	if m.lone != nil && g != m.lone && !g.System() {
		m.endAlone()
	}
}

// uses notes that the running goroutine does an operation on a channel, at which somebody may wait.
func (m *Machine) uses(ch mem.Ptr) {
	if m.lone != nil && m.waitedAt(m.lone, ch) {
		m.endAlone()
	}
}

// endAlone makes accesses to all that there is count: there are two goroutines now.
func (m *Machine) endAlone() {
	m.lone = nil
	if m.initialises() {
		m.fixGlobals(false) // one of them still assigns
	}
	m.Heap.TrackAll()
}
