package cli

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/report"
	"github.com/heddle-mc/heddle/internal/shares"
)

var cmdCheck = &command{
	name:  "check",
	args:  "PACKAGE...|FILES.go [-- ARGS]",
	short: "check a program under every schedule",
	mixed: true,
	long: `Check executes a main package, or files as go run takes them, under every
schedule of its goroutines, and looks for deadlocks, leaked goroutines, panics,
data races, fatal errors, and violated assertions and invariants of package
verify. It ends in one of four verdicts:

  verified        every schedule was followed, nothing is wrong (exit code 0)
  ignored         every schedule was followed, and all that is wrong does not
                  count, by a comment //heddle:ignore or a baseline (0)
  violation       something is wrong: how it comes about, step by step (1)
  inconclusive    nothing wrong was seen, but not everything was: what was not
                  covered, and why (3)

A program that does not build, and flags that make no sense, are exit code 2.
The files about a violation go to heddle-out/PACKAGE, and the command that
replays it is printed. A file heddle.yaml beside the package may hold settings:
the names are those of the flags about the search, and args. Flags go before it.
Arguments of the program follow --. Several packages, of which one may be named
more than once, run side by side as processes that can connect to each other;
all get the same arguments. With -server-package the others are servers. docs/check.md is the manual.

A file .mcrl2 or .lps is a model in mCRL2: it has flags of its own, which
'heddle check -h model.mcrl2' prints.`,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		p := programChecker{app: app, fs: fs}
		sourceFlags(fs, &p.src)
		p.flags.declare(fs)
		p.out.declare(fs)
		p.out.declareBaseline(fs)
		fs.StringVar(&p.lts, "lts", "", "write the explored graph to `file`: .aut or .dot")
		fs.StringVar(&p.checkpoint, "checkpoint", "", "when a limit ends the search, write what it needs to go on to `file`")
		fs.StringVar(&p.resume, "resume", "", "go on from the checkpoint in `file`")
		p.cert.declare(fs)
		p.cert.declareGraph(fs)
		p.distribute.declare(fs, "have the members of a swarm searched by workers: heddle worker", "store-dir")
		return p.check
	},
}

// A programChecker checks one program.
type programChecker struct {
	app                     *App
	fs                      *flag.FlagSet
	src                     Source
	flags                   checkFlags
	out                     outputFlags
	lts, checkpoint, resume string
	cert                    certFlags
	distribute              distributeFlags
	against                 *conformFlags // nil: the program is not held against a model
}

// check takes the arguments of the command.
func (p *programChecker) check(ctx context.Context, args []string) (int, error) {
	began := startMeter()
	patterns, own, err := splitArgs(args)
	if err != nil {
		return 0, err
	}
	p.src.Patterns, p.flags.Program.Args = patterns, own
	t := &target{name: strings.Join(patterns, " "), flags: &p.flags}
	dir, err := p.find(ctx, t)
	if err != nil {
		return 0, err
	}
	typed := len(p.flags.Program.Servers) > 0
	if err := applySettings(p.fs, &p.flags, dir); err != nil {
		return 0, err
	}
	if !typed {
		p.nearServers(dir)
	}
	if patterns, err = p.withServers(t, patterns); err != nil {
		return 0, err
	}
	if len(patterns) > 1 && !strings.HasSuffix(patterns[0], ".go") {
		p.flags.Peers.Declared = nil // what one of them talks to is among the others
	}
	settings, err := p.flags.System()
	if err != nil {
		return 0, err
	}
	if _, err := p.flags.Options(); err != nil {
		return 0, err
	}
	c, w, err := p.app.newChecker(&p.out)
	if err != nil {
		return 0, err
	}
	defer c.interrupt.stop()
	p.flags.describe(w.Run, settings)
	if p.against != nil {
		if err := p.against.refuse(&p.flags); err != nil {
			return 0, err
		}
		p.against.describe(w.Run)
	}
	c.checkpoint, c.resume = p.checkpoint, p.resume
	if p.against == nil { // a model stays where it is
		if c.distribute, err = p.distributed(w.Run); err != nil {
			return 0, err
		}
	}
	if t.folder = p.out.folder; t.folder == "" {
		t.folder = filepath.Join(outFolder, folderName(c.root, dir, patterns[len(p.flags.Program.Servers)]))
	}
	t.spec = p.flags.Spec.Clone()
	t.spec.Program.Dir, t.spec.Program.ChangeTo, t.spec.Program.Packages, t.spec.Program.Tags = c.root, p.src.Dir, patterns, p.src.Tags
	t.spec.Program.Env, _ = check.Environment(p.flags.Program.Env, "") // was asked before
	t.process = t.spec.Process(check.ProgramName(patterns))
	if p.lts != "" {
		if c.graph, err = openGraph(p.lts); err != nil {
			return 0, err
		}
	}
	if err := w.Open(); err != nil {
		return 0, err
	}
	p.flags.begin()
	defer p.flags.abandon()
	if err := c.begin(t, began); err != nil {
		return 0, err
	}
	defer t.stop.end()
	t.draft.loading("the program was loaded")
	r, err := c.within(t, func() (*report.Report, error) {
		if err := p.build(ctx, t, settings.Access); err != nil {
			return nil, err
		}
		r, err := p.cert.check(c, t)
		if p.against != nil && err == nil {
			p.against.vacuous(r)
			p.against.tell(r)
		}
		return r, err
	})
	if err != nil {
		return c.failed(w, t, err)
	}
	if err := w.Report(r); err != nil {
		return 0, err
	}
	if p.against != nil {
		p.against.notes(p.app.Stderr, r)
	}
	if c.graph != nil {
		if err := c.graph.write(); err != nil {
			c.unwritten = append(c.unwritten, err)
		}
	}
	return c.finish(w)
}

