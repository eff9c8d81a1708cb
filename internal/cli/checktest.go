package cli

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/report"
)

// A testChecker checks the tests of packages, each test by itself.
type testChecker struct {
	app       *App
	fs        *flag.FlagSet // as the command line set it
	flags     *checkFlags
	out       *outputFlags
	src       Source
	run, skip string
	short     bool
	args      []string // of the test binaries
	budget    time.Duration
	failFast  bool
	listed    string        // a regexp: tests are listed, and not checked
	failed    bool          // a test has failed, and no more are checked
	budgeted  []*checkFlags // whose limit of time is the budget
	certs     certFlags     // where file is a folder
	c         *checker
	w         *report.Writers
	own       map[string]*report.Claim // by package: what was looked for and how, where it is not as in the first
}

// checkAll checks all tests of all packages.
func (t *testChecker) checkAll(ctx context.Context) (int, error) {
	skip, err := regexp.Compile(t.skip)
	if err != nil {
		return 0, diag.Usagef("-skip: %v", err)
	}
	if _, err := regexp.Compile(firstElement(t.run)); err != nil {
		return 0, diag.Usagef("-run: %v", err)
	}
	if _, err := regexp.Compile(t.listed); err != nil {
		return 0, diag.Usagef("-list: %v", err)
	}
	if t.budget < 0 {
		return 0, diag.Usagef("-budget %v: a limit is negative: 0 means none", t.budget)
	}
	pkgs, err := t.app.Backend.Tests(ctx, t.src)
	if err != nil {
		return 0, err
	}
	all, err := t.settings(pkgs)
	if err != nil {
		return 0, err
	}
	if t.listed != "" {
		return 0, t.listAll(ctx, pkgs, all)
	}
	if t.c, t.w, err = t.app.newChecker(t.out); err != nil {
		return 0, err
	}
	t.w.Tests, t.w.Verbose = true, t.out.verbose
	defer t.c.interrupt.stop()
	if err := t.describe(pkgs, all); err != nil {
		return 0, err
	}
	if err := t.w.Open(); err != nil {
		return 0, err
	}
	for i, pkg := range pkgs {
		if !pkg.Tests {
			t.w.Package(&report.Package{Path: pkg.Path, NoFiles: true})
			continue
		}
		began := startMeter()
		if why := t.ends(); why != "" {
			if err := t.report(pkg, notChecked(pkg.Path, pkg.Path, "", why)); err != nil {
				return 0, err
			}
		} else if err := t.checkPackage(ctx, pkg, all[i], skip); err != nil {
			return 0, err
		}
		t.w.Package(&report.Package{Path: pkg.Path, Seconds: float64(began.elapsed()) / 1e9})
	}
	return t.c.finish(t.w)
}

// describe fills in what reports say about the search of each package: those of the
// first one with tests for all, and their own for those that differ.
func (t *testChecker) describe(pkgs []TestPackage, all []*checkFlags) error {
	first := max(slices.IndexFunc(pkgs, func(p TestPackage) bool { return p.Tests }), 0)
	t.own = make(map[string]*report.Claim)
	for i := first; i < len(pkgs); i++ {
		settings, err := all[i].System()
		if err != nil {
			return err
		}
		var run report.Run
		all[i].describe(&run, settings)
		own, common := &report.Claim{Bounds: run.Bounds, Properties: run.Properties, Settings: run.Settings},
			&report.Claim{Bounds: t.w.Run.Bounds, Properties: t.w.Run.Properties, Settings: t.w.Run.Settings}
		if i == first {
			t.w.Run.Bounds, t.w.Run.Properties, t.w.Run.Settings = run.Bounds, run.Properties, run.Settings
		} else if !own.Equal(common) {
			t.own[pkgs[i].Path] = own
		}
	}
	return nil
}

// report writes a report on a package or one of its tests.
func (t *testChecker) report(pkg TestPackage, r *report.Report) error {
	r.Own = t.own[pkg.Path]
	return t.w.Report(r)
}

