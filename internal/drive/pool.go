package drive

import (
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// What a search has to know of pools. A sync.Pool may forget what was put back at any time. A search takes those that the
// standard library uses for itself to do so at once: otherwise the printers of package fmt would tie all to each other who
// print. Those of other packages keep some items, and who gets one of them is tried.

// KeepsInPool returns how many items a pool keeps on which a call is made, 0 if it forgets them at once.
func (m *Machine) KeepsInPool(c *vm.NativeCall) int {
	if m.opts.Pool == 0 || c.G.System() || m.calledByLibrary(c) {
		return 0
	}
	return m.opts.Pool
}

// ForgetsInPool notes that a pool has forgotten what was put back by a call, since there is no room for it.
func (m *Machine) ForgetsInPool(c *vm.NativeCall) {
	if !m.met.Has(MetPool) && !c.G.System() && !m.calledByLibrary(c) {
		m.Meet(MetPool)
	}
}

// Shared reports whether others than the running goroutine may reach an object.
func (m *Machine) Shared(obj mem.Ptr) bool { return m.shared(obj) }

// Collects reports whether the program can ask for a collection.
func (m *Machine) Collects() bool { return m.collects }

// Pin notes that g is bound to its processor, or no longer: what it puts into a pool it gets back. A machine that
// nobody drives is nil.
func (m *Machine) Pin(g *vm.G, on bool) {
	if m != nil {
		of(g).pinned = on
		m.Beyond = true
	}
}

// Pinned reports whether g is bound to its processor.
func (m *Machine) Pinned(g *vm.G) bool { return of(g).pinned }