// nearServers makes the names of servers in the heddle.yaml of a folder, which are as seen from there, those that one would type.
func (p *programChecker) nearServers(dir string) {
	base, err := filepath.Abs(p.src.Dir)
	if err != nil {
		return
	}
	for i, text := range p.flags.Program.Servers {
		pattern, args, _ := strings.Cut(text, " ")
		if rel, err := filepath.Rel(base, filepath.Join(dir, pattern)); err == nil && strings.HasPrefix(pattern, ".") {
			if !strings.HasPrefix(rel, ".") {
				rel = "./" + rel
			}
			p.flags.Program.Servers[i] = strings.TrimSpace(rel + " " + args)
		}
	}
}

// withServers puts the packages that are servers before those of the program: who comes first begins first.
func (p *programChecker) withServers(t *target, patterns []string) ([]string, error) {
	servers, err := p.flags.Program.ServerPackages()
	switch {
	case err != nil || len(servers) == 0:
		return patterns, err
	case strings.HasSuffix(patterns[0], ".go"):
		return nil, diag.Usagef("-server-package %s: the program has to be a package then, not files", servers[0])
	case p.against != nil:
		return nil, diag.Usagef("-server-package %s: a model is about one program", servers[0])
	case len(p.flags.Peers.Servers)+len(p.flags.Peers.Clients) > 0:
		return nil, diag.Usagef("-server-package %s: there can be no live peers besides", servers[0])
	}
	t.name += " with " + strings.Join(servers, ", ")
	p.src.Patterns = append(servers, patterns...)
	return p.src.Patterns, nil
}

// build builds the program.
func (p *programChecker) build(ctx context.Context, t *target, access bool) (err error) {
	if t.prog, err = p.app.Backend.Build(ctx, BuildOptions{Source: p.src, Access: access}); err != nil || p.against == nil {
		return err
	}
	if t.prog, err = p.against.wrap(t.prog, ""); err != nil {
		return err
	}
	t.name += " as " + p.against.model
	t.spec.Program.Against, t.spec.Program.Map = p.against.model, p.against.mapping
	if p.against.tests > 0 {
		t.member = p.against.test
	}
	return nil
}

// find asks the go command for import path and folder of the program.
func (p *programChecker) find(ctx context.Context, t *target) (dir string, err error) {
	list, err := p.app.Backend.Tests(ctx, p.src)
	switch {
	case err != nil:
		return "", err
	case len(list) != 1 && len(p.src.Patterns) == 1:
		return "", diag.Usagef("%s names %d packages: name one, or each of several that are to run side by side", p.src.Patterns[0], len(list))
	}
	var paths []string
	for _, pkg := range list {
		if pkg.Err != nil {
			return "", pkg.Err
		}
		if len(pkg.Files) > 0 && !isMain(pkg.Files) {
			return "", diag.Usagef("package %s is not a main package: heddle test checks the tests of packages", pkg.Path)
		}
		paths = append(paths, pkg.Path)
	}
	t.pkg, t.dir, t.files = strings.Join(paths, " "), list[0].Dir, list[0].Files
	return t.dir, nil
}

// outputFlags say where results go.
type outputFlags struct {
	folder  string
	json    bool
	events  bool
	junit   string
	sarif   string
	cover   string
	columns bool
	verbose bool
	full    bool // stories are told with all of their steps
	// baseline is a file that gets what is found.
	baseline string
}

