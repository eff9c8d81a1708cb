package drive

import (
	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// Some operations race with each other, as the race detector of Go has it, although each of
// them orders what is before it and behind it:
//
//	wg.Add(1) of a counter that is zero   wg.Wait(), which may come first and wait for nobody
//	close(c)                              c <- v and close(c), which panic if they come second
//
// Nothing orders two operations if two goroutines stand before them at once; and if
// nothing orders them, there is an execution in which two goroutines do, since a reduction
// does not let the one go on without trying what others may do to the same object.

// A Rival says what an operation is to others on the same object.
type Rival uint8

// The kinds of rivals.
const (
	NoRival  Rival = iota
	FirstAdd       // of a WaitGroup whose counter is zero
	GroupWait
	Sends
	Closes
)

var rivalNames = [...]string{"", "Add from zero", "Wait", "send", "close"}

func (r Rival) String() string { return rivalNames[r] }

// meets reports whether two operations on an object race.
func (r Rival) meets(o Rival) bool {
	return r == FirstAdd && o == GroupWait || r == GroupWait && o == FirstAdd ||
		r == Closes && (o == Sends || o == Closes) || r == Sends && o == Closes
}

// A stance is that of a goroutine before an operation that has rivals.
type stance struct {
	g    *G
	obj  mem.Ptr
	what Rival
}

// findRivals looks for goroutines that stand before operations that race.
func (m *Machine) findRivals() {
	list := m.stances[:0]
	for _, g := range m.gs {
		if g.rivals {
			list = m.stancesOf(list, g)
		}
	}
	m.stances = list
	for i, x := range list {
		for _, y := range list[:i] {
			if x.g != y.g && x.obj == y.obj && x.what.meets(y.what) && (x.what < Sends || m.recovers(x.g) || m.recovers(y.g)) {
				a := Access{Obj: x.obj.Obj(), lo: x.obj.Off(), hi: x.obj.Off() + 1}
				m.races = append(m.races, Race{G: x.g, H: y.g, A: a, B: a, Rivals: [2]Rival{x.what, y.what}})
			}
		}
	}
}

// hasRivals reports whether the operation before which g stands is of a kind that has rivals. That
// follows from what the digest of g tells.
func (m *Machine) hasRivals(g *G) bool {
	if g.ending || g.launch || g.spun || g.access || g.Completed() || g.Depth() == 0 || g.System() {
		return false
	}
	fr := g.Top()
	f := &m.funcs[fr.Func()]
	if f.native {
		return f.op != nil && f.op.Rival != nil || g.HasCases()
	}
	switch f.f.Code[fr.PC()].Op {
	case bytecode.OpClose, bytecode.OpSend, bytecode.OpSelect:
		return true
	}
	return false
}

// stancesOf appends what g is about to do that has rivals.
func (m *Machine) stancesOf(list []stance, g *G) []stance {
	fr := g.Top()
	f := &m.funcs[fr.Func()]
	if f.native && f.op != nil && f.op.Rival != nil {
		if obj, what := f.op.Rival(m.nativeCall(g)); what != NoRival {
			list = append(list, stance{g, obj, what})
		}
		return list
	}
	if !f.native {
		if in := &f.f.Code[fr.PC()]; in.Op == bytecode.OpClose {
			if ch := mem.Ptr(g.Words(fr)[in.B]); ch != 0 {
				list = append(list, stance{g, ch, Closes})
			}
			return list
		}
	}
	if o, ok := m.ChanOpOf(&g.G); ok {
		for i := range o.N {
			if ch, send := o.At(i); send && ch != 0 {
				list = append(list, stance{g, ch, Sends})
			}
		}
	}
	return list
}

// recovers reports whether g has deferred a call that may recover from a panic. If nobody
// does, the panic of whoever comes second is what is found.
func (m *Machine) recovers(g *G) bool {
	for fn := range g.Deferred() {
		if f := &m.funcs[fn]; f.harness == tested && f.recovers() {
			return true
		}
	}
	return false
}

func (f *function) recovers() bool {
	for i := range f.f.Code {
		if f.f.Code[i].Op == bytecode.OpRecover {
			return true
		}
	}
	return false
}
