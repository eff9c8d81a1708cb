package graph

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
)

var _ explore.Observer = (*Builder)(nil)

// parse makes a graph of lines such as "0 a 1"; the initial state is 0.
func parse(t testing.TB, text string) *Graph {
	t.Helper()
	g := &Graph{States: 1}
	var b Builder
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		from, to := int32(f[0][0]-'0'), int32(f[2][0]-'0')
		g.Transitions = append(g.Transitions, Transition{from, b.label(f[1]), to})
		g.States = max(g.States, int(from)+1, int(to)+1)
	}
	g.Labels = b.g.Labels
	return g
}

// observed returns the graph of a toy as a search sees it.
func observed(t testing.TB, m ltstest.Model, s explore.Strategy) *Graph {
	t.Helper()
	var b Builder
	_, err := explore.Run(func() (lts.System, error) { return ltstest.New(m), nil },
		explore.Options{Strategy: s, All: true, Observer: &b})
	if err != nil {
		t.Fatal(err)
	}
	return b.Graph()
}

func TestBuilder(t *testing.T) {
	for _, test := range []struct {
		name string
		m    ltstest.Model
		want Info
	}{
		// The numbers are in the comments of the toys.
		{"philosophers", ltstest.Philosophers(3, false), Info{States: 14, Transitions: 3 * (14 - 5), Labels: 3, Deadlocks: 1, Reachable: 14, Deterministic: true}},
		{"jugs", ltstest.Jugs(), Info{States: 16, Transitions: 96, Labels: 6, Reachable: 16, Deterministic: true}},
		{"tree", ltstest.Tree(4), Info{States: 31, Transitions: 30, Labels: 2, Deadlocks: 16, Reachable: 31, Deterministic: true}},
	} {
		depth, breadth := observed(t, test.m, explore.DepthFirst), observed(t, test.m, explore.BreadthFirst)
		if got := depth.Info(); got != test.want {
			t.Errorf("%s: got %+v, want %+v", test.name, got, test.want)
		}
		if got := breadth.Info(); got != test.want {
			t.Errorf("%s breadth-first: got %+v, want %+v", test.name, got, test.want)
		}
		if !depth.tidy().Equal(breadth.tidy()) {
			t.Errorf("%s: two searches give two graphs", test.name)
		}
	}
	var b Builder
	b.State(nil, []byte("x"), 0)
	b.Add([]byte("x"), "one", []byte("y"))
	b.Add([]byte("y"), "two", []byte("x"))
	want := &Graph{States: 2, Labels: []string{"one", "two"}, Transitions: []Transition{{0, 0, 1}, {1, 1, 0}}}
	if got := b.Graph(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestInfo(t *testing.T) {
	g := parse(t, "0 a 1\n0 a 2\n1 b 0\n3 c 3")
	want := Info{States: 4, Transitions: 4, Labels: 3, Deadlocks: 1, Reachable: 3}
	if got := g.Info(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := g.Deadlocks(); !slices.Equal(got, []int{2}) {
		t.Errorf("deadlocks: got %v, want 2", got)
	}
	if got := parse(t, "0 a 1\n0 a 1").Info(); !got.Deterministic {
		t.Errorf("one transition twice: got %+v, want deterministic", got)
	}
}

func TestTwoWays(t *testing.T) {
	// State 5 is not reached, 1 has one transition twice, and 3 does c in two ways.
	g := parse(t, "0 a 1\n1 b 2\n1 b 2\n1 a 3\n3 c 0\n3 c 3\n3 c 0\n5 a 0\n5 a 1\n2 b 3")
	n, w := g.TwoWays()
	if n != 1 || w == nil || w.State != 3 || g.Labels[w.Label] != "c" || w.To != 0 || w.Or != 3 || len(w.Trace) != 2 || g.Labels[w.Trace[1]] != "a" {
		t.Errorf("got %d, %+v, want state 3 alone, behind a and a", n, w)
	}
	if n, w := parse(t, "0 a 1\n0 a 1\n1 b 0").TwoWays(); n != 0 || w != nil {
		t.Errorf("got %d, %+v, want none", n, w)
	}
}

func TestEqual(t *testing.T) {
	g := parse(t, "0 a 1\n1 b 0")
	for text, want := range map[string]bool{
		"1 b 0\n0 a 1":          true,
		"1 b 0\n0 a 1\n0 a 1":   true,
		"0 a 1\n1 a 0":          false,
		"0 a 1\n1 b 1":          false,
		"0 a 1\n1 b 0\n2 a 2":   false,
		"0 a 1\n1 b 0\n0 b 0\n": false,
	} {
		if got := g.Equal(parse(t, text)); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

func TestTidy(t *testing.T) {
	// State 3 cannot be reached; b leads to 1 and a to 2, but a comes first.
	got := parse(t, "0 b 1\n0 a 2\n0 a 2\n3 c 0\n1 d 1").tidy()
	want := &Graph{States: 3, Labels: []string{"a", "b", "d"}, Transitions: []Transition{{0, 0, 1}, {0, 1, 2}, {2, 2, 2}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
