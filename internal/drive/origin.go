package drive

import (
	"encoding/binary"
	"strings"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/vm"
)

// Who looks for a fault looks at code of his own. So of an access that the standard library does it is known from where it was
// called, and of a goroutine which go statement of his it comes from:
//
//	user's code  a_test.go:8  b.WriteString("x")       ◄── where it is told
//	the library  bytes.(*Buffer).WriteString           ◄── what is said to do it
//	the library  bytes.(*Buffer).tryGrowByReslice      ◄── the access
//
// None of that belongs to the state, but for one thing: what goes wrong in a goroutine that the user has started with a function of
// the library, as in go wg.Done(), is told at the go statement. Which that is must not depend on the order of a search.

// A Frame is where a function stands.
type Frame struct{ fn, pc int32 }

// An origin is where a goroutine stood when it did something.
type origin struct {
	own    Frame   // the innermost frame of the user's code; fn is -1 if there is none
	callee int32   // the outermost function of the library inside of that; -1 if there is none
	stack  []Frame // all frames, the innermost first, if Options.Stacks
}

// origins holds each origin once. They have numbers from 1 on.
type origins struct {
	list  []origin
	known map[[3]int32]int32
	full  map[string]int32 // with Options.Stacks: by stack
	files []bool           // which files are the user's own
	room  []Frame
}

// ownFiles tells of each file of a program whether it is the user's: not of the standard library, nor made by the go command.
func ownFiles(prog *bytecode.Program, library []bool, test bool) []bool {
	files := make([]bool, len(prog.Files))
	for i := range files {
		files[i] = !library[i] && !strings.Contains(prog.Files[i], "/golang.org/x/sys@") && !(test && prog.Main >= 0 && i == prog.Funcs[prog.Main].File)
	}
	return files
}

// originOf returns the number of where g stands. Native is the function that it is calling which has no frame, -1 if there is none.
func (m *Machine) originOf(g *G, native int32) int32 {
	t := &m.origins
	o := origin{own: Frame{fn: -1}, callee: native}
	t.room = t.room[:0]
	if native >= 0 {
		t.room = append(t.room, Frame{fn: native})
	}
	frames := g.Frames()
	for i := len(frames) - 1; i >= 0; i-- {
		fr := &frames[i]
		f := &m.funcs[fr.Func()]
		switch {
		case f.f.Wrapper:
			continue
		case o.own.fn >= 0:
		case f.own:
			o.own = Frame{fr.Func(), fr.PC()}
			if !m.opts.Stacks {
				i = 0
			}
		default:
			o.callee = fr.Func()
		}
		t.room = append(t.room, Frame{fr.Func(), fr.PC()})
	}
	if m.opts.Stacks {
		return t.keepStack(o)
	}
	key := [3]int32{o.own.fn, o.own.pc, o.callee}
	n, ok := t.known[key]
	if !ok {
		if t.known == nil {
			t.known = make(map[[3]int32]int32)
		}
		t.list = append(t.list, o)
		n = int32(len(t.list))
		t.known[key] = n
	}
	return n
}

// keepStack returns the number of an origin with the stack in the room.
func (t *origins) keepStack(o origin) int32 {
	key := make([]byte, 0, 8*len(t.room))
	for _, fr := range t.room {
		key = binary.LittleEndian.AppendUint64(key, uint64(fr.fn)<<32|uint64(uint32(fr.pc)))
	}
	n, ok := t.full[string(key)]
	if !ok {
		if t.full == nil {
			t.full = make(map[string]int32)
		}
		o.stack = append([]Frame(nil), t.room...)
		t.list = append(t.list, o)
		n = int32(len(t.list))
		t.full[string(key)] = n
	}
	return n
}

// from returns the number of where a plain access of g comes from, 0 if its own function is the user's and that is all to know.
func (m *Machine) from(g *G, fn int32) int32 {
	if !m.opts.Stacks && m.funcs[fn].own {
		return 0
	}
	return m.originOf(g, -1)
}

// fromOp does the same for an operation. Whether that has a frame depends on whether it was stopped at.
func (m *Machine) fromOp(g *G) int32 {
	fr := g.Top()
	f, native := &m.funcs[fr.Func()], int32(-1)
	if !f.native {
		in := &f.f.Code[fr.PC()]
		if in.Op != bytecode.OpCall {
			return 0
		}
		native = int32(in.Imm)
		f = &m.funcs[native]
	}
	if f.op == nil || !f.op.Row.Atomic {
		return 0 // nobody asks: see atomicOp
	}
	return m.originOf(g, native)
}

