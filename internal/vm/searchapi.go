package vm

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// What a search asks of a driven machine.

// Goroutines lists the live goroutines in the order of the state. It must not
// be changed, and is good up to the next step.
func (m *Machine) Goroutines() []*G { return m.gs }

// ByName lists the live goroutines in the order of their names.
func (m *Machine) ByName() []*G {
	return slices.SortedFunc(slices.Values(m.gs), func(a, b *G) int { return strings.Compare(a.path, b.path) })
}

// Index returns the place of a goroutine in the order of the state.
func (m *Machine) Index(g *G) int { return slices.Index(m.gs, g) }

// MainGone reports whether main.main has returned.
func (m *Machine) MainGone() bool { return m.state.checked.mainGone }

// Pruned reports whether an assumption does not hold.
func (m *Machine) Pruned() bool { return m.state.checked.pruned }

// Races returns the collisions of the last step.
func (m *Machine) Races() []Race { return m.search.races }

// Failures returns what the program found wrong itself in the last step.
func (m *Machine) Failures() []Failure { return m.search.failed }

// Mover returns the place of the goroutine that took the last step, -1 if it has
// ended, ClockStep for the clock.
func (m *Machine) Mover() int {
	if len(m.search.movers) == 0 {
		return ClockStep
	}
	return slices.Index(m.gs, m.search.movers[0])
}

// PlaceOf returns function and instruction at which a goroutine stands.
func (m *Machine) PlaceOf(who int) (fn, pc int) {
	g := m.gs[who]
	d := g.depth - 1
	if d < 0 {
		return int(m.Prog.Entry), 0
	}
	if d > 0 && m.funcs[g.frames[d].fn].code == nil {
		d--
	}
	return int(g.frames[d].fn), int(g.frames[d].pc)
}

// Places returns the lines at which the frames of g stand, the innermost first.
func (m *Machine) Places(g *G) []bytecode.Line {
	var lines []bytecode.Line
	m.Frames(g, func(f *bytecode.Func, pc int, line bytecode.Line) bool {
		lines = append(lines, line)
		return true
	})
	return lines
}

// AccessLine returns the function and line of an access.
func (m *Machine) AccessLine(a Access) (*bytecode.Func, bytecode.Line) {
	f := m.funcs[a.fn].f
	return f, LineAt(f, int(a.pc))
}

// Stuck returns the goroutines that are blocked on something that no live
// goroutine can reach: nobody can ever let them go on. A goroutine is live if it
// can move, if the clock will wake it, or if a live one can reach what it waits
// for. The main goroutine is told apart: it may be stuck, and the others are those
// that are stuck even if it is not. So who is stuck in a state is stuck in all that
// follow, also in the one in which nothing moves any more.
func (m *Machine) Stuck() (main *G, others []*G) {
	if m.exit != nil || m.state.checked.pruned {
		return nil, nil
	}
	for _, g := range m.gs {
		if g.exit != nil {
			return nil, nil // nobody waits much longer
		}
	}
	s := m.search
	m.Steps()
	live := append(s.live[:0], s.moves...)
	s.live = live
	blocked := 0
	serves := s.Births && m.Serves()
	for i, g := range m.gs {
		live[i] = live[i] || g.unborn || g.status == gWaiting && g.wait.Wake != 0 || s.Births && m.idle(g, serves)
		if !live[i] {
			blocked++
		}
	}
	if blocked == 0 || m.heldByLive(live, blocked) {
		return nil, nil
	}
	r := &s.reacher
	r.Begin(m.Heap)
	for i := range m.state.numTimers {
		p, _ := m.Heap.LoadPtr(m.state.timers + mem.Ptr(i)*8)
		r.Root(p)
	}
	m.eachWatched(func(id mem.Ptr, _ *timer) { r.Root(id) })
	if m.anyMoves(live) {
		r.Globals()
	}
	for i, g := range m.gs {
		if live[i] {
			m.visitStack(g, r.Root)
		}
	}
	m.spread(live)
	if i := slices.IndexFunc(m.gs, func(g *G) bool { return g.path == "" }); i >= 0 && !live[i] {
		if !m.waitsOnPurpose(m.gs[i]) {
			main = m.gs[i]
		}
		live[i] = true
		r.Globals()
		m.visitStack(m.gs[i], r.Root)
		m.spread(live)
	}
	for i, g := range m.gs {
		if !live[i] {
			others = append(others, g)
		}
	}
	return main, others
}

// leave finds those who are stuck when main returns and there are other machines. A
// program alone goes on without its main goroutine, to see who waits for ever; a process
// beside others ends, which these see, and its goroutines with it.
func (m *Machine) leave() {
	s := m.search
	if !s.Joined || m.exit.Kind != ExitMain || len(m.gs) < 2 {
		return
	}
	exit, all := m.exit, m.gs
	m.exit, s.known = nil, false
	m.gs = slices.DeleteFunc(slices.Clone(all), func(g *G) bool { return g.path == "" })
	_, s.left = m.Stuck()
	m.exit, m.gs, s.known = exit, all, false
}

// Left returns the goroutines that main has left behind for ever, if the last step was
// its return.
func (m *Machine) Left() []*G { return m.search.left }

// spread makes those live who wait for something that live ones can reach.
func (m *Machine) spread(live []bool) {
	for again := true; again; {
		again = false
		for i, g := range m.gs {
			if !live[i] && m.waitsOnReached(g) {
				live[i], again = true, true
				m.visitStack(g, m.search.reacher.Root)
			}
		}
	}
}

