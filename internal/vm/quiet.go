package vm

import "github.com/heddle-mc/heddle/internal/bytecode"

// quiet reports whether what g does now is nobody's business: it is inside of a
// function of whose inside nothing can be seen, since that gives back every lock
// before it does anything else, or in the harness of package testing. What the
// harness does to its locks tells nothing of the program that is tested; only
// its channels order tests, and those are operations as everywhere.
func (m *Machine) quiet(g *G) bool {
	inner := true
	for i := g.depth - 1; i >= 0; i-- {
		f := &m.funcs[g.frames[i].fn]
		if f.quiet {
			return true
		}
		if inner && f.harness != beneath {
			inner = false
			if f.harness == harness {
				return true
			}
		}
	}
	return false
}

// A harnessKind says what a function is to the harness of package testing.
type harnessKind uint8

const (
	tested  harnessKind = iota // any other function
	harness                    // one of package testing
	beneath                    // what any function may use: package sync
)

// testFail is the function that marks a test as failed. It stays visible: that
// is how a search sees it.
const testFail = "testing.(*common).Fail"

func harnessOf(f *bytecode.Func) harnessKind {
	switch f.Pkg {
	case "testing":
		if f.Name != testFail {
			return harness
		}
	case "sync", "internal/sync", "sync/atomic", "internal/runtime/atomic":
		return beneath
	}
	return tested
}
