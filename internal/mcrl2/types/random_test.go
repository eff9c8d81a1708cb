package types

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A grower makes random expressions over the names of context. It goes by sorts,
// roughly, so that many of them are well typed.
type grower struct{ *rapid.T }

func (g grower) of(list ...string) string { return rapid.SampledFrom(list).Draw(g.T, "choice") }

func (g grower) number(d int) string {
	if d <= 0 {
		return g.of("0", "1", "2", "p", "n", "m", "i", "r", "val", "k")
	}
	d--
	switch rapid.IntRange(0, 12).Draw(g.T, "number") {
	case 0, 1:
		return "(" + g.number(d) + g.of(" + ", " - ", " * ", " / ", " div ", " mod ") + g.number(d) + ")"
	case 2:
		return g.of("min", "max", "exp") + "(" + g.number(d) + ", " + g.number(d) + ")"
	case 3:
		return g.of("succ", "pred", "abs", "floor", "-", "sqrt", "fn") + "(" + g.number(d) + ")"
	case 4:
		return g.of("Pos2Nat", "Nat2Int", "Int2Nat", "Nat2Pos", "Pos2Real", "Nat2Real", "Int2Real") + "(" + g.number(d) + ")"
	case 5:
		return "if(" + g.bool(d) + ", " + g.number(d) + ", " + g.number(d) + ")"
	case 6:
		return g.of("head", "rhead", "#") + "(" + g.list(d) + ")"
	case 7:
		return "(" + g.list(d) + " . " + g.number(d) + ")"
	case 8:
		return "count(" + g.number(d) + ", {" + g.number(d) + ": " + g.number(d) + "})"
	case 9:
		return "(x + y whr x = " + g.number(d) + ", y = " + g.number(d) + " end)"
	case 10:
		return "(lambda x: " + g.of("Nat", "Int") + ". " + g.number(d) + ")(" + g.number(d) + ")"
	case 11:
		return g.of("fn", "(lambda n: Nat. n)", "(lambda i: Nat. 1)") + "[" + g.number(d) + " -> " + g.number(d) + "](" + g.number(d) + ")"
	}
	return g.number(0)
}

func (g grower) list(d int) string {
	if d <= 0 {
		return g.of("[]", "ln", "lp", "[1]", "[0, 1]")
	}
	d--
	switch rapid.IntRange(0, 5).Draw(g.T, "list") {
	case 0:
		return "(" + g.number(d) + " |> " + g.list(d) + ")"
	case 1:
		return "(" + g.list(d) + " ++ " + g.list(d) + ")"
	case 2:
		return "[" + g.number(d) + ", " + g.number(d) + "]"
	case 3:
		return g.of("tail", "rtail") + "(" + g.list(d) + ")"
	case 4:
		return "if(" + g.bool(d) + ", " + g.list(d) + ", " + g.list(d) + ")"
	}
	return g.list(0)
}

func (g grower) set(d int) string {
	if d <= 0 {
		return g.of("{}", "fs", "s", "{1}", "{0, 1}", "{x: Nat | x < 2}")
	}
	d--
	switch rapid.IntRange(0, 4).Draw(g.T, "set") {
	case 0:
		return "(" + g.set(d) + g.of(" + ", " - ", " * ") + g.set(d) + ")"
	case 1:
		return "!(" + g.set(d) + ")"
	case 2:
		return "{" + g.number(d) + ", " + g.number(d) + "}"
	case 3:
		return "{n: Nat | " + g.bool(d) + "}"
	}
	return g.set(0)
}

func (g grower) bool(d int) string {
	if d <= 0 {
		return g.of("true", "b", "g(1, 2)", "is_d2(d)")
	}
	d--
	op := g.of(" == ", " != ", " < ", " <= ")
	switch rapid.IntRange(0, 6).Draw(g.T, "bool") {
	case 0:
		return "(" + g.number(d) + op + g.number(d) + ")"
	case 1:
		return "(" + g.list(d) + op + g.list(d) + ")"
	case 2:
		return "(" + g.set(d) + op + g.set(d) + ")"
	case 3:
		return "(" + g.number(d) + " in " + g.of(g.list(d), g.set(d)) + ")"
	case 4:
		return "(" + g.bool(d) + g.of(" && ", " || ", " => ") + g.bool(d) + ")"
	case 5:
		return "(" + g.of("forall", "exists") + " n: Nat, x: Int. " + g.bool(d) + ")"
	}
	return "g(" + g.number(d) + ", " + g.number(d) + ")"
}

// TestPrintedExprs prints random expressions that are well typed and reads them
// back.
func TestPrintedExprs(t *testing.T) {
	s, err := Load("ctx", []byte(context))
	if err != nil {
		t.Fatal(err)
	}
	vars := testVars(s)
	typed := 0
	rapid.Check(t, func(t *rapid.T) {
		g := grower{t}
		var text string
		switch rapid.IntRange(0, 3).Draw(t, "sort") {
		case 0:
			text = g.number(3)
		case 1:
			text = g.list(3)
		case 2:
			text = g.set(3)
		default:
			text = g.bool(4)
		}
		e, err := Expr(s.Data, vars, text)
		if err != nil {
			return
		}
		typed++
		printed := spec.Format(e)
		back, err := ExprOf(s.Data, vars, printed, e.Sort())
		if err != nil {
			t.Fatalf("%s was printed as %s: %v", text, printed, err)
		}
		if got, want := dump(back), dump(e); got != want {
			t.Fatalf("%s was printed as %s:\ngot  %s\nwant %s", text, printed, got, want)
		}
	})
	if typed < 20 {
		t.Errorf("got %d expressions that are well typed, want 20 or more", typed)
	}
}
