package data_test

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
)

const declarations = `
sort D = struct d1 | d2 | d3;
     Tree = struct leaf(value: Nat)?is_leaf | node(left: Tree, right: Tree)?is_node;
     Pair = struct pair(fst: Nat, snd: D)?is_pair | nothing?is_nothing;
     Big = struct big(b1: List(Bool), b2: Two, b3: Two, b4: D) | tiny?is_tiny;
     Two = struct two(x1: D, x2: D, x3: Bool);
     E; F = Nat -> Nat;
cons c0: E; cs: E -> E;
map  sum_of: Tree -> Nat;
     fib: Nat -> Nat;
     double: List(Nat) -> List(Nat);
     fold: (Nat # Nat -> Nat) # Nat # List(Nat) -> Nat;
     compose: F # F -> F;
     plus: Nat -> F;
     id: F;
     even, odd: E -> Bool;
     max3: Nat # Nat # Nat -> Nat;
     undefined: Nat -> Nat;
     eqE: E # E -> Bool;
     free: Nat -> Nat;
     isCall: Nat -> Bool;
var  t, u: Tree; n, m, k: Nat; l: List(Nat); f: Nat # Nat -> Nat; g, h: F; e, e': E; d: D;
eqn  sum_of(leaf(n)) = n;
     sum_of(node(t, u)) = sum_of(t) + sum_of(u);
     fib(0) = 0; fib(1) = 1;
     n > 1 -> fib(n) = fib(Int2Nat(n - 1)) + fib(Int2Nat(n - 2));
     double([]) = [];
     double(n |> l) = 2 * n |> double(l);
     fold(f, n, []) = n;
     fold(f, n, m |> l) = f(m, fold(f, n, l));
     compose(g, h)(n) = g(h(n));
     plus(n)(m) = n + m;
     id = lambda x: Nat. x;
     even(c0) = true; even(cs(e)) = odd(e);
     odd(c0) = false; odd(cs(e)) = even(e);
     n >= m && n >= k -> max3(n, m, k) = n;
     m >= n && m >= k -> max3(n, m, k) = m;
     k >= n && k >= m -> max3(n, m, k) = k;
     isCall(g(n)) = n > 2;
     % What the language leaves open, equations may say.
     value(node(t, u)) = 99;
     head([]) = 17;
     e < c0 = false; c0 < cs(e) = true; cs(e) < cs(e') = e < e';
     eqE(e, e) = true;
     eqE(cs(e), c0) = false; eqE(c0, cs(e)) = false;
init delta;`

