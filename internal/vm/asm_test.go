package vm

import (
	"reflect"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// An asm is a program made by hand. Its global 0 is an int, a log of decimal
// digits to which note appends.
type asm struct {
	t       testing.TB
	w       *world
	prog    *bytecode.Program
	natives map[string]Native
}

// Doubles of package runtime's types.
type (
	errorString string
	plainError  string
	boundsError struct {
		x      int64
		y      int
		signed bool
		code   uint8
	}
	assertError struct {
		a, b, c *int
		m       string
	}
	panicNil struct{ _ [0]*int }
)

func newAsm(t testing.TB) *asm {
	a := &asm{t: t, natives: map[string]Native{}}
	a.w = &world{t: t, index: map[reflect.Type]int{}}
	a.prog = &bytecode.Program{TypeImage: make([]byte, 64), Files: []string{"/src/main.go"}}
	a.typ(0)
	a.prog.Globals = []bytecode.Global{{Name: "main.log", Type: a.typ(0)}}
	a.prog.Runtime = bytecode.RuntimeTypes{
		ErrorString: a.typ(errorString("")), PlainError: a.typ(plainError("")),
		BoundsError: a.typ(boundsError{0, 0, false, 0}), TypeAssertion: a.typ(assertError{nil, nil, nil, ""}),
		TypeAssertionPtr: a.typ(&assertError{}), PanicNil: a.typ(&panicNil{}), AddressError: -1,
	}
	for _, v := range []any{errorString(""), plainError("")} {
		a.prog.Types[a.typ(v)].PkgPath = "runtime"
	}
	return a
}

func (a *asm) typ(v any) int { return a.w.typ(a.prog, reflect.TypeOf(v)) }

// word is the type word of an interface that holds a value of v's type.
func (a *asm) word(v any) int64 {
	return int64(bytecode.StaticPtr(bytecode.ObjTypes, a.prog.Types[a.typ(v)].Desc))
}

// fn adds a function. Its frame has 32 words; instruction i is on line i+1.
func (a *asm) fn(name string, params int, code ...bytecode.Instr) int {
	f := bytecode.Func{
		Name: name, Params: uint16(params), Frame: 32, Recover: -1, Code: code, Recv: -1, Sig: -1,
	}
	for range params {
		f.ParamT = append(f.ParamT, a.typ(0))
	}
	for i := range code {
		f.Lines = append(f.Lines, bytecode.Line{PC: int32(i), Line: int32(i + 1)})
	}
	// Registers 8 up to 15 hold pointers, by convention of these tests.
	f.Maps = []bytecode.Map{{Live: []uint64{0xffffffff}, Ptrs: []uint64{0}}}
	for i := range code {
		if bytecode.Ops[code[i].Op].Flags&bytecode.Point != 0 || i == 0 {
			f.Points = append(f.Points, bytecode.Safepoint{PC: int32(i)})
		}
	}
	a.prog.Funcs = append(a.prog.Funcs, f)
	return len(a.prog.Funcs) - 1
}

// native adds a native function.
func (a *asm) native(name string, params, results int, n Native) int {
	i := a.fn(name, params, bytecode.Instr{})
	f := &a.prog.Funcs[i]
	f.Native, f.Code, f.Results, f.Points, f.Lines = name, nil, uint16(results), nil, nil
	a.natives[name] = n
	return i
}

// machine makes a machine that runs function main.
func (a *asm) machine(main int, opts Options) *Machine {
	a.t.Helper()
	a.prog.Entry = a.fn("runtime.main", 0, op(bytecode.OpCall, 0, 0, 0, int64(main)), op(bytecode.OpRet, 0, 0, 0, 0))
	a.prog.Main = main
	m, err := New(a.prog, a.natives, opts)
	if err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(func() { m.Heap.Close() })
	return m
}

// run runs function main to its end and returns the log.
func (a *asm) run(main int) (int, *Exit) {
	a.t.Helper()
	m := a.machine(main, Options{})
	e := m.Run()
	return logOf(m), e
}

func logOf(m *Machine) int {
	v, _ := m.Heap.Load64(mem.MakePtr(bytecode.GlobalBase, 0))
	return int(v)
}

func op(o bytecode.Op, a, b, c int, imm int64) bytecode.Instr {
	return bytecode.Instr{Op: o, A: uint16(a), B: uint16(b), C: uint16(c), Imm: imm}
}

var logPtr = int64(bytecode.StaticPtr(bytecode.GlobalBase, 0))

// note appends the digit in register r to the log. It uses registers 30 and 31.
func note(r int) []bytecode.Instr {
	return []bytecode.Instr{
		op(bytecode.OpLdg64, 30, 0, 0, logPtr),
		op(bytecode.OpMuli, 30, 30, 0, 10),
		op(bytecode.OpAdd, 30, 30, r, 0),
		op(bytecode.OpStg64, 0, 30, 0, logPtr),
	}
}

// noteConst appends a digit.
func noteConst(d int64) []bytecode.Instr {
	return append([]bytecode.Instr{op(bytecode.OpConst, 31, 0, 0, d)}, note(31)...)
}

// code joins instructions and lists of them.
func code(parts ...any) (c []bytecode.Instr) {
	for _, p := range parts {
		switch p := p.(type) {
		case bytecode.Instr:
			c = append(c, p)
		case []bytecode.Instr:
			c = append(c, p...)
		}
	}
	return c
}

func wantLog(t *testing.T, got, want int) {
	t.Helper()
	if got != want {
		t.Errorf("log is %d, want %d", got, want)
	}
}

// wantText compares a text, in which "+0x" offsets are left out.
func wantText(t *testing.T, got, want string) {
	t.Helper()
	var b strings.Builder
	for line := range strings.Lines(got) {
		if i := strings.Index(line, " +0x"); i >= 0 {
			line = line[:i] + "\n"
		}
		if i := strings.Index(line, " pc=0x"); i >= 0 {
			line = line[:i] + "]\n"
		}
		b.WriteString(line)
	}
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
