package mucalc

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/mcrl2/randformula"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
	"github.com/heddle-mc/heddle/internal/mcrl2/symbolic"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// reached returns the space of a system.
func reached(t testing.TB, sys *state.System) *symbolic.Space {
	t.Helper()
	x, err := symbolic.Reach(sys, symbolic.Options{Labels: true})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// solvedSymbolically judges a formula, which declares nothing.
func solvedSymbolically(t testing.TB, x *symbolic.Space, sys *state.System, text string) (*Outcome, error) {
	t.Helper()
	f, err := types.LoadFormula(sys.Process().Data, sys.Process().Actions, "formula", []byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return SolveSymbolic(f, x, sys)
}

// TestSymbolic: the game with sets says what the one with states says, and safety and
// reachability have a shortest way.
func TestSymbolic(t *testing.T) {
	_, sys := explored(t, buffer)
	x := reached(t, sys)
	for _, test := range []struct {
		formula string
		holds   bool
		steps   int // of the way
	}{
		{"[true* . break]false", false, 1},
		{"[true* . get(1) . get(1)]false", false, 4},
		{"<true* . get(1) . break>true", true, 3},
		{"[true*]<true>true", false, 1},
		{"[(!break)*]<true>true", true, 0},
		{"mu X. [!get(0) && !break]X && <true>true", false, 0},
		{"nu X. <idle>X", true, 0},
		{"nu X(n: Nat = 0). val(n <= 2) && [exists d: Nat. put(d)]X(n + 1) && [exists d: Nat. get(d)]X(Int2Nat(n - 1)) && [idle]X(n)", true, 0},
		{"nu X(n: Nat = 0). val(n <= 1) && [exists d: Nat. put(d)]X(n + 1) && [exists d: Nat. get(d)]X(Int2Nat(n - 1)) && [idle]X(n)", false, 2},
		{"nu X(n: Nat = 0). val(n < 5) && [idle]X(n + 1)", false, 5},
		{"mu X(n: Nat = 0). val(n == 3) && <break>true || val(n < 3) && <idle>X(n + 1)", true, 4},
		{"exists n: Nat. val(n < 5 && n > 0) && <put(n) . get(n)>true", true, 2},
		// A counter that the process bounds, not the formula.
		{"nu X(n: Nat = 0). [exists d: Nat. put(d)]X(n + 1) && [exists d: Nat. get(d)]X(Int2Nat(n - 1)) && [idle]X(n)", true, 0},
	} {
		got, err := solvedSymbolically(t, x, sys, test.formula)
		if err != nil {
			t.Errorf("%s: %v", test.formula, err)
			continue
		}
		if got.Holds != test.holds || len(got.Path) != test.steps {
			t.Errorf("%s: got %v, %q, want %v, %d steps", test.formula, got.Holds, labels(sys, got.Path), test.holds, test.steps)
		}
	}
	for _, test := range []struct{ formula, want string }{
		{"[true*]delay", "delay and yaled"},
		{"forall n: Nat. [put(n)]true", "gives it no upper bound"},
	} {
		if _, err := solvedSymbolically(t, x, sys, test.formula); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.formula, err, test.want)
		}
	}
}

// TestSymbolicModels: formulas that have to be unfolded hold for example models
// symbolically if they do otherwise.
func TestSymbolicModels(t *testing.T) {
	formulas := []string{
		"[true*]<true>true",
		"nu X. mu Y. [true]X || <true>Y",
		"<true*>[true]false",
		"nu X. <true>X && mu Y. [true]Y || <true><true>Y",
		"mu X. [true]X",
		"[true*](mu X. [!tau]X || <tau>true)",
		"nu X. mu Y. <!tau>X || <tau>Y",
	}
	files, err := filepath.Glob("../../../examples/models/*.mcrl2")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d models, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		g, sys := explored(t, string(text))
		x := reached(t, sys)
		if n := x.Count(); n.Int64() != int64(g.States()) {
			t.Errorf("%s: got %v states, want %d", file, n, g.States())
		}
		for _, f := range formulas {
			want, err := solved(t, g, sys, f)
			if err != nil {
				t.Fatal(err)
			}
			got, err := solvedSymbolically(t, x, sys, f)
			if err != nil || got.Holds != want.Holds {
				t.Errorf("%s: %s: got %v, %v, want %v", file, f, got, err, want.Holds)
			}
		}
	}
}

// TestSymbolicRandom: random formulas are judged alike on random models with several
// parameters.
func TestSymbolicRandom(t *testing.T) {
	count := testlong.Or(500, 5000)
	if testing.Short() {
		count = 150
	}
	holds, ways := 0, 0
	for seed := range count {
		m := randformula.New(uint64(seed), 7)
		model := m.Pair()
		g, sys := explored(t, model)
		x := reached(t, sys)
		for range 3 {
			text := m.Formula()
			want, err := solved(t, g, sys, text)
			if err != nil {
				t.Fatalf("seed %d: %s: %v", seed, text, err)
			}
			got, err := solvedSymbolically(t, x, sys, text)
			if err != nil || got.Holds != want.Holds {
				t.Fatalf("seed %d: got %v, %v, want %v\n%s\n%s", seed, got, err, want.Holds, model, text)
			}
			if got.Holds {
				holds++
			}
			if len(got.Path) > 0 {
				ways++
			}
		}
	}
	if holds < 3*count/4 || holds > 3*count*3/4 {
		t.Errorf("%d of %d formulas hold: they are too easy", holds, 3*count)
	}
	t.Logf("%d formulas, %d hold, %d with a way", 3*count, holds, ways)
}
