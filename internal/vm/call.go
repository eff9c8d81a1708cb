package vm

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// stackSlack is how many words a stack always has behind the top frame: room
// for the window of a native with many results.
const stackSlack = 64

// grow makes room for a frame of callee at word bottom of g's stack. Stack and
// frames may move.
func (m *Machine) grow(g *G, bottom int32, callee *fn) status {
	need := int(bottom) + int(callee.frame) + stackSlack
	if need > m.rt.opts.StackLimit || g.depth >= m.rt.opts.StackLimit/8 {
		return m.stackOverflow(g)
	}
	if need > len(g.stack) {
		stack := make([]uint64, max(need, 2*len(g.stack)))
		copy(stack, g.stack)
		g.stack = stack
	}
	if g.depth == len(g.frames) {
		frames := make([]Frame, max(16, 2*len(g.frames)))
		copy(frames, g.frames)
		g.frames = frames
	}
	return next
}

// passClosure leaves a func value where the callee expects it.
func (m *Machine) passClosure(g *G, bottom, target int32, closure uint64) status {
	callee := &m.funcs[target]
	if int(bottom)+int(callee.frame) > len(g.stack) {
		if st := m.grow(g, bottom, callee); st != next {
			return st
		}
	}
	g.stack[bottom+callee.params] = closure
	return next
}

// callNative calls a native whose window begins at word bottom. A native that
// must wait gets a frame, so that its arguments stay visible to the collector
// and it can be called again.
func (m *Machine) callNative(g *G, target, bottom int32) status {
	callee := &m.funcs[target]
	c := &m.call
	c.M, c.G, c.fn, c.fp = m, g, target, unsafe.Pointer(&g.stack[bottom])
	if callee.native == nil {
		return m.missing(g, callee.f)
	}
	depth := g.depth
	c.pushed = false
	var out Outcome
	if !callee.visible {
		m.Beyond = true
		out = callee.native(c)
	} else {
		if !m.driver.Native(c) {
			m.pushNative(g, target, bottom)
			return pause
		}
		out = callee.native(c)
		m.driver.NativeDone(c)
	}
	switch out {
	case Done:
		return next
	case Again:
		if g.depth == depth {
			m.pushNative(g, target, bottom)
		}
		return block
	case Yield:
		g.frames[g.depth-1].pc++
		return yield
	}
	if m.exit != nil {
		return halt
	}
	if g.over() {
		return block
	}
	return reload
}

// pushNative gives a native a frame of its own.
func (m *Machine) pushNative(g *G, target, bottom int32) {
	if g.depth == len(g.frames) {
		g.frames = append(g.frames, make([]Frame, 16)...)
	}
	g.frames[g.depth] = Frame{fn: target, base: bottom}
	g.depth++
}

// resumeNative calls again the native on top of g's stack, which had to wait,
// or which was the entry of a goroutine or a deferred call.
func (m *Machine) resumeNative(g *G) status {
	fr := g.frames[g.depth-1]
	callee := &m.funcs[fr.fn]
	c := &m.call
	c.M, c.G, c.fn, c.fp = m, g, fr.fn, unsafe.Pointer(&g.stack[fr.base])
	if callee.native == nil {
		return m.missing(g, callee.f)
	}
	c.pushed = true
	depth := g.depth
	var out Outcome
	if !callee.visible {
		m.Beyond = true
		out = callee.native(c)
	} else {
		if !m.driver.Native(c) {
			return pause
		}
		out = callee.native(c)
		m.driver.NativeDone(c)
	}
	switch out {
	case Done, Yield:
		g.depth--
		st := m.finish(g, fr)
		if out == Yield && (st == next || st == reload) {
			return yield
		}
		return st
	case Again:
		return block
	}
	if m.exit != nil {
		return halt
	}
	if g.over() {
		return block
	}
	if g.depth == depth { // neither called, nor unwound: nothing to reload
		panic("vm: native " + callee.f.Name + " jumped nowhere")
	}
	return reload
}

