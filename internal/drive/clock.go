package drive

import (
	"math"

	"github.com/heddle-mc/heddle/internal/mem"
)

// The clock of a driven machine moves in steps of its own, each to the next
// moment at which something happens: a goroutine wakes, a timer calls its
// function, a timer's channel can be received from by somebody who stands before
// that. What happens at the same moment happens in any order. When it may move is said in late.go.

// noAlarm is the moment that never comes.
const noAlarm = math.MaxInt64

// nextWhen returns the earliest moment at which something happens, or noAlarm.
func (m *Machine) nextWhen() int64 {
	when := int64(noAlarm)
	m.eachAlarm(m.Timers(), func(t int64, _ *G, _ mem.Ptr) { when = min(when, t) })
	return when
}

// dueNext returns how many things happen at that moment.
func (m *Machine) dueNext() int {
	if !m.anyAlarm() {
		return 0
	}
	when, n := m.nextWhen(), 0
	if when == noAlarm {
		return 0
	}
	m.eachAlarm(m.Timers(), func(t int64, _ *G, _ mem.Ptr) {
		if t == when {
			n++
		}
	})
	return n
}

// anyAlarm reports whether the clock may have something to do.
func (m *Machine) anyAlarm() bool {
	if m.HasTimers() {
		return true
	}
	for _, g := range m.gs {
		if g.Waiting() && g.Wait().Wake != 0 {
			return true
		}
	}
	return false
}

// eachAlarm visits what the clock will do: wake a goroutine or fire a timer. The
// timers that call functions come in the order given.
func (m *Machine) eachAlarm(timers []mem.Ptr, visit func(when int64, g *G, timer mem.Ptr)) {
	for _, g := range m.gs {
		if g.Waiting() && g.Wait().Wake != 0 {
			visit(g.Wait().Wake, g, 0)
		}
	}
	for _, id := range timers {
		if when, _, ok := m.TimerAt(id); ok {
			visit(when, nil, id)
		}
	}
	m.eachWatched(func(id mem.Ptr, when int64) { visit(when, nil, id) })
}

// eachWatched visits the active timers from whose empty channels a goroutine is
// about to receive, each once.
func (m *Machine) eachWatched(visit func(id mem.Ptr, when int64)) {
	if !m.HasTimers() {
		return // there never was a timer
	}
	var seen []mem.Ptr
	for _, g := range m.gs {
		if !g.Runnable() || g.ending || g.launch || g.unborn || g.spun || g.Completed() {
			continue
		}
		o, ok := m.ChanOpOf(&g.G)
		if !ok {
			continue
		}
	cases:
		for i := range o.N {
			ch, send := o.At(i)
			id := m.Heap.ChanAux(ch)
			if send || id == 0 || m.Heap.ChanLen(ch) > 0 {
				continue
			}
			for _, s := range seen {
				if s == id {
					continue cases
				}
			}
			if when, active, _ := m.TimerAt(id); active {
				seen = append(seen, id)
				visit(id, when)
			}
		}
	}
}

// tick moves the clock and lets the n-th of the things happen that are due then. Busy says whether
// somebody can run meanwhile.
func (m *Machine) tick(n int, busy bool) {
	m.back, m.outside, m.ticked = true, true, true
	when := m.nextWhen()
	var who *G
	var timer mem.Ptr
	m.eachAlarm(m.timersInOrder(), func(t int64, g *G, id mem.Ptr) {
		if t == when {
			if n == 0 {
				who, timer = g, id
			}
			n--
		}
	})
	m.pass(max(0, when-m.Now()), busy, who)
	if when > m.Now() {
		m.MoveClock(when)
		m.forgetLooks(nil)
		m.countTick()
	}
	if who == nil {
		m.Fire(timer)
		m.runFired()
		return
	}
	m.save(who)
	who.block = nil
	m.Ready(&who.G)
	m.armed = true
	m.advance(who)
	m.armed = false
}

// runFired runs the function of a timer that has just fired.
func (m *Machine) runFired() {
	for _, g := range m.gs {
		if g.System() && g.Runnable() && g.Depth() > 0 {
			if !m.runSystem(g) && m.Exit() == nil {
				m.Unsupported(&g.G, "the function of a timer waits")
			}
			return
		}
	}
}

// fireOverdue fires the timers whose moment has passed while nobody looked.
func (m *Machine) fireOverdue() {
	for {
		var due mem.Ptr
		m.eachWatched(func(id mem.Ptr, when int64) {
			if due == 0 && when <= m.Counters().Now {
				due = id
			}
		})
		if due == 0 || m.Exit() != nil {
			return
		}
		m.Fire(due)
		m.runFired()
	}
}
