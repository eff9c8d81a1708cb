package goker

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/goroot"
	"github.com/heddle-mc/heddle/internal/load"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/native"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// searchFor searches a program and collects all findings of up to so many states.
// It goes breadth first, because some kernels have endless paths.
func searchFor(t *testing.T, prog *bytecode.Program, seed uint64, reduce bool, states int64) *explore.Result {
	t.Helper()
	var all []*execute.System
	defer func() {
		for _, sys := range all {
			sys.Close()
		}
	}()
	r, err := explore.Run(func() (lts.System, error) {
		sys, err := execute.NewSystem(prog, execute.Process{Args: []string{"main"}, Seed: seed}, execute.Settings{})
		if err == nil {
			all = append(all, sys)
		}
		return sys, err
	}, explore.Options{Strategy: explore.BreadthFirst, All: true, Reduce: reduce, Limits: explore.Limits{States: states}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// compileFile compiles one file with a session.
func compileFile(t *testing.T, s *load.Session, file string) *bytecode.Program {
	t.Helper()
	lp, err := s.AddMain(file)
	if err != nil {
		t.Fatal(err)
	}
	prog, err := execute.Compile(lp)
	if err != nil {
		t.Fatal(err)
	}
	return prog
}

func session(t *testing.T) *load.Session {
	t.Helper()
	s, err := load.NewSession(load.Config{Patterns: []string{"context", "sync", "time"}, Intrinsic: native.Has, OwnRuntime: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// reasons translates what a goroutine waits for into the words of the Go runtime.
// A lock that is not read-locked may be a Mutex or a RWMutex.
func reasons(text string) []string {
	switch {
	case strings.HasPrefix(text, "receive "):
		return []string{"chan receive"}
	case strings.HasPrefix(text, "send "):
		return []string{"chan send"}
	case strings.HasPrefix(text, "select:"):
		return []string{"select"}
	case strings.HasPrefix(text, "read-lock"):
		return []string{"sync.RWMutex.RLock"}
	case strings.HasPrefix(text, "lock"), strings.Contains(text, ".Do(") && strings.HasSuffix(text, ": lock"):
		return []string{"sync.Mutex.Lock", "sync.RWMutex.Lock"}
	case strings.HasSuffix(text, ".Wait(): wait to be notified"):
		return []string{"sync.Cond.Wait"}
	case strings.HasSuffix(text, ".Wait()"):
		return []string{"sync.WaitGroup.Wait"}
	}
	return nil
}

// leaksOf marks the expected leaks that a search has found, and reports those
// that it should not have found.
func leaksOf(t *testing.T, k *Kernel, r *explore.Result, found []bool) {
	t.Helper()
	for _, f := range r.Findings {
		if f.Kind != "leak" {
			continue
		}
		name, text, ok := strings.Cut(f.Message, " is blocked forever: ")
		name, _, _ = strings.Cut(strings.TrimPrefix(name, "main."), "#")
		why := reasons(text)
		if !ok || why == nil {
			t.Errorf("cannot read %q", f.Message)
			continue
		}
		expected := false
		for _, w := range why {
			if i := k.Leaked(name, w); i >= 0 {
				found[i], expected = true, true
			}
		}
		if !expected && k.Listed {
			t.Errorf("%s: got a leak that the Go team does not expect: %s", k.Name, f.Message)
		}
	}
}

// missing is the first of the expected leaks that was not found, or "".
func missing(k *Kernel, found []bool) string {
	for i, ok := range found {
		if !ok {
			return k.Leaks[i].String()
		}
	}
	return ""
}

// TestLeaks checks that a search finds each leak that the Go team expects, also
// those that are too rare to be seen in a run, and no other.
func TestLeaks(t *testing.T) {
	if testing.Short() {
		t.Skip("searches all kernels")
	}
	s, dir := session(t), t.TempDir()
	for _, k := range kernels(t) {
		t.Run(k.Name, func(t *testing.T) {
			file := filepath.Join(dir, filepath.Base(k.File))
			if err := os.WriteFile(file, k.Source, 0o666); err != nil {
				t.Fatal(err)
			}
			prog := compileFile(t, s, file)
			// Random numbers are fixed by the seed, so several are tried.
			seeds := uint64(1)
			if k.Random {
				seeds = 40
			}
			// TestAgreeKernels of package execute compares both.
			for _, reduce := range testlong.Or([]bool{true}, []bool{false, true}) {
				found := make([]bool, len(k.Leaks))
				wrong := 0
			search:
				for seed := range seeds {
					for _, states := range []int64{1000, 30000} {
						r := searchFor(t, prog, seed, reduce, states)
						leaksOf(t, &k, r, found)
						wrong += len(r.Findings)
						if wrong > 0 && missing(&k, found) == "" {
							break search
						}
						if len(r.Left) == 0 {
							break
						}
					}
				}
				if wrong == 0 {
					t.Errorf("reduce %t: found nothing", reduce)
				}
				if m := missing(&k, found); m != "" {
					t.Errorf("reduce %t: got no leak %s", reduce, m)
				}
			}
		})
	}
}

// TestLostBug checks that the kernel of Moby27782 needs its patch: as it is
// distributed, nothing leaks. If this fails, the patch can go.
func TestLostBug(t *testing.T) {
	src, err := os.ReadFile(filepath.Join(goroot.Dir(), "src/runtime/testdata/testgoroutineleakprofile/goker/moby27782.go"))
	if err != nil {
		t.Fatal(err)
	}
	saved := patches
	patches = nil
	k, err := transform("moby27782.go", src)
	patches = saved
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "moby27782.go")
	if err := os.WriteFile(file, k.Source, 0o666); err != nil {
		t.Fatal(err)
	}
	if r := searchFor(t, compileFile(t, session(t), file), 0, false, 0); r.Verdict != explore.Verified {
		t.Errorf("got %s, want verified", r)
	}
}

// TestNoFalseAlarms checks that nothing is wrong with the fixed versions.
func TestNoFalseAlarms(t *testing.T) {
	s := session(t)
	for _, file := range fixed(t) {
		prog := compileFile(t, s, file)
		for _, reduce := range []bool{false, true} {
			if r := searchFor(t, prog, 0, reduce, 0); r.Verdict != explore.Verified {
				t.Errorf("%s: reduce %t: got %s, want verified", file, reduce, r)
			}
		}
	}
}
