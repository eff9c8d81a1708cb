package compile

import (
	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// unaryOps are functions with an opcode of their own.
var unaryOps = map[string]bytecode.Op{
	"math.Sqrt": bytecode.OpSqrt64, "math.sqrt": bytecode.OpSqrt64, "math.Abs": bytecode.OpAbs64,
	"math.Floor": bytecode.OpFloor64, "math.floor": bytecode.OpFloor64,
	"math.Ceil": bytecode.OpCeil64, "math.ceil": bytecode.OpCeil64,
	"math.Trunc": bytecode.OpTrunc64, "math.trunc": bytecode.OpTrunc64,
	// A register holds the bits of a float.
	"math.Float64bits": bytecode.OpMov, "math.Float64frombits": bytecode.OpMov,
	"math.Float32bits": bytecode.OpMov, "math.Float32frombits": bytecode.OpMov,
}

// intrinsic lowers calls of functions that are one instruction.
func (g *gen) intrinsic(v *ssa.Call) bool {
	fn := v.Call.StaticCallee()
	if fn == nil || fn.Pkg == nil || fn.Signature.Recv() != nil || fn.Parent() != nil {
		return false
	}
	args := v.Call.Args
	switch path := fn.Pkg.Pkg.Path(); path {
	case "math":
		name := "math." + fn.Name()
		if op, ok := unaryOps[name]; ok {
			g.op(op, g.def(v), g.use(args[0]), reg{}, 0)
			return true
		}
		if name == "math.FMA" {
			d := g.def(v)
			x, y := g.use(args[0]), g.use(args[1])
			sum := g.newReg(1)
			g.load(sum, args[2])
			g.op(bytecode.OpFma64, sum, x, y, 0)
			g.move(d, sum, 1)
			return true
		}
	case "math/bits":
		return g.bitsIntrinsic(v, fn.Name(), args)
	default:
		// The initialisers of other packages run before this one.
		if isInit(fn) {
			return true
		}
	}
	return false
}
