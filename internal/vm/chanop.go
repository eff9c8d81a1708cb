package vm

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// A ChanOp is an operation on channels that a goroutine is about to do: a send, a
// receive, a select, and so on, or the same by a native.
type ChanOp struct {
	G     *G
	N     int  // cases
	Waits bool // it waits if no case is ready: it has no default
	Ready bool // of an operation that is no select, when a driver is asked: it need not wait

	m     *Machine
	sel   *bytecode.Select // of a select statement
	in    *bytecode.Instr  // of any other instruction
	regs  []uint64
	cases []ChanCase // of a native
}

// ChanOpOf returns the channel operation of g, if it stands before a send, a
// receive or a select.
func (m *Machine) ChanOpOf(g *G) (o ChanOp, ok bool) {
	fr := &g.frames[g.depth-1]
	f := &m.funcs[fr.fn]
	o.G, o.Waits, o.m = g, true, m
	if f.code == nil {
		o.cases, o.N, o.Waits = g.cases, len(g.cases), !g.noWait
		return o, g.cases != nil
	}
	o.in, o.regs = &f.f.Code[fr.pc], g.stack[fr.base:]
	switch o.in.Op {
	case bytecode.OpSend, bytecode.OpRecv:
		o.N = 1
	case bytecode.OpSelect:
		o.sel = &f.f.Selects[o.in.Imm]
		o.N, o.Waits = len(o.sel.Cases), o.sel.Blocking
	default:
		return o, false
	}
	return o, true
}

// At returns the channel of a case and whether it sends.
func (o *ChanOp) At(i int) (ch mem.Ptr, send bool) {
	switch {
	case o.regs == nil:
		return o.cases[i].Ch, o.cases[i].Send
	case o.sel != nil:
		c := &o.sel.Cases[i]
		return mem.Ptr(o.regs[c.Chan]), c.Send
	}
	return mem.Ptr(o.regs[o.in.B]), o.in.Op == bytecode.OpSend
}

// ByNative reports whether a native does the operation.
func (o *ChanOp) ByNative() bool { return o.regs == nil }

// Selects reports whether it is a select statement.
func (o *ChanOp) Selects() bool { return o.sel != nil }

// Transfers reports whether a value may go through a channel: it is no close or len.
func (o *ChanOp) Transfers() bool {
	return o.in == nil || o.in.Op != bytecode.OpClose && o.in.Op != bytecode.OpChanlen
}

// Looks reports whether it is a len.
func (o *ChanOp) Looks() bool { return o.in != nil && o.in.Op == bytecode.OpChanlen }

// Elem is the type of the values of a case, nil if it is not known.
func (o *ChanOp) Elem(i int) *bytecode.Type {
	switch {
	case o.regs == nil || !o.Transfers():
		return nil
	case o.sel != nil:
		return o.m.rt.types[o.sel.Cases[i].Elem]
	}
	return o.m.rt.types[o.in.Imm]
}

// Value is where the value is that a case sends, nil if it is not known.
func (o *ChanOp) Value(i int) unsafe.Pointer {
	ch, send := o.At(i)
	switch {
	case !send:
		return nil
	case o.regs == nil:
		if o.cases[i].Elem == 0 {
			return nil
		}
		return o.m.Heap.Peek(o.cases[i].Elem, o.m.Heap.ChanElemSize(ch))
	case o.sel != nil:
		return unsafe.Pointer(&o.regs[o.sel.Cases[i].Value])
	}
	return unsafe.Pointer(&o.regs[o.in.C])
}

// Source is where in the heap the value is that a case of a native sends, 0 if
// there is none.
func (o *ChanOp) Source(i int) mem.Ptr { return o.cases[i].Elem }

// CanDo reports whether a case need not wait.
func (o *ChanOp) CanDo(i int) bool { return o.m.canDo(o.At(i)) }

// mayDo asks the driver whether g does an instruction on a channel now.
func (m *Machine) mayDo(g *G, in *bytecode.Instr, ready bool) bool {
	o := &m.chanOp
	*o = ChanOp{G: g, N: 1, Waits: true, Ready: ready, m: m, in: in, regs: g.stack[g.frames[g.depth-1].base:]}
	_, ok := m.driver.Channel(o)
	return ok
}

// message tells who listens of a value that was sent or received.
func (m *Machine) message(g *G, elem *bytecode.Type, send bool, value unsafe.Pointer) {
	if m.Messages != nil {
		m.Messages(g, elem, send, value)
	}
}

// receiveUnused receives a value that nobody uses.
func (m *Machine) receiveUnused(g *G, ch mem.Ptr, elem *bytecode.Type) chanResult {
	if m.Messages == nil {
		return m.tryRecv(ch, nil)
	}
	value := make([]uint64, int(elem.Size)/8+1)
	res := m.tryRecv(ch, unsafe.Pointer(&value[0]))
	if res == chanDone {
		m.message(g, elem, false, unsafe.Pointer(&value[0]))
	}
	return res
}

// Offered is the address of the value that g, which stands before a channel
// operation, sends in a case.
func (m *Machine) Offered(g *G, cas int, size uint32) unsafe.Pointer {
	return m.sendValue(&waiter{g: g, cas: int32(cas)}, size)
}

// Give does what is left of the operation of g, which stands before it, when a
// case of it has received the value at src. Taken does so when its value was taken.
func (m *Machine) Give(g *G, cas int, src unsafe.Pointer, size uint32) {
	m.completeRecv(&waiter{g: g, cas: int32(cas)}, src, size)
}

// Taken does what is left of an operation whose case has sent its value.
func (m *Machine) Taken(g *G, cas int) { m.completeSend(&waiter{g: g, cas: int32(cas)}) }
