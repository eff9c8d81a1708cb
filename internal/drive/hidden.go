package drive

import (
	"github.com/heddle-mc/heddle/internal/bytecode"
)

// A function is what is known of a function.
type function struct {
	f       *bytecode.Func
	native  bool
	quiet   bool // nobody can see what happens inside (see Options.Quiet)
	harness harnessKind
	library bool       // it belongs to the standard library: see libraryFiles
	own     bool       // it is the user's: see ownFiles
	guarded bool       // what it accesses itself is guarded by a lock that a search does not see (see guards)
	op      *Operation // of a visible native
	looping []bool     // see loops, made at first need
	around  []bool     // see endless
}

// quiet reports whether what g does now is nobody's business: it is inside of a
// function of whose inside nothing can be seen, since that gives back every lock
// before it does anything else, or in the harness of package testing, or reads a
// setting of package internal/godebug. What the
// harness does to its locks tells nothing of the program that is tested; only
// its channels order tests, and those are operations as everywhere.
func (m *Machine) quiet(g *G) bool {
	inner := true
	for i := g.Depth() - 1; i >= 0; i-- {
		f := &m.funcs[g.Frames()[i].Func()]
		if f.quiet {
			return true
		}
		if inner && f.harness != beneath {
			inner = false
			if f.harness == harness || f.harness == logging && m.runsTest(g) {
				return true
			}
		}
	}
	return false
}

// guards are the packages whose own data have a lock that is given back without a
// stop: the reference count of a descriptor (see Operation.Follows), who is told of signals. What it
// orders would not be seen.
var guards = map[string]bool{"internal/poll": true, "os/signal": true}

// A harnessKind says what a function is to the harness of package testing.
type harnessKind uint8

const (
	tested  harnessKind = iota // any other function
	harness                    // one of package testing
	logging                    // one that looks whether the test has ended, of which goroutines that it has left behind must know
	failing                    // testFail
	beneath                    // what any function may use: package sync
)

// testFail is the function that marks a test as failed. It stays visible: that
// is how a search sees it.
const testFail = "testing.(*common).Fail"

// testLog is the function in which it is found that a test has ended which somebody logs for. The
// test itself has not.
const testLog = "testing.(*common).destination"

// runsTest reports whether g is the goroutine of a test, or of the harness.
func (m *Machine) runsTest(g *G) bool {
	return g.path == "" || m.funcs[g.entry].f.Name == "testing.tRunner"
}

func harnessOf(f *bytecode.Func) harnessKind {
	switch f.Pkg {
	case "testing":
		switch f.Name {
		case testFail:
			return failing
		case testLog:
			return logging
		}
		return harness
	case "internal/godebug": // its locks guard settings, which are read once
		return harness
	case "sync", "internal/sync", "sync/atomic", "internal/runtime/atomic":
		return beneath
	}
	return tested
}
