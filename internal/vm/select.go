package vm

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

func (m *Machine) opSelect(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	m.Beyond = true
	sel := &m.funcs[g.frames[g.depth-1].fn].f.Selects[in.Imm]
	for i := range sel.Cases {
		if m.foreign(g, mem.Ptr(*word(fp, uint16(sel.Cases[i].Chan)))) {
			return m.misuse(g, "select")
		}
	}
	if m.driven {
		return m.selectDriven(g, fp, sel)
	}
	ready, chosen := 0, -1
	for i := range sel.Cases {
		c := &sel.Cases[i]
		ch := mem.Ptr(*word(fp, uint16(c.Chan)))
		if ch == 0 {
			continue
		}
		if !m.Heap.IsChan(ch) {
			return m.raiseNil(g)
		}
		if !c.Send && m.fireLate(ch) {
			return yield
		}
		if m.canDo(ch, c.Send) {
			ready++
		}
	}
	if ready == 0 {
		return m.selectNone(g, fp, sel)
	}
	k := m.choose(ready)
	for i := range sel.Cases {
		c := &sel.Cases[i]
		if ch := mem.Ptr(*word(fp, uint16(c.Chan))); ch != 0 && m.canDo(ch, c.Send) {
			if k == 0 {
				chosen = i
				break
			}
			k--
		}
	}
	return m.selectCase(g, fp, sel, chosen)
}

// selectDriven does the case that the driver has chosen, or stops before the
// select.
func (m *Machine) selectDriven(g *G, fp unsafe.Pointer, sel *bytecode.Select) status {
	o := &m.chanOp
	*o = ChanOp{G: g, N: len(sel.Cases), Waits: sel.Blocking, m: m, sel: sel, regs: g.stack[g.frames[g.depth-1].base:]}
	chosen, ok := m.driver.Channel(o)
	switch {
	case !ok:
		return pause
	case chosen < 0:
		return m.selectNone(g, fp, sel)
	case !m.Heap.IsChan(mem.Ptr(*word(fp, uint16(sel.Cases[chosen].Chan)))):
		return m.raiseNil(g)
	}
	return m.selectCase(g, fp, sel, chosen)
}

// canDo reports whether a send or receive need not wait. One that panics need
// not either.
func (m *Machine) canDo(ch mem.Ptr, send bool) bool {
	if !send {
		return !m.wouldBlock(ch)
	}
	h := m.Heap
	return h.ChanClosed(ch) || h.ChanLen(ch) < h.ChanCap(ch) || m.sched.waits.first(ch, waitRecv) != nil
}

// selectNone ends a select without ready case, by its default or by waiting.
func (m *Machine) selectNone(g *G, fp unsafe.Pointer, sel *bytecode.Select) status {
	if !sel.Blocking {
		*word(fp, uint16(sel.Index)) = ^uint64(0)
		setOk(fp, sel.RecvOk, false)
		return next
	}
	if len(sel.Cases) == 0 {
		m.park(g, "select (no cases)", 0, 0)
		return block
	}
	m.park(g, "select", 0, 0)
	m.waitSelect(g, sel)
	return block
}

// waitSelect enters a goroutine in the lists of all its select's channels.
func (m *Machine) waitSelect(g *G, sel *bytecode.Select) {
	fp := unsafe.Pointer(&g.stack[g.frames[g.depth-1].base])
	for i := range sel.Cases {
		c := &sel.Cases[i]
		m.waitCase(g, mem.Ptr(*word(fp, uint16(c.Chan))), c.Send, i)
	}
}

func (m *Machine) waitCase(g *G, ch mem.Ptr, send bool, i int) {
	switch {
	case ch == 0:
	case send:
		m.sched.waits.add(g, ch, waitSend, i)
	default:
		m.sched.waits.add(g, ch, waitRecv, i)
		m.watchTimer(ch)
	}
}

// selectCase performs a ready case.
func (m *Machine) selectCase(g *G, fp unsafe.Pointer, sel *bytecode.Select, i int) status {
	c := &sel.Cases[i]
	ch := mem.Ptr(*word(fp, uint16(c.Chan)))
	if c.Send {
		if m.trySend(ch, reg(fp, uint16(c.Value))) == chanClosed {
			return m.raisePlain(g, "send on closed channel")
		}
		m.message(g, m.rt.types[c.Elem], true, reg(fp, uint16(c.Value)))
		setOk(fp, sel.RecvOk, false)
		*word(fp, uint16(sel.Index)) = uint64(i)
		return next
	}
	var res chanResult
	if c.Value < 0 {
		res = m.receiveUnused(g, ch, m.rt.types[c.Elem])
	} else {
		t, dst := m.rt.types[c.Elem], reg(fp, uint16(c.Value))
		unsettle(t, dst)
		res = m.tryRecv(ch, dst)
		settle(t, dst)
		m.readTick(ch)
		if res == chanDone {
			m.message(g, t, false, dst)
		}
	}
	setOk(fp, sel.RecvOk, res == chanDone)
	*word(fp, uint16(sel.Index)) = uint64(i)
	return next
}

