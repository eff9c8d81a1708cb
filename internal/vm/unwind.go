package vm

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// A panic runs the deferred calls of all frames, topmost first, on top of the
// stack of the frames that it unwinds: they stay, for tracebacks and because a
// deferred call may panic itself. When a call has recovered the panic, all
// frames above the one that deferred it go, its remaining deferred calls run as
// at a normal return, and it goes on at its function's Recover code.
//
// Goexit is a panic that cannot be recovered and that ends in silence. Neither
// can a later panic's recovery jump past it.

// frameRecovered marks a frame that goes on at Recover when its remaining
// deferred calls have run.
const frameRecovered = 1 << 0

// raise starts a panic with the interface value (typ, data) in g's top frame.
func (m *Machine) raise(g *G, typ, data mem.Ptr) status {
	g.panics = append(g.panics, Panic{typ: typ, data: data, depth: int32(g.depth)})
	return m.unwind(g)
}

// goexit runs all deferred calls and ends the goroutine.
func (m *Machine) goexit(g *G) status {
	g.panics = append(g.panics, Panic{goexit: true, depth: int32(g.depth)})
	return m.unwind(g)
}

// unwind runs the next deferred call on behalf of the last panic.
func (m *Machine) unwind(g *G) status {
	m.Beyond = true
	p := &g.panics[len(g.panics)-1]
	if n := len(g.defers); n > 0 {
		p.dframe = g.defers[n-1].frame
		for i := range g.panics[:len(g.panics)-1] {
			if q := &g.panics[i]; q.depth >= p.dframe {
				q.aborted = true
			}
		}
		return m.runDefer(g, kindPanic)
	}
	if p.goexit {
		m.end(g)
		return block
	}
	return m.die(g)
}

// panicReturned goes on after a deferred call that a panic has made.
func (m *Machine) panicReturned(g *G) status {
	p := &g.panics[len(g.panics)-1]
	if !p.recovered {
		return m.unwind(g)
	}
	depth := p.dframe
	for n := len(g.panics); n > 0 && g.panics[n-1].depth >= depth; n-- {
		if q := &g.panics[n-1]; q.goexit {
			g.depth = int(q.depth)
			return m.unwind(g)
		}
		g.panics[n-1] = Panic{}
		g.panics = g.panics[:n-1]
	}
	g.depth = int(depth)
	fr := &g.frames[g.depth-1]
	fr.flags |= frameRecovered
	if r := m.funcs[fr.fn].f.Recover; r >= 0 {
		fr.pc = int32(r)
	}
	return m.resumeRecovered(g)
}

// resumeRecovered runs the next deferred call of a frame whose panic was
// recovered, or lets the frame return.
func (m *Machine) resumeRecovered(g *G) status {
	fr := &g.frames[g.depth-1]
	if fr.defers > 0 {
		return m.runDefer(g, kindDefer)
	}
	fr.flags &^= frameRecovered
	f := &m.funcs[fr.fn]
	if f.f.Recover >= 0 {
		return reload
	}
	clear(g.stack[fr.base:][:f.results])
	old := *fr
	g.depth--
	return m.finish(g, old)
}

func (m *Machine) opPanic(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	return m.raiseValue(g, mem.Ptr(*word(fp, in.B)), mem.Ptr(*word(fp, in.B+1)))
}

func (m *Machine) opRecover(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	*word(fp, in.A), *word(fp, in.A+1) = 0, 0
	if n := len(g.panics); n > 0 {
		p := &g.panics[n-1]
		if !p.goexit && !p.recovered && m.mayRecover(g) {
			p.recovered = true
			*word(fp, in.A), *word(fp, in.A+1) = uint64(p.typ), uint64(p.data)
		}
	}
	return next
}

// mayRecover reports whether the function that calls recover was called by the
// panic itself: there is exactly one frame between them that is no wrapper.
func (m *Machine) mayRecover(g *G) bool {
	functions := 0
	for i := g.depth - 1; i >= 0; i-- {
		fr := &g.frames[i]
		if !m.funcs[fr.fn].f.Wrapper {
			functions++
		}
		if functions > 1 {
			return false
		}
		if fr.kind == kindDefer && functions == 0 {
			continue // a deferred recover() counts as called by the function that deferred it
		}
		if fr.kind != kindCall && fr.kind != kindCont {
			return fr.kind == kindPanic && functions == 1
		}
	}
	return false
}

// Goexit ends the calling goroutine after its deferred calls have run.
func (c *NativeCall) Goexit() Outcome {
	c.M.goexit(c.G)
	return Jumped
}
