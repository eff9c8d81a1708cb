package vm

import (
	"iter"
	"slices"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// Deferred calls of all frames of a goroutine lie on one stack, G.defers, their
// arguments on another, G.deferArgs. Both are ordered by frame: a call that a
// range-over-func body defers on behalf of an outer frame is inserted below those
// of the frames between. So the next call to run is always the last.

// pushDefer defers a call with argument words for the frame of the given depth.
func (m *Machine) pushDefer(g *G, target int32, args []uint64, closure uint64, depth int32) {
	d := Defer{fn: target, frame: depth, args: int32(len(g.deferArgs)), n: int32(len(args))}
	at := len(g.defers)
	for at > 0 && g.defers[at-1].frame > depth {
		at--
		d.args = g.defers[at].args
	}
	if target >= 0 && m.funcs[target].closure {
		d.n++
	}
	g.frames[depth-1].defers++
	if at == len(g.defers) {
		g.defers = append(g.defers, d)
		g.deferArgs = append(g.deferArgs, args...)
		if int(d.n) > len(args) {
			g.deferArgs = append(g.deferArgs, closure)
		}
		return
	}
	if int(d.n) > len(args) {
		args = append(slices.Clone(args), closure)
	}
	g.defers = slices.Insert(g.defers, at, d)
	g.deferArgs = slices.Insert(g.deferArgs, int(d.args), args...)
	for i := at + 1; i < len(g.defers); i++ {
		g.defers[i].args += d.n
	}
}

// deferDepth is the depth of the frame for which an instruction defers.
func deferDepth(g *G, fp unsafe.Pointer, in *bytecode.Instr) int32 {
	if in.C == bytecode.NoReg {
		return int32(g.depth)
	}
	return int32(*word(fp, in.C))
}

func (m *Machine) opDefer(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	f := &m.funcs[in.Imm]
	args := unsafe.Slice(word(fp, in.A), f.params)
	var closure uint64
	if f.closure {
		closure = *word(fp, in.A+uint16(f.params))
	}
	m.pushDefer(g, int32(in.Imm), args, closure, deferDepth(g, fp, in))
	return next
}

func (m *Machine) opDeferc(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	fv := *word(fp, in.B)
	target := m.funcOf(mem.Ptr(fv))
	var args []uint64
	if target >= 0 {
		args = unsafe.Slice(word(fp, in.A), m.funcs[target].params)
	}
	m.pushDefer(g, target, args, fv, deferDepth(g, fp, in))
	return next
}

func (m *Machine) opDeferi(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	target := m.methodOf(*word(fp, in.B), in.Imm)
	if target < 0 {
		return m.raiseNil(g)
	}
	*word(fp, in.A) = *word(fp, in.B+1)
	args := unsafe.Slice(word(fp, in.A), m.funcs[target].params)
	m.pushDefer(g, target, args, 0, deferDepth(g, fp, in))
	return next
}

func (m *Machine) opDeferstack(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	*word(fp, in.A) = uint64(g.depth)
	return next
}

// opRundefers runs the frame's last deferred call; its return executes the
// instruction again.
func (m *Machine) opRundefers(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	if g.frames[g.depth-1].defers == 0 {
		return next
	}
	return m.runDefer(g, kindDefer)
}

// runDefer takes the goroutine's last deferred call off its stack and calls it.
func (m *Machine) runDefer(g *G, kind frameKind) status {
	d := g.defers[len(g.defers)-1]
	g.defers = g.defers[:len(g.defers)-1]
	g.frames[d.frame-1].defers--
	args := g.deferArgs[d.args : d.args+d.n]
	g.deferArgs = g.deferArgs[:d.args]
	if d.fn < 0 {
		return m.raiseNil(g)
	}
	return m.pushCall(g, d.fn, args, kind, 0)
}

// pushCall puts a frame on top of the stack, above all words in use.
func (m *Machine) pushCall(g *G, target int32, args []uint64, kind frameKind, cont uint16) status {
	top := &g.frames[g.depth-1]
	bottom := top.base + int32(m.funcs[top.fn].words())
	callee := &m.funcs[target]
	if int(bottom)+callee.words()+stackSlack > len(g.stack) || g.depth == len(g.frames) {
		if st := m.grow(g, bottom, &fn{frame: int32(callee.words())}); st != next {
			return st
		}
	}
	copy(g.stack[bottom:], args)
	g.frames[g.depth] = Frame{fn: target, base: bottom, kind: kind, cont: cont}
	g.depth++
	return reload
}

// returned goes on after the return of a frame that no call instruction has
// made. Its results begin at word fr.base of the stack.
func (m *Machine) returned(g *G, fr Frame) status {
	switch fr.kind {
	case kindEntry:
		return m.entryReturned(g)
	case kindDefer:
		if top := &g.frames[g.depth-1]; top.flags&frameRecovered != 0 {
			return m.resumeRecovered(g)
		}
		return reload
	case kindPanic:
		return m.panicReturned(g)
	case kindPrint:
		return m.printReturned(g, fr)
	case kindCont:
		return m.contReturned(g, fr)
	}
	return reload
}

// entryReturned ends a goroutine, or with the main goroutine the program.
func (m *Machine) entryReturned(g *G) status {
	if g.ID == 1 && m.driver.Returned() {
		m.exit = &Exit{Kind: ExitMain}
		return halt
	}
	m.end(g)
	return block
}

// Deferred yields the functions that g has deferred calls of.
func (g *G) Deferred() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for i := range g.defers {
			if fn := g.defers[i].fn; fn >= 0 && !yield(fn) {
				return
			}
		}
	}
}
