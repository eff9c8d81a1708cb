package cli

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/model"
	"github.com/heddle-mc/heddle/internal/plain"
	"github.com/heddle-mc/heddle/internal/trace"
	"github.com/heddle-mc/heddle/internal/view"
)

var cmdView = &command{
	name:  "view",
	args:  "TRACE",
	short: "look at a counterexample in a browser",
	mixed: true,
	long: `View makes a page of a counterexample: goroutines and peers side by side, messages
between them, which step comes after which, the source, variables, and who waits
for whom. TRACE is a trace.json or the folder that has one.

The page is shown at an address of this machine alone, which is printed and has
a random part, until the command is interrupted; with -html it is written to a
file. It loads nothing from elsewhere. Variables, and who waits in the middle,
are there if the program can be built again and still does the same steps.`,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		v := viewer{replayer: replayer{app: app}}
		v.declare(fs)
		fs.StringVar(&v.file, "html", "", "write the page to `file`, and do not show it")
		fs.StringVar(&v.listen, "listen", "127.0.0.1:0", "show the page at `address`, which must be one of this machine alone")
		fs.BoolVar(&v.open, "open", false, "have the browser opened")
		return func(ctx context.Context, args []string) (int, error) {
			switch {
			case len(args) == 0:
				return 0, diag.Usagef("no trace given: name a trace.json or its folder")
			case len(args) > 1:
				return 0, diag.Usagef("%d traces given: name one", len(args))
			case v.file != "" && v.open:
				return 0, diag.Usagef("-html writes a file and -open shows the page: give one of them")
			}
			return v.view(ctx, args[0])
		}
	},
}

// A viewer shows a trace.
type viewer struct {
	replayer
	file, listen string
	open         bool
}

// view makes the page and shows it, or writes it.
func (v *viewer) view(ctx context.Context, name string) (int, error) {
	t, err := readTrace(name)
	if err != nil {
		return 0, err
	}
	story := v.story(ctx, t, name)
	page, err := story.Page()
	if err != nil {
		return 0, diag.Bugf("%v", err)
	}
	if v.file != "" {
		if err := os.WriteFile(v.file, page, 0o666); err != nil {
			return 0, diag.Usagef("%v", err)
		}
		return diag.ExitOK, nil
	}
	l, err := listenHere(v.listen)
	if err != nil {
		return 0, err
	}
	defer l.Close()
	err = view.Serve(ctx, l, page, func(url string) {
		fmt.Fprintf(v.app.Stdout, "%s\n", url)
		if v.open {
			if err := openBrowser(url); err != nil {
				fmt.Fprintf(v.app.Stderr, "heddle view: the browser cannot be opened: %s\n", plain.Line(err.Error()))
			}
		}
	})
	if err != nil {
		return 0, diag.Usagef("%v", err)
	}
	return diag.ExitOK, nil
}

// story tells a trace. Without its program less is known.
func (v *viewer) story(ctx context.Context, t *trace.Trace, name string) *view.Story {
	if t.Settings[model.NameSetting] != "" {
		return view.Tell(t, t.Settings[model.NameSetting], "")
	}
	root, title := v.dir, filepath.Base(name)
	if spec, err := check.ReadRecipe(t.Settings); err == nil {
		title = check.ProgramName(spec.Program.Packages)
		if root == "" {
			root = spec.Program.Dir
		}
	}
	story := view.Tell(t, title, root)
	if err := v.look(ctx, t, name, root, story); err != nil {
		story.Stale = "Variables are not told: " + plain.Line(err.Error())
	}
	return story
}

// look adds what only the program knows.
func (v *viewer) look(ctx context.Context, t *trace.Trace, name, root string, story *view.Story) error {
	_, p, err := v.ready(ctx, name)
	if err != nil {
		return err
	}
	sys, done, err := p.start(nil)
	if err != nil {
		return err
	}
	defer done()
	in := execute.NewInspector(sys, v.locals(ctx, p.spec))
	if in == nil {
		return diag.Usagef("the program has a model beside it")
	}
	story.Look(t, root, sys, in)
	return nil
}

// openBrowser has an address opened by whatever opens addresses on this machine.
func openBrowser(url string) error {
	switch runtime.GOOS {
	case "darwin":
		return exec.Command("open", url).Start()
	case "windows":
		return exec.Command("rundll32", "url.dll,FileProtocolHandler", url).Start()
	}
	return exec.Command("xdg-open", url).Start()
}
