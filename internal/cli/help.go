package cli

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/heddle-mc/heddle/internal/diag"
)

var cmdHelp = &command{
	name:  "help",
	args:  "[COMMAND]",
	short: "explain a command",
	long:  `Help prints the list of commands or explains one of them.`,
}

// The help command mentions itself through the table of commands, so it gets
// its function here.
func init() {
	cmdHelp.setup = func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		return func(ctx context.Context, args []string) (int, error) {
			switch len(args) {
			case 0:
				app.usage(app.Stdout)
				return 0, nil
			case 1:
				cmd := lookup(args[0])
				if cmd == nil {
					return 0, diag.Usagef("unknown command %q: run 'heddle help' for the list of commands", args[0])
				}
				app.describe(app.Stdout, cmd)
				return 0, nil
			}
			return 0, diag.Usagef("%d commands given: name one", len(args))
		}
	}
}

// usage prints the list of commands.
func (app *App) usage(w io.Writer) {
	fmt.Fprint(w, "Heddle checks Go programs: it runs them in a virtual machine of its own, under\nevery schedule.\n\nusage: heddle COMMAND [flags] [arguments]\n\n")
	for _, cmd := range commands() {
		fmt.Fprintf(w, "  %-12s%s\n", cmd.name, cmd.short)
	}
	fmt.Fprint(w, "\n'heddle help COMMAND' explains a command.\n")
}

// describe prints what a command does and its flags.
func (app *App) describe(w io.Writer, cmd *command) {
	fmt.Fprintf(w, "%s\n\n%s\n", cmd.usage(), cmd.long)
	if cmd.hasFlags() {
		fmt.Fprint(w, "\nFlags:\n")
		cmd.flags(w).PrintDefaults()
	}
}
