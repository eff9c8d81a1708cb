package types_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/graph"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/linear"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
)

var (
	strongCounts    = regexp.MustCompile(`Counts: (\d+) states and (\d+) transitions modulo strong bisimulation`)
	branchingCounts = regexp.MustCompile(`strong bisimulation, (\d+) and (\d+) modulo branching bisimulation`)
)

// TestCounts explores the models and compares what their comments say of the
// reduced graphs.
func TestCounts(t *testing.T) {
	files, err := filepath.Glob("../../../examples/models/*.mcrl2")
	if err != nil || len(files) == 0 {
		t.Fatalf("got %d models (%v)", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".mcrl2"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			comment := strings.Join(strings.Fields(strings.ReplaceAll(string(text), "%", " ")), " ")
			g := explore(t, file)
			compare(t, g, graph.Strong, strongCounts.FindStringSubmatch(comment), true)
			compare(t, g, graph.Branching, branchingCounts.FindStringSubmatch(comment), false)
		})
	}
}

func compare(t *testing.T, g *graph.Graph, e graph.Equivalence, counts []string, needed bool) {
	t.Helper()
	if counts == nil {
		if needed {
			t.Error("got no counts in the comment, want some")
		}
		return
	}
	h, err := graph.Reduce(g, e, "tau")
	if err != nil {
		t.Fatal(err)
	}
	states, _ := strconv.Atoi(counts[1])
	transitions, _ := strconv.Atoi(counts[2])
	if got := h.Info(); got.States != states || got.Transitions != transitions {
		t.Errorf("%v: got %d states and %d transitions, want %d and %d", e, got.States, got.Transitions, states, transitions)
	}
}

// explore returns the graph of a model.
func explore(t *testing.T, file string) *graph.Graph {
	t.Helper()
	s, err := types.LoadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	l, err := linear.Linearise(s)
	if err != nil {
		t.Fatal(err)
	}
	sys, err := state.New(l, state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b graph.Builder
	sys.Reset()
	first := sys.AppendKey(nil)
	b.State(sys, first, 0)
	visit(t, sys, &b, first, map[string]bool{string(first): true})
	return b.Graph()
}

// visit goes on from the state where sys is.
func visit(t *testing.T, sys *state.System, b *graph.Builder, from []byte, seen map[string]bool) {
	var steps []lts.Step
	steps = sys.Enabled(steps)
	if err := sys.Beyond(); err != nil {
		t.Fatal(err)
	}
	for _, step := range steps {
		m := sys.Save()
		label := sys.LabelText(sys.Take(step))
		to := sys.AppendKey(nil)
		b.Add(from, label, to)
		if !seen[string(to)] {
			seen[string(to)] = true
			visit(t, sys, b, to, seen)
		}
		sys.Restore(m)
	}
}
