package vm

import (
	"os"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// TestEveryOpcode finds opcodes that exec.txt, from which the interpreter's
// switch is generated, has no row for, rows for opcodes that do not exist, and
// rows that the generated switch does not have.
func TestEveryOpcode(t *testing.T) {
	text, err := os.ReadFile("exec.txt")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("exec_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]bool{}
	for line := range strings.SplitSeq(string(text), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		name, _, _ := strings.Cut(line, " ")
		if rows[name] {
			t.Errorf("exec.txt: two rows for %s", name)
		}
		rows[name] = true
		if !strings.Contains(string(code), "\tcase bytecode.Op"+strings.ToUpper(name[:1])+name[1:]+":\n") {
			t.Errorf("exec_gen.go: no case for %s: run go generate", name)
		}
	}
	for op := bytecode.OpInvalid + 1; op < bytecode.NumOps; op++ {
		if !rows[op.String()] {
			t.Errorf("exec.txt: no row for opcode %s", op)
		}
		delete(rows, op.String())
	}
	for name := range rows {
		t.Errorf("exec.txt: a row for %s, which is no opcode", name)
	}
}
