package drive

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// An alternative is one way in which a goroutine can do its operation.
type alternative struct {
	cas     int32 // the case of a select, the choice of a native; -1 for a select's default
	partner int32 // index of the goroutine that receives what this one sends, or can send because this one receives, -1 for none
	pcas    int32 // the case of its select
}

// ways are the alternatives of a goroutine. Those of an operation on channels are listed; others
// are choices that differ in their number alone, and there may be many.
type ways struct {
	list []alternative
	n    int
}

// at returns the k-th of them.
func (w *ways) at(k int) alternative {
	if len(w.list) > 0 {
		return w.list[k]
	}
	return alternative{cas: int32(k), partner: -1}
}

// MaxAlternatives is how many ways to go on a goroutine can have in a state.
const MaxAlternatives = 1 << 16

var plain = alternative{partner: -1}

// alternatives finds the ways in which the i-th goroutine can move now, and returns how many there are.
func (m *Machine) alternatives(w *ways, i int) int {
	w.list, w.n = w.list[:0], 0
	g := m.gs[i]
	switch {
	case g.Idles():
		if s := m.stillness(g.Bubble()); s.lets(i) {
			w.n = 1
		}
		return w.n
	case g.unborn || !g.Runnable():
		return 0
	case g.launch || g.spun || g.ending || g.Wait().Woken() && !m.choosesAgain(g) || g.Completed():
		w.n = 1
		return 1
	}
	fr := g.Top()
	f := &m.funcs[fr.Func()]
	if !f.native || g.HasCases() { // most stand before natives
		if o, ok := m.ChanOpOf(&g.G); ok {
			w.list = m.chanAlternatives(w.list, i, &o)
			w.n = len(w.list)
			return w.n
		}
	}
	if !f.native || f.op == nil {
		w.n = m.mapEntries(g, f, fr)
		return w.n
	}
	c := m.nativeCall(g)
	if !m.nativeReady(c, f.op) {
		return 0
	}
	w.n = 1
	if f.op.Choices != nil {
		w.n = f.op.Choices(c)
	}
	return w.n
}

// canMove reports whether the i-th goroutine can move now.
func (m *Machine) canMove(i int) bool {
	var w ways // others may be looking at m.alts
	return m.alternatives(&w, i) > 0
}

// choosesAgain reports whether g, whose wait in a native is over, stands before one
// that may go several ways.
func (m *Machine) choosesAgain(g *G) bool {
	f := &m.funcs[g.Top().Func()]
	return f.native && f.op != nil && f.op.Choices != nil
}

// mapEntries returns in how many ways g can go on: one, unless it stands before
// a range over a map whose order is explored.
func (m *Machine) mapEntries(g *G, f *function, fr *vm.Frame) int {
	if !m.opts.MapOrder || f.native {
		return 1
	}
	in := &f.f.Code[fr.PC()]
	if in.Op != bytecode.OpMaprange {
		return 1
	}
	return max(1, int(m.Heap.MapLen(mem.Ptr(g.Words(fr)[in.B]))))
}

// nativeCall is the view of the native on top of g's stack.
func (m *Machine) nativeCall(g *G) *vm.NativeCall {
	c := &m.probe
	c.View(m.Machine, &g.G)
	return c
}

