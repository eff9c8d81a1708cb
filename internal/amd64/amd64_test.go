package amd64

import (
	"math"
	"math/rand/v2"
	"testing"
)

// values are numbers at which something may go wrong.
func values() []float64 {
	list := []float64{0, 1, 2, 3, 0.1, 0.5, 1.5, 2.5, 1e-300, 5e-324, 1e300, math.MaxFloat64, math.Inf(1), math.Pi, 1 << 31, 1<<31 - 1, 1<<31 - 0.5, 1<<31 + 0.5, 1<<31 + 1,
		1 << 32, 1<<32 - 1, 1 << 52, 1 << 53, 1 << 62, 1 << 63, 1<<63 - 1024, 1 << 64, 1<<64 - 2048, 1<<64 + 4096, 1e30, math.NaN(), math.Float64frombits(0x7ff8000000000123),
		709, 709.7, 709.782712893384, 709.79, 710, 745, 745.1, 746, 1e9, 2.3e-308, math.Sqrt2 / 2, math.Nextafter(math.Sqrt2/2, 0), math.Nextafter(math.Sqrt2/2, 1), math.MaxFloat32, 1e39}
	for _, x := range list {
		list = append(list, -x)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		list = append(list, random.NormFloat64(), math.Float64frombits(random.Uint64()), random.NormFloat64()*1e9, random.NormFloat64()*700)
	}
	for i, x := range list { // no test is about those that signal
		if x != x {
			list[i] = math.Float64frombits(math.Float64bits(x) | quiet64)
		}
	}
	return list
}

// The results are the same on all processors: those of amd64 were written down.
func TestEverywhere(t *testing.T) {
	sum := uint64(0)
	add := func(x float64) { sum = (sum ^ math.Float64bits(x)) * 0x100000001b3 }
	all := values()
	for i, x := range all {
		y, z := all[(i*7+3)%len(all)], all[(i*13+5)%len(all)]
		for _, r := range []float64{Add(x, y), Sub(x, y), Mul(x, y), Div(x, y), FMA(x, y, z), Sqrt(x), Exp(x), Log(x), Hypot(x, y), float64(Int64(x)), float64(Int32(x)), float64(Uint64(x)),
			float64(Add32(float32(x), float32(y))), float64(Mul32(float32(x), float32(y)))} {
			add(r)
		}
		for _, c := range []complex128{MulComplex(complex(x, y), complex(y, z)), DivComplex(complex(x, y), complex(y, z)), AddComplex(complex(x, y), complex(y, z)), SubComplex(complex(x, y), complex(z, x))} {
			add(real(c))
			add(imag(c))
		}
	}
	if want := uint64(0x16643ced8db8d5f6); sum != want {
		t.Errorf("got %#x, want %#x", sum, want)
	}
}
