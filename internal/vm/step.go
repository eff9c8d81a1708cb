package vm

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mem"
)

// An alternative is one way in which a goroutine can do its operation.
type alternative struct {
	cas     int32 // the case of a select, the choice of a native; -1 for a select's default
	partner int32 // index of the goroutine that receives what this one sends, -1 for none
	pcas    int32 // the case of its select
}

var plain = alternative{partner: -1}

// A chanOp is the channel operation before which a goroutine stands.
type chanOp struct {
	g     *G
	sel   *bytecode.Select // of a select statement
	in    *bytecode.Instr  // of a send or receive
	n     int              // cases
	waits bool             // it has no default
	regs  []uint64
}

// chanOpOf returns the channel operation of g, if it stands before one.
func (m *Machine) chanOpOf(g *G) (o chanOp, ok bool) {
	fr := &g.frames[g.depth-1]
	f := &m.funcs[fr.fn]
	o.g, o.waits = g, true
	if f.code == nil {
		o.n, o.waits = len(g.cases), !g.noWait
		return o, g.cases != nil
	}
	o.in, o.regs = &f.f.Code[fr.pc], g.stack[fr.base:]
	switch o.in.Op {
	case bytecode.OpSend, bytecode.OpRecv:
		o.n = 1
	case bytecode.OpSelect:
		o.sel = &f.f.Selects[o.in.Imm]
		o.n, o.waits = len(o.sel.Cases), o.sel.Blocking
	default:
		return o, false
	}
	return o, true
}

// at returns the channel of a case and whether it sends.
func (o *chanOp) at(i int) (ch mem.Ptr, send bool) {
	switch {
	case o.regs == nil:
		return o.g.cases[i].Ch, o.g.cases[i].Send
	case o.sel != nil:
		c := &o.sel.Cases[i]
		return mem.Ptr(o.regs[c.Chan]), c.Send
	}
	return mem.Ptr(o.regs[o.in.B]), o.in.Op == bytecode.OpSend
}

// alternatives appends the ways in which the i-th goroutine can move now.
func (m *Machine) alternatives(dst []alternative, i int) []alternative {
	g := m.gs[i]
	switch {
	case g.unborn || g.status != gRunnable:
		return dst
	case g.launch || g.spun || g.ending || g.wait.woken && !m.choosesAgain(g) || g.chosen != 0:
		return append(dst, plain)
	}
	fr := &g.frames[g.depth-1]
	f := &m.funcs[fr.fn]
	if f.code != nil || g.cases != nil { // most stand before natives
		if o, ok := m.chanOpOf(g); ok {
			return m.chanAlternatives(dst, i, &o)
		}
	}
	if f.code != nil || f.op == nil {
		for k := range m.mapEntries(g, f, fr) {
			dst = append(dst, alternative{cas: int32(k), partner: -1})
		}
		return dst
	}
	c := m.nativeCall(g, fr)
	if !m.nativeReady(c, f.op) {
		return dst
	}
	n := 1
	if f.op.Choices != nil {
		n = f.op.Choices(c)
	}
	for k := range n {
		dst = append(dst, alternative{cas: int32(k), partner: -1})
	}
	return dst
}

// choosesAgain reports whether g, whose wait in a native is over, stands before one
// that may go several ways.
func (m *Machine) choosesAgain(g *G) bool {
	f := &m.funcs[g.frames[g.depth-1].fn]
	return f.code == nil && f.op != nil && f.op.Choices != nil
}

// mapEntries returns in how many ways g can go on: one, unless it stands before
// a range over a map whose order is explored.
func (m *Machine) mapEntries(g *G, f *fn, fr *Frame) int {
	if !m.search.MapOrder || f.code == nil {
		return 1
	}
	in := &f.f.Code[fr.pc]
	if in.Op != bytecode.OpMaprange {
		return 1
	}
	return max(1, int(m.Heap.MapLen(mem.Ptr(g.stack[fr.base+int32(in.B)]))))
}

// nativeCall is the view of the native on top of g's stack.
func (m *Machine) nativeCall(g *G, fr *Frame) *NativeCall {
	c := &m.search.probe
	c.G, c.fn, c.fp = g, fr.fn, wordsOf(g.stack[fr.base:])
	return c
}