func (o *outputFlags) declare(fs *flag.FlagSet) {
	fs.StringVar(&o.folder, "o", "", "write the files about a violation to `dir`, instead of "+outFolder+"/PACKAGE")
	fs.BoolVar(&o.json, "json", false, "print one JSON object instead of text")
	fs.BoolVar(&o.events, "events", false, "print the events of go test -json instead of text")
	fs.StringVar(&o.junit, "junit", "", "write JUnit XML to `file`")
	fs.StringVar(&o.sarif, "sarif", "", "write SARIF 2.1.0 to `file`")
	fs.StringVar(&o.cover, "coverprofile", "", "write what the search executed to `file`, for go tool cover")
	fs.BoolVar(&o.columns, "columns", false, "tell counterexamples with one column a goroutine")
	fs.BoolVar(&o.full, "full", false, "tell all steps of a counterexample, also those that do not matter and those of the library")
	fs.BoolVar(&o.verbose, "v", false, "tell all steps and why they matter and, on standard error, time and memory of each search and where the time went")
}

// forcesColour reports whether colour is wanted although nobody looks at a terminal, as the logs of some builds show it.
func forcesColour() bool {
	v := os.Getenv("CLICOLOR_FORCE")
	return v != "" && v != "0"
}

// declareBaseline declares the flag that models do not have.
func (o *outputFlags) declareBaseline(fs *flag.FlagSet) {
	fs.StringVar(&o.baseline, "write-baseline", "", "write all findings that have a place to `file`, for -baseline: they do not count in this run, nor in later ones with it")
}

// newChecker returns a checker and where its reports go.
func (app *App) newChecker(o *outputFlags) (*checker, *report.Writers, error) {
	root, err := os.Getwd()
	if err != nil {
		return nil, nil, diag.Usagef("%v", err)
	}
	w := &report.Writers{
		Run:    &report.Run{Command: app.typed, Version: version()},
		Stdout: app.Stdout, Spare: app.Stderr, Root: root,
		Color: os.Getenv("NO_COLOR") == "" && (isTerminal(app.Stdout) || forcesColour()),
	}
	for _, out := range []struct {
		format report.Format
		file   string
		wanted bool
	}{
		{report.JSON, report.Stdout, o.json},
		{report.Events, report.Stdout, o.events},
		{report.JUnit, o.junit, o.junit != ""},
		{report.SARIF, o.sarif, o.sarif != ""},
		{report.Cover, o.cover, o.cover != ""},
	} {
		if out.wanted {
			if err := w.Add(out.format, out.file); err != nil {
				return nil, nil, err
			}
		}
	}
	c := &checker{app: app, root: root, interrupt: app.watchInterrupt(), columns: o.columns, verbose: o.verbose, full: o.full || o.verbose, ignores: newIgnores(root, o.baseline)}
	if o.cover != "" {
		c.cover = new(coverage)
	}
	if o.verbose {
		c.shares = shares.Start()
	}
	return c, w, nil
}

// finish writes what is left when all targets are checked, and returns the exit
// code. That of a violation stays what it is if something cannot be written.
func (c *checker) finish(w *report.Writers) (int, error) {
	var bug error
	c.tellIgnores(w.Run)
	if c.cover != nil {
		w.Run.Coverage, bug = c.cover.finish()
	}
	for _, err := range w.Close() {
		if diag.ExitCode(err) != diag.ExitBug {
			c.unwritten = append(c.unwritten, err)
		} else if bug == nil {
			bug = err
		}
	}
	for _, lost := range c.unwritten {
		fmt.Fprintf(c.app.Stderr, "heddle: %v\n", lost)
	}
	if text := c.shares.Stop(); text != "" {
		fmt.Fprintf(c.app.Stderr, "CPU time: %s\n", text)
	}
	return c.exitCode(w.Run.ExitCode()), bug
}

// exitCode makes that of a check which has not written what was asked for another one than that
// of success.
func (c *checker) exitCode(code int) int {
	if len(c.unwritten) > 0 && code == diag.ExitOK {
		return diag.ExitUsage
	}
	return code
}

// failed reports that a target could not be checked: in the formats that others read, and if something
// else than the program or the command is in the way, a peer that does not start, say, as the verdict.
func (c *checker) failed(w *report.Writers, t *target, err error) (int, error) {
	r := &report.Report{Target: t.name, Package: t.pkg, Verdict: report.Inconclusive, Err: err}
	switch diag.ExitCode(err) {
	case diag.ExitBug:
		return 0, err
	case diag.ExitIncomplete:
		if err := w.Report(r); err != nil {
			return 0, err
		}
		return c.finish(w)
	}
	for _, f := range []report.Format{report.JSON, report.Events, report.JUnit, report.SARIF} {
		if w.Has(f) {
			w.Report(r)
			w.Close()
			break
		}
	}
	return 0, err
}
