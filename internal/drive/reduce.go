package drive

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// Reduction: most orders of steps make no difference. A set of goroutines is
// closed if nothing that the others can do, now or later, depends on the next
// steps of those in the set. Then it is enough to follow the steps of the set
// here, and leave the others for later (a stubborn set).
//
// The next step of a goroutine touches the objects of its operation, those that
// it accesses up to the following one, and those of its current block, which its
// operation ends: a collision must not be overtaken. Only a goroutine that can
// reach one of those objects can ever depend on it, directly or by handing it to
// another, so all of them belong to the set. For one that is blocked, so do
// those that can let it go on: they can reach what it waits for.
//
// What a step touches is found out by taking it and going back, unless its effect
// is known. A set is not used, and all steps are followed, if one of its steps goes
// around a loop that does not count (otherwise the goroutines outside could be left
// for later for ever) and does nothing that cannot come again, ends the
// program, touches the clock or the process, or changes what a condition of
// package verify reads. To a step that changes what a condition does not read now but may
// read later, as x in flag && x, belong all who can change what it reads now: everybody, if
// that is the time or how many goroutines there are.
// All of that depends on the state alone.

// maxReduced is how many goroutines reduction can tell apart. One more place is
// the clock's: it reaches what the functions of timers reach. Another one is that of the
// conditions of package verify, which read what they reach.
const (
	maxReduced = 62
	watchPlace = 62
	clockPlace = 63
)

// A reduction is what is known of the goroutines while sets are closed.
type reduction struct {
	masks  mem.Masks
	known  uint64 // goroutines whose needs are known
	here   uint64 // the goroutines that there are, and the clock if it may call functions
	needs  [maxReduced]uint64
	all    [maxReduced]bool // a set with this goroutine has everything in it
	chosen []Step
	order  []int
	users  map[Number]uint64 // see findUsers
}

// Reduced lists steps that are enough to follow.
func (m *Machine) Reduced() []Step {
	steps := m.Steps()
	if len(m.gs) > maxReduced || m.collecting() || len(steps) < 2 || steps[0].Who == steps[len(steps)-1].Who {
		return steps
	}
	own := uint64(0) // goroutines with steps of their own
	for _, st := range steps {
		if st.Who != ClockStep {
			own |= 1 << st.Who
		}
	}
	r := &m.reduction
	r.known = 0
	r.chosen = append(r.chosen[:0], steps...) // what follows takes steps, and the list is made anew
	m.reachAll(&r.masks, true)
	r.here = 1<<len(m.gs) - 1
	if m.Counters().NumTimers > 0 {
		r.here |= 1 << clockPlace
	}
	m.lookAtWatches()
	best := m.smallest(own)
	m.Steps()
	if best == ^uint64(0) {
		return r.chosen
	}
	n := 0
	for _, st := range r.chosen {
		if st.Who != ClockStep && best>>st.Who&1 != 0 {
			r.chosen[n] = st
			n++
		}
	}
	return r.chosen[:n]
}

// smallest returns the smallest closed set, all ones if there is none of use. Where
// goroutines have births, and there is no set in which one alone moves, it is instead
// that of the goroutine which was born last, whether or not it waits for others: so
// groups of goroutines that have nothing to do with each other are followed one after
// the other, and not a bit of each in turn, and are gone when the next one is started.
func (m *Machine) smallest(own uint64) uint64 {
	best, size := ^uint64(0), bits.OnesCount64(own)+1
	if m.births {
		for _, i := range m.byBirth(1<<len(m.gs) - 1) {
			set, ok := m.close(i, own, size)
			switch n := bits.OnesCount64(set & own); {
			case !ok:
			case n == 1 && own != set&own:
				return set
			case n > 0 && set&own != own && best == ^uint64(0):
				best = set
			}
		}
		return best
	}
	for rest := own; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(rest)
		set, ok := m.close(i, own, size)
		if !ok {
			continue
		}
		if n := bits.OnesCount64(set & own); n < size {
			best, size = set, n
		}
		if size == 1 {
			break
		}
	}
	return best
}

// byBirth lists the goroutines of a set, the last born first.
func (m *Machine) byBirth(set uint64) []int {
	list := m.reduction.order[:0]
	for ; set != 0; set &= set - 1 {
		list = append(list, bits.TrailingZeros64(set))
	}
	slices.SortFunc(list, func(i, j int) int {
		a, b := m.gs[j].birth, m.gs[i].birth
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	})
	m.reduction.order = list
	return list
}

