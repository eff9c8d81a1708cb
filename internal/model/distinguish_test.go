package model

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/graph"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// randomSteps returns the transitions of a random graph: states, label, state.
func randomSteps(r *rand.Rand) [][3]int {
	n := 2 + r.IntN(7)
	if r.IntN(8) == 0 {
		n = 20 + r.IntN(20)
	}
	var steps [][3]int
	for range n + r.IntN(2*n) {
		steps = append(steps, [3]int{r.IntN(n), r.IntN(4), r.IntN(n)})
	}
	return steps
}

// change returns steps of which one leads elsewhere, or is another one, or is gone.
func change(r *rand.Rand, steps [][3]int) [][3]int {
	steps = append([][3]int(nil), steps...)
	i := r.IntN(len(steps))
	switch r.IntN(4) {
	case 0:
		steps[i][2] = r.IntN(9)
	case 1:
		steps[i][1] = r.IntN(4)
	case 2:
		steps[i][0] = r.IntN(9)
	default:
		steps = append(steps[:i], steps[i+1:]...)
	}
	return steps
}

// stepsModel writes steps as a model.
func stepsModel(t *testing.T, steps [][3]int) *Model {
	t.Helper()
	labels := []string{"tau", "a", "b|c(1)", "c(0)"}
	text := "act a, b; c: Nat;\nproc X(s: Nat) = (s == 99) -> a . X(0)"
	for _, s := range steps {
		text += fmt.Sprintf("\n  + (s == %d) -> %s . X(%d)", s[0], labels[s[1]], s[2])
	}
	file := filepath.Join(t.TempDir(), "steps.mcrl2")
	if err := os.WriteFile(file, []byte(text+";\ninit X(0);\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	m, err := Load(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// judged reports whether a formula holds for a model.
func judged(t *testing.T, m *Model, formula string) bool {
	t.Helper()
	p, err := Prepare(m, &Spec{Formulas: []string{formula}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	res, err := p.Check(explore.Options{Strategy: explore.BreadthFirst}, Hooks{
		Search: func(o explore.Options) (*explore.Result, error) { return explore.Run(p.New, o) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return len(res.Stories) == 0
}

// TestDistinguish: of two models that differ, or of which the first is not below the
// second, the formula that says why holds for the first and not for the second.
func TestDistinguish(t *testing.T) {
	want := testlong.Or(60, 500)
	count := map[graph.Equivalence]int{}
	below := map[graph.Preorder]int{}
	longest, sum, all := 0, 0, 0
	seed := uint64(0)
	for pairs := 0; pairs < want; seed++ {
		r := rand.New(rand.NewPCG(seed, 2))
		steps := randomSteps(r)
		m, n := stepsModel(t, steps), stepsModel(t, change(r, steps))
		g, _, err := m.Graph(explore.Options{}, false, false)
		if err != nil {
			t.Fatal(err)
		}
		h, _, err := n.Graph(explore.Options{}, false, false)
		if err != nil {
			t.Fatal(err)
		}
		for p := graph.Simulation; p <= graph.WeakFailures; p++ {
			more, err := graph.Within(g, h, p, TauText)
			if err != nil {
				t.Fatal(err)
			}
			if more == nil {
				continue
			}
			text := more.Formula.Text(more.Labels, func(label string) string { return label }, TauText)
			file := written(t, text)
			if first, second := judged(t, m, file), judged(t, n, file); !first || second {
				t.Errorf("seed %d, %v: %s: got %v and %v, want true and false", seed, p, text, first, second)
			}
			below[p]++
		}
		differ := false
		for e := graph.Strong; e <= graph.Weak; e++ {
			same, _, err := graph.Compare(g, h, e, TauText)
			if err != nil {
				t.Fatal(err)
			}
			if same {
				continue
			}
			differ = true
			f, labels := graph.Distinguish(g, h, e, TauText)
			if f == nil {
				t.Fatalf("seed %d, %v: no formula", seed, e)
			}
			text := f.Text(labels, func(label string) string { return label }, TauText)
			file := written(t, text)
			if first, second := judged(t, m, file), judged(t, n, file); !first || second {
				t.Errorf("seed %d, %v: %s: got %v and %v, want true and false", seed, e, text, first, second)
			}
			count[e]++
			longest, sum, all = max(longest, f.Size()), sum+f.Size(), all+1
		}
		if differ {
			pairs++
		}
	}
	var counts []string
	for e := graph.Strong; e <= graph.Weak; e++ {
		counts = append(counts, fmt.Sprintf("%v %d", e, count[e]))
		if count[e] < want/4 {
			t.Errorf("%v: %d of %d pairs differ: too few", e, count[e], want)
		}
	}
	for p := graph.Simulation; p <= graph.WeakFailures; p++ {
		counts = append(counts, fmt.Sprintf("not below, %v %d", p, below[p]))
		if below[p] < want/5 {
			t.Errorf("%v: the first of %d of %d pairs is not below: too few", p, below[p], want)
		}
	}
	t.Logf("%d pairs of %d: %s; formulas have %.1f operators on average, %d at most", want, seed, strings.Join(counts, ", "), float64(sum)/float64(all), longest)
}
