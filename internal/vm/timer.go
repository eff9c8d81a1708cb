package vm

import (
	"math"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/mem"
)

// A timer is a heap object, so that it is saved and restored with the heap. It
// begins with what package time knows of a Timer or Ticker. The active timers
// that call a function are listed in a table, another heap object, in which each
// knows its place. Those that feed a synchronous channel are not: as in Go they
// only matter when somebody waits on the channel, and are garbage when nobody
// knows it.
type timer struct {
	c       mem.Ptr // time.Timer.C
	init    uint64  // time.Timer.initTimer
	when    int64
	period  int64
	f       mem.Ptr // func(arg any, seq uintptr, delta int64)
	argType mem.Ptr
	argData mem.Ptr
	seq     uint64
	order   uint64 // of its alarm
	index   uint64 // 1 + its place in the table (1 if it has none), 0 if it is not active
	isChan  uint64 // f sends on c, and Stop and Reset take back what was not received
}

const timerSize = uint32(unsafe.Sizeof(timer{}))

// timerPtrs is the bitmap of a timer's pointers.
const timerPtrs = 1<<0 | 1<<4 | 1<<5 | 1<<6

// NewTimer allocates a timer that is not active. Its first two words are
// package time's: the channel, 0 if it has none, and true. If sync is set the
// channel is synchronous, as those of Go 1.23 are: it seems to have no buffer,
// and after StopTimer and SetTimer nothing stale is received from it. It returns
// 0 if memory is exhausted.
func (m *Machine) NewTimer(ch mem.Ptr, sync bool) mem.Ptr {
	if m.sched.timerShape == 0 {
		m.sched.timerShape = m.Heap.AddShape(mem.Shape{Size: timerSize, Ptrs: []uint64{timerPtrs}})
	}
	p := m.allocNative(m.sched.timerShape, uint64(timerSize))
	if p == 0 {
		return 0
	}
	t := m.editTimer(p)
	t.c, t.init = ch, 1
	if sync && ch != 0 {
		t.isChan = 1
		m.Heap.SetChanAux(ch, p)
	}
	return p
}

func (m *Machine) timerAt(p mem.Ptr) *timer   { return (*timer)(m.Heap.Read(p, timerSize)) }
func (m *Machine) editTimer(p mem.Ptr) *timer { return (*timer)(m.Heap.Write(p, timerSize)) }

// SetTimer makes a timer fire at a time, and then again after each period unless
// that is 0: f(arg, seq, delay) is called on a goroutine of its own, before any
// other goroutine runs, and must not block. It reports whether the timer was
// active or had sent what was not received.
func (m *Machine) SetTimer(id mem.Ptr, when, period int64, f, argType, argData mem.Ptr, seq uint64) bool {
	pending := m.StopTimer(id)
	t := m.editTimer(id)
	if t == nil {
		return false
	}
	t.when, t.period, t.f, t.argType, t.argData, t.seq = max(when, 1), period, f, argType, argData, seq
	m.activate(id, t)
	return pending
}

// ResetTimer is SetTimer with the function and arguments that the timer has.
func (m *Machine) ResetTimer(id mem.Ptr, when, period int64) bool {
	t := m.timerAt(id)
	if t == nil {
		return false
	}
	return m.SetTimer(id, when, period, t.f, t.argType, t.argData, t.seq)
}

// StopTimer makes a timer inactive and takes back what it sent and nobody has
// received. It reports whether there was something to stop.
func (m *Machine) StopTimer(id mem.Ptr) bool {
	t := m.timerAt(id)
	if t == nil {
		return false
	}
	pending := t.index != 0
	if pending {
		m.deactivate(id)
	}
	if t.isChan != 0 && m.Heap.ChanLen(t.c) > 0 {
		for m.Heap.ChanPop(t.c, nil) {
		}
		pending = true
	}
	return pending
}