// reachAll finds out which goroutines can reach what, with guesses about the keys of maps or
// without.
func (m *Machine) reachAll(masks *mem.Masks, guess bool) {
	masks.Walkers = nil
	if m.opts.Assume != nil && guess {
		masks.Walkers = m.walkers
	}
	masks.Begin(m.Heap, m.reacher.Global)
	for i, g := range m.gs {
		masks.Own(i)
		m.VisitStack(&g.G, masks.Root)
	}
	masks.Own(clockPlace)
	for i := range m.Counters().NumTimers {
		p, _ := m.Heap.LoadPtr(m.Counters().Timers + mem.Ptr(i)*8)
		masks.Root(p)
	}
	if m.checked.nWatches > 0 {
		masks.Own(watchPlace)
		masks.Root(m.checked.watches)
	}
	m.findUsers()
}

// close returns the smallest closed set with a goroutine, if it is of use: it
// has fewer than size goroutines with steps.
func (m *Machine) close(first int, own uint64, size int) (set uint64, ok bool) {
	r := &m.reduction
	set = 1 << first
	for done := uint64(0); set != done; {
		i := bits.TrailingZeros64(set &^ done)
		done |= 1 << i
		if r.known>>i&1 == 0 {
			r.needs[i], r.all[i] = m.needsOf(i, own>>i&1 != 0)
			r.known |= 1 << i
		}
		if r.all[i] {
			return 0, false
		}
		set |= r.needs[i] & r.here
		if set>>clockPlace != 0 || bits.OnesCount64(set&own) >= size {
			return 0, false
		}
	}
	return set, true
}

// needsOf returns which goroutines belong to a set with the i-th one, or that
// all do.
func (m *Machine) needsOf(i int, moves bool) (needs uint64, all bool) {
	g := m.gs[i]
	if m.collecting() {
		return 0, true
	}
	if g.unborn {
		for j, p := range m.gs {
			if p.ID == g.Parent {
				return 1 << j, false
			}
		}
		return 0, true
	}
	if g.Waiting() && g.Wait().Wake != 0 {
		return 0, true // the clock lets it go on
	}
	if !moves {
		return m.reachersOfOp(g)
	}
	if !g.launch && !g.ending && !g.spun {
		if o, ok := m.ChanOpOf(&g.G); ok { // others may make a case ready that is not
			if needs, all = m.reachersOfChans(&o); all {
				return 0, true
			}
		}
	}
	for _, a := range g.block {
		if !m.readsFixed(a) {
			needs |= m.reduction.masks.Of(a.Obj)
		}
	}
	if g.AtEnd() != 0 {
		needs |= m.reduction.masks.Of(g.AtEnd().Obj())
	}
	if x := m.foresee(i, 0); x != nil && !(x.gone && m.opts.Joined) { // there is one alternative
		n, full := m.touchedByEffect(x)
		return needs | n, full
	}
	mark, circles, awaited := m.Mark(), 0, 0
	if m.opts.Joined {
		awaited = m.awaited()
	}
	for k := 0; ; k++ {
		if k > 0 {
			m.Restore(mark)
		}
		m.alts = m.alternatives(m.alts[:0], i)
		if k >= len(m.alts) {
			all = all || k > 0 && circles == k // nothing ever comes of it
			m.whole = m.whole || all
			break
		}
		several := len(m.alts) > 1
		before := len(m.gs)
		m.try(i, k)
		m.dies = m.dies || m.opts.Joined && g.Dead() && m.Exit() == nil && m.awaited() >= awaited
		if several && m.back && !m.opts.Joined && m.comesBack(i, k, mark) {
			circles++
			m.back = false
		}
		n, full := m.touchedBy()
		full = full || m.counts && len(m.gs) != before
		needs |= n
		if full {
			all = true
			m.Restore(mark)
			break
		}
	}
	m.Release(mark)
	return needs, all
}

// comesBack reports whether the step that was just taken leads to where it began, as
// that of a call which finds that it is too early and is made again. Such a step
// does not keep others waiting for ever, if there is another one in the set that
// goes on. The machine is after the step again.
func (m *Machine) comesBack(who, alt int, mark vm.Mark) bool {
	if m.Exit() != nil {
		return false
	}
	m.around = m.AppendKey(m.around[:0])
	m.Restore(mark)
	m.start = m.AppendKey(m.start[:0])
	m.try(who, alt)
	return bytes.Equal(m.around, m.start)
}

// try takes a step only to see what it touches. Conditions of package verify are not
// evaluated, unless there is a new one: a step that changes what they read is followed
// with all others in any case, and after any other step they are what they were.
func (m *Machine) try(who, alt int) {
	m.probing, m.trying, m.number = true, true, m.checked.nWatches
	m.TakeStep(who, alt)
	m.probing, m.trying = false, false
}

