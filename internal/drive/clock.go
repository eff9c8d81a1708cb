package drive

import (
	"math"

	"github.com/heddle-mc/heddle/internal/mem"
)

// The clock of a driven machine moves in steps of its own, each to the next
// moment at which something happens: a goroutine wakes, a timer calls its
// function, a timer's channel can be received from by somebody who stands before
// that. What happens at the same moment happens in any order. When it may move is said in late.go. Bubbles have
// clocks of their own: see bubble.go.

// noAlarm is the moment that never comes.
const noAlarm = math.MaxInt64

// An alarm is something that a clock will do: wake a goroutine or fire a timer.
type alarm struct {
	when  int64
	g     *G
	timer mem.Ptr
	clock int // the bubble whose clock it is, 0 for that outside
}

// nextWhen returns the earliest moment at which something happens outside of bubbles, or noAlarm.
func (m *Machine) nextWhen() int64 { return m.nextIn(0) }

// nextIn returns the earliest moment at which the clock of a bubble does something, or noAlarm.
func (m *Machine) nextIn(bubble int) int64 {
	when := int64(noAlarm)
	m.eachAlarm(m.Timers(), func(a alarm) {
		if a.clock == bubble {
			when = min(when, a.when)
		}
	})
	return when
}

// dueAt returns how many things happen at that moment.
func (m *Machine) dueAt(bubble int, when int64) int {
	n := 0
	m.eachAlarm(m.Timers(), func(a alarm) {
		if a.clock == bubble && a.when == when {
			n++
		}
	})
	return n
}

// dueNext returns how many things happen at the next moment outside of bubbles.
func (m *Machine) dueNext() int {
	if !m.anyAlarm() {
		return 0
	}
	when := m.nextWhen()
	if when == noAlarm {
		return 0
	}
	return m.dueAt(0, when)
}

// anyAlarm reports whether a clock may have something to do.
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

// alarmed reports whether one of the clocks has something to do.
func (m *Machine) alarmed() (any bool) {
	if m.anyAlarm() {
		m.eachAlarm(m.Timers(), func(alarm) { any = true })
	}
	return any
}

// eachAlarm visits what clocks will do. The timers that call functions come in the order given.
func (m *Machine) eachAlarm(timers []mem.Ptr, visit func(a alarm)) {
	for _, g := range m.gs {
		if g.Waiting() && g.Wait().Wake != 0 {
			visit(alarm{when: g.Wait().Wake, g: g, clock: g.WakeClock()})
		}
	}
	for _, id := range timers {
		if when, _, ok := m.TimerAt(id); ok {
			visit(alarm{when: when, timer: id, clock: m.TimerBubble(id)})
		}
	}
	m.eachWatched(func(id mem.Ptr, when int64) { visit(alarm{when: when, timer: id, clock: m.TimerBubble(id)}) })
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

// tick moves a clock and lets the n-th of the things happen that are due then. Busy says whether
// somebody can run meanwhile.
func (m *Machine) tick(t ticking, n int, busy bool) {
	m.back, m.outside, m.ticked = true, true, true
	var who *G
	var timer mem.Ptr
	alarms := 0
	m.eachAlarm(m.timersInOrder(), func(a alarm) {
		alarms++
		if a.clock == t.bubble && a.when == t.when {
			if n == 0 {
				who, timer = a.g, a.timer
			}
			n--
		}
	})
	m.passed = max(0, t.when-m.ClockOf(t.bubble))
	switch {
	case t.bubble == 0:
		m.pass(m.passed, busy, who)
	case m.passed > 0:
		m.allArrived(who, t.bubble)
		m.queueAll(t.bubble)
	}
	if m.passed > 0 && t.bubble != 0 {
		m.MoveClockOf(t.bubble, t.when)
	} else if m.passed > 0 {
		m.MoveClock(t.when + m.overtime())
		m.forgetLooks(nil)
		if alarms == 1 && !busy {
			m.countMoves(loneLooks / loneAlarms)
		} else {
			m.countTick()
		}
	}
	if who == nil {
		m.touches(timer)
		m.Fire(timer)
		m.runFired()
		if t.bubble != 0 {
			m.settleQueues(timer)
		}
		return
	}
	m.save(who)
	who.block = nil
	m.Ready(&who.G)
	m.armed = true
	m.advance(who)
	m.armed = false
}

// overtime is by how much an alarm goes off too late, once somebody has looked at the clock: who has slept for 10 ms
// sees that it was more than that, as in Go. It makes nobody late.
func (m *Machine) overtime() int64 { return int64(b2u(m.checked.observed)) }

// Passed returns after how long an alarm went off in the last step, if it was a step of a clock.
func (m *Machine) Passed() int64 { return m.passed }

// BubbleTicks reports whether the n-th step of clocks is one of a bubble's.
func (m *Machine) BubbleTicks(n int) bool {
	m.Steps()
	return n >= m.outer
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
			if due == 0 && when <= m.ClockOf(m.TimerBubble(id)) {
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