func (m *Machine) chanAlternatives(dst []alternative, i int, o *vm.ChanOp) []alternative {
	sure := false // some case is ready, whatever others do
	met := false  // there is somebody who has arrived
	h := m.Heap
	if d := m.gs[i].decided; d > 0 {
		return append(dst, alternative{cas: int32(d - 1), partner: -1})
	}
	for k := range o.N {
		ch, send := o.At(k)
		if ch == 0 {
			continue
		}
		switch n := h.ChanLen(ch); {
		case !h.IsChan(ch) || h.ChanClosed(ch):
			sure = true
			dst = append(dst, alternative{cas: int32(k), partner: -1})
		case !send && n > 0:
			if m.ahead(i, ch, false, false) >= n { // what there is belongs to others
				m.served(ch)
				continue
			}
			sure = true
			dst = m.withFirst(dst, i, k, ch, true)
		case send && n < h.ChanCap(ch):
			if m.ahead(i, ch, true, false) >= h.ChanCap(ch)-n { // the room does
				m.served(ch)
				continue
			}
			sure = true
			if n == 0 {
				dst = m.withFirst(dst, i, k, ch, false)
			} else {
				dst = append(dst, alternative{cas: int32(k), partner: -1})
			}
		case h.ChanCap(ch) == 0:
			var t meeting
			if send {
				t = m.meetingAt(i, ch)
			}
			for j, p := range m.gs {
				if j == i {
					continue
				}
				po, ok := m.standsAtChan(p)
				if !ok || !o.Waits && !po.Waits { // one of them has to be there first, and wait
					continue
				}
				for l := range po.N {
					if pch, psend := po.At(l); pch == ch && psend != send {
						if send && !t.allows(j, p) {
							m.served(ch)
							continue
						}
						met = met || p.arrived
						if send {
							dst = append(dst, alternative{cas: int32(k), partner: int32(j), pcas: int32(l)})
						}
					}
				}
			}
		}
	}
	if !o.Waits && !sure && met {
		m.unfit.Arrives = m.unfit.Arrives || m.Bounded()
		return dst
	}
	if !o.Waits && !sure {
		dst = append(dst, alternative{cas: -1, partner: -1})
	}
	return dst
}

// ClockStep is the number of the goroutine whose steps are those of the clock.
const ClockStep = 1<<16 - 1

// A Step is one of the things that can happen in a state: who moves, by its
// place among the goroutines or ClockStep, and which alternative.
type Step struct{ Who, Alt int }

// Steps lists the steps that can be taken. It is good up to the next step.
func (m *Machine) Steps() []Step {
	if m.known {
		return m.steps
	}
	m.known, m.steps, m.moves, m.busy, m.several, m.held, m.outer = true, m.steps[:0], m.moves[:0], false, false, false, 0
	if m.Exit() != nil || m.checked.pruned {
		return m.steps
	}
	for range m.gs {
		m.moves = append(m.moves, false)
	}
	for i := range m.gs {
		n := m.alternatives(&m.alts, i)
		if n > 0 && !m.fromOutside(i) && !m.gs[i].ended() {
			m.busy, m.several = true, m.busy
		}
		for k := range n {
			m.steps = append(m.steps, Step{i, k})
		}
		m.moves[i] = m.moves[i] || n > 0
		for _, a := range m.alts.list {
			if a.partner >= 0 {
				m.moves[a.partner] = true
			}
		}
	}
	m.tickingBubbles()
	m.busy = m.busy || len(m.ticking) > 0
	m.outerSteps()
	n := m.outer
	for _, t := range m.ticking {
		for range t.n {
			m.steps = append(m.steps, Step{ClockStep, n})
			n++
		}
	}
	return m.steps
}

// outerSteps adds the steps of the clock outside of bubbles.
func (m *Machine) outerSteps() {
	away, ok := m.NextAlarm()
	if !ok {
		if (m.several || m.opts.Joined && m.busy) && m.checked.observed && m.Bounded() && !m.MayPass(1) { // who looks at the clock sees it stand still
			m.holdBack()
		}
		return
	}
	m.meetSleep()
	if m.busy && !m.MayPass(away) && !(m.opts.Views.Wakes && m.onlyWakes()) {
		m.holdBack()
		return
	}
	m.outer = m.dueNext()
	for k := range m.outer {
		m.steps = append(m.steps, Step{ClockStep, k})
	}
}

// fromOutside reports whether the i-th goroutine can move only because somebody outside may act.
func (m *Machine) fromOutside(i int) bool {
	if !m.hearing {
		return false
	}
	c, op := m.StandsAtNative(m.gs[i])
	return c != nil && op.Outside != nil && op.Outside(c)
}

// Runs reports whether the i-th goroutine has a step of its own.
func (m *Machine) Runs(i int) bool {
	return slices.ContainsFunc(m.Steps(), func(st Step) bool { return st.Who == i }) && !m.fromOutside(i)
}

// Busy reports whether somebody can run, of its own. One that has ended but for its block does not count: that
// time has passed since does not order what it has accessed before what others do.
func (m *Machine) Busy() bool {
	m.Steps()
	return m.busy
}

// ended reports whether g has nothing left to do.
func (g *G) ended() bool { return g.ending && g.exit == nil }
