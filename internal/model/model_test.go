package model

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/trace"
)

// counter counts to 3 and stops, or hums for ever once it is at 2: 4 states, 3 steps
// a, and one that is hidden.
const counter = `act a: Nat; hum;
proc P(n: Nat) = (n < 3) -> a(n).P(n + 1) + (n == 2) -> hum.P(n);
init P(0);
`

// prepared returns the systems of the counter.
func prepared(t *testing.T, s *Spec) *Systems {
	t.Helper()
	file := filepath.Join(t.TempDir(), "counter.mcrl2")
	if err := os.WriteFile(file, []byte(counter), 0o666); err != nil {
		t.Fatal(err)
	}
	m, err := Load(file, s.Passes)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Fits(m); err != nil {
		t.Fatal(err)
	}
	p, err := Prepare(m, s, 1)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// written writes a formula to a file.
func written(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "f.mcf")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestCheck looks for one thing after the other. What is found is found again by a
// replay of its story.
func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name   string
		spec   Spec
		states int64
		want   string // kinds and lengths of stories
		left   int
	}{
		{"nothing", Spec{}, 0, "", 0},
		{"a deadlock", Spec{Deadlock: true}, 0, "deadlock 3", 0},
		{"an action", Spec{Actions: []string{"hum"}}, 0, "action 3", 0},
		{"an invariant", Spec{Invariants: []string{"n < 2"}, Passes: KeepingPasses}, 0, "invariant 2", 0},
		{"a loop", Spec{Divergence: true, Tau: []string{"hum"}}, 0, "divergence 3", 0},
		{"no loop", Spec{Divergence: true}, 0, "", 0},
		{"two steps of one label, but not in one state", Spec{Nondeterminism: true}, 0, "", 0},
		{"a formula", Spec{Formulas: []string{written(t, "[true*.hum]false")}}, 0, "formula 3", 0},
		{"a formula that holds", Spec{Formulas: []string{written(t, "<true*.hum>true")}}, 0, "", 0},
		{"a formula of what is not all known", Spec{Formulas: []string{written(t, "[true*.hum]false")}}, 2, "", 2},
	} {
		p := prepared(t, &test.spec)
		res, err := p.Check(explore.Options{Strategy: explore.BreadthFirst, Limits: explore.Limits{States: test.states}}, Hooks{
			Search: func(o explore.Options) (*explore.Result, error) { return explore.Run(p.New, o) },
		})
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		var got []string
		for _, tr := range res.Stories {
			got = append(got, fmt.Sprintf("%s %d", tr.Finding.Kind, len(tr.Steps)))
			if again, err := p.ShowsAgain(tr); !again || err != nil {
				t.Errorf("%s: it shows again: %v, %v", test.name, again, err)
			}
			if n, err := Follow(p.One(), tr); n != len(tr.Steps) || err != nil {
				t.Errorf("%s: got %d of %d steps, %v", test.name, n, len(tr.Steps), err)
			}
		}
		if got := strings.Join(got, ", "); got != test.want || len(res.Left) != test.left {
			t.Errorf("%s: got %q and %v left, want %q and %d", test.name, got, res.Left, test.want, test.left)
		}
	}
}

// TestSymbolic: what is found among sets of states is what is found otherwise, with
// traces that are as long and can be followed.
func TestSymbolic(t *testing.T) {
	for _, test := range []struct {
		name string
		spec Spec
		want string // kinds and lengths of stories
	}{
		{"nothing", Spec{}, ""},
		{"a deadlock", Spec{Deadlock: true}, "deadlock 3"},
		{"an action", Spec{Actions: []string{"hum"}}, "action 3"},
		{"an invariant", Spec{Invariants: []string{"n < 2"}, Passes: KeepingPasses}, "invariant 2"},
		{"the first of an invariant that begins as another one", Spec{Deadlock: true, Invariants: []string{"n < 3", "n < 3 && n < 2"}, Passes: KeepingPasses}, "invariant 2"},
		{"a formula", Spec{Formulas: []string{written(t, "[true*.hum]false")}}, "formula 3"},
		{"a formula that holds", Spec{Formulas: []string{written(t, "<true*.hum>true")}}, ""},
		{"a formula that no way shows", Spec{Formulas: []string{written(t, "mu X. <hum>X")}}, "formula 0"},
	} {
		var states int64
		for _, symbolic := range []bool{false, true} {
			s := test.spec
			s.Symbolic = symbolic
			p := prepared(t, &s)
			o := explore.Options{Strategy: explore.BreadthFirst}
			res, err := p.Check(o, Hooks{Search: func(o explore.Options) (*explore.Result, error) { return explore.Run(p.New, o) }})
			if err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
			var got []string
			for _, tr := range res.Stories {
				got = append(got, fmt.Sprintf("%s %d", tr.Finding.Kind, len(tr.Steps)))
				if again, err := p.ShowsAgain(tr); !again || err != nil {
					t.Errorf("%s: it shows again: %v, %v", test.name, again, err)
				}
				if n, err := Follow(p.One(), tr); n != len(tr.Steps) || err != nil {
					t.Errorf("%s: got %d of %d steps, %v", test.name, n, len(tr.Steps), err)
				}
			}
			if got := strings.Join(got, ", "); got != test.want || len(res.Left) > 0 {
				t.Errorf("%s, symbolic %v: got %q and %v left, want %q", test.name, symbolic, got, res.Left, test.want)
			}
			if !symbolic {
				states = res.States
			} else if len(res.Stories) == 0 && (res.States != states || res.Symbolic.States.Int64() != states || res.Verdict != explore.Verified) {
				t.Errorf("%s: got %d states, want %d; %s", test.name, res.States, states, res.Verdict)
			}
		}
	}
}

