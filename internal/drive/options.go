package drive

import "github.com/heddle-mc/heddle/internal/effect"

// Options say how a search sees the program.
type Options struct {
	Operations map[string]*Operation                 // the visible natives, by the names under which they were supplied
	Exact      bool                                  // keys hold no digests: see Machine.digest
	Quiet      []string                              // functions of whose inside nothing can be seen: see quiet
	Late       Lateness                              // how much time may pass while somebody can run
	Ticks      int                                   // how often the clock may move on a path once the program has seen it, 0 for any number
	MapOrder   bool                                  // a range over a map begins at any entry
	Random     int                                   // how many seeds random numbers come from
	Choose     int                                   // random numbers of at most so many values are choices
	Pool       int                                   // how many items a pool of the program keeps: see KeepsInPool
	Fuel       int64                                 // calls and backward jumps after which a step ends, 0 for the default
	Access     bool                                  // plain accesses to shared memory are visible operations too: see accessstop.go
	NoBlocks   bool                                  // races are not looked for: states have no blocks
	MapBlocks  bool                                  // only races on maps are looked for
	Joined     bool                                  // there are other machines beside this one
	Process    int                                   // its number among them
	Ends       func(m *Machine, f *effect.Footprint) // tells what the end of a joined machine acts on
	Notice     Noticer                               // is told what hardly ever happens, nil for nobody
	Views      Views                                 // how states are looked at
	Listener   Listener                              // who observes messages on channels, nil for nobody
	Births     bool                                  // the births of goroutines belong to the state: see Birth
	Public     bool                                  // there may be somebody outside, of whom nothing is known: see Unmet
	Test       bool                                  // the program is a test binary
	Attended   bool                                  // there is somebody outside whom goroutines may wait for
	Notes                                            // what is noted besides
	Stop       func() bool                           // asked now and then in a long step: whether to give up in its middle; nil for never
}

// Notes say what a machine notes that only some ask for. It takes time.
type Notes struct {
	Live   bool // what a search for loops has to know: see fair.go
	Stacks bool // the stacks of accesses: see StackOf
}

// A Noticer is told that a step of an actor writes something that most programs never
// do: see package reduce.
type Noticer func(a *effect.Actor, t effect.Token)

// defaultFuel is how many calls and backward jumps a step may take. A goroutine
// that takes more is stopped at a safepoint, so that loops without operations
// become cycles of states.
const defaultFuel = 20_000_000

// firstFuel is how many a step may take if the goroutine does not stand at a safepoint yet. If it takes more, the next step
// may take four times as many, and so on. So one that computes for long has few such steps, and
// one that goes around forever does not keep others waiting for long.
const firstFuel = 500_000

// aloneFuel is after how many of them a goroutine stops at its next operation even
// if nobody else can see that, so that one that loops for ever comes to the same state soon. With
// little fuel it is half of it.
const aloneFuel = 50_000

// shorter is how much less firstFuel and aloneFuel are with the view Short. Then the steps become as long as
// longestShort.
const (
	shorter      = 50
	longestShort = 50_000
)

// spans is how many times a goroutine may take four times as many.
const spans = 3

// span returns how many calls and backward jumps a goroutine takes before time passes for it, if the program knows what time it is, and
// how many of them are left. It has spent some since its last operation.
func (m *Machine) span(spent int64) (n, left int64) {
	for i := 0; ; i++ {
		n = min(firstFuel<<(2*i), m.opts.Fuel)
		if i == spans || spent < n {
			return n, n - spent
		}
		spent -= n
	}
}

// sliceOf returns how many calls and backward jumps the next step of a goroutine may take. That is the rest of a span. With the view
// Short a span has several steps, so that time passes at the same places.
func (m *Machine) sliceOf(g *G) int64 {
	if m.pace == byTurns {
		return 1
	}
	_, n := m.span(g.spent)
	if m.opts.Views.Short {
		n = min(n, max(g.spent, firstFuel/shorter), longestShort)
	}
	return n
}

// spends notes that a goroutine has run too long once more. The last span comes again and again. If nobody
// knows what time it is, short steps come again as soon as they are no longer than the one before.
func (m *Machine) spends(g *G) {
	g.spun = true
	g.spent += m.slice
	if n, left := m.span(g.spent); left == 0 {
		g.spent -= n
	}
	if m.opts.Views.Short && !m.checked.observed {
		g.spent = min(g.spent, longestShort)
	}
}

// longest reports whether the next steps of a goroutine that has run too long are no longer than this one.
func (m *Machine) longest(g *G) bool {
	if m.opts.Views.Short && !m.checked.observed {
		return g.spent >= longestShort
	}
	n, _ := m.span(g.spent)
	return n == min(firstFuel<<(2*spans), m.opts.Fuel)
}

// soon reports whether the step has not taken so long that it has to stop at an operation
// that nobody else can see.
func (m *Machine) soon() bool {
	n := int64(aloneFuel)
	if m.opts.Views.Short {
		n /= shorter
	}
	return m.pace != byOperations && m.slice-m.FuelLeft() < min(n, m.slice/2)
}
