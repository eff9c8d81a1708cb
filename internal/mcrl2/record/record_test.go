package record

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/heddle-mc/heddle/internal/lts"
)

// made returns a graph of edges from, to, label; the step is the place in the
// list.
func made(edges ...[3]int) *Graph {
	g := &Graph{}
	g.State(nil, []byte("0"), 0)
	for i, e := range edges {
		g.Step(nil, fmt.Append(nil, e[0]), fmt.Append(nil, e[1]), lts.Step(i), lts.Label(e[2]))
	}
	return g
}

func TestPath(t *testing.T) {
	g := made([3]int{0, 1, 0}, [3]int{0, 2, 0}, [3]int{1, 2, 0}, [3]int{2, 3, 0})
	if got, want := g.Path(3).String(), "1.3"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := g.Path(0).String(), "-"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := len(g.Edges(0)), 2; got != want {
		t.Errorf("got %d edges, want %d", got, want)
	}
}

func TestLoop(t *testing.T) {
	silent := func(l lts.Label) bool { return l == 0 }
	for _, test := range []struct {
		edges [][3]int
		state int32
		steps string // or "" if there is no loop
	}{
		{nil, 0, ""},
		{[][3]int{{0, 0, 1}}, 0, ""},
		{[][3]int{{0, 0, 0}}, 0, "0"},
		{[][3]int{{0, 1, 0}, {1, 2, 0}, {2, 0, 1}}, 0, ""},
		{[][3]int{{0, 1, 1}, {1, 2, 0}, {2, 3, 0}, {3, 1, 0}, {2, 1, 0}}, 1, "1.4"},
		{[][3]int{{0, 1, 0}, {0, 2, 0}, {1, 3, 0}, {2, 3, 0}, {3, 4, 0}, {4, 4, 0}}, 4, "5"},
	} {
		g := made(test.edges...).Only(silent)
		state, steps, ok := g.Loop()
		if ok != (test.steps != "") || ok && (state != test.state || steps.String() != test.steps) {
			t.Errorf("%v: got %d, %v, %v, want %d, %q", test.edges, state, steps, ok, test.state, test.steps)
		}
	}
}

// TestLoopRandom: a state is on a loop if and only if it can be reached from
// itself.
func TestLoopRandom(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 0))
		n := 1 + r.IntN(8)
		reach := make([][]bool, n)
		for i := range reach {
			reach[i] = make([]bool, n)
		}
		var edges [][3]int
		for i := range n { // so that numbers are those of the graph
			edges = append(edges, [3]int{0, i, 1})
		}
		for range r.IntN(2 * n) {
			e := [3]int{r.IntN(n), r.IntN(n), 0}
			edges = append(edges, e)
			reach[e[0]][e[1]] = true
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
				}
			}
		}
		got := made(edges...).Only(func(l lts.Label) bool { return l == 0 }).components()
		for i := range n {
			if got[i] != reach[i][i] {
				t.Fatalf("seed %d, state %d: got %v, want %v: %v", seed, i, got[i], reach[i][i], edges)
			}
		}
	}
}
