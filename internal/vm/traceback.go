package vm

import (
	"sort"
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// How many frames of a long stack are printed at its top and at its bottom.
const (
	innerFrames = 50
	outerFrames = 50
)

// LineAt returns the position of an instruction of a function, that of its
// declaration if it has no code.
func LineAt(f *bytecode.Func, pc int) bytecode.Line {
	i := sort.Search(len(f.Lines), func(i int) bool { return int(f.Lines[i].PC) > pc })
	for i--; i >= 0; i-- {
		if f.Lines[i].Line > 0 {
			return f.Lines[i]
		}
	}
	return bytecode.Line{File: int32(f.File), Line: int32(f.Line)}
}

// Frames calls yield for each frame of a goroutine, the top one first, until it
// returns false. Wrappers are left out.
func (m *Machine) Frames(g *G, yield func(f *bytecode.Func, pc int, line bytecode.Line) bool) {
	m.walk(g, func(fr *Frame) bool {
		f := m.funcs[fr.fn].f
		return f.Wrapper || yield(f, int(fr.pc), LineAt(f, int(fr.pc)))
	})
}

// Receiver returns the first parameter of the outermost of the innermost frames of g that all belong to one function, 0 if there is none such.
func (m *Machine) Receiver(g *G, f *bytecode.Func) (w uint64) {
	inside := false
	m.walk(g, func(fr *Frame) bool {
		if m.funcs[fr.fn].f == f {
			inside, w = true, g.stack[fr.base]
		}
		return !inside || m.funcs[fr.fn].f == f || m.funcs[fr.fn].f.Wrapper
	})
	return w
}

func (m *Machine) walk(g *G, yield func(fr *Frame) bool) {
	for i := g.depth - 1; i >= 0; i-- {
		if !yield(&g.frames[i]) {
			return
		}
	}
}

// file is the name of a source file.
func (m *Machine) file(i int32) string {
	if int(i) < len(m.Prog.Files) {
		return m.Prog.Files[i]
	}
	return "?"
}

// place prints a position as tracebacks do.
func (m *Machine) place(line bytecode.Line, pc int) string {
	s := m.file(line.File) + ":" + strconv.Itoa(int(line.Line))
	if pc > 0 {
		s += " +0x" + strconv.FormatInt(int64(pc), 16)
	}
	return s
}

// shown reports whether Go's tracebacks show a function.
func shown(name string) bool {
	rest, ok := strings.CutPrefix(name, "runtime.")
	if !ok {
		return strings.Contains(name, ".")
	}
	recv := ""
	if i := strings.LastIndexByte(rest, '.'); i >= 0 {
		recv, rest = strings.Trim(rest[:i], "(*)"), rest[i+1:]
	}
	upper := func(s string) bool { return s != "" && 'A' <= s[0] && s[0] <= 'Z' }
	return upper(rest) && (recv == "" || upper(recv))
}

// trace calls yield for each frame that a traceback shows, and for the place of
// a panic between a deferred call and the frame that panicked.
func (m *Machine) trace(g *G, all bool, yield func(fr *Frame, panics bool)) (n int) {
	m.walk(g, func(fr *Frame) bool {
		f := m.funcs[fr.fn].f
		if !f.Wrapper && (all || shown(f.Name)) {
			yield(fr, false)
			n++
		}
		if fr.kind == kindPanic && n > 0 {
			yield(fr, true)
			n++
		}
		return true
	})
	return n
}

// gopanic is the function of package runtime that calls the deferred functions
// of a panic. The machine does not execute it, but programs have it for its name
// and place.
const gopanic = "runtime.gopanic"

// goexitFunc is the function of package runtime that a goroutine's first function
// returns to. It is not executed either; who walks a stack expects it below all
// others.
const goexitFunc = "runtime.goexit"

// panicPlace is where gopanic calls deferred functions.
func (m *Machine) panicPlace() string {
	i := m.FuncIndex(gopanic)
	if i < 0 {
		return "runtime/panic.go"
	}
	return m.place(LineAt(m.funcs[i].f, 0), 0)
}

// arguments is what tracebacks print behind the name of a function.
func arguments(f *bytecode.Func) string {
	if len(f.ParamT) == 0 {
		return "()"
	}
	return "(...)"
}

// appendStack appends the traceback of a goroutine, without its header.
func (m *Machine) appendStack(b []byte, g *G) []byte {
	all := false
	n := m.trace(g, all, func(*Frame, bool) {})
	if n == 0 {
		all = true
		n = m.trace(g, all, func(*Frame, bool) {})
	}
	i := 0
	m.trace(g, all, func(fr *Frame, panics bool) {
		switch i++; {
		case n > innerFrames+outerFrames && i > innerFrames && i <= n-outerFrames:
			if i == innerFrames+1 {
				b = append(b, "..."+strconv.Itoa(n-innerFrames-outerFrames)+" frames elided...\n"...)
			}
		case panics:
			b = append(b, "panic(...)\n\t"+m.panicPlace()+"\n"...)
		default:
			f := m.funcs[fr.fn].f
			b = append(b, f.Name+arguments(f)+"\n\t"+m.place(LineAt(f, int(fr.pc)), int(fr.pc))+"\n"...)
		}
	})
	if g.Parent != 0 && g.ID != 1 {
		f := m.funcs[g.GoFn].f
		b = append(b, "created by "+f.Name+" in goroutine "+strconv.Itoa(g.Parent)+"\n"...)
		b = append(b, "\t"+m.place(LineAt(f, int(g.GoPC)), int(g.GoPC))+"\n"...)
	}
	return b
}

// appendGoroutine appends a goroutine's header and traceback.
func (m *Machine) appendGoroutine(b []byte, g *G) []byte {
	status := "running"
	switch {
	case g.status == gWaiting:
		status = g.wait.Reason
	case g != m.cur:
		status = m.driver.Status(g)
	}
	// The main goroutine is locked while packages are initialised. A panic that
	// ends the program has unlocked it: that is a deferred call below them.
	dying := len(g.panics) > 0 && g.panics[0].printing
	if g.ID == 1 && g.depth > 0 && !m.inMain(g) && !dying {
		status += ", locked to thread"
	}
	if g.member.bubble != 0 {
		if m.durable(g) && !strings.HasSuffix(status, "(durable)") {
			status += " (durable)"
		}
		status += ", synctest bubble " + strconv.Itoa(g.Bubble())
	}
	b = append(b, "goroutine "+strconv.Itoa(g.ID)+" ["+status+"]:\n"...)
	return m.appendStack(b, g)
}

// inMain reports whether the main goroutine is past the package initialisers.
func (m *Machine) inMain(g *G) bool {
	for i := range g.frames[:min(g.depth, 2)] {
		if int(g.frames[i].fn) == m.Prog.Main {
			return true
		}
	}
	return false
}

// appendOthers appends all goroutines that programs know of, but one.
func (m *Machine) appendOthers(b []byte, but *G) []byte {
	for g := range m.driver.Goroutines {
		if g != but && g.status != gDead && !g.system {
			b = append(b, '\n')
			b = m.appendGoroutine(b, g)
		}
	}
	return b
}

// Places returns the lines at which the frames of g stand, the innermost first.
func (m *Machine) Places(g *G) []bytecode.Line {
	var lines []bytecode.Line
	m.Frames(g, func(f *bytecode.Func, pc int, line bytecode.Line) bool {
		lines = append(lines, line)
		return true
	})
	return lines
}

// Stack returns what runtime.Stack does: the traceback of g, and of all other
// goroutines if asked for.
func (m *Machine) Stack(g *G, all bool) []byte {
	b := m.appendGoroutine(nil, g)
	if all {
		b = m.appendOthers(b, g)
	}
	return b
}
