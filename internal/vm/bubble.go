package vm

import (
	"cmp"
	"slices"

	"github.com/heddle-mc/heddle/internal/mem"
)

// A bubble is a group of goroutines with a clock of its own, as package testing/synctest makes them. The clock stands still
// while one of them can run, or waits for something that others may do who are not in the bubble: a lock, input,
// a channel from outside. If all of them wait for each other or for the clock, they are durably blocked,
// and the first of these happens that can:
//
//	who is in synctest.Wait goes on
//	the clock moves to its next alarm, if the function that synctest.Run was given has not returned
//	synctest.Run ends
//
// Goroutines, channels and timers that are made in a bubble belong to it. Bubbles have numbers, the outside has 0.
type bubble struct {
	number int32
	now    int64 // its clock, in nanoseconds since 1970
}

// bubbles are those of a state that have goroutines. The list is never changed in place, so that a
// mark can hold on to it.
type bubbles struct {
	made int32
	list []bubble
}

// A member says to which bubble a goroutine belongs.
type member struct {
	bubble int32
	main   bool // it was started by synctest.Run
}

// bubbleStart is what time it is when a bubble begins: 2000-01-01 00:00:00 UTC, in nanoseconds since 1970.
const bubbleStart = 946684800_000_000_000

// Why goroutines wait that wait until their bubble is durably blocked.
const (
	BubbleRun  = "synctest.Run"
	BubbleWait = "synctest.Wait"
)

// idleKey is what they wait on. No program can wait on the object of values without size.
const idleKey = zeroBase

// Bubble is the number of the bubble that a goroutine is in, 0 if it is in none.
func (g *G) Bubble() int { return int(g.member.bubble) }

// BubbleMain reports whether it is the goroutine that synctest.Run has started.
func (g *G) BubbleMain() bool { return g.member.main }

// Idles reports whether a goroutine waits until its bubble is durably blocked.
func (g *G) Idles() bool { return g.status == gWaiting && g.wait.Obj == idleKey }

// WakeClock is the bubble whose clock wakes a goroutine: that of a call which is no sleep is the clock outside.
func (g *G) WakeClock() int {
	if g.wait.Reason == "sleep" {
		return int(g.member.bubble)
	}
	return 0
}

// EnterBubble makes a bubble, with g in it and a goroutine that calls fv. It returns nil if fv is no func value.
func (m *Machine) EnterBubble(g *G, fv mem.Ptr) *G {
	b := &m.state.bubbles
	first := m.spawn(fv, nil, false)
	if first == nil {
		return nil
	}
	m.Save(g)
	b.made++
	b.list = append(slices.Clip(b.list), bubble{number: b.made, now: bubbleStart})
	g.member = member{bubble: b.made}
	first.member = member{bubble: b.made, main: true}
	m.driver.Started(nil, first)
	return first
}

// LeaveBubble takes g, which has called EnterBubble, out of its bubble again. It returns how many
// goroutines are left in that, and whether its first one is.
func (m *Machine) LeaveBubble(g *G) (left int, first bool) {
	number := g.member.bubble
	m.Save(g)
	g.member = member{}
	for o := range m.driver.Goroutines {
		if o.member.bubble == number && !o.over() {
			left++
			first = first || o.member.main
		}
	}
	if left == 0 {
		b := &m.state.bubbles
		b.list = slices.DeleteFunc(slices.Clone(b.list), func(x bubble) bool { return x.number == number })
	}
	return left, first
}

// ParkIdle makes the calling goroutine wait until its bubble is durably blocked. The native must
// then return Again, as after Park.
func (c *NativeCall) ParkIdle(reason string) { c.Park(reason, idleKey, 0) }

// Bubbles calls yield for the number of each bubble that there is.
func (m *Machine) Bubbles(yield func(bubble int) bool) {
	for _, b := range m.state.bubbles.list {
		if !yield(int(b.number)) {
			return
		}
	}
}

// AnyBubbles reports whether there are bubbles.
func (m *Machine) AnyBubbles() bool { return len(m.state.bubbles.list) > 0 }

// ClockOf is what time it is in a bubble, in nanoseconds since 1970. That of 0 is the virtual clock.
func (m *Machine) ClockOf(bubble int) int64 {
	if bubble == 0 {
		return m.Now()
	}
	for _, b := range m.state.bubbles.list {
		if int(b.number) == bubble {
			return b.now
		}
	}
	return bubbleStart // there is nobody left to ask
}

// MoveClockOf moves the clock of a bubble to a time, unless that has passed.
func (m *Machine) MoveClockOf(bubble int, to int64) {
	if bubble == 0 {
		m.MoveClock(to)
		return
	}
	list := slices.Clone(m.state.bubbles.list)
	for i := range list {
		if int(list[i].number) == bubble {
			list[i].now = max(list[i].now, to)
		}
	}
	m.state.bubbles.list = list
}

// encodeBubbles tells the bubbles in a key.
func (m *Machine) encodeBubbles(c *mem.Canon) {
	if m.state.bubbles.made == 0 {
		return
	}
	c.Word(uint64(len(m.state.bubbles.list)))
	for _, b := range m.state.bubbles.list {
		c.Word(uint64(b.number))
		c.Word(uint64(b.now))
	}
}

