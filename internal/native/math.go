package native

import (
	"math"

	"github.com/heddle-mc/heddle/internal/amd64"
	"github.com/heddle-mc/heddle/internal/vm"
)

// The assembly of package math, by the host's: its results are those of a native
// run to the last bit. On another processor than amd64 they are computed as there, and
// what is Go code is executed in the machine: compiled for the host it may round less often.

func float(c *vm.NativeCall, i int) float64       { return math.Float64frombits(c.Word(i)) }
func setFloat(c *vm.NativeCall, i int, x float64) { c.Set(i, math.Float64bits(x)) }

// float1 and float2 make natives of functions of one and of two numbers.
func float1(f func(float64) float64) vm.Native {
	return func(c *vm.NativeCall) vm.Outcome {
		setFloat(c, 0, f(float(c, 0)))
		return vm.Done
	}
}

func float2(f func(x, y float64) float64) vm.Native {
	return func(c *vm.NativeCall) vm.Outcome {
		setFloat(c, 0, f(float(c, 0), float(c, 1)))
		return vm.Done
	}
}

// pick returns the host's function, if its results are those of amd64.
func pick[F any](host, other F) F {
	if amd64.Host {
		return host
	}
	return other
}

var (
	exp   = pick(math.Exp, amd64.Exp)
	log   = pick(math.Log, amd64.Log)
	hypot = pick(math.Hypot, amd64.Hypot)
	sqrt  = pick(math.Sqrt, amd64.Sqrt)
	fmaOf = pick(math.FMA, amd64.FMA)
)

func fma(c *vm.NativeCall) vm.Outcome {
	setFloat(c, 0, fmaOf(float(c, 0), float(c, 1), float(c, 2)))
	return vm.Done
}

func init() {
	register(NoBody, "the host's assembly", map[string]vm.Native{
		"math.archFloor": float1(math.Floor),
		"math.archCeil":  float1(math.Ceil),
		"math.archTrunc": float1(math.Trunc),
		"math.archExp":   float1(exp),
		"math.archLog":   float1(log),
		"math.archHypot": float2(hypot),
		"math.archMax":   float2(math.Max),
		"math.archMin":   float2(math.Min),
	})
	register(Speed, "the host's instruction, of which the Go body is an emulation", map[string]vm.Native{
		"math.Sqrt":  float1(sqrt),
		"math.sqrt":  float1(sqrt),
		"math.FMA":   fma,
		"math.floor": float1(math.Floor),
		"math.ceil":  float1(math.Ceil),
		"math.trunc": float1(math.Trunc),
	})
	if !amd64.Host {
		return
	}
	register(Speed, "the same Go code, compiled into the machine", map[string]vm.Native{
		"math.sin":   float1(math.Sin),
		"math.cos":   float1(math.Cos),
		"math.tan":   float1(math.Tan),
		"math.atan":  float1(math.Atan),
		"math.atan2": float2(math.Atan2),
		"math.exp2":  float1(math.Exp2),
		"math.log10": float1(math.Log10),
		"math.log2":  float1(math.Log2),
		"math.log1p": float1(math.Log1p),
		"math.expm1": float1(math.Expm1),
		"math.pow":   float2(math.Pow),
		"math.mod":   float2(math.Mod),
		"math.cbrt":  float1(math.Cbrt),
	})
}
