package vm

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// newG makes a runnable goroutine that will call a function with the given
// argument words, closure pointer included. The caller tells the driver when it
// is complete.
func (m *Machine) newG(target int32, args []uint64, system bool) *G {
	g := m.driver.New(system)
	m.state.NextG = max(m.state.NextG, 1)
	g.ID = m.state.NextG
	m.state.NextG++
	g.system = system
	callee := &m.funcs[target]
	if need := callee.words() + stackSlack; len(g.stack) < need {
		g.stack = make([]uint64, need)
	}
	if len(g.frames) == 0 {
		g.frames = make([]Frame, 4)
	}
	copy(g.stack, args)
	g.frames[0] = Frame{fn: target, kind: kindEntry}
	g.depth = 1
	if cur := m.cur; cur != nil {
		g.Parent, g.member.bubble = cur.ID, cur.member.bubble
		if cur.depth > 0 {
			g.GoFn, g.GoPC = cur.frames[cur.depth-1].fn, cur.frames[cur.depth-1].pc
		}
	}
	g.epoch = m.undo.epoch // there is nothing of it to go back to
	return g
}

// Reuse makes all fields of a goroutine zero that has ended, but for its memory.
func (g *G) Reuse() {
	*g = G{stack: g.stack, frames: g.frames, defers: g.defers[:0], deferArgs: g.deferArgs[:0], Keeper: g.Keeper}
}

// words is how many words of stack a frame takes, whether of code or of a native.
func (f *fn) words() int {
	return int(max(f.frame, f.params+1, f.results))
}

// funcOf returns the function of a func value, -1 if it is none.
func (m *Machine) funcOf(fv mem.Ptr) int32 {
	w, ok := m.Heap.Load64(fv)
	if !ok {
		return -1
	}
	target := bytecode.FuncOf(w)
	if uint(target) >= uint(len(m.funcs)) {
		return -1
	}
	return int32(target)
}

// methodOf returns the function of method number n in the itab of an interface
// value, -1 if the interface is nil.
func (m *Machine) methodOf(itab uint64, n int64) int32 {
	if itab == 0 {
		return -1
	}
	return m.funcOf(mem.Ptr(itab) + 24 + mem.Ptr(n)*8)
}

// argWords is a view of the argument words of a call in a window, with one word
// more for a closure pointer. The window must be inside the stack.
func argWords(window unsafe.Pointer, f *fn) []uint64 {
	n := int(f.params)
	if f.closure {
		n++
	}
	return unsafe.Slice((*uint64)(window), n)
}

func (m *Machine) opGo(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	return m.launch(g, m.newG(int32(in.Imm), argWords(reg(fp, in.A), &m.funcs[in.Imm]), false))
}

// launch ends a go statement.
func (m *Machine) launch(g, child *G) status {
	if m.driver.Started(g, child) {
		return pause // at the go statement, where it is known what is live
	}
	return next
}

func (m *Machine) opGoc(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	fv := *word(fp, in.B)
	if fv == 0 {
		return m.fatal(g, "go of nil func value")
	}
	target := m.funcOf(mem.Ptr(fv))
	if target < 0 {
		return m.raiseNil(g)
	}
	f := &m.funcs[target]
	child := m.newG(target, unsafe.Slice(word(fp, in.A), f.params), false)
	if f.closure {
		child.stack[f.params] = fv
	}
	return m.launch(g, child)
}

func (m *Machine) opGoi(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	target := m.methodOf(*word(fp, in.B), in.Imm)
	if target < 0 {
		return m.raiseNil(g)
	}
	f := &m.funcs[target]
	child := m.newG(target, unsafe.Slice(word(fp, in.A), f.params), false)
	child.stack[0] = *word(fp, in.B+1)
	return m.launch(g, child)
}

// Spawn starts a goroutine that calls the func value fv with argument words. A
// system goroutine runs before all others, is not listed in tracebacks and must
// not block. It is in no bubble. It returns nil if fv is no func value.
func (m *Machine) Spawn(fv mem.Ptr, args []uint64, system bool) *G {
	g := m.spawn(fv, args, system)
	if g != nil {
		g.member = member{}
		m.driver.Started(nil, g)
	}
	return g
}

// SpawnParked is Spawn for a goroutine that waits for Wake(obj) before it begins
// to run.
func (m *Machine) SpawnParked(fv mem.Ptr, args []uint64, reason string, obj mem.Ptr) *G {
	g := m.spawn(fv, args, false)
	if g != nil {
		m.parkNative(g, reason, obj, 0, 1)
		m.driver.Started(nil, g)
	}
	return g
}

func (m *Machine) spawn(fv mem.Ptr, args []uint64, system bool) *G {
	target := m.funcOf(fv)
	if target < 0 {
		return nil
	}
	f := &m.funcs[target]
	g := m.newG(target, args[:min(len(args), int(f.params))], system)
	if f.closure {
		g.stack[f.params] = uint64(fv)
	}
	return g
}
