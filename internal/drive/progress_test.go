package drive

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// TestLoopTable: an instruction is in a loop if jumps back span it, also if the blocks of
// the loop do not lie one behind the other.
func TestLoopTable(t *testing.T) {
	jump := func(to int) bytecode.Instr { return bytecode.Instr{Op: bytecode.OpJmp, Imm: int64(to)} }
	back := func(to int) bytecode.Instr { return bytecode.Instr{Op: bytecode.OpJmpback, Imm: int64(to)} }
	plain := bytecode.Instr{Op: bytecode.OpNop}
	for _, test := range []struct {
		name string
		code []bytecode.Instr
		want string // an l for an instruction in a loop
	}{
		{"none", []bytecode.Instr{plain, jump(2), plain}, "..."},
		{"one", []bytecode.Instr{plain, plain, back(1), plain}, ".ll."},
		{"of one instruction", []bytecode.Instr{plain, back(1), plain}, ".l."},
		{"two", []bytecode.Instr{back(0), plain, plain, back(2)}, "l.ll"},
		{"body behind the exit", []bytecode.Instr{plain, jump(4), plain, jump(6), plain, back(1), plain}, ".lllll."},
		{"in two halves", []bytecode.Instr{jump(3), plain, jump(5), plain, back(1), plain, back(3), plain}, ".llllll."},
	} {
		got := ""
		for _, in := range loopTable(&bytecode.Func{Code: test.code}, func(*bytecode.Instr) bool { return true }) {
			if in {
				got += "l"
			} else {
				got += "."
			}
		}
		if got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}
