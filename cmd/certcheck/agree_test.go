package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/cli"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/goroot"
	"github.com/heddle-mc/heddle/internal/gosuite/goker"
	"github.com/heddle-mc/heddle/internal/gosuite/randconc"
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
	code = run(args, &b, &b)
	return code, b.String()
}

// A tally counts how often the two checkers have said what.
type tally struct{ certified, violations, unknown, none int }

// agree has a program checked for some kinds of findings only, and both checkers examine the
// certificate, if there is one, for all.
func (n *tally) agree(t *testing.T, name string, program string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "c.heddle")
	if code, _ := heddle("check", "-o", t.TempDir(), "-states", "20000", "-property", "race,fatal", "-cert", file, program); code != diag.ExitOK {
		n.none++
		return
	}
	one, said := heddle("certify", "-o", t.TempDir(), file, program)
	two, also := certcheck("-states", fmt.Sprint(testlong.Or(5_000, 200_000)), file, program)
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
	var n tally
	for seed := range testlong.Or[uint64](8, 300) {
		n.program(t, fmt.Sprintf("seed %d", seed+1), randconc.Program(seed+1, randconc.Options{}))
	}
	t.Logf("generated: %+v", n)
	if n.certified == 0 || n.violations == 0 {
		t.Errorf("got %+v, want some that are certified and some that are not", n)
	}
	examples := []string{"boundedbuffer", "nestedmonitor"}
	if testlong.On() {
		examples = append(examples, "alphabet", "elevator", "ksupipeline", "philosophers", "pipeline", "readerswriters", "replicatedworkers", "sleepingbarber", "stagepipeline", "twochannel", "wordcount", "workers")
	}
	n = tally{}
	for _, name := range examples {
		n.agree(t, name, "../../examples/"+name)
	}
	t.Logf("examples: %+v", n)
	if !testlong.On() {
		return
	}
	kernels, err := goker.Kernels(goroot.Dir())
	if err != nil {
		t.Fatal(err)
	}
	n = tally{}
	for _, k := range kernels {
		n.program(t, k.Name, string(k.Source))
	}
	t.Logf("kernels: %+v", n)
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
