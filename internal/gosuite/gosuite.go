// Package gosuite runs the Go team's own test programs, the files of
// GOROOT/test marked "// run", in Heddle's machine, and judges them as the Go
// team does: exit code 0, and output equal to the .out file beside the program
// (or none).
//
// All programs share one loaded standard library. One goroutine loads and
// compiles, the others execute.
package gosuite

import (
	"bytes"
	"fmt"
	"go/build/constraint"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/load"
	"github.com/heddle-mc/heddle/internal/native"
	"github.com/heddle-mc/heddle/internal/vm"
)

// A Verdict is how a test program fared.
type Verdict string

const (
	Pass    Verdict = "pass"
	Refused Verdict = "refused" // the machine said that it does not support something
	Wrong   Verdict = "wrong"   // another exit code or output than expected
	Timeout Verdict = "timeout"
	Crash   Verdict = "crash" // a bug of ours came to light
)

// A Result is the outcome of one program.
type Result struct {
	Name    string // relative to GOROOT/test, slashes
	Verdict Verdict
	Detail  string
	Seconds float64 // of execution
	Broken  bool    // Options.Run returned an error
}

// Options say how to run programs.
type Options struct {
	Session  *load.Session // nil means a new one
	GOROOT   string
	Timeout  time.Duration // of one program's execution, in time of the processor
	Workers  int           // executing goroutines
	Seed     uint64
	Isolated bool                                // programs' changes to files do not reach the host
	Each     func(Result)                        // called in order of completion, if not nil
	Run      func(*vm.Machine) (*vm.Exit, error) // executes, if not nil
}

// List returns the programs marked "// run" without arguments whose build
// constraints hold on linux/amd64 with cgo, by name. Those are the ones that the
// Go team runs there.
func List(goroot string) ([]string, error) {
	root := filepath.Join(goroot, "test")
	var names []string
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if strings.HasSuffix(path, ".dir") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if isRun(string(src)) {
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			names = append(names, filepath.ToSlash(rel))
		}
		return nil
	})
	slices.Sort(names)
	return names, err
}

// isRun reports whether a file's action is "run" without arguments and its
// build constraint holds.
func isRun(src string) bool {
	action := ""
	for line := range strings.SplitSeq(src, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "package ") {
			break
		}
		if action == "" && strings.HasPrefix(line, "//") && !constraint.IsGoBuild(line) {
			action = strings.TrimSpace(strings.TrimPrefix(line, "//"))
		}
	}
	return action == "run" && load.Included([]byte(src), "cgo")
}

// Expected returns what a program must print.
func Expected(goroot, name string) ([]byte, error) {
	b, err := os.ReadFile(filepath.Join(goroot, "test", filepath.FromSlash(strings.TrimSuffix(name, ".go")+".out")))
	if os.IsNotExist(err) {
		return nil, nil
	}
	return b, err
}

type job struct {
	i    int
	prog *bytecode.Program
}

// NewSession loads what most programs need.
func NewSession() (*load.Session, error) {
	return load.NewSession(load.Config{Patterns: []string{"fmt"}, Intrinsic: native.Has, OwnRuntime: true})
}

// Run runs the named programs. Results are in the order of names.
func Run(names []string, o Options) ([]Result, error) {
	s := o.Session
	if s == nil {
		var err error
		if s, err = NewSession(); err != nil {
			return nil, err
		}
	}
	results := make([]Result, len(names))
	jobs := make(chan job, 4)
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := func(i int, r Result) {
		mu.Lock()
		defer mu.Unlock()
		r.Name = names[i]
		results[i] = r
		if o.Each != nil {
			o.Each(r)
		}
	}
	for range max(1, o.Workers) {
		wg.Go(func() {
			for j := range jobs {
				done(j.i, o.execute(names[j.i], j.prog))
			}
		})
	}
	for i, name := range names {
		prog, r := o.compile(s, name)
		if prog == nil {
			done(i, r)
			continue
		}
		jobs <- job{i, prog}
	}
	close(jobs)
	wg.Wait()
	return results, nil
}

func (o *Options) compile(s *load.Session, name string) (prog *bytecode.Program, r Result) {
	defer recoverTo(&r)
	lp, err := s.AddMain(filepath.Join(o.GOROOT, "test", filepath.FromSlash(name)))
	if err == nil {
		prog, err = execute.Compile(lp)
	}
	if err != nil {
		return nil, Result{Verdict: Refused, Detail: err.Error()}
	}
	if err := bytecode.Check(prog); err != nil {
		return nil, Result{Verdict: Crash, Detail: err.Error()}
	}
	return prog, r
}

// recoverTo turns a panic of ours into a result.
func recoverTo(r *Result) {
	if x := recover(); x != nil {
		*r = Result{Verdict: Crash, Detail: fmt.Sprintf("%v\n%s", x, debug.Stack())}
	}
}

func (o *Options) execute(name string, prog *bytecode.Program) (r Result) {
	defer recoverTo(&r)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	want, err := Expected(o.GOROOT, name)
	if err != nil {
		return Result{Verdict: Crash, Detail: err.Error()}
	}
	var out bytes.Buffer
	m, err := execute.Start(prog, execute.Process{
		Args: []string{strings.TrimSuffix(filepath.Base(name), ".go")}, Dir: filepath.Join(o.GOROOT, "test"),
		Env:    append(os.Environ(), "STDLIB_IMPORTCFG="+os.DevNull), // for programs that call the compiler
		Stdout: &out, Stderr: &out, Seed: o.Seed, Isolated: o.Isolated,
	})
	if err != nil {
		return Result{Verdict: Crash, Detail: err.Error()}
	}
	defer m.Close()
	run := o.Run
	if run == nil {
		run = func(m *vm.Machine) (*vm.Exit, error) { return m.Run(), nil }
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer limitCPU(o.Timeout, m.Interrupt)()
	start := time.Now()
	exit, err := run(m)
	r.Seconds = time.Since(start).Seconds()
	if err != nil {
		r.Verdict, r.Detail, r.Broken = Wrong, err.Error(), true
		return r
	}
	out.WriteString(exit.Text)
	switch {
	case exit.Kind == vm.ExitInterrupted:
		r.Verdict = Timeout
	case exit.Kind == vm.ExitUnsupported:
		r.Verdict, r.Detail = Refused, exit.Msg
	case exit.Code != 0:
		r.Verdict, r.Detail = Wrong, fmt.Sprintf("exit code %d\n%s", exit.Code, clip(out.String()))
	case !bytes.Equal(out.Bytes(), want):
		r.Verdict, r.Detail = Wrong, fmt.Sprintf("got output\n%s\nwant\n%s", clip(out.String()), clip(string(want)))
	default:
		r.Verdict = Pass
	}
	return r
}

func clip(s string) string {
	if len(s) > 2000 {
		return s[:2000] + "..."
	}
	return s
}
