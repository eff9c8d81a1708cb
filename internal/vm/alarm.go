package vm

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/mem"
)

// An alarm is something that happens when the clock reaches a time: a goroutine
// wakes or a timer fires. Alarms are ordered by time, then by the order in which
// they were set. One whose goroutine or timer has moved on is stale and ignored.
type alarm struct {
	when  int64
	seq   uint64
	g     *G      // who wakes; nil for a timer
	timer mem.Ptr // what fires
	ch    mem.Ptr // its channel, if it fires only when somebody waits on that
}

func (a *alarm) before(b *alarm) bool {
	return a.when < b.when || a.when == b.when && a.seq < b.seq
}

// pushAlarm adds an alarm to the heap.
func (m *Machine) pushAlarm(a alarm) {
	if m.driven || a.clock(m) != 0 {
		return // who wakes next follows from the state
	}
	s := &m.sched
	if a.timer != 0 {
		if _, ok := s.watched[a.seq]; ok {
			return
		}
		if s.watched == nil {
			s.watched = make(map[uint64]struct{})
		}
		s.watched[a.seq] = struct{}{}
	}
	if len(s.alarms) >= s.purgeAt {
		m.purgeAlarms()
	}
	h := append(s.alarms, a)
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !h[i].before(&h[up]) {
			break
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
	s.alarms = h
}

// purgeAlarms removes stale alarms. It is called when they may be half of all.
func (m *Machine) purgeAlarms() {
	s := &m.sched
	s.alarms = slices.DeleteFunc(s.alarms, func(a alarm) bool {
		if !m.stale(&a) {
			return false
		}
		if a.timer != 0 {
			delete(s.watched, a.seq)
		}
		return true
	})
	slices.SortFunc(s.alarms, func(a, b alarm) int {
		if a.before(&b) {
			return -1
		}
		return 1
	})
	s.purgeAt = max(1024, 2*len(s.alarms))
}

func (m *Machine) clearAlarms() {
	clear(m.sched.alarms)
	m.sched.alarms = m.sched.alarms[:0]
	clear(m.sched.watched)
}

// popAlarm removes the earliest alarm.
func (m *Machine) popAlarm() {
	h := m.sched.alarms
	if h[0].timer != 0 {
		delete(m.sched.watched, h[0].seq)
	}
	n := len(h) - 1
	h[0] = h[n]
	h[n] = alarm{}
	h = h[:n]
	for i := 0; ; {
		c := 2*i + 1
		if c >= n {
			break
		}
		if c+1 < n && h[c+1].before(&h[c]) {
			c++
		}
		if !h[c].before(&h[i]) {
			break
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
	m.sched.alarms = h
}

// stale reports whether an alarm has become void.
func (m *Machine) stale(a *alarm) bool {
	if a.g != nil {
		return a.g.status != gWaiting || a.g.wait.Ticket != a.seq
	}
	// A timer with a channel fires when somebody waits on it or looks at it. If
	// nobody does, the timer may be garbage by now.
	if a.ch != 0 && (m.sched.waits.first(a.ch, waitRecv) == nil || m.Heap.ChanAux(a.ch) != a.timer) {
		return true
	}
	t := m.timerAt(a.timer)
	return t == nil || t.index == 0 || t.order != a.seq
}

// nextAlarm returns the earliest alarm, nil if there is none.
func (m *Machine) nextAlarm() *alarm {
	for len(m.sched.alarms) > 0 {
		a := &m.sched.alarms[0]
		if !m.stale(a) {
			return a
		}
		m.popAlarm()
	}
	return nil
}

// due reports whether an alarm's time has come.
func (m *Machine) due() bool {
	if len(m.sched.alarms) == 0 || m.sched.alarms[0].when > m.state.Now {
		return false
	}
	a := m.nextAlarm()
	return a != nil && a.when <= m.state.Now
}

// fireDue wakes the goroutines and fires the timers whose time has come.
func (m *Machine) fireDue() {
	for m.due() {
		a := m.sched.alarms[0]
		m.popAlarm()
		if a.g != nil {
			m.Ready(a.g)
		} else {
			m.Fire(a.timer)
		}
	}
}

// jump moves the clock to the next alarm. It reports false if there is none.
func (m *Machine) jump() bool {
	a := m.nextAlarm()
	if a == nil {
		return false
	}
	m.state.Now = max(m.state.Now, a.when)
	return true
}
