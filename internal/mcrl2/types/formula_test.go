package types

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/mcrl2/formula"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// dumpFormula prints what the checker has made of a formula: the name of each
// node and its parts.
func dumpFormula(x any) string {
	switch x := x.(type) {
	case nil:
		return "-"
	case spec.Expr:
		return dump(x)
	case []spec.Expr:
		var s []string
		for _, e := range x {
			s = append(s, dump(e))
		}
		return strings.Join(s, ",")
	case []*spec.Var:
		var s []string
		for _, v := range x {
			s = append(s, v.Name+":"+v.Of.String())
		}
		return strings.Join(s, ",")
	case []spec.ActionCall:
		var s []string
		for _, a := range x {
			s = append(s, a.Action.Name+"["+sortList(a.Action.Args)+"]("+dumpFormula(a.Args)+")")
		}
		return strings.Join(s, "|")
	case *formula.Var:
		return "Var(" + x.Fix.Name + " " + dumpFormula(x.Args) + ")"
	case bool, string:
		return fmt.Sprint(x)
	}
	v := reflect.ValueOf(x).Elem()
	var s []string
	for i := range v.NumField() {
		if v.Type().Field(i).Name != "Place" {
			s = append(s, dumpFormula(v.Field(i).Interface()))
		}
	}
	return v.Type().Name() + "(" + strings.Join(s, " ") + ")"
}

const formulaContext = `sort D = struct d1 | d2; L = List(D); T = struct leaf | node(kids: L);
map f: D -> Bool; act a: D; b, c; n: Nat; n: Bool; t: T; proc P = b; init P;`

func TestFormulas(t *testing.T) {
	s, err := Load("ctx", []byte(formulaContext))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{"[true* . b]<true>true", "Must(Seq(Iter(Step(ActBool(true)) false) Step(Multi(b[]()))) May(Step(ActBool(true)) Bool(true)))"},
		{"[b+ + c]false", "Must(Alt(Iter(Step(Multi(b[]())) true) Step(Multi(c[]()))) Bool(false))"},
		{"nu X. mu Y. <a(d1)>X || <!a(d2) && val(f(d1))>Y",
			"Fix(true X   Fix(false Y   Or(May(Step(Multi(a[D](d1))) Var(X )) May(Step(ActAnd(ActNot(Multi(a[D](d2))) ActVal(f(d1)))) Var(Y )))))"},
		{"forall d: D. [exists e: D. a(e) || a(d)]val(f(d))",
			"Forall(d:D Must(Step(ActExists(e:D ActOr(Multi(a[D](e)) Multi(a[D](d))))) Val(f(d))))"},
		{"nu X(k: Nat = 1, d: D = d1). [n(k)]X(k + 1, d) && [n(true)]false",
			"Fix(true X k:Nat,d:D 1:Nat,d1 And(Must(Step(Multi(n[Nat](k))) Var(X <Pos2Nat:Pos -> Nat>(<+:Nat # Pos -> Pos>(k, 1:Pos)),d)) Must(Step(Multi(n[Bool](true))) Bool(false))))"},
		{"<b|c . tau>f(d1)", "May(Seq(Step(Multi(b[]()|c[]())) Step(Multi())) Val(f(d1)))"},
		{"!(<b>true => false)", "Not(Implies(May(Step(Multi(b[]())) Bool(true)) Bool(false)))"},
		{"nu X. !(<b>!X)", "Fix(true X   Not(May(Step(Multi(b[]())) Not(Var(X )))))"},
		{"delay @ 1 && yaled", "And(Delay(1:Real) Yaled(-))"},
		{"[b @ 3]false", "Must(Step(ActAt(Multi(b[]()) 3:Real)) Bool(false))"},
		{"map g: Nat -> Bool; var x: Nat; eqn g(x) = x < 3; act e: Nat; form [e(1)]val(g(2));",
			"Must(Step(Multi(e[Nat](1:Nat))) Val(g(2:Nat)))"},
		{"sort D = struct d1 | d2; T = struct leaf | node(kids: L); map f: D -> Bool; act a: D; form <a(d1)>val(f(d1));",
			"May(Step(Multi(a[D](d1))) Val(f(d1)))"},
	} {
		f, err := LoadFormula(s.Data, s.Actions, "t", []byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := dumpFormula(f.Body); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestFormulaErrors(t *testing.T) {
	s, err := Load("ctx", []byte(formulaContext))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{"X", "t:1:1: X is not declared: it is neither a fixed point around this place nor data"},
		{"[z]true", "t:1:2: action z is not declared"},
		{"[b(1)]true", "t:1:2: action b takes 0 arguments, found 1"},
		{"[a(1)]true", "t:1:4: expected D, found Pos"},
		{"mu X. !X", "t:1:8: X is under an odd number of negations: such a fixed point need not exist"},
		{"mu X. X => true", "t:1:7: X is under an odd number of negations: such a fixed point need not exist"},
		{"nu X(n: Nat = true). X(1, 2)", "t:1:15: expected Nat, found Bool\nt:1:22: X takes 1 argument, found 2"},
		{"val(1)", "t:1:5: expected Bool, found Pos"},
		{"sort D = struct d1; form true;", "t:1:6: sort D is declared otherwise by the specification"},
		{"inf x: Nat. val(2) * true", "t:1:1: quantitative formula with inf: not supported (see docs/LIMITS.md)\n" +
			"t:1:20: quantitative formula with *: not supported (see docs/LIMITS.md)"},
		{"true + -false", "t:1:6: quantitative formula with +: not supported (see docs/LIMITS.md)\n" +
			"t:1:8: quantitative formula with -: not supported (see docs/LIMITS.md)"},
	} {
		_, err := LoadFormula(s.Data, s.Actions, "t", []byte(c.text))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.text, got, c.want)
		}
	}
}
