package vm

import (
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// panicInt is code that panics with the int d, boxed.
func (a *asm) panicInt(d int64) []bytecode.Instr {
	return code(
		op(bytecode.OpNew, 11, 0, 0, int64(a.typ(0))),
		op(bytecode.OpConst, 12, 0, 0, d),
		op(bytecode.OpSt64, 11, 12, 0, 0),
		op(bytecode.OpConst, 10, 0, 0, a.word(0)),
		op(bytecode.OpPanic, 0, 10, 0, 0),
	)
}

// noter is func(d): notes d.
func (a *asm) noter() int {
	return a.fn("main.noter", 1, code(note(0), ret)...)
}

// recoverer is func(): notes the recovered int, or 0.
func (a *asm) recoverer() int {
	return a.fn("main.recoverer", 0, code(
		op(bytecode.OpRecover, 1, 0, 0, 0),
		op(bytecode.OpConst, 3, 0, 0, 0),
		op(bytecode.OpJeqi, 0, 1, 0, bytecode.Pack(0, 4)),
		op(bytecode.OpLd64, 3, 2, 0, 0),
		note(3),
		ret)...)
}

// deferInt is code that defers f(d), or f() if d is negative.
func deferInt(f int, d int64) []bytecode.Instr {
	return code(
		op(bytecode.OpConst, 20, 0, 0, d),
		op(bytecode.OpDefer, 20, 0, bytecode.NoReg, int64(f)))
}

func call(f int) bytecode.Instr { return op(bytecode.OpCall, 20, 0, 0, int64(f)) }

var rundefers = op(bytecode.OpRundefers, 0, 0, 0, 0)

func TestDeferOrder(t *testing.T) {
	a := newAsm(t)
	n := a.noter()
	main := a.fn("main.main", 0, code(
		deferInt(n, 1), deferInt(n, 2), deferInt(n, 3),
		noteConst(4), rundefers, noteConst(5), ret)...)
	log, _ := a.run(main)
	wantLog(t, log, 43215)
}

func TestRecover(t *testing.T) {
	a := newAsm(t)
	n, r := a.noter(), a.recoverer()
	f := a.fn("main.f", 0, code(deferInt(n, 1), deferInt(r, 0), deferInt(n, 2), a.panicInt(7))...)
	main := a.fn("main.main", 0, code(call(f), noteConst(3), ret)...)
	log, e := a.run(main)
	if e.Kind != ExitMain {
		t.Fatal(e.Text)
	}
	wantLog(t, log, 2713) // the remaining deferred call runs after the recovery
}

// A recovered function goes on at its Recover code.
func TestRecoverCode(t *testing.T) {
	a := newAsm(t)
	r := a.recoverer()
	body := code(deferInt(r, 0), a.panicInt(7))
	f := a.fn("main.f", 0, code(body, noteConst(8), ret)...)
	a.prog.Funcs[f].Recover = len(body)
	main := a.fn("main.main", 0, code(call(f), noteConst(3), ret)...)
	log, _ := a.run(main)
	wantLog(t, log, 783)
}

// Only the deferred function itself can recover, not one that it calls, nor one
// that it defers; but a wrapper does not count.
func TestWhoRecovers(t *testing.T) {
	a := newAsm(t)
	r := a.recoverer()
	indirect := a.fn("main.indirect", 0, code(call(r), deferInt(r, 0), rundefers, ret)...)
	wrapper := a.fn("main.wrapper", 0, code(call(r), ret)...)
	a.prog.Funcs[wrapper].Wrapper = true
	f := a.fn("main.f", 0, code(deferInt(wrapper, 0), deferInt(indirect, 0), a.panicInt(7))...)
	main := a.fn("main.main", 0, code(call(f), noteConst(3), call(r), ret)...)
	log, e := a.run(main)
	if e.Kind != ExitMain {
		t.Fatal(e.Text)
	}
	wantLog(t, log, 730) // 0 0 7 3 0
}

func TestUncaught(t *testing.T) {
	a := newAsm(t)
	n := a.noter()
	f := a.fn("main.f", 0, code(deferInt(n, 1), a.panicInt(7))...)
	main := a.fn("main.main", 0, code(call(f), ret)...)
	log, e := a.run(main)
	wantLog(t, log, 1)
	if e.Kind != ExitPanic || e.Code != 2 {
		t.Errorf("kind %d code %d", e.Kind, e.Code)
	}
	wantText(t, e.Text, `panic: 7

goroutine 1 [running]:
main.f()
	/src/main.go:7
main.main()
	/src/main.go:1
`)
}

func TestNestedPanics(t *testing.T) {
	a := newAsm(t)
	again := a.fn("main.again", 0, code(
		op(bytecode.OpRecover, 1, 0, 0, 0),
		op(bytecode.OpPanic, 0, 1, 0, 0))...)
	second := a.fn("main.second", 0, a.panicInt(8)...)
	f := a.fn("main.f", 0, code(deferInt(again, 0), deferInt(second, 0), a.panicInt(7))...)
	main := a.fn("main.main", 0, code(call(f), ret)...)
	_, e := a.run(main)
	wantText(t, e.Text, `panic: 7
	panic: 8 [recovered, repanicked]

goroutine 1 [running]:
main.again()
	/src/main.go:2
panic(...)
	runtime/panic.go
main.second()
	/src/main.go:5
panic(...)
	runtime/panic.go
main.f()
	/src/main.go:9
main.main()
	/src/main.go:1
`)
}

// A panic in a deferred call that another deferred call of the same frame
// recovers takes the first panic with it.
func TestReplacedPanicRecovered(t *testing.T) {
	a := newAsm(t)
	r := a.recoverer()
	second := a.fn("main.second", 0, a.panicInt(8)...)
	f := a.fn("main.f", 0, code(deferInt(r, 0), deferInt(second, 0), a.panicInt(7))...)
	main := a.fn("main.main", 0, code(call(f), call(r), noteConst(3), ret)...)
	log, e := a.run(main)
	if e.Kind != ExitMain {
		t.Fatal(e.Text)
	}
	wantLog(t, log, 803)
}

func (a *asm) goexit() int {
	return a.native("runtime.Goexit", 0, 0, func(c *NativeCall) Outcome { return c.Goexit() })
}

func TestGoexit(t *testing.T) {
	a := newAsm(t)
	n, r, exit := a.noter(), a.recoverer(), a.goexit()
	f := a.fn("main.f", 0, code(deferInt(n, 1), deferInt(r, 0), call(exit), noteConst(9))...)
	main := a.fn("main.main", 0, code(deferInt(n, 2), call(f), noteConst(9), rundefers, ret)...)
	log, e := a.run(main)
	wantLog(t, log, 12) // 0 1 2: recover gives nil, and everything deferred runs
	wantText(t, e.Text, "fatal error: no goroutines (main called runtime.Goexit) - deadlock!\n")
}

// A panic during Goexit that is recovered does not stop the Goexit.
func TestGoexitSurvivesRecover(t *testing.T) {
	a := newAsm(t)
	n, r, exit := a.noter(), a.recoverer(), a.goexit()
	boom := a.fn("main.boom", 0, a.panicInt(7)...)
	f := a.fn("main.f", 0, code(deferInt(r, 0), deferInt(boom, 0), call(exit), noteConst(9))...)
	g := a.fn("main.g", 0, code(deferInt(n, 2), call(f), noteConst(9), rundefers, ret)...)
	stop := a.native("main.stop", 0, 0, func(c *NativeCall) Outcome { return Yield })
	main := a.fn("main.main", 0, code(op(bytecode.OpGo, 20, 0, 0, int64(g)), call(stop), call(stop), noteConst(3), ret)...)
	log, e := a.run(main)
	if e.Kind != ExitMain {
		t.Fatal(e.Text)
	}
	wantLog(t, log, 723)
}

// A body of a range over func defers on behalf of the outer function, while the
// iterator between them has deferred calls of its own.
func TestDeferStack(t *testing.T) {
	a := newAsm(t)
	n := a.noter()
	body := a.fn("main.body", 1, code(
		op(bytecode.OpConst, 20, 0, 0, 1),
		op(bytecode.OpDefer, 20, 0, 0, int64(n)),
		op(bytecode.OpConst, 20, 0, 0, 2),
		op(bytecode.OpDefer, 20, 0, 0, int64(n)),
		ret)...)
	iter := a.fn("main.iter", 1, code(
		deferInt(n, 5), op(bytecode.OpMov, 20, 0, 0, 0), call(body),
		noteConst(6), rundefers, ret)...)
	main := a.fn("main.main", 0, code(
		deferInt(n, 3),
		op(bytecode.OpDeferstack, 20, 0, 0, 0), call(iter),
		noteConst(4), rundefers, ret)...)
	log, _ := a.run(main)
	wantLog(t, log, 654213)
}

func TestNilFuncDeferred(t *testing.T) {
	a := newAsm(t)
	r := a.fn("main.r", 0, code(op(bytecode.OpRecover, 1, 0, 0, 0),
		op(bytecode.OpJeqi, 0, 1, 0, bytecode.Pack(0, 7)), noteConst(1), ret)...)
	f := a.fn("main.f", 0, code(
		deferInt(r, 0),
		op(bytecode.OpConst, 8, 0, 0, 0),
		op(bytecode.OpDeferc, 20, 8, bytecode.NoReg, 0),
		noteConst(2), rundefers, ret)...)
	main := a.fn("main.main", 0, code(call(f), noteConst(3), ret)...)
	log, e := a.run(main)
	if e.Kind != ExitMain {
		t.Fatal(e.Text)
	}
	wantLog(t, log, 213)
}

func TestRuntimeErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		code []bytecode.Instr
		want string
	}{
		{"nil", code(op(bytecode.OpConst, 1, 0, 0, 0), op(bytecode.OpLd64, 2, 1, 0, 0)),
			`panic: vm.errorString("invalid memory address or nil pointer dereference")` + "\n[signal SIGSEGV: segmentation violation code=0x1 addr=0x0]"},
		{"divide", code(op(bytecode.OpConst, 1, 0, 0, 0), op(bytecode.OpDiv, 2, 1, 1, 0)),
			`panic: vm.errorString("integer divide by zero")`},
		{"close", code(op(bytecode.OpConst, 8, 0, 0, 0), op(bytecode.OpClose, 0, 8, 0, 0)),
			`panic: vm.plainError("close of nil channel")`},
		{"nilmap", code(op(bytecode.OpTrap, 0, 0, 0, bytecode.TrapNilMap)),
			`panic: vm.plainError("assignment to entry in nil map")`},
	} {
		a := newAsm(t)
		main := a.fn("main.main", 0, c.code...)
		_, e := a.run(main)
		text := e.Text[:max(0, strings.Index(e.Text, "\n\n"))]
		wantText(t, text+"\n", c.want+"\n")
	}
}

