package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/cli"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/goroot"
	"github.com/heddle-mc/heddle/internal/gosuite/goker"
	"github.com/heddle-mc/heddle/internal/gosuite/randconc"
	"github.com/heddle-mc/heddle/internal/recheck"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// The programs share one loaded library. Those of make test-long are loaded as users have it.
func init() {
	if !testlong.On() {
		execute.Share()
	}
}

// heddle runs a command of heddle.
func heddle(args ...string) (code int, out string) {
	var b bytes.Buffer
	app := &cli.App{Stdin: strings.NewReader(""), Stdout: &b, Stderr: &b, Backend: cli.Machine{}}
	code = app.Main(context.Background(), args)
	return code, b.String()
}

// certcheck runs this command.
func certcheck(args ...string) (code int, out string) {
	var b bytes.Buffer
	code = recheck.Run(args, &b, &b)
	return code, b.String()
}

// A tally counts how often the two checkers have said what.
type tally struct {
	certified, violations, unknown, none int
	states                               int // programs with more have no certificate; 0 means 20,000
}

// agree has a program checked for some kinds of findings only, and both checkers examine the
// certificate, if there is one, for all. The program is what both are told behind the certificate, with flags before.
func (n *tally) agree(t *testing.T, name string, program ...string) {
	t.Helper()
	file, last := filepath.Join(t.TempDir(), "c.heddle"), len(program)-1
	flags, source := program[:last:last], program[last]
	most := fmt.Sprint(cmp.Or(n.states, 20_000))
	if code, out := heddle(slices.Concat([]string{"check", "-o", t.TempDir(), "-states", most, "-property", "race,fatal", "-cert", file}, flags, []string{source})...); code != diag.ExitOK {
		t.Logf("%s: no certificate: exit %d", name, code)
		if code == diag.ExitUsage {
			t.Errorf("%s: %s", name, out)
		}
		n.none++
		return
	}
	one, said := heddle(slices.Concat([]string{"certify", "-o", t.TempDir()}, flags, []string{file, source})...)
	two, also := certcheck(slices.Concat([]string{"-states", fmt.Sprint(testlong.Or(5_000, 200_000))}, flags, []string{file, source})...)
	switch {
	case two == diag.ExitIncomplete:
		n.unknown++
	case one != two || one != diag.ExitOK && one != diag.ExitFinding && one != diag.ExitIncomplete:
		t.Errorf("%s: heddle certify: exit %d, %q; certcheck: exit %d, %q", name, one, said, two, also)
	case one == diag.ExitOK:
		n.certified++
	default:
		n.violations++
	}
}

// TestAgree: both checkers say the same of certificates of generated programs, of the examples and of the kernels.
func TestAgree(t *testing.T) {
	t.Run("generated", func(t *testing.T) {
		var n tally
		for seed := range testlong.Or[uint64](8, 300) {
			n.program(t, fmt.Sprintf("seed %d", seed+1), randconc.Program(seed+1, randconc.Options{}))
		}
		t.Logf("%+v", n)
		if n.certified == 0 || n.violations == 0 {
			t.Errorf("got %+v, want some that are certified and some that are not", n)
		}
	})
	t.Run("examples", func(t *testing.T) {
		examples := []string{"boundedbuffer", "nestedmonitor"}
		servers := []string{"daytime"}
		if testlong.On() {
			examples = append(examples, "elevator", "ksupipeline", "philosophers", "pipeline", "readerswriters", "replicatedworkers", "sleepingbarber", "stagepipeline", "wordcount", "workers")
			servers = append(servers, "alphabet", "chat")
		}
		n := tally{states: testlong.Or(20_000, 100_000)}
		for _, name := range examples {
			n.agree(t, name, "../../examples/"+name)
		}
		for _, name := range servers {
			n.agree(t, name, "-server-package", "../../examples/"+name+"/server", "../../examples/"+name+"/client")
		}
		t.Logf("%+v", n)
	})
	if !testlong.On() {
		return
	}
	t.Run("kernels", func(t *testing.T) {
		kernels, err := goker.Kernels(goroot.Dir())
		if err != nil {
			t.Fatal(err)
		}
		var n tally
		for _, k := range kernels {
			n.program(t, k.Name, string(k.Source))
		}
		t.Logf("%+v", n)
	})
}

// program writes a program of one file, on whose certificate both have to agree.
func (n *tally) program(t *testing.T, name, source string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	n.agree(t, name, file)
}
