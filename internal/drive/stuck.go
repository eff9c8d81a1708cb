package drive

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// Stuck returns the goroutines that are blocked on something that no live
// goroutine can reach: nobody can ever let them go on. A goroutine is live if it
// can move, if the clock will wake it, or if a live one can reach what it waits
// for. The main goroutine is told apart: it may be stuck, and the others are those
// that are stuck even if it is not. So who is stuck in a state is stuck in all that
// follow, also in the one in which nothing moves any more.
//
// If the tests are over and nothing moves any more, nobody ever goes on, whoever can reach what. Those who wait for work on
// a package-level channel do so on purpose. But nobody waits for a lock on purpose, or to send.
func (m *Machine) Stuck() (main *G, others []*G) {
	if m.Exit() != nil || m.checked.pruned {
		return nil, nil
	}
	for _, g := range m.gs {
		if g.exit != nil {
			return nil, nil // nobody waits much longer
		}
	}
	m.Steps()
	live := append(m.live[:0], m.moves...)
	m.live = live
	blocked := 0
	serves := m.opts.Attended && m.Serves()
	m.findListener()
	for i, g := range m.gs {
		if i == m.listener {
			live[i] = true
			continue
		}
		live[i] = live[i] || g.unborn || g.Waiting() && g.Wait().Wake != 0 && !g.waitsForBubble() || m.opts.Attended && m.idle(g, serves)
		if !live[i] {
			blocked++
		}
	}
	if blocked == 0 || m.heldByLive(live, blocked) {
		return nil, nil
	}
	if m.opts.Public && !m.opts.Attended && !m.checked.mainGone {
		for i, g := range m.gs {
			live[i] = live[i] || m.idle(g, false)
		}
	}
	r := &m.reacher
	r.Begin(m.Heap)
	m.rooted = m.rooted[:0]
	m.eachAlarm(m.Timers(), func(a alarm) {
		if a.clock == 0 && a.timer != 0 {
			r.Root(a.timer)
		}
	})
	i := slices.IndexFunc(m.gs, func(g *G) bool { return g.path == "" })
	over, moves := i < 0 && m.opts.Test, m.anyMoves(live)
	still := over && !moves && m.listened == 0
	if over || moves {
		r.Globals()
	}
	for i, g := range m.gs {
		if live[i] {
			m.VisitStack(&g.G, r.Root)
		}
	}
	r.Root(m.listened)
	m.spread(live, still)
	if !over && !moves && m.anyMoves(live) { // one that the listener can wake, which may use whatever it likes
		r.Globals()
		m.spread(live, false)
	}
	if i >= 0 && !live[i] {
		if !m.waitsOnPurpose(m.gs[i], live) {
			main = m.gs[i]
		}
		live[i] = true
		r.Globals()
		m.VisitStack(&m.gs[i].G, r.Root)
		m.spread(live, false)
	}
	for i, g := range m.gs {
		if !live[i] && !m.toldByBubble(i, live) {
			others = append(others, g)
		}
	}
	return main, others
}

// leave finds those who are stuck when main returns and there are other machines, or when the tests are over. A
// program alone goes on without its main goroutine, to see who waits for ever; a process
// beside others ends, which these see, and its goroutines with it. What those do whom a test has left behind
// is not followed either: it may be without end.
func (m *Machine) leave() {
	returns := m.opts.Joined && m.Exit().Kind == vm.ExitMain || m.opts.Test && m.Exit().Kind == vm.ExitCall && m.Exit().Code == 0
	if !returns || len(m.gs) < 2 {
		return
	}
	exit, all := m.Exit(), m.gs
	m.SetExit(nil)
	m.known = false
	m.gs = slices.DeleteFunc(slices.Clone(all), func(g *G) bool { return g.path == "" })
	_, m.left = m.Stuck()
	slices.SortFunc(m.left, func(a, b *G) int { return strings.Compare(a.path, b.path) })
	m.SetExit(exit)
	m.gs, m.known = all, false
}

// Left returns the goroutines that main has left behind forever, if the last step was
// its return, in the order of their names.
func (m *Machine) Left() []*G { return m.left }

// spread makes those live who wait for something that live ones can reach. If all stand still, those are not who
// insist on it.
func (m *Machine) spread(live []bool, still bool) {
	for again := true; again; {
		again = m.rootBubbles(live)
		for i, g := range m.gs {
			if !live[i] && !(still && m.insists(g)) && m.waitsOnReached(g) {
				live[i], again = true, true
				m.VisitStack(&g.G, m.reacher.Root)
			}
		}
	}
}

// insists reports whether g waits for a lock, for others to be done, or to send.
func (m *Machine) insists(g *G) bool {
	if o, ok := m.ChanOpOf(&g.G); ok {
		if o.N != 1 {
			return false
		}
		_, send := o.At(0)
		return send
	}
	_, op := m.StandsAtNative(g)
	return op != nil && op.Insists
}

