package cli

import (
	"context"
	"flag"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/effect"
)

var cmdIntrinsics = &command{
	name:  "intrinsics",
	short: "list the functions that the virtual machine implements itself",
	long: `Intrinsics prints the functions of the standard library that are not executed
from their Go source, one a line, each with the reason.

With -effects it prints what a search takes them to act on instead: one row for each
function that others can notice, and one for each system call. "*0:8" is the eight
bytes to which argument 0 points, "near end of 0" what is behind the descriptor in
argument 0. What has no row acts on everything.`,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		effects := fs.Bool("effects", false, "print what functions and system calls act on")
		return func(ctx context.Context, args []string) (int, error) {
			if len(args) > 0 {
				return 0, diag.Usagef("unexpected argument %q", args[0])
			}
			if *effects {
				return 0, effect.Print(app.Stdout)
			}
			return 0, app.Backend.Intrinsics(app.Stdout)
		}
	},
}
