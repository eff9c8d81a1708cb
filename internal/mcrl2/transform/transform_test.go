package transform_test

import (
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/linear"
	"github.com/heddle-mc/heddle/internal/mcrl2/transform"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
)

// apply linearises a text, applies transformations and returns what comes after
// the declarations.
func apply(t *testing.T, text string, names ...string) string {
	t.Helper()
	sp, err := types.Load("test.mcrl2", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	lps, err := linear.Linearise(sp)
	if err != nil {
		t.Fatal(err)
	}
	e, err := data.New(lps.Data, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	lps, err = transform.Apply(lps, names, transform.NewTools(e, lps.Lib))
	if err != nil {
		t.Fatal(err)
	}
	out := lps.String()
	return strings.Join(strings.Fields(out[strings.Index(out, "proc "):]), " ")
}

func TestTransformations(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"rewr", "act a: Nat; proc X(n: Nat) = (n + 1 > n) -> a(1 + 1).X(n + 2) + (1 > 2) -> a(0).X(n); init X(1 + 2);",
			"proc P(n: Nat) = (n + 1 > n) -> a(2) . P(n = n + 2); init P(3);"},
		{"constelm", "act a: Nat; proc X(n, m: Nat) = (m > 1) -> a(n).X(n + m, m) + (m < 1) -> a(n).X(0, 1); init X(0, 2);",
			"proc P(n: Nat) = a(n) . P(n = n + Pos2Nat(2)); init P(0);"},
		{"parelm", "act a: Nat; proc X(n, m, k: Nat) = a(n).X(n + 1, k + 1, m); init X(0, 1, 2);",
			"proc P(n: Nat) = a(n) . P(n = n + 1); init P(0);"},
		{"structelm", `sort R = struct one(left: Nat, right: Bool)?isOne | two(back: Nat)?isTwo | three; act a: Nat;
			proc X(r: R) = isOne(r) -> a(left(r)).X(two(left(r))) + isTwo(r) -> a(back(r)).X(three) + (r == three) -> a(0).X(one(1, true)); init X(one(2, false));`,
			"proc P(r_is: Pos, r_left: Nat, r_right: Bool, r_back: Nat) = (r_is == 1) -> a(r_left) . P(r_is = 2, r_left = 0, r_right = false, r_back = r_left) + (r_is == 2) -> a(r_back) . P(r_is = 3, r_left = 0, r_right = false, r_back = 0) + (r_is == 3) -> a(0) . P(r_is = 1, r_left = 1, r_right = true, r_back = 0); init P(1, 2, false, 0);"},
		{"sumelm", "act a: Nat; b: Bool; proc X(n: Nat) = sum m: Nat, x: Bool. (m == n + 1 && !x) -> a(m).b(x).X(m); init X(0);",
			"proc P(s1_X: Pos, n: Nat, x: Bool) = (s1_X == 1) -> a(n + 1) . P(s1_X = 2, n = n + 1, x = false) + (s1_X == 2) -> b(x) . P(s1_X = 1, x = false); init P(1, 0, false);"},
		{"sumelm", "act a: Nat; proc X(n: Nat) = sum p: Pos. (p == n) -> a(p).X(p + 1); init X(0);",
			"proc P(n: Nat) = (0 < n) -> a(Nat2Pos(n)) . P(n = Nat2Pos(n) + 1); init P(0);"},
		{"suminst", "sort D = struct d1 | d2 | d3; act a: D; proc X(d: D) = sum x: D. (x != d2) -> a(x).X(x); init X(d1);",
			"proc P = a(d1) . P() + a(d3) . P(); init P;"},
		{"parunfold", "act a: Nat; b; proc X(q: List(Nat)) = (q != []) -> a(head(q)).X(tail(q)) + (#q < 2) -> b.X(7 |> q); init X([3, 4]);",
			"proc P(q_some: Bool, q_head: Nat, q_tail: List(Nat)) = q_some -> a(q_head) . P(q_some = !(q_tail == []), q_head = if(!(q_tail == []), head(q_tail), 0), q_tail = if(!(q_tail == []), tail(q_tail), [])) + (#if(q_some, q_head |> q_tail, []) < 2) -> b . P(q_some = true, q_head = 7, q_tail = if(q_some, q_head |> q_tail, [])); init P(true, 3, [4]);"},
		// Constructors without projections.
		{"parunfold", "sort T; cons leaf: T; node: T # T -> T; act a: T; proc X(t: T) = a(t).X(node(t, t)); init X(leaf);",
			"proc P(t: T) = a(t) . P(t = node(t, t)); init P(leaf);"},
		{"binary", "sort D = struct d1 | d2 | d3; map next: D -> D; eqn next(d1) = d2; next(d2) = d3; next(d3) = d1; act a: D; b; proc X(d: D) = a(d).X(next(d)) + (d == d3) -> b.X(d2); init X(d3);",
			"proc P(d_b1: Bool, d_b2: Bool) = a(if(d_b1, d3, if(d_b2, d2, d1))) . P(d_b1 = next(if(d_b1, d3, if(d_b2, d2, d1))) == d3, d_b2 = next(if(d_b1, d3, if(d_b2, d2, d1))) == d2) + (d_b1 && !d_b2) -> b . P(d_b1 = false, d_b2 = true); init P(true, false);"},
		{"deadelm", "act a, b, c; proc X = a.(b + b + a).X; init X;",
			"proc P(s1_X: Pos) = (s1_X == 1) -> a . P(s1_X = 2) + (s1_X == 2) -> b . P(s1_X = 1) + (s1_X == 2) -> a . P(s1_X = 1); init P(1);"},
		{"equalelm", "act a: Nat; proc X(n, m, k: Nat) = a(n).X(m + 1, n + 1, k + 2); init X(0, 0, 0);",
			"proc P(n: Nat, k: Nat) = a(n) . P(n = n + 1, k = k + 2); init P(0, 0);"},
		{"liveelm", "sort S = struct r?isR | w; act a, b: Nat; proc X(s: S, n: Nat) = isR(s) -> (sum m: Nat. (m < 3) -> a(m).X(w, m)) + (s == w) -> b(n).X(r, n); init X(r, 7);",
			"proc P(s: S, n: Nat) = sum m: Nat. (isR(s) && m < 3) -> a(m) . P(s = w, n = m) + (s == w) -> b(n) . P(s = r, n = 7); init P(r, 7);"},
		// n is live as long as m is, which it goes to.
		{"liveelm", "act a, b, c: Nat; proc X(s: Pos, n, m: Nat) = (s == 1) -> a(0).X(2, n + 1, m) + (s == 2) -> b(0).X(3, n, n) + (s == 3) -> c(m).X(1, n, m); init X(1, 0, 5);",
			"proc P(s: Pos, n: Nat, m: Nat) = (s == 1) -> a(0) . P(s = 2, n = n + 1) + (s == 2) -> b(0) . P(s = 3, m = n) + (s == 3) -> c(m) . P(s = 1, m = 5); init P(1, 0, 5);"},
		// If both were set back to true, a could happen again.
		{"liveelm", "act a, b; proc X(p, q: Bool) = (p && q) -> a.X(p, q) + (p && q) -> b.X(false, false); init X(true, true);",
			"proc P(p: Bool, q: Bool) = (p && q) -> a . P() + (p && q) -> b . P(p = false, q = true); init P(true, true);"},
	} {
		if got := apply(t, test.text, strings.Split(test.name, ",")...); got != test.want {
			t.Errorf("%s of %s:\ngot  %s\nwant %s", test.name, test.text, got, test.want)
		}
	}
}

