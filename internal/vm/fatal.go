package vm

import (
	"strings"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/diag"
)

// exitCrash is the exit code of a Go program that panics or fails.
const exitCrash = 2

// fatal ends the program with an error that cannot be recovered. The traceback
// lists g first, then all others.
func (m *Machine) fatal(g *G, msg string) status {
	return m.fatalText(g, "", msg)
}

// fatalText is fatal with lines to be printed before the error.
func (m *Machine) fatalText(g *G, before, msg string) status {
	b := []byte(before)
	if g != nil && len(g.panics) > 0 {
		m.markRepanicked(g)
		b = append(m.appendPanics(b, g), '\t')
	}
	b = append(b, "fatal error: "+indent(msg)+"\n"...)
	if g != nil {
		b = append(b, '\n')
		b = m.appendGoroutine(b, g)
	}
	b = m.appendOthers(b, g)
	m.exit = &Exit{Code: exitCrash, Kind: ExitFatal, Text: string(b), Msg: "fatal error: " + msg, Where: m.where(g), By: g, Stack: m.stackOf(g)}
	return halt
}

// where returns the places of g's frames, for those who want to tell where the
// program ended. A native is left out: it has a frame only if it was stopped there.
func (m *Machine) where(g *G) []bytecode.Line {
	if g == nil {
		return nil
	}
	lines := m.Places(g)
	if g.depth > 1 && len(lines) > 1 && m.funcs[g.frames[g.depth-1].fn].code == nil {
		lines = lines[1:]
	}
	return lines
}

// maxStack is of how many frames an end tells, as tracebacks do.
const maxStack = 100

// stackOf returns the frames of g, but for those of functions that the compiler made.
func (m *Machine) stackOf(g *G) (list []Place) {
	if g == nil {
		return nil
	}
	for i := g.depth - 1; i >= 0; i-- {
		if fr := &g.frames[i]; !m.funcs[fr.fn].f.Wrapper {
			list = append(list, Place{fr.fn, fr.pc})
		}
		if len(list) == maxStack/2 && i > maxStack/2 {
			i = maxStack / 2
		}
	}
	return list
}

// indent keeps a message from looking like a part of the traceback.
func indent(s string) string { return strings.ReplaceAll(s, "\n", "\n\t") }

// deadlock ends a program in which nothing can happen any more.
func (m *Machine) deadlock() {
	for g := range m.driver.Goroutines {
		if g.status != gDead && !g.system {
			m.fatal(nil, "all goroutines are asleep - deadlock!")
			return
		}
	}
	m.fatal(nil, "no goroutines (main called runtime.Goexit) - deadlock!")
}

// stackOverflow ends a program whose goroutine needs too much stack.
func (m *Machine) stackOverflow(g *G) status {
	g.panics = nil
	return m.fatalText(g, "runtime: goroutine stack exceeds 1000000000-byte limit\n", "stack overflow")
}

// outOfMemory ends a program that needs more heap than it may have.
func (m *Machine) outOfMemory(g *G) status {
	if m.Heap.Refused() {
		return m.Unsupported(g, "more memory than there is for all states on a path")
	}
	return m.fatal(g, "runtime: out of memory")
}

// Unsupported ends the run because the machine lacks what the program needs.
func (m *Machine) Unsupported(g *G, what string) status {
	return m.unsupportedFor(g, nil, what)
}

// unsupportedFor does that and names the innermost place that is in none of some packages, if there is one.
func (m *Machine) unsupportedFor(g *G, beneath map[string]bool, what string) status {
	var pos diag.Pos
	if g != nil {
		m.Frames(g, func(f *bytecode.Func, pc int, line bytecode.Line) bool {
			below := beneath[f.Pkg]
			if !below || pos == (diag.Pos{}) {
				pos = diag.Pos{File: m.file(line.File), Line: int(line.Line), Col: int(line.Col)}
			}
			return below
		})
	}
	err := diag.RunUnsupportedf(pos, "%s", what)
	m.exit = &Exit{Code: err.ExitCode(), Kind: ExitUnsupported, Text: err.Error() + "\n", Msg: err.Error(), Cause: err}
	return halt
}

// missing ends the run because a native was not supplied.
func (m *Machine) missing(g *G, f *bytecode.Func) status {
	return m.Unsupported(g, "call of "+f.Name+", which has no Go body and no intrinsic")
}

// Fatal ends the program with an error that cannot be recovered.
func (c *NativeCall) Fatal(msg string) Outcome {
	c.M.fatal(c.G, msg)
	return Jumped
}

// Unsupported ends the run because the machine lacks what the program needs.
func (c *NativeCall) Unsupported(what string) Outcome {
	c.M.Unsupported(c.G, what)
	return Jumped
}

// UnsupportedFor does that and names the innermost place that is in none of some packages.
func (c *NativeCall) UnsupportedFor(beneath map[string]bool, what string) Outcome {
	c.M.unsupportedFor(c.G, beneath, what)
	return Jumped
}

// Incomplete ends the run because what is outside of the machine cannot be
// followed any further.
func (c *NativeCall) Incomplete(err error) Outcome {
	c.M.exit = &Exit{Code: diag.ExitCode(err), Kind: ExitUnsupported, Text: err.Error() + "\n", Msg: err.Error(), Cause: err}
	return Jumped
}

// Exit ends the program as os.Exit does.
func (c *NativeCall) Exit(code int) Outcome {
	c.M.exit = &Exit{Code: code, Kind: ExitCall, Where: c.M.where(c.G), By: c.G, Stack: c.M.stackOf(c.G)}
	return Jumped
}
