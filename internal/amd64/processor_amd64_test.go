package amd64

import (
	"math"
	"math/rand/v2"
	"testing"
)

//go:noinline
func operands(x, y float64) (float64, float64) { return x, y }

func same(t *testing.T, what string, x, y, got, want float64) {
	t.Helper()
	if math.Float64bits(got) != math.Float64bits(want) {
		t.Errorf("%s of %x (%v) and %x (%v): got %x (%v), want %x (%v)", what, math.Float64bits(x), x, math.Float64bits(y), y, math.Float64bits(got), got, math.Float64bits(want), want)
	}
}

// What is computed here is what the processor computes.
func TestProcessor(t *testing.T) {
	all := values()
	for _, x := range all {
		if got, want := Int64(x), int64(x); got != want {
			t.Errorf("int64(%v): got %d, want %d", x, got, want)
		}
		if got, want := Int32(x), int32(x); got != want {
			t.Errorf("int32(%v): got %d, want %d", x, got, want)
		}
		if got, want := Uint64(x), uint64(x); got != want {
			t.Errorf("uint64(%v): got %d, want %d", x, got, want)
		}
		same(t, "sqrt", x, 0, Sqrt(x), math.Sqrt(x))
		same(t, "exp", x, 0, Exp(x), math.Exp(x))
		same(t, "log", x, 0, Log(x), math.Log(x))
		for i := 0; i < len(all); i += 1 + i/100 {
			y := all[i]
			same(t, "hypot", x, y, Hypot(x, y), math.Hypot(x, y))
			if x != x && y != y {
				continue // which of the two it is depends on the order of operands
			}
			x, y := operands(x, y)
			same(t, "sum", x, y, Add(x, y), x+y)
			same(t, "difference", x, y, Sub(x, y), x-y)
			same(t, "product", x, y, Mul(x, y), x*y)
			same(t, "quotient", x, y, Div(x, y), x/y)
			same(t, "fma", x, y, FMA(x, y, 1), math.FMA(x, y, 1))
			same(t, "fma", x, y, FMA(2, x, y), math.FMA(2, x, y))
			a, b := float32(x), float32(y)
			same(t, "sum of 32 bits", x, y, float64(Add32(a, b)), float64(a+b))
			same(t, "difference of 32 bits", x, y, float64(Sub32(a, b)), float64(a-b))
			same(t, "product of 32 bits", x, y, float64(Mul32(a, b)), float64(a*b))
			same(t, "quotient of 32 bits", x, y, float64(Div32(a, b)), float64(a/b))
		}
	}
	random := rand.New(rand.NewPCG(3, 4))
	pick := func() complex128 { return complex(all[random.IntN(len(all))], all[random.IntN(len(all))]) }
	for range 50_000 {
		x, y := pick(), pick()
		for _, op := range []struct {
			name      string
			got, want complex128
		}{
			{"sum", AddComplex(x, y), x + y}, {"difference", SubComplex(x, y), x - y}, {"product", MulComplex(x, y), x * y}, {"quotient", DivComplex(x, y), x / y},
			{"short sum", complex128(AddComplex64(complex64(x), complex64(y))), complex128(complex64(x) + complex64(y))},
			{"short difference", complex128(SubComplex64(complex64(x), complex64(y))), complex128(complex64(x) - complex64(y))},
			{"short product", complex128(MulComplex64(complex64(x), complex64(y))), complex128(complex64(x) * complex64(y))},
			{"short quotient", complex128(DivComplex64(complex64(x), complex64(y))), complex128(complex64(x) / complex64(y))},
		} {
			if !alike(real(op.got), real(op.want)) || !alike(imag(op.got), imag(op.want)) {
				t.Fatalf("%s of %v and %v: got %v, want %v", op.name, x, y, op.got, op.want)
			}
		}
	}
}

// alike is equality of bits, but for which NaN it is where there are several.
func alike(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y }
