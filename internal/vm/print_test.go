package vm

import (
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

var printFloats = []float64{
	0, math.Copysign(0, -1), 1, -1, 1.5, 0.1, 100, 1e20, 1e21, 1e22, 1e-5, 123456789, 1e100, 5e-324,
	math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN(), 1.0 / 3,
}

// TestPrintAsGo compares with the print built-in of a child process.
func TestPrintAsGo(t *testing.T) {
	if os.Getenv("PRINT_FLOATS") != "" {
		for _, f := range printFloats {
			print(f, " ", float32(f), " ", complex(f, -f), " ", complex64(complex(f, 1)), "\n")
		}
		print(true, " ", -5, " ", uint64(math.MaxUint64), " ", int64(math.MinInt64), " ", []int(nil), " ", any(nil), " ", (*int)(nil), "\n")
		os.Exit(0)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestPrintAsGo$")
	cmd.Env = append(os.Environ(), "PRINT_FLOATS=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	w := newWorld(t, Options{Stderr: &got})
	show := func(kind int64, words ...uint64) {
		copy(w.frame[:], words)
		w.do((*Machine).opPrint, bytecode.Instr{B: 0, Imm: kind})
	}
	pair := func(a, b float32) uint64 {
		c := [2]float32{a, b}
		return *(*uint64)(unsafe.Pointer(&c))
	}
	for _, f := range printFloats {
		show(bytecode.PrintFloat64, math.Float64bits(f))
		show(bytecode.PrintSpace)
		show(bytecode.PrintFloat32, uint64(math.Float32bits(float32(f))))
		show(bytecode.PrintSpace)
		show(bytecode.PrintComplex128, math.Float64bits(f), math.Float64bits(-f))
		show(bytecode.PrintSpace)
		show(bytecode.PrintComplex64, pair(float32(f), 1))
		show(bytecode.PrintNewline)
	}
	least := int64(math.MinInt64)
	show(bytecode.PrintBool, 1)
	show(bytecode.PrintSpace)
	show(bytecode.PrintInt, ^uint64(4))
	show(bytecode.PrintSpace)
	show(bytecode.PrintUint, math.MaxUint64)
	show(bytecode.PrintSpace)
	show(bytecode.PrintInt, uint64(least))
	show(bytecode.PrintSpace)
	show(bytecode.PrintSlice, 0, 0, 0)
	show(bytecode.PrintSpace)
	show(bytecode.PrintIface, 0, 0)
	show(bytecode.PrintSpace)
	show(bytecode.PrintPointer, 0)
	show(bytecode.PrintNewline)
	if got.String() != string(out) {
		t.Errorf("got\n%s\nwant\n%s", got.String(), out)
	}
}
