package drive

import (
	"slices"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// A Pending is the operation before which a goroutine of a driven machine
// stands, for telling it in words.
type Pending struct {
	Kind   PendingKind
	Native string        // PendingNative: its name
	Object mem.Ptr       // PendingNative, PendingClose, PendingLen: what it acts on, 0 if nothing
	Cases  []PendingCase // PendingSend, PendingRecv, PendingSelect
	Waits  bool          // PendingSelect: it has no default
	Child  *G            // PendingGo: who is started
}

// A PendingKind tells apart operations.
type PendingKind uint8

const (
	PendingRun    PendingKind = iota // it goes on: a loop without operations, a wait that is over
	PendingEnd                       // it ends
	PendingGo                        // a go statement
	PendingSend                      // a send
	PendingRecv                      // a receive
	PendingSelect                    // a select
	PendingClose                     // close
	PendingLen                       // len of a channel
	PendingNative                    // a call
	PendingAccess                    // a plain access to memory
)

// A PendingCase is a send or receive.
type PendingCase struct {
	Ch    mem.Ptr
	Send  bool
	Elem  *bytecode.Type // of its elements, nil if not known
	Value unsafe.Pointer // of a send: the value, nil if not known
}

// PendingOf returns what a goroutine is about to do.
func (m *Machine) PendingOf(g *G) Pending {
	switch {
	case g.ending:
		return Pending{Kind: PendingEnd}
	case g.launch:
		p := Pending{Kind: PendingGo}
		for _, c := range m.gs {
			if c.unborn && c.Parent == g.ID {
				p.Child = c
			}
		}
		return p
	case g.spun || g.Completed() || g.Depth() == 0:
		return Pending{}
	}
	fr := g.Top()
	f := &m.funcs[fr.Func()]
	if o, ok := m.ChanOpOf(&g.G); ok {
		p := Pending{Kind: PendingSelect, Waits: o.Waits}
		for i := range o.N {
			p.Cases = append(p.Cases, m.pendingCase(&o, i))
		}
		if !o.Selects() && o.N == 1 && o.Waits {
			p.Kind = PendingRecv
			if p.Cases[0].Send {
				p.Kind = PendingSend
			}
		}
		return p
	}
	if f.native {
		p := Pending{Kind: PendingNative, Native: f.f.Native}
		if f.op != nil {
			if list, _ := m.objectsOf(m.nativeCall(g), f.op); len(list) > 0 {
				p.Object = list[0]
			}
		}
		if p.Object == 0 && g.Waiting() { // what it acts on has a name in the source, a word of it that it waits for has none
			p.Object = g.Wait().Obj
		}
		return p
	}
	in := &f.f.Code[fr.PC()]
	switch in.Op {
	case bytecode.OpClose:
		return Pending{Kind: PendingClose, Object: mem.Ptr(g.Words(fr)[in.B])}
	case bytecode.OpChanlen:
		return Pending{Kind: PendingLen, Object: mem.Ptr(g.Words(fr)[in.B])}
	}
	return Pending{Kind: PendingAccess}
}

func (m *Machine) pendingCase(o *vm.ChanOp, i int) PendingCase {
	ch, send := o.At(i)
	return PendingCase{Ch: ch, Send: send, Elem: o.Elem(i), Value: o.Value(i)}
}

// CallOf returns the call of a native before which g stands, nil if it stands
// before something else. It is valid until the machine is asked something else.
func (m *Machine) CallOf(g *G) *vm.NativeCall {
	if g.ending || g.launch || g.Depth() == 0 {
		return nil
	}
	fr := g.Top()
	if !m.funcs[fr.Func()].native {
		return nil
	}
	return m.nativeCall(g)
}

// AlternativeOf returns what an alternative of a goroutine does: the case of a
// select, -1 for its default, or the choice of a native; and the goroutine that
// receives what it sends, or that can send because it receives, nil if there is none.
func (m *Machine) AlternativeOf(who, alt int) (cas int, partner *G) {
	if alt >= m.alternatives(&m.alts, who) {
		return 0, nil
	}
	a := m.alts.at(alt)
	if a.partner >= 0 {
		partner = m.gs[a.partner]
	}
	return int(a.cas), partner
}

// Touched returns what the last step has touched, if it was taken with Watching
// on: what its operations acted on, and the accesses of its goroutines.
func (m *Machine) Touched() (ops []effect.Token, accesses Block) {
	ops = slices.Clone(m.touched)
	for _, a := range m.loads {
		ops = append(ops, effect.At(m.opts.Process, mem.MakePtr(a.Obj, a.lo), a.hi-a.lo))
	}
	return ops, m.trail
}

// Operated returns what the operations of the last step have acted on, as Touched does, and what they have only read.
func (m *Machine) Operated() (ops []effect.Token, reads Block) { return m.touched, m.loads }

// TouchedOutside returns what the last step has touched that is no object of the machine: things of
// other machines, and whether it has touched something that all
// goroutines share, such as the clock, or that nothing stands for.
func (m *Machine) TouchedOutside() (things []effect.Token, all bool) {
	return m.far, m.outside || m.clockRead
}

// ActedOutside is TouchedOutside but for looks at the clock.
func (m *Machine) ActedOutside() (things []effect.Token, all bool) { return m.far, m.outside }

// EachOpen calls yield with the accesses of the goroutines that took part in the last step which nothing orders yet, and with those of an
// atomic operation. What tells a listener of something is left out: it is no race.
func (m *Machine) EachOpen(yield func(g *G, a Access, atomic bool)) {
	each := func(g *G, b Block, atomic bool) {
		for _, a := range b {
			if !a.observes() {
				yield(g, a, atomic)
			}
		}
	}
	for _, g := range m.movers {
		each(g, g.block, false)
	}
	if len(m.op) > 0 && m.atomicOp() {
		each(m.opBy, m.op, true)
	}
}

// NoteTouched makes steps note what they touch, or ends that.
func (m *Machine) NoteTouched(on bool) { m.probing = on }

// NoteActs is NoteTouched also for what commutes with what others do.
func (m *Machine) NoteActs(on bool) { m.probing, m.noting = on, on }

// Movers returns the goroutines that took part in the last step.
func (m *Machine) Movers() []*G { return m.movers }

// Where returns a number for the place in the code at which an access happened.
func (a Access) Where() uint64 { return uint64(a.fn)<<32 | uint64(uint32(a.pc)) }

// Range returns the bytes of an access.
func (a Access) Range() (lo, hi uint32) { return a.lo, a.hi }

// Path returns the numbers of the go statements that led to a goroutine, each
// among those of its parent. It is empty for the main goroutine, and begins with
// a negative number for one that the clock has started.
func (g *G) Path() []int {
	var path []int
	for i := 0; i+1 < len(g.path); i += 2 {
		n := int(g.path[i])<<8 | int(g.path[i+1])
		if i == 0 && n == 1<<16-1 {
			n = -1
		}
		path = append(path, n)
	}
	return path
}

// Ending reports whether a goroutine has nothing left to do.
func (g *G) Ending() bool { return g.ending }

// Outermost returns the function of g's outermost frame for which ok holds, or
// the one that it was started with.
func (m *Machine) Outermost(g *G, ok func(f *bytecode.Func) bool) *bytecode.Func {
	for i := range g.Frames() {
		if f := m.funcs[g.Frames()[i].Func()].f; !f.Wrapper && ok(f) {
			return f
		}
	}
	return m.funcs[g.entry].f
}