// An Error method is called before the value is printed; if that panics the
// program dies of it.
func TestErrorMethod(t *testing.T) {
	for _, bad := range []bool{false, true} {
		a := newAsm(t)
		boxed, str := a.typ(struct{ x int }{}), a.typ("")
		msg := a.fn("main.T.Error", 1, code(
			op(bytecode.OpStr, 8, 0, 0, bytecode.Pack(0, 5)),
			op(bytecode.OpRet2, 0, 8, 0, 0))...)
		if bad {
			msg = a.fn("main.T.Error", 1, a.panicInt(7)...)
		}
		a.prog.Strings = []byte("oh\nno")
		sig := a.typ(func() string { return "" })
		a.prog.Types[sig].Out = []int{str}
		a.prog.Types[boxed].Methods = []bytecode.Method{{Name: "Error", Type: sig, Ifn: msg, Tfn: msg}}
		main := a.fn("main.main", 0, code(
			op(bytecode.OpNew, 11, 0, 0, int64(boxed)),
			op(bytecode.OpConst, 10, 0, 0, int64(bytecode.StaticPtr(bytecode.ObjTypes, a.prog.Types[boxed].Desc))),
			op(bytecode.OpPanic, 0, 10, 0, 0))...)
		_, e := a.run(main)
		want := "panic: oh\n\tno\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:3\n"
		if bad {
			want = "fatal error: panic while printing panic value: type int\n"
			if !strings.HasPrefix(e.Text, want) {
				t.Errorf("got %s, want %s", e.Text, want)
			}
			continue
		}
		wantText(t, e.Text, want)
	}
}

