package cli

import (
	"context"
	"flag"

	"github.com/heddle-mc/heddle/internal/diag"
)

var cmdDisasm = &command{
	name:  "disasm",
	args:  "PACKAGE|FILES.go [FUNC]",
	short: "print the bytecode of a program",
	long: `Disasm prints the bytecode of the functions of the named package or, with FUNC,
of that function alone, whichever package it is in. A function is named as Go's
stack traces do: main.main, strings.(*Builder).WriteString.`,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		var src Source
		sourceFlags(fs, &src)
		return func(ctx context.Context, args []string) (int, error) {
			patterns, rest, err := splitProgram(args)
			if err != nil {
				return 0, err
			}
			if len(rest) > 1 {
				return 0, diag.Usagef("%d functions given: name one or none", len(rest))
			}
			src.Patterns = patterns
			fn := ""
			if len(rest) == 1 {
				fn = rest[0]
			}
			return 0, app.Backend.Disasm(ctx, src, fn, app.Stdout)
		}
	},
}
