package symbolic

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/ldd"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
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
	sys, err := state.New(l, state.Options{Actions: []string{"alarm"}})
	if err != nil {
		t.Fatal(err)
	}
	return sys
}

// counters returns n counters side by side that go up to most, and ring if they get
// there.
func counters(n, most int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("C(%d, 0)", i))
	}
	return fmt.Sprintf(`act up, alarm: Nat;
proc C(i, n: Nat) = (n < %d) -> up(i) . C(i, n + 1) + (n == %d) -> alarm(i) . delta;
init allow({up, alarm}, %s);`, most, most, strings.Join(list, " || "))
}

// TestCounters: n counters with most+2 places each have (most+2)^n states. There is one
// deadlock, behind n*(most+1) steps, and an alarm behind most+1.
func TestCounters(t *testing.T) {
	const n, most = 30, 5
	sys := system(t, counters(n, most))
	x, err := Reach(sys, Options{Labels: true})
	if err != nil {
		t.Fatal(err)
	}
	want := new(big.Int).Exp(big.NewInt(most+2), big.NewInt(n), nil)
	if got := x.Count(); got.Cmp(want) != 0 {
		t.Errorf("got %v states, want %v", got, want)
	}
	if got, want := x.Learned(), int64(n*(most+1)); got != want {
		t.Errorf("got %d steps, want %d", got, want)
	}
	dead, err := x.Deadlocks()
	if err != nil {
		t.Fatal(err)
	}
	if got := x.Store().Count(dead).Int64(); got != 1 {
		t.Errorf("got %d deadlocks", got)
	}
	path, err := x.Way(dead)
	if err != nil || len(path) != n*(most+1) || len(sys.Enabled(nil)) > 0 {
		t.Errorf("got %d steps, %v", len(path), err)
	}
	ringing, err := x.Doing(sys.Forbidden)
	if err != nil {
		t.Fatal(err)
	}
	if path, err = x.Way(ringing); err != nil || len(path) != most {
		t.Errorf("got %d steps to an alarm, %v", len(path), err)
	}
	// Half of the states have an even first counter, or one that has rung.
	first := slices.IndexFunc(sys.Initial(), func(v data.Value) bool { return v == 0 })
	odd, err := x.Where([]int{first}, func(v []data.Value) bool { return v[0] == 2 })
	if err != nil {
		t.Fatal(err)
	}
	if got, want := x.Store().Count(odd), new(big.Int).Div(want, big.NewInt(most+2)); got.Cmp(want) != 0 {
		t.Errorf("got %v states in which a counter is 1, want %v", got, want)
	}
}

// TestSteps: steps lead to and fro.
func TestSteps(t *testing.T) {
	sys := system(t, counters(3, 2))
	x, err := Reach(sys, Options{Labels: true})
	if err != nil {
		t.Fatal(err)
	}
	up := x.Steps(func(l lts.Label) bool { return strings.HasPrefix(sys.LabelText(l), "up") })
	next := up.Next(x.Initial())
	if got := x.Store().Count(next).Int64(); got != 3 {
		t.Errorf("got %d states after the first, want 3", got)
	}
	if back := up.Prev(next, x.Reached()); back != x.Initial() {
		t.Errorf("got %v states before these, want the first one", x.Store().Count(back))
	}
	if got := len(x.Labels()); got != 6 {
		t.Errorf("got %d labels, want 6", got)
	}
}

// TestStopped: a search that is stopped says so, and how far it came.
func TestStopped(t *testing.T) {
	sys := system(t, `act a; proc P(n: Nat) = a . P(n + 1); init P(0);`)
	asked := 0
	x, err := Reach(sys, Options{Stop: func() bool { asked++; return asked > 3 }})
	if err != ErrStopped {
		t.Fatalf("got %v, want that it was stopped", err)
	}
	if n := x.Count().Int64(); n < 2 {
		t.Errorf("got %d states", n)
	}
}

// TestFails: a condition without a value ends the search, with its position.
func TestFails(t *testing.T) {
	sys := system(t, `act a, b; proc P(l: List(Nat)) = (#l > 0) -> a . P(tail(l)) + (#l < 4 && head(l) == 1) -> b . P([]); init P([1, 1]);`)
	_, err := Reach(sys, Options{})
	if err == nil || diag.ExitCode(err) != diag.ExitIncomplete || !strings.HasPrefix(err.Error(), "model:1:") {
		t.Errorf("got %v", err)
	}
}

// TestNothing: a process without parameters is a state, and one that does nothing a
// deadlock.
func TestNothing(t *testing.T) {
	for _, test := range []struct {
		text   string
		states int64
		dead   int64
	}{
		{`act a; proc P = a . P; init P;`, 1, 0},
		{`act a; init delta;`, 1, 1},
		{`act a; init a . delta;`, 2, 1},
	} {
		x, err := Reach(system(t, test.text), Options{})
		if err != nil {
			t.Fatal(err)
		}
		dead, err := x.Deadlocks()
		if err != nil {
			t.Fatal(err)
		}
		if got, deadlocks := x.Count().Int64(), x.Store().Count(dead).Int64(); got != test.states || deadlocks != test.dead {
			t.Errorf("%s: got %d states, %d deadlocks, want %d, %d", test.text, got, deadlocks, test.states, test.dead)
		}
	}
}

// TestCollected: nodes are given back in between without a change of the result.
func TestCollected(t *testing.T) {
	sys := system(t, counters(12, 6))
	x := newSpace(sys, Options{})
	x.large = 50
	if err := x.reach(); err != nil {
		t.Fatal(err)
	}
	want := new(big.Int).Exp(big.NewInt(8), big.NewInt(12), nil)
	if got := x.Count(); got.Cmp(want) != 0 {
		t.Errorf("got %v states, want %v", got, want)
	}
	dead, err := x.Deadlocks()
	if err != nil || x.Store().Count(dead).Int64() != 1 || dead == ldd.Empty {
		t.Errorf("got %v deadlocks, %v", x.Store().Count(dead), err)
	}
}

// TestOrder: what is used together gets close: pairs of which one half stands behind all
// other halves become neighbours.
func TestOrder(t *testing.T) {
	const n = 20
	var uses [][]int
	for i := range n {
		uses = append(uses, []int{i, n + i})
	}
	if got := span(order(2*n, uses), uses); got != n {
		t.Errorf("got a span of %d, want %d", got, n)
	}
	ring := make([][]int, n)
	for i := range n {
		ring[i] = []int{i, (i + 1) % n}
	}
	if got, most := span(order(n, ring), ring), 2*n; got > most {
		t.Errorf("got a span of %d of a ring, want at most %d", got, most)
	}
}