// foreign reports whether a channel belongs to a bubble that g is not in: it must not use it.
func (m *Machine) foreign(g *G, ch mem.Ptr) bool {
	if m.state.bubbles.made == 0 {
		return false
	}
	group := m.Heap.ChanGroup(ch)
	return group != 0 && group != int(g.member.bubble)
}

// misuse ends the program because of such a channel.
func (m *Machine) misuse(g *G, operation string) status {
	return m.fatal(g, operation+" on synctest channel from outside bubble")
}

// DurableChans reports whether all channels of an operation belong to the bubble that its goroutine is in, so that nobody
// outside can end its wait.
func (o *ChanOp) DurableChans() bool {
	for i := range o.N {
		if ch, _ := o.At(i); ch != 0 && o.m.Heap.ChanGroup(ch) != int(o.G.member.bubble) {
			return false
		}
	}
	return true
}

// ParkedDurably reports whether a goroutine of a bubble waits in a native that only its bubble can end.
func (g *G) ParkedDurably() bool {
	if g.status != gWaiting {
		return false
	}
	switch g.wait.Reason {
	case "sleep", "sync.Cond.Wait", DurableWaitGroup, "coroutine", BubbleRun, BubbleWait:
		return true
	}
	return false
}

// DurableWaitGroup is why a goroutine waits for a WaitGroup that belongs to its bubble.
const DurableWaitGroup = "sync.WaitGroup.Wait (durable)"

// durable reports whether a goroutine of a bubble waits and only its bubble can end that.
func (m *Machine) durable(g *G) bool {
	if g.status != gWaiting {
		return false
	}
	if o, ok := m.ChanOpOf(g); ok {
		return o.DurableChans()
	}
	return g.ParkedDurably()
}

// What follows is for a machine that drives itself.

// stir lets a bubble go on if it is durably blocked. It reports whether that was so.
func (m *Machine) stir(number int32) bool {
	var root, waiter *G
	first := false
	for _, g := range m.sched.gs {
		if g.member.bubble != number || g.over() {
			continue
		}
		switch {
		case !m.durable(g):
			return false
		case g.wait.Reason == BubbleRun:
			root = g
		case g.wait.Reason == BubbleWait:
			waiter = g
		}
		first = first || g.member.main
	}
	if waiter != nil {
		m.Ready(waiter)
		return true
	}
	if root == nil {
		return false // its end was a deadlock, and these are who is left
	}
	list := m.bubbleAlarms(number)
	if len(list) == 0 || !first {
		m.Ready(root)
		return true
	}
	when := list[0].when
	m.MoveClockOf(int(number), when)
	list = slices.DeleteFunc(list, func(a alarm) bool { return a.when > when })
	for n := len(list); n > 0; n-- { // in any order, as in Go
		i := m.choose(n)
		if a := list[i]; a.g != nil {
			m.Ready(a.g)
		} else {
			m.Fire(a.timer)
		}
		list[i] = list[n-1]
	}
	return true
}

// stirAny does so for one of the bubbles.
func (m *Machine) stirAny() bool {
	for _, b := range m.state.bubbles.list {
		if m.stir(b.number) {
			return true
		}
	}
	return false
}

// bubbleAlarms are the alarms of a bubble, the first ones first.
func (m *Machine) bubbleAlarms(number int32) []alarm {
	var list []alarm
	add := func(id mem.Ptr) {
		t := m.timerAt(id)
		if t != nil && t.index != 0 && t.bubble == uint32(number) && !slices.ContainsFunc(list, func(a alarm) bool { return a.timer == id }) {
			list = append(list, alarm{when: t.when, seq: t.order, timer: id})
		}
	}
	for _, id := range m.Timers() {
		add(id)
	}
	for _, g := range m.sched.gs {
		if g.member.bubble != number || g.status != gWaiting {
			continue
		}
		if g.wait.Wake != 0 && g.WakeClock() != 0 {
			list = append(list, alarm{when: g.wait.Wake, seq: g.wait.Ticket, g: g})
		}
		o, ok := m.ChanOpOf(g)
		if !ok {
			continue
		}
		for i := range o.N {
			if ch, send := o.At(i); !send && m.Heap.ChanAux(ch) != 0 {
				add(m.Heap.ChanAux(ch))
			}
		}
	}
	slices.SortFunc(list, func(a, b alarm) int { return cmp.Or(cmp.Compare(a.when, b.when), cmp.Compare(a.seq, b.seq)) })
	return list
}

// clock is the bubble whose clock an alarm goes by.
func (a *alarm) clock(m *Machine) int {
	if a.g != nil {
		return a.g.WakeClock()
	}
	if t := m.timerAt(a.timer); t != nil {
		return int(t.bubble)
	}
	return 0
}

// TimerBubble is the bubble that a timer belongs to, 0 for none.
func (m *Machine) TimerBubble(id mem.Ptr) int {
	if t := (*timer)(m.Heap.Peek(id, timerSize)); t != nil {
		return int(t.bubble)
	}
	return 0
}
