package vm

import "github.com/heddle-mc/heddle/internal/bytecode"

// To follow a program line by line, the instructions at which lines begin are replaced by the opcode cover, as
// in cover.go. Executing one tells the watcher and puts the instruction back until the next of them is executed. So a line that is
// a loop of its own is told once.

// A watch is what is watched.
type watch struct {
	visit  func(g *G, fn, pc int)
	fn, pc int // what is put back now, if it is not -1
}

// WatchLines makes the machine call visit before a line of some functions is executed, from now on. Visit must not change
// anything. It cannot be had together with Cover or Trace.
func (m *Machine) WatchLines(which func(f *bytecode.Func) bool, visit func(g *G, fn, pc int)) {
	m.watch = &watch{visit: visit, fn: -1}
	for i := range m.funcs {
		f := &m.funcs[i]
		if f.code == nil || !which(f.f) {
			continue
		}
		for _, pc := range linePCs(f.f) {
			f.at(pc).Op = bytecode.OpCover
		}
	}
}

// LinesAgain makes the next line be told whatever was told last.
func (m *Machine) LinesAgain() {
	if w := m.watch; w != nil && w.fn >= 0 {
		m.funcs[w.fn].at(w.pc).Op = bytecode.OpCover
		w.fn = -1
	}
}

// linePCs lists the instructions at which lines begin. To a place in the middle of one somebody may jump from elsewhere; but what the code
// before it is about says nothing of a place without a line of its own.
func linePCs(f *bytecode.Func) (list []int) {
	targets := make(map[int]bool)
	for i := range f.Code {
		in := &f.Code[i]
		switch bytecode.Ops[in.Op].Pattern[3] {
		case "t":
			targets[int(in.Imm)] = true
		case "ct":
			targets[int(in.Lo())] = true
		}
	}
	last := int32(0)
	for _, l := range f.Lines {
		if l.Line > 0 && int(l.PC) < len(f.Code) && (l.Line != last || targets[int(l.PC)]) {
			list, last = append(list, int(l.PC)), l.Line
		}
	}
	return list
}

// visited tells of an instruction that is about to be executed.
func (m *Machine) visited(g *G, fr *Frame) {
	w := m.watch
	m.LinesAgain()
	w.fn, w.pc = int(fr.fn), int(fr.pc)
	m.funcs[w.fn].at(w.pc).Op = m.funcs[w.fn].f.Code[w.pc].Op
	w.visit(g, w.fn, w.pc)
}
