package drive

import (
	"slices"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// begin forgets what the last step left.
func (m *Machine) begin() {
	m.movers, m.started = m.movers[:0], m.started[:0]
	m.opBy, m.op, m.races, m.failed, m.left = nil, m.op[:0], m.races[:0], m.failed[:0], m.left[:0]
	m.last, m.back, m.known, m.outside, m.clockRead, m.clockMoved, m.ticked, m.key.known, m.progress = false, false, false, false, false, false, false, false, progress{}
	m.touched, m.loads, m.trail, m.far, m.following = m.touched[:0], m.loads[:0], m.trail[:0], m.far[:0], nil
	m.lone, m.ordered = nil, false
	m.choice = 0 // or whom the clock wakes would choose as the last step did, which may be one that was undone
}

// TakeStep takes a step that Steps has told.
func (m *Machine) TakeStep(who, alt int) {
	if who == ClockStep {
		busy := m.Busy() || m.elsewhere
		t, n := m.clockOf(alt)
		m.begin()
		m.takes(nil, plain)
		m.tick(t, n, busy)
		m.finishStep()
		return
	}
	m.begin()
	if who >= len(m.gs) {
		panic(diag.Bugf("step of goroutine %d of %d", who, len(m.gs)))
	}
	g := m.gs[who]
	if m.effects.known == g && alt == 0 && !m.opts.Live && m.replays(g) {
		m.replay(g)
		return
	}
	n := m.alternatives(&m.alts, who)
	if g.Idles() && n > 0 {
		m.allArrived(g, g.Bubble())
		m.queueAll(g.Bubble())
		m.endBlocks(g.Bubble())
		m.Ready(&g.G)
	}
	if alt >= n {
		panic(diag.Bugf("alternative %d of %d of goroutine %d", alt, n, who))
	}
	a := m.alts.at(alt)
	m.takes(g, a)
	m.save(g)
	if a.partner < 0 {
		m.isolate(g)
	}
	g.leavesQueue()
	if !g.spun && !g.access && !m.beginsSleep(g) {
		g.block = nil
	}
	switch {
	case g.ending && g.exit != nil:
		m.SetExit(g.exit)
	case g.ending:
		m.remove(g)
	case g.launch:
		g.launch = false
		g.Top().Skip()
		for _, c := range m.gs {
			if c.unborn && c.Parent == g.ID {
				m.save(c)
				c.unborn = false
				m.started = append(m.started, c)
			}
		}
		m.advance(g)
	case a.partner >= 0:
		m.rendezvous(g, m.gs[a.partner], a)
	default:
		if n, left := m.span(g.spent); g.spun && n == left && m.checked.observed && m.pace != byTurns {
			m.noticeOnce(effect.Token{Kind: effect.Clock})
			m.MoveClock(m.Now() + n*vm.FuelTime) // or it would wait for the time for ever
			m.forgetLooks(nil)
			m.countTick()
		}
		m.operate(g, int(a.cas))
		return
	}
	m.finishStep()
}

// operate lets g do the operation before which it stands.
func (m *Machine) operate(g *G, choice int) {
	if m.armed, m.choice = m.arms(g), choice; !m.armed {
		*g.Wait() = vm.Wait{}
	}
	g.spun, g.access = false, false
	e := &m.effects
	wanted, known, l, x, before := e.wanted == g, e.known == g, g.local, e.effect, g.sum()
	if wanted {
		m.startRecording()
	}
	m.advance(g)
	m.armed = false
	m.finishStep()
	switch {
	case wanted:
		m.endRecording(g, l)
	case known:
		m.arrived(g, x, before)
	}
	e.wanted, e.known = nil, nil
}

// rendezvous hands over what g sends to p. If g receives, it takes what has been in the buffer for longest, and
// what p waits to send comes to its end.
func (m *Machine) rendezvous(g, p *G, a alternative) {
	m.save(p)
	blockOf := p.block
	p.leavesQueue()
	p.block = nil
	o, _ := m.ChanOpOf(&g.G)
	ch, send := o.At(int(a.cas))
	m.touches(ch)
	if m.probing {
		m.trail = append(m.trail, blockOf...)
	}
	g.goesOn(m)
	p.goesOn(m)
	m.mute++
	size, elem := m.Heap.ChanElemSize(ch), o.Elem(int(a.cas))
	if m.opts.Listener == nil {
		elem = nil
	}
	if send {
		value := m.Offered(&g.G, int(a.cas), size)
		m.Heap.PublishElem(ch, value)
		if elem != nil {
			m.heard(g, elem, true, value)
			m.heard(p, elem, false, value)
		}
		m.Give(&p.G, int(a.pcas), value, size)
		m.Taken(&g.G, int(a.cas))
	} else {
		room := make([]uint64, size/8+1)
		oldest, value := unsafe.Pointer(&room[0]), m.Offered(&p.G, int(a.pcas), size)
		m.Heap.PublishElem(ch, value)
		m.Heap.ChanPop(ch, oldest)
		m.Heap.ChanPush(ch, value)
		if elem != nil {
			m.heard(g, elem, false, oldest)
			m.heard(p, elem, true, value)
		}
		m.Give(&g.G, int(a.cas), oldest, size)
		m.Taken(&p.G, int(a.pcas))
	}
	m.mute--
	m.advance(g)
	if m.Exit() == nil {
		m.advance(p)
	}
}

// stopSlice is after how many calls and backward jumps it is asked whether to stop in the
// middle of a step.
const stopSlice = 1 << 17

// stoppedExit ends a machine in the middle of a step, because nobody wants to see its end.
var stoppedExit = func() *vm.Exit {
	err := diag.Incompletef("stopped in the middle of a step")
	return &vm.Exit{Code: diag.ExitCode(err), Kind: vm.ExitUnsupported, Text: err.Error() + "\n", Msg: err.Error(), Cause: err}
}()

// Halted reports whether the machine has given up in the middle of a step: what it has told about
// states since is of no use.
func (m *Machine) Halted() bool { return m.halted }

// Work returns how much was done since the machine was made, whatever was undone of it, in units of 30 to 70 ns: half of one for
// a call or a backward jump, and two for an object that is looked at after a step, for keys, or to tell goroutines apart.
func (m *Machine) Work() int64 { return m.work }

// advance runs g up to its next operation.
func (m *Machine) advance(g *G) {
	m.save(g)
	m.slice = m.sliceOf(g)
	m.SetFuel(m.slice)
	m.LookUp(stopSlice)
	g.CountTurns()
	m.cur, m.scanned, m.spent = append(m.cur[:0], g.block...), 0, false
	m.movers = append(m.movers, g)
	for {
		if !m.Execute(&g.G) || m.Exit() != nil {
			break
		}
		if m.spent {
			m.spends(g)
			break
		}
	}
	if !g.spun {
		g.spent = 0
	}
	m.work += (m.slice - m.FuelLeft()) / 2
	if m.probing {
		m.trail = append(m.trail, m.cur...)
	}
	if !g.System() {
		g.block = m.keptOf(m.cur)
	}
	m.cur = m.cur[:0]
	m.delayExit(g)
	if m.Exit() != nil || g.System() {
		return
	}
	if g.spun || g.Turned() {
		m.jumpedBack(g)
	}
	m.leaveLoops(g)
}

// delayExit makes the end of a program a step of its own, if it comes after accesses that others can race with, or closes connections, which
// others see; or if the end is no finding, and what others could do before it may be one: main returns beside other machines,
// or a panic need not be one (see Views.Ends).
func (m *Machine) delayExit(g *G) {
	if m.Exit() == nil {
		return
	}
	m.placeExit(g)
	crash := m.Exit().Kind == vm.ExitPanic || m.Exit().Kind == vm.ExitFatal
	matters := len(m.gs) > 1 && (m.Exit().Kind == vm.ExitMain || crash && (len(g.block) > 0 || m.opts.Views.Ends))
	if !matters && !(m.opts.Joined && m.closes()) {
		return
	}
	g.exit = m.Exit()
	m.SetExit(nil)
	g.ending = true
	g.Clear()
}

// closes reports whether the end of the process acts on others.
func (m *Machine) closes() bool {
	m.footprint.Reset()
	m.opts.Ends(m, &m.footprint)
	return m.footprint.Everything || len(m.footprint.Writes) > 0
}

// runSystem runs a system goroutine to its end. It reports whether it got there.
func (m *Machine) runSystem(g *G) bool {
	block, scanned, armed := m.cur, m.scanned, m.armed
	m.cur, m.armed = nil, false
	m.mute++
	for m.Exit() == nil && !g.Dead() {
		if !m.Execute(&g.G) && !g.Dead() {
			break
		}
	}
	m.mute--
	m.cur, m.scanned, m.armed = block, scanned, armed
	done := g.Dead()
	m.remove(g)
	if done {
		m.spare = g
	}
	return done
}

// remove takes an ended goroutine out of the list of all.
func (m *Machine) remove(g *G) {
	m.Bury(&g.G)
	g.ending = false
	if i := slices.Index(m.gs, g); i >= 0 {
		m.gs = slices.Delete(m.gs, i, i+1)
	}
}

// finishStep runs what the step has started, and makes the state canonical.
func (m *Machine) finishStep() {
	for n := 0; n < len(m.started) && m.Exit() == nil; n++ {
		if g := m.started[n]; g.Runnable() {
			m.advance(g)
		}
	}
	if m.Exit() != nil {
		m.met |= MetEnd
		m.lastLook()
		m.last = len(m.gs) < 2
		m.collide()
		m.abandon(m.Current())
		m.leave()
		m.gs = m.gs[:0]
		return
	}
	m.fireOverdue()
	m.settleQueues(0)
	m.collide() // also on what nobody can reach any more
	if !m.trying || slices.ContainsFunc(m.movers, func(g *G) bool { return g.ending }) {
		m.share() // else see finishTry
	}
	for i := 0; i < len(m.gs); i++ {
		if g := m.gs[i]; g.ending && len(g.block) == 0 && !(g.exit != nil && (m.opts.Joined || m.opts.Views.Ends)) {
			m.save(g)
			m.SetExit(g.exit)
			m.remove(g)
			i--
		}
		if m.Exit() != nil {
			m.abandon(nil)
			m.gs = m.gs[:0]
			return
		}
	}
	if m.alone() { // now, perhaps
		m.dropBlocks()
	}
	if !m.trying || m.number != m.checked.nWatches {
		m.runWatches()
	}
	if !m.trying { // the step is undone at once, and in what order they are is not asked before
		m.order()
		m.findRivals()
	}
	if !m.told.kinds[effect.Clock] && m.alarmed() {
		m.noticeOnce(effect.Token{Kind: effect.Clock})
	}
}

// Disturbed says that something has changed outside of the machine, by a step of
// another one. Some of the keys that goroutines wait for may be over.
func (m *Machine) Disturbed(waits []mem.Ptr) {
	if m.Exit() != nil {
		return
	}
	for _, w := range waits {
		m.Wake(w, -1)
	}
	m.known, m.key.known = false, false
	m.order()
}
