package recheck

import (
	"crypto/sha256"
	"os"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
)

// TestAlike: processes that do the same are alike, however many states they have, and others are not.
func TestAlike(t *testing.T) {
	t.Chdir(t.TempDir())
	graphOf := func(text string) (modelSystem, *graph) {
		t.Helper()
		if err := os.WriteFile("m.mcrl2", []byte("act a, b, c; d: Nat; e: Pos; "+text), 0o666); err != nil {
			t.Fatal(err)
		}
		l, err := loadModel("m.mcrl2")
		if err != nil {
			t.Fatal(err)
		}
		sys, err := (&looks{}).system(l)
		if err != nil {
			t.Fatal(err)
		}
		g := &graph{number: map[[sha256.Size]byte]int32{}, keep: true}
		if err := g.run(sys, "m", 1000); err != nil {
			t.Fatal(err)
		}
		return sys, g
	}
	for _, test := range []struct {
		one, two string
		alike    bool
	}{
		{"proc P = a . P; init P;", "proc P(n: Nat) = a . P((n + 1) mod 7); init P(0);", true},
		{"init a . b . delta + a . b . delta;", "init a . b . delta;", true},
		{"init a . b . delta + a . c . delta;", "init a . (b . delta + c . delta);", false},
		{"proc P = a . P; init P;", "proc P(n: Nat) = (n < 30) -> a . P(n + 1); init P(0);", false},
		{"proc P(n: Nat) = (n < 31) -> a . P(n + 1); init P(0);", "proc P(n: Nat) = (n < 30) -> a . P(n + 1); init P(0);", false},
		{"init d(1) . delta;", "init d(2) . delta;", false},
		{"init d(1) . delta;", "init e(1) . delta;", false},
		{"init a|b . delta;", "init b|a . delta;", true},
		{"init delta;", "init tau . delta;", false},
	} {
		one, a := graphOf(test.one)
		two, b := graphOf(test.two)
		err := alike(one, a, two, b, 1000)
		if (err == nil) != test.alike || err != nil && !strings.Contains(err.Error(), "does not do what the model does") {
			t.Errorf("%s and %s: got %v, want them alike: %v", test.one, test.two, err, test.alike)
		}
	}
	one, a := graphOf("proc P(n: Nat) = (n < 900) -> a . P(n + 1); init P(0);")
	two, b := graphOf("proc P(n: Nat) = (n < 900) -> a . P(n + 1); init P(0);")
	if err := alike(one, a, two, b, 100); diag.ExitCode(err) != diag.ExitIncomplete {
		t.Errorf("what takes too long: got %v, want it inconclusive", err)
	}
}
