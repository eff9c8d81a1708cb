package vm

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// A channel's buffer holds elements in their memory layout. On a little-endian
// machine the memory layout of a value is a prefix of its register, so a
// register can be copied to memory as it is; the other way narrow integers must
// be extended (see settle).

// A chanResult is how far an attempt to send or receive came.
type chanResult uint8

const (
	chanBlocked chanResult = iota
	chanDone
	chanClosed
)

// trySend sends the element at src if that is possible now.
func (m *Machine) trySend(ch mem.Ptr, src unsafe.Pointer) chanResult {
	h := m.Heap
	if h.ChanClosed(ch) {
		return chanClosed
	}
	if w := m.sched.waits.first(ch, waitRecv); w != nil {
		m.completeRecv(w, src, h.ChanElemSize(ch))
		return chanDone
	}
	if h.ChanPush(ch, src) {
		return chanDone
	}
	return chanBlocked
}

// tryRecv receives an element into the memory at dst, unless that is nil, if
// that is possible now. From a closed channel it receives zero.
func (m *Machine) tryRecv(ch mem.Ptr, dst unsafe.Pointer) chanResult {
	h := m.Heap
	size := h.ChanElemSize(ch)
	if h.ChanPop(ch, dst) {
		if w := m.sched.waits.first(ch, waitSend); w != nil {
			h.ChanPush(ch, m.sendValue(w, size))
			m.completeSend(w)
		}
		return chanDone
	}
	if w := m.sched.waits.first(ch, waitSend); w != nil {
		if dst != nil {
			copyBytes(dst, m.sendValue(w, size), uintptr(size))
		}
		m.completeSend(w)
		return chanDone
	}
	if h.ChanClosed(ch) {
		if dst != nil {
			clear(unsafe.Slice((*byte)(dst), size))
		}
		return chanClosed
	}
	return chanBlocked
}

// unsettle prepares a register for an element's bytes.
func unsettle(t *bytecode.Type, dst unsafe.Pointer) {
	if t.Size&7 != 0 {
		*word(dst, t.Words-1) = 0
	}
}

// settle makes a register of the element's bytes that were copied to it.
func settle(t *bytecode.Type, dst unsafe.Pointer) {
	switch t.Reg {
	case bytecode.RegS8:
		*(*uint64)(dst) = uint64(*(*int8)(dst))
	case bytecode.RegS16:
		*(*uint64)(dst) = uint64(*(*int16)(dst))
	case bytecode.RegS32:
		*(*uint64)(dst) = uint64(*(*int32)(dst))
	}
}

// parkedAt returns the instruction at which a goroutine waits and its frame.
func (m *Machine) parkedAt(g *G) (fr *Frame, f *bytecode.Func, in *bytecode.Instr, fp unsafe.Pointer) {
	fr = &g.frames[g.depth-1]
	f = m.funcs[fr.fn].f
	return fr, f, &f.Code[fr.pc], unsafe.Pointer(&g.stack[fr.base])
}

// sendValue is the address of the element that a waiting sender offers.
func (m *Machine) sendValue(w *waiter, size uint32) unsafe.Pointer {
	if w.g.cases != nil {
		return m.Heap.Read(w.g.cases[w.cas].Elem, size)
	}
	_, f, in, fp := m.parkedAt(w.g)
	if in.Op == bytecode.OpSend {
		return reg(fp, in.C)
	}
	return reg(fp, uint16(f.Selects[in.Imm].Cases[w.cas].Value))
}

// completeSend does what is left of a waiting sender's operation when its
// element was taken, and wakes it.
func (m *Machine) completeSend(w *waiter) {
	g := w.g
	m.Save(g)
	if g.cases != nil {
		g.chosen, g.chosenR = w.cas+1, false
	} else {
		fr, f, in, fp := m.parkedAt(g)
		if in.Op == bytecode.OpSelect {
			sel := &f.Selects[in.Imm]
			*word(fp, uint16(sel.Index)) = uint64(w.cas)
			setOk(fp, sel.RecvOk, false)
		}
		fr.pc++
	}
	m.Ready(g)
}

// completeRecv gives a waiting receiver the element at src and wakes it.
func (m *Machine) completeRecv(w *waiter, src unsafe.Pointer, size uint32) {
	g := w.g
	m.Save(g)
	if g.cases != nil {
		if p := g.cases[w.cas].Elem; p != 0 && size > 0 {
			if dst := m.Heap.Write(p, size); dst != nil {
				copyBytes(dst, src, uintptr(size))
			}
		}
		g.chosen, g.chosenR = w.cas+1, true
		m.Ready(g)
		return
	}
	fr, f, in, fp := m.parkedAt(g)
	if in.Op == bytecode.OpRecv {
		t := m.rt.types[in.Imm]
		receive(t, reg(fp, in.A), src)
		if in.C&bytecode.RecvOk != 0 {
			*word(fp, in.A+t.Words) = 1
		}
	} else {
		sel := &f.Selects[in.Imm]
		c := &sel.Cases[w.cas]
		if c.Value >= 0 {
			receive(m.rt.types[c.Elem], reg(fp, uint16(c.Value)), src)
		}
		setOk(fp, sel.RecvOk, true)
		*word(fp, uint16(sel.Index)) = uint64(w.cas)
	}
	fr.pc++
	m.Ready(g)
}

// receive brings an element from memory or from another register to a register.
func receive(t *bytecode.Type, dst, src unsafe.Pointer) {
	if t.Words == 0 {
		return
	}
	unsettle(t, dst)
	copyBytes(dst, src, uintptr(t.Size))
	settle(t, dst)
}