// activate enters a timer in the table and sets its alarm.
func (m *Machine) activate(id mem.Ptr, t *timer) {
	s := &m.state
	t.order = m.ticket()
	if t.isChan != 0 {
		t.index = 1
		if m.sched.waits.first(t.c, waitRecv) != nil {
			m.watchTimer(t.c)
		}
		return
	}
	if uint32(s.numTimers)*8 >= m.Heap.Size(s.timers.Obj()) && !m.growTimers() {
		return
	}
	m.Heap.StorePtr(s.timers+mem.Ptr(s.numTimers)*8, id)
	s.numTimers++
	t.index = uint64(s.numTimers)
	m.pushAlarm(alarm{when: t.when, seq: t.order, timer: id})
}

// deactivate removes a timer from the table; the last one takes its place.
func (m *Machine) deactivate(id mem.Ptr) {
	s, h := &m.state, m.Heap
	t := m.editTimer(id)
	if t.isChan != 0 {
		t.index = 0
		return
	}
	end := s.timers + mem.Ptr(s.numTimers-1)*8
	last, _ := h.LoadPtr(end)
	if last != id {
		h.StorePtr(s.timers+mem.Ptr(t.index-1)*8, last)
		m.editTimer(last).index = t.index
	}
	h.StorePtr(end, 0)
	s.numTimers--
	t.index = 0
}

// growTimers makes a larger table.
func (m *Machine) growTimers() bool {
	s := &m.state
	if m.sched.tableShape == 0 {
		m.sched.tableShape = m.Heap.AddShape(mem.Shape{Size: 8, Ptrs: []uint64{1}})
	}
	p := m.allocNative(m.sched.tableShape, uint64(max(16, 2*s.numTimers))*8)
	if p == 0 {
		return false
	}
	m.Heap.Copy(p, s.timers, uint32(s.numTimers)*8)
	s.timers = p
	return true
}

// minPeriod is how often a timer can fire, in nanoseconds, as on a real machine:
// one with a shorter period skips ticks. Else a ticker of a nanosecond would fire
// a million times while all others sleep a millisecond.
const minPeriod = 10_000

// fire calls a timer's function.
func (m *Machine) fire(id mem.Ptr) {
	t := m.editTimer(id)
	delay := m.state.now - t.when
	args := [4]uint64{uint64(t.argType), uint64(t.argData), t.seq, uint64(delay)}
	if t.period > 0 {
		t.when += t.period * (1 + delay/t.period)
		if t.period < minPeriod && !m.sched.frozen {
			t.when += t.period * (minPeriod / t.period)
		}
		if t.when < 0 {
			t.when = math.MaxInt64 // as in Go: it is never that late
		}
		t.order = m.ticket()
		m.pushAlarm(alarm{when: t.when, seq: t.order, timer: id, ch: t.channel()})
	} else {
		m.deactivate(id)
	}
	m.Spawn(t.f, args[:], true)
}

// fireLate fires the timer of a channel that somebody is about to receive from,
// if its time has come. The caller lets the timer's function run first.
func (m *Machine) fireLate(ch mem.Ptr) bool {
	id := m.Heap.ChanAux(ch)
	if id == 0 {
		return false
	}
	t := m.timerAt(id)
	if t == nil || t.index == 0 || m.Heap.ChanLen(ch) > 0 || t.when > m.Now() {
		return false
	}
	m.fire(id)
	return true
}

// watchTimer sets the alarm of a channel's timer, which was ignored while nobody
// waited on the channel.
func (m *Machine) watchTimer(ch mem.Ptr) {
	id := m.Heap.ChanAux(ch)
	if id == 0 {
		return
	}
	if t := m.timerAt(id); t != nil && t.index != 0 {
		m.pushAlarm(alarm{when: t.when, seq: t.order, timer: id, ch: t.channel()})
	}
}

// channel is the channel without which a timer does not fire.
func (t *timer) channel() mem.Ptr {
	if t.isChan == 0 {
		return 0
	}
	return t.c
}

// rebuildAlarms sets the alarms of the timers in the table.
func (m *Machine) rebuildAlarms() {
	for i := range m.state.numTimers {
		id, _ := m.Heap.LoadPtr(m.state.timers + mem.Ptr(i)*8)
		if t := m.timerAt(id); t != nil {
			m.pushAlarm(alarm{when: t.when, seq: t.order, timer: id})
		}
	}
}
