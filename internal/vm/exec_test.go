package vm

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// fibProgram computes fib(n) by plain recursion and traps if it is not want.
func fibProgram(n, want int64) *bytecode.Program {
	p := &bytecode.Program{}
	p.Funcs = []bytecode.Func{
		{
			Name: "main.fib", Params: 1, Results: 1, Frame: 4, Recover: -1, Recv: -1, Sig: -1,
			Code: []bytecode.Instr{
				{Op: bytecode.OpJgei, B: 0, Imm: bytecode.Pack(2, 2)},
				{Op: bytecode.OpRet1, B: 0},
				{Op: bytecode.OpAddi, A: 2, B: 0, Imm: -1},
				{Op: bytecode.OpCall, A: 2, Imm: 0},
				{Op: bytecode.OpMov, A: 1, B: 2},
				{Op: bytecode.OpAddi, A: 2, B: 0, Imm: -2},
				{Op: bytecode.OpCall, A: 2, Imm: 0},
				{Op: bytecode.OpAdd, A: 1, B: 1, C: 2},
				{Op: bytecode.OpRet1, B: 1},
			},
		},
		{
			Name: "main.main", Frame: 2, Recover: -1, Recv: -1, Sig: -1,
			Code: []bytecode.Instr{
				{Op: bytecode.OpConst, A: 0, Imm: n},
				{Op: bytecode.OpCall, A: 0, Imm: 0},
				{Op: bytecode.OpEqi, A: 0, B: 0, Imm: want},
				{Op: bytecode.OpJt, B: 0, Imm: 5},
				{Op: bytecode.OpTrap, Imm: bytecode.TrapDivide},
				{Op: bytecode.OpRet},
			},
		},
	}
	p.Entry, p.Main, p.Init = 1, 1, 1
	return p
}

func BenchmarkFib(b *testing.B) {
	p := fibProgram(25, 75025)
	for b.Loop() {
		m, err := New(p, nil, Options{})
		if err != nil {
			b.Fatal(err)
		}
		if e := m.Run(); e.Code != 0 {
			b.Fatal(e.Text)
		}
		m.Close()
	}
	calls := 242785.0
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/calls, "ns/call")
}
