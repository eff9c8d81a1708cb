package types

import (
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// TestConstructs has one small text for each construct; each survives printing.
func TestConstructs(t *testing.T) {
	for _, text := range []string{
		"sort A; cons a1, a2: A; f: A # Nat -> A; act b: A; init sum x: A. b(x);",
		"sort A = B; B = C; C = struct c1 | c2(p: A); act b: B; init b(c2(c1));",
		"sort L = List(T); T = struct leaf | node(kids: L); act b: T; init b(node([leaf, node([])]));",
		"sort S = struct a(p: Nat, q: Bool) | b(q: Bool, p: Nat); act c: Nat; proc P(s: S) = c(p(s)) . P(b(q(s), p(s))); init P(a(1, true));",
		"map f: (struct x | y) -> Bool; eqn f(x) = true; f(y) = false; act a: Bool; init a(f(x));",
		"act a: struct x | y; proc P(v: struct x | y) = a(v) . P(y); init P(x);",
		"map f: Nat # Nat -> Nat; var x, y: Nat; eqn f(x, y) = x + y; x > y -> f(y, x) = 0; act a: Nat; init a(f(1, 2));",
		"map f: Nat -> Nat -> Nat; var x, y: Nat; eqn f(x)(y) = x * y; act a: Nat; init a(f(1)(2));",
		"map fib: Nat -> Nat; var n: Nat; eqn fib(0) = 0; fib(1) = 1; fib(n + 2) = fib(n) + fib(n + 1); act a: Nat; init a(fib(7));",
		"map inf: Set(Nat); var n: Nat; eqn inf = {m: Nat | m > 3}; act a: Bool; init a(4 in inf);",
		"act a: Nat; a: Bool; a; init a(1) . a(true) . a;",
		"act a: Nat; proc P(n: Nat) = a(n) . P(n + 1); P = a(0) . P(0); init P;",
		"act a, b, c; init comm({a|b -> c}, a || b) ||_ allow({a|b, c|c|c}, a | b) + block({a}, hide({b}, rename({a -> b}, a)));",
		"act a, b; init comm({a|b -> tau}, a || b);",
		"act a: Real; init a(1/2) @ 3 . delta @ (1 + 2) << tau;",
		"act a: Bool; init dist b: Bool[if(b, 1/4, 3/4)] . a(b);",
		"act a: Nat; proc P(n, m: Nat, b: Bool) = a(n) . P(m = n, n = m) + b -> a(m) . P(b = !b) <> P(); init P(1, 2, true);",
		"glob x: Nat; act a: Nat; proc P(n: Nat) = a(n) . P(x); init P(x);",
		"act a: List(List(Nat)); init a([[], [1], [0, 1]]);",
		"act a: FSet(Int); init a({1, -1} + {} - {0});",
		"act a: Bag(Nat) # FBag(Nat) # Set(Int); init a({1: 2, 0: 1}, {1: 2} + {:}, {} + {x: Int | x < 0});",
		"act a: (Nat -> Nat) -> Nat; proc P(f: Nat -> Nat) = sum g: (Nat -> Nat) -> Nat. a(g) . P(f[0 -> f(1)][1 -> f(0)]); init P(lambda n: Nat. 1);",
		"act a: Bool; init a(forall x, y: Nat. exists z: Int. x + z == y && (lambda w: Nat. w < 3)(x));",
		"act a: Int; init a((x + y whr x = 1, y = z * 2 end) whr z = -3 end);",
		"act a: Nat; proc P(a1: Nat) = sum a1: Nat. a(a1) . P(a1); init P(0);",
		"map count1: Nat; act a: Nat; proc P(count, max, head: Nat) = a(max(count, max)) . P(head = count); init P(1, 2, 3);",
		"map f: Nat -> Nat; f: Int -> Int; f: Nat # Nat -> Nat; act a: Int; init a(f(1)) . a(f(-1)) . a(f(Nat2Int(1))) . a(f(1, 2));",
		"act a: Nat; init (1 < 2) -> a(1) <> (2 < 1) -> a(2) + (true || false) -> a(3);",
		"act a: Int; b: Bool; init a(if(true, 1, 0)) . a(if(true, Nat2Int(1), 0)) . b(Nat2Int(1) == 1) . b(Pos2Nat(1) == 1) . a(Pos2Nat(1) + Pos2Nat(2));",
		"act a: Real; init a(abs(1)) . a(succ(1)) . a(exp(2, 3)) . a(floor(1/2)) . a(Nat2Real(abs(-1)));",
		"sort B = List(struct f(B) | c); act a: B; init a([f([]), c]);",
		"sort I = struct move(List(Nat)) | move(Bool) | stop; act a: I; init a(move([1])) . a(move(true));",
		"act a: Bool; proc P(n: Nat, b: Bool) = sum b_1: Bool, m: Nat. a(b_1) . P(n = m); init P(1, true);",
		"sort D; map d: D; act a: D -> D; init a(lambda x: D. d);",
	} {
		roundTrip(t, "t", text)
	}
}

// TestHiddenFunction has a variable of the name of a projection: the projection is
// meant where the variable does not fit. Printed, the variable has another name.
func TestHiddenFunction(t *testing.T) {
	s, err := Load("t", []byte("sort G = struct st(fs: F); F = Nat -> Bool; map g: G -> Bool; var fs: F; x: G; eqn g(st(fs)) = fs(0) && fs(st(fs))(1); act a: Bool; init a(g(st(lambda n: Nat. n < 2)));"))
	if err != nil {
		t.Fatal(err)
	}
	got := dump(s.Eqns[0].Right)
	if want := "<&&:Bool # Bool -> Bool>(fs(0:Nat), <fs:G -> Nat -> Bool>(st(fs))(1:Nat))"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if want := "fs_1(0) && fs(st(fs_1))(1)"; !strings.Contains(s.String(), want) {
		t.Errorf("got\n%s\nwant %s in it", s, want)
	}
}

// TestKeptParameters has a sum with a variable of the name of a parameter: with
// the same sort it is taken for the parameter, with another it is not.
func TestKeptParameters(t *testing.T) {
	for _, of := range []string{"Nat", "Bool"} {
		s, err := Load("t", []byte("act a; proc P(n, m: Nat) = sum n: "+of+". a . P(m = 1); init P(1, 2);"))
		if err != nil {
			t.Fatal(err)
		}
		sum := s.Procs[0].Body.(*spec.Sum)
		call := sum.Body.(*spec.Seq).Right.(*spec.Call)
		if got, want := call.Args[0] == spec.Expr(sum.Vars[0]), of == "Nat"; got != want {
			t.Errorf("%s: got variable of the sum %v, want %v", of, got, want)
		}
	}
}

func TestSpecErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"act a;", "t: there is no init: a specification has one initial process"},
		{"sort A; A = Nat; init delta;", "t:1:9: sort A is declared twice, and not as the same: first at 1:6"},
		{"sort A = struct a | b; A = struct b | a; init delta;", "t:1:24: sort A is declared twice, and not as the same: first at 1:6"},
		{"sort A = List(Nat); A = List(Pos); init delta;", "t:1:21: sort A is declared twice, and not as the same: first at 1:6"},
		{"sort A; A = A; init delta;", "t:1:9: sort A is declared twice, and not as the same: first at 1:6"},
		{"sort A = B; init delta;", "t:1:10: sort B is not declared"},
		{"sort A = B; B = A; init delta;", "t:1:6: sort A is defined by itself"},
		{"sort A = List(A); init delta;", "t:1:6: sort A is defined by itself"},
		{"sort A = struct a(A); init delta;", "t:1:6: sort A has no elements: each of its constructors needs one first"},
		{"sort A; cons f: A -> A; init delta;", "t:1:6: sort A has no elements: each of its constructors needs one first"},
		{"sort A = struct a | f(Set(A)); init delta;", "t:1:6: sort A contains itself in a Set, a Bag or a function"},
		{"sort A = struct a | f(B); B = struct b(Nat -> A); init delta;",
			"t:1:6: sort A contains itself in a Set, a Bag or a function\nt:1:27: sort B contains itself in a Set, a Bag or a function"},
		{"sort A = struct a | a; init delta;", "t:1:21: constructor a: A is declared twice: first at 1:17"},
		{"sort A = struct a?is | b?is; init delta;", "t:1:26: recogniser is: A -> Bool is declared twice: first at 1:19"},
		{"cons f: Nat; init delta;", "t:1:6: constructor f of sort Nat: only sorts that are declared without = have constructors"},
		{"sort A = struct a; cons f: A; init delta;", "t:1:25: constructor f of sort A: only sorts that are declared without = have constructors"},
		{"map head: Nat; init delta;", "t:1:5: map head: the language has a function of that name"},
		{"map f: Nat; f: Nat; init delta;", "t:1:13: map f: Nat is declared twice: first at 1:5"},
		{"map f: Foo; act a: Nat; init a(f);", "t:1:8: sort Foo is not declared"},
		{"map f: Nat -> Nat; var x, x: Nat; eqn f(x) = x; init delta;", "t:1:27: variable x is declared twice: first at 1:24"},
		{"map f: Nat -> Nat; var x, y: Nat; eqn f(x) = y; init delta;",
			"t:1:39: variable y does not occur in the left-hand side of the equation"},
		{"map f: Nat -> Nat; var x, y: Nat; eqn y > 0 -> f(x) = x; init delta;",
			"t:1:39: variable y does not occur in the left-hand side of the equation"},
		{"var x, y: Nat; eqn x = x; init delta;", "t:1:20: the left-hand side of an equation is a function, found the variable x"},
		{"map f: Nat -> Nat; var x: Nat; eqn f(x) = x - 1; init delta;", "t:1:45: expected Nat, found Int: Int2Nat narrows"},
		{"map f: Nat -> Nat; eqn f(1) = true; init delta;", "t:1:31: expected Nat, found Bool"},
		{"map f: Nat; eqn 1 -> f = 1; init delta;", "t:1:17: expected Bool, found Pos"},
		{"act a: Nat; a: Nat; init a(1);", "t:1:13: action a is declared twice with the same sorts: first at 1:5"},
		{"act a; proc a = tau; init a;", "t:1:13: process a has the name of an action: declared at 1:5"},
		{"proc P = tau; P = tau; init P;", "t:1:15: process P is declared twice with the same sorts: first at 1:6"},
		{"proc P(x, x: Nat) = tau; init P(1, 2);", "t:1:11: parameter x is declared twice: first at 1:8"},
		{"init a;", "t:1:6: a is neither a declared action nor a declared process"},
		{"act a: Nat; init a;", "t:1:18: action a takes 1 argument, found 0"},
		{"act a: Nat; a: Nat # Nat; init a;", "t:1:32: action a takes 1 argument or 2 arguments, found 0"},
		{"act a: Nat; init a(true);", "t:1:20: expected Nat, found Bool"},
		{"act a: Nat; a: D; sort D = struct d; init a(true);", "t:1:43: action a takes (Nat) or (D), found (Bool)"},
		{"act a: Pos # Nat; a: Nat # Pos; init a(1, 1);", "t:1:38: a is ambiguous: (Pos, Nat) and (Nat, Pos) fit equally well"},
		{"act a; init a();", "t:1:13: a is an action: without arguments it is written without parentheses"},
		{"proc P(n: Nat) = tau . P(m = 1); init P(1);", "t:1:26: process P has no parameter m"},
		{"proc P(n: Nat) = tau . P(n = 1, n = 2); init P(1);", "t:1:33: parameter n is given twice: first at 1:26"},
		{"proc P(n: Nat, b: Bool) = tau; Q(n: Nat) = P(n = 1); init Q(1);",
			"t:1:44: parameter b of process P is not given, and there is no variable b of sort Bool to take its value from"},
		{"act a; init hide({b}, a);", "t:1:19: action b is not declared"},
		{"act a, b; c: Nat; init rename({a -> c}, rename({a -> b, a -> a}, a));",
			"t:1:32: action a cannot be renamed to c: they have no sorts in common\nt:1:57: action a is renamed twice"},
		{"act a, b, c; d: Nat; init comm({a|b -> c, c|a -> b, a|b -> d, a -> b}, a);",
			"t:1:40: action c is the result of one communication and part of another\n" +
				"t:1:45: action a is in two communications\n" +
				"t:1:50: action b is the result of one communication and part of another\n" +
				"t:1:53: actions a|b cannot communicate to d: they have no sorts in common\n" +
				"t:1:63: a communication needs two actions or more, found a alone: rename does that"},
		{"act a; init allow({a|b}, a);", "t:1:22: action b is not declared"},
		{"act a; init 1 -> a;", "t:1:13: expected Bool, found Pos"},
		{"act a; init a @ true;", "t:1:17: expected Real, found Bool"},
		{"act a: Nat; init sum x: Foo. a(x);", "t:1:25: sort Foo is not declared"},
		{"act a: Nat; init a(x) + sum x: Nat. a(x + true) + b;",
			"t:1:20: x is not declared\nt:1:41: no + takes (Nat, Bool)\nt:1:51: b is neither a declared action nor a declared process"},
		{"map f: Nat -> Nat; act a: Nat; init a(f(true) + f(false));", "t:1:41: expected Nat, found Bool"},
	} {
		_, err := Load("t", []byte(c.text))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestManyErrors(t *testing.T) {
	_, err := Load("t", []byte("init "+strings.Repeat("a + ", 50)+"a;"))
	if got := strings.Count(err.Error(), "\n") + 1; got != 10 {
		t.Errorf("got %d errors, want 10", got)
	}
}

// TestDeep checks deep expressions and processes.
func TestDeep(t *testing.T) {
	for _, text := range []string{
		"act a: Nat; init a(1" + strings.Repeat(" + 1", 5000) + ");",
		"act a: Bool; init a(true" + strings.Repeat(" => true", 4000) + ");",
		"act a: List(Nat); init a([" + strings.Repeat("1, ", 5000) + "1]);",
		"act a; init a" + strings.Repeat(" . a", 4000) + strings.Repeat(" + a", 50000) + ";",
		"act a: Bool; init a(" + strings.Repeat("(1 == 1) == (", 2000) + "true" + strings.Repeat(")", 2000) + ");",
	} {
		s, err := Load("t", []byte(text))
		if err != nil {
			t.Errorf("%.40s: %v", text, err)
			continue
		}
		if _, err := Load("t", []byte(s.String())); err != nil {
			t.Errorf("%.40s, printed: %v", text, err)
		}
	}
}

// FuzzLoad looks for texts on which the checker fails, or that do not survive
// printing.
func FuzzLoad(f *testing.F) {
	f.Add(context)
	f.Add("act a: Int; b: Bool; init a(if(true, 1, 0)) . sum x: Nat. a(x - 1) . b(x in {1, 2} + {y: Nat | y < 3});")
	f.Add("sort D = struct d1 | d2(p: Nat); map g: D -> Nat; var x: D; eqn g(x) = p(x) + 1; proc P(d: D) = P(d = d2(g(d))); init P(d1);")
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := Load("t", []byte(text)); err == nil {
			if _, err := Load("t", []byte(s.String())); err != nil {
				t.Errorf("%q was printed as\n%s\n%v", text, s, err)
			}
		}
	})
}
