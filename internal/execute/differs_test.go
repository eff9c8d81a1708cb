package execute

import (
	"bytes"
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
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

// TestGarbageLimit: only what is live counts, within a step and on a path of steps.
func TestGarbageLimit(t *testing.T) {
	for _, test := range []struct {
		name, body string
		want       explore.Verdict
	}{
		{"step", `a := make([]byte, 11<<20)
		a[5] = 1
		b := make([]byte, 11<<20)
		b[5] = a[5]
		c := make([]byte, 11<<20)
		c[5] = b[5]
		d := make([]byte, 11<<20)
		d[5] = c[5]
		e := make([]byte, 11<<20)
		e[5] = d[5]
		f := make([]byte, 11<<20)
		f[5] = e[5]
		done <- int(f[5])`, explore.Verified},
		{"steps", `for range 12 {
			done <- len(strings.Repeat("x", 11<<20))
		}`, explore.Verified},
		{"grown", `var s []byte
		for i := range 6 {
			s = append(s[:0:0], make([]byte, 11<<20+i)...)
		}
		done <- len(s)`, explore.Verified},
		{"live", `var all [7]string
		for i := range all {
			all[i] = strings.Repeat("x", 11<<20)
		}
		done <- len(all[6])`, explore.Violation},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			prog := CompileShared(t, writeMain(t, "package main\n\nimport \"strings\"\n\nvar _ = strings.Repeat\n\nfunc main() {\n\tdone := make(chan int)\n\tgo func() {\n\t\tdefer close(done)\n\t\t"+
				test.body+"\n\t}()\n\tfor range done {\n\t}\n}\n"))
			var sys *System
			r, err := explore.Run(func() (_ lts.System, err error) {
				sys, err = NewSystem(prog, Process{MemLimit: 64 << 20}, Settings{})
				return sys, err
			}, explore.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer sys.Close()
			if r.Verdict != test.want {
				t.Errorf("got %s %v, want %s", r.Verdict, r.Findings, test.want)
			}
		})
	}
}
