package linear_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/heddle-mc/heddle/internal/graph"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/linear"
	"github.com/heddle-mc/heddle/internal/mcrl2/semantics"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
)

func load(t *testing.T, text string) *spec.Spec {
	t.Helper()
	sp, err := types.Load("test.mcrl2", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return sp
}

// explore returns the graph of a system.
func explore(sys lts.System) *graph.Graph {
	g, err := bounded(sys, 1<<30)
	if err != nil {
		panic(err)
	}
	return g
}

// bounded returns the graph of a system with at most max states, or why there is
// none.
func bounded(sys lts.System, max int) (*graph.Graph, error) {
	var b graph.Builder
	start := sys.AppendKey(nil)
	b.State(sys, start, 0)
	seen := map[string]bool{string(start): true}
	var visit func() error
	visit = func() error {
		from := sys.AppendKey(nil)
		m := sys.Save()
		steps := sys.Enabled(nil)
		if bd, ok := sys.(lts.Bounded); ok && len(steps) == 0 && bd.Beyond() != nil {
			return bd.Beyond()
		}
		for _, s := range steps {
			l := sys.Take(s)
			to := sys.AppendKey(nil)
			b.Step(sys, from, to, s, l)
			if !seen[string(to)] {
				seen[string(to)] = true
				if len(seen) > max {
					return fmt.Errorf("more than %d states", max)
				}
				if err := visit(); err != nil {
					return err
				}
			}
			sys.Restore(m)
		}
		return nil
	}
	if err := visit(); err != nil {
		return nil, err
	}
	return b.Graph(), nil
}

func linearGraph(t *testing.T, sp *spec.Spec) *graph.Graph {
	t.Helper()
	lps, err := linear.Linearise(sp)
	if err != nil {
		t.Fatal(err)
	}
	sys, err := state.New(lps, state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return explore(sys)
}

func directGraph(t *testing.T, sp *spec.Spec) *graph.Graph {
	t.Helper()
	e, err := data.New(sp.Data, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return explore(semantics.New(sp, e))
}

func same(t *testing.T, g, h *graph.Graph) bool {
	t.Helper()
	ok, _, err := graph.Compare(g, h, graph.Strong, "tau")
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

// The toolset's own linearisation of the alternating bit protocol has 74 states
// and 92 transitions; modulo strong bisimulation there are 68 and 86.
func TestAlternatingBit(t *testing.T) {
	text, err := os.ReadFile("testdata/abp.mcrl2")
	if err != nil {
		t.Fatal(err)
	}
	sp := load(t, string(text))
	g := linearGraph(t, sp)
	t.Logf("raw: %d states, %d transitions", g.States, len(g.Transitions))
	if g.States > 74 || len(g.Transitions) > 92 {
		t.Errorf("got %d states and %d transitions, want no more than 74 and 92", g.States, len(g.Transitions))
	}
	r, err := graph.Reduce(g, graph.Strong, "tau")
	if err != nil {
		t.Fatal(err)
	}
	if r.States != 68 || len(r.Transitions) != 86 {
		t.Errorf("reduced: got %d states and %d transitions, want 68 and 86", r.States, len(r.Transitions))
	}
	if !same(t, g, directGraph(t, sp)) {
		t.Error("not strongly bisimilar to the direct semantics")
	}
}
