package data_test

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
)

// A function that calls itself under a condition that is not decided is not
// unfolded for ever, and what was computed meanwhile stays right.
func TestUndecidedRecursion(t *testing.T) {
	s, err := types.Load("t", []byte(`
map  up: Nat # Nat -> Nat; g: Nat -> Nat;
var  n, m: Nat;
eqn  up(n, m) = if(n > m + 2, g(1), if(n > m + 1, g(2), if(n > m, g(3), up(n, m + 1) + g(4))));
     g(n) = n * 2;
init delta;`))
	if err != nil {
		t.Fatal(err)
	}
	e, err := data.New(s.Data, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := &spec.Var{Name: "n", Of: s.Sorts.Basic(spec.Nat)}
	x, err := types.Expr(s.Data, []*spec.Var{n}, "up(n, 0)")
	if err != nil {
		t.Fatal(err)
	}
	v, err := e.Eval(x, nil)
	if err != nil {
		t.Fatal(err)
	}
	simple := e.Expr(v, x.Sort())
	for i, want := range []string{"6", "4", "2"} {
		number, err := e.Eval(s.Lib.Int(int64(i)+1, spec.Nat), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, y := range []spec.Expr{x, simple} {
			w, err := e.Eval(y, data.Env{n: number})
			if err != nil {
				t.Fatal(err)
			}
			if got := e.Format(w, x.Sort()); got != want {
				t.Errorf("n = %d: got %s, want %s", i+1, got, want)
			}
		}
	}
}
