package model

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/graph"
)

// TestFromGraph: the model of a graph has that graph.
func TestFromGraph(t *testing.T) {
	labels := []string{"tau", "a", "a(0)", "a(-1)", "b(true)|c(x, s)", "d(1/2)", "P(D)"}
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 3))
		g := &graph.Graph{States: 1 + r.IntN(6), Labels: labels}
		for range r.IntN(12) {
			g.Transitions = append(g.Transitions, graph.Transition{From: int32(r.IntN(g.States)), Label: int32(r.IntN(len(labels))), To: int32(r.IntN(g.States))})
		}
		text, err := FromGraph("g", g)
		if err != nil {
			t.Fatal(err)
		}
		file := t.TempDir() + "/g.mcrl2"
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		m, err := Load(file, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		h, _, err := m.Graph(explore.Options{}, false, false)
		if err != nil {
			t.Fatal(err)
		}
		if same, _, err := graph.Compare(g, h, graph.Strong, TauText); err != nil || !same {
			f, names := graph.Distinguish(g, h, graph.Strong, TauText)
			t.Fatalf("seed %d: %v, %s\n%s", seed, err, f.Text(names, func(l string) string { return l }, TauText), text)
		}
	}
	for _, label := range []string{"a([1])", "a(1", "PUT !1", "a(f(1))", ""} {
		if _, err := FromGraph("g", &graph.Graph{States: 1, Labels: []string{label}}); err == nil {
			t.Errorf("%q: got no error", label)
		}
	}
	if _, err := FromGraph("g", &graph.Graph{States: 1, Labels: []string{"a(1)", "a(true)"}}); err == nil {
		t.Error("a(1) and a(true): got no error")
	}
}
