package randflow

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/load"
	"github.com/heddle-mc/heddle/internal/native"
)

var (
	first    = flag.Uint64("first", 1, "first seed")
	seeds    = flag.Uint64("seeds", 1, "number of sets of random programs")
	programs = flag.Int("programs", 40, "programs of a set")
	searched = flag.Int("searched", 4, "programs of a set that are searched as well")
	tally    = flag.String("tally", "", "append a line for each set that agrees to this `file`")
	commit   = flag.String("commit", "-", "the `version` that is written into the tally")
)

// session has the library loaded once for all sets.
var session = sync.OnceValues(func() (*load.Session, error) {
	return load.NewSession(load.Config{Patterns: Imports, Intrinsic: native.Has, OwnRuntime: true})
})

// TestRandom holds sets of random programs in the machine against natively compiled
// ones, and searches some of the programs: whatever the schedule, they must tell
// what they tell natively, and nothing may be found.
func TestRandom(t *testing.T) {
	for seed := *first; seed < *first+*seeds; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			set := Generate(seed, *programs)
			file := filepath.Join(t.TempDir(), "main.go")
			write(t, file, set.Print())
			want := told(t, runNatively(t, file))
			got := told(t, runInMachine(t, file))
			for i := range set {
				if got[i] != want[i] {
					t.Errorf("seed %d, p%d: got\n%s\nwant\n%s\nof\n%s", seed, i, got[i], want[i], set[i])
				}
			}
			states := 0
			for k := range min(*searched, len(set)) {
				i := k * len(set) / *searched
				write(t, file, set.Expect(i, want[i]))
				r := search(t, file)
				if r.Verdict != explore.Verified {
					t.Errorf("seed %d, p%d: got %s, want verified\nof\n%s", seed, i, r.Result, set[i])
				}
				states += int(r.States)
			}
			if *tally != "" && !t.Failed() {
				note(t, fmt.Sprintf("%d %d %d %d %s\n", seed, len(set), *searched, states, *commit))
			}
		})
	}
}

func write(t *testing.T, file, text string) {
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// note adds a line to the tally.
func note(t *testing.T, line string) {
	f, err := os.OpenFile(*tally, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(line); err != nil {
		t.Fatal(err)
	}
}

// told is what each program tells, by its number.
func told(t *testing.T, output []byte) map[int]string {
	all := make(map[int]string)
	for line := range strings.Lines(string(output)) {
		name, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		i, err := strconv.Atoi(strings.TrimPrefix(name, "p"))
		if !ok || err != nil {
			t.Fatalf("a program printed %q", line)
		}
		if all[i], err = strconv.Unquote(text); err != nil {
			t.Fatalf("a program printed %q", line)
		}
	}
	if len(all) != *programs {
		t.Errorf("%d programs have told something, want %d", len(all), *programs)
	}
	return all
}

// runNatively compiles without optimisation, which is faster than it is missed.
func runNatively(t *testing.T, file string) []byte {
	bin := filepath.Join(filepath.Dir(file), "main")
	if out, err := exec.Command("go", "build", "-gcflags=-N -l", "-ldflags=-s -w", "-o", bin, file).CombinedOutput(); err != nil {
		t.Fatalf("go build: %s", out)
	}
	out, err := exec.Command(bin).Output()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func compile(t *testing.T, file string) *bytecode.Program {
	s, err := session()
	if err != nil {
		t.Fatal(err)
	}
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

func runInMachine(t *testing.T, file string) []byte {
	var out, errs bytes.Buffer
	exit, err := execute.Run(compile(t, file), execute.Process{Args: []string{"main"}, Stdout: &out, Stderr: &errs})
	if err != nil || exit.Code != 0 {
		t.Errorf("%v %+v\n%s", err, exit, errs.Bytes())
	}
	return out.Bytes()
}

// search checks a program as the command does.
func search(t *testing.T, file string) *check.Result {
	r, err := check.Run(t.Context(), check.New(), check.Hooks{Code: check.Compiled(compile(t, file), false)})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