// made notes where a goroutine was started, and which go statement of the user's it comes from.
func (m *Machine) made(g, by *G) {
	if by == nil {
		return
	}
	g.made = m.originOf(by, -1)
	if g.start = g.made; m.origins.list[g.made-1].own.fn < 0 {
		g.start = by.start
	}
}

// startsLibrary returns the go statement of the user's that has started g, if that was with a function of the library.
func (m *Machine) startsLibrary(g *G) (at Frame, ok bool) {
	if k := &m.funcs[g.entry]; g.made == 0 || k.own || k.f.Wrapper {
		return at, false
	}
	o := &m.origins.list[g.made-1]
	return o.own, o.own.fn >= 0 && o.callee < 0
}

// StartOf returns the line of the user's code at which a goroutine was started, or the library that has started it.
func (m *Machine) StartOf(g *G) (line bytecode.Line, ok bool) {
	if g.start == 0 {
		return line, false
	}
	return m.lineAt(m.origins.list[g.start-1].own)
}

func (m *Machine) lineAt(fr Frame) (line bytecode.Line, ok bool) {
	if fr.fn < 0 {
		return line, false
	}
	return vm.LineAt(m.funcs[fr.fn].f, int(fr.pc)), true
}

// OwnLine returns the line of the user's code from which an access of g comes, and the function of the library that has done it,
// nil if the user's code has done it itself. If g has no frame of the user's, the line is that at which it was started. If nothing
// is known of that, it is the line of the access itself.
func (m *Machine) OwnLine(g *G, a Access) (line bytecode.Line, in *bytecode.Func) {
	if a.from > 0 {
		o := &m.origins.list[a.from-1]
		line, ok := m.lineAt(o.own)
		if !ok {
			line, ok = m.StartOf(g)
		}
		if ok && o.callee >= 0 {
			in = m.funcs[o.callee].f
		}
		if ok {
			return line, in
		}
	}
	_, line = m.AccessLine(a)
	return line, nil
}

// StackOf returns the frames of an access, the innermost first, nil if they were not noted: see Options.Stacks.
func (m *Machine) StackOf(a Access) []Frame { return m.origins.stack(a.from) }

// StartStackOf returns the frames of the go statement that has started a goroutine, nil if they are not known.
func (m *Machine) StartStackOf(g *G) []Frame { return m.origins.stack(g.made) }

func (t *origins) stack(n int32) []Frame {
	if n == 0 {
		return nil
	}
	return t.list[n-1].stack
}

// FramesOf returns the frames of a goroutine as it stands, the innermost first.
func (m *Machine) FramesOf(g *G) (list []Frame) {
	frames := g.Frames()
	for i := len(frames) - 1; i >= 0; i-- {
		if fr := &frames[i]; !m.funcs[fr.Func()].f.Wrapper {
			list = append(list, Frame{fr.Func(), fr.PC()})
		}
	}
	return list
}

// EndedBy returns the goroutine that has ended the program and its frames then, nil if that was nobody.
func (m *Machine) EndedBy() (g *G, frames []Frame) {
	e := m.Exit()
	if e == nil || e.By == nil {
		return nil, nil
	}
	for _, p := range e.Stack {
		frames = append(frames, Frame{p.Func, p.PC})
	}
	return of(e.By), frames
}

// At returns function and line of a frame, and whether it is the user's.
func (m *Machine) At(fr Frame) (f *bytecode.Func, line bytecode.Line, own bool) {
	k := &m.funcs[fr.fn]
	return k.f, vm.LineAt(k.f, int(fr.pc)), k.own
}

// placeExit adds to the places of an end, if none of them is the user's, the one at which the goroutine was started.
func (m *Machine) placeExit(g *G) {
	e := m.Exit()
	if e == nil || e.Kind != vm.ExitPanic && e.Kind != vm.ExitFatal && e.Kind != vm.ExitCall || g.System() {
		return
	}
	for _, l := range e.Where {
		if l.File >= 0 && int(l.File) < len(m.origins.files) && m.origins.files[l.File] {
			return
		}
	}
	if line, ok := m.StartOf(g); ok {
		own := *e
		own.Where = append(append([]bytecode.Line(nil), e.Where...), line)
		m.SetExit(&own)
	}
}
