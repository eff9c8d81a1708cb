package data_test

import (
	"math/big"
	"testing"

	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
)

// BenchmarkEval evaluates expressions with a variable x, so that nothing is
// computed once and for all.
func BenchmarkEval(b *testing.B) {
	s, err := types.Load("t", []byte(declarations))
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct{ name, text string }{
		{"condition", "x < 30 && x != 7 && (x mod 2 == 0 || x > 3)"},
		{"fib", "fib(x)"}, // 21,891 calls for 20
		{"lists", "double(double([x, x + 1, x + 2, x + 3]))"},
		{"tree", "sum_of(node(node(leaf(x), leaf(1)), node(leaf(x), leaf(3))))"},
		{"fold", "fold(lambda a, b: Nat. a + b, x, [1, 2, 3, x])"},
		{"update", "(lambda n: Nat. n)[x -> 3][x + 1 -> 4](x)"},
		{"set", "x in {1, 2, x + 1} + {x + 3}"},
		{"exists", "exists n: Nat. n < x && n * n == 49"},
	} {
		b.Run(c.name, func(b *testing.B) {
			e, err := data.New(s.Data, data.Options{})
			if err != nil {
				b.Fatal(err)
			}
			x := &spec.Var{Name: "x", Of: s.Sorts.Basic(spec.Nat)}
			term, err := types.Expr(s.Data, []*spec.Var{x}, c.text)
			if err != nil {
				b.Fatal(err)
			}
			sc := e.NewScope(x)
			code, err := e.Compile(term, sc)
			if err != nil {
				b.Fatal(err)
			}
			f := make([]data.Value, sc.Size())
			twenty, err := e.Eval(&spec.Number{Value: rat(20), Of: x.Of}, nil)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				f[0] = twenty
				if _, err := code.Eval(f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func rat(n int64) *big.Rat { return new(big.Rat).SetInt64(n) }
