package drive

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
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
func (m *Machine) MainGone() bool { return m.checked.mainGone }

// Pruned reports whether an assumption does not hold.
func (m *Machine) Pruned() bool { return m.checked.pruned }

// Races returns the collisions of the last step.
func (m *Machine) Races() []Race { return m.races }

// Failures returns what the program found wrong itself in the last step.
func (m *Machine) Failures() []Failure { return m.failed }

// Mover returns the place of the goroutine that took the last step, -1 if it has
// ended, ClockStep for the clock.
func (m *Machine) Mover() int {
	switch {
	case len(m.movers) > 0:
		return slices.Index(m.gs, m.movers[0])
	case m.ticked:
		return ClockStep
	}
	return -1
}

// InLibrary reports whether a goroutine stands in a function of the standard library. What package sync does is its caller's.
func (m *Machine) InLibrary(who int) bool {
	if who < 0 || who >= len(m.gs) {
		return false
	}
	frames := m.gs[who].Frames()
	for i := len(frames) - 1; i >= 0; i-- {
		f := &m.funcs[frames[i].Func()]
		if !f.native && !f.f.Wrapper && !slices.Contains(synchronising, f.f.Pkg) {
			return f.library
		}
	}
	return false
}

// synchronising are the packages whose operations are those of whoever calls them.
var synchronising = []string{"sync", "sync/atomic", "internal/sync", "internal/runtime/atomic", "runtime"}

// PlaceOf returns function and instruction at which a goroutine stands.
func (m *Machine) PlaceOf(who int) (fn, pc int) {
	g := m.gs[who]
	d := g.Depth() - 1
	if d < 0 {
		return int(m.Prog.Entry), 0
	}
	if d > 0 && m.funcs[g.Frames()[d].Func()].native {
		d--
	}
	return int(g.Frames()[d].Func()), int(g.Frames()[d].PC())
}

// Places returns the lines at which the frames of g stand, the innermost first.
func (m *Machine) Places(g *G) []bytecode.Line {
	var lines []bytecode.Line
	m.Frames(&g.G, func(f *bytecode.Func, pc int, line bytecode.Line) bool {
		lines = append(lines, line)
		return true
	})
	return lines
}

// AccessLine returns the function and line of an access.
func (m *Machine) AccessLine(a Access) (*bytecode.Func, bytecode.Line) {
	f := m.funcs[a.fn].f
	return f, vm.LineAt(f, int(a.pc))
}

// EntryName is the name of the function that a goroutine was started with, main
// for the first one.
func (m *Machine) EntryName(g *G) string {
	if g.path == "" {
		return "main"
	}
	return m.funcs[g.entry].f.Name
}

// StartedWith is the name of the function that a goroutine was started with.
func (m *Machine) StartedWith(g *G) string { return m.funcs[g.entry].f.Name }

// BlockOf returns the accesses of g since its last operation.
func (m *Machine) BlockOf(g *G) Block { return g.block }

// Place returns function and instruction of an access.
func (a Access) Place() (fn, pc int) { return int(a.fn), int(a.pc) }

// LineOf returns the line of an instruction.
func (m *Machine) LineOf(fn, pc int) bytecode.Line { return vm.LineAt(m.funcs[fn].f, pc) }

// Locals calls yield for each frame of g with its function and a hash of those
// of its live registers that are no pointers.
func (m *Machine) Locals(g *G, yield func(fn int, hash uint64)) {
	for i := range g.Frames() {
		fr := &g.Frames()[i]
		words, mp := g.Words(fr), m.LiveMap(fr)
		hash := uint64(0)
		for j, b := range mp.Live {
			for b &^= mp.Ptrs[j]; b != 0; b &= b - 1 {
				hash = mem.HashWord(hash ^ words[j*64+bits.TrailingZeros64(b)])
			}
		}
		yield(int(fr.Func()), hash)
	}
}

// StandsAt returns the instruction before which g stands and the function it is
// in; the instruction is nil if that function is a native.
func (m *Machine) StandsAt(g *G) (*bytecode.Func, *bytecode.Instr) {
	if g.Depth() == 0 {
		return nil, nil
	}
	return m.funcs[g.Top().Func()].f, m.Instr(&g.G)
}

// Common returns what all goroutines of a machine have in common that is no memory: the time,
// and the state of the generator of random numbers. Said tells whether the running step has
// noted that it acts on such a thing.
func (m *Machine) Common() (now int64, random uint64, said bool) {
	c := m.Counters()
	return c.Now, c.Rng, m.outside || m.clockMoved
}
