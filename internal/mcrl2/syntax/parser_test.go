package syntax

import (
	"strings"
	"testing"
)

func TestExprPrecedence(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a || b && c", "(a || (b && c))"},
		{"a => b => c", "(a => (b => c))"},
		{"a || b || c", "(a || (b || c))"},
		{"a == b != c", "((a == b) != c)"},
		{"a == b < c", "(a == (b < c))"},
		{"a |> b |> c", "(a |> (b |> c))"},
		{"a <| b <| c", "((a <| b) <| c)"},
		{"a |> b <| c ++ d + e", "(a |> (b <| (c ++ (d + e))))"},
		{"a - b - c", "((a - b) - c)"},
		{"a + b div c * d", "(a + (b div (c * d)))"},
		{"a mod b / c", "((a mod b) / c)"},
		{"-a * b", "((-a) * b)"},
		{"!l . 0", "((!l) . 0)"},
		{"#l - 1", "((#l) - 1)"},
		{"!!a", "(!(!a))"},
		{"a - -b", "(a - (-b))"},
		{"x in s && y", "((x in s) && y)"},
		{"f(x)(y)[a -> b]", "f(x)(y)[a->b]"},
		{"-f(x)", "(-f(x))"},
		{"a && forall x: Nat. b && c", "(a && (forall x.(b && c)))"},
		{"!exists x: Nat. b", "(!(exists x.b))"},
		{"forall x: Nat. b whr y = 1 end", "((forall x.b) whr y=1)"},
		{"a + b whr x = 1 end + c", "(((a + b) whr x=1) + c)"},
		{"lambda f: Nat -> Nat. f(1)", "(lambda f.f(1))"},
		{"[]", "[]"}, {"{}", "{}"}, {"{:}", "{:}"},
		{"{a, b}", "{a,b}"}, {"{a: 1, b: 2}", "{a,b:1,2}"}, {"{a: 1}", "{a:1}"},
		{"{x: Nat | x < 3}", "{x:Nat|(x < 3)}"},
		{"{x: n + 1, y: {z: Nat | z < 2}}", "{x,y:(n + 1),{z:Nat|(z < 2)}}"},
		{"a||_b", "(a || _b)"},
		{"dist(x) + val(y)", "(dist(x) + val(y))"},
	} {
		e, err := ParseExpr("t", c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := full(e); got != c.want {
			t.Errorf("%s: got %s, want %s", c.text, got, c.want)
		}
	}
}

func TestProcPrecedence(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a + b . c", "(a + (b . c))"},
		{"a . b . c", "(a . (b . c))"},
		{"a + b + c", "((a + b) + c)"},
		{"a || b || c", "(a || (b || c))"},
		{"a ||_ b || c", "((a ||_ b) || c)"},
		{"a | b | c . d", "(((a | b) | c) . d)"},
		{"a << b << c . d", "((a << b) << (c . d))"},
		{"a @ t . b", "((a@t) . b)"},
		{"a | b @ 3", "((a | b)@3)"},
		{"a @ (x + 1) + b", "((a@(x + 1)) + b)"},
		{"sum x: Nat. a + b", "((sum x.a) + b)"},
		{"sum x: Nat. a || b", "(sum x.(a || b))"},
		{"a . sum x: Nat. b . c + d", "((a . (sum x.(b . c))) + d)"},
		{"sum f: Nat -> Nat. a", "(sum f.a)"},
		{"c -> a . b + d", "((c->(a . b)) + d)"},
		{"c -> a || b", "((c->a) || b)"},
		{"c -> a <> b . d + e", "((c->a<>(b . d)) + e)"},
		{"c -> a + b <> d", "(c->(a + b)<>d)"},
		{"c -> d -> a <> b", "(c->(d->a<>b))"},
		{"c -> d -> a <> b <> e", "(c->(d->a<>b)<>e)"},
		{"c -> a + d -> b <> e", "((c->a) + (d->b<>e))"},
		{"c -> sum f: Nat -> Nat. a(f) <> b", "(c->(sum f.a(f))<>b)"},
		{"c -> a <> d -> b <> e", "(c->a<>(d->b<>e))"},
		{"(x == 1) -> a", "((x == 1)->a)"},
		{"!(x == 1) -> a", "((!(x == 1))->a)"},
		{"f(x)(y) -> a", "(f(x)(y)->a)"},
		{"(a + b) . c", "((a + b) . c)"},
		{"a . (x) -> b", "(a . (x->b))"},
		{"dist x: Nat[1/2]. a + b", "((dist x[(1 / 2)].a) + b)"},
		{"dist . sum", ""},
		{"dist(3) . a", "(dist(3) . a)"},
		{"P() + Q(x = 1, y = 2)", "(P() + Q(x = 1, y = 2))"},
		{"hide({a, b}, allow({a|b, c}, comm({a|b -> c, d|e -> tau}, block({}, rename({a -> b}, tau || delta)))))",
			"hide({a, b}, allow({a|b, c}, comm({a|b -> c, d|e -> tau}, block({}, rename({a -> b}, tau || delta)))))"},
	} {
		x, err := ParseProc("t", c.text)
		if err != nil {
			if c.want != "" {
				t.Errorf("%s: %v", c.text, err)
			}
			continue
		}
		if got := fullProc(x); got != c.want {
			t.Errorf("%s: got %s, want %s", c.text, got, c.want)
		}
	}
}

