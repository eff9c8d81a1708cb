package semantics

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
)

func system(t *testing.T, text string) *System {
	t.Helper()
	sp, err := types.Load("test.mcrl2", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	e, err := data.New(sp.Data, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return New(sp, e)
}

// traces returns the traces of at most n steps that cannot be longer, or are cut
// there.
func traces(sys *System, n int) []string {
	steps := sys.Enabled(nil)
	if n == 0 || len(steps) == 0 {
		if sys.beyond != nil {
			return []string{" refused"}
		}
		return []string{""}
	}
	var out []string
	m := sys.Save()
	for _, s := range steps {
		l := sys.Take(s)
		for _, rest := range traces(sys, n-1) {
			out = append(out, " "+sys.LabelText(l)+rest)
		}
		sys.Restore(m)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestRules(t *testing.T) {
	tests := []struct{ proc, want string }{
		{"a", "a Terminate"},
		{"tau", "tau Terminate"},
		{"delta", ""},
		{"a.b", "a b Terminate"},
		{"a.delta.b", "a"},
		{"a + b", "a Terminate, b Terminate"},
		{"(1 == 2) -> a <> b", "b Terminate"},
		{"(1 == 2) -> a", ""},
		{"sum x: Bool. p(x).p(!x)", "p(false) p(true) Terminate, p(true) p(false) Terminate"},
		{"a || b", "a b Terminate, a|b Terminate, b a Terminate"},
		{"a ||_ b", "a b Terminate"},
		{"a | b", "a|b Terminate"},
		{"(a.b) | c", "a|c b Terminate"},
		{"a || tau", "a Terminate, a tau Terminate, tau a Terminate"},
		{"(a || b).c", "a b c Terminate, a|b c Terminate, b a c Terminate"},
		{"block({a}, a.b + b)", "b Terminate"},
		{"block({a}, a|b)", ""},
		{"hide({a}, a|b + a)", "b Terminate, tau Terminate"},
		{"rename({a -> b}, a.b|a)", "b b|b Terminate"},
		{"allow({a|b, c}, a|b + a + c + tau)", "a|b Terminate, c Terminate, tau Terminate"},
		{"allow({a}, a|a)", ""},
		{"comm({a|b -> c}, a|b)", "c Terminate"},
		{"comm({a|b -> c}, a|b|a)", "a|c Terminate"},
		{"comm({a|b -> c}, a|b|a|b)", "c|c Terminate"},
		{"comm({c|d -> a}, comm({a|b -> c}, a|b|d))", "a Terminate"},
		{"comm({a|a -> b}, a|a|a)", "a|b Terminate"},
		{"comm({p|q -> r}, p(true)|q(true))", "r(true) Terminate"},
		{"comm({p|q -> r}, p(true)|q(false))", "p(true)|q(false) Terminate"},
		{"comm({p|q -> r}, p(true)|q(false)|q(true))", "q(false)|r(true) Terminate"},
		{"allow({c}, comm({a|b -> c}, a || b))", "c Terminate"},
		{"X(1)", "n(1) n(2) n(0) n(1)"},
		{"Y", "refused"},
		{"sum x, y: Nat. (x < 2 && y == x + 1) -> n(y)", "n(1) Terminate, n(2) Terminate"},
	}
	for _, test := range tests {
		sys := system(t, `act a, b, c, d; p, q, r: Bool; n: Nat;
			proc X(i: Nat) = n(i).X((i + 1) mod 3); Y = Y + a; init `+test.proc+";")
		var want []string
		for _, w := range strings.Split(test.want, ", ") {
			if w != "" {
				w = " " + w
			}
			want = append(want, w)
		}
		slices.Sort(want)
		if got := traces(sys, 4); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", test.proc, got, want)
		}
	}
}

func TestContract(t *testing.T) {
	text := `sort D = struct d1 | d2; act a: D; b: Nat; c;
		proc X(i: Nat) = sum d: D. a(d).b(i).X((i + 1) mod 3) + (i == 2) -> c;
		init hide({c}, X(0) || X(1));`
	ltstest.Run(t, func() lts.System { return system(t, text) })
}

func TestInfiniteSumIsRefused(t *testing.T) {
	sys := system(t, "act n: Nat; init sum x: Nat. n(x);")
	if got := sys.Enabled(nil); len(got) != 0 {
		t.Errorf("got %d steps, want none", len(got))
	}
	got := fmt.Sprint(sys.Beyond())
	if !strings.HasPrefix(got, "test.mcrl2:1:18: ") {
		t.Errorf("got %q, want a refusal at 1:18", got)
	}
}

func TestTooManySteps(t *testing.T) {
	p := "(sum x, y, z: Bool. p(x)|p(y)|p(z))"
	sys := system(t, "act p: Bool; init "+p+strings.Repeat(" || "+p, 8)+";")
	if got := sys.Enabled(nil); len(got) != 0 {
		t.Errorf("got %d steps, want none", len(got))
	}
	if err := sys.Beyond(); diag.ExitCode(err) != diag.ExitIncomplete {
		t.Errorf("got %v, want that there are too many steps", err)
	}
}