func (m *Machine) chanAlternatives(dst []alternative, i int, o *chanOp) []alternative {
	sure := false // some case is ready, whatever others do
	h := m.Heap
	for k := range o.n {
		ch, send := o.at(k)
		if ch == 0 {
			continue
		}
		switch {
		case !h.IsChan(ch) || h.ChanClosed(ch), !send && h.ChanLen(ch) > 0, send && h.ChanLen(ch) < h.ChanCap(ch):
			sure = true
			dst = append(dst, alternative{cas: int32(k), partner: -1})
		case h.ChanCap(ch) == 0:
			for j, p := range m.gs {
				if j == i || p.status != gRunnable || p.ending || p.launch || p.unborn || p.spun || p.chosen != 0 {
					continue
				}
				po, ok := m.chanOpOf(p)
				if !ok {
					continue
				}
				for l := range po.n {
					if pch, psend := po.at(l); pch == ch && psend != send {
						sure = sure || p.arrived
						if send {
							dst = append(dst, alternative{cas: int32(k), partner: int32(j), pcas: int32(l)})
						}
					}
				}
			}
		}
	}
	if !o.waits && !sure {
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
	s := m.search
	if s.known {
		return s.steps
	}
	s.known, s.steps, s.moves = true, s.steps[:0], s.moves[:0]
	if m.exit != nil || m.state.checked.pruned {
		return s.steps
	}
	for range m.gs {
		s.moves = append(s.moves, false)
	}
	for i := range m.gs {
		s.alts = m.alternatives(s.alts[:0], i)
		for k := range s.alts {
			s.steps = append(s.steps, Step{i, k})
			s.moves[i] = true
			if p := s.alts[k].partner; p >= 0 {
				s.moves[p] = true
			}
		}
	}
	if len(s.steps) > 0 && (s.Quiescent || m.inBubble()) {
		return s.steps
	}
	if len(s.steps) == 0 && m.nextWhen() > m.state.now && m.idleSteps() {
		return s.steps
	}
	for k := range m.dueNext() {
		s.steps = append(s.steps, Step{ClockStep, k})
	}
	return s.steps
}

// begin forgets what the last step left.
func (m *Machine) begin() {
	s := m.search
	s.movers, s.started = s.movers[:0], s.started[:0]
	s.op, s.races, s.failed, s.left = s.op[:0], s.races[:0], s.failed[:0], s.left[:0]
	s.last, s.back, s.known, s.outside, s.key.known, s.progress = false, false, false, false, false, progress{}
	s.touched, s.trail, s.abroad, s.following = s.touched[:0], s.trail[:0], s.abroad[:0], nil
	s.choice = 0 // or whom the clock wakes would choose as the last step did, which may be one that was undone
}

// TakeStep takes a step that Steps has told.
func (m *Machine) TakeStep(who, alt int) {
	s := m.search
	m.begin()
	if who == ClockStep {
		m.tick(alt)
		m.finishStep()
		return
	}
	if who >= len(m.gs) {
		panic(diag.Bugf("step of goroutine %d of %d", who, len(m.gs)))
	}
	g := m.gs[who]
	s.alts = m.alternatives(s.alts[:0], who)
	if m.idles(g) {
		m.allArrived(g)
		m.Ready(g)
		s.alts = append(s.alts, plain)
	}
	if alt >= len(s.alts) {
		panic(diag.Bugf("alternative %d of %d of goroutine %d", alt, len(s.alts), who))
	}
	a := s.alts[alt]
	m.touch(g)
	g.arrived = false
	if !g.spun && !g.access {
		g.block = nil
	}
	switch {
	case g.ending:
		m.exit = g.exit
		m.remove(g)
	case g.launch:
		g.launch = false
		g.frames[g.depth-1].pc++
		for _, c := range m.gs {
			if c.unborn && c.Parent == g.ID {
				m.touch(c)
				c.unborn = false
				s.started = append(s.started, c)
			}
		}
		m.advance(g)
	case a.partner >= 0:
		m.rendezvous(g, m.gs[a.partner], a)
	default:
		if g.spun && m.state.checked.observed {
			s.found.Timed = true
			m.state.now += s.Fuel * fuelTime // or it would wait for the time for ever
		}
		if s.armed, s.choice = m.arms(g), int(a.cas); !s.armed {
			g.wait = Wait{}
		}
		g.spun, g.access = false, false
		wanted, known, l, x, before := s.effects.wanted == g, s.effects.known == g, g.local, s.effects.effect, g.sum()
		if wanted {
			m.startRecording()
		}
		m.advance(g)
		s.armed = false
		m.finishStep()
		switch {
		case wanted:
			m.endRecording(g, l)
		case known:
			m.arrived(g, x, before)
		}
		s.effects.wanted, s.effects.known = nil, nil
		return
	}
	m.finishStep()
}

// rendezvous hands over what g sends to p.
func (m *Machine) rendezvous(g, p *G, a alternative) {
	m.touch(p)
	blockOf := p.block
	p.arrived, p.block = false, nil
	o, _ := m.chanOpOf(g)
	ch, _ := o.at(int(a.cas))
	from, to := waiter{g: g, cas: a.cas}, waiter{g: p, cas: a.pcas}
	m.touches(ch)
	if m.search.probing {
		m.search.trail = append(m.search.trail, blockOf...)
	}
	m.search.mute++
	size := m.Heap.ChanElemSize(ch)
	value := m.sendValue(&from, size)
	m.Heap.PublishElem(ch, value)
	elem := m.elemAt(&o, int(a.cas))
	m.message(g, elem, true, value)
	m.message(p, elem, false, value)
	m.completeRecv(&to, value, size)
	m.completeSend(&from)
	m.search.mute--
	m.advance(g)
	if m.exit == nil {
		m.advance(p)
	}
}

// advance runs g up to its next operation.
func (m *Machine) advance(g *G) {
	s := m.search
	m.touch(g)
	m.cur = g
	m.fuel, s.kept = s.Fuel, 0
	for i := range g.frames[:g.depth] {
		g.frames[i].turns = old
	}
	s.cur, s.scanned, s.spent = append(s.cur[:0], g.block...), 0, false
	s.movers = append(s.movers, g)
	for {
		st := m.exec(g)
		if st != yield || m.exit != nil {
			break
		}
		if s.spent {
			g.spun = true
			break
		}
	}
	m.cur = nil
	if s.probing {
		s.trail = append(s.trail, s.cur...)
	}
	if !g.system {
		g.block = m.kept(s.cur)
	}
	s.cur = s.cur[:0]
	m.delayExit(g)
	if m.exit != nil || g.system {
		return
	}
	back := g.spun
	for i := range g.frames[:g.depth] {
		back = back || g.frames[i].turns > old
	}
	if back {
		m.jumpedBack(g)
	}
	m.leaveLoops(g)
}

// old is what Frame.turns begins at when a step does, so that frames that are
// made in the step have less. A goroutine can come to the same state again only by
// a jump back in a frame that is there all the time, so the loops of others do not
// matter: what a function does between its call and its return is no cycle.
const old = 1 << 30

// delayExit makes the end of a program a step of its own, if it comes after
// accesses that others can race with.
func (m *Machine) delayExit(g *G) {
	if m.exit == nil || len(g.block) == 0 || len(m.gs) < 2 || m.exit.Kind != ExitPanic && m.exit.Kind != ExitFatal {
		return
	}
	g.exit, m.exit = m.exit, nil
	g.depth, g.status, g.ending = 0, gRunnable, true
	g.defers, g.deferArgs, g.panics = g.defers[:0], g.deferArgs[:0], g.panics[:0]
	g.wait, g.cases, g.chosen = Wait{}, nil, 0
}

// runSystem runs a system goroutine to its end. It reports whether it got there.
func (m *Machine) runSystem(g *G) bool {
	s := m.search
	cur, block, scanned, call, armed := m.cur, s.cur, s.scanned, m.call, s.armed
	s.cur, s.armed = nil, false
	s.mute++
	m.cur = g
	for m.exit == nil && g.status != gDead {
		if st := m.exec(g); st != yield && g.status != gDead {
			break
		}
	}
	s.mute--
	m.cur, s.cur, s.scanned, m.call, s.armed = cur, block, scanned, call, armed
	done := g.status == gDead
	m.remove(g)
	if done {
		s.spare = g
	}
	return done
}

// remove takes an ended goroutine out of the list of all.
func (m *Machine) remove(g *G) {
	m.tellEnd(g)
	g.status, g.ending = gDead, false
	if i := slices.Index(m.gs, g); i >= 0 {
		m.gs = slices.Delete(m.gs, i, i+1)
	}
}

// finishStep runs what the step has started, and makes the state canonical.
func (m *Machine) finishStep() {
	s := m.search
	for n := 0; n < len(s.started) && m.exit == nil; n++ {
		if g := s.started[n]; g.status == gRunnable {
			m.advance(g)
		}
	}
	if m.exit != nil {
		s.last = len(m.gs) < 2
		m.collide()
		m.abandon(m.cur)
		m.leave()
		m.gs = m.gs[:0]
		return
	}
	m.fireOverdue()
	m.collide() // also on what nobody can reach any more
	m.share()
	for i := 0; i < len(m.gs); i++ {
		if g := m.gs[i]; g.ending && len(g.block) == 0 {
			m.touch(g)
			m.exit = g.exit
			m.remove(g)
			i--
		}
		if m.exit != nil {
			m.abandon(nil)
			m.gs = m.gs[:0]
			return
		}
	}
	if m.alone() { // now, perhaps
		m.dropBlocks()
	}
	if !s.trying || s.conditions != m.state.checked.nWatches {
		m.runWatches()
	}
	m.order()
	if m.untimed() && !s.found.Timed {
		s.found.Timed = m.anyAlarm() && m.nextWhen() != noAlarm
	}
}
