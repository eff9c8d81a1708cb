package spec_test

import (
	"math/big"
	"testing"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
)

// TestLPS prints a linear process in which names clash: a sum has a variable of
// the name of a parameter, and an action is called P.
func TestLPS(t *testing.T) {
	s, err := types.Load("t", []byte("sort D = struct d1 | d2; act a: D; b: Nat; P; init P;"))
	if err != nil {
		t.Fatal(err)
	}
	nat, real := s.Sorts.Basic(spec.Nat), s.Sorts.Basic(spec.Real)
	n := &spec.Var{Name: "n", Of: nat}
	d := &spec.Var{Name: "d", Of: s.Sorts.Lookup("D")}
	other := &spec.Var{Name: "n", Of: nat}
	less := s.Lib.Func(spec.OpLess, "<", s.Sorts.Function([]*spec.Sort{nat, nat}, s.Sorts.Basic(spec.Bool)))
	half := &spec.Number{Value: big.NewRat(1, 2), Of: real}
	l := &spec.LPS{
		Data: s.Data, Actions: s.Actions, Params: []*spec.Var{n, d},
		Summands: []*spec.Summand{
			{Cond: s.Lib.True(), Multi: []spec.ActionCall{{Action: s.Actions[0], Args: []spec.Expr{d}}, {Action: s.Actions[2]}},
				Next: []spec.Expr{s.Lib.Int(0, spec.Nat), d}},
			{Vars: []*spec.Var{other}, Cond: &spec.Apply{Head: less, Args: []spec.Expr{other, n}},
				Multi: []spec.ActionCall{{Action: s.Actions[1], Args: []spec.Expr{other}}}, Next: []spec.Expr{other, d}},
			{Cond: s.Lib.True(), Time: half, Next: []spec.Expr{n, d}},
			{Cond: s.Lib.False(), Delta: true, Time: half},
		},
		Init: []spec.Expr{s.Lib.Int(3, spec.Nat), s.Sorts.Lookup("D").Cons[0]},
	}
	want := `sort D = struct d1 | d2;
act a: D;
    b: Nat;
    P;

proc P'(n: Nat, d: D) =
       a(d) | P . P'(n = 0)
     + sum n_1: Nat.
         (n_1 < n) ->
         b(n_1) . P'(n = n_1)
     + tau @ (1 / 2) . P'()
     + false ->
         delta @ (1 / 2);

init P'(3, d1);
`
	if got := l.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	back, err := types.Load("lps", []byte(l.String()))
	if err != nil {
		t.Fatal(err)
	}
	again, err := spec.Linear(back)
	if err != nil {
		t.Fatal(err)
	}
	// The variable n_1 has that name now, and the process none of its own.
	if got := again.String(); got != want {
		t.Errorf("read back: got\n%s\nwant\n%s", got, want)
	}
}

func TestLinear(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"act a; proc P = a . P + delta; init P;", ""},
		{"act a: Nat; proc P(n: Nat) = sum m: Nat. (m < n) -> sum k: Nat. (k < m) -> a(k) . P(m) <> tau . P(0); init P(1);", ""},
		{"act a; init a;", "t:1:13: not a linear process: expected the call of a process in init"},
		{"act a; proc P = a; init P;", "t:1:17: not a linear process: expected a call of P after the action"},
		{"act a; proc P = a . Q; Q = a . P; init P;", "t:1:21: not a linear process: expected a call of P after the action"},
		{"act a; proc P = a . a . P; init P;", "t:1:23: not a linear process: expected a call of P after the action"},
		{"act a; proc P = (a + a) . P; init P;", "t:1:20: not a linear process: expected an action"},
	} {
		s, err := types.Load("t", []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		l, err := spec.Linear(s)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.text, got, c.want)
			continue
		}
		if err == nil {
			if _, err := types.Load("t", []byte(l.String())); err != nil {
				t.Errorf("%s: %v\n%s", c.text, err, l)
			}
		}
	}
}
