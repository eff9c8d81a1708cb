package cli

import (
	"bytes"
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/conform"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mapping"
)

// toldNumbers has goroutines that also make calls themselves on numbers which package os keeps. That
// turns out in the search, and from then on each call on such a number is a step.
const toldNumbers = `package main

import (
	"os"
	"sync"
	"sync/atomic"
	"syscall"
)

var turn atomic.Int32

func work(wg *sync.WaitGroup) {
	defer wg.Done()
	r, w, err := os.Pipe()
	if err != nil {
		return
	}
	w.Write([]byte{'a'})
	n := turn.Add(1)
	var b [1]byte
	syscall.Read(int(r.Fd()), b[:])
	if n == 2 && b[0] == 'a' {
		panic("second")
	}
}

func main() {
	var wg sync.WaitGroup
	wg.Add(2)
	for range 2 {
		go work(&wg)
	}
	wg.Wait()
}
`

// rawNumbers has goroutines that get their numbers in the order in which they ask.
const rawNumbers = `package main

import (
	"sync"
	"sync/atomic"
	"syscall"
)

var turn atomic.Int32

func work(wg *sync.WaitGroup) {
	defer wg.Done()
	p, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return
	}
	syscall.Write(p[0], []byte{byte(p[0])})
	n := turn.Add(1)
	var b [1]byte
	syscall.Read(p[1], b[:])
	if n == 2 && b[0] == 3 {
		panic("second")
	}
	syscall.Close(p[0])
	syscall.Close(p[1])
}

func main() {
	var wg sync.WaitGroup
	wg.Add(3)
	for range 3 {
		go work(&wg)
	}
	wg.Wait()
}
`

// writtenLate has a panic that depends on a word which most programs never write: that this one
// does turns out in the search.
const writtenLate = `package main

import (
	"sync"
	"sync/atomic"
)

var ready atomic.Int32

func main() {
	var wg sync.WaitGroup
	wg.Go(func() { ready.Store(1) })
	wg.Go(func() {
		if ready.Load() == 1 && ready.Load() == 1 {
			panic("ready")
		}
	})
	wg.Wait()
}
`

