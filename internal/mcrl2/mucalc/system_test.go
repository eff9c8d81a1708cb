package mucalc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/randformula"
	"github.com/heddle-mc/heddle/internal/mcrl2/record"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// systemSolved solves an equation system.
func systemSolved(t testing.TB, text string) (*Outcome, error) {
	t.Helper()
	s, err := types.LoadPbes("system", []byte(text))
	if err != nil {
		return nil, err
	}
	engine, err := data.New(s.Data, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return SolveSystem(s, engine, 100_000)
}

func TestSystem(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       bool
	}{
		{"least", "pbes mu X = X; init X;", false},
		{"greatest", "pbes nu X = X; init X;", true},
		// The first equation decides: X and Y depend on each other.
		{"greatest first", "pbes nu X = Y; mu Y = X; init X;", true},
		{"least first", "pbes mu X = Y; nu Y = X; init X;", false},
		{"least first, from the other", "pbes mu X = Y; nu Y = X; init Y;", false},
		{"data", "pbes mu X(n: Nat) = val(n == 10) || X(n + 1); init X(0);", true},
		{"too far", "pbes mu X(n: Nat) = val(n < 10) && X(n + 1); init X(0);", false},
		{"quantifiers", "pbes nu X(n: Nat) = forall m: Nat. val(m < n) => X(m); init X(5);", true},
		{"exists", "pbes nu X(n: Nat) = exists m: Nat. val(m < n) && X(m); init X(5);", false},
		{"declarations", "map f: Nat -> Nat; var n: Nat; eqn f(n) = (n + 1) mod 3; pbes nu X(n: Nat) = val(n < 3) && X(f(n)); init X(0);", true},
		{"negation", "pbes nu X(b: Bool) = !val(b) || !(!X(!b)); init X(true);", true},
		// Even and odd numbers, by two equations: 7 is odd.
		{"even", "pbes mu Even(n: Nat) = val(n == 0) || val(n > 0) && Odd(Int2Nat(n - 1)); mu Odd(n: Nat) = val(n > 0) && Even(Int2Nat(n - 1)); init Even(7);", false},
		{"odd", "pbes mu Even(n: Nat) = val(n == 0) || val(n > 0) && Odd(Int2Nat(n - 1)); mu Odd(n: Nat) = val(n > 0) && Even(Int2Nat(n - 1)); init Odd(7);", true},
	} {
		got, err := systemSolved(t, test.text)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		} else if got.Holds != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got.Holds, test.want)
		}
	}
}

// alternating returns equations, least and greatest in turn.
func alternating(n int) string {
	text := "pbes "
	for i := range n {
		text += fmt.Sprintf("%s X%d = X%d; ", []string{"mu", "nu"}[i%2], i, (i+1)%n)
	}
	return text + "init X0;"
}

func TestSystemErrors(t *testing.T) {
	for text, want := range map[string]string{
		"pbes mu X = X;":                           "system:1:15: expected pbes, equations and init, found the end of the text",
		"init X;":                                  "system:1:8: expected pbes, equations and init, found the end of the text",
		"pbes mu X = <a>X; init X;":                "system:1:13: modalities, fixed points and times are parts of formulas, and not of equation systems",
		"pbes mu X = !X; init X;":                  "system:1:14: X is under an odd number of negations: such a fixed point need not exist",
		"pbes mu X = Y; init X;":                   "system:1:13: Y is not declared: it is neither a fixed point around this place nor data",
		"pbes mu X(n: Nat) = X; init X(1);":        "system:1:21: X takes 1 argument, found 0",
		"pbes mu X = true; nu X = X; init X;":      "system:1:22: second equation for X",
		"pbes mu X = true; init Z;":                "system:1:24: Z is not declared: it is neither a fixed point around this place nor data",
		"glob n: Nat; pbes mu X = X; init X;":      "system:1:1: expected pbes, init or a section (sort, cons, map, var or eqn), found the keyword glob",
		"pbes nu X(n: Nat) = X(n + 1); init X(0);": "not solved: the game has more than 100000 vertices",
		"pbes mu X = exists n: Nat. X; init X":     "system:1:37: expected ; after init, found the end of the text",
		alternating(200):                           "system:1:9: least and greatest fixed points that alternate more than 127 times: not supported",
	} {
		_, err := systemSolved(t, text)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

// TestTooManyClaims: evidence is given up, and not cut off.
func TestTooManyClaims(t *testing.T) {
	out, err := systemSolved(t, "pbes nu X(n: Nat) = val(n < 50) && X(n + 1); init X(0);")
	if err != nil || out.Holds || out.Why == nil {
		t.Fatalf("got %+v, %v", out, err)
	}
	for most, want := range map[int]bool{len(out.Why.Claims): true, len(out.Why.Claims) - 1: false} {
		w, err := out.solution.why(refuter, out.solution.strategy, 0, most)
		if err != nil || (w != nil) != want {
			t.Errorf("%d claims: got %v, %v", most, w, err)
		}
	}
}

// TestTranslate: the equation system of a formula has the solution that the formula's
// game has on the graph, and so has its text.
func TestTranslate(t *testing.T) {
	both := func(name string, g *record.Graph, sys *state.System, text string) {
		t.Helper()
		f, err := types.LoadFormula(sys.Process().Data, sys.Process().Actions, "formula", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		want, err := Solve(f, g, sys)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Translate(f, sys.Process())
		if err != nil {
			t.Fatalf("%s: %s: %v", name, text, err)
		}
		got, err := systemSolved(t, s.String())
		if err != nil {
			t.Fatalf("%s: %s: %v\n%s", name, text, err, s)
		}
		if got.Holds != want.Holds {
			t.Fatalf("%s: %s: got %v, want %v\n%s", name, text, got.Holds, want.Holds, s)
		}
	}
	for seed := range uint64(testlong.Or(150, 1500)) {
		m := randformula.New(seed, 11)
		model := m.Model()
		g, sys := explored(t, model)
		both(fmt.Sprintf("seed %d, %s", seed, model), g, sys, m.Formula())
	}
	g, sys := explored(t, buffer)
	for _, text := range []string{
		"[true* . get(1) . get(1)]false",
		"[put(1)]mu X. ([!get(1) && !break]X && <true>true)",
		"nu X(n: Nat = 0). val(n <= 2) && [exists d: Nat. put(d)]X(n + 1) && [exists d: Nat. get(d)]X(Int2Nat(n - 1)) && [idle]X(n)",
		"nu X(n: Nat = 0). val(n <= 1) && [exists d: Nat. put(d)]X(n + 1) && [exists d: Nat. get(d)]X(Int2Nat(n - 1)) && [idle]X(n)",
		"forall m, n: Nat. val(m < 2 && n < 2) => [put(m) . put(n)](<get(m)>true && [exists k: Nat. get(k) && val(k != m)]false)",
		"[true*]forall n: Nat. val(n < 2) => [put(n)](mu Y. <get(n)>true || <!put(n)>Y)",
	} {
		both("buffer", g, sys, text)
	}
}
