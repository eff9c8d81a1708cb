package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/load"
	"github.com/heddle-mc/heddle/internal/native"
	"github.com/heddle-mc/heddle/internal/vm"
)

// Machine is the backend that executes programs in the virtual machine.
type Machine struct{}

func source(ctx context.Context, src Source) execute.Source {
	return execute.Source{Context: ctx, Dir: src.Dir, Patterns: src.Patterns, Tags: src.Tags, NoCache: src.NoCache}
}

// Run executes a main package once.
func (Machine) Run(ctx context.Context, o RunOptions) (int, error) {
	prog, err := execute.Build(source(ctx, o.Source))
	if err != nil {
		return 0, err
	}
	return runOnce(execute.Run(prog, execute.Process{
		Args: append([]string{check.ProgramName(o.Patterns)}, o.Args...),
		Seed: o.Seed, Stdin: o.Stdin, Stdout: o.Stdout, Stderr: o.Stderr,
	}))
}

// Build returns the program of a source, or the test binary of a package.
func (Machine) Build(ctx context.Context, o BuildOptions) (*check.Code, error) {
	src := source(ctx, o.Source)
	src.Test, src.AccessPoints = o.Test, o.Access
	return check.Build(src)
}

// runOnce turns the end of a run into an exit code, or an error if the machine
// could not execute the program.
func runOnce(exit *vm.Exit, err error) (int, error) {
	switch {
	case err != nil:
		return 0, err
	case exit.Kind == vm.ExitUnsupported:
		return 0, exit.Cause
	}
	return exit.Code, nil
}

// Tests lists the packages that a source names.
func (Machine) Tests(ctx context.Context, src Source) ([]TestPackage, error) {
	list, err := load.ListTests(load.Config{Context: ctx, Dir: src.Dir, Patterns: src.Patterns, BuildTags: src.Tags})
	if err != nil {
		return nil, err
	}
	pkgs := make([]TestPackage, len(list))
	for i, p := range list {
		pkgs[i] = TestPackage(p)
	}
	return pkgs, nil
}

// Test executes the test binary of one package.
func (Machine) Test(ctx context.Context, o TestOptions) (int, error) {
	if o.Code == nil {
		var err error
		if o.Code, err = (Machine{}).Build(ctx, BuildOptions{Source: o.Source, Test: true}); err != nil {
			return 0, err
		}
	}
	return runOnce(execute.Run(o.Code.Bytecode, execute.Process{
		Args: append([]string{filepath.Base(o.Patterns[0]) + ".test"}, o.Args...),
		Env:  environIn(o.WorkDir),
		Dir:  o.WorkDir, Seed: o.Seed, Stdout: o.Stdout, Stderr: o.Stderr,
	}))
}

// environIn is the environment of a process that is started in a directory.
func environIn(dir string) []string {
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "PWD=") })
	return append(env, "PWD="+dir)
}

// Disasm prints bytecode.
func (Machine) Disasm(ctx context.Context, src Source, fn string, w io.Writer) error {
	s := source(ctx, src)
	prog, err := execute.Build(s)
	if err != nil {
		return err
	}
	n := 0
	for i := range prog.Funcs {
		f := &prog.Funcs[i]
		if fn == "" && f.Pkg == prog.Path || fn != "" && (f.Name == fn || strings.TrimPrefix(f.Name, f.Pkg+".") == fn) {
			if n > 0 {
				fmt.Fprintln(w)
			}
			prog.Disasm(w, f)
			n++
		}
	}
	if n == 0 {
		return diag.Usagef("no function %s in the program", fn)
	}
	return nil
}

// Intrinsics prints the table of functions that the machine implements.
func (Machine) Intrinsics(w io.Writer) error {
	for _, in := range native.List() {
		if _, err := fmt.Fprintln(w, in); err != nil {
			return err
		}
	}
	return nil
}
