package drive

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/vm"
)

// A Met is what a program has met in some state that a bound of the search is about: where it has not, the bound leaves
// nothing out. It is no part of the state, and does not go back with it.
type Met uint32

// What may be met.
const (
	MetMaps       Met = 1 << iota // a range over a map of two or more entries, or that gets some meanwhile
	MetTurns                      // one that could go in more orders than those that begin elsewhere
	MetRandom                     // a random number that is not a choice
	MetLate                       // an alarm had to wait because somebody could run: see late.go
	MetTicks                      // a path was not followed further because the clock has moved so often on it: see look.go
	MetMemory                     // a look at how much memory there is, or how many collections there were
	MetProfile                    // a look at what is not measured: a profile, a trace, one of most metrics
	MetClock                      // the program itself has looked at the clock
	MetPool                       // something that was put back into a pool was forgotten for want of room: see KeepsInPool
	MetSystem                     // a file in which the host's kernel tells how it is
	MetFinalizers                 // two finalizers to call, of which Go may call either first
	MetCut                        // MetTicks, on a path on which main, or a test, could have come to its end
	MetEnd                        // the end of main, or of the process
	MetSleep                      // somebody who sleeps
	MetProcessors                 // the program itself has asked how many processors there are
	MetGoroutines                 // or how many goroutines
	MetNumbers                    // or for a pointer as a number
	MetFileTimes                  // it may compare times of files that it has changed by reflection
	MetCalls                      // others see a call behind accesses that the race detector does not order by it: see meetCall
	MetGlance                     // or has looked at what others may have done without being ordered after it: see meetGlance
	MetDatagrams                  // a datagram was sent
	MetFiles                      // one of several programs has changed files
)

// Has reports whether all of some was met.
func (m Met) Has(some Met) bool { return m&some == some }

// Met returns what was met up to now, in all states.
func (m *Machine) Met() Met { return m.met }

// meetMap notes that a goroutine ranges over a map. What the standard library does for itself before
// main begins does not count: programs do not depend on it.
func (m *Machine) meetMap(g *vm.G, what Met) {
	if m.met.Has(what) || m.initialises() && m.libraryAlone(g) {
		return
	}
	m.met |= what
}

// meetSleep notes that somebody sleeps.
func (m *Machine) meetSleep() {
	if !m.met.Has(MetSleep) && slices.ContainsFunc(m.gs, func(g *G) bool { return g.Wait().Reason == sleepReason }) {
		m.met |= MetSleep
	}
}

// meetClock notes that a goroutine looks at the clock, unless the standard library does so for itself.
func (m *Machine) meetClock(g *G) {
	if m.met.Has(MetClock) {
		return
	}
	if f := m.looker(g, "time"); f != nil && !f.library {
		m.met |= MetClock
	}
}

// MeetFrom notes what a goroutine has met with the help of a package, unless the standard library has so for itself. A machine that nobody drives is nil.
func (m *Machine) MeetFrom(g *vm.G, help string, what Met) {
	if m == nil || m.met.Has(what) {
		return
	}
	if f := m.looker(of(g), help); f != nil && !f.library {
		m.met |= what
	}
}

// looker returns the function that looks at something with the help of a package, nil if there is none.
func (m *Machine) looker(g *G, help string) *function {
	frames := g.Frames()
	for i := len(frames) - 1; i >= 0; i-- {
		if f := &m.funcs[frames[i].Func()]; !f.native && !f.f.Wrapper && f.f.Pkg != help {
			return f
		}
	}
	return nil
}

// libraryAlone reports whether all functions that a goroutine is in, but for those that initialise packages, belong to the
// standard library.
func (m *Machine) libraryAlone(g *vm.G) bool {
	for _, fr := range g.Frames() {
		if f := &m.funcs[fr.Func()]; !f.native && f.f.File >= 0 && !f.library {
			return false
		}
	}
	return true
}

// meetGlance notes that an operation tells what others have done with a channel although nothing orders it after that: a
// len, or a default. Of a channel without a buffer a default tells only that nobody waits, and that may be so before others have done anything: what follows is
// seen there. The channel of a timer is like one without.
func (m *Machine) meetGlance(o *vm.ChanOp) {
	if f := m.looker(of(o.G), "reflect"); f == nil || f.library {
		return
	}
	for i := range o.N {
		ch, _ := o.At(i)
		if m.Heap.IsChan(ch) && (o.Looks() || !m.Heap.ChanClosed(ch)) && m.Heap.ChanCap(ch) > 0 && m.Heap.ChanAux(ch) == 0 && (m.Heap.Tracked(ch.Obj()) || m.Heap.InBase(ch.Obj())) {
			m.met |= MetGlance
		}
	}
}

// meetCall notes that a goroutine makes a call which others can see, and which orders here what it did before, but not for the race detector.
func (m *Machine) meetCall(c *vm.NativeCall, op *Operation) {
	g := of(c.G)
	if slices.ContainsFunc(m.gs, func(o *G) bool { return o != g && !o.System() }) && m.asks(c, op.Unordered) {
		m.met |= MetCalls
	}
}

// numbered notes that a pointer has become a number: of the program itself, or of its library alone.
func (m *Machine) numbered(told bool) {
	m.effects.opaque = true
	if g := m.Machine.Current(); told && !m.met.Has(MetNumbers) && !m.libraryAlone(g) {
		m.met |= MetNumbers
	}
}

// aligned notes that the program itself asks whether a pointer is aligned.
func (m *Machine) aligned() {
	if g := m.Machine.Current(); !m.met.Has(MetNumbers) && !m.libraryAlone(g) {
		m.met |= MetNumbers
	}
}

// Meet notes what was met. A machine that nobody drives is nil.
func (m *Machine) Meet(what Met) {
	if m != nil {
		m.met |= what
	}
}