func TestText(t *testing.T) {
	s, err := types.Load("t", []byte(declarations))
	if err != nil {
		t.Fatal(err)
	}
	e, err := data.New(s.Data, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{"1 + 2 * 3", "7"},
		{"(-7) div 2", "-4"},
		{"(-7) mod 2", "1"},
		{"7 mod 3 + 7 div 3", "3"},
		{"exp(2, 100)", "1267650600228229401496703205376"},
		{"exp(2, 100) mod 1000007", "698635"},
		{"1 / 3 + 1 / 6", "1/2"},
		{"floor(-1 / 3)", "-1"},
		{"round(5 / 2)", "3"},
		{"max(3, -4)", "3"},
		{"abs(-4)", "4"},
		{"Int2Nat(-3)", "Int2Nat(-3)"},
		{"Nat2Pos(4)", "4"},
		{"pred(1)", "0"},
		{"3 < 5 && 5 <= 5 && !(5 > 5)", "true"},
		{"true => false", "false"},
		{"if(3 < 2, d1, d2)", "d2"},
		{"d1 < d3", "true"},
		{"[1, 2] ++ [3]", "[1, 2, 3]"},
		{"0 |> [1] <| 2", "[0, 1, 2]"},
		{"[5, 6, 7] . 1", "6"},
		{"#[5, 6, 7]", "3"},
		{"rtail([5, 6, 7])", "[5, 6]"},
		{"6 in [5, 6, 7]", "true"},
		{"head(tail([true]))", "head([])"},
		{"{3, 1, 2} + {2, 5}", "{1, 2, 3, 5}"},
		{"{3, 1, 2} - {2, 5}", "{1, 3}"},
		{"{3, 1, 2} * {2, 5}", "{2}"},
		{"{n: Nat | n < 4} == {0, 1, 2, 3}", "true"},
		{"{d: D | d != d2}", "{d1, d3}"},
		{"!{d1}", "{d2, d3}"},
		{"d2 in !{d1}", "true"},
		{"7 in {n: Nat | n mod 2 == 1}", "true"},
		{"7 in !{n: Nat | n mod 2 == 1}", "false"},
		{"{n: Nat | n mod 2 == 1} == {m: Nat | m mod 2 == 1}", "true"},
		{"{1, 2} <= {1, 2, 3}", "true"},
		{"{1, 2} < {1, 2}", "false"},
		{"{1: 2, 3: 1} + {1: 1}", "{1: 3, 3: 1}"},
		{"{1: 2, 3: 1} - {1: 1}", "{1: 1, 3: 1}"},
		{"count(1, {1: 2, 3: 1})", "2"},
		{"count(4, {n: Nat | n * n})", "16"},
		{"{d: D | if(d == d1, 2, 0)}", "{d1: 2}"},
		{"Bag2Set({1: 2, 3: 1})", "{1, 3}"},
		{"Set2Bag({1, 3})", "{1: 1, 3: 1}"},
		{"(lambda x, y: Nat. x * y)(6, 7)", "42"},
		{"(lambda x: Nat. lambda y: Nat. x - y)(6)(7)", "-1"},
		{"(lambda x: Nat. x)[3 -> 9](3)", "9"},
		{"(lambda x: Nat. x)[3 -> 9][4 -> 4] == (lambda x: Nat. x)[3 -> 9]", "true"},
		{"(lambda d: D. true)[d2 -> false] == (lambda d: D. d != d2)", "true"},
		{"x + y whr x = 3, y = 4 end", "7"},
		{"forall d: D. d in {d1, d2, d3}", "true"},
		{"exists n: Nat. n < 10 && n * n == 49", "true"},
		{"exists n, m: Nat. n + m == 10 && n == 4 * m", "true"},
		{"forall n: Nat. n < 5 => n * n < 17", "true"},
		{"exists p: Pair. fst(p) == 3 && snd(p) == d2 && is_pair(p)", "true"},
		{"exists p: Pair. is_pair(p) && fst(p) < 3 && fst(p) > 1 && snd(p) != d1", "true"},
		{"exists p: Pair. is_pair(p) && fst(p) < 3 && fst(p) > 2", "false"},
		{"exists l: List(Bool). #l == 2 && head(l) && !head(tail(l))", "true"},
		{"exists l: List(Bool). #l < 3 && #l > 2", "false"},
		{"forall b: Bool. exists c: Bool. b != c", "true"},
		{"sum_of(node(leaf(1), node(leaf(2), leaf(3))))", "6"},
		{"left(leaf(1))", "left(leaf(1))"},
		{"is_node(leaf(1)) || is_leaf(leaf(1))", "true"},
		{"leaf(3) < node(leaf(1), leaf(1))", "true"},
		{"node(leaf(1), leaf(2)) < node(leaf(1), leaf(3))", "true"},
		{"pair(1, d1) < nothing", "true"},
		{"fib(20)", "6765"},
		{"double([1, 2, 3])", "[2, 4, 6]"},
		{"fold(lambda x, y: Nat. x + y, 0, [1, 2, 3])", "6"},
		{"compose(plus(1), plus(2))(3)", "6"},
		{"compose(id, plus(2))(3)", "5"},
		{"even(cs(cs(c0)))", "true"},
		{"max3(1, 5, 3)", "5"},
		{"undefined(3)", "undefined(3)"},
		{"isCall(free(3))", "true"},
		{"isCall(free(2))", "false"},
		{"isCall(3)", "isCall(3)"},
		{"exists t: Two. t == two(d1, d3, true) && x1(t) == d1", "true"},
		{"exists t, u: Two. x1(t) == d3 && x2(u) == x1(t) && x3(t) != x3(u) && x2(t) < x1(u)", "true"},
		{"exists t, u: Two. x1(t) == d3 && x2(u) == x1(t) && x3(t) != x3(t)", "false"},
		{"exists b: Big. !is_tiny(b) && x1(b2(b)) == d2 && b1(b) == [true, false] && b3(b) == b2(b)", "true"},
		{"exists b: Big. b == tiny", "true"},
		{"forall t: Two. x1(t) in {d1, d2, d3} && (x3(t) || !x3(t))", "true"},
		{"undefined(3) == undefined(3)", "true"},
		{"eqE(cs(c0), cs(c0))", "true"},
		{"eqE(cs(c0), c0)", "false"},
		{"cs(c0) == c0", "false"},
		{"value(node(leaf(1), leaf(2)))", "99"},
		{"value(leaf(1))", "1"},
		{"head(tail([1]))", "17"},
		{"cs(c0) < cs(cs(c0))", "true"},
		{"cs(cs(c0)) > cs(c0)", "true"},
		{"cs(c0) < c0", "false"},
		{"cs(c0) >= c0", "cs(c0) >= c0"},
		{"[c0, cs(c0)] < [cs(c0)]", "true"},
		{"{l: List(Bool) | #l < 2}", "{ l: List(Bool) | #l < 2 }"},
		{"{[1], []} == {[], [1], []}", "true"},
		{"pick({5, 3})", "3"},
		{"{{1}, {}, {2, 1}}", "{{}, {1}, {1, 2}}"},
		{"{d1} in {s: Set(D) | d1 in s}", "true"},
		{"forall x: Nat. x in {1, 2, 3} => x < 5", "true"},
		{"forall s: Set(D). d1 in s || d1 in !s", "true"},
		{"exists f: D # Bool -> Bool. f(d1, true) && !f(d2, false)", "true"},
		{"forall f: Bool -> Bool, b: Bool. f(f(f(b))) == f(b)", "true"},
		{"{i: Int | abs(i) < 3}", "{-2, -1, 0, 1, 2}"},
		{"{x: Real | x == 1 / 2 || x == 1 && true || 1/2 == x}", "{1/2, 1}"},
		{"(lambda s: Set(Nat). {x: Nat | x in s && x > 1})({1, 2, 3})", "{2, 3}"},
		{"(lambda n: Nat. {x: Nat | x > n})(3) == (lambda n: Nat. {x: Nat | x > n})(2 + 1)", "true"},
		{"{x: Nat | x > 3} * {1, 4, 5}", "{4, 5}"},
		{"!{x: Nat | true} == {}", "true"},
		{"exists m: Nat. m > 3", "true"},
		{"forall m: Nat. m > 3", "false"},
		{"exists r: Real. r < -3", "true"},
		{"exists x: Nat. x == 3 + x", "exists x: Nat. x == 3 + x"},
		{"forall m: Nat. m >= 0", "true"},
		{"exists n: Nat, d: D. pair(n, d) == pair(3, d2)", "true"},
		{"y whr y = x + 1 end whr x = 2 end", "3"},
	} {
		x, err := types.Expr(s.Data, nil, c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		v, err := e.Eval(x, nil)
		got := ""
		if err != nil {
			got = "error: " + err.Error()
		} else {
			got = e.Format(v, x.Sort())
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.text, got, c.want)
		}
		if err != nil {
			continue
		}
		// The value as an expression has the same value.
		if y := e.Expr(v, x.Sort()); y != nil {
			if w, err := e.Eval(y, nil); err != nil || w != v {
				t.Errorf("%s: as an expression it is %s, %v", c.text, e.Format(w, x.Sort()), err)
			}
		}
	}
}