// writeProgram writes a module with one main package and goes there.
func writeProgram(t *testing.T, text string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, data := range map[string]string{"go.mod": "module p\n\ngo 1.26\n", "main.go": text} {
		if err := os.WriteFile(name, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// traces lists the traces below the output folder.
func traces(t *testing.T) (list []string) {
	t.Helper()
	filepath.WalkDir(outFolder, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Base(path) == "trace.json" {
			list = append(list, path)
		}
		return nil
	})
	if len(list) == 0 {
		t.Fatal("got no trace")
	}
	return list
}

// strategies are the ways to search that find all that there is.
var strategies = [][]string{nil, {"-search", "bfs"}, {"-search", "preemptions"}, {"-workers", "2"}, {"-all"}}

// TestReplayStrategies: what is found is replayed, whatever the search that has found it.
func TestReplayStrategies(t *testing.T) {
	for name, text := range map[string]string{"told numbers": toldNumbers, "raw numbers": rawNumbers, "written late": writtenLate} {
		t.Run(name, func(t *testing.T) {
			writeProgram(t, text)
			for _, flags := range strategies {
				os.RemoveAll(outFolder)
				args := append(append([]string{"check"}, flags...), ".")
				if code, stdout, stderr := runHeddle(args...); code != 1 {
					t.Fatalf("%v: got exit %d, %q, %q, want a violation", args, code, stdout, stderr)
				}
				for _, tr := range traces(t) {
					if code, stdout, stderr := runHeddle("replay", tr); code != 1 {
						t.Errorf("%v: replay: got exit %d, %q, %q, want 1", args, code, stdout, stderr)
					}
				}
			}
		})
	}
}

// stoppedLate stops a timer that may have fired.
const stoppedLate = `//go:debug asynctimerchan=1

package main

import "time"

func main() {
	if !time.NewTimer(20 * time.Millisecond).Stop() {
		panic("it does not run")
	}
}
`

// TestCausalStep: a step that others depend on is not said to have no part.
func TestCausalStep(t *testing.T) {
	for _, test := range []struct{ name, text, step string }{
		{"numbers are given out in order", rawNumbers, "syscall.Socketpair"},
		{"a word is written", writtenLate, "ready.Store(1)"},
		{"a timer fires before it is stopped", stoppedLate, "move the clock"},
	} {
		t.Run(test.name, func(t *testing.T) {
			writeProgram(t, test.text)
			for _, flags := range [][]string{nil, {"-all"}} {
				args := append(append([]string{"check"}, flags...), ".")
				_, stdout, _ := runHeddle(args...)
				seen := false
				for line := range strings.Lines(stdout) {
					if strings.Contains(line, test.step) {
						seen = true
						if fields := strings.Fields(strings.TrimLeft(line, ">! ")); len(fields) < 2 || fields[1] == "-" {
							t.Errorf("%v: got %q without a part in\n%s", args, strings.TrimSpace(line), stdout)
						}
					}
				}
				if !seen {
					t.Errorf("%v: got no step %q in\n%s", args, test.step, stdout)
				}
			}
		})
	}
}

// A builtBackend has built one program.
type builtBackend struct {
	Machine
	prog *check.Code
	pkgs []TestPackage
}

func (b *builtBackend) Build(ctx context.Context, o BuildOptions) (prog *check.Code, err error) {
	if b.prog == nil {
		b.prog, err = b.Machine.Build(ctx, o)
	}
	return b.prog, err
}

func (b *builtBackend) Tests(ctx context.Context, src Source) (list []TestPackage, err error) {
	if b.pkgs == nil {
		b.pkgs, err = b.Machine.Tests(ctx, src)
	}
	return b.pkgs, err
}

// TestInterruptedIsNeverVerified interrupts a check at each moment at which it looks whether it was:
// a program with a fault is not verified by that.
func TestInterruptedIsNeverVerified(t *testing.T) {
	writeProgram(t, writtenLate)
	backend := &builtBackend{}
	for _, flags := range [][]string{nil, {"-search", "bfs"}, {"-workers", "2"}, {"-cert", "c.heddle"}, {"-checkpoint", "c.check"}} {
		ended := false
		for at := int64(1); !ended; at += 1 + at/20 { // each at first, and then some
			var out, errs bytes.Buffer
			app := &App{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Backend: backend, interruptAt: at}
			code := twice(t.Context(), app, append(append([]string{"check"}, flags...), "."))
			if code != 1 && code != 3 || strings.Contains(out.String(), "verified") {
				t.Fatalf("%v, interrupted at poll %d: got exit %d, %s%s", flags, at, code, out.String(), errs.String())
			}
			if code == 3 && !strings.Contains(out.String(), "interrupted") {
				t.Fatalf("%v, interrupted at poll %d: got no reason: %s", flags, at, out.String())
			}
			ended = code == 1 && at > 400 // nearly all that is polled afterwards is the making of the story
		}
		os.RemoveAll(outFolder)
	}
}

// TestSignals sends a signal to the command while it loads or searches.
func TestSignals(t *testing.T) {
	writeProgram(t, rawNumbers)
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		for _, flags := range [][]string{{"-nocache"}, {"-json"}, {"-search", "bfs"}, {"-workers", "2"}} {
			os.Remove("g.dot")
			args := append([]string{"check", "-lts", "g.dot"}, flags...)
			if flags[0] == "-workers" { // which has no graph
				args[1], args[2] = "-junit", "g.dot"
			}
			var out bytes.Buffer
			cmd := exec.Command("heddle", append(args, ".")...)
			cmd.Stdout = &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			exited := make(chan error, 1)
			go func() { exited <- cmd.Wait() }()
			for { // the file is made before the program is loaded
				if _, err := os.Stat("g.dot"); err == nil {
					break
				}
				runtime.Gosched()
			}
			cmd.Process.Signal(sig)
			err := <-exited
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() == 2 || exit.ExitCode() == 4 || strings.Contains(out.String(), "verified") {
				t.Errorf("%v after %v: got %v, %s", args, sig, err, out.String())
			}
		}
	}
}

// TestUnwritable: a finding is told also if its files cannot be written.
func TestUnwritable(t *testing.T) {
	writeProgram(t, writtenLate)
	if err := os.WriteFile("file", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := runHeddle("check", "-o", "file/below", ".")
	if code != 1 || !strings.Contains(stdout, "panic: ready") || !strings.Contains(stdout, "ready.Store(1)") || strings.Contains(stdout, "replay:") {
		t.Errorf("got exit %d, %s, want the story of a violation", code, stdout)
	}
	if !strings.Contains(stderr, "cannot be written") {
		t.Errorf("got %q, want that the files cannot be written", stderr)
	}
}

// optional are the interfaces by which systems show what they can do beyond the contract.
var optional = map[string]reflect.Type{
	"Reducer": reflect.TypeFor[lts.Reducer](), "Checker": reflect.TypeFor[lts.Checker](), "Finisher": reflect.TypeFor[lts.Finisher](),
	"Bounded": reflect.TypeFor[lts.Bounded](), "Actors": reflect.TypeFor[lts.Actors](), "Foreseer": reflect.TypeFor[lts.Foreseer](),
	"Tracer": reflect.TypeFor[lts.Tracer](), "Namer": reflect.TypeFor[lts.Namer](), "Describer": reflect.TypeFor[lts.Describer](),
	"Preface": reflect.TypeFor[lts.Preface](), "Waiters": reflect.TypeFor[lts.Waiters](), "Observed": reflect.TypeFor[lts.Observed](),
	"Witness": reflect.TypeFor[lts.Witness](), "Libraries": reflect.TypeFor[lts.Libraries](),
	"Live":    reflect.TypeFor[lts.Live](),
	"Clocked": reflect.TypeFor[lts.Clocked](), "Individuals": reflect.TypeFor[lts.Individuals](), "Work": reflect.TypeFor[lts.Work](),
	"Causal": reflect.TypeFor[lts.Causal](), "Seeded": reflect.TypeFor[lts.Seeded](),
}

// TestOptionalInterfaces: the systems that commands search can do all that those can do which they are
// made of. What a system around another one hides costs time, or more.
func TestOptionalInterfaces(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../lts/optional.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range g.Specs {
			if s, ok := spec.(*ast.TypeSpec); ok {
				if _, ok := s.Type.(*ast.InterfaceType); ok && optional[s.Name.Name] == nil {
					t.Errorf("interface %s is not tried", s.Name.Name)
				}
			}
		}
	}
	writeProgram(t, writtenLate)
	if err := os.WriteFile("main_test.go", []byte("package main\n\nimport \"testing\"\n\nfunc TestNothing(t *testing.T) {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	system := func(o BuildOptions) lts.System {
		o.Dir = "."
		share()
		prog, err := Machine{}.Build(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		sys, err := prog.NewSystem(execute.Process{Args: []string{"p"}, Env: []string{}, Dir: "/"}, execute.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { check.CloseSystem(sys) })
		return sys
	}
	for _, test := range []struct {
		name  string
		got   reflect.Type
		inner reflect.Type
		but   map[string]string // what it lacks, and why
	}{
		{name: "a program", got: reflect.TypeOf(system(BuildOptions{Source: Source{Patterns: []string{"."}}})), inner: reflect.TypeFor[*execute.System]()},
		{name: "a test", got: reflect.TypeOf(system(BuildOptions{Source: Source{Patterns: []string{"."}}, Test: true})), inner: reflect.TypeFor[*execute.System]()},
		{name: "several programs", got: reflect.TypeOf(system(BuildOptions{Source: Source{Patterns: []string{".", "."}}})), inner: reflect.TypeFor[*execute.Group]()},
		{name: "a program and a model", got: reflect.TypeFor[*mapping.System](), inner: reflect.TypeFor[*execute.System](), but: map[string]string{
			"Foreseer": "where a step leads depends on what is observed in it",
			"Tracer":   "there are no certificates of it",
			"Observed": "it is the one who observes",
			"Live":     "loops are not looked for in it",
		}},
	} {
		for name, is := range optional {
			has, why := test.got.Implements(is), test.but[name]
			if test.inner.Implements(is) && has == (why != "") {
				t.Errorf("%s: has %s: %v, want what the system inside has, unless: %s", test.name, name, has, why)
			}
		}
	}
	if !reflect.TypeFor[*mapping.System]().AssignableTo(reflect.TypeFor[lts.System]()) || conform.Kind == "" {
		t.Error("a program and a model are no system")
	}
}
