package drive

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// Reduction can do more if the program does less than it could. Most programs
// never wait for the clock, so that to look at it depends on nothing. Most of what
// is there when the program begins, such as tables, flags and errors, is never
// written again, so that to read it depends on nothing. Most programs never take
// the counter of a WaitGroup below zero, so that to count down depends on nothing
// but the last time. Most programs do not connect to themselves, so that none of
// their goroutines can let one go on that waits to accept. Most only look up in maps
// whose keys are pointers, so that a goroutine that can reach such a map does not get to
// what the keys lead to. Most processes that talk to others end when all of their
// goroutines have. Most numbers of descriptors are used by the same goroutines always
// (see descriptors.go). Most do not ask for collections, so that nobody sees what others forget.
// Each of these is a guess. A search makes all of them at first, and looks whether
// they are right. If one is not, what was found wrong is wrong, since every path that was
// followed is one of the program; but that nothing else is wrong must be shown again,
// with what is known now.
//
// It would turn out: up to the first wait for the clock, the first write, the first
// panic of a WaitGroup or the first such connection, all that is left out for the sake of
// a guess is left out rightly, so what contradicts it is reached if it can
// be reached at all. And it does not depend on the order of the search, since the
// graph that is searched does not.
//
// A guess only removes dependencies between steps. Which steps there are, what they are
// called, what they do and what the key of a state is are the same with it and
// without: those are a matter of views (see views.go).

// Guesses are those that reduction does not make, or that turned out to be wrong.
type Guesses struct {
	Timed      bool              // the program waits for the clock
	Miscounted bool              // the counter of a WaitGroup becomes negative
	Dials      bool              // the program connects to itself
	Collects   bool              // the program asks for a collection when there are others
	Quits      bool              // a process beside others, with several goroutines, does not end by the end of main
	Handed     bool              // anybody may make calls on any number of a descriptor
	Written    map[mem.Slot]bool // words of the base image that are written
	Abandoned  map[string]bool   // goroutines, by birth, that were there when a process ended
	Walked     map[uint64]bool   // maps whose keys are looked at, by layout of keys (see mem.Heap.Keys): whether others than main do
	Users      map[Use]bool      // who makes calls on which number
}

// none reports whether no guess was wrong.
func (a *Guesses) none() bool {
	return !a.Timed && !a.Miscounted && !a.Dials && !a.Collects && !a.Quits && !a.Handed && len(a.Written)+len(a.Walked)+len(a.Abandoned)+len(a.Users) == 0
}

// Add adds what turned out elsewhere, and reports whether that is new.
func (a *Guesses) Add(b *Guesses) bool {
	if b == nil {
		return false
	}
	news := false
	add := func(to *bool, from bool) {
		news = news || from && !*to
		*to = *to || from
	}
	add(&a.Timed, b.Timed)
	add(&a.Miscounted, b.Miscounted)
	add(&a.Dials, b.Dials)
	add(&a.Collects, b.Collects)
	add(&a.Quits, b.Quits)
	add(&a.Handed, b.Handed)
	for slot := range b.Written {
		if !a.Written[slot] {
			news = true
			a.set(slot)
		}
	}
	for birth := range b.Abandoned {
		news = a.abandon(birth) || news
	}
	for keys, others := range b.Walked {
		news = a.walk(keys, others) || news
	}
	for u := range b.Users {
		if !a.Users[u] {
			news = news || !a.Handed
			a.use(u)
		}
	}
	return news
}

// walk notes who looks at keys, and reports whether that is new.
func (a *Guesses) walk(keys uint64, others bool) bool {
	was, ok := a.Walked[keys]
	if ok && (was || !others) {
		return false
	}
	if a.Walked == nil {
		a.Walked = make(map[uint64]bool)
	}
	a.Walked[keys] = others
	return true
}

func (a *Guesses) use(u Use) {
	if a.Users == nil {
		a.Users = make(map[Use]bool)
	}
	a.Users[u] = true
	a.Handed = a.Handed || len(a.Users) > maxUses
}

func (a *Guesses) set(slot mem.Slot) {
	if a.Written == nil {
		a.Written = make(map[mem.Slot]bool)
	}
	a.Written[slot] = true
}

// wrote notes a write to memory that may have been assumed to be written no more.
func (m *Machine) wrote(p mem.Ptr, n uint32) {
	if !m.Heap.InBase(p.Obj()) {
		return
	}
	m.slots = m.Heap.Slots(m.slots[:0], p, n)
	for _, slot := range m.slots {
		if !m.opts.Assume.Written[slot] && !m.found.Refuted.Written[slot] {
			m.found.Refuted.set(slot)
		}
	}
}

// untimed reports whether the clock is taken to stand still.
func (m *Machine) untimed() bool { return m.opts.Assume != nil && !m.opts.Assume.Timed }

