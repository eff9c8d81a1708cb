package syntax

import (
	"testing"

	"pgregory.net/rapid"
)

// fullState prints a formula with parentheses around each operator.
func fullState(s State) string {
	switch s := s.(type) {
	case *StateBinary:
		return "(" + fullState(s.X) + " " + s.Op + " " + fullState(s.Y) + ")"
	case *StateUnary:
		return "(" + s.Op + fullState(s.X) + ")"
	case *StateFix:
		return "(" + s.Op + " " + s.Name + "." + fullState(s.Body) + ")"
	case *StateQuant:
		return "(" + s.Kind + " " + s.Vars[0].Name.Text + "." + fullState(s.Body) + ")"
	case *StateModal:
		if s.Must {
			return "([" + fullReg(s.R) + "]" + fullState(s.Body) + ")"
		}
		return "(<" + fullReg(s.R) + ">" + fullState(s.Body) + ")"
	case *StateScale:
		return "(" + full(s.By) + "*" + fullState(s.X) + ")"
	}
	return PrintState(s)
}

func fullReg(r Regular) string {
	switch r := r.(type) {
	case *RegBinary:
		return "(" + fullReg(r.X) + " " + r.Op + " " + fullReg(r.Y) + ")"
	case *RegIter:
		return "(" + fullReg(r.X) + r.Op + ")"
	case *RegNot:
		return "(!" + fullReg(r.X) + ")"
	case *RegQuant:
		return "(" + r.Kind + " " + r.Vars[0].Name.Text + "." + fullReg(r.Body) + ")"
	case *RegAt:
		return "(" + fullReg(r.X) + "@" + full(r.Time) + ")"
	}
	return PrintRegular(r)
}

func TestFormulas(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"[true*]<true>true", "([(true*)](<true>true))"},
		{"nu X. [true]X && <true>true", "(nu X.(([true]X) && (<true>true)))"},
		{"mu X. <a>true || [!a]X", "(mu X.((<a>true) || ([(!a)]X)))"},
		{"[true* . a . (!b)* . c]false", "([((true*) . (a . (((!b)*) . c)))]false)"},
		{"[!a* . b+ + c]false", "([((((!a)*) . (b+)) + c)]false)"},
		{"[a + b . c*]X", "([(a + (b . (c*)))]X)"},
		{"[(a+)*]X", "([((a+)*)]X)"},
		{"[a || b && !c => d]X", "([((a || (b && (!c))) => d)]X)"},
		{"[exists x: Nat. a(x) || b]X", "([(exists x.(a(x) || b))]X)"},
		{"[a(1)|b . tau]X", "([(a(1) | b . tau)]X)"},
		{"<a @ 3>true", "(<(a@3)>true)"},
		{"forall x: Nat. val(x < 3) => <a(x)>true", "(forall x.(val(x < 3) => (<a(x)>true)))"},
		{"nu X(n: Nat = 0, b: Bool = true). X(n + 1, !b)", "(nu X.X(n + 1, !b))"},
		{"!X && Y || Z => W", "((((!X) && Y) || Z) => W)"},
		{"X => Y => Z", "(X => (Y => Z))"},
		{"[a]mu X. X || Y", "([a](mu X.(X || Y)))"},
		{"[a]X && Y", "(([a]X) && Y)"},
		{"delay @ 3 || yaled", "(delay @ 3 || yaled)"},
		{"inf x: Nat. val(x) * X + -Y", "(inf x.((x*X) + (-Y)))"},
		{"X * val(2)", "(2*X)"},
		{"form [a]X;", "([a]X)"},
		{"map f: Nat; eqn f = 1; form (val(f == 1)); act a;", "val(f == 1)"},
	} {
		f, err := ParseFormula("t", []byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := fullState(f.Body); got != c.want {
			t.Errorf("%s: got %s, want %s", c.text, got, c.want)
		}
	}
}

func TestFormulaErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "t:1:1: expected a state formula, found the end of the text"},
		{"[a", "t:1:3: expected ] after the regular formula, found the end of the text"},
		{"[a]", "t:1:4: expected a state formula, found the end of the text"},
		{"<a>true X", "t:1:9: expected the end of the text after the formula, found X"},
		{"[(a . b) && c]X", "t:1:5: expected an action formula, found a regular formula"},
		{"mu X(n: Nat). X", "t:1:12: expected = and a value after the sort of the parameter, found )"},
		{"X * Y", "t:1:3: expected val on one side of *"},
		{"act a;", "t:1:7: expected form and a formula, found the end of the text"},
		{"init a; form X;", "t:1:1: expected form or a section (sort, cons, map, var, eqn or act), found the keyword init"},
		{"form X; form Y;", "t:1:9: second form"},
	} {
		_, err := ParseFormula("t", []byte(c.text))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.text, got, c.want)
		}
	}
}

