package cli

import (
	"context"
	"flag"

	"github.com/heddle-mc/heddle/internal/diag"
)

var cmdIntrinsics = &command{
	name:  "intrinsics",
	short: "list the functions that the virtual machine implements itself",
	long: `Intrinsics prints the functions of the standard library that are not executed
from their Go source, one a line, each with the reason.`,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		return func(ctx context.Context, args []string) (int, error) {
			if len(args) > 0 {
				return 0, diag.Usagef("unexpected argument %q", args[0])
			}
			return 0, app.Backend.Intrinsics(app.Stdout)
		}
	},
}
