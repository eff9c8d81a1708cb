package types

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// context declares what the expressions of the tests use.
const context = `
sort D = struct d1 | d2(val: Nat)?is_d2 | d3(val: Nat, next: D);
     E = struct e1 | e2;
     Same = struct e1 | e2;
     L = List(D);
     U;
map f: Nat -> D; g: Nat # Int -> Bool; h: Nat -> Nat -> Bool;
    over: Nat -> D; over: Int -> E; amb: Pos # Nat -> D; amb: Nat # Pos -> D;
    l: L; lp: List(Pos); ln: List(Nat); fs: FSet(Nat); s: Set(Nat); fb: FBag(D); bg: Bag(D);
    both: Nat -> Bool; both: Nat; f2: Pos -> Nat; f2: Nat -> Pos;
    k: Int; u: U; fn: Nat -> Nat; hof: (Nat -> Pos) -> Bool; fp: D -> Bool;
act a; proc P = a; init P;`

func contextSpec(t *testing.T) *spec.Spec {
	s, err := Load("ctx", []byte(context))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func testVars(s *spec.Spec) []*spec.Var {
	basic := s.Sorts.Basic
	return []*spec.Var{{Name: "p", Of: basic(spec.Pos)}, {Name: "n", Of: basic(spec.Nat)}, {Name: "m", Of: basic(spec.Nat)},
		{Name: "i", Of: basic(spec.Int)}, {Name: "r", Of: basic(spec.Real)}, {Name: "b", Of: basic(spec.Bool)},
		{Name: "d", Of: s.Sorts.Declare("D")}, {Name: "val", Of: basic(spec.Nat)}}
}

func TestInference(t *testing.T) {
	s := contextSpec(t)
	for _, c := range []struct{ text, want string }{
		{"1 + 2", "<+:Pos # Pos -> Pos>(1:Pos, 2:Pos)"},
		{"n + 1", "<+:Nat # Pos -> Pos>(n, 1:Pos)"},
		{"n - 1", "<-:Nat # Nat -> Int>(n, 1:Nat)"},
		{"n - i", "<-:Int # Int -> Int>(<Nat2Int:Nat -> Int>(n), i)"},
		{"i * n", "<*:Int # Int -> Int>(i, <Nat2Int:Nat -> Int>(n))"},
		{"n / 2", "</:Real # Real -> Real>(<Nat2Real:Nat -> Real>(n), 2:Real)"},
		{"1 / 2", "1/2:Real"},
		{"-3", "-3:Int"},
		{"-n", "<-:Nat -> Int>(n)"},
		{"n div 2", "<div:Nat # Pos -> Nat>(n, 2:Pos)"},
		{"i mod 3", "<mod:Int # Pos -> Nat>(i, 3:Pos)"},
		{"exp(2, n)", "<exp:Pos # Nat -> Pos>(2:Pos, n)"},
		{"max(n, i)", "<max:Nat # Int -> Nat>(n, i)"},
		{"min(n, i)", "<min:Int # Int -> Int>(<Nat2Int:Nat -> Int>(n), i)"},
		{"succ(n)", "<succ:Nat -> Pos>(n)"},
		{"pred(n)", "<pred:Nat -> Int>(n)"},
		{"abs(i)", "<abs:Int -> Nat>(i)"},
		{"floor(r) + 1", "<+:Int # Int -> Int>(<floor:Real -> Int>(r), 1:Int)"},
		{"Int2Nat(i)", "<Int2Nat:Int -> Nat>(i)"},
		{"Nat2Pos(3)", "<Nat2Pos:Nat -> Pos>(3:Nat)"},
		{"n == 1", "<==:Nat # Nat -> Bool>(n, 1:Nat)"},
		{"n == -1", "<==:Int # Int -> Bool>(<Nat2Int:Nat -> Int>(n), -1:Int)"},
		{"0 < p", "<<:Nat # Nat -> Bool>(0:Nat, <Pos2Nat:Pos -> Nat>(p))"},
		{"if(b, 1, n)", "<if:Bool # Nat # Nat -> Nat>(b, 1:Nat, n)"},
		{"if(b, 0, i) + 1", "<+:Int # Int -> Int>(<if:Bool # Int # Int -> Int>(b, 0:Int, i), 1:Int)"},
		{"l == []", "<==:List(D) # List(D) -> Bool>(l, <[]:List(D)>)"},
		{"[d1] ++ l", "<++:List(D) # List(D) -> List(D)>(<|>:D # List(D) -> List(D)>(d1, <[]:List(D)>), l)"},
		{"1 |> []", "<|>:Pos # List(Pos) -> List(Pos)>(1:Pos, <[]:List(Pos)>)"},
		{"1 |> ln", "<|>:Nat # List(Nat) -> List(Nat)>(1:Nat, ln)"},
		{"[] <| n", "<<|:List(Nat) # Nat -> List(Nat)>(<[]:List(Nat)>, n)"},
		{"[0, 1]", "<|>:Nat # List(Nat) -> List(Nat)>(0:Nat, <|>:Nat # List(Nat) -> List(Nat)>(1:Nat, <[]:List(Nat)>))"},
		{"[1] ++ [0] == ln", "<==:List(Nat) # List(Nat) -> Bool>(<++:List(Nat) # List(Nat) -> List(Nat)>(<|>:Nat # List(Nat) -> List(Nat)>(1:Nat, <[]:List(Nat)>), <|>:Nat # List(Nat) -> List(Nat)>(0:Nat, <[]:List(Nat)>)), ln)"},
		{"#l", "<#:List(D) -> Nat>(l)"},
		{"l . 0", "<.:List(D) # Nat -> D>(l, 0:Nat)"},
		{"head(ln) + p", "<+:Nat # Pos -> Pos>(<head:List(Nat) -> Nat>(ln), p)"},
		{"1 in ln", "<in:Nat # List(Nat) -> Bool>(1:Nat, ln)"},
		{"n in {1, 2}", "<in:Nat # FSet(Nat) -> Bool>(n, <insert:Nat # FSet(Nat) -> FSet(Nat)>(1:Nat, <insert:Nat # FSet(Nat) -> FSet(Nat)>(2:Nat, <{}:FSet(Nat)>)))"},
		{"fs + {}", "<+:FSet(Nat) # FSet(Nat) -> FSet(Nat)>(fs, <{}:FSet(Nat)>)"},
		{"fs + s", "<+:Set(Nat) # Set(Nat) -> Set(Nat)>(<FSet2Set:FSet(Nat) -> Set(Nat)>(fs), s)"},
		{"!s", "<!:Set(Nat) -> Set(Nat)>(s)"},
		{"!fs", "<!:Set(Nat) -> Set(Nat)>(<FSet2Set:FSet(Nat) -> Set(Nat)>(fs))"},
		{"s == {}", "<==:Set(Nat) # Set(Nat) -> Bool>(s, <FSet2Set:FSet(Nat) -> Set(Nat)>(<{}:FSet(Nat)>))"},
		{"{x: Nat | x < 3}", "set x:Nat.<<:Nat # Nat -> Bool>(x, 3:Nat)"},
		{"{x: Nat | x + 1}", "bag x:Nat.<Pos2Nat:Pos -> Nat>(<+:Nat # Pos -> Pos>(x, 1:Pos))"},
		{"{d1: 1} + fb", "<+:FBag(D) # FBag(D) -> FBag(D)>(<insert:D # Nat # FBag(D) -> FBag(D)>(d1, 1:Nat, <{:}:FBag(D)>), fb)"},
		{"count(d, bg)", "<count:D # Bag(D) -> Nat>(d, bg)"},
		{"#fs", "<#:FSet(Nat) -> Nat>(fs)"},
		{"pick(fs)", "<pick:FSet(Nat) -> Nat>(fs)"},
		{"Set2Bag(fs)", "<Set2Bag:Set(Nat) -> Bag(Nat)>(<FSet2Set:FSet(Nat) -> Set(Nat)>(fs))"},
		{"f(1)", "f(1:Nat)"},
		{"f(p)", "f(<Pos2Nat:Pos -> Nat>(p))"},
		{"g(1, 2)", "g(1:Nat, 2:Int)"},
		{"h(1)(2)", "h(1:Nat)(2:Nat)"},
		{"over(1)", "over(1:Nat)"},
		{"over(-1)", "over(-1:Int)"},
		{"over(1) == e1", "<==:E # E -> Bool>(over(1:Int), e1)"},
		{"val(d)", "<val:D -> Nat>(d)"},
		{"val + val(d)", "<+:Nat # Nat -> Nat>(val, <val:D -> Nat>(d))"},
		{"is_d2(next(d))", "<is_d2:D -> Bool>(<next:D -> D>(d))"},
		{"d3(1, d1)", "d3(1:Nat, d1)"},
		{"lambda x: Nat. x + n", "lambda x:Nat.<+:Nat # Nat -> Nat>(x, n)"},
		{"(lambda x: Nat. x)(p)", "lambda x:Nat.x(<Pos2Nat:Pos -> Nat>(p))"},
		{"hof(lambda x: Nat. 1)", "hof(lambda x:Nat.1:Pos)"},
		{"hof(succ)", "hof(<succ:Nat -> Pos>)"},
		{"fn[1 -> 2]", "<update:(Nat -> Nat) # Nat # Nat -> Nat -> Nat>(fn, 1:Nat, 2:Nat)"},
		{"(lambda x: Nat. 1)[0 -> n]", "<update:(Nat -> Nat) # Nat # Nat -> Nat -> Nat>(lambda x:Nat.1:Nat, 0:Nat, n)"},
		{"fn[0 -> 1](n)", "<update:(Nat -> Nat) # Nat # Nat -> Nat -> Nat>(fn, 0:Nat, 1:Nat)(n)"},
		{"forall x: D, y: Bool. y => x == d", "forall x:D y:Bool.<=>:Bool # Bool -> Bool>(y, <==:D # D -> Bool>(x, d))"},
		{"x + y whr x = 1, y = n end", "whr x:Pos y:Nat=1:Pos, n.<+:Pos # Nat -> Pos>(x, y)"},
		{"both", "both"},
		{"both(both)", "both(both)"},
		{"both == both", "<==:Nat # Nat -> Bool>(both, both)"},
		{"x whr x = both end", "whr x:Nat=both.x"},
		{"f2(0)", "f2(0:Nat)"},
		{"f2(1) == 0", "<==:Nat # Nat -> Bool>(f2(1:Pos), 0:Nat)"},
		{"if(true, {}, {o: Bool | true whr z = true end})", "<if:Bool # Set(Bool) # Set(Bool) -> Set(Bool)>(true, <FSet2Set:FSet(Bool) -> Set(Bool)>(<{}:FSet(Bool)>), set o:Bool.whr z:Bool=true.true)"},
		{"sqrt(n)", "<sqrt:Nat -> Nat>(n)"},
		{"exists x: L. x == l", "exists x:List(D).<==:List(D) # List(D) -> Bool>(x, l)"},
		{"exists x: struct e1 | e2. x == e1", "exists x:E.<==:E # E -> Bool>(x, e1)"},
		{"fs <= {1}", "<<=:FSet(Nat) # FSet(Nat) -> Bool>(fs, <insert:Nat # FSet(Nat) -> FSet(Nat)>(1:Nat, <{}:FSet(Nat)>))"},
		{"[[], [1]]", "<|>:List(Pos) # List(List(Pos)) -> List(List(Pos))>(<[]:List(Pos)>, <|>:List(Pos) # List(List(Pos)) -> List(List(Pos))>(<|>:Pos # List(Pos) -> List(Pos)>(1:Pos, <[]:List(Pos)>), <[]:List(List(Pos))>))"},
	} {
		e, err := Expr(s.Data, testVars(s), c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := dump(e); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.text, got, c.want)
		}
		back, err := Expr(s.Data, testVars(s), spec.Format(e))
		if err != nil {
			t.Errorf("%s printed as %s: %v", c.text, spec.Format(e), err)
		} else if got := dump(back); got != c.want {
			t.Errorf("%s printed as %s:\ngot  %s\nwant %s", c.text, spec.Format(e), got, c.want)
		}
	}
}

