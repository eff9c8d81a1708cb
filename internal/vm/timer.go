package vm

import (
	"encoding/binary"
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
	isChan  uint32 // f sends on c, and Stop and Reset take back what was not received
	bubble  uint32 // the bubble whose clock it goes by
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
	if m.cur != nil {
		t.bubble = uint32(m.cur.member.bubble)
	}
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
	if t.bubble != 0 && t.isChan == 0 && !m.driven && t.when <= m.ClockOf(int(t.bubble)) {
		m.Fire(id) // at once, since nobody waits for the clock of a bubble that has not moved
	}
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
	if uint32(s.NumTimers)*8 >= m.Heap.Size(s.Timers.Obj()) && !m.growTimers() {
		return
	}
	m.driver.Noted(TimerSet, id)
	m.Heap.StorePtr(s.Timers+mem.Ptr(s.NumTimers)*8, id)
	s.NumTimers++
	t.index = uint64(s.NumTimers)
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
	end := s.Timers + mem.Ptr(s.NumTimers-1)*8
	last, _ := h.LoadPtr(end)
	if last != id {
		h.StorePtr(s.Timers+mem.Ptr(t.index-1)*8, last)
		m.editTimer(last).index = t.index
	}
	h.StorePtr(end, 0)
	s.NumTimers--
	t.index = 0
}

// growTimers makes a larger table.
func (m *Machine) growTimers() bool {
	s := &m.state
	if m.sched.tableShape == 0 {
		m.sched.tableShape = m.Heap.AddShape(mem.Shape{Size: 8, Ptrs: []uint64{1}})
	}
	p := m.allocNative(m.sched.tableShape, uint64(max(16, 2*s.NumTimers))*8)
	if p == 0 {
		return false
	}
	m.Heap.Copy(p, s.Timers, uint32(s.NumTimers)*8)
	s.Timers = p
	return true
}

// minPeriod is how often a timer can fire, in nanoseconds, as on a real machine:
// one with a shorter period skips ticks. Else a ticker of a nanosecond would fire
// a million times while all others sleep a millisecond.
const minPeriod = 10_000

// Fire calls a timer's function.
func (m *Machine) Fire(id mem.Ptr) {
	t := m.editTimer(id)
	delay := m.ClockOf(int(t.bubble)) - t.when
	args := [4]uint64{uint64(t.argType), uint64(t.argData), t.seq, uint64(delay)}
	if t.period > 0 {
		t.when += t.period * (1 + delay/t.period)
		if t.period < minPeriod && !m.sched.frozen && t.bubble == 0 {
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
	bubble := int32(t.bubble)
	if g := m.Spawn(t.f, args[:], true); g != nil {
		g.member.bubble = bubble
	}
}

// fireLate fires the timer of a channel that somebody is about to receive from,
// if its time has come. The caller lets the timer's function run first.
func (m *Machine) fireLate(ch mem.Ptr) bool {
	id := m.Heap.ChanAux(ch)
	if id == 0 {
		return false
	}
	t := m.timerAt(id)
	if t == nil || t.index == 0 || m.Heap.ChanLen(ch) > 0 || t.when > m.ClockOf(int(t.bubble)) {
		return false
	}
	m.Fire(id)
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
	for i := range m.state.NumTimers {
		id, _ := m.Heap.LoadPtr(m.state.Timers + mem.Ptr(i)*8)
		if t := m.timerAt(id); t != nil {
			m.pushAlarm(alarm{when: t.when, seq: t.order, timer: id})
		}
	}
}

// HasTimers reports whether there ever was a timer.
func (m *Machine) HasTimers() bool { return m.sched.timerShape != 0 }

// Timers lists the active timers that call functions, in any order.
func (m *Machine) Timers() []mem.Ptr {
	n := m.state.NumTimers
	if n == 0 {
		return nil
	}
	list := make([]mem.Ptr, n)
	for i := range list {
		list[i] = *(*mem.Ptr)(m.Heap.Peek(m.state.Timers+mem.Ptr(i)*8, 8))
	}
	return list
}

// TimerAt returns when a timer fires, and whether it is active. It is not ok if
// there is no timer.
func (m *Machine) TimerAt(id mem.Ptr) (when int64, active, ok bool) {
	t := m.timerAt(id)
	if t == nil {
		return 0, false, false
	}
	return t.when, t.index != 0, true
}

// TimerTime is when the timer at id fires. To look at it is no access.
func (m *Machine) TimerTime(id mem.Ptr) int64 { return (*timer)(m.Heap.Peek(id, timerSize)).when }

// EncodeTimer tells a timer in a key: moments count from now, and the order in
// which timers were set does not matter. It reports false if p is none.
func (m *Machine) EncodeTimer(c *mem.Canon, p mem.Ptr, shape mem.ShapeID) bool {
	if shape == 0 || shape != m.sched.timerShape {
		return false
	}
	t := (*timer)(m.Heap.Peek(p, timerSize))
	c.Ptr(t.c)
	c.Ptr(t.f)
	c.Ptr(t.argType)
	c.Ptr(t.argData)
	c.Word(uint64(t.bubble)<<32 ^ t.seq)
	c.Word(uint64(t.period))
	if t.index == 0 {
		c.Word(0)
	} else {
		c.Word(uint64(max(t.when-m.ClockOf(int(t.bubble)), 0))<<1 | 1)
	}
	return true
}

// RelativeTick makes a time.Time that a timer has sent and nobody has received
// count from now, in a key.
func (m *Machine) RelativeTick(b []byte) {
	if len(b) < 16 {
		return
	}
	clear(b[:8]) // the wall clock's part
	mono := int64(binary.LittleEndian.Uint64(b[8:]))
	binary.LittleEndian.PutUint64(b[8:], uint64(mono-m.state.Now))
}

// readTick notes that the program has looked at the time that a timer has sent.
func (m *Machine) readTick(ch mem.Ptr) {
	if m.driven && m.Heap.ChanAux(ch) != 0 {
		m.driver.Noted(ClockRead, 0)
	}
}
