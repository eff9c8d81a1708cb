// Package randconc writes small random concurrent Go programs, so that one
// search can be held against another: with reduction against without, steps
// from synchronisation to synchronisation against steps of one memory access.
//
// A program is one file of package main. It prints nothing, imports only the
// standard library and is deterministic apart from scheduling, select, timers
// and, if Options say so, random numbers, pools and collections. Two to four goroutines and main execute a few operations each, and
// what a goroutine has learned goes into its element of the array out.
//
// Operations come from idioms: a message is a send in one goroutine and a receive
// in another, a critical section is a lock, an access and an unlock. The idioms
// are laid out one after the other, so that a program without faults mostly
// ends well. Then faults are planted: an operation is dropped, doubled, moved, or
// loses its lock. So each verdict occurs often, from clean to fatal.
//
//	idioms ──► stmts of each routine ──► faults ──► text
//
// The package knows nothing of the machine that executes the programs.
package randconc

import (
	"fmt"
	"go/format"
	"math/rand/v2"
)

// Features is a set of the groups of operations that a program may use.
type Features uint

const (
	Channels   Features = 1 << iota // send, receive, close, range, len, nil channels
	Selects                         // select over channels, with and without default
	Mutexes                         // Mutex and TryLock
	RWMutexes                       // RWMutex
	WaitGroups                      // WaitGroup
	Onces                           // Once and OnceValue
	Conds                           // Cond
	Atomics                         // package sync/atomic
	Contexts                        // contexts that are cancelled; with Timers also those that time out
	Timers                          // Sleep, After, NewTimer, AfterFunc
	Panics                          // panics, recovered or not, and Goexit
	Maps                            // shared maps and slices
	Pointers                        // pointers sent over channels
	Servers                         // goroutines that loop without end, and loops that wait by looking
	Faults                          // planted faults, so most of deadlock, leak and fatal
	Races                           // accesses that nothing protects or that only messages order

	numFeatures = iota
)

// Options say what programs look like. The zero value is what most callers want.
type Options struct {
	Without  Features // groups that are not used
	Routines int      // number of goroutines besides main, 0 for two to four
	Draws    bool     // random numbers decide what is done
	Pools    bool     // things come from pools
	Memory   bool     // memory is collected: finalizers, cleanups, weak pointers
	Bubble   bool     // main is a bubble, as testing/synctest makes it for tests
	// Budget bounds the product, over all goroutines, of the number of visible
	// operations plus one. That is about the number of states of a search
	// without reduction. 0 means 800.
	Budget int
}

// Program returns the program of a seed. Equal arguments give equal texts.
func Program(seed uint64, o Options) string {
	g := newGenerator(seed, o)
	g.plan()
	g.fill()
	g.finish()
	for range g.faults {
		g.fault()
	}
	src := g.text()
	out, err := format.Source([]byte(src))
	if err != nil {
		panic(fmt.Sprintf("seed %d: %v\n%s", seed, err, src))
	}
	return string(out)
}

// A stmt is one operation of a routine as a few lines of text.
type stmt struct {
	lines []string
	cost  int // about how many visible operations it executes
	also  int // about how many others do besides: the clock, what a timer starts
	// counts is by how much main has to count up the second WaitGroup.
	counts int
}

// A routine is main or a goroutine.
type routine struct {
	stmts    []stmt
	parent   int    // the routine that starts it
	at       int    // how many stmts of the parent come before the start
	start    string // how it is started: "closure", "func", "argument", "Go"
	recovers bool   // recovers from panics
	server   bool   // its only stmt is a loop without end
	done     string // how it tells the WaitGroup: "", "defer", "last"
}

// generator holds the program while it is made.
type generator struct {
	rnd      *rand.Rand
	o        Options
	routines []*routine // main first
	idioms   []idiom    // those that this program uses
	faults   int        // faults to plant
	place    map[string]storage
	closed   map[string]bool // channels that some idiom closes
	capC     int             // capacity of the channels of numbers
	capD     int
	timeout  bool   // the context has a timeout
	ending   string // how main waits: "", "wg", "messages"
	collect  bool   // main reads out after waiting
	next     int    // number of the next local variable
	wgCount  int    // what main adds to the WaitGroup
	wg2Count int    // and to the second one
	tops     []string
	settles  bool // somebody waits until all of the bubble do
}

func newGenerator(seed uint64, o Options) *generator {
	if o.Budget == 0 {
		o.Budget = 800
	}
	return &generator{
		rnd:    rand.New(rand.NewPCG(seed, 0x636f6e63)),
		o:      o,
		place:  make(map[string]storage),
		closed: make(map[string]bool),
	}
}

// has tells whether all of the features are on.
func (g *generator) has(f Features) bool { return g.o.Without&f == 0 }

// chance is true once in n times.
func (g *generator) chance(n int) bool { return g.rnd.IntN(n) == 0 }

// pick is one of the texts.
func (g *generator) pick(s ...string) string { return s[g.rnd.IntN(len(s))] }