func setOk(fp unsafe.Pointer, r int, ok bool) {
	if r >= 0 {
		*word(fp, uint16(r)) = b2u(ok)
	}
}

func (m *Machine) opMakechan(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	n := int64(*word(fp, in.B))
	elem := m.rt.types[m.rt.types[in.Imm].Elem]
	if n < 0 || elem.Size > 0 && uint64(n) > (1<<48-96)/uint64(elem.Size) {
		return m.raiseMakechan(g)
	}
	if uint64(n)*uint64(elem.Size) > mem.MaxSize-uint64(mem.ChanData) {
		return m.outOfMemory(g)
	}
	if size := uint64(n)*uint64(elem.Size) + uint64(mem.ChanData); !m.Heap.Fits(size) && m.atPoint() {
		m.collect()
	}
	ch := m.Heap.NewChan(m.chanShape(int(in.Imm)), uint64(n))
	m.pollHeap()
	if ch == 0 {
		return m.outOfMemory(g)
	}
	if g.member.bubble != 0 {
		m.Heap.SetChanGroup(ch, int(g.member.bubble))
	}
	*word(fp, in.A) = uint64(ch)
	return next
}

func (m *Machine) opSend(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	m.Beyond = true
	ch := mem.Ptr(*word(fp, in.B))
	if m.foreign(g, ch) {
		return m.misuse(g, "send")
	}
	if m.driven && !m.mayDo(g, in, m.canDo(ch, true)) {
		return pause
	}
	if ch == 0 {
		m.park(g, "chan send (nil chan)", 0, 0)
		return block
	}
	if !m.Heap.IsChan(ch) {
		return m.raiseNil(g)
	}
	switch m.trySend(ch, reg(fp, in.C)) {
	case chanDone:
		m.message(g, m.rt.types[in.Imm], true, reg(fp, in.C))
		return next
	case chanClosed:
		return m.raisePlain(g, "send on closed channel")
	}
	m.park(g, "chan send", ch, 0)
	m.sched.waits.add(g, ch, waitSend, 0)
	return block
}

func (m *Machine) opRecv(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	m.Beyond = true
	ch := mem.Ptr(*word(fp, in.B))
	if m.foreign(g, ch) {
		return m.misuse(g, "receive")
	}
	if m.driven && !m.mayDo(g, in, ch != 0 && !m.wouldBlock(ch)) {
		return pause
	}
	if ch == 0 {
		m.park(g, "chan receive (nil chan)", 0, 0)
		return block
	}
	if !m.Heap.IsChan(ch) {
		return m.raiseNil(g)
	}
	if !m.driven && m.fireLate(ch) {
		return yield
	}
	if m.wouldBlock(ch) {
		m.park(g, "chan receive", ch, 0)
		m.sched.waits.add(g, ch, waitRecv, 0)
		m.watchTimer(ch)
		return block
	}
	t, dst := m.rt.types[in.Imm], reg(fp, in.A)
	unsettle(t, dst)
	res := m.tryRecv(ch, dst)
	settle(t, dst)
	if res == chanDone {
		m.message(g, t, false, dst)
	}
	if in.C&bytecode.RecvUnused == 0 {
		m.readTick(ch)
	}
	if in.C&bytecode.RecvOk != 0 {
		*word(fp, in.A+t.Words) = b2u(res == chanDone)
	}
	return next
}

// wouldBlock reports whether a receive from ch would have to wait.
func (m *Machine) wouldBlock(ch mem.Ptr) bool {
	return m.Heap.ChanLen(ch) == 0 && !m.Heap.ChanClosed(ch) && m.sched.waits.first(ch, waitSend) == nil
}

func (m *Machine) opClose(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	m.Beyond = true
	ch := mem.Ptr(*word(fp, in.B))
	if m.driven && !m.mayDo(g, in, true) {
		return pause
	}
	return m.closeChan(g, ch)
}

// closeChan closes a channel. All who wait on it execute their operation again.
func (m *Machine) closeChan(g *G, ch mem.Ptr) status {
	h := m.Heap
	switch {
	case m.foreign(g, ch):
		return m.fatal(g, "close of synctest channel from outside bubble")
	case ch == 0:
		return m.raisePlain(g, "close of nil channel")
	case !h.IsChan(ch):
		return m.raiseNil(g)
	case h.ChanClosed(ch):
		return m.raisePlain(g, "close of closed channel")
	}
	h.ChanClose(ch)
	for _, dir := range [...]waitDir{waitRecv, waitSend} {
		for {
			w := m.sched.waits.first(ch, dir)
			if w == nil {
				break
			}
			m.Ready(w.g)
		}
	}
	return next
}

// ChanLen and ChanCap return what len and cap do. The channel of a timer seems
// to have no buffer.
func (m *Machine) ChanLen(ch mem.Ptr) int {
	if m.Heap.ChanAux(ch) != 0 {
		return 0
	}
	return int(m.Heap.ChanLen(ch))
}

func (m *Machine) ChanCap(ch mem.Ptr) int {
	if m.Heap.ChanAux(ch) != 0 {
		return 0
	}
	return int(m.Heap.ChanCap(ch))
}

func (m *Machine) opChanlen(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	m.Beyond = true
	ch := mem.Ptr(*word(fp, in.B))
	if m.driven && ch != 0 && !m.mayDo(g, in, true) {
		return pause
	}
	*word(fp, in.A) = uint64(m.ChanLen(ch))
	return next
}

func (m *Machine) opChancap(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	m.Beyond = true
	*word(fp, in.A) = uint64(m.ChanCap(mem.Ptr(*word(fp, in.B))))
	return next
}