// settings returns the settings of each package: those of its heddle.yaml, below
// those of the command line.
func (t *testChecker) settings(pkgs []TestPackage) ([]*checkFlags, error) {
	var all []*checkFlags
	for _, pkg := range pkgs {
		f := new(checkFlags)
		fs := flag.NewFlagSet("test", flag.ContinueOnError)
		f.declare(fs)
		fs.Var((*tagList)(&f.Program.Tags), "tags", "")
		var err error
		t.fs.Visit(func(given *flag.Flag) {
			switch own := fs.Lookup(given.Name); {
			case own == nil || err != nil:
			case isList(given.Value):
				err = fs.Set(given.Name, "") // so that it counts as given
				*own.Value.(*textList) = slices.Clone(*given.Value.(*textList))
			default:
				err = fs.Set(given.Name, given.Value.String())
			}
		})
		if err != nil {
			return nil, diag.Usagef("%v", err)
		}
		if len(f.Program.Servers) > 0 {
			return nil, diag.Usagef("-server-package is for programs: a test starts its servers itself")
		}
		f.Program.Args = t.args
		if err := applySettings(fs, f, pkg.Dir); err != nil {
			return nil, err
		}
		f.Program.Servers = nil // heddle.yaml says it of the program
		given := false
		fs.Visit(func(f *flag.Flag) { given = given || f.Name == "timeout" })
		if !given && f.Limits.Timeout == 0 && t.budget > 0 {
			f.Limits.Timeout = t.budget
			t.budgeted = append(t.budgeted, f)
		}
		if _, err := f.Options(); err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// unhurried returns the settings for loading a package, which is not a part of any test's budget.
func (t *testChecker) unhurried(flags *checkFlags) *checkFlags {
	if !slices.Contains(t.budgeted, flags) {
		return flags
	}
	own := *flags
	own.Limits.Timeout = 0
	return &own
}

// checkPackage checks the tests of one package. A package that cannot be built is
// a report of its own; an error is a defect of ours.
func (t *testChecker) checkPackage(ctx context.Context, pkg TestPackage, flags *checkFlags, skip *regexp.Regexp) error {
	src := t.source(pkg, flags)
	whole := &target{name: pkg.Path, pkg: pkg.Path, flags: t.unhurried(flags)}
	if err := t.c.begin(whole, startMeter()); err != nil {
		return err
	}
	var names []string
	var prog *check.Code
	whole.draft.loading("its tests were loaded")
	r, err := t.c.within(whole, func() (_ *report.Report, err error) {
		names, prog, err = t.list(ctx, BuildOptions{Source: src, Test: true, Access: flags.Model.Interleave == "access"}, pkg, firstElement(t.run))
		return nil, err
	})
	whole.stop.end()
	if r != nil {
		return t.report(pkg, r)
	}
	if err != nil {
		if diag.ExitCode(err) == diag.ExitBug {
			return err
		}
		return t.report(pkg, &report.Report{Target: pkg.Path, Package: pkg.Path, Verdict: report.Inconclusive, Err: err})
	}
	for _, name := range names {
		if t.skip != "" && !strings.Contains(t.skip, "/") && skip.MatchString(name) {
			continue
		}
		if why := t.ends(); why != "" {
			if err := t.report(pkg, notChecked(pkg.Path+"."+name, pkg.Path, name, why)); err != nil {
				return err
			}
			continue
		}
		tg := t.target(pkg, src, flags, prog, name)
		if err := t.c.begin(tg, startMeter()); err != nil {
			return err
		}
		r, err := t.c.within(tg, func() (*report.Report, error) { return t.checkOne(pkg, tg) })
		tg.stop.end()
		if err != nil {
			if diag.ExitCode(err) == diag.ExitBug {
				return err
			}
			r = &report.Report{Target: tg.name, Package: pkg.Path, Test: name, Verdict: report.Inconclusive, Err: err}
		}
		if r.Skipped, err = t.c.skips(tg, r); err != nil {
			return err
		}
		t.failed = t.failed || r.Verdict == report.Violation
		if err := t.report(pkg, r); err != nil {
			return err
		}
	}
	return nil
}

// ends says why no more tests are checked, "" if they are.
func (t *testChecker) ends() string {
	switch {
	case t.c.interrupt.poll():
		return "interrupted"
	case t.failFast && t.failed:
		return "another test has failed (-failfast)"
	}
	return ""
}

// listAll lists the tests of all packages.
func (t *testChecker) listAll(ctx context.Context, pkgs []TestPackage, all []*checkFlags) error {
	for i, pkg := range pkgs {
		if !pkg.Tests {
			fmt.Fprintf(t.app.Stdout, "?   \t%s\t[no test files]\n", pkg.Path)
			continue
		}
		names, _, err := t.list(ctx, BuildOptions{Source: t.source(pkg, all[i]), Test: true}, pkg, t.listed)
		if err != nil {
			return err
		}
		for _, name := range names {
			fmt.Fprintln(t.app.Stdout, name)
		}
		fmt.Fprintf(t.app.Stdout, "ok  \t%s\n", pkg.Path)
	}
	return nil
}

// checkOne checks one test, and writes its certificate if that is asked for.
func (t *testChecker) checkOne(pkg TestPackage, tg *target) (*report.Report, error) {
	own := t.certs
	if own.file != "" {
		folder := filepath.Join(own.file, folderName(t.c.root, pkg.Dir, pkg.Path))
		own.file = filepath.Join(folder, tg.test+".heddle")
		if err := certFile(own.file); err != nil { // the test is checked all the same
			t.c.unwritten = append(t.c.unwritten, err)
			return t.c.check(tg)
		}
	}
	return own.check(t.c, tg)
}

// notChecked is the report on what an interrupt, or -failfast, has left.
func notChecked(name, pkg, test, why string) *report.Report {
	return &report.Report{
		Target: name, Package: pkg, Test: test, Verdict: report.Inconclusive, NotChecked: why,
		Left: []report.Left{{Reason: string(explore.Interrupted), Text: "not checked: " + why}},
	}
}

// source returns what to load for one package.
func (t *testChecker) source(pkg TestPackage, flags *checkFlags) Source {
	src := t.src
	src.Tags = flags.Program.Tags
	if pkg.Path != commandLine {
		src.Patterns = []string{pkg.Path}
	}
	return src
}

// list builds the test binary of a package and asks it for its tests that match a pattern.
func (t *testChecker) list(ctx context.Context, o BuildOptions, pkg TestPackage, pattern string) ([]string, *check.Code, error) {
	prog, err := t.app.Backend.Build(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	if pattern == "" {
		pattern = "."
	}
	var out, errOut bytes.Buffer
	code, err := t.app.Backend.Test(ctx, TestOptions{
		Source: o.Source, Code: prog, WorkDir: pkg.Dir, Args: []string{"-test.list=" + pattern}, Stdout: &out, Stderr: &errOut,
	})
	if err != nil {
		return nil, nil, err
	}
	if code != 0 {
		return nil, nil, diag.Usagef("%s: its tests cannot be listed: exit code %d: %s", pkg.Path, code, strings.TrimSpace(errOut.String()))
	}
	var names, others []string
	for line := range strings.Lines(out.String()) {
		switch name := strings.TrimSpace(line); {
		case strings.HasPrefix(name, "Test"):
			names = append(names, name)
		case strings.HasPrefix(name, "Example"), strings.HasPrefix(name, "Fuzz"):
			others = append(others, name)
		}
	}
	if len(others) > 0 {
		fmt.Fprintf(t.app.Stderr, "%s: not checked, since only Test functions are: %s\n", pkg.Path, strings.Join(others, ", "))
	}
	return names, prog, nil
}

// target returns how one test is checked.
func (t *testChecker) target(pkg TestPackage, src Source, flags *checkFlags, prog *check.Code, name string) *target {
	run := "^" + name + "$"
	if _, sub, ok := strings.Cut(t.run, "/"); ok {
		run += "/" + sub
	}
	// With -test.v, messages are printed when they are logged, and are no part of
	// the state. Nothing but the schedule keeps parallel tests from running.
	args := []string{path.Base(pkg.Path) + ".test", "-test.paniconexit0", "-test.v=true", "-test.parallel=1000", "-test.run=" + run}
	if t.skip != "" {
		args = append(args, "-test.skip="+t.skip)
	}
	if t.short {
		args = append(args, "-test.short=true")
	}
	args = append(args, flags.Program.Args...)
	folder := t.out.folder
	if folder == "" {
		folder = outFolder
	}
	root := t.c.root
	tg := &target{
		name: pkg.Path + "." + name, pkg: pkg.Path, test: name, dir: pkg.Dir, prog: prog, flags: flags,
		folder: filepath.Join(folder, folderName(root, pkg.Dir, pkg.Path), name),
	}
	tg.spec = flags.Spec.Clone()
	own := &tg.spec.Program
	own.Dir, own.ChangeTo, own.Packages, own.Tags = root, t.src.Dir, src.Patterns, src.Tags
	own.Test, own.TestArgs, own.TestDir = name, args, pkg.Dir
	own.Env, _ = check.Environment(flags.Program.Env, pkg.Dir) // was asked before
	tg.process = tg.spec.Process("")
	return tg
}

// firstElement is the part of a pattern that is about top-level tests.
func firstElement(pattern string) string {
	first, _, _ := strings.Cut(pattern, "/")
	return first
}
