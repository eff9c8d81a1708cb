package drive

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/mem"
)

// What a search for loops has to know of a machine: who could move, who is who from one state to
// the next, and what steps are good for. Actors are counted from 0: the clock, and behind
// it the goroutines in the order of the state.

// A Use says what a step is good for.
type Use uint8

// The uses.
const (
	Act      Use = iota // it changes something that it may change back: takes a lock, stores a value
	Look                // it changes nothing: a look, an attempt that fails, a turn of an empty loop
	Progress            // something is passed on, begins or ends: a message, a goroutine, time, a system call
)

// fairness is what is noted of the last step.
type fairness struct {
	use    Use
	asked  bool // it was a choice that the program has asked for, by verify.Choose
	before []*G // the goroutines before it
}

// takes notes that a step is about to be taken, by a goroutine or, if g is nil, the clock.
func (m *Machine) takes(g *G, a alternative) {
	if !m.opts.Live {
		return
	}
	m.before = append(m.before[:0], m.gs...)
	m.use, m.asked = m.useOf(g, a), false
	if g != nil && m.alts.n > 1 {
		_, op := m.StandsAtNative(g)
		m.asked = op != nil && op.Choices != nil && op.Row.Has(effect.Nothing)
	}
}

// Asked reports whether the last step was one outcome of verify.Choose.
func (m *Machine) Asked() bool { return m.asked }

// useOf tells what the next step of a goroutine is good for, as far as it can be known before.
func (m *Machine) useOf(g *G, a alternative) Use {
	switch {
	case g == nil || g.launch || g.ending || g.unborn || g.Completed() || a.partner >= 0 || g.Idles():
		return Progress
	case g.spun:
		return Look
	case g.access:
		return Act
	}
	if o, ok := m.ChanOpOf(&g.G); ok {
		if a.cas < 0 { // default
			return Look
		}
		ch, send := o.At(int(a.cas))
		if !send && m.Heap.IsChan(ch) && m.Heap.ChanClosed(ch) && m.Heap.ChanLen(ch) == 0 {
			return Look
		}
		return Progress
	}
	c, op := m.StandsAtNative(g)
	switch {
	case op == nil:
		if _, in := m.StandsAt(g); in != nil && (in.Op == bytecode.OpChanlen || in.Op == bytecode.OpMaprange) {
			return Look
		}
		return Progress
	case op.Row.OnlyReads() != 0, op.Fails != nil && m.asks(c, op.Fails):
		return Look
	case op.Row.Memory && op.Row.Atomic && op.Awaits == nil && op.Counts == nil:
		return Act // locks and atomic variables
	case op.Choices != nil && op.Outside == nil && (op.Row.Has(effect.Nothing) || op.Row.Has(effect.Told)):
		return Act // a choice that nobody else sees
	}
	return Progress
}

// Used tells what the last step was good for.
func (m *Machine) Used() Use {
	if m.ticked || m.Exit() != nil || len(m.started) > 0 || len(m.before) != len(m.gs) {
		return Progress
	}
	for _, g := range m.before {
		if g.Dead() {
			return Progress
		}
	}
	return m.use
}

// Whereabouts appends for each actor before the last step its number after it, -1 if it is gone. Base is the number of the
// first one.
func (m *Machine) Whereabouts(dst []int32, base int) []int32 {
	dst = append(dst, int32(base))
	for _, g := range m.before {
		i := slices.Index(m.gs, g)
		if i >= 0 {
			i += base + 1
		}
		dst = append(dst, int32(i))
	}
	return dst
}

// StayAsBefore notes that the step is one of another machine, which may change the order of the goroutines.
func (m *Machine) StayAsBefore() { m.before = append(m.before[:0], m.gs...) }

// TookPart appends the actors that took part in the last step, by their numbers before it.
func (m *Machine) TookPart(dst []int32, base int) []int32 {
	if m.ticked {
		dst = append(dst, int32(base))
	}
	for i, g := range m.before {
		if slices.Contains(m.movers, g) {
			dst = append(dst, int32(base+1+i))
		}
	}
	return dst
}

// Able appends the actors that can move. Those do not count whom somebody outside would have to help, nor the clock if it is
// held back.
func (m *Machine) Able(dst []int32, base int, held bool) []int32 {
	if m.ended() {
		return dst
	}
	if !held && slices.ContainsFunc(m.Steps(), func(st Step) bool { return st.Who == ClockStep }) {
		dst = append(dst, int32(base))
	}
	m.Steps()
	for i := range m.gs {
		if m.moves[i] && !m.fromOutside(i) {
			dst = append(dst, int32(base+1+i))
		}
	}
	return dst
}

// Due reports whether something happens when the time has come.
func (m *Machine) Due() bool { return !m.ended() && m.alarmed() }

// Owed returns the promises that are not kept in this state, by bits.
func (m *Machine) Owed() uint64 {
	if m.checked.pruned {
		return 0
	}
	return m.checked.promises.owed
}

// Promise returns the condition of a promise, and whether verify.Leads made it.
func (m *Machine) Promise(n int) (fv mem.Ptr, leads bool) {
	m.mute++
	fv, _ = m.Heap.LoadPtr(m.checked.watches + mem.Ptr(n)*8)
	m.mute--
	return fv, m.checked.promises.leads>>n&1 != 0
}
