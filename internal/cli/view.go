package cli

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certify"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/graph"
	"github.com/heddle-mc/heddle/internal/model"
	"github.com/heddle-mc/heddle/internal/plain"
	"github.com/heddle-mc/heddle/internal/trace"
	"github.com/heddle-mc/heddle/internal/view"
)

var cmdView = &command{
	name:  "view",
	args:  "TRACE|GRAPH|CERT|RESULT",
	short: "look at a counterexample, a graph, a certificate or a result in a browser",
	mixed: true,
	long: `View makes a page of a counterexample: goroutines and peers side by side, messages
between them, which step comes after which, the source, variables, and who waits
for whom. TRACE is a trace.json or the folder that has one. It also shows

  a GRAPH, .aut or .fsm, or a model: drawn if it is small, and otherwise its
  quotient and what is around a state, from which one goes to others;
  a certificate: what it claims, and its parts;
  a RESULT, what heddle check -json has printed: verdict, bounds, what was
  executed, what makes states differ, and how much is left.

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
		fs.StringVar(&v.equivalence, "equivalence", "strong", "of a graph: the quotient is one modulo this `equivalence`: strong, branching, divergence-branching, weak or divergence-weak")
		return func(ctx context.Context, args []string) (int, error) {
			switch {
			case len(args) == 0:
				return 0, diag.Usagef("no trace given: name a trace.json or its folder, a graph, a certificate, or a file that -json has printed")
			case len(args) > 1:
				return 0, diag.Usagef("%d files given: name one", len(args))
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
	equivalence  string
}

// view makes the page and shows it, or writes it.
func (v *viewer) view(ctx context.Context, name string) (int, error) {
	page, err := v.page(ctx, name)
	if err != nil {
		return 0, err
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

// page makes the page of whatever a file has.
func (v *viewer) page(ctx context.Context, name string) ([]byte, error) {
	var of interface{ Page() ([]byte, error) }
	sheet, err := v.sheet(name)
	if of = sheet; sheet == nil && err == nil {
		var t *trace.Trace
		if t, err = readTrace(name); err == nil {
			of = v.story(ctx, t, name)
		}
	}
	if err != nil {
		return nil, err
	}
	page, err := of.Page()
	if err != nil {
		return nil, diag.Bugf("%v", err)
	}
	return page, nil
}

// sheet tells what is not a trace, and returns nil for what may be one.
func (v *viewer) sheet(name string) (*view.Sheet, error) {
	switch ext := filepath.Ext(name); {
	case ext == ".aut" || ext == ".fsm" || ext == ".lts" || model.Is(name):
		return v.graph(name)
	case isPacked(name):
		return nil, diag.Usagef("%s: certificates of several tests: take one out of it", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, nil // readTrace says so
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	head := make([]byte, 64<<10)
	n, _ := io.ReadFull(f, head)
	switch head = head[:n]; {
	case cert.Is(head):
		return certSheet(name)
	case bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) && bytes.Contains(head, []byte(`"exit_code"`)) && bytes.Contains(head, []byte(`"verdict"`)):
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, diag.Usagef("%v", err)
		}
		s, err := view.ResultSheet(filepath.Base(name), data)
		if err != nil {
			return nil, diag.Usagef("%s: %v", name, err)
		}
		return s, nil
	}
	return nil, nil
}

// graph tells a graph.
func (v *viewer) graph(name string) (*view.Sheet, error) {
	e, err := parseEquivalence(v.equivalence)
	if err != nil {
		return nil, err
	}
	if e > graph.Weak {
		return nil, diag.Usagef("-equivalence %s: there are no classes of states: say strong, branching, divergence-branching, weak or divergence-weak", v.equivalence)
	}
	l := ltsCommand{app: v.app}
	g, err := l.read(name, false)
	if err != nil {
		return nil, err
	}
	return view.GraphSheet(filepath.Base(name), g, e, model.TauText), nil
}

// certSheet tells a certificate.
func certSheet(name string) (*view.Sheet, error) {
	f, err := certify.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size, _ := f.Size()
	s, err := view.CertificateSheet(filepath.Base(name), f.Reader, size)
	if err != nil {
		return nil, diag.Usagef("%s: %v", name, err)
	}
	return s, nil
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
