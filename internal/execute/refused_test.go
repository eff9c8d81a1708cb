package execute_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/load"
	"github.com/heddle-mc/heddle/internal/native"
	"github.com/heddle-mc/heddle/internal/vm"
)

// TestRefused runs programs that need what the machine lacks: it says so instead
// of giving a wrong answer.
func TestRefused(t *testing.T) {
	s, err := load.NewSession(load.Config{Patterns: []string{"fmt"}, Intrinsic: native.Has})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ out, msg string }{
		"structof": {"2 false\n", "a type that reflect.StructOf made: not supported"},
	} {
		t.Run(name, func(t *testing.T) {
			lp, err := s.AddMain("testdata/refused/" + name + ".go")
			if err != nil {
				t.Fatal(err)
			}
			prog, err := execute.Compile(lp)
			if err != nil {
				t.Fatal(err)
			}
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