// A ChanCase is a send or receive that a native does. Elem is the address of the
// element to send, or where the received one goes, 0 to discard it.
type ChanCase struct {
	Ch   mem.Ptr
	Send bool
	Elem mem.Ptr
}

func (m *Machine) waitCases(g *G) {
	for i, c := range g.cases {
		m.waitCase(g, c.Ch, c.Send, i)
	}
}

// Select does one of the cases, as a select statement does: one that is ready,
// or waits until one is if wait is set. The result is the case, -1 for none, and
// whether it received a value. It is valid if the outcome is Done; with any
// other the native must return that outcome at once. A native that waits calls
// Select with the same cases when it is called again.
func (c *NativeCall) Select(cases []ChanCase, wait bool, reason string) (i int, received bool, out Outcome) {
	m, g := c.M, c.G
	if g.cases != nil {
		i, received = int(g.chosen)-1, g.chosenR
		g.cases, g.chosen, g.chosenR, g.noWait = nil, 0, false, false
		if i >= 0 {
			return i, received, Done
		}
	}
	for _, cs := range cases {
		if m.foreign(g, cs.Ch) {
			m.misuse(g, reason)
			return -1, false, Jumped
		}
	}
	if m.driven {
		return c.selectDriven(cases, wait)
	}
	ready := 0
	for _, cs := range cases {
		if cs.Ch == 0 {
			continue
		}
		if !m.Heap.IsChan(cs.Ch) {
			m.raiseNil(g)
			return -1, false, Jumped
		}
		if !cs.Send && m.fireLate(cs.Ch) {
			m.park(g, reason, 0, m.state.Now) // for the callback to run
			return -1, false, Again
		}
		if m.canDo(cs.Ch, cs.Send) {
			ready++
		}
	}
	if ready == 0 {
		if !wait {
			return -1, false, Done
		}
		m.park(g, reason, 0, 0)
		g.cases = append(make([]ChanCase, 0, len(cases)), cases...)
		m.waitCases(g)
		return -1, false, Again
	}
	k := m.choose(ready)
	for i, cs := range cases {
		if cs.Ch == 0 || !m.canDo(cs.Ch, cs.Send) {
			continue
		}
		if k--; k >= 0 {
			continue
		}
		return c.do(i, cs)
	}
	return -1, false, Done
}

// selectDriven is Select for a machine that does not drive itself. If the driver
// stops the goroutine, that has the cases, where the driver can see them.
func (c *NativeCall) selectDriven(cases []ChanCase, wait bool) (int, bool, Outcome) {
	m, g := c.M, c.G
	if m.Messages != nil {
		return -1, false, c.Unsupported("a channel operation of package reflect where messages on channels are observed")
	}
	o := &m.chanOp
	*o = ChanOp{G: g, N: len(cases), Waits: wait, m: m, cases: cases}
	chosen, ok := m.driver.Channel(o)
	switch {
	case !ok:
		m.Save(g)
		g.cases = append(make([]ChanCase, 0, len(cases)), cases...)
		g.noWait = !wait
		return -1, false, Again
	case chosen < 0:
		return -1, false, Done
	case !m.Heap.IsChan(cases[chosen].Ch):
		m.raiseNil(g)
		return -1, false, Jumped
	}
	return c.do(chosen, cases[chosen])
}

// do performs a ready case.
func (c *NativeCall) do(i int, cs ChanCase) (int, bool, Outcome) {
	m := c.M
	size := m.Heap.ChanElemSize(cs.Ch)
	var zero uint64
	at := unsafe.Pointer(&zero)
	if size > 0 && cs.Elem != 0 {
		if cs.Send {
			at = m.Heap.Read(cs.Elem, size)
		} else {
			at = m.Heap.Write(cs.Elem, size)
		}
		if at == nil {
			m.raiseNil(c.G)
			return -1, false, Jumped
		}
	} else if !cs.Send {
		at = nil
	}
	if !cs.Send {
		m.readTick(cs.Ch)
		return i, m.tryRecv(cs.Ch, at) == chanDone, Done
	}
	if m.trySend(cs.Ch, at) == chanClosed {
		m.raisePlain(c.G, "send on closed channel")
		return -1, false, Jumped
	}
	return i, false, Done
}

// Close closes a channel.
func (c *NativeCall) Close(ch mem.Ptr) Outcome {
	if c.M.closeChan(c.G, ch) != next {
		return Jumped
	}
	return Done
}
