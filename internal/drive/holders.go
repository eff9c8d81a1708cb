package drive

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/bitset"
	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/mem"
)

// Who may ever act on what. A goroutine acts on objects to which it has pointers, or can get
// some: by loading them from what it can reach, or from another one who can. So
// as long as none of those moves who can reach an object, nobody else ever will.
//
// Besides the goroutines there are two more who reach things: the clock, what the functions of timers reach,
// and the conditions of package verify, which read what they reach.

// An owners is who can reach which objects of a machine. Goroutines have the numbers of
// their places, behind them come the clock and the conditions.
type owners struct {
	masks   mem.Masks
	spares  func(i int, t effect.Token) bool // see Look
	walkers bitset.Set
	steps   []Step      // of the state
	read    []mem.ObjID // what conditions of package verify read here
	clocked bool        // or they look at something that is no object
}

func (m *Machine) clockPlace() int { return len(m.gs) }
func (m *Machine) watchPlace() int { return len(m.gs) + 1 }

// Look finds out who can reach what in the current state, for Footprint and Holders. Spares
// says of a goroutine, or of the clock, by its place, whether it is taken never to act
// on something.
func (m *Machine) Look(spares func(i int, t effect.Token) bool) {
	o := &m.owners
	o.spares, o.steps = spares, append(o.steps[:0], m.Steps()...)
	if o.masks.Walkers == nil {
		o.masks.Walkers = m.walkers
	}
	m.reachAll(&o.masks, nil)
	m.lookAtWatches()
}

// reachAll finds out which goroutines can reach what. More visits what counts as reached by the conditions of package verify, too, or is nil.
func (m *Machine) reachAll(masks *mem.Masks, more func(root func(mem.Ptr))) {
	if m.isGlobal == nil {
		m.isGlobal = m.reacher.Global
	}
	masks.Begin(m.Heap, len(m.gs)+2, m.isGlobal)
	for i, g := range m.gs {
		masks.Own(i)
		if !m.rootsKnown(g) || !masks.RootsOf(&g.part) {
			m.VisitStack(&g.G, masks.Root)
		}
	}
	masks.Own(m.clockPlace())
	for i := range m.Counters().NumTimers {
		p, _ := m.Heap.LoadPtr(m.Counters().Timers + mem.Ptr(i)*8)
		masks.Root(p)
	}
	masks.Own(m.watchPlace())
	if m.checked.nWatches > 0 {
		masks.Root(m.checked.watches)
	}
	if more != nil {
		more(masks.Root)
	}
	masks.Spread()
}

// walkers returns which goroutines may look at keys of some layout.
func (m *Machine) walkers(keys uint64) bitset.Set {
	o := &m.owners
	o.walkers = o.walkers.Fit(len(m.gs) + 2)
	t := keysToken(m.opts.Process, keys)
	for i := range len(m.gs) + 1 {
		if !o.spares(i, t) {
			o.walkers.Add(i)
		}
	}
	o.walkers.Add(m.watchPlace())
	return o.walkers
}

// Holders adds to set who may ever act on something, the goroutines by their places and
// behind them the clock, counted from first. It reports false if that is not known. What is
// told of other machines is about theirs: Look must have been called for each.
func (m *Machine) Holders(t effect.Token, first int, set bitset.Set) bool {
	switch t.Kind {
	case effect.Object, effect.Base, effect.Counter:
		mask := m.owners.masks.Of(t.Ptr.Obj())
		m.addPlaces(mask, first, set)
		if t.Far && !m.outlive(mask) { // whoever ends the process closes it
			set.AddRange(first, first+len(m.gs)+1)
		}
	case effect.Goroutine:
		if t.Number == 0 {
			return m.holdersByBirth(t.Birth, first, set)
		}
		set.Add(first + t.Number - 1)
	default: // something of the process
		for i := range len(m.gs) + 1 {
			if !m.owners.spares(i, t) {
				set.Add(first + i)
			}
		}
	}
	return true
}

// addPlaces adds those in a mask who take steps.
func (m *Machine) addPlaces(mask bitset.Set, first int, set bitset.Set) {
	if first == 0 && len(mask) == 1 { // nearly always
		set[0] |= mask[0] & (1<<(len(m.gs)+1) - 1)
		return
	}
	for i := range mask.All() {
		if i > m.clockPlace() {
			return
		}
		set.Add(first + i)
	}
}

// holdersByBirth adds the goroutine that was born so.
func (m *Machine) holdersByBirth(birth string, first int, set bitset.Set) bool {
	for i, g := range m.gs {
		if birth != "" && g.birth == birth {
			set.Add(first + i)
			if !m.outlivesAs(g) {
				set.AddRange(first, first+len(m.gs)+1)
			}
			return true
		}
	}
	return false // it has gone, or nobody knows who it is
}

// outlive reports whether the process is taken not to end as long as some of those in a
// mask are there, unless it is one of them who ends it.
func (m *Machine) outlive(mask bitset.Set) bool {
	for i := range mask.All() {
		if i < len(m.gs) && m.outlivesAs(m.gs[i]) {
			return true
		}
	}
	return false
}

// outlivesAs reports whether the process is taken not to end as long as g is there.
func (m *Machine) outlivesAs(g *G) bool {
	return m.owners.spares(m.clockPlace(), effect.Token{Kind: effect.End, Process: int32(m.opts.Process), Birth: m.EntryName(g)})
}

// lookAtWatches finds out what the conditions of package verify read here.
func (m *Machine) lookAtWatches() {
	o := &m.owners
	o.read, o.clocked = o.read[:0], false
	if m.checked.nWatches == 0 {
		return
	}
	mark := m.Mark()
	m.clocked, m.probing, m.touched = false, true, m.touched[:0]
	m.runWatches()
	m.probing = false
	o.clocked = m.clocked
	o.read, m.failed = append(o.read, m.looked...), m.failed[:0]
	for _, t := range m.touched {
		o.read = append(o.read, t.Ptr.Obj())
	}
	m.Restore(mark)
	m.Release(mark)
}

// watched reports whether a condition of package verify has read an object.
func (m *Machine) watched(id mem.ObjID) bool { return slices.Contains(m.owners.read, id) }