func TestExprErrors(t *testing.T) {
	s := contextSpec(t)
	for _, c := range []struct{ text, want string }{
		{"x", "1:1: x is not declared"},
		{"f(x)", "1:3: x is not declared"},
		{"q(1)", "1:1: q is not declared"},
		{"f(true)", "1:3: expected Nat, found Bool"},
		{"f(i)", "1:3: expected Nat, found Int: Int2Nat narrows"},
		{"f(n - 1)", "1:5: expected Nat, found Int: Int2Nat narrows"},
		{"f(1, 2)", "1:1: f does not take 2 arguments: there is f: Nat -> D"},
		{"n(1)", "1:1: variable n of sort Nat does not take 1 argument"},
		{"over(true)", "1:1: no over takes (Bool): there is over: Nat -> D, over: Int -> E"},
		{"amb(1, 1)", "1:1: amb is ambiguous: Pos # Nat -> D and Nat # Pos -> D fit equally well"},
		{"n && b", "1:1: expected Bool, found Nat"},
		{"n + b", "1:3: no + takes (Nat, Bool)"},
		{"n == b", "1:3: == needs two expressions of one sort, found Nat and Bool"},
		{"if(n, 1, 2)", "1:4: expected Bool, found Nat"},
		{"if(b, 1, d)", "1:1: if needs two expressions of one sort, found Pos and D"},
		{"[1, true]", "1:5: expected Pos like the elements of the list before it, found Bool"},
		{"[]", "1:1: cannot tell the sort of the elements of []"},
		{"ln == lp", "1:4: == needs two expressions of one sort, found List(Nat) and List(Pos)"},
		{"head", "1:1: head is a function of the language: its arguments are missing"},
		{"head(n)", "1:1: no head takes (Nat)"},
		{"head(l, l)", "1:1: head does not take 2 arguments"},
		{"forall x: Nat. x", "1:16: expected Bool, found Nat"},
		{"exists x: Foo. true", "1:11: sort Foo is not declared"},
		{"{x: Nat | d}", "1:11: expected Bool for a set or Nat for a bag, found D"},
		{"d1(1)", "1:1: d1 does not take 1 argument: there is d1: D"},
		{"h(1)(2)(3)", "1:1: expected a function of 1 argument, found Bool"},
		{"fn[true -> 1]", "1:4: expected Nat, found Bool"},
		{"fn[1 -> i]", "1:9: expected Nat, found Int: Int2Nat narrows"},
		{"n[1 -> 2]", "1:1: expected a function of one argument, found Nat"},
		{"x whr x = [] end", "1:11: cannot tell the sort of the elements of []"},
		{"1 +", "1:4: expected a data expression, found the end of the text"},
		{"exists x: struct z1 | z2. true", "1:11: the specification has no such struct"},
	} {
		_, err := Expr(s.Data, testVars(s), c.text)
		if err == nil {
			t.Errorf("%s: got no error, want %s", c.text, c.want)
			continue
		}
		if got, want := err.Error(), "expression:"+c.want; got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.text, got, want)
		}
	}
}
