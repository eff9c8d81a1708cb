// Package runcmd runs the command in the process of a measuring program, so that a program under
// check is built once and not once a run. What is measured is what a user gets, with the flags of a user.
package runcmd

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/cli"
)

// A Command runs heddle again and again on the same program. The zero Command is ready for use.
type Command struct{ built built }

// Run runs heddle with arguments, and returns its exit code and what it writes.
func (c *Command) Run(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	app := &cli.App{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Backend: &c.built}
	code = app.Main(context.Background(), args)
	return code, out.String(), errs.String()
}

// A built has built programs, by their patterns.
type built struct {
	cli.Machine
	progs map[string]*check.Code
	pkgs  []cli.TestPackage
}

func (b *built) Build(ctx context.Context, o cli.BuildOptions) (*check.Code, error) {
	key := fmt.Sprint(o.Test, o.Access, o.Patterns)
	if p := b.progs[key]; p != nil {
		return p, nil
	}
	p, err := b.Machine.Build(ctx, o)
	if err == nil {
		if b.progs == nil {
			b.progs = make(map[string]*check.Code)
		}
		b.progs[key] = p
	}
	return p, err
}

func (b *built) Tests(ctx context.Context, src cli.Source) (_ []cli.TestPackage, err error) {
	if b.pkgs == nil {
		b.pkgs, err = b.Machine.Tests(ctx, src)
	}
	return b.pkgs, err
}