// mayClose tells whether an idiom may close a channel, and remembers it. A second
// one may only where faults are wanted: it mostly panics.
func (g *generator) mayClose(ch string) bool {
	if g.closed[ch] && !(g.has(Faults) && g.chance(4)) {
		return false
	}
	g.closed[ch] = true
	return true
}

// local is a fresh name for a variable of one stmt.
func (g *generator) local() string {
	g.next++
	return fmt.Sprintf("v%d", g.next)
}

// plan decides what the program is about.
func (g *generator) plan() {
	n := g.o.Routines
	if n == 0 {
		n = 2 + g.rnd.IntN(5)/2 // two or three mostly, sometimes four
	}
	g.routines = []*routine{{}}
	for i := range n {
		r := &routine{start: g.pick("closure", "closure", "closure", "func", "func", "argument", "Go")}
		if i > 0 && g.chance(5) {
			r.parent = 1 + g.rnd.IntN(i)
		}
		if r.start == "Go" && !g.has(WaitGroups) {
			r.start = "closure"
		}
		g.routines = append(g.routines, r)
	}
	g.layOut()
	g.capC, g.capD = []int{0, 0, 1, 2}[g.rnd.IntN(4)], g.rnd.IntN(2)
	g.timeout = g.has(Timers) && g.chance(3)
	if g.has(Faults) {
		g.faults = []int{0, 0, 0, 1, 1, 2}[g.rnd.IntN(6)]
	}
	endings := []string{"", ""}
	if g.has(WaitGroups) {
		endings = append(endings, "wg", "wg", "wg")
	}
	if g.has(Channels) {
		endings = append(endings, "messages")
	}
	g.ending = g.pick(endings...)
	g.collect = g.ending == "wg" && (g.has(Races) || g.faults == 0) && g.chance(2)
	g.choose()
}

// fill lays out idioms until the program is large enough.
func (g *generator) fill() {
	for range 4 + g.rnd.IntN(8) {
		d := g.idioms[g.rnd.IntN(len(g.idioms))]
		g.add(d.write(g))
	}
	for i, r := range g.routines {
		if i > 0 && len(r.stmts) == 0 {
			r.stmts = append(r.stmts, g.filler())
		}
	}
}

// filler is an operation for a routine that has none.
func (g *generator) filler() stmt {
	switch {
	case g.has(Atomics):
		return g.stmt(1, "r = int($a.Add(1))")
	case g.has(Mutexes):
		return g.stmt(2, "$mu.Lock()", "$x++", "$mu.Unlock()")
	}
	return g.stmt(1, "r++", "runtime.Gosched()")
}

// A part is what an idiom does in one routine.
type part struct {
	who int
	stmt
}

// add appends the parts of an idiom to their routines if the program then still
// is small: all of them or none.
func (g *generator) add(parts []part) {
	extra := make([]int, len(g.routines))
	count := make([]int, len(g.routines))
	size := 1
	for _, p := range parts {
		extra[p.who] += p.cost
		count[p.who]++
		size *= 1 + p.also
	}
	for i, r := range g.routines {
		cost := 2 + extra[i]
		for _, s := range r.stmts {
			cost += s.cost
			size *= 1 + s.also
		}
		size *= cost
		if count[i] > 0 && len(r.stmts)+count[i] > 4 {
			return
		}
	}
	if size > g.o.Budget {
		return
	}
	for _, p := range parts {
		r := g.routines[p.who]
		r.stmts = append(r.stmts, p.stmt)
		g.wg2Count += p.counts
	}
}

// count decides how each routine tells the WaitGroup that it has ended. Nobody
// waits for a server.
func (g *generator) count() {
	for _, r := range g.routines[1:] {
		switch {
		case r.server:
			r.start = "closure"
		case r.start != "Go":
			r.done = "defer"
			if !r.recovers && g.chance(3) {
				r.done = "last"
			}
			g.wgCount++
		}
	}
}

// finish adds the part of main that waits for the others.
func (g *generator) finish() {
	main := g.routines[0]
	switch g.ending {
	case "wg":
		g.count()
		main.stmts = append(main.stmts, g.stmt(1, "$wg.Wait()"))
	case "messages":
		n := 0
		for _, r := range g.routines[1:] {
			if !r.server {
				r.stmts = append(r.stmts, g.stmt(1, "$fin <- r"))
				n++
			}
		}
		main.stmts = append(main.stmts, g.stmt(n, fmt.Sprintf("for range %d {", n), "r += <-$fin", "}"))
	}
	if g.collect {
		// A server may still be at work.
		for i, r := range g.routines[1:] {
			if !r.server {
				main.stmts = append(main.stmts, g.stmt(0, fmt.Sprintf("r += out[%d]", i+1)))
			}
		}
	}
	for _, r := range g.routines[1:] {
		switch p := g.routines[r.parent]; {
		case p.server:
			r.parent = 0
		case r.parent > 0 && g.chance(3):
			r.at = g.rnd.IntN(len(p.stmts) + 1)
		}
	}
}
