package execute

import (
	"strings"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// A TestSystem is a test binary as a transition system. That a test fails is a
// finding of the kind Test, at the call of t.Error or t.Fatal, and the exit code
// 1 with which the binary says so at its end is none.
type TestSystem struct {
	*System
	fail int   // testing.(*common).Fail, -1 if the program does not have it
	main int32 // the file of the generated function main
}

// NewTestSystem starts a test binary.
func NewTestSystem(prog *bytecode.Program, p Process, s Settings) (*TestSystem, error) {
	s.made = prog.Files[prog.Funcs[prog.Main].File]
	sys, err := NewSystem(prog, p, s)
	if err != nil {
		return nil, err
	}
	t := &TestSystem{System: sys, fail: -1, main: int32(prog.Funcs[prog.Main].File)}
	for i := range prog.Funcs {
		if prog.Funcs[i].Name == "testing.(*common).Fail" {
			t.fail = i
		}
	}
	return t, nil
}

// CheckState appends what is wrong with the current state. A test is failing
// while one of its goroutines is inside of Fail, which stops there at a lock that
// all tests share. That is a property of the state, as it has to be. The message
// that the test has logged is output and no part of the state, so it is not told
// here.
func (t *TestSystem) CheckState(dst []diag.Finding) []diag.Finding {
	if t.m.Exit() == nil && t.fail >= 0 && t.settings.Properties.On(Test) {
		for _, g := range t.m.Goroutines() {
			if at, ok := t.failsAt(g); ok {
				dst = t.find(dst, Test, t.posOf(at), "the test fails")
			}
		}
	}
	if e := t.m.Exit(); e != nil && e.Kind == vm.ExitCall && e.Code == 1 && t.harness(e.Where) {
		return dst
	}
	return t.System.CheckState(dst)
}

// failsAt returns where a goroutine is about to mark a test as failed: at the call
// of a function of package testing, or of a helper. A test that panics is marked by
// tRunner itself, on the way to the panic, which is a finding of its own.
func (t *TestSystem) failsAt(g *drive.G) (at bytecode.Line, fails bool) {
	fail, inside := &t.m.Prog.Funcs[t.fail], false
	var frames []called
	t.m.Frames(&g.G, func(f *bytecode.Func, _ int, line bytecode.Line) bool {
		switch {
		case len(frames) > 0:
			frames = append(frames, called{f.Name, line})
		case f == fail: // called by itself for the test that this one is a part of
			inside = true
		case inside && strings.HasPrefix(f.Name, "testing.tRunner"):
			return false
		case inside && f.Pkg != "testing":
			frames = append(frames, called{f.Name, line})
		}
		return true
	})
	if len(frames) == 0 {
		return at, false
	}
	test := &testRecord{m: t.m.Machine, typ: t.m.Type(t.m.Type(fail.ParamT[0]).Elem), at: mem.Ptr(t.m.Receiver(&g.G, fail))}
	return test.destination().site(frames), true
}

// harness reports whether the outermost place is in the generated main, and all
// others in the standard library: it is package testing that exits.
func (t *TestSystem) harness(where []bytecode.Line) bool {
	for _, l := range where {
		if l.File == t.main {
			return true
		}
		if !t.inLibrary(t.m.File(l.File)) {
			return false
		}
	}
	return false
}
