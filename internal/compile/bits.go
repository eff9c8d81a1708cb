package compile

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// bitsIntrinsic lowers calls of functions of package math/bits that compilers
// know, as gc does.
func (g *gen) bitsIntrinsic(v *ssa.Call, name string, args []ssa.Value) bool {
	base := strings.TrimRight(name, "0123456789")
	size := int64(64)
	switch name[len(base):] {
	case "8":
		size = 8
	case "16":
		size = 16
	case "32":
		size = 32
	}
	switch base {
	case "RotateLeft":
		op := bytecode.OpRotl64
		if size == 32 {
			op = bytecode.OpRotl32
		}
		k, ok := g.scalar(args[1])
		if !ok || size < 32 {
			return false
		}
		g.op(op, g.def(v), g.use(args[0]), reg{}, k)
	case "Len":
		g.op(bytecode.OpBitlen, g.def(v), g.use(args[0]), reg{}, 0)
	case "LeadingZeros":
		n := g.newReg(1)
		g.op(bytecode.OpBitlen, n, g.use(args[0]), reg{}, 0)
		g.op(bytecode.OpRsubi, g.def(v), n, reg{}, size)
	case "TrailingZeros":
		x := g.use(args[0])
		if size < 64 {
			bounded := g.newReg(1)
			g.op(bytecode.OpOri, bounded, x, reg{}, 1<<size)
			x = bounded
		}
		g.op(bytecode.OpCtz, g.def(v), x, reg{}, 0)
	case "OnesCount":
		g.op(bytecode.OpPopcnt, g.def(v), g.use(args[0]), reg{}, 0)
	case "ReverseBytes":
		if size == 64 {
			g.op(bytecode.OpBswap, g.def(v), g.use(args[0]), reg{}, 0)
			break
		}
		swapped := g.newReg(1)
		g.op(bytecode.OpBswap, swapped, g.use(args[0]), reg{}, 0)
		g.op(bytecode.OpShri, g.def(v), swapped, reg{}, 64-size)
	case "Mul":
		if size < 64 {
			return false
		}
		x, y := g.use(args[0]), g.use(args[1])
		hi, lo := g.newReg(1), g.newReg(1)
		g.op(bytecode.OpMulhi, hi, x, y, 0)
		g.op(bytecode.OpMul, lo, x, y, 0)
		g.tuples[v] = []reg{hi, lo}
	case "Add":
		if size < 64 {
			return false
		}
		g.carrying(v, args, bytecode.OpAdd, bytecode.OpCarry)
	case "Sub":
		if size < 64 {
			return false
		}
		g.carrying(v, args, bytecode.OpSub, bytecode.OpBorrow)
	default:
		return false
	}
	return true
}

// carrying lowers bits.Add64 and bits.Sub64: op computes the number, out the
// carry. Without a carry in, a comparison tells that.
func (g *gen) carrying(v *ssa.Call, args []ssa.Value, op, out bytecode.Op) {
	x, y := g.use(args[0]), g.use(args[1])
	n, c := g.newReg(1), g.newReg(1)
	g.tuples[v] = []reg{n, c}
	if k, ok := g.scalar(args[2]); ok && k == 0 {
		g.op(op, n, x, y, 0)
		if op == bytecode.OpAdd {
			g.op(bytecode.OpLtu, c, n, x, 0)
		} else {
			g.op(bytecode.OpLtu, c, x, y, 0)
		}
		return
	}
	part := g.newReg(1)
	in := g.use(args[2])
	g.op(op, part, x, y, 0)
	g.op(op, n, part, in, 0)
	g.move(c, in, 1)
	g.op(out, c, x, y, 0)
}
