package vm

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// To see which instructions are executed, each one is replaced by the
// opcode cover in the machine's own copy of the code. Executing that puts the
// instruction back, so that it costs something only the first time.

// A covering is what is noted, or told, of what is executed.
type covering struct {
	watch   *watch  // nil unless lines are told: see WatchLines
	traced  *traced // nil unless functions are noted: see Trace
	watched []int32 // functions whose instructions are noted: see Cover
}

// Cover makes the machine note which instructions of some functions it executes from now on.
func (m *Machine) Cover(which func(f *bytecode.Func) bool) {
	m.watched = nil
	for i := range m.funcs {
		f := &m.funcs[i]
		if f.code == nil || !which(f.f) {
			continue
		}
		m.watched = append(m.watched, int32(i))
		for pc := range f.f.Code {
			f.at(pc).Op = bytecode.OpCover
		}
	}
}

// at is an instruction of the machine's copy of the code.
func (f *fn) at(pc int) *bytecode.Instr {
	return (*bytecode.Instr)(unsafe.Add(f.code, pc*16))
}

func (m *Machine) opCover(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	fr := &g.frames[g.depth-1]
	if m.watch != nil {
		m.visited(g, fr)
		return reload
	}
	if m.traced != nil {
		m.disarm(int(fr.fn))
		return reload
	}
	f := &m.funcs[fr.fn]
	in.Op = f.f.Code[fr.pc].Op
	return reload
}

// Covered calls yield for each of the functions, and each of its lines with an instruction that was
// executed since Cover.
func (m *Machine) Covered(yield func(line bytecode.Line)) {
	for _, i := range m.watched {
		f := &m.funcs[i]
		last := bytecode.Line{File: int32(f.f.File), Line: int32(f.f.Line)}
		lines, told := f.f.Lines, false
		for pc := range f.f.Code {
			for len(lines) > 0 && int(lines[0].PC) <= pc {
				if lines[0].Line > 0 {
					last, told = lines[0], false
				}
				lines = lines[1:]
			}
			if !told && f.at(pc).Op != bytecode.OpCover {
				yield(last)
				told = true
			}
		}
	}
}

// Entered reports whether one of the functions of a name was executed since Cover, or is none of those that are noted.
func (m *Machine) Entered(name string) bool {
	known, executed := m.noted(name)
	return executed || !known
}

// Executed reports whether one of the functions of a name is noted and was executed since Cover.
func (m *Machine) Executed(name string) bool {
	_, executed := m.noted(name)
	return executed
}

func (m *Machine) noted(name string) (known, executed bool) {
	for _, i := range m.watched {
		if f := &m.funcs[i]; f.f.Name == name {
			known, executed = true, executed || f.at(0).Op != bytecode.OpCover
		}
	}
	return known, executed
}
