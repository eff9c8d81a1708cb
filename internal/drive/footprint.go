package drive

import (
	"bytes"
	"slices"

	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// The footprint of a goroutine is what its next steps act on, in whatever way they go, and
// what it waits for. The next step acts on the objects of its operation, on those that it
// accesses up to the following one, and on those of its current block, which its operation
// ends: a collision must not be overtaken.
//
// What a step acts on is found out by taking it and going back, unless its effect is known.

// touches notes an object that an operation acts on.
func (m *Machine) touches(p mem.Ptr) {
	if m.probing {
		m.touched = append(m.touched, effect.Whole(m.opts.Process, p))
	}
}

// everyProcess is the process of a token that stands for everything.
const everyProcess = -1

// process is the token of all that goroutines share.
func (m *Machine) process() effect.Token { return effect.Of(effect.Process, m.opts.Process) }

// Footprint adds what the next steps of the i-th goroutine act on, or of the clock, which comes
// behind the last one. Look must have been called for the state.
func (m *Machine) Footprint(i int, f *effect.Footprint) {
	if i == m.clockPlace() {
		if m.anyAlarm() {
			f.Everything = true // time may go around in circles: see jumpedBack
		} else {
			f.Wait(m.process()) // for somebody who sets a timer, or waits for some time
		}
		return
	}
	g := m.gs[i]
	if m.collects { // it may forget something
		f.Read(effect.Of(effect.Forgotten, m.opts.Process))
	}
	if g.unborn {
		m.parentToken(g, f)
		return
	}
	if g.waitsForBubble() && !m.hasStep(i) {
		m.bubblePrint(i, f)
		return
	}
	if g.Waiting() && g.Wait().Wake != 0 {
		f.Wait(m.process()) // the clock lets it go on
		return
	}
	if !m.hasStep(i) {
		m.waitPrint(g, f)
		return
	}
	if !g.launch && !g.ending && !g.spun {
		if o, ok := m.ChanOpOf(&g.G); ok { // others may make a case ready that is not
			m.chanPrint(&o, f)
		}
	}
	for _, a := range g.block {
		m.accessPrint(a, f)
	}
	if g.AtEnd() != 0 {
		f.Write(effect.Whole(m.opts.Process, g.AtEnd()))
	}
	if x := m.foresee(i, 0); x != nil && !(x.last && m.opts.Joined) { // there is one alternative
		m.effectPrint(x, f)
		return
	}
	m.tryPrint(i, f)
}

// hasStep reports whether a goroutine has steps of its own.
func (m *Machine) hasStep(i int) bool {
	return slices.ContainsFunc(m.owners.steps, func(st Step) bool { return st.Who == i })
}

// parentToken adds whom a goroutine waits for that is not born yet.
func (m *Machine) parentToken(g *G, f *effect.Footprint) {
	for j, p := range m.gs {
		if p.ID == g.Parent {
			f.Wait(effect.Token{Kind: effect.Goroutine, Process: int32(m.opts.Process), Number: j + 1})
			return
		}
	}
	f.Wait(m.process())
}

// accessPrint adds a plain access. What is read of the base image is told word by word: most
// of that is never written.
func (m *Machine) accessPrint(a Access, f *effect.Footprint) {
	m.memoryPrint(mem.MakePtr(a.Obj, a.lo), a.hi-a.lo, a.Write, f)
}

func (m *Machine) memoryPrint(p mem.Ptr, n uint32, write bool, f *effect.Footprint) {
	switch {
	case write:
		f.Write(effect.At(m.opts.Process, p, n))
	case !m.Heap.InBase(p.Obj()):
		f.Read(effect.At(m.opts.Process, p, n))
	default:
		m.slots = m.Heap.Slots(m.slots[:0], p, n)
		for _, slot := range m.slots {
			f.Read(effect.Token{Kind: effect.Base, Process: int32(m.opts.Process), Ptr: p, Number: int(slot)})
		}
	}
}

// tryPrint adds what the steps of a goroutine act on, each of which it takes.
func (m *Machine) tryPrint(i int, f *effect.Footprint) {
	g := m.gs[i]
	mark, circles := m.Mark(), 0
	awaited := 0
	if m.opts.Joined {
		awaited = m.awaited()
	}
	entry := m.EntryName(g)
	for k := 0; ; k++ {
		if k > 0 {
			m.Restore(mark)
		}
		n := m.alternatives(&m.alts, i)
		if k >= n {
			f.Everything = f.Everything || k > 0 && circles == k // nothing ever comes of it
			break
		}
		several := n > 1
		before := len(m.gs)
		m.try(i, k)
		if m.opts.Joined {
			m.endPrint(g, entry, awaited, f)
		}
		if several && m.back && !m.opts.Joined && m.comesBack(i, k, mark) {
			circles++
			m.back = false
		}
		if m.counts && len(m.gs) != before {
			f.Write(m.process())
		}
		m.stepPrint(f)
		if f.Everything {
			m.Restore(mark)
			break
		}
	}
	m.Release(mark)
}

// endPrint adds what the end of processes has to do with the step that a goroutine has just taken. Whoever
// ends the process comes before what a goroutine does to others. And that it is there
// when the process ends, which is guessed not to be, is seen only if it does not end first: so
// its last step belongs together with those who may end the process, unless main waits for
// that step.
func (m *Machine) endPrint(g *G, entry string, awaited int, f *effect.Footprint) {
	end := effect.Of(effect.End, m.opts.Process)
	if len(m.far) > 0 {
		end.Birth = entry
		f.Read(end)
		end.Birth = ""
	}
	if !g.Dead() && !g.ending || m.Exit() != nil { // its last block may still be there: see abandon
		return
	}
	if awaited > 0 && m.awaited() < awaited { // main waits for it, if nobody counts wrong
		f.Read(effect.Of(effect.Counter, m.opts.Process))
		end.Number = effect.ByOthers
	}
	f.Read(end)
}

// awaited returns how often others have to count down before main goes on, 0 if it does
// not wait for that.
func (m *Machine) awaited() int {
	for _, g := range m.gs {
		if g.path != "" {
			continue
		}
		if c, op := m.StandsAtNative(g); c != nil && op.Awaits != nil {
			return op.Awaits(c)
		}
	}
	return 0
}

// try takes a step only to see what it touches. Conditions of package verify are not
// evaluated, unless there is a new one: a step that changes what they read is followed
// with all others in any case, and after any other step they are what they were.
func (m *Machine) try(who, alt int) {
	m.probing, m.trying, m.number = true, true, m.checked.nWatches
	m.TakeStep(who, alt)
	m.probing, m.trying = false, false
}

// finishTry does for the step that was tried what is not needed to see what it touches: who shares what is found out, and goroutines are put
// in order.
func (m *Machine) finishTry() {
	m.share()
	m.order()
}

// comesBack reports whether the step that was just taken leads to where it began, as
// that of a call which finds that it is too early and is made again. Such a step
// does not keep others waiting for ever, if there is another one in the set that
// goes on. The machine is after the step again.
func (m *Machine) comesBack(who, alt int, mark vm.Mark) bool {
	if m.Exit() != nil {
		return false
	}
	m.finishTry()
	m.around = m.AppendKey(m.around[:0])
	m.Restore(mark)
	m.start = m.AppendKey(m.start[:0])
	m.try(who, alt)
	return bytes.Equal(m.around, m.start)
}

// stepPrint adds what the step just taken has acted on.
func (m *Machine) stepPrint(f *effect.Footprint) {
	quiet := len(m.failed) == 0 && !m.collided()
	if m.last && m.opts.Joined && quiet { // the other machines go on
		m.footprint.Reset()
		m.opts.Ends(m, &m.footprint)
		m.sortTokens(&m.footprint)
		m.farPrint(f)
		f.Write(m.process())
		return
	}
	m.farPrint(f)
	if m.Exit() != nil || m.checked.pruned || m.back || !quiet || slices.ContainsFunc(m.movers, func(g *G) bool { return g.exit != nil }) {
		f.Everything = true // also if the end of the program is a step of its own
		return
	}
	m.sharedPrint(m.outside, m.clockRead, f)
	if m.clockMoved {
		f.Write(effect.Of(effect.Clock, m.opts.Process))
	}
	m.touchPrint(m.touched, m.loads, m.trail, f)
	m.watchPrint(f)
}

// collided reports whether the step just taken has accessed what the block of another goroutine has. That
// two goroutines stand before operations that race is no work of the step: it may have been so before.
func (m *Machine) collided() bool {
	return slices.ContainsFunc(m.races, func(r Race) bool { return r.Rivals[0] == NoRival })
}

// effectPrint is stepPrint for a step that was not taken.
func (m *Machine) effectPrint(x *stepEffect, f *effect.Footprint) {
	if x.back {
		f.Everything = true
		return
	}
	m.sharedPrint(x.outside || m.counts && x.gone, x.clock, f)
	m.touchPrint(x.touched, x.loads, x.trail, f)
}

// touchPrint adds what operations and plain accesses act on.
func (m *Machine) touchPrint(touched []effect.Token, loads, trail Block, f *effect.Footprint) {
	f.Writes = append(f.Writes, touched...)
	for _, a := range loads {
		m.accessPrint(a, f)
	}
	for _, a := range trail {
		m.accessPrint(a, f)
	}
}

// sharedPrint adds what no object stands for.
func (m *Machine) sharedPrint(outside, looked bool, f *effect.Footprint) {
	if outside {
		f.Write(m.process())
	}
	if looked {
		f.Read(effect.Of(effect.Clock, m.opts.Process))
	}
}

// farPrint adds what is not an object of this machine.
func (m *Machine) farPrint(f *effect.Footprint) {
	for _, t := range m.far {
		if t.Process == everyProcess {
			f.Everything = true
			return
		}
		f.Write(t)
	}
}

// watchPrint adds that the step just taken may make a difference to conditions of package
// verify. One that changes what they read concerns everybody. To one that changes what they do not read now but may read
// later, as x in flag && x, belong all who can change what they read now: everybody, if
// that is the time or how many goroutines there are.
func (m *Machine) watchPrint(f *effect.Footprint) {
	if m.checked.nWatches == 0 {
		return
	}
	o, legible := &m.owners, false
	changes := func(id mem.ObjID) {
		f.Everything = f.Everything || m.watched(id)
		legible = legible || o.masks.Of(id).Has(m.watchPlace())
	}
	for _, t := range m.touched {
		changes(t.Ptr.Obj())
	}
	for _, a := range m.trail {
		if a.Write {
			changes(a.Obj)
		}
	}
	if !legible {
		return
	}
	f.Everything = f.Everything || o.clocked
	for _, id := range o.read {
		f.Read(effect.Whole(m.opts.Process, mem.MakePtr(id, 0)))
	}
}

// waitPrint adds what a blocked goroutine waits for.
func (m *Machine) waitPrint(g *G, f *effect.Footprint) {
	if g.Waiting() {
		if g.Wait().Obj == 0 || !m.Heap.Exists(g.Wait().Obj) {
			f.Wait(m.process())
			return
		}
		f.Wait(effect.Whole(m.opts.Process, g.Wait().Obj))
		return
	}
	if o, ok := m.ChanOpOf(&g.G); ok {
		m.chanPrint(&o, f)
		return
	}
	op := m.funcs[g.Top().Func()].op
	if op == nil {
		f.Wait(m.process())
		return
	}
	m.far = m.far[:0]
	list, outside := m.objectsOf(m.nativeCall(g), op)
	m.farPrint(f)
	for _, p := range list {
		f.Wait(effect.Whole(m.opts.Process, p))
	}
	if outside || len(list) == 0 && op.Acts == nil {
		f.Wait(m.process())
	}
}

// chanPrint adds the channels of an operation.
func (m *Machine) chanPrint(o *vm.ChanOp, f *effect.Footprint) {
	for i := range o.N {
		ch, _ := o.At(i)
		switch {
		case ch == 0:
		case m.Heap.ChanAux(ch) != 0:
			f.Wait(m.process()) // a timer's
		default:
			f.Wait(effect.Whole(m.opts.Process, ch))
		}
	}
}
