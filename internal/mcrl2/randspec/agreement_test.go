package randspec_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/graph"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/linear"
	"github.com/heddle-mc/heddle/internal/mcrl2/randspec"
	"github.com/heddle-mc/heddle/internal/mcrl2/semantics"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
	"github.com/heddle-mc/heddle/internal/mcrl2/transform"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// Limits on specifications: larger ones are left out.
const (
	maxStates      = 600
	maxTransitions = 4000
	maxSummands    = 1000
)

// explore returns the graph of a system, or false if it has too many states.
func explore(t *testing.T, sys lts.System) (*graph.Graph, bool) {
	t.Helper()
	var b graph.Builder
	sys.Reset()
	start := sys.AppendKey(nil)
	b.State(sys, start, 0)
	seen := map[string]bool{string(start): true}
	transitions := 0
	var visit func() bool
	visit = func() bool {
		from := sys.AppendKey(nil)
		steps := sys.Enabled(nil)
		if bd, ok := sys.(lts.Bounded); ok && len(steps) == 0 {
			if err := bd.Beyond(); diag.ExitCode(err) == diag.ExitIncomplete {
				return false
			} else if err != nil {
				t.Fatalf("no steps: %v", err)
			}
		}
		if transitions += len(steps); transitions > maxTransitions {
			return false
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
func count(t *testing.T) int {
	if s := os.Getenv("HEDDLE_MCRL2_AGREEMENT"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if testing.Short() {
		return 40
	}
	return testlong.Or(12, 200)
}

// TestAgreement holds linearisation and every transformation against the direct
// semantics.
func TestAgreement(t *testing.T) {
	n := count(t)
	var tried, large, states int
	changed := map[string]int{}
	for seed := uint64(0); tried < n; seed++ {
		if large > n {
			t.Fatalf("%d of %d specifications were too large", large, seed)
		}
		sp, err := randspec.Spec(seed)
		if err != nil {
			t.Fatal(err)
		}
		e, err := data.New(sp.Data, data.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, ok := explore(t, semantics.New(sp, e))
		if !ok {
			large++
			continue
		}
		lps, err := linear.Linearise(sp)
		if err != nil && strings.Contains(err.Error(), "allow fewer") {
			large++
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, randspec.Text(seed))
		}
		if len(lps.Summands) > maxSummands {
			large++
			continue
		}
		tried++
		states += want.States
		if tried%500 == 0 {
			t.Logf("%d specifications, seed %d", tried, seed)
		}
		agree(t, seed, "linearise", lps, want)
		for _, o := range []state.Options{{}, {Uncached: true}} {
			sys, err := state.New(lps, o)
			if err != nil {
				t.Fatal(err)
			}
			got, ok := explore(t, sys)
			bisimilar(t, seed, "package state", got, ok, want)
		}
		agree(t, seed, "printed and read back", readBack(t, lps), want)
		engine, err := data.New(lps.Data, data.Options{})
		if err != nil {
			t.Fatal(err)
		}
		tools := transform.NewTools(engine, lps.Lib)
		for _, names := range chains() {
			out, err := transform.Apply(lps, names, tools)
			if err != nil {
				t.Fatal(err)
			}
			if len(names) == 1 && out != lps {
				changed[names[0]]++
			}
			agree(t, seed, strings.Join(names, ","), out, want)
		}
	}
	t.Logf("%d specifications with %d states, %d too large; changed by liveelm: %d, by equalelm: %d, by parunfold: %d, by binary: %d", tried, states, large, changed["liveelm"], changed["equalelm"], changed["parunfold"], changed["binary"])
}

// chains returns each transformation alone and all of them in two orders.
func chains() [][]string {
	var out [][]string
	for _, n := range transform.Names() {
		out = append(out, []string{n})
	}
	return append(out, transform.Names(), []string{"sumelm", "suminst", "structelm", "rewr", "constelm", "deadelm", "liveelm", "equalelm", "constelm", "liveelm", "parelm"})
}

// readBack prints a process, reads it as a specification and linearises that.
func readBack(t *testing.T, lps *spec.LPS) *spec.LPS {
	t.Helper()
	sp, err := types.Load("printed.mcrl2", []byte(lps.String()))
	if err != nil {
		t.Fatalf("%v\n%s", err, lps)
	}
	back, err := linear.Linearise(sp)
	if err != nil {
		t.Fatalf("%v\n%s", err, lps)
	}
	return back
}

func agree(t *testing.T, seed uint64, what string, lps *spec.LPS, want *graph.Graph) {
	t.Helper()
	got, ok := newPlain(t, lps).graph()
	bisimilar(t, seed, what, got, ok, want)
}

// bisimilar holds a graph, if it is not too large, against the one that is
// wanted.
func bisimilar(t *testing.T, seed uint64, what string, got *graph.Graph, ok bool, want *graph.Graph) {
	t.Helper()
	if !ok {
		t.Fatalf("seed %d, %s: too large, want about %d states\n%s", seed, what, want.States, randspec.Text(seed))
	}
	same, _, err := graph.Compare(got, want, graph.Strong, "tau")
	if err != nil {
		t.Fatal(err)
	}
	if !same {
		_, trace, _ := graph.Compare(got, want, graph.Trace, "tau")
		t.Fatalf("seed %d, %s: not strongly bisimilar to the direct semantics (%d states against %d), trace %q\n%s",
			seed, what, got.States, want.States, trace, randspec.Text(seed))
	}
}