// waitsOnPurpose reports whether g is the main goroutine in a select without
// cases, which is how a server's main says that it leaves the work to others.
func (m *Machine) waitsOnPurpose(g *G) bool {
	if g.path != "" || !m.anyMoves(m.search.moves) {
		return false
	}
	o, ok := m.chanOpOf(g)
	return ok && o.sel != nil && o.n == 0
}

// Serves reports whether some goroutine waits for somebody outside who may begin
// something.
func (m *Machine) Serves() bool {
	return slices.ContainsFunc(m.gs, func(g *G) bool { return m.idleness(g) == Serves })
}

// idle reports whether nothing is wrong with it that g waits.
func (m *Machine) idle(g *G, serves bool) bool {
	switch m.idleness(g) {
	case Serves:
		return true
	case Attends:
		return serves
	}
	return false
}

// idleness tells what it means that g waits.
func (m *Machine) idleness(g *G) Idleness {
	if c, op := m.StandsAtNative(g); c != nil && op.Idle != nil {
		return op.Idle(c)
	}
	return Waits
}

// heldByLive makes those of the blocked goroutines live who wait on something to
// which a live one has a pointer in a register, and reports whether these are all.
// They usually are, and then nothing else needs to be looked at.
func (m *Machine) heldByLive(live []bool, blocked int) bool {
	r := &m.search.reacher
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
	for i := range g.frames[:g.depth] {
		fr := &g.frames[i]
		words := g.stack[fr.base:]
		for j, b := range m.liveMap(fr).Ptrs {
			for ; b != 0; b &= b - 1 {
				r.Hold(mem.Ptr(words[j*64+bits.TrailingZeros64(b)]))
			}
		}
		if m.addresses(fr) {
			for k := range int(m.funcs[fr.fn].f.Params) {
				if m.isAddress(words[k]) {
					r.Hold(mem.Ptr(words[k]))
				}
			}
		}
	}
}

// anyMoves reports whether somebody is live, who could use any global variable.
func (m *Machine) anyMoves(live []bool) bool {
	return slices.Contains(live, true) || m.nextWhen() != noAlarm
}

// waitsOnReached reports whether g waits on an object that was reached.
func (m *Machine) waitsOnReached(g *G) bool {
	r := &m.search.reacher
	if g.status == gWaiting {
		if g.wait.Obj != 0 && !m.Heap.Exists(g.wait.Obj) {
			return m.anyMoves(m.search.live) // it waits for the kernel, which everybody can reach
		}
		return g.wait.Obj != 0 && r.Reached(g.wait.Obj)
	}
	fr := &g.frames[g.depth-1]
	f := &m.funcs[fr.fn]
	if f.code != nil || g.cases != nil {
		if o, ok := m.chanOpOf(g); ok {
			for i := range o.n {
				if ch, _ := o.at(i); ch != 0 && r.Reached(ch) {
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
	s := m.search
	abroad := len(s.abroad)
	s.judging = true
	list, outside := m.objectsOf(m.nativeCall(g, fr), op)
	s.judging = false
	if len(s.abroad) > abroad { // somebody in another machine may
		s.abroad = s.abroad[:abroad]
		return true
	}
	return outside || len(list) == 0 && op.Acts == nil || slices.ContainsFunc(list, r.Reached)
}

// EntryName is the name of the function that a goroutine was started with, main
// for the first one.
func (m *Machine) EntryName(g *G) string {
	if g.path == "" {
		return "main"
	}
	return m.funcs[g.entry].f.Name
}

// Releasers returns the goroutines that can reach what g waits for, and so could
// let it go on.
func (m *Machine) Releasers(g *G) []*G {
	var list []*G
	r := &m.search.reacher
	for _, o := range m.gs {
		if o == g || o.ending {
			continue
		}
		r.Begin(m.Heap)
		m.visitStack(o, r.Root)
		if m.waitsOnReached(g) {
			list = append(list, o)
		}
	}
	return list
}

// BlockOf returns the accesses of g since its last operation.
func (m *Machine) BlockOf(g *G) Block { return g.block }

// Place returns function and instruction of an access.
func (a Access) Place() (fn, pc int) { return int(a.fn), int(a.pc) }

// LineOf returns the line of an instruction.
func (m *Machine) LineOf(fn, pc int) bytecode.Line { return LineAt(m.funcs[fn].f, pc) }

// Locals calls yield for each frame of g with its function and a hash of those
// of its live registers that are no pointers.
func (m *Machine) Locals(g *G, yield func(fn int, hash uint64)) {
	for i := range g.frames[:g.depth] {
		fr := &g.frames[i]
		words, mp := g.stack[fr.base:], m.liveMap(fr)
		hash := uint64(0)
		for j, b := range mp.Live {
			for b &^= mp.Ptrs[j]; b != 0; b &= b - 1 {
				hash = mem.HashWord(hash ^ words[j*64+bits.TrailingZeros64(b)])
			}
		}
		yield(int(fr.fn), hash)
	}
}

// StandsAt returns the instruction before which g stands and the function it is
// in; the instruction is nil if that function is a native.
func (m *Machine) StandsAt(g *G) (*bytecode.Func, *bytecode.Instr) {
	if g.depth == 0 {
		return nil, nil
	}
	return m.funcs[g.frames[g.depth-1].fn].f, m.opcodeAt(g)
}
