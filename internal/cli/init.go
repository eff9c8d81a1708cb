package cli

import (
	"context"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/plain"
	"github.com/heddle-mc/heddle/internal/scout"
	"github.com/heddle-mc/heddle/internal/settings"
)

var cmdInit = &command{
	name:  "init",
	args:  "[PACKAGE] [-- ARGS]",
	short: "write a heddle.yaml for a program, from what it listens to and dials",
	mixed: true,
	long: `Init looks at a program, by default the one in this folder, and writes a heddle.yaml
beside it: who has to talk to it for a check to mean something, and settings that
are often wanted, in comments. The program is searched for some seconds on a
modelled machine where nobody else is, with the arguments that follow --, and what
it listens to and dials there is listed. It touches nothing of this machine.

A file that is there already is left as it is, and the exit code is 2, unless
-force is given.`,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		x := initialiser{app: app}
		sourceFlags(fs, &x.src)
		fs.BoolVar(&x.force, "force", false, "replace a heddle.yaml that is there")
		fs.BoolVar(&x.print, "print", false, "print the file instead of writing it")
		return func(ctx context.Context, args []string) (int, error) {
			if len(args) == 0 || isArgs(args[0]) {
				args = append([]string{"."}, args...)
			}
			var err error
			if x.src.Patterns, x.args, err = splitArgs(args); err != nil {
				return 0, err
			}
			return x.write(ctx)
		}
	},
}

// An initialiser writes a heddle.yaml.
type initialiser struct {
	app          *App
	src          Source
	args         []string
	force, print bool
}

// lookFor is how long a program is looked at, at most.
const lookFor = 20 * time.Second

func (x *initialiser) write(ctx context.Context) (int, error) {
	list, err := x.app.Backend.Tests(ctx, x.src)
	switch {
	case err != nil:
		return 0, err
	case len(list) != 1:
		return 0, diag.Usagef("%d packages given: name one", len(list))
	case list[0].Err != nil:
		return 0, list[0].Err
	}
	pkg := list[0]
	file := filepath.Join(nearDir(pkg.Dir), settings.FileName)
	if _, err := os.Lstat(file); err == nil && !x.force && !x.print {
		return 0, diag.Usagef("%s is there already: -force replaces it, -print shows what would be written", file)
	}
	sight := &scout.Sight{Tests: true}
	if isMain(pkg.Files) {
		if sight, err = x.look(ctx); err != nil {
			return 0, err
		}
		sight.Calls = scout.Calls(pkg.Files)
	}
	sight.Target, sight.Args = quoteArgs(x.src.Patterns), x.args
	text := sight.YAML()
	if x.print {
		_, err := io.WriteString(x.app.Stdout, text)
		return diag.ExitOK, err
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		return 0, diag.Usagef("%v", err)
	}
	_, err = fmt.Fprintf(x.app.Stdout, "%s: written; look at it, and then: %s\n", plain.Line(file), sight.Command())
	return diag.ExitOK, err
}

// look builds the program and searches it for a little while.
func (x *initialiser) look(ctx context.Context) (*scout.Sight, error) {
	code, err := x.app.Backend.Build(ctx, BuildOptions{Source: x.src})
	if err != nil {
		return nil, err
	}
	spec := check.New()
	spec.Program.Packages, spec.Program.Args = x.src.Patterns, x.args
	spec.Program.Env, _ = check.Environment(nil, "") // nothing of which can be wrong
	ctx, cancel := context.WithTimeout(ctx, lookFor)
	defer cancel()
	stop := func() bool { return ctx.Err() != nil }
	return scout.Look(code, spec, spec.Process(check.ProgramName(x.src.Patterns)), stop)
}

// isMain reports whether files are those of a program.
func isMain(files []string) bool {
	for _, name := range files {
		if f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly); err == nil {
			return f.Name.Name == "main"
		}
	}
	return false
}
