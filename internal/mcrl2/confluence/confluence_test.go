package confluence

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/graph"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/linear"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
)

func system(t testing.TB, text string) *state.System {
	t.Helper()
	s, err := types.Load("model", []byte(text))
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
	return sys
}

// graphOf returns the graph of a system.
func graphOf(t testing.TB, sys lts.System) *graph.Graph {
	t.Helper()
	var b graph.Builder
	res, err := explore.Run(func() (lts.System, error) { return sys, nil }, explore.Options{Strategy: explore.BreadthFirst, All: true, Observer: &b})
	if err != nil || len(res.Left) > 0 {
		t.Fatal(err, res)
	}
	return b.Graph()
}

// TestReduced: what is left of small models, by numbers that follow from their texts.
func TestReduced(t *testing.T) {
	for _, test := range []struct {
		name, text    string
		states, whole int
		deadlocks     int
	}{
		{"work of three that nobody sees is done at once",
			`act a; proc P = tau . tau . tau . a . delta; init allow({a}, P || P || P);`, 8, 125, 1},
		{"a choice is kept",
			`act a, b; init tau . a . delta + tau . b . delta;`, 4, 4, 1},
		{"so is one with something that is seen",
			`act a, b; init tau . a . delta + b . delta;`, 3, 3, 1},
		{"a tau that others can end is kept",
			`act a, b; proc P(x, n: Bool) = (x && n) -> tau . P(x, false) + a . P(false, n) + (!n) -> b . P(x, n); init P(true, true);`, 4, 4, 0},
		{"a tau that ends what others can do is kept",
			`act a, b; proc P(x, n: Bool) = n -> tau . P(false, false) + x -> a . P(x, n); init P(true, true);`, 2, 2, 1},
		{"a loop is one state, with a tau to itself",
			`act a, b; proc P = tau . tau . tau . P; Q = a . b . Q; init allow({a, b}, P || Q);`, 2, 6, 0},
		{"a loop and nothing else",
			`act a; proc P = tau . tau . P; init P;`, 1, 2, 0},
	} {
		sys := system(t, test.text)
		whole := graphOf(t, sys)
		sys.Reset()
		got := graphOf(t, New(sys, Find(sys)))
		if got.States != test.states || whole.States != test.whole || len(got.Deadlocks()) != test.deadlocks {
			t.Errorf("%s: got %d states, %d deadlocks, of %d, want %d, %d, of %d", test.name, got.States, len(got.Deadlocks()), whole.States, test.states, test.deadlocks, test.whole)
		}
		if same, _, err := graph.Compare(got, whole, graph.Branching, "tau"); !same || err != nil {
			t.Errorf("%s: not branching bisimilar: %v", test.name, err)
		}
	}
}

// TestQueue: that putting into a queue and taking out of it fit is shown by trying: none of
// the steps that nobody sees is left.
func TestQueue(t *testing.T) {
	sys := system(t, `act put, get, p, g, move: Bool; out: Bool; start;
proc S = start . put(true) . S; R = sum b: Bool. get(b) . out(b) . R;
     Q(l: List(Bool)) = sum b: Bool. (#l < 3) -> p(b) . Q(l <| b) + (#l > 0) -> g(head(l)) . Q(tail(l));
init hide({move}, allow({start, move, out}, comm({put|p -> move, get|g -> move}, S || Q([]) || R)));`)
	whole := graphOf(t, sys)
	got := graphOf(t, New(sys, Find(sys)))
	for _, x := range got.Transitions {
		if got.Labels[x.Label] == "tau" {
			t.Error("a tau is left")
			break
		}
	}
	if same, _, err := graph.Compare(got, whole, graph.Branching, "tau"); !same || err != nil || got.States >= whole.States {
		t.Errorf("%d states of %d, branching bisimilar: %v, %v", got.States, whole.States, same, err)
	}
}

// TestUnbounded: values that have no end are not tried, and what reads them is not
// confluent unless others leave it alone.
func TestUnbounded(t *testing.T) {
	sys := system(t, `act a; proc P(n: Nat) = tau . P(n + 1) + (n > 5) -> a . P(n); init P(0);`)
	for i, is := range Find(sys) {
		if is {
			t.Errorf("summand %d is taken to be confluent", i)
		}
	}
}
