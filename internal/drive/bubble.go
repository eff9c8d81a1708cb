package drive

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/vm"
)

// Bubbles of package testing/synctest have clocks of their own, which move only when all of their goroutines are durably blocked: see
// vm/bubble.go. Whether others can run, in other bubbles or in none, makes no difference, and nobody is late.
//
// One that has ended but for its block does not hold the clock back, as outside: that time has passed does not order what it has accessed before what
// others do. It is waited for by synctest.Wait and at the end of the bubble, which do.
//
// Several alarms of one moment come one after the other, while those can run already whom the first ones have woken.

// A stillness is what is known of a bubble in a state.
type stillness struct {
	root, waiter int // places of who is in synctest.Run and in synctest.Wait, -1 for nobody
	restless     int // place of the first one who is not durably blocked, -1 if all are
	ended        int // place of one who has ended but for its block, -1 for nobody
	first        bool
	now, next    int64 // its clock, and its next alarm or noAlarm
}

// due reports whether the moment of an alarm has come.
func (s *stillness) due() bool { return s.next <= s.now }

// moves reports whether the clock can take a step.
func (s *stillness) moves() bool {
	return s.due() || s.restless < 0 && s.waiter < 0 && s.root >= 0 && s.first && s.next != noAlarm
}

// lets reports whether the i-th goroutine, which waits until all are blocked, goes on.
func (s *stillness) lets(i int) bool {
	if s.restless >= 0 || s.ended >= 0 || s.due() {
		return false
	}
	return i == s.waiter || s.waiter < 0 && (s.next == noAlarm || !s.first)
}

// stillness looks at a bubble.
func (m *Machine) stillness(bubble int) stillness {
	s := stillness{root: -1, waiter: -1, restless: -1, ended: -1, now: m.ClockOf(bubble), next: m.nextIn(bubble)}
	for i, g := range m.gs {
		if g.Bubble() != bubble {
			continue
		}
		s.first = s.first || g.BubbleMain() && !g.ended()
		switch {
		case g.ended():
			s.ended = i
		case g.Idles() && g.Wait().Reason == vm.BubbleWait:
			s.waiter = i
		case g.Idles():
			s.root = i
		case s.restless < 0 && !m.durable(i):
			s.restless = i
		}
	}
	return s
}

// durable reports whether the i-th goroutine waits for something that only its own bubble can do.
func (m *Machine) durable(i int) bool {
	g := m.gs[i]
	switch {
	case g.Waiting():
		return g.ParkedDurably()
	case g.unborn || g.ending || m.canMove(i):
		return false
	}
	if o, ok := m.ChanOpOf(&g.G); ok {
		return o.DurableChans()
	}
	c, op := m.StandsAtNative(g)
	return op != nil && op.Durable != nil && op.Durable(c)
}

// allArrived notes that nobody of a bubble can move until who does, nobody at all if it is 0: whoever stands before an
// operation on a channel waits there, and a select with default must not miss it.
func (m *Machine) allArrived(who *G, bubble int) {
	for _, g := range m.gs {
		if bubble == 0 || g.Bubble() == bubble {
			m.save(g)
			g.arrived = g != who
		}
	}
}

// endBlocks ends the blocks of a bubble: what its goroutines did before they were blocked comes before what somebody does who
// has waited for that. Others could race with it before.
func (m *Machine) endBlocks(bubble int) {
	for _, g := range m.gs {
		if g.Bubble() == bubble && len(g.block) > 0 {
			m.save(g)
			g.block = nil
		}
	}
}

// beginsSleep reports whether g stands before a sleep in a bubble. That orders nothing, so its block goes on until the clock wakes it. Outside, another
// search finds what comes of that: there the clock can move before the sleep begins.
func (m *Machine) beginsSleep(g *G) bool {
	if g.Bubble() == 0 || g.launch || g.ending || !g.Runnable() {
		return false
	}
	_, op := m.StandsAtNative(g)
	return op != nil && op.Row.Name == "time.Sleep"
}

// A ticking bubble is one whose clock can take steps.
type ticking struct {
	bubble int
	when   int64
	n      int // how many things happen then
}

