package vm

import (
	"encoding/binary"
	"math"

	"github.com/heddle-mc/heddle/internal/mem"
)

// The clock of a driven machine moves in steps of its own, each to the next
// moment at which something happens: a goroutine wakes, a timer calls its
// function, a timer's channel can be received from by somebody who stands before
// that. What happens at the same moment happens in any order.

// noAlarm is the moment that never comes.
const noAlarm = math.MaxInt64

// nextWhen returns the earliest moment at which something happens, or noAlarm.
func (m *Machine) nextWhen() int64 {
	when := int64(noAlarm)
	m.eachAlarm(m.timers(), func(t int64, _ *G, _ mem.Ptr) { when = min(when, t) })
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
	m.eachAlarm(m.timers(), func(t int64, _ *G, _ mem.Ptr) {
		if t == when {
			n++
		}
	})
	return n
}

// anyAlarm reports whether the clock may have something to do.
func (m *Machine) anyAlarm() bool {
	if m.sched.timerShape != 0 {
		return true
	}
	for _, g := range m.gs {
		if g.status == gWaiting && g.wait.Wake != 0 {
			return true
		}
	}
	return false
}

// eachAlarm visits what the clock will do: wake a goroutine or fire a timer. The
// timers that call functions come in the order given.
func (m *Machine) eachAlarm(timers []mem.Ptr, visit func(when int64, g *G, timer mem.Ptr)) {
	for _, g := range m.gs {
		if g.status == gWaiting && g.wait.Wake != 0 {
			visit(g.wait.Wake, g, 0)
		}
	}
	for _, id := range timers {
		if t := m.timerAt(id); t != nil {
			visit(t.when, nil, id)
		}
	}
	m.eachWatched(func(id mem.Ptr, t *timer) { visit(t.when, nil, id) })
}

// eachWatched visits the active timers from whose empty channels a goroutine is
// about to receive, each once.
func (m *Machine) eachWatched(visit func(id mem.Ptr, t *timer)) {
	if m.sched.timerShape == 0 {
		return // there never was a timer
	}
	var seen []mem.Ptr
	for _, g := range m.gs {
		if g.status != gRunnable || g.ending || g.launch || g.unborn || g.spun || g.chosen != 0 {
			continue
		}
		o, ok := m.chanOpOf(g)
		if !ok {
			continue
		}
	cases:
		for i := range o.n {
			ch, send := o.at(i)
			id := m.Heap.ChanAux(ch)
			if send || id == 0 || m.Heap.ChanLen(ch) > 0 {
				continue
			}
			for _, s := range seen {
				if s == id {
					continue cases
				}
			}
			if t := m.timerAt(id); t != nil && t.index != 0 {
				seen = append(seen, id)
				visit(id, t)
			}
		}
	}
}

// tick moves the clock and lets the n-th of the things happen that are due then.
func (m *Machine) tick(n int) {
	s := m.search
	s.back, s.outside = true, true
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
	if s.Quiescent || m.inBubble() {
		m.allArrived(who)
	}
	m.state.now = max(m.state.now, when)
	if who == nil {
		m.fire(timer)
		m.runFired()
		return
	}
	m.touch(who)
	who.block = nil
	m.Ready(who)
	s.armed = true
	m.advance(who)
	s.armed = false
}

// runFired runs the function of a timer that has just fired.
func (m *Machine) runFired() {
	for _, g := range m.gs {
		if g.system && g.status == gRunnable && g.depth > 0 {
			if !m.runSystem(g) && m.exit == nil {
				m.unsupported(g, "the function of a timer waits")
			}
			return
		}
	}
}

// fireOverdue fires the timers whose moment has passed while nobody looked.
func (m *Machine) fireOverdue() {
	for {
		var due mem.Ptr
		m.eachWatched(func(id mem.Ptr, t *timer) {
			if due == 0 && t.when <= m.state.now {
				due = id
			}
		})
		if due == 0 || m.exit != nil {
			return
		}
		m.fire(due)
		m.runFired()
	}
}

// encodeTimer tells a timer in a key: moments count from now, and the order in
// which timers were set does not matter.
func (m *Machine) encodeTimer(c *mem.Canon, p mem.Ptr, shape mem.ShapeID) bool {
	switch shape {
	case m.sched.timerShape:
		if m.sched.timerShape == 0 {
			return false
		}
		t := (*timer)(m.Heap.Peek(p, timerSize))
		c.Ptr(t.c)
		c.Ptr(t.f)
		c.Ptr(t.argType)
		c.Ptr(t.argData)
		c.Word(t.seq)
		c.Word(uint64(t.period))
		if t.index == 0 {
			c.Word(0)
		} else {
			c.Word(uint64(max(t.when-m.state.now, 0))<<1 | 1)
		}
		return true
	case m.sched.tableShape:
		return false
	}
	return false
}

// readTick notes that the program has looked at the time that a timer has sent.
func (m *Machine) readTick(ch mem.Ptr) {
	if m.search != nil && m.Heap.ChanAux(ch) != 0 {
		m.Observed()
	}
}

// relativeTick makes a time.Time that a timer has sent and nobody has received
// count from now, in a key.
func (m *Machine) relativeTick(b []byte) {
	if len(b) < 16 {
		return
	}
	clear(b[:8]) // the wall clock's part
	mono := int64(binary.LittleEndian.Uint64(b[8:]))
	binary.LittleEndian.PutUint64(b[8:], uint64(mono-m.state.now))
}