func TestUnknownName(t *testing.T) {
	_, err := transform.Apply(nil, []string{"nosuch"}, transform.Tools{})
	want := `no transformation "nosuch": there are rewr, deadelm, constelm, equalelm, liveelm, parelm, structelm, sumelm, suminst, parunfold, binary`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestRename: rules one after the other, with conditions, values and variables that
// are there twice.
func TestRename(t *testing.T) {
	const model = "act a: Nat; b: Nat # Nat; c; proc X(n: Nat) = a(n).X(n + 1) + (n < 3) -> a(1)|b(n, 2).X(n) + c.X(0); init X(0);"
	for _, test := range []struct{ rules, want string }{
		{"rename c => tau;", "proc P(n: Nat) = a(n) . P(n = n + 1) + (n < 3) -> a(1) | b(n, 2) . P() + tau . P(n = 0); init P(0);"},
		{"rename c => delta;", "proc P(n: Nat) = a(n) . P(n = n + 1) + (n < 3) -> a(1) | b(n, 2) . P() + delta; init P(0);"},
		{"act d: Nat; var m: Nat; rename a(m) => d(m + 1);", "proc P(n: Nat) = d(n + 1) . P(n = n + 1) + (n < 3) -> d(2) | b(n, 2) . P() + c . P(n = 0); init P(0);"},
		{"rename a(1) => tau;", "proc P(n: Nat) = (1 == n) -> tau . P(n = 2) + (!(1 == n)) -> a(n) . P(n = n + 1) + (n < 3) -> b(n, 2) . P() + c . P(n = 0); init P(0);"},
		{"var m: Nat; rename b(m, m) => c; c => a(7);", "proc P(n: Nat) = a(n) . P(n = n + 1) + (n == 2) -> a(1) | a(7) . P() + (n < 3 && !(n == 2)) -> a(1) | b(n, 2) . P() + a(7) . P(n = 0); init P(0);"},
		{"var m: Nat; rename (m > 5) -> a(m) => delta;", "proc P(n: Nat) = (n > 5) -> delta + (!(n > 5)) -> a(n) . P(n = n + 1) + (n < 3) -> a(1) | b(n, 2) . P() + c . P(n = 0); init P(0);"},
	} {
		sp, err := types.Load("test.mcrl2", []byte(model))
		if err != nil {
			t.Fatal(err)
		}
		lps, err := linear.Linearise(sp)
		if err != nil {
			t.Fatal(err)
		}
		with, rules, err := types.LoadRename(lps, "rules", []byte(test.rules))
		if err != nil {
			t.Errorf("%s: %v", test.rules, err)
			continue
		}
		e, err := data.New(with.Data, data.Options{})
		if err != nil {
			t.Fatal(err)
		}
		out := transform.Rewr(transform.Rename(with, rules), transform.NewTools(e, with.Lib)).String()
		if got := strings.Join(strings.Fields(out[strings.Index(out, "proc "):]), " "); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.rules, got, test.want)
		}
	}
	sp, err := types.Load("test.mcrl2", []byte(model))
	if err != nil {
		t.Fatal(err)
	}
	lps, err := linear.Linearise(sp)
	if err != nil {
		t.Fatal(err)
	}
	for rules, want := range map[string]string{
		"act d;":                                "rules:1:7: expected rename and rules, found the end of the text",
		"rename a(1) => d;":                     "rules:1:16: action d is not declared",
		"rename x => c;":                        "rules:1:8: action x is not declared",
		"var m: Nat; rename c => a(m);":         "rules:1:20: the value of m is not known: it has to be an argument of c",
		"var m: Nat; rename a(m + 1) => a(m);":  "rules:1:20: the value of m is not known: it has to be an argument of a",
		"rename a(1) = c;":                      "rules:1:13: expected => after the action, found =",
		"proc X = c; rename a(1) => c;":         "rules:1:1: expected rename or a section (sort, cons, map, var, eqn or act), found the keyword proc",
		"var m: Nat; rename (m) -> a(m) => c;":  "rules:1:21: expected Bool, found Nat",
		"var m: Nat; eqn m = m; rename c => c;": "rules:1:17:",
	} {
		if _, _, err := types.LoadRename(lps, "rules", []byte(rules)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", rules, err, want)
		}
	}
}
