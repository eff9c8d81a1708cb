package cli

import (
	"context"
	"flag"
)

var cmdRun = &command{
	name:  "run",
	args:  "PACKAGE|FILES.go [--] [ARGS]",
	short: "run a program once in the virtual machine",
	long: `Run loads, compiles and executes a main package, or files as go run takes them,
once under one deterministic schedule. Standard output, standard error and the
exit code are those of the program. Time is virtual: when all goroutines wait,
the clock jumps to the next timer.`,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		o := RunOptions{Stdin: app.Stdin, Stdout: app.Stdout, Stderr: app.Stderr}
		sourceFlags(fs, &o.Source)
		fs.Uint64Var(&o.Seed, "seed", 0, "pick the schedule, map order and random numbers `N`")
		return func(ctx context.Context, args []string) (int, error) {
			var err error
			if o.Patterns, o.Args, err = splitProgram(args); err != nil {
				return 0, err
			}
			return app.Backend.Run(ctx, o)
		}
	},
}
