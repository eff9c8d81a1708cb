package linear_test

import (
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/graph"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/linear"
	"github.com/heddle-mc/heddle/internal/mcrl2/semantics"
)

// Conditions behind an action and equal texts make no states of their own.
func TestFewStates(t *testing.T) {
	for _, c := range []struct {
		what, proc string
		want       int
	}{
		// One state of R for each of 0, 1, 2, and none for what was read.
		{"condition", "proc R(i: Nat) = sum j: Nat. (j < 3) -> n(j).((j > i) -> R(j) <> R(0)); init R(0);", 3},
		{"no else", "proc R = sum j: Nat. (j < 3) -> n(j).((j > 1) -> R); init R;", 2},
		{"nested", "proc R(i: Nat) = sum j: Nat. (j < 3) -> n(j).((j > i) -> ((j == 2) -> R(0) <> R(j)) <> (j == 0) -> a.R(i) <> delta); init R(0);", 5},
		{"in a sequence", "proc R = sum j: Nat. (j < 3) -> n(j).((j > 1) -> a <> b).R; init R;", 3},
		{"in a sequence of sequences", "proc R = sum j: Nat. (j < 3) -> (n(j).((j > 1) -> a <> b)).c.R; init R;", 4},
		{"process that passes on", "proc R = sum j: Nat. (j < 3) -> n(j).Q(j); Q(j: Nat) = (j > 1) -> R <> (j == 1) -> a.R <> b.R; init R;", 3},
		{"behind hide", "proc R = sum j: Nat. (j < 3) -> n(j).hide({a}, ((j > 1) -> a <> b)).R; init R;", 3},
		// The start, 3 pairs of sides, 4 sides that are left, the end.
		{"side by side", "init sum j: Nat. (j < 3) -> n(j).(((j > 1) -> a <> b) || ((j == 0) -> c <> d)) . delta;", 9},
		{"never ends", "proc R = sum j: Nat. (j < 3) -> n(j).((j > 1) -> a.delta <> (j > 0) -> delta <> b).n(j).R; init R;", 5},
		{"closed", "init a.((1 < 2) -> b <> c).delta;", 3},
		{"stack", "proc R(i: Nat) = sum j: Nat. (j < 2) -> n(j).((j > 0 && i < 2) -> R(i + 1).c <> b); init R(0);", 10},
		{"equal texts", "init a.b.c.delta + b.b.c.delta + c.c.delta;", 4},
		{"equal but for names", "proc R = sum x: D. u(x).v(x).R + sum y: D. v(y).v(y).R; init R;", 4},
		{"equal processes", "proc R = a.Q + b.S; Q = c.R; S = c.R; init R;", 2},
		{"equal but for a binder", "proc R = (sum x: D. u(x).a.(sum x: D. v(x)).R) + (sum y: D. u(y).a.(sum z: D. v(z)).R); init R;", 3},
		{"different values", "proc R = sum x, y: D. u(x).((u(x).v(y) + a.v(y)).R); init R;", 13},
		{"unequal", "proc R = sum x: D. u(x).v(x).R + sum y: D. u(y).u(y).R; init R;", 7},
		{"unequal operators", "proc R = a.hide({b}, b).R + b.hide({c}, b).R; init R;", 3},
	} {
		if got := agreedGraph(t, declarations+c.proc); got.States != c.want {
			t.Errorf("%s: got %d states, want %d", c.what, got.States, c.want)
		}
	}
}

// agreedGraph returns the graph of a text, which is that of the direct
// semantics, too.
func agreedGraph(t *testing.T, text string) *graph.Graph {
	t.Helper()
	sp := load(t, text)
	e, err := data.New(sp.Data, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := linearGraph(t, sp)
	if same, trace, err := graph.Compare(got, explore(semantics.New(sp, e)), graph.Strong, "tau"); err != nil || !same {
		t.Errorf("%s: differs from the direct semantics: %q, %v", text, trace, err)
	}
	return got
}

func TestConditionsWithoutEnd(t *testing.T) {
	for _, text := range []string{
		"proc R(i: Nat) = (i > 0) -> R(i + 1) <> a.R(0); init b.R(1);",
		"proc R(i: Nat) = (i > 0) -> R(i + 1).a <> Q; Q = a.R(0); init b.R(1);",
		"proc R(i: Nat) = (i > 0) -> Q(i) <> a.R(0); Q(i: Nat) = (i > 1) -> R(i) <> b; init sum i: Nat. (i < 2) -> n(i).R(i);",
	} {
		_, err := linear.Linearise(load(t, declarations+text))
		if err == nil || !strings.Contains(err.Error(), "calls itself without an action before the call") {
			t.Errorf("%s: got %v, want that it is not guarded", text, err)
		}
	}
}
