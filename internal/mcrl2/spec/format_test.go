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
	if _, err := types.Load("lps", []byte(l.String())); err != nil {
		t.Error(err)
	}
}
