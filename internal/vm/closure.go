package vm

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// opMkclosure makes a func value: an object with the code word of the function
// and then the captured words.
func (m *Machine) opMkclosure(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	p := m.newClosure(int(in.Imm), unsafe.Slice(word(fp, in.B), in.C))
	if p == 0 {
		return m.outOfMemory(g)
	}
	*word(fp, in.A) = uint64(p)
	return next
}

// newClosure makes a func value of function fn, or returns 0 if memory is
// exhausted.
func (m *Machine) newClosure(fn int, free []uint64) mem.Ptr {
	size := uint64(8 + 8*len(free))
	p, ok := m.alloc(m.closureShape(fn), size)
	if !ok {
		return 0
	}
	words := unsafe.Slice((*uint64)(m.Heap.Write(p, uint32(size))), len(free)+1)
	words[0] = bytecode.CodeWord(fn)
	copy(words[1:], free)
	m.Heap.FixNew(p)
	return p
}

// NewClosure makes a func value of function fn over captured words, as many as
// the function's FreeMap says.
func (m *Machine) NewClosure(fn int, free []uint64) mem.Ptr {
	p := m.newClosure(fn, free)
	if p == 0 {
		m.rt.oom = true
		m.pollSoon()
	}
	return p
}
