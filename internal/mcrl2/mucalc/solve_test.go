package mucalc

import (
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
)

// A buffer of two places: at most two puts are ahead of gets, and broken when it was
// told to break.
const buffer = `
act put, get: Nat; break, idle;
proc Buffer(q: List(Nat)) =
    sum n: Nat. (n < 2 && #q < 2) -> put(n) . Buffer(q <| n)
  + (#q > 0) -> get(head(q)) . Buffer(tail(q))
  + idle . Buffer(q)
  + break . delta;
init Buffer([]);`

// labels returns the labels along a path.
func labels(sys *state.System, p lts.Path) string {
	sys.Reset()
	var list []string
	for _, s := range p {
		list = append(list, sys.LabelText(sys.Take(s)))
	}
	return strings.Join(list, " ")
}

func TestSolve(t *testing.T) {
	g, sys := explored(t, buffer)
	if got, want := g.States(), 8; got != want { // the queues with at most two of two numbers, and the end
		t.Fatalf("got %d states, want %d", got, want)
	}
	for _, test := range []struct {
		formula string
		holds   bool
		path    string
		loop    int
	}{
		// Safety and reachability have a shortest way.
		{"[true* . break]false", false, "break", -1},
		{"[true* . get(1) . get(1)]false", false, "put(1) put(1) get(1) get(1)", -1},
		{"<true* . get(1) . break>true", true, "put(1) get(1) break", -1},
		{"[true*]<true>true", false, "break", -1},
		{"[(!break)*]<true>true", true, "", -1},
		// Liveness has a loop.
		{"mu X. [!get(0) && !break]X && <true>true", false, "idle", 0},
		{"nu X. <idle>X", true, "idle", 0},
		{"<put(0)>nu X. <get(0)><put(0)>X", true, "put(0) get(0) put(0)", 1},
		{"[put(1)]mu X. ([!get(1) && !break]X && <true>true)", false, "put(1) idle", 1},
		// Fixed points with parameters count.
		{"nu X(n: Nat = 0). val(n <= 2) && [exists d: Nat. put(d)]X(n + 1) && [exists d: Nat. get(d)]X(Int2Nat(n - 1)) && [idle]X(n)", true, "", -1},
		{"nu X(n: Nat = 0). val(n <= 1) && [exists d: Nat. put(d)]X(n + 1) && [exists d: Nat. get(d)]X(Int2Nat(n - 1)) && [idle]X(n)", false, "put(0) put(0)", -1},
		// What values decide ends the counting.
		{"nu X(n: Nat = 0). val(n < 5) && [idle]X(n + 1)", false, "idle idle idle idle idle", -1},
		{"mu X(n: Nat = 0). val(n == 3) && <break>true || val(n < 3) && <idle>X(n + 1)", true, "idle idle idle break", -1},
		// What was put in first comes out first.
		{"forall m, n: Nat. val(m < 2 && n < 2) => [put(m) . put(n)](<get(m)>true && [exists k: Nat. get(k) && val(k != m)]false)", true, "", -1},
		{"exists n: Nat. val(n < 5 && n > 0) && <put(n) . get(n)>true", true, "put(1) get(1)", -1},
		{"exists n: Nat. val(n < 5 && n > 1) && <put(n)>true", false, "", -1},
		{"[true*]forall n: Nat. val(n < 2) => [put(n)](mu Y. <get(n)>true || <!put(n)>Y)", true, "", -1},
		// A multi-action is in the formula as a whole.
		{"<true* . put(0)|get(0)>true", false, "", -1},
		{"<tau>true", false, "", -1},
	} {
		got, err := solved(t, g, sys, test.formula)
		if err != nil {
			t.Errorf("%s: %v", test.formula, err)
			continue
		}
		if path := labels(sys, got.Path); got.Holds != test.holds || path != test.path || got.Loop != test.loop {
			t.Errorf("%s:\ngot  %v, %q, %d\nwant %v, %q, %d", test.formula, got.Holds, path, got.Loop, test.holds, test.path, test.loop)
		}
	}
}

func TestRefused(t *testing.T) {
	g, sys := explored(t, buffer)
	for _, test := range []struct{ formula, want string }{
		{"[true*]delay", "formula:1:8: delay and yaled: time is not explored: not supported (see docs/LIMITS.md)"},
		{"<put(0)@1>true", "formula:1:8: time of an action: not supported (see docs/LIMITS.md)"},
		{"forall n: Nat. [put(n)]true", "formula:1:1: values of n: Nat: the condition gives it no upper bound: not supported (see docs/LIMITS.md)"},
	} {
		got, err := solved(t, g, sys, test.formula)
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: got %v, %v, want %s", test.formula, got, err, test.want)
		}
	}
}