// waitsOnPurpose reports whether g is the main goroutine in a select without
// cases, which is how a server's main says that it leaves the work to others: to those that move, or, if
// there is somebody outside, to those that are live because they wait for him.
func (m *Machine) waitsOnPurpose(g *G, live []bool) bool {
	if g.path != "" || m.listened == 0 && !m.anyMoves(m.moves) && !(m.opts.Attended && m.anyMoves(live)) {
		return false
	}
	o, ok := m.ChanOpOf(&g.G)
	return ok && o.Selects() && o.N == 0
}

// Serves reports whether some goroutine waits for somebody outside who may begin
// something.
func (m *Machine) Serves() bool {
	return slices.ContainsFunc(m.gs, func(g *G) bool { return m.idleness(g) == Serves })
}

// Unmet returns a goroutine that waits for somebody outside of whom there is none, nil if there is none.
func (m *Machine) Unmet() *G {
	if !m.opts.Public || m.checked.mainGone {
		return nil
	}
	if i := slices.IndexFunc(m.gs, func(g *G) bool { return m.idleness(g) == Unmet }); i >= 0 {
		return m.gs[i]
	}
	return nil
}

// idle reports whether nothing is wrong with it that g waits.
func (m *Machine) idle(g *G, serves bool) bool {
	switch m.idleness(g) {
	case Serves, Unmet:
		return true
	case Attends:
		return serves
	}
	return false
}

// idleness tells what it means that g waits.
func (m *Machine) idleness(g *G) Idleness {
	if g.Depth() == 0 || m.funcs[g.Top().Func()].op == nil || m.funcs[g.Top().Func()].op.Idle == nil {
		return Waits
	}
	if c, op := m.StandsAtNative(g); c != nil {
		return op.Idle(c)
	}
	return Waits
}

// heldByLive makes those of the blocked goroutines live who wait on something to
// which a live one has a pointer in a register, and reports whether these are all.
// They usually are, and then nothing else needs to be looked at.
func (m *Machine) heldByLive(live []bool, blocked int) bool {
	r := &m.reacher
	r.Begin(m.Heap)
	for i, g := range m.gs {
		if live[i] {
			m.hold(g, r)
		}
	}
	for again := true; again; {
		again = false
		for i, g := range m.gs {
			if !live[i] && m.waitsOnReached(g) {
				live[i], again = true, true
				if blocked--; blocked == 0 {
					return true
				}
				m.hold(g, r)
			}
		}
	}
	return false
}

// hold notes the objects to which g has pointers in live registers.
func (m *Machine) hold(g *G, r *mem.Reacher) {
	if m.rootsKnown(g) && r.HoldRootsOf(&g.part) {
		return
	}
	for i := range g.Frames() {
		fr := &g.Frames()[i]
		words := g.Words(fr)
		for j, b := range m.LiveMap(fr).Ptrs {
			for ; b != 0; b &= b - 1 {
				r.Hold(mem.Ptr(words[j*64+bits.TrailingZeros64(b)]))
			}
		}
		if m.Addresses(fr) {
			for k := range int(m.funcs[fr.Func()].f.Params) {
				if m.IsAddress(words[k]) {
					r.Hold(mem.Ptr(words[k]))
				}
			}
		}
	}
}

// anyMoves reports whether somebody is live, who could use any global variable. A
// listener cannot: see listening.
func (m *Machine) anyMoves(live []bool) bool {
	for i, is := range live {
		if is && i != m.listener {
			return true
		}
	}
	return m.nextWhen() != noAlarm || m.anyBubbleMoves(live)
}

// waitsOnReached reports whether g waits on an object that was reached.
func (m *Machine) waitsOnReached(g *G) bool {
	r := &m.reacher
	if g.waitsForBubble() {
		return m.hopeful(g.Bubble(), m.live)
	}
	if g.Waiting() {
		if g.Wait().Obj != 0 && !m.Heap.Exists(g.Wait().Obj) {
			return m.anyMoves(m.live) // it waits for the kernel, which everybody can reach
		}
		return g.Wait().Obj != 0 && r.Reached(g.Wait().Obj)
	}
	fr := g.Top()
	f := &m.funcs[fr.Func()]
	if !f.native || g.HasCases() {
		if o, ok := m.ChanOpOf(&g.G); ok {
			for i := range o.N {
				if ch, _ := o.At(i); ch != 0 && r.Reached(ch) {
					return true
				}
			}
			return false
		}
	}
	op := f.op
	if op == nil {
		return true
	}
	far := len(m.far)
	list, outside := m.objectsOf(m.nativeCall(g), op)
	if len(m.far) > far { // somebody in another machine may, or who connects to its own
		m.far = m.far[:far]
		return true
	}
	return outside || len(list) == 0 && op.Acts == nil || slices.ContainsFunc(list, r.Reached)
}

// Releasers returns those of some goroutines that can reach what g waits for, and so could
// let it go on.
func (m *Machine) Releasers(g *G, among []*G) []*G {
	if g.waitsForBubble() {
		return m.restless(g, among)
	}
	var list []*G
	r := &m.reacher
	for _, o := range among {
		if o == g || o.ending {
			continue
		}
		r.Begin(m.Heap)
		m.VisitStack(&o.G, r.Root)
		if m.waitsOnReached(g) {
			list = append(list, o)
		}
	}
	return list
}