// tickingBubbles finds out which clocks of bubbles can take steps.
func (m *Machine) tickingBubbles() {
	m.ticking = m.ticking[:0]
	for b := range m.Bubbles {
		if s := m.stillness(b); s.moves() {
			m.ticking = append(m.ticking, ticking{b, s.next, m.dueAt(b, s.next)})
		}
	}
}

// clockOf returns which clock takes the n-th of the steps of clocks that Steps has told, to which moment, and which of the
// things it is that happen then.
func (m *Machine) clockOf(n int) (t ticking, nth int) {
	if n < m.outer {
		return ticking{0, m.nextWhen(), m.outer}, n
	}
	n -= m.outer
	for _, t := range m.ticking {
		if n < t.n {
			return t, n
		}
		n -= t.n
	}
	return ticking{0, noAlarm, 0}, 0
}

// bubblePrint adds what a goroutine waits for that the clock of its bubble wakes, or that waits until all
// of the bubble are blocked: for one of those who are not, for who goes on before it does, or for the clock.
func (m *Machine) bubblePrint(i int, f *effect.Footprint) {
	s := m.stillness(m.gs[i].Bubble())
	switch {
	case s.due():
		f.Wait(m.process())
	case s.restless >= 0:
		f.Wait(m.goroutine(s.restless))
	case s.ended >= 0 && m.gs[i].Idles():
		f.Wait(m.goroutine(s.ended))
	case s.waiter >= 0 && s.waiter != i:
		f.Wait(m.goroutine(s.waiter))
	default:
		f.Wait(m.process())
	}
}

// goroutine is the token of what only the i-th goroutine can do.
func (m *Machine) goroutine(i int) effect.Token {
	return effect.Token{Kind: effect.Goroutine, Process: int32(m.opts.Process), Number: i + 1}
}

// waitsForBubble reports whether a goroutine goes on when its bubble is durably blocked, now or when the clock has moved.
func (g *G) waitsForBubble() bool {
	return g.Bubble() != 0 && g.Waiting() && (g.Idles() || g.Wait().Wake != 0 && g.WakeClock() != 0)
}

// hopeful reports whether a bubble may come to be durably blocked: if somebody in it waits for something else, that may still happen.
func (m *Machine) hopeful(bubble int, live []bool) bool {
	for i, g := range m.gs {
		if g.Bubble() == bubble && !live[i] && !g.waitsForBubble() && !m.durable(i) {
			return false
		}
	}
	return true
}

// toldByBubble reports whether it is said by a panic that the i-th goroutine is blocked for ever: that of synctest.Run, when its
// bubble has come to rest. So it is no leak.
func (m *Machine) toldByBubble(i int, live []bool) bool {
	b := m.gs[i].Bubble()
	return b != 0 && m.durable(i) && m.hopeful(b, live)
}

// restless returns those of some goroutines that are in the bubble of g, and not durably blocked.
func (m *Machine) restless(g *G, among []*G) (list []*G) {
	for i, o := range m.gs {
		if o != g && o.Bubble() == g.Bubble() && !o.Idles() && !m.durable(i) && slices.Contains(among, o) {
			list = append(list, o)
		}
	}
	return list
}

// rootBubbles notes what timers of bubbles can reach whose clocks may still move. It reports whether there is a new one.
func (m *Machine) rootBubbles(live []bool) (more bool) {
	for b := range m.Bubbles {
		if slices.Contains(m.rooted, b) || !m.hopeful(b, live) {
			continue
		}
		m.rooted, more = append(m.rooted, b), true
		m.eachAlarm(m.Timers(), func(a alarm) {
			if a.clock == b && a.timer != 0 {
				m.reacher.Root(a.timer)
			}
		})
	}
	return more
}

// anyBubbleMoves reports whether the clock of a bubble may still move.
func (m *Machine) anyBubbleMoves(live []bool) bool {
	for b := range m.Bubbles {
		if m.nextIn(b) != noAlarm && m.hopeful(b, live) {
			return true
		}
	}
	return false
}
