package drive

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/mem"
)

// Machines can run side by side, as processes of one computer. Each has a heap and
// goroutines of its own; what they have in common is outside of all of them, and
// objects of theirs stand for it: an operation on a connection touches the object
// that has the near end here, and the one that has the far end in another machine.

// An Abroad is an object of another machine.
type Abroad struct {
	Machine int // or Everywhere
	Object  mem.Ptr
	Birth   string // instead of an object: the goroutine that was born so
	FD      int    // instead of an object: one more than the number of a descriptor, which Birth has made
}

// number returns the number that stands for an object.
func (a Abroad) number() Number { return Number{a.Machine, a.FD - 1, a.Birth} }

// Everywhere stands for all goroutines of all machines.
const Everywhere = -1

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

// A Joint is a step of one of several machines.
type Joint struct {
	Machine int
	Step
}

// needs is what belongs to a set with a goroutine.
type needs struct {
	known bool
	here  uint64   // goroutines of the same machine
	own   bool     // all of these, and the clock
	all   bool     // everything
	there []Abroad // and those who can reach these
}

// A Together is what is known of machines that run side by side while sets are closed over
// the goroutines of all of them. It is meant to be used again.
type Together struct {
	ms    []*Machine
	steps []Joint
	own   []uint64 // by machine: who has steps
	needs [][]needs
	order []Joint
	sets  [3][]uint64 // room
}

// Reduced lists steps of machines which are enough to follow. The sets are those of
// Machine.Reduced. The list is good until the next one is asked for.
func (t *Together) Reduced(ms []*Machine) []Joint {
	t.ms, t.steps = ms, t.steps[:0]
	for i, m := range ms {
		for _, st := range m.Steps() {
			t.steps = append(t.steps, Joint{i, st})
		}
	}
	if len(t.steps) < 2 || slices.ContainsFunc(ms, func(m *Machine) bool { return len(m.gs) > maxReduced }) {
		return t.steps
	}
	set := t.first()
	for _, m := range ms {
		m.Steps() // taking steps has made it forget them
	}
	if set == nil {
		return t.steps
	}
	chosen := t.steps[:0]
	for _, st := range t.steps {
		if set[st.Machine]>>place(st.Who)&1 != 0 {
			chosen = append(chosen, st)
		}
	}
	return chosen
}

// place is where a goroutine, or the clock, is in a set.
func place(who int) int {
	if who == ClockStep {
		return clockPlace
	}
	return who
}

// first returns a closed set in which one goroutine alone moves, if there is one: there
// is nothing to be decided then. Otherwise it is that of the goroutine that was born
// last, of those that have somebody in them who moves but not everybody. It need not be
// that goroutine who moves: if it waits for others, they are followed, and nobody else
// before it is done.
func (t *Together) first() []uint64 {
	t.begin()
	movers := 0
	for _, st := range t.steps {
		if bit := uint64(1) << place(st.Who); t.own[st.Machine]&bit == 0 {
			t.own[st.Machine] |= bit
			movers++
		}
	}
	for _, m := range t.ms {
		r := &m.reduction
		m.reachAll(&r.masks, true)
		r.here = 1<<len(m.gs) - 1
		m.lookAtWatches()
	}
	var first []uint64
	for _, j := range t.order {
		set := t.close(j)
		if set == nil {
			continue
		}
		switch n := t.moving(set); {
		case n == 1 && movers > 1:
			return set
		case 0 < n && n < movers && first == nil:
			first = set
			t.sets[0], t.sets[2] = t.sets[2], t.sets[0]
		}
	}
	return first
}

// begin forgets the last state, and puts the goroutines in order, the last born first.
func (t *Together) begin() {
	if len(t.own) != len(t.ms) {
		t.own, t.needs = make([]uint64, len(t.ms)), make([][]needs, len(t.ms))
		for i := range t.sets {
			t.sets[i] = make([]uint64, len(t.ms))
		}
	}
	clear(t.own)
	t.order = t.order[:0]
	for i, m := range t.ms {
		for j := range t.needs[i] {
			t.needs[i][j].known = false
		}
		for j := range m.gs {
			t.order = append(t.order, Joint{i, Step{Who: j}})
			if j == len(t.needs[i]) {
				t.needs[i] = append(t.needs[i], needs{})
			}
		}
	}
	birth := func(j Joint) string { return t.ms[j.Machine].gs[j.Who].birth }
	slices.SortStableFunc(t.order, func(a, b Joint) int {
		x, y := birth(b), birth(a)
		return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y), cmp.Compare(b.Machine, a.Machine))
	})
}

// moving counts those in a set who have steps.
func (t *Together) moving(set []uint64) int {
	n := 0
	for i := range set {
		n += bits.OnesCount64(set[i] & t.own[i])
	}
	return n
}

// close returns the smallest closed set with a goroutine, nil if that is
// everything.
func (t *Together) close(first Joint) []uint64 {
	set, done := t.sets[0], t.sets[1]
	clear(set)
	clear(done)
	set[first.Machine] = 1 << first.Who
	for again := true; again; {
		again = false
		for i, m := range t.ms {
			for set[i] != done[i] {
				again = true
				g := bits.TrailingZeros64(set[i] &^ done[i])
				done[i] |= 1 << g
				if g == clockPlace {
					continue // its steps belong to the set
				}
				n := t.of(i, g)
				switch {
				case n.all:
					return nil
				case n.own:
					set[i] |= m.reduction.here | 1<<clockPlace
				default:
					set[i] |= n.here & m.reduction.here
				}
				for _, a := range n.there {
					if a.Machine == Everywhere || a.Machine >= len(t.ms) {
						return nil
					}
					far := t.ms[a.Machine]
					who := far.reachers(a)
					if who == 0 && a.Object == 0 && a.FD == 0 {
						return nil // its creator has gone
					}
					if !far.outlive(who) { // whoever ends the process closes it
						who = far.reduction.here | 1<<clockPlace
					}
					set[a.Machine] |= who
				}
			}
		}
	}
	return set
}

// reachers returns who can reach something that a goroutine of another machine
// acts on.
func (m *Machine) reachers(a Abroad) uint64 {
	if a.FD != 0 {
		return m.reduction.users[a.number()]
	}
	if a.Object != 0 {
		return m.reduction.masks.Of(a.Object.Obj()) & m.reduction.here
	}
	for i, g := range m.gs {
		if g.birth == a.Birth {
			return 1 << i
		}
	}
	return 0
}

// of returns what belongs to a set with a goroutine.
func (t *Together) of(machine, g int) *needs {
	n := &t.needs[machine][g]
	if n.known {
		return n
	}
	*n = needs{known: true, there: n.there[:0]}
	m := t.ms[machine]
	m.abroad, m.seen, m.whole, m.dies = m.abroad[:0], m.seen[:0], false, false
	moves := t.own[machine]>>g&1 != 0
	var all bool
	n.here, all = m.needsOf(g, moves)
	n.there = append(append(n.there, m.seen...), m.abroad...)
	if all {
		n.own, n.all = !m.whole, m.whole
	}
	if m.dies {
		who, any := m.enders()
		n.here, n.own = n.here|who, n.own || any
	}
	if moves && len(n.there) > 0 && !m.outlive(1<<g) { // whoever ends the process comes before it
		n.own = true
	}
	if n.here>>clockPlace&1 != 0 && m.Counters().NumTimers > 0 {
		n.own = true
	}
	return n
}
