package drive

import (
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// What a search has to know of pools. A sync.Pool may forget what was put back at any time. A search takes those of the
// standard library to do so at once: otherwise the printers of package fmt would tie all to each other who
// print. All others keep some items, and who gets one of them is tried.

// libraryPools tells which pools are of the standard library: those in its package variables, and those to
// which one of these points for good. Who calls Get does not tell that: the library calls functions of the user.
type libraryPools struct {
	vars     []bool    // of each variable of the program: it is one of the library
	pointers []mem.Ptr // the variables of the library that are pointers to pools and keep their values
}

// poolsOfLibrary looks for them.
func poolsOfLibrary(prog *bytecode.Program) libraryPools {
	l := libraryPools{vars: make([]bool, len(prog.Globals))}
	library := libraryPackages(prog)
	for i := range prog.Globals {
		g := &prog.Globals[i]
		if l.vars[i] = library[g.Name[:max(0, strings.LastIndexByte(g.Name, '.'))]]; !l.vars[i] || !g.Fixed {
			continue
		}
		if t := &prog.Types[g.Type]; t.Kind == bytecode.Pointer && prog.Types[t.Elem].Str == "sync.Pool" {
			l.pointers = append(l.pointers, mem.MakePtr(mem.ObjID(bytecode.GlobalBase+i), 0))
		}
	}
	return l
}

// poolOfLibrary reports whether the pool at p is one of the standard library.
func (m *Machine) poolOfLibrary(p mem.Ptr) bool {
	if i := int(p.Obj()) - bytecode.GlobalBase; i >= 0 && i < len(m.pools.vars) {
		return m.pools.vars[i]
	}
	return slices.ContainsFunc(m.pools.pointers, func(v mem.Ptr) bool {
		at := (*mem.Ptr)(m.Heap.Peek(v, 8))
		return at != nil && *at == p
	})
}

// KeepsInPool returns how many items a pool keeps on which a call is made, 0 if it forgets them at once.
func (m *Machine) KeepsInPool(c *vm.NativeCall) int {
	if m.opts.Pool == 0 || c.G.System() || m.poolOfLibrary(c.Ptr(0)) {
		return 0
	}
	return m.opts.Pool
}

// ForgetsInPool notes that a pool has forgotten what was put back by a call, since there is no room for it.
func (m *Machine) ForgetsInPool(c *vm.NativeCall) {
	if !m.met.Has(MetPool) && !c.G.System() && !m.poolOfLibrary(c.Ptr(0)) {
		m.Meet(MetPool)
	}
}

// Shared reports whether others than the running goroutine may reach an object.
func (m *Machine) Shared(obj mem.Ptr) bool { return m.shared(obj) }

// Collects reports whether the program can ask for a collection.
func (m *Machine) Collects() bool { return m.collects }

// Expects reports whether collections that the program asks for may come before all to which they make a difference.
func (m *Machine) Expects() bool { return m.expects }

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
