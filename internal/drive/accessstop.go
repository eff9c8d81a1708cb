package drive

import (
	"iter"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// With Options.Access a goroutine also stops before each plain access to
// shared memory, so that a search sees what a race does:
//
//	mu.Lock()  │  x++           │  y = f(x)  │  ch <- x
//	operation  │  load │ store  │  store     │  operation
//
// An instruction counts as one access, whatever it reads and writes: a copy, an
// append, an operation on a map. What natives access is not stopped at. An
// access orders nothing, so a stop before one does not end the block.

// gateAccess decides whether g executes an instruction that accesses memory or
// stops before it.
func (m *Machine) gateAccess(g *G, fp unsafe.Pointer, in *bytecode.Instr) bool {
	var room [2]Access
	list := m.memoryOf(room[:0], fp, in)
	if !m.anyShared(list) {
		return true
	}
	if m.armed {
		m.armed = false
	} else if !m.passes(g, 0) {
		g.access = true
		return false
	}
	for i := range list {
		if list[i].Write && m.Heap.Tracked(list[i].Obj) {
			m.publishStored(g, fp, in)
			break
		}
	}
	return true
}

// anyShared reports whether one of some accesses is to memory that others can
// reach.
func (m *Machine) anyShared(list []Access) bool {
	for i := range list {
		if m.Heap.Tracked(list[i].Obj) {
			return true
		}
	}
	return false
}

// arms reports whether g, which is about to take a step, will ask whether it may
// do what it stands before. A plain access is not asked about if nobody else can
// reach the memory any more.
func (m *Machine) arms(g *G) bool {
	if g.spun || g.Wait().Woken() && m.Instr(&g.G) != nil { // the latter has not begun to run, see SpawnParked
		return false
	}
	return !g.access || m.anyShared(m.StoppedBefore(nil, g))
}

// keptOf is what a state keeps of a block.
func (m *Machine) keptOf(cur Block) Block {
	switch {
	case len(cur) == 0 || m.opts.NoBlocks:
		return nil
	case !m.opts.MapBlocks:
		return m.log.blocks.keep(cur)
	}
	var maps Block
	for _, a := range cur {
		if m.Heap.Kind(mem.MakePtr(a.Obj, 0)) == mem.Map {
			maps = append(maps, a)
		}
	}
	return maps
}

// StoppedBefore appends the plain accesses before which a goroutine stands.
func (m *Machine) StoppedBefore(dst []Access, g *G) []Access {
	if !g.access {
		return dst
	}
	fr := g.Top()
	n := len(dst)
	dst = m.memoryOf(dst, unsafe.Pointer(unsafe.SliceData(g.Words(fr))), m.Instr(&g.G))
	for i := range dst[n:] {
		dst[n+i].fn, dst[n+i].pc = fr.Func(), fr.PC()
	}
	return dst
}

// StandsAtNative returns the call of the visible native before which a goroutine
// stands, nil if it stands before something else. The call is good until
// another one is asked for.
func (m *Machine) StandsAtNative(g *G) (*vm.NativeCall, *Operation) {
	if g.Depth() == 0 || g.launch || g.unborn || g.ending || !g.Runnable() {
		return nil, nil
	}
	fr := g.Top()
	op := m.funcs[fr.Func()].op
	if op == nil {
		return nil, nil
	}
	return m.nativeCall(g), op
}

// Conflicts reports whether two accesses are to the same memory and one of them
// is a write.
func (a Access) Conflicts(b Access) bool {
	return a.Obj == b.Obj && (a.Write || b.Write) && a.lo < b.hi && b.lo < a.hi
}

// AccessTo is an access to n bytes of memory.
func AccessTo(p mem.Ptr, n uint32, write bool) Access {
	return Access{Obj: p.Obj(), lo: p.Off(), hi: p.Off() + n, Write: write}
}

// OthersAt lists the calls before which other goroutines stand, of a native with a
// name. Each is good up to the next.
func (m *Machine) OthersAt(c *vm.NativeCall, name string) iter.Seq[*vm.NativeCall] {
	return func(yield func(*vm.NativeCall) bool) {
		for _, g := range m.gs {
			if &g.G == c.G {
				continue
			}
			if o, _ := m.StandsAtNative(g); o != nil && o.Func().Native == name && !yield(o) {
				return
			}
		}
	}
}
