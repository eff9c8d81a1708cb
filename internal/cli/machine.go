package cli

import (
	"context"
	"io"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/load"
)

// Machine is the backend that executes programs in the virtual machine.
type Machine struct{}

// errNoMachine is returned until package execute is wired in.
var errNoMachine = diag.Unsupportedf(diag.Pos{}, "this build has no virtual machine")

// Run loads the program and refuses to execute it.
func (Machine) Run(ctx context.Context, o RunOptions) (int, error) {
	prog, err := load.Load(load.Config{Context: ctx, Dir: o.Dir, Patterns: o.Patterns, BuildTags: o.Tags})
	if err != nil {
		return 0, err
	}
	if _, err := prog.RequireMain(); err != nil {
		return 0, err
	}
	return 0, errNoMachine
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

// Test refuses.
func (Machine) Test(ctx context.Context, o TestOptions) (int, error) { return 0, errNoMachine }

// Disasm refuses.
func (Machine) Disasm(ctx context.Context, src Source, fn string, w io.Writer) error {
	return errNoMachine
}

// Intrinsics refuses.
func (Machine) Intrinsics(w io.Writer) error { return errNoMachine }