// touchedBy returns who can reach what the step just taken has touched.
func (m *Machine) touchedBy() (needs uint64, all bool) {
	quiet := len(m.failed) == 0 && len(m.races) == 0
	if m.last && m.opts.Joined && quiet { // the other machines go on
		m.footprint.Reset()
		m.opts.Ends(m, &m.footprint)
		m.sortTokens(&m.footprint)
		m.seen = append(m.seen, m.abroad...)
		return 0, true
	}
	m.seen = append(m.seen, m.abroad...)
	if m.Exit() != nil || m.checked.pruned || m.back || !quiet {
		m.whole = true
		return 0, true
	}
	if m.outside {
		return 0, true
	}
	r := &m.reduction
	needs = m.usersOf(m.abroad)
	legible := uint64(0) // by watchPlace: the step changes what conditions may read
	for _, p := range m.touched {
		needs |= r.masks.Of(p.Obj())
		legible |= r.masks.Of(p.Obj())
	}
	for _, a := range m.trail {
		if m.readsFixed(a) {
			continue
		}
		needs |= r.masks.Of(a.Obj)
		if !a.Write {
			continue
		}
		legible |= r.masks.Of(a.Obj)
		if m.watched(a.Obj) {
			m.whole = true
			return 0, true
		}
	}
	if m.checked.nWatches > 0 {
		for _, p := range m.touched {
			if m.watched(p.Obj()) {
				m.whole = true
				return 0, true
			}
		}
		if legible>>watchPlace&1 != 0 { // who changes what they read now may make them read that
			if m.clocked {
				m.whole = true
				return 0, true
			}
			for _, id := range m.read {
				needs |= r.masks.Of(id)
			}
		}
	}
	return needs, false
}

// touchedByEffect is touchedBy for a step that was not taken.
func (m *Machine) touchedByEffect(x *stepEffect) (needs uint64, all bool) {
	if x.back || x.outside || m.counts && x.gone {
		m.whole = m.whole || x.back
		return 0, true
	}
	for _, p := range x.touched {
		needs |= m.reduction.masks.Of(p.Obj())
	}
	for _, a := range x.trail {
		if m.readsFixed(a) {
			continue
		}
		needs |= m.reduction.masks.Of(a.Obj)
	}
	return needs, false
}

// lookAtWatches finds out what the conditions of package verify read here.
func (m *Machine) lookAtWatches() {
	m.read, m.clocked = m.read[:0], false
	if m.checked.nWatches == 0 {
		return
	}
	mark := m.Mark()
	m.probing, m.touched = true, m.touched[:0]
	m.runWatches()
	m.probing = false
	m.read, m.failed = append(m.read, m.looked...), m.failed[:0]
	for _, p := range m.touched {
		m.read = append(m.read, p.Obj())
	}
	m.Restore(mark)
	m.Release(mark)
}

// watched reports whether a condition of package verify has read an object.
func (m *Machine) watched(id mem.ObjID) bool {
	for _, w := range m.read {
		if w == id {
			return true
		}
	}
	return false
}

// reachersOfOp returns who can reach what a blocked goroutine waits for.
func (m *Machine) reachersOfOp(g *G) (needs uint64, all bool) {
	r := &m.reduction
	if g.Waiting() {
		if g.Wait().Obj == 0 || !m.Heap.Exists(g.Wait().Obj) {
			return 0, true
		}
		return r.masks.Of(g.Wait().Obj.Obj()), false
	}
	if o, ok := m.ChanOpOf(&g.G); ok {
		return m.reachersOfChans(&o)
	}
	fr := g.Top()
	op := m.funcs[fr.Func()].op
	if op == nil {
		return 0, true
	}
	abroad := len(m.abroad)
	list, outside := m.objectsOf(m.nativeCall(g), op)
	needs = m.usersOf(m.abroad[abroad:])
	for _, p := range list {
		needs |= r.masks.Of(p.Obj())
	}
	return needs, outside || len(list) == 0 && op.Acts == nil
}

// reachersOfChans returns who can reach the channels of an operation.
func (m *Machine) reachersOfChans(o *vm.ChanOp) (needs uint64, all bool) {
	for i := range o.N {
		ch, _ := o.At(i)
		switch {
		case ch == 0:
		case m.Heap.ChanAux(ch) != 0:
			return 0, true // a timer's
		default:
			needs |= m.reduction.masks.Of(ch.Obj())
		}
	}
	return needs, false
}

// touches notes what an operation acts on.
func (m *Machine) touches(p mem.Ptr) {
	if m.probing {
		m.touched = append(m.touched, p)
	}
}
