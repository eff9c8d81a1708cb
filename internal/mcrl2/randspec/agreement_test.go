package randspec_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/heddle-mc/heddle/internal/graph"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A limit on the states of a specification: larger ones are left out.
const maxStates = 3000

// explore returns the graph of a system, or false if it has too many states.
func explore(t *testing.T, sys lts.System) (*graph.Graph, bool) {
	t.Helper()
	var b graph.Builder
	sys.Reset()
	start := sys.AppendKey(nil)
	b.State(sys, start, 0)
	seen := map[string]bool{string(start): true}
	var visit func() bool
	visit = func() bool {
		from := sys.AppendKey(nil)
		steps := sys.Enabled(nil)
		if bd, ok := sys.(lts.Bounded); ok && len(steps) == 0 {
			if err := bd.Beyond(); err != nil {
				t.Fatalf("no steps: %v", err)
			}
		}
		m := sys.Save()
		for _, s := range steps {
			l := sys.Take(s)
			to := sys.AppendKey(nil)
			b.Step(sys, from, to, s, l)
			if !seen[string(to)] {
				seen[string(to)] = true
				if len(seen) > maxStates || !visit() {
					return false
				}
			}
			sys.Restore(m)
		}
		return true
	}
	if !visit() {
		return nil, false
	}
	return b.Graph(), true
}

// count returns how many specifications are to be tried.
func count(t *testing.T) uint64 {
	if s := os.Getenv("HEDDLE_MCRL2_AGREEMENT"); s != "" {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if testing.Short() {
		return 60
	}
	return 300
}