// finish does what follows the return of a popped frame.
func (m *Machine) finish(g *G, fr Frame) status {
	if fr.kind == kindCall {
		g.frames[g.depth-1].pc++
		return reload
	}
	return m.returned(g, fr)
}

// A Cont is what a native does after a function that it called has returned.
// The results are at word Base of its window.
type Cont func(c *NativeCall) Outcome

var conts []Cont

// RegisterCont makes a continuation known and returns its number. It is called
// from package initialisation only, so that numbers are the same in every run.
func RegisterCont(f Cont) uint16 {
	conts = append(conts, f)
	return uint16(len(conts) - 1)
}

// Invoke calls the func value fv with argument words that the native has put at
// word base of its window and up. When the callee returns, continuation cont runs
// with the native's own window, whose words below base are as they were.
func (c *NativeCall) Invoke(fv mem.Ptr, base int, cont uint16) Outcome {
	m, g := c.M, c.G
	a := m.Heap.Read(fv, 8)
	if a == nil {
		m.raiseNil(g)
		return Jumped
	}
	target := int32(bytecode.FuncOf(*(*uint64)(a)))
	if uint(target) >= uint(len(m.funcs)) {
		m.raiseNil(g)
		return Jumped
	}
	callee := &m.funcs[target]
	own := int32((uintptr(c.fp) - uintptr(unsafe.Pointer(&g.stack[0]))) >> 3)
	if !c.pushed {
		m.pushNative(g, c.fn, own)
		c.pushed = true
	}
	bottom := own + int32(base)
	if int(bottom)+int(callee.frame)+stackSlack > len(g.stack) || g.depth == len(g.frames) {
		if m.grow(g, bottom, callee) != next {
			return Jumped
		}
		c.fp = unsafe.Pointer(&g.stack[own])
	}
	if callee.closure {
		g.stack[bottom+callee.params] = uint64(fv)
	}
	g.frames[g.depth] = Frame{fn: target, base: bottom, kind: kindCont, cont: cont}
	g.depth++
	return Jumped
}

// Reserve makes sure that the native's window has at least n words. It must be
// called before writing beyond the words of the parameters and results.
func (c *NativeCall) Reserve(n int) bool {
	g := c.G
	own := int32((uintptr(c.fp) - uintptr(unsafe.Pointer(&g.stack[0]))) >> 3)
	if int(own)+n+stackSlack > len(g.stack) {
		if c.M.grow(g, own, &fn{frame: int32(n)}) != next {
			return false
		}
		c.fp = unsafe.Pointer(&g.stack[own])
	}
	return true
}

// contReturned runs the continuation of a native after its callee's return.
func (m *Machine) contReturned(g *G, fr Frame) status {
	m.Beyond = true
	native := g.frames[g.depth-1]
	c := &m.call
	c.M, c.G, c.fn, c.fp = m, g, native.fn, unsafe.Pointer(&g.stack[native.base])
	c.pushed, c.Base = true, int(fr.base-native.base)
	switch conts[fr.cont](c) {
	case Done:
		g.depth--
		return m.finish(g, native)
	case Yield:
		g.depth--
		if st := m.finish(g, native); st != next && st != reload {
			return st
		}
		return yield
	case Again:
		return block
	}
	if m.exit != nil {
		return halt
	}
	return reload
}

// opNew allocates a zero value.
// opNewfinal makes a variable of which it is known that nobody writes to it when
// others can reach it.
func (m *Machine) opNewfinal(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	st := m.opNew(g, fp, in)
	if st == next {
		m.Heap.FixNew(*(*mem.Ptr)(unsafe.Add(fp, uintptr(in.A)<<3)))
	}
	return st
}

func (m *Machine) opNew(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	p, ok := m.allocHere(m.shape(int(in.Imm)), uint64(m.rt.types[in.Imm].Size))
	if !ok {
		return m.outOfMemory(g)
	}
	*(*uint64)(unsafe.Add(fp, uintptr(in.A)<<3)) = uint64(p)
	return next
}