func (g generator) act(d int) Regular {
	k := g.count(0, 7)
	if d <= 0 {
		k %= 3
	}
	d--
	switch k {
	case 1:
		return &RegBool{Value: g.count(0, 1) == 1}
	case 2:
		return &RegVal{E: g.expr(1)}
	case 3:
		return &RegNot{X: g.act(d)}
	case 4:
		return &RegQuant{Kind: g.pick("forall", "exists"), Vars: g.vars(1), Body: g.act(d)}
	case 5:
		return &RegAt{X: g.act(d), Time: g.expr(1)}
	case 6, 7:
		return &RegBinary{Op: g.pick("=>", "||", "&&"), X: g.act(d), Y: g.act(d)}
	}
	return &RegMulti{Actions: many(g, 0, 2, func() *Call { return &Call{Name: g.pick("a", "b", "mu"), Args: g.exprs(0, 1)} })}
}

func (g generator) regular(d int) Regular {
	if k := g.count(0, 3); d > 0 && k == 1 {
		return &RegIter{Op: g.pick("*", "+"), X: g.regular(d - 1)}
	} else if d > 0 && k > 1 {
		return &RegBinary{Op: g.pick("+", "."), X: g.regular(d - 1), Y: g.regular(d - 1)}
	}
	return g.act(2)
}

func (g generator) state(d int) State {
	k := g.count(0, 11)
	if d <= 0 {
		k %= 4
	}
	d--
	switch k {
	case 1:
		return &StateBool{Value: g.count(0, 1) == 1}
	case 2:
		return &StateVal{E: g.expr(2)}
	case 3:
		s := &StateDelay{Op: g.pick("delay", "yaled")}
		if g.count(0, 1) == 1 {
			s.Time = g.expr(1)
		}
		return s
	case 4:
		f := &StateFix{Op: g.pick("mu", "nu"), Name: g.pick("X", "Y"), Body: g.state(d)}
		for range g.count(0, 2) {
			f.Params, f.Init = append(f.Params, g.vars(1)[0]), append(f.Init, g.expr(1))
		}
		return f
	case 5:
		return &StateQuant{Kind: g.pick("forall", "exists", "inf", "sup", "sum"), Vars: g.vars(1), Body: g.state(d)}
	case 6, 7:
		return &StateModal{Must: g.count(0, 1) == 1, R: g.regular(2), Body: g.state(d)}
	case 8:
		return &StateUnary{Op: g.pick("!", "-"), X: g.state(d)}
	case 9, 10:
		return &StateBinary{Op: g.pick("+", "=>", "||", "&&"), X: g.state(d), Y: g.state(d)}
	case 11:
		return &StateScale{By: g.expr(1), X: g.state(d)}
	}
	return &StateVar{Name: g.pick("X", "Y"), Args: g.exprs(0, 1)}
}

// TestFormulaRoundTrip prints random formulas and reads them back.
func TestFormulaRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := generator{t}
		f := &Formula{Spec: &Spec{}, Body: g.state(4)}
		if g.count(0, 3) == 0 {
			f.Spec = g.spec()
			f.Spec.Includes, f.Spec.Globals, f.Spec.Procs, f.Spec.Init = nil, nil, nil, nil
		}
		text := PrintFormula(f)
		back, err := ParseFormula("t", []byte(text))
		if err != nil {
			t.Fatalf("%v\nin\n%s", err, text)
		}
		if got, want := dump(back), dump(f); got != want {
			t.Fatalf("%s\ngot  %s\nwant %s", text, got, want)
		}
	})
}

// FuzzFormula looks for formulas on which the parser fails, or whose tree does
// not survive printing.
func FuzzFormula(f *testing.F) {
	f.Add("nu X(n: Nat = 0). [true* . a(n) | b . (!c)+]<exists x: Nat. val(x < n) && d(x) @ 3>X(n + 1) => !mu Y. delay || Y")
	f.Add("map f: Nat; eqn f = 1; act a; form inf x: Nat. val(x) * [a + tau]true;")
	f.Fuzz(func(t *testing.T, text string) {
		x, err := ParseFormula("t", []byte(text))
		if err != nil {
			return
		}
		printed := PrintFormula(x)
		back, err := ParseFormula("t", []byte(printed))
		if err != nil {
			t.Fatalf("%v\nin\n%s", err, printed)
		}
		if got, want := dump(back), dump(x); got != want {
			t.Fatalf("%s\ngot  %s\nwant %s", printed, got, want)
		}
	})
}
