package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/load"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/native"
)

// A Result is what the two say of a program.
type Result struct {
	Seed           uint64
	Native, Heddle bool
	Got            string // what Heddle says, in words
}

// Available returns an error if programs cannot be built with -race here.
func Available() error {
	dir, err := os.MkdirTemp("", "randrace")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := build(dir, "package main\n\nfunc main() {}\n"); err != nil {
		return fmt.Errorf("there is no race detector here: %w", err)
	}
	return nil
}

// build builds a program with -race.
func build(dir, src string) error {
	file := filepath.Join(dir, "main.go")
	if err := os.WriteFile(file, []byte(src), 0o666); err != nil {
		return err
	}
	cmd := exec.Command("go", "build", "-race", "-o", "programs", file)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1", "GO111MODULE=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build -race: %w: %s", err, bytes.TrimSpace(out))
	}
	return nil
}

const nativeMain = `package main

import (
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

var turn int

// jitter makes goroutines come in another order each time.
func jitter(k int) {
	if turn>>k&1 != 0 {
		runtime.Gosched()
	}
	if turn>>(k+3)&1 != 0 {
		time.Sleep(10 * time.Microsecond)
	}
}

func main() {
	f := programs[os.Args[1]]
	n, _ := strconv.Atoi(os.Args[2])
	for turn = range n {
		f()
	}
}
`

// nativeText is the text of a binary that executes the program whose seed it is given.
func nativeText(first uint64, n int) string {
	var b strings.Builder
	b.WriteString(nativeMain + common + "\nvar programs = map[string]func(){\n")
	for s := first; s < first+uint64(n); s++ {
		fmt.Fprintf(&b, "\"%d\": p%d,\n", s, s)
	}
	b.WriteString("}\n")
	for s := first; s < first+uint64(n); s++ {
		b.WriteString(Program(s))
	}
	return b.String()
}

// Text is the program of a seed as Heddle reads it.
func Text(seed uint64) (string, error) {
	src := "package main\n\nimport (\n\"sync\"\n\"sync/atomic\"\n)\n\nfunc jitter(int) {}\n" + common + Program(seed) + fmt.Sprintf("\nfunc main() { p%d() }\n", seed)
	b, err := format.Source([]byte(src))
	if err != nil {
		return "", fmt.Errorf("seed %d: %w\n%s", seed, err, src)
	}
	return string(b), nil
}

// Compare asks both about the programs of n seeds.
func Compare(first uint64, n, runs int) ([]Result, error) {
	dir, err := os.MkdirTemp("", "randrace")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := build(dir, nativeText(first, n)); err != nil {
		return nil, err
	}
	s, err := load.NewSession(load.Config{Patterns: []string{"sync", "sync/atomic"}, Intrinsic: native.Has})
	if err != nil {
		return nil, err
	}
	var list []Result
	for seed := first; seed < first+uint64(n); seed++ {
		r := Result{Seed: seed}
		if r.Native, err = detect(dir, seed, runs); err != nil {
			return nil, err
		}
		if err := r.search(s, dir); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// raceExit is the exit code of a program in which the detector has found a race.
const raceExit = 66

// detect executes a program natively and reports whether there was a race.
func detect(dir string, seed uint64, runs int) (bool, error) {
	cmd := exec.Command(filepath.Join(dir, "programs"), fmt.Sprint(seed), fmt.Sprint(runs))
	cmd.Env = append(os.Environ(), fmt.Sprintf("GORACE=halt_on_error=1 exitcode=%d", raceExit))
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return false, nil
	case errors.As(err, &exit) && exit.ExitCode() == raceExit, bytes.Contains(out, []byte("fatal error: concurrent map")):
		return true, nil
	}
	return false, fmt.Errorf("seed %d: %w: %s", seed, err, out)
}

// maxStates is the budget of a search.
const maxStates = 50000

// search asks Heddle.
func (r *Result) search(s *load.Session, dir string) error {
	text, err := Text(r.Seed)
	if err != nil {
		return err
	}
	file := filepath.Join(dir, fmt.Sprintf("p%d.go", r.Seed))
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		return err
	}
	prog, err := compiled(s, file)
	if err != nil {
		return fmt.Errorf("seed %d: %w", r.Seed, err)
	}
	res, err := explored(prog)
	if err != nil {
		return fmt.Errorf("seed %d: %w", r.Seed, err)
	}
	r.Got = fmt.Sprint(res.Verdict)
	for _, f := range res.Findings {
		r.Heddle = r.Heddle || f.Kind == string(execute.Race) || strings.HasPrefix(f.Message, "concurrent map")
		r.Got += "; " + f.Kind + ": " + f.Message
	}
	return nil
}

func compiled(s *load.Session, file string) (*bytecode.Program, error) {
	p, err := s.AddMain(file)
	if err != nil {
		return nil, err
	}
	return execute.Compile(p)
}

// explored searches a program as the command does: again as long as a guess of the reduction is wrong.
func explored(prog *bytecode.Program) (r *explore.Result, err error) {
	o := explore.Options{Reduce: true, Limits: explore.Limits{States: maxStates}}
	check.Settle(execute.Unknown(), func(known execute.Known) (found []*execute.Found, done bool) {
		var sys *execute.System
		r, err = explore.Run(func() (lts.System, error) {
			sys, err = execute.NewSystem(prog, execute.Process{Args: []string{"main"}}, execute.Settings{Known: known})
			return sys, err
		}, o)
		if err != nil {
			return nil, true
		}
		defer sys.Close()
		return []*execute.Found{sys.Found()}, len(r.Findings) > 0
	})
	return r, err
}
