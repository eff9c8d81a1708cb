package state

import (
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
)

const counter = `
sort E = struct small | large(much: Nat);
act up, down: Nat; wrong: E # List(Bool); both: Int;
proc P(n: Nat, e: E) = (n < 5) -> up(n) . P(n = n + 1)
  + (n > 0) -> down(n) . P(n = Int2Nat(n - 1))
  + (n == 4 && e == small) -> wrong(large(n), [true]) . P(e = large(n))
  + (n == 2) -> up(1)|both(-n)|up(0) . P(n, small)
  + (n == 2) -> both(-2)|up(0)|up(1) . P(2, small)
  + (n == 3 && e == small) -> tau . P();
init P(0, small);`

func TestFindings(t *testing.T) {
	l := linearised(t, counter)
	cond, err := types.Expr(l.Data, l.Params, "n <= 4")
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Actions: []string{"wrong"}, Invariants: []Invariant{{"n <= 4", cond}}}
	r := search(t, l, o, explore.Options{All: true, Strategy: explore.BreadthFirst})
	var got []string
	for _, f := range r.Findings {
		got = append(got, f.Kind+": "+f.Message)
	}
	want := []string{"action: wrong(large(4), [true])", "invariant: n <= 4 does not hold"}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("got findings %q, want %q", got, want)
	}
	if r.States != 12 { // n from 0 to 5, e small or large(4)
		t.Errorf("got %d states, want 12", r.States)
	}
}

func TestWords(t *testing.T) {
	l := linearised(t, counter)
	s, err := New(l, Options{})
	if err != nil {
		t.Fatal(err)
	}
	walk := func(label string) lts.Event {
		t.Helper()
		for _, step := range s.Enabled(nil) {
			m := s.Save()
			if s.LabelText(s.Take(step)) == label {
				s.Restore(m)
				return s.Describe(step)
			}
			s.Restore(m)
		}
		t.Fatalf("no step %s", label)
		return lts.Event{}
	}
	walk("up(0)")
	walk("up(1)")
	labels := func() string {
		var out []string
		for _, step := range s.Enabled(nil) {
			m := s.Save()
			out = append(out, s.LabelText(s.Take(step)))
			s.Restore(m)
		}
		return strings.Join(out, " ")
	}
	if got, want := labels(), "up(2) down(2) both(-2)|up(0)|up(1)"; got != want {
		t.Errorf("got labels %q, want %q: two summands with one label and target are one step", got, want)
	}
	walk("up(2)")
	if got, want := labels(), "up(3) down(3) tau"; got != want {
		t.Errorf("got labels %q, want %q", got, want)
	}
	walk("up(3)")
	e := walk("wrong(large(4), [true])")
	if got, want := strings.Join(s.Values(), "; "), "4; large(4)"; got != want {
		t.Errorf("got state %q, want %q", got, want)
	}
	cond, err := types.Expr(l.Data, l.Params, "exists m: Nat. m < n && e == large(m + 1)")
	if err != nil {
		t.Fatal(err)
	}
	holds, err := s.Predicate(cond)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := holds(); !got || err != nil {
		t.Errorf("got %v, %v, want that e is large(m + 1) for an m", got, err)
	}
	s.Reset()
	if got, err := holds(); got || err != nil {
		t.Errorf("got %v, %v, want that it is not at first", got, err)
	}
	if want := []lts.Change{{Name: "e", Old: "small", New: "large(4)"}}; !slices.Equal(e.Changed, want) {
		t.Errorf("got changes %v, want %v", e.Changed, want)
	}
}

// What cannot be explored is refused with its position.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"enumerate", "act a: Real; proc P = sum r: Real. (r > 1) -> a(r) . P; init P;",
			"model:1:27: values of r: Real: the condition does not give its value"},
		{"time", "act a; proc P = sum t: Real. (t > 1) -> a @ t . P; init P;",
			"model:1:21: values of t: Real: the condition does not give its value"},
		{"nat", "act a: Nat; proc P = sum n: Nat. (n > 1) -> a(n) . P; init P;",
			"model:1:26: values of n: Nat: the condition gives it no upper bound"},
		{"condition", "act a; proc P(l: List(Bool)) = (head(l)) -> a . P(); init P([]);",
			"model:1:33: the condition is neither true nor false: it rewrites to head([])"},
		{"endless", "map f: Nat -> Bool; var n: Nat; eqn f(n) = f(n + 1); act a; proc P(n: Nat) = f(n) -> a . P(n + 1); init P(0);",
			"model:1:5: rewriting of f does not end within 10000 steps"},
		{"terms", "act a; proc P = sum l: List(Bool). (#l > 1) -> a . P; init P;",
			"more than 2000 terms for l: List(Bool)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := linearised(t, c.text)
			o := Options{Data: data.Options{Steps: 10_000, Terms: 2_000}}
			s, err := New(l, o)
			if err != nil {
				t.Fatal(err)
			}
			if steps := s.Enabled(nil); len(steps) > 0 {
				t.Errorf("got steps %v, want none", steps)
			}
			if err := s.Beyond(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
			r := search(t, l, o, explore.Options{})
			if len(r.Left) != 1 || r.Left[0].Reason != explore.SystemBound {
				t.Errorf("got left %v, want one bound of the system", r.Left)
			}
		})
	}
}

// A cache that does not pay is given up without a difference in what is found.
func TestWastefulCache(t *testing.T) {
	l := linearised(t, philosophers(5))
	want := search(t, l, Options{}, explore.Options{All: true})
	manyEntries = 8
	defer func() { manyEntries = 1 << 17 }()
	got := search(t, l, Options{}, explore.Options{All: true})
	if got.States != want.States || got.Transitions != want.Transitions {
		t.Errorf("got %d states and %d transitions, want %d and %d", got.States, got.Transitions, want.States, want.Transitions)
	}
}