// CountsDown reports whether counters of WaitGroups are taken not to become
// negative.
func (m *Machine) CountsDown() bool { return m.opts.Assume != nil && !m.opts.Assume.Miscounted }

// collecting reports whether it matters when goroutines forget what they could reach: a
// collection finds out, and runs finalizers. That is so if the program asks for one,
// which most do not.
func (m *Machine) collecting() bool {
	return m.collects && (m.opts.Assume == nil || m.opts.Assume.Collects)
}

// collected notes that the program asks for a collection, unless there was never anybody
// but main.
func (m *Machine) collected() {
	if m.Counters().NextG > 2 || m.Counters().NumTimers > 0 {
		m.found.Refuted.Collects = true
	}
}

// NeverDials reports whether the program is taken not to connect to itself. What
// is wrong with the program is not judged by that, nor what is a stop.
func (m *Machine) NeverDials() bool {
	return m.opts.Assume != nil && !m.opts.Assume.Dials && !m.judging && !m.gating
}

// NumbersKept reports whether it is guessed who makes calls on the numbers of descriptors: those that are known to,
// and whoever can reach the object that keeps one. Without that guess anybody may make a call on any number.
// What is wrong with the program is not judged by that, nor what is a stop.
func (m *Machine) NumbersKept() bool {
	return m.gating || m.judging || m.opts.Assume != nil && !m.opts.Assume.Handed
}

// Dialed notes that the program has connected to itself.
func (m *Machine) Dialed() {
	if m != nil {
		m.found.Refuted.Dials = true
	}
}

// Miscounted notes that the counter of a WaitGroup has become negative.
func (m *Machine) Miscounted() {
	if m != nil {
		m.found.Refuted.Miscounted = true
	}
}

// readsFixed reports whether an access reads what is taken to be written no more.
func (m *Machine) readsFixed(a Access) bool {
	if m.opts.Assume == nil || a.Write || !m.Heap.InBase(a.Obj) {
		return false
	}
	m.slots = m.Heap.Slots(m.slots[:0], mem.MakePtr(a.Obj, a.lo), a.hi-a.lo)
	return !slices.ContainsFunc(m.slots, func(slot mem.Slot) bool { return m.opts.Assume.Written[slot] })
}

// walks notes that an iterator tells a key of a map, to main alone or to others. If it
// is not main, then whoever has started it may have meant it to be told, so no two of
// the others are told apart, and main counts as one who may.
func (m *Machine) walks(mp mem.Ptr, others bool) {
	if !others && !m.Heap.Sealed() { // what main was told before the search it has
		return
	}
	if keys := m.Heap.Keys(mp); keys != 0 {
		m.found.Refuted.walk(keys, others)
	}
}

// walkers returns which goroutines may look at keys of some layout.
func (m *Machine) walkers(keys uint64) uint64 {
	others, ok := m.opts.Assume.Walked[keys]
	switch {
	case !ok:
		return 0
	case others:
		return ^uint64(0)
	}
	mask := uint64(0)
	for i, g := range m.gs {
		if g.path == "" {
			mask |= 1 << i
		}
	}
	return mask
}

// abandon notes who is still there when the process ends, but for the one who ends it.
func (m *Machine) abandon(last *G) {
	if m.opts.Joined {
		m.found.Refuted.Quits = m.found.Refuted.Quits || m.Exit().Kind != vm.ExitMain && m.Counters().NextG > 2
		for _, g := range m.gs {
			if g != last && !g.ending {
				m.found.Refuted.abandon(g.birth)
			}
		}
	}
}

func (a *Guesses) abandon(birth string) bool {
	if a.Abandoned[birth] {
		return false
	}
	if a.Abandoned == nil {
		a.Abandoned = make(map[string]bool)
	}
	a.Abandoned[birth] = true
	return true
}

// That a goroutine is there when the process ends, which is assumed not to be, is seen only
// if it does not end first. So its last step belongs together with those who may end
// the process, unless they wait for that step.

// enders returns which goroutines may end the process before others have ended: main is
// taken to be the only one.
func (m *Machine) enders() (set uint64, all bool) {
	for i, g := range m.gs {
		if g.path == "" {
			set = 1 << i
		}
	}
	return set, m.opts.Assume == nil || m.opts.Assume.Quits
}

// awaited returns how often others have to count down before main goes on, 0 if it does
// not wait for that, or if others may end the process.
func (m *Machine) awaited() int {
	if !m.CountsDown() || m.opts.Assume.Quits {
		return 0
	}
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

// outlive reports whether the process is taken not to end as long as some of a set of its
// goroutines are there, unless it is one of them who ends it.
func (m *Machine) outlive(set uint64) bool {
	known := m.opts.Assume
	for i, g := range m.gs {
		if set>>i&1 != 0 && known != nil && !known.Abandoned[g.birth] {
			return true
		}
	}
	return false
}