func TestSorts(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"sort A, B; C = List(A -> B); D;", "sort A;\n     B;\n     C = List(A -> B);\n     D;\n"},
		{"sort S = struct c(p: Nat, Bool)?is_c | d;", "sort S = struct c(p: Nat, Bool)?is_c | d;\n"},
		{"map f: A # B -> C -> D; g: (A -> B) # C -> D;", "map f: A # B -> C -> D;\n    g: (A -> B) # C -> D;\n"},
		{"act include; include \"a.mcrl2\"; init include;", "include \"a.mcrl2\";\nact include;\ninit include;\n"},
		{"map f: (A # B) -> C; g: ((A # B) -> C) -> D;", "map f: A # B -> C;\n    g: (A # B -> C) -> D;\n"},
		{"act a: A # (B -> C); b, c: A # B -> C;", "act a: A # (B -> C);\n    b: (A # B -> C);\n    c: (A # B -> C);\n"},
		{"map f: struct a | b -> Bool;", "map f: (struct a | b) -> Bool;\n"},
		{"var x, y: Nat, z: Bool; eqn z -> f(x) = y; eqn g = 1;",
			"var x: Nat;\n    y: Nat;\n    z: Bool;\neqn z -> f(x) = y;\neqn g = 1;\n"},
		{"init a; glob x: Nat; proc P(x, y: Nat) = a; % comment\nact a;", "glob x: Nat;\nact a;\nproc P(x: Nat, y: Nat) = a;\ninit a;\n"},
	} {
		s, err := Parse("t", []byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := Print(s); got != c.want {
			t.Errorf("%s:\ngot  %q\nwant %q", c.text, got, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"act a\nproc P = a;\ninit P;", "t:2:1: expected ; after the action, found the keyword proc"},
		{"sort = Nat;", "t:1:6: expected the name of a sort, found ="},
		{"sort A = List Nat;", "t:1:15: expected ( after List, found the keyword Nat"},
		{"map f: Nat # Nat;", "t:1:17: expected -> after the domain, found ;"},
		{"map sum: Nat;", "t:1:5: expected the name of a map, found the keyword sum"},
		{"init a . ;", "t:1:10: expected a process, found ;"},
		{"init a(1 + ;", "t:1:12: expected a data expression, found ;"},
		{"init a(1;", "t:1:9: expected ) after the arguments, found ;"},
		{"init (x = 1) -> a;", "t:1:9: expected ) after the expression, found = (== compares)"},
		{"include \"a\" init a;", "t:1:13: expected ; after the file, found the keyword init"},
		{"include \"a;\ninit a;", "t:1:1: expected a section (sort, cons, map, var, eqn, glob, act, proc or init), found include\n" +
			"t:1:9: the quotes are not closed on the line"},
		{"init c -> a <> ;", "t:1:16: expected a process, found ;"},
		{"init a @ [];", "t:1:10: expected a name, a number or a data expression in parentheses, found ["},
		{"init a;\ninit b;", "t:2:1: second init: the first is at 1:1"},
		{"init", "t:1:5: expected a declaration after init, found the end of the text"},
		{"var x: Nat; init a;", "t:1:13: expected eqn after the variables, found the keyword init"},
		{"var x: Nat; eqn", "t:1:16: expected a declaration after eqn, found the end of the text"},
		{"hello", "t:1:1: expected a section (sort, cons, map, var, eqn, glob, act, proc or init), found hello"},
		{"init a(007);", "t:1:8: number 007 starts with 0"},
		{"init a $ b;", "t:1:8: character '$' is not part of the language\nt:1:10: expected ; after the initial process, found b"},
		{"act a; b c; d;\nsort A = ;\ninit block({a b}, c);",
			"t:1:10: expected ; after the action, found c\nt:2:10: expected a sort, found ;\nt:3:15: expected } after the actions, found b"},
		{"init hide({a,}, b);", "t:1:14: expected the name of an action, found }"},
		{"eqn f(x) == 1;", "t:1:14: expected = after the left-hand side of the equation, found ;"},
	} {
		_, err := Parse("t", []byte(c.text))
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
	_, err := Parse("t", []byte("act "+strings.Repeat("; ", 50)))
	if got := strings.Count(err.Error(), "\n") + 1; got != MaxErrors {
		t.Errorf("got %d errors, want %d", got, MaxErrors)
	}
}

func TestDeep(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"parentheses", strings.Repeat("(", MaxDepth+10) + "x"},
		{"left", "x" + strings.Repeat(" + x", MaxDepth+10)},
		{"levels", strings.Repeat("(", 1000) + "x" + strings.Repeat(strings.Repeat(" - x", 101)+")", 1000)},
		{"quantifiers", strings.Repeat("forall x: Nat. ", MaxDepth+10) + "x"},
	} {
		_, err := ParseExpr("t", c.text)
		if err == nil || !strings.Contains(err.Error(), "nested deeper than 100000") {
			t.Errorf("%s: got %v, want an error of depth", c.name, err)
		}
	}
	if _, err := ParseExpr("t", "x"+strings.Repeat(" + x", MaxDepth-2)); err != nil {
		t.Errorf("long sum: %v", err)
	}
	for _, text := range []string{"a" + strings.Repeat(" . a", MaxDepth+10), "a" + strings.Repeat(" @ 1", MaxDepth+10)} {
		_, err := ParseProc("t", text)
		if err == nil || !strings.Contains(err.Error(), "nested deeper than 100000") {
			t.Errorf("%.20s: got %v, want an error of depth", text, err)
		}
	}
}
