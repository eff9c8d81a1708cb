// Package examples builds all examples and runs those that are right.
package examples

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/heddle-mc/heddle/internal/testlong"
)

// paper002 are the programs of table 1 of paper 002 with their numbers of
// invariants and assertions, and the kind of finding of the version with a bug.
var paper002 = []struct {
	name                   string
	invariants, assertions int
	bug                    string
}{
	{"philosophers", 1, 2, "deadlock"},
	{"boundedbuffer", 1, 3, "assert"},
	{"ksupipeline", 3, 4, "invariant"},
	{"nestedmonitor", 6, 4, "deadlock"},
	{"stagepipeline", 3, 3, "leak"},
	{"readerswriters", 3, 4, "invariant"},
	{"replicatedworkers", 4, 5, "race"},
	{"sleepingbarber", 4, 5, "deadlock"},
	{"elevator", 4, 8, "panic"},
}

func read(t *testing.T, elem ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	invariant = regexp.MustCompile(`verify\.(Always|Step)\(`)
	assertion = regexp.MustCompile(`verify\.Assertf?\(`)
	finding   = regexp.MustCompile(`(?m)^// Finding: (.*)\.\n(?s:package main)`)
)

func TestPaper002HasItsProperties(t *testing.T) {
	for _, p := range paper002 {
		text := read(t, p.name, "main.go")
		if got := len(invariant.FindAllString(text, -1)); got != p.invariants {
			t.Errorf("%s: got %d invariants, want %d", p.name, got, p.invariants)
		}
		if got := len(assertion.FindAllString(text, -1)); got != p.assertions {
			t.Errorf("%s: got %d assertions, want %d", p.name, got, p.assertions)
		}
	}
}

func TestBugsAreMarkedAndNamed(t *testing.T) {
	for _, p := range paper002 {
		text := read(t, p.name, "buggy", "main.go")
		if got := strings.Count(text, "// BUG: "); got != 1 {
			t.Errorf("%s: got %d lines marked BUG, want 1", p.name, got)
		}
		m := finding.FindStringSubmatch(text)
		if m == nil || m[1] != p.bug {
			t.Errorf("%s: got finding %q in the package comment, want %q", p.name, m, p.bug)
		}
	}
}

// TestBuildAndRun compiles all examples, and runs those outside of the
// folders called buggy, which all end by themselves. What they print does not
// depend on the schedule, so two runs with other numbers of processors agree.
// make test links and runs one in four.
func TestBuildAndRun(t *testing.T) {
	bin := t.TempDir()
	dirs, err := filepath.Glob("*/main.go")
	if err != nil || len(dirs) < len(paper002) {
		t.Fatalf("got %d examples (%v), want at least %d", len(dirs), err, len(paper002))
	}
	if !testlong.On() {
		every := 0
		dirs = slices.DeleteFunc(dirs, func(string) bool { every++; return every%4 != 1 })
	}
	args := []string{"build", "-ldflags=-s -w", "-o", bin + string(filepath.Separator)}
	for _, file := range dirs {
		args = append(args, "./"+filepath.Dir(file))
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command("go", "list", "-export", "./...").CombinedOutput(); err != nil { // compiles, and links nothing
		t.Fatalf("%v\n%s", err, out)
	}
	for _, file := range dirs {
		name := filepath.Dir(file)
		t.Run(name, func(t *testing.T) {
			one := run(t, filepath.Join(bin, name), 1)
			many := run(t, filepath.Join(bin, name), 4)
			if len(one) == 0 || !bytes.Equal(one, many) {
				t.Errorf("got %q with 4 processors, want %q as with 1", many, one)
			}
		})
	}
}

// run returns what a program prints. The time limit is not part of the test; it
// ends a program that does not end.
func run(t *testing.T, bin string, procs int) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, bin)
	cmd.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(procs))
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("%v\n%s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	return out
}
