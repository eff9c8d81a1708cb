package vm

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// To see which instructions are executed, each one is replaced by the
// opcode cover in the machine's own copy of the code. Executing that puts the
// instruction back, so that it costs something only the first time.

// Cover makes the machine note which instructions it executes from now on.
func (m *Machine) Cover() {
	for i := range m.funcs {
		f := &m.funcs[i]
		for pc := range f.f.Code {
			if f.code != nil {
				f.at(pc).Op = bytecode.OpCover
			}
		}
	}
}

// at is an instruction of the machine's copy of the code.
func (f *fn) at(pc int) *bytecode.Instr {
	return (*bytecode.Instr)(unsafe.Add(f.code, pc*16))
}

func (m *Machine) opCover(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	fr := &g.frames[g.depth-1]
	if m.traced != nil {
		m.disarm(int(fr.fn))
		return reload
	}
	f := &m.funcs[fr.fn]
	in.Op = f.f.Code[fr.pc].Op
	return reload
}

// Covered calls yield for each function and each of its instructions that was
// executed since Cover.
func (m *Machine) Covered(yield func(f *bytecode.Func, pc int)) {
	for i := range m.funcs {
		f := &m.funcs[i]
		for pc := range f.f.Code {
			if f.code != nil && f.at(pc).Op != bytecode.OpCover {
				yield(f.f, pc)
			}
		}
	}
}
