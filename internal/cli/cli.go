// Package cli is the command line: one file a command. A command parses its
// flags, hands the work to a [Backend] and turns the outcome into text and an
// exit code. It computes nothing itself.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/nearest"
	"github.com/heddle-mc/heddle/internal/plain"
	"github.com/heddle-mc/heddle/internal/queue"
)

// An App is the command with the world it runs in. Tests replace the world.
type App struct {
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Backend Backend
	Queue   queue.Service // nil: a command that needs one is done by heddle-nats

	typed       string // the command line
	interruptAt int64  // for tests: see interrupt
}

// A command is a row of the table of commands.
type command struct {
	name  string
	args  string // after the flags, as in the usage line
	short string // one line for the list of commands
	long  string // sentences for "heddle help"

	// mixed says that flags may also follow the arguments, up to -args or --.
	mixed bool

	// queue says that the command cannot do without a queue.
	queue bool

	// words, if it is not nil, returns what may follow, if only some words may: for shells.
	words func() []string

	// noted says that it prints what it finds, and does not look whether that could be printed.
	noted bool

	// foreign are flags that others have whom users know, with what to do instead.
	foreign map[string]string

	// setup declares the flags and returns the function to call with the
	// arguments that follow them.
	setup func(app *App, fs *flag.FlagSet) func(ctx context.Context, args []string) (int, error)
}

// commands returns the table of commands, in the order of the help text. It is
// a function because help needs the table it is part of.
func commands() []*command {
	return []*command{cmdCheck, cmdConform, cmdTest, cmdReplay, cmdView, cmdDebug, cmdExplain, cmdInit, cmdDoctor, cmdCertify, cmdCert, cmdWorker, cmdLps, cmdLts, cmdPbes, cmdSim, cmdRun, cmdDisasm, cmdIntrinsics, cmdRules, cmdClean, cmdCompletion, cmdVersion, cmdHelp}
}

// Main runs the command line without the name of the program and returns the
// exit code. A panic of ours becomes an internal error.
func (app *App) Main(ctx context.Context, args []string) (code int) {
	defer relaxGC()()
	defer func() {
		if r := recover(); r != nil {
			if c, ok := r.(*explore.Crash); ok {
				what := fmt.Sprint(c.Value)
				if c.Path != nil {
					what += fmt.Sprintf("\nafter the steps %v", c.Path)
				}
				code = app.internalError(args, what, []byte(c.Stack))
				return
			}
			code = app.internalError(args, fmt.Sprint(r), debug.Stack())
		}
	}()
	if len(args) == 0 {
		app.usage(app.Stderr)
		return diag.ExitUsage
	}
	name := args[0]
	switch name {
	case "-h", "-help", "--help":
		name = "help"
	}
	cmd := lookup(name)
	if cmd == nil {
		fmt.Fprintf(app.Stderr, "heddle: unknown command %q%s 'heddle help' lists all commands\n", name, nearest.Colon(name, commandNames()))
		return diag.ExitUsage
	}
	return app.run(ctx, cmd.forModel(args[1:]), args)
}

// commandNames lists the commands.
func commandNames() (names []string) {
	for _, cmd := range commands() {
		names = append(names, cmd.name)
	}
	return names
}

// lookup returns the command with the given name, or nil.
func lookup(name string) *command {
	for _, cmd := range commands() {
		if cmd.name == name {
			return cmd
		}
	}
	return nil
}

// run runs one command; args[0] is its name.
func (app *App) run(ctx context.Context, cmd *command, args []string) int {
	fs := flag.NewFlagSet(cmd.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	app.typed = "heddle " + quoteArgs(args)
	action := cmd.setup(app, fs)
	if cmd.noted {
		plain := action
		action = func(ctx context.Context, args []string) (int, error) {
			return app.noted(func() (int, error) { return plain(ctx, args) })
		}
	}
	rest, err := cmd.parse(fs, args[1:])
	if err != nil {
		if errors.Is(err, flag.ErrHelp) {
			app.describe(app.Stdout, cmd)
			return diag.ExitOK
		}
		question := ""
		if name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -"); ok {
			if cmd.foreign[name] != "" {
				fmt.Fprintf(app.Stderr, "heddle %s: -%s: %s\n", cmd.name, name, cmd.foreign[name])
				return diag.ExitUsage
			}
			question = nearest.Question(name, "-", flagNames(fs))
		}
		fmt.Fprintf(app.Stderr, "heddle %s: %s%s\n%s\nrun 'heddle help %s' for the flags\n", cmd.name, plain.Text(err.Error()), question, cmd.usage(), cmd.name)
		return diag.ExitUsage
	}
	var code int
	switch {
	case !cmd.needsQueue(fs):
		code, err = action(ctx, rest)
	case app.Queue == nil:
		err = app.handOver(args)
	default:
		if err = sameVersion(); err == nil {
			code, err = action(ctx, rest)
		}
	}
	if err == nil {
		return code
	}
	return app.report(cmd, args, err)
}

