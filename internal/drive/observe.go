package drive

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// Somebody may want to know in which order certain operations of the program
// happen, those of all goroutines together. They need not be operations that
// goroutines see of each other: a call of a function, say.
//
// Then the order of any two of them matters, and each would have to be a stop that
// depends on all others. That is not needed where locks and channels of the program
// order them already, which is one of the usual views (see views.go). It is so if there
// is no race on a variable that each of them writes: the steps between operations
// may then be taken as a whole, as for all other variables. So each observed
// operation is noted in the block of its goroutine as a write to a variable that
// does not exist, and two blocks that collide there show that the assumption is
// wrong.

// The variable that observed operations are taken to write lies beyond the end of
// a global one.
const (
	observedIn = mem.ObjID(bytecode.GlobalBase)
	observedAt = 1 << 31
)

// observes reports whether an access stands for an observed operation.
func (a *Access) observes() bool { return a.Obj == observedIn && a.lo == observedAt }

// passesObserved reports whether an observed operation of g is no stop. Nobody can
// come between where there is nobody, and inside of an atomic section.
func (m *Machine) passesObserved(g *G) bool {
	if g.System() || g.atomic > 0 {
		return true
	}
	return m.unseen() && m.soon()
}

// Observe is called by a native that stands for an observed operation. It reports
// false if that is no operation of the program: a condition of package verify is
// being evaluated.
func (m *Machine) Observe(c *vm.NativeCall) bool { return m == nil || m.noteObserved(of(c.G)) }

// noteObserved notes that g does an observed operation.
func (m *Machine) noteObserved(g *G) bool {
	switch {
	case m.watching:
		return false
	case !m.observesOrdered():
		m.outside = true
	case g.System(): // the clock's: it has no block
		m.unfit.Ordered = true
	case !m.alone():
		fr := g.Top()
		a := Access{Obj: observedIn, lo: observedAt, hi: observedAt + 1, Write: true, fn: fr.Func(), pc: fr.PC()}
		if m.Current() != g { // it takes part in a rendezvous, and runs on afterwards
			g.block = append(Block(nil), a)
			break
		}
		m.cur = m.cur.add(a)
		m.scanned = 0
	}
	return true
}

// A Listener observes messages on channels.
type Listener interface {
	// HearsAny reports whether there are messages that it observes, Hears whether
	// those of a type are, that are sent or received.
	HearsAny() bool
	Hears(elem *bytecode.Type, send bool) bool
	// Message is called when g has sent or received a value.
	Message(g *G, elem *bytecode.Type, send bool, value unsafe.Pointer)
}

// stopsHeard reports whether g stops before a message because it is observed.
func (m *Machine) stopsHeard(g *G, elem *bytecode.Type, send bool) bool {
	return m.opts.Listener != nil && !m.observesOrdered() && m.opts.Listener.Hears(elem, send) && !m.passesObserved(g)
}

// heard tells the listener of a message.
func (m *Machine) heard(g *G, elem *bytecode.Type, send bool, value unsafe.Pointer) {
	if m.opts.Listener.Hears(elem, send) && m.noteObserved(g) {
		m.opts.Listener.Message(g, elem, send, value)
	}
}
