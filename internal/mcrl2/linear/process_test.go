package linear_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/linear"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
)

const declarations = `sort D = struct d1 | d2 | d3;
act a, b, c, d; p, q, r: Bool; n, m: Nat; u, v: D;
proc X(i: Nat) = n(i).X((i + 1) mod 3);
     Y(i: Nat, x: D) = u(x).Z(i) + (i > 0) -> n(i).Y(0, d3);
     Z(j: Nat) = n(j).Y(j, d1) + a;
     Two = (a || b).c.Two + d;
     Calls(i: Nat) = X2(i).X2((i + 1) mod 3).Calls((i + 1) mod 3);
     X2(i: Nat) = n(i).m(i);
     Never = a.Never.b;
     Count(i: Nat) = (i < 3) -> a.Count(i + 1).n(i) <> b;
     Par(i: Nat) = X(i) || c.d;
     Clash(i: Nat, turn: Nat) = sum j: Nat. (j < 2) -> n(j).Crash(turn, i) + a.Clash(i, (turn + 1) mod 2);
     Crash(j: Nat, i: Nat) = sum turn: Nat. (turn < 2 && exists i: Nat. i < 2 && i == turn + j) -> m(turn + i).Clash(j mod 2, turn);
     Any(i: Nat) = n(i).Any(dontCare) + a.b;
map  turn_1: Nat;
eqn  turn_1 = 1;
glob dontCare: Nat;
`

// Each process is explored by its linear process and by the direct semantics.
func TestAgreesWithSemantics(t *testing.T) {
	for _, proc := range []string{
		"a", "tau", "delta", "a.b", "a + b.c", "a.delta + b",
		"sum x: D. u(x).v(x)", "sum x, y: D. (x != y) -> u(x).v(y) <> a.b",
		"sum x: D. u(x).(sum x: D. v(x)).u(x)",
		"X(1)", "Y(2, d2)", "Two", "Calls(1)", "Count(0)", "Par(2)",
		"Clash(0, 1)", "Clash(0, 1) || Crash(0, 1)", "Any(2)", "Any(dontCare)",
		"a || b", "a ||_ b.c", "a | b", "(a.b) | (c + d)", "(a || b) | c", "(a || b || c).d",
		"a.(b || c).d.(a | X2(1))",
		"hide({a}, X(0) || Two)", "block({n}, Y(0, d1)) + a", "a.hide({a}, a.b).a",
		"rename({u -> v}, Y(0, d1)) || c",
		"comm({p|q -> r}, sum x: Bool. p(x) || q(true))",
		"comm({p|q -> r}, p(true)|p(false)|q(false))",
		"allow({r}, comm({p|q -> r}, sum x: Bool. p(x).p(!x) || (sum y: Bool. q(y)).q(true)))",
		"allow({b, r|c}, comm({p|q -> r}, (sum x: Bool. p(x) || q(true)) || (c + b)))",
		"block({p, q}, comm({p|q -> r}, p(true) || q(true) || q(false)))",
		"allow({a|a|b}, a || a || b.a)",
		"hide({c}, allow({c, d}, comm({a|b -> c}, Two || b.d)))",
		"allow({c}, rename({a -> c, b -> c}, a.b || d))",
		"allow({c|c, c}, hide({d}, comm({a|b -> c}, (a || b) || (a.d || b.d))))",
		"comm({a|a -> b}, a || a || a)",
		"a.b || comm({c|d -> a}, c || d).b",
	} {
		sp := load(t, declarations+"init "+proc+";")
		lps, err := linear.Linearise(sp)
		if err != nil {
			t.Error(err)
			continue
		}
		back, err := types.Load(proc, []byte(lps.String()))
		if err != nil {
			t.Errorf("%s, printed: %v\n%s", proc, err, lps)
			continue
		}
		got, printed, want := linearGraph(t, sp), linearGraph(t, back), directGraph(t, sp)
		if !same(t, got, want) {
			t.Errorf("%s: %d states and %d transitions are not bisimilar to %d and %d", proc,
				got.States, len(got.Transitions), want.States, len(want.Transitions))
		}
		if !same(t, printed, want) {
			t.Errorf("%s: printed, it is not bisimilar:\n%s", proc, lps)
		}
	}
}