func TestStackOverflow(t *testing.T) {
	a := newAsm(t)
	f := a.fn("main.f", 0)
	a.prog.Funcs[f].Code = code(op(bytecode.OpCall, 8, 0, 0, int64(f)), ret)
	a.prog.Funcs[f].Lines = []bytecode.Line{{Line: 3}}
	_, e := a.run(f)
	if e.Kind != ExitFatal || !strings.HasPrefix(e.Text, "runtime: goroutine stack exceeds 1000000000-byte limit\nfatal error: stack overflow\n\ngoroutine 1 [running") || !strings.Contains(e.Text, "frames elided...\n") {
		t.Errorf("got %.200s", e.Text)
	}
}

// Going back in the middle of a panic and going on again ends the same way.
func TestUndoUnwinding(t *testing.T) {
	a := newAsm(t)
	n, r := a.noter(), a.recoverer()
	stop := a.native("main.stop", 0, 0, func(c *NativeCall) Outcome { return Yield })
	pause := a.fn("main.pause", 0, code(call(stop), ret)...)
	f := a.fn("main.f", 0, code(deferInt(n, 1), deferInt(r, 0), deferInt(pause, 0), deferInt(n, 2), a.panicInt(7))...)
	main := a.fn("main.main", 0, code(call(f), noteConst(3), ret)...)
	m := a.machine(main, Options{})
	m.Start()
	m.step()
	if logOf(m) != 2 {
		t.Fatalf("stopped at %d, want 2", logOf(m))
	}
	k := m.Mark()
	for range 3 {
		if e := m.Run(); e.Kind != ExitMain {
			t.Fatal(e.Text)
		}
		wantLog(t, logOf(m), 2713)
		m.Restore(k)
		wantLog(t, logOf(m), 2)
	}
}
