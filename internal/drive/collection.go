package drive

import "github.com/heddle-mc/heddle/internal/vm"

// A collection finds out that an object cannot be reached any more after all who could have forgotten it. So what they have
// done before is ordered before the finalizer or the cleanup of the object, and Go's race detector takes all that any goroutine
// has done before to be ordered so. What they do afterwards is not.

// settle notes at a collection which blocks are there, of goroutines that wait at an operation. If finalizers or cleanups of an earlier one are still being
// called, nothing is noted, since it would count for them as well.
func (m *Machine) settle() {
	for _, g := range m.gs {
		if g.serves() {
			return
		}
	}
	for _, g := range m.gs {
		if g != m.Current() && len(g.block) > 0 && !g.settled {
			m.save(g)
			g.settled = true
		}
	}
}

// serves reports whether g calls a finalizer or a cleanup.
func (g *G) serves() bool { return g.Serves(vm.FinalizerSpecial) || g.Serves(vm.CleanupSpecial) }