// X = a.X.b ends only if X does, so a stack holds what is to be done after it. It
// is there after printing and reading, too.
func TestStack(t *testing.T) {
	sp := load(t, "act a, b, c: Nat; proc X(i: Nat) = a(i).X(i + 1).b(i) + c(i); init X(0);")
	lps, err := linear.Linearise(sp)
	if err != nil {
		t.Fatal(err)
	}
	back, err := types.Load("printed", []byte(lps.String()))
	if err != nil {
		t.Fatalf("%v\n%s", err, lps)
	}
	if lps, err = linear.Linearise(back); err != nil {
		t.Fatal(err)
	}
	sys, err := state.New(lps, state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range strings.Fields("a(0) a(1) a(2) c(3) b(2) b(1) b(0) Terminate") {
		if !take(sys, want) {
			t.Fatalf("cannot do %s", want)
		}
	}
	if got := sys.Enabled(nil); len(got) != 0 {
		t.Errorf("got %d steps at the end, want none", len(got))
	}
}

func TestParameterNames(t *testing.T) {
	lps, err := linear.Linearise(load(t, declarations+"init Clash(0, 1) || Clash(1, 1) || Crash(0, 1);"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range lps.Params {
		got = append(got, p.Name)
	}
	want := "s1_Clash i turn s2_Clash i_1 turn_2 s3_Crash j i_2"
	if strings.Join(got, " ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, " "), want)
	}
}

// take takes the step with a text, if there is one.
func take(sys *state.System, text string) bool {
	m := sys.Save()
	for _, s := range sys.Enabled(nil) {
		if l := sys.Take(s); sys.LabelText(l) == text {
			return true
		}
		sys.Restore(m)
	}
	return false
}

var _ lts.Namer = (*state.System)(nil)

// many are 400 names of actions.
var many = func() string {
	var out []string
	for i := range 400 {
		out = append(out, fmt.Sprintf("x%d", i))
	}
	return strings.Join(out, ", ")
}()

func TestRefusals(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"act a; proc X = X + a; init X;", "test.mcrl2:1:17: process X calls itself without an action before the call"},
		{"act a; proc X = Y; Y = X; init a.X;", "test.mcrl2:1:24: process X calls itself without an action before the call"},
		{"act a; proc X = a || X; init X;", "test.mcrl2:1:22: recursion through a parallel operator: process X contains itself"},
		{"act a, b; proc X = a.(b || X); init X;", "test.mcrl2:1:25: recursion through a parallel operator"},
		{"act a, b; proc X = a.hide({b}, X); init X;", "test.mcrl2:1:22: recursion through an operator on actions"},
		{"act a, b, c; proc X = a.X.b + c; init c.hide({b}, X);", "test.mcrl2:1:40: recursion on the left of . inside"},
		{"act " + many + "; init (" + strings.ReplaceAll(many, ",", " +") + ") || (" + strings.ReplaceAll(many, ",", " +") + ");",
			"test.mcrl2:1:4990: parallel processes with more than 100000 multi-actions"},
		{"act a, b; init a << b;", "test.mcrl2:1:18: <<: there is no real time"},
		{"act a: Bool # Bool; init sum y: Bool. dist x: Bool[1/2]. a(x, y);", "test.mcrl2:1:39: dist inside of sum, @, |, ||_ or a condition without an action before it"},
		{"act a: Bool; init (dist x: Bool[1/2]. a(x)) | a(true);", "test.mcrl2:1:20: dist inside of sum, @, |, ||_ or a condition"},
		{"act a: Bool; init a(true) + sum y: Bool. dist x: Bool[1/2]. a(x);", "test.mcrl2:1:42: dist inside of sum without an action before it"},
		{"act a: Bool; proc P = dist x: Bool[1/2]. a(x); init a(true) + P;", "test.mcrl2:1:63: a process that begins with dist inside of a choice"},
	} {
		_, err := linear.Linearise(load(t, test.text))
		if err == nil {
			t.Errorf("%s: no error, want %s", test.text, test.want)
		} else if !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: got %s, want %s", test.text, err, test.want)
		}
	}
}

func TestTimePassesThrough(t *testing.T) {
	lps, err := linear.Linearise(load(t, "act a, b; init a@3.b + delta@2;"))
	if err != nil {
		t.Fatal(err)
	}
	timed, deltas := 0, 0
	for _, s := range lps.Summands {
		if s.Time != nil {
			timed++
		}
		if s.Delta {
			deltas++
		}
	}
	if timed != 2 || deltas != 1 {
		t.Errorf("got %d timed summands and %d deltas, want 2 and 1", timed, deltas)
	}
}
