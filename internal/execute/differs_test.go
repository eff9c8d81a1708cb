package execute

import (
	"bytes"
	"testing"
)

// TestDiffers pins where a program can see that it does not run natively and is
// not refused either: the sections of docs/LIMITS.md under "Differences".
func TestDiffers(t *testing.T) {
	for _, c := range []struct{ name, program, want string }{
		{"allocations", `import "testing"
var sink *int
func main() { println(int(testing.AllocsPerRun(10, func() { sink = new(int) }))) }`, "0\n"},
		{"buildinfo", `import "runtime/debug"
func main() { _, ok := debug.ReadBuildInfo(); println(ok) }`, "false\n"},
		{"finalizers", `import "runtime"
type t struct{ p [1 << 16]byte; q *int }
func main() {
	n := 0
	for i := 0; i < 2000; i++ { runtime.SetFinalizer(&t{q: &n}, func(x *t) { *x.q++ }) }
	runtime.Gosched()
	println(n)
	runtime.GC()
	runtime.Gosched()
	println(n >= 1999)
}`, "0\ntrue\n"},
		{"conversions", `import ("runtime"; "weak")
var (
	text  = []byte("text that is longer than what is allocated together with others")
	again = &*&[64]byte{}
)
func main() {
	w, v := weak.Make(&text[0]), weak.Make(again)
	text, again = nil, nil
	runtime.GC()
	println(w.Value() == nil, v.Value() == nil)
}`, "true false\n"},
		{"inlining", `import "runtime"
func main() {
	func() {
		func() { pc, _, _, _ := runtime.Caller(0); println(runtime.FuncForPC(pc).Name()) }()
	}()
	println(runtime.Callers(0, make([]uintptr, 9)))
}`, "main.main.func1.1\n4\n"},
		{"tracebacks", `import ("runtime"; "strings")
//go:noinline
func f(n int) string { b := make([]byte, 1000); return string(b[:runtime.Stack(b, false)]) }
func main() { println(strings.Contains(f(7), "main.f(...)\n")) }`, "true\n"},
		{"clock", `import "time"
func main() { t := time.Now().UTC(); println(t.Year(), t.Month() == time.November, t.Day()) }`, "2009 true 10\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			prog := CompileShared(t, writeMain(t, "package main\n"+c.program))
			var out bytes.Buffer
			exit, err := Run(prog, Process{Args: []string{"m"}, Stdout: &out, Stderr: &out})
			if err != nil || exit.Code != 0 || out.String() != c.want {
				t.Errorf("got %q, %v, %v, want %q", out.String(), exit, err, c.want)
			}
		})
	}
}

// TestMemoryLimit lets a program allocate without end: that is its end, not ours.
func TestMemoryLimit(t *testing.T) {
	t.Parallel()
	program := "package main\n\nfunc main() {\n\tvar s [][]byte\n\tfor {\n\t\ts = append(s, make([]byte, 1<<20))\n\t}\n}\n"
	prog := CompileShared(t, writeMain(t, program))
	var out bytes.Buffer
	exit, err := Run(prog, Process{Args: []string{"m"}, Stdout: &out, Stderr: &out, MemLimit: 64 << 20})
	if err != nil || exit.Code != 2 || !bytes.HasPrefix(out.Bytes(), []byte("fatal error: runtime: out of memory\n")) {
		t.Errorf("got %q, %v, %v, want a fatal error", out.String(), exit, err)
	}
}
