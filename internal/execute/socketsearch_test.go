package execute_test

import (
	"bytes"
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/lts"
)

// inSearch runs a script as a search executes it, along the path on which whoever comes first goes first, and time passes when all
// wait. Operations that wait do so in goroutines of their own, so that each step of each is one of the search.
func (s *socketTwin) inSearch(script string, known execute.Known) string {
	dir, _ := s.temp()
	defer os.RemoveAll(dir)
	var out bytes.Buffer
	sys, err := execute.NewSystem(s.prog, execute.Process{
		Args: []string{"sockets", "-settle", "1s"}, Dir: dir, Stdin: strings.NewReader(script), Stdout: &out, Stderr: &out,
	}, execute.Settings{Late: drive.Punctual, Known: known})
	if err != nil {
		return err.Error()
	}
	defer sys.Close()
	var steps []lts.Step
	for n := 0; n < 1_000_000; n++ {
		if steps = sys.Enabled(steps[:0]); len(steps) == 0 {
			return out.String()
		}
		sys.Take(steps[0])
	}
	return out.String() + "it has no end\n"
}

// TestSocketSearches holds package net, and raw calls on its descriptors, as a search executes them against the same under run,
// which TestSocketSequences holds against the host. A search has other stops, other ways to wait, and isolated files.
func TestSocketSearches(t *testing.T) {
	s := newSocketTwin(t)
	checks := flag.Lookup("rapid.checks")
	old := checks.Value.String()
	defer checks.Value.Set(old)
	if err := checks.Value.Set(strconv.Itoa(*sequences)); err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		script := drawScript(rt)
		want := s.inMachine(script)
		for _, known := range []execute.Known{execute.Plain(), execute.Unknown()} {
			if got := s.inSearch(script, known); got != want {
				rt.Fatalf("views %q, script:\n%s%s", known.Views, script, difference(got, want))
			}
		}
	})
}