// TestSymbolicAll: with -all each thing that is wrong is told.
func TestSymbolicAll(t *testing.T) {
	p := prepared(t, &Spec{Symbolic: true, Deadlock: true, Actions: []string{"hum", "a"}, Formulas: []string{written(t, "[true*.hum]false"), written(t, "mu X. <hum>X")}})
	res, err := p.Check(explore.Options{All: true}, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, tr := range res.Stories {
		kinds[tr.Finding.Kind]++
	}
	if kinds[Deadlock] != 1 || kinds[Action] != 4 || kinds[Formula] != 2 || res.Verdict != explore.Violation {
		t.Errorf("got %v, %s", kinds, res.Verdict)
	}
}

// TestSymbolicStopped: a search that is stopped verifies nothing, whatever it was about to
// find.
func TestSymbolicStopped(t *testing.T) {
	file := t.TempDir() + "/m.mcrl2"
	if err := os.WriteFile(file, []byte("act a; proc P(n: Nat) = a . P(n + 1); init P(0);"), 0o666); err != nil {
		t.Fatal(err)
	}
	m, err := Load(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Prepare(m, &Spec{Symbolic: true, Deadlock: true}, 1)
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	res, err := p.Check(explore.Options{Interrupt: func() bool { asked++; return asked > 2 }}, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if res.Verdict != explore.Inconclusive || len(res.Left) != 1 || res.Left[0].Reason != explore.Interrupted {
		t.Errorf("got %s, %v", res.Verdict, res.Left)
	}
}

// TestFollow: a trace of another model is followed as far as it goes.
func TestFollow(t *testing.T) {
	p := prepared(t, &Spec{})
	sys := p.One()
	sys.Reset()
	var path lts.Path
	for range 3 {
		s := sys.Enabled(nil)[0]
		path = append(path, s)
		sys.Take(s)
	}
	tr, err := trace.Record(sys, path, diag.Finding{})
	if err != nil {
		t.Fatal(err)
	}
	tr.Steps[1].Action = "a(7)"
	n, err := Follow(sys, tr)
	if want := "step 2 of 3: a(7) is now a(1)"; n != 1 || err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %d steps, %v, want 1, %s", n, err, want)
	}
}

// TestRecipe: a Spec that is written down is read as the same again.
func TestRecipe(t *testing.T) {
	m := &Model{Name: "/x/m.mcrl2"}
	for _, s := range []*Spec{
		{},
		{Deadlock: true, Passes: UsualPasses},
		{Divergence: true, Actions: []string{"a", "b"}, Tau: []string{"c"}, Invariants: []string{"n < 3, m"}, Formulas: []string{"/x/f.mcf"}, Passes: []string{"rewr"}},
	} {
		got, name, err := ReadRecipe(s.Recipe("/y", m), "")
		if err != nil || name != m.Name || !reflect.DeepEqual(got, s) {
			t.Errorf("got %+v, %s, %v, want %+v, %s", got, name, err, s, m.Name)
		}
	}
	s := &Spec{Formulas: []string{"f.mcf"}}
	if got, name, _ := ReadRecipe(s.Recipe("/y", &Model{Name: "m.lps"}), ""); name != "/y/m.lps" || got.Formulas[0] != "/y/f.mcf" {
		t.Errorf("got %s and %s, want them in the folder of the recipe", name, got.Formulas[0])
	}
	if _, _, err := ReadRecipe(map[string]string{"colour": "red"}, ""); err == nil {
		t.Error("a setting that is none is read")
	}
}

// TestGraph: the graph of a model has its states and steps, or is none.
func TestGraph(t *testing.T) {
	p := prepared(t, &Spec{Passes: KeepingPasses})
	g, v, err := p.Model.Graph(explore.Options{}, true, false)
	if err != nil {
		t.Fatal(err)
	}
	if g.States != 4 || len(g.Transitions) != 4 || len(v.States) != 4 || len(v.Params) != 1 || len(v.Params[0].Values) != 4 {
		t.Errorf("got %d states, %d steps, vectors %v, want 4, 4 and those of one parameter", g.States, len(g.Transitions), v)
	}
	if got := Hide(g, []string{"hum"}).Labels; strings.Join(got, " ") != "a(0) a(1) a(2) tau" {
		t.Errorf("got labels %v", got)
	}
	if _, _, err := p.Model.Graph(explore.Options{Limits: explore.Limits{States: 2}}, false, false); diag.ExitCode(err) != diag.ExitIncomplete {
		t.Errorf("got %v, want that it is not complete", err)
	}
}

// TestIdentity: identities have 128 bits, and those of other models are others.
func TestIdentity(t *testing.T) {
	seen := map[string]bool{}
	for _, text := range []string{"act a, b; init a;", "act a, b; init b;"} {
		file := filepath.Join(t.TempDir(), "m.mcrl2")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		m, err := Load(file, nil)
		if err != nil {
			t.Fatal(err)
		}
		if id := m.Identity(); len(id) != 32 || seen[id] {
			t.Errorf("%s: got identity %q, want 32 digits that no other model has", text, id)
		}
		seen[m.Identity()] = true
	}
}
