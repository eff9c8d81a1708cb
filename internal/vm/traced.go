package vm

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// To tell which functions are executed from one moment to the next, all
// instructions of a function are replaced by the opcode cover, as in cover.go. The
// first one to be executed puts all of them back and notes the function.

// Trace makes the machine note which functions it executes from now on. It cannot
// be had together with Cover.
func (m *Machine) Trace() {
	m.traced = &traced{}
	for i := range m.funcs {
		m.arm(i)
	}
}

// A traced has the functions that were executed since they were asked for.
type traced struct{ list []uint32 }

// arm replaces the instructions of a function.
func (m *Machine) arm(i int) {
	f := &m.funcs[i]
	if f.code == nil {
		return
	}
	for pc := range f.f.Code {
		f.at(pc).Op = bytecode.OpCover
	}
}

// disarm puts the instructions of a function back.
func (m *Machine) disarm(i int) {
	f := &m.funcs[i]
	for pc := range f.f.Code {
		f.at(pc).Op = f.f.Code[pc].Op
	}
	m.traced.list = append(m.traced.list, uint32(i))
}

// Traced appends the numbers of the functions that were executed since the last
// call, or since Trace, in the order of their first execution.
func (m *Machine) Traced(dst []uint32) []uint32 {
	if m.traced == nil {
		return dst
	}
	dst = append(dst, m.traced.list...)
	for _, i := range m.traced.list {
		m.arm(int(i))
	}
	m.traced.list = m.traced.list[:0]
	return dst
}

// Standing appends the numbers of the functions that goroutines are in the middle of,
// in no order, each once.
func (m *Machine) Standing(dst []uint32) []uint32 {
	from := len(dst)
	for g := range m.driver.Goroutines {
		for i := range g.frames[:g.depth] {
			if fn := uint32(g.frames[i].fn); !slices.Contains(dst[from:], fn) {
				dst = append(dst, fn)
			}
		}
	}
	return dst
}
