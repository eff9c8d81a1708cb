package drive

import (
	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// Some tokens are hardly ever written, and reduction guesses that they never are (see
// package reduce). Here it is told when one is. It makes no difference to the machine.

// A token that was told is told once: what is known does not get less.
type told struct {
	words map[mem.Slot]bool
	kinds [effect.Kinds]bool
}

// notice tells that the step of a goroutine, or of the clock if it is nil, writes something.
func (m *Machine) notice(g *G, t effect.Token) {
	if n := m.opts.Notice; n != nil {
		t.Process = int32(m.opts.Process)
		a := m.actor(g)
		n(&a, t)
	}
}

// noticeOnce is notice for what is the same whoever does it.
func (m *Machine) noticeOnce(t effect.Token) {
	if m != nil && !m.told.kinds[t.Kind] {
		m.told.kinds[t.Kind] = true
		m.notice(m.Current(), t)
	}
}

// actor says who a goroutine is, or the clock.
func (m *Machine) actor(g *G) effect.Actor {
	a := effect.Actor{Process: m.opts.Process}
	if g == nil {
		a.Clock = true
		return a
	}
	a.Main, a.Birth = g.path == "", g.birth
	return a
}

// Actor says who the i-th goroutine is; behind the last one comes the clock.
func (m *Machine) Actor(i int) effect.Actor {
	if i == len(m.gs) {
		return m.actor(nil)
	}
	return m.actor(m.gs[i])
}

// wrote notes a write to memory.
func (m *Machine) wrote(p mem.Ptr, n uint32) {
	if m.opts.Notice == nil || !m.Heap.InBase(p.Obj()) {
		return
	}
	m.slots = m.Heap.Slots(m.slots[:0], p, n)
	for _, slot := range m.slots {
		if !m.told.words[slot] {
			if m.told.words == nil {
				m.told.words = make(map[mem.Slot]bool)
			}
			m.told.words[slot] = true
			m.notice(m.Current(), effect.Token{Kind: effect.Base, Ptr: p, Number: int(slot)})
		}
	}
}

// Miscounted notes that the counter of a WaitGroup has become negative.
func (m *Machine) Miscounted() { m.noticeOnce(effect.Token{Kind: effect.Counter}) }

// collected notes that the program asks for a collection, unless there was never anybody
// but main.
func (m *Machine) collected() {
	m.settle()
	if m.Counters().NextG > 2 || m.Counters().NumTimers > 0 {
		m.noticeOnce(effect.Token{Kind: effect.Forgotten})
	}
}

// walks notes that an iterator tells a key of a map, to main alone or to others. If it
// is not main, then whoever has started it may have meant it to be told, so no two of
// the others are told apart, and main counts as one who may.
func (m *Machine) walks(mp mem.Ptr, others bool) {
	if m.opts.Notice == nil || !others && !m.Heap.Sealed() { // what main was told before the search it has
		return
	}
	if keys := m.Heap.Keys(mp); keys != 0 {
		a := effect.Actor{Process: m.opts.Process, Main: !others}
		m.opts.Notice(&a, keysToken(m.opts.Process, keys))
	}
}

// keysToken is the token of the keys of maps that have a layout.
func keysToken(process int, layout uint64) effect.Token {
	return effect.Token{Kind: effect.Keys, Process: int32(process), Number: int(layout)}
}

// abandon notes who is still there when the process ends, but for the one who ends it.
func (m *Machine) abandon(last *G) {
	if !m.opts.Joined || m.opts.Notice == nil {
		return
	}
	if m.Exit().Kind != vm.ExitMain && m.Counters().NextG > 2 {
		a := effect.Actor{Process: m.opts.Process} // anybody but main
		m.opts.Notice(&a, effect.Token{Kind: effect.End, Process: int32(m.opts.Process)})
	}
	for _, g := range m.gs {
		if g != last && !g.ending {
			m.notice(last, effect.Token{Kind: effect.End, Birth: m.EntryName(g)})
		}
	}
}