// flagNames lists the flags of a command.
func flagNames(fs *flag.FlagSet) (names []string) {
	fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	return names
}

// parse sets the flags and returns the arguments that are none.
func (cmd *command) parse(fs *flag.FlagSet, args []string) (rest []string, err error) {
	if !cmd.mixed {
		err := fs.Parse(args)
		return fs.Args(), err
	}
	var passed []string // -args or -- and what follows it
	if i := slices.IndexFunc(args, isArgs); i >= 0 {
		args, passed = args[:i], args[i:]
	}
	for len(args) > 0 {
		if err := fs.Parse(args); err != nil {
			return nil, err
		}
		args = fs.Args()
		for len(args) > 0 && (len(args[0]) < 2 || args[0][0] != '-') {
			rest, args = append(rest, args[0]), args[1:]
		}
	}
	return append(rest, passed...), nil
}

// isArgs reports whether the argument says that all others are the program's.
func isArgs(arg string) bool { return arg == "-args" || arg == "--args" || arg == "--" }

// usage returns the usage line of a command.
func (cmd *command) usage() string {
	line := "usage: heddle " + cmd.name
	if cmd.hasFlags() {
		line += " [flags]"
	}
	if cmd.args != "" {
		line += " " + cmd.args
	}
	return line
}

// hasFlags reports whether the command declares a flag.
func (cmd *command) hasFlags() bool {
	found := false
	cmd.flags(nil).VisitAll(func(*flag.Flag) { found = true })
	return found
}

// flags returns the declared flags of a command, for printing.
func (cmd *command) flags(out io.Writer) *flag.FlagSet {
	fs := flag.NewFlagSet(cmd.name, flag.ContinueOnError)
	fs.SetOutput(out)
	cmd.setup(&App{}, fs)
	return fs
}

// report prints an error of a command and returns the exit code.
func (app *App) report(cmd *command, args []string, err error) int {
	var e *diag.Error
	if errors.As(err, &e) {
		switch {
		case e.Kind == diag.Bug:
			var stack []byte
			if e.Err != nil {
				stack = []byte(e.Err.Error())
			}
			return app.internalError(args, e.Error(), stack)
		case e.Kind == diag.Usage && !e.Pos.IsValid():
			fmt.Fprintf(app.Stderr, "heddle %s: %s\n", cmd.name, plain.Text(err.Error()))
			return e.ExitCode()
		}
	}
	fmt.Fprintln(app.Stderr, plain.Text(err.Error()))
	code := diag.ExitCode(err)
	if code == diag.ExitBug {
		// Whoever returned an error without a kind has to decide what it is.
		return app.internalError(args, "error without a kind", nil)
	}
	return code
}

// internalError reports a defect of ours with what reproduces it.
func (app *App) internalError(args []string, what string, stack []byte) int {
	fmt.Fprintf(app.Stderr, `heddle: internal error: %s
This is a bug in heddle, not in your program. It is reproduced by
	heddle %s
with %s
`, what, quoteArgs(args), versionLine())
	if len(stack) > 0 {
		fmt.Fprintf(app.Stderr, "\n%s\n", strings.TrimSpace(string(stack)))
	}
	return diag.ExitBug
}

// quoteArgs writes arguments as one types them.
func quoteArgs(args []string) string {
	quoted := make([]string, len(args))
	for i, arg := range args {
		quoted[i] = quoteArg(arg)
	}
	return strings.Join(quoted, " ")
}

func quoteArg(arg string) string {
	if arg == "" || strings.ContainsAny(arg, " \t\n\"'\\$&|;<>()*?[]#~`") {
		return strconv.Quote(arg)
	}
	return arg
}
