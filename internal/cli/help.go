package cli

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/nearest"
)

var cmdHelp = &command{
	name:  "help",
	args:  "[COMMAND]",
	short: "explain a command",
	long: `Help prints the list of commands or explains one of them. With -man it writes the
same as man pages: man -l DIR/heddle-check.1. With -markdown it prints the page
docs/flags.md.`,
}

// The help command mentions itself through the table of commands, so it gets
// its function here.
func init() {
	cmdHelp.words = commandNames
	cmdHelp.setup = func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		man := fs.String("man", "", "write man pages of all commands to `dir`")
		markdown := fs.Bool("markdown", false, "print all flags of all commands as a page in Markdown")
		return func(ctx context.Context, args []string) (int, error) {
			switch {
			case (*man != "" || *markdown) && len(args) > 0:
				return 0, diag.Usagef("-man and -markdown are of all commands: name none")
			case *man != "":
				return 0, writeMan(*man)
			case *markdown:
				_, err := io.WriteString(app.Stdout, theManual().Markdown())
				return 0, err
			}
			switch len(args) {
			case 0:
				app.usage(app.Stdout)
				return 0, nil
			case 1:
				cmd := lookup(args[0])
				if cmd == nil {
					return 0, diag.Usagef("unknown command %q%s 'heddle help' lists all commands", args[0], nearest.Colon(args[0], commandNames()))
				}
				app.describe(app.Stdout, cmd)
				return 0, nil
			}
			return 0, diag.Usagef("%d commands given: name one", len(args))
		}
	}
}

const aboutHeddle = `Heddle checks Go programs: it runs them in a virtual machine of its own, under
every schedule.`

// usage prints the list of commands.
func (app *App) usage(w io.Writer) {
	fmt.Fprintf(w, "%s\n\nusage: heddle COMMAND [flags] [arguments]\n\n", aboutHeddle)
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
