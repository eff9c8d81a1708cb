package execute_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/vm"
)

// TestRefused runs programs that need what the machine lacks: it says so instead
// of giving a wrong answer.
func TestRefused(t *testing.T) {
	for name, c := range map[string]struct{ out, msg string }{
		"structof": {"2 false\n", "a type that reflect.StructOf made: not supported"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			prog := execute.CompileShared(t, "testdata/refused/"+name+".go")
			var stdout, stderr bytes.Buffer
			exit, err := execute.Run(prog, execute.Process{Stdout: &stdout, Stderr: &stderr})
			if err != nil {
				t.Fatal(err)
			}
			if exit.Kind != vm.ExitUnsupported || !strings.Contains(exit.Msg, c.msg) || stdout.String() != c.out {
				t.Errorf("got %q, exit %d %q; want %q, and then %q", stdout.String(), exit.Kind, exit.Msg, c.out, c.msg)
			}
		})
	}
}
