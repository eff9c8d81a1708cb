package cli

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/limit"
	"github.com/heddle-mc/heddle/internal/report"
)

// testSettings are what the flags of go test say.
type testSettings struct {
	runs     string // -run
	skips    string // -skip
	short    bool
	args     []string // of the test binaries
	budget   time.Duration
	timeout  time.Duration // for a package
	count    uint
	shuffle  shuffleFlag
	side     int // so many packages are checked side by side, 0 for as many as seems right
	failFast bool
	listed   string // a regexp: tests are listed, and not checked
}

// A testChecker checks the tests of packages, each test by itself.
type testChecker struct {
	testSettings
	app       *App
	fs        *flag.FlagSet // as the command line set it
	flags     *checkFlags
	out       *outputFlags
	src       Source
	run, skip pattern
	budgeted  []*checkFlags // whose limit of time is the budget
	certs     certFlags     // where file is a folder
	c         *checker
	w         *report.Writers
	own       map[string]*report.Claim // by package: what was looked for and how, where it is not as in the first
	peers     sync.RWMutex             // packages with live peers are checked alone
	together  int                      // so many packages are checked side by side
	lanes     *lanes
	packages  []*packageChecker
}

// checkAll checks all tests of all packages.
func (t *testChecker) checkAll(ctx context.Context) (_ int, err error) {
	if t.skip, err = parsePattern("skip", t.skips); err != nil {
		return 0, err
	}
	if t.run, err = parsePattern("run", t.runs); err != nil {
		return 0, err
	}
	if _, err := regexp.Compile(t.listed); err != nil {
		return 0, diag.Usagef("-list: %v", err)
	}
	if t.budget < 0 {
		return 0, diag.Usagef("-budget %v: a limit is negative: 0 means none", t.budget)
	}
	if t.timeout < 0 {
		return 0, diag.Usagef("-timeout %v: a limit is negative: 0 means none", t.timeout)
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
	packed, err := t.packs(pkgs)
	if err != nil {
		return 0, err
	}
	if packed != "" {
		defer os.RemoveAll(t.certs.file)
	}
	if t.c, t.w, err = t.app.newChecker(t.out); err != nil {
		return 0, err
	}
	t.w.Tests, t.w.Verbose = true, t.out.verbose
	t.c.ignores.some = t.runs != "" || t.skips != "" || t.short || t.failFast
	defer t.c.interrupt.stop()
	if err := t.describe(pkgs, all); err != nil {
		return 0, err
	}
	if err := t.w.Open(); err != nil {
		return 0, err
	}
	t.lanes = newLanes(len(pkgs))
	for i, pkg := range pkgs {
		t.packages = append(t.packages, t.checkerOf(t.lanes.list[i], pkg, all[i]))
		if t.c.cover != nil && pkg.Tests {
			t.c.cover.root = cmp.Or(t.c.cover.root, moduleRoot(pkg.Dir))
		}
	}
	t.together = t.sideBySide(all)
	t.lanes.crash = func() { t.c.interrupt.asked.Store(true) }
	if err := t.lanes.run(t.together, func(l *lane) { l.err = t.packages[l.number].checkAll(ctx) }); err != nil {
		return 0, err
	}
	for _, p := range t.packages {
		if !p.lane.isDropped() {
			t.c.unwritten = append(t.c.unwritten, p.c.unwritten...)
		}
	}
	if packed != "" {
		if err := packCerts(filepath.Join(t.certs.file, folderName(t.c.root, pkgs[0].Dir, pkgs[0].Path)), packed); err != nil {
			t.c.unwritten = append(t.c.unwritten, fmt.Errorf("-cert: %w", err))
		}
	}
	return t.c.finish(t.w)
}

// packs returns the file that has the certificates of all tests in the end, "" if each has its own. In between they are in a
// folder, which -cert is made to say.
func (t *testChecker) packs(pkgs []TestPackage) (file string, err error) {
	file = t.certs.file
	if !isPacked(file) {
		return "", nil
	}
	if len(pkgs) != 1 {
		return "", diag.Usagef("-cert %s: one file is for the tests of one package: give a folder", file)
	}
	if err := certFile(file); err != nil {
		return "", err
	}
	if t.certs.file, err = os.MkdirTemp("", "heddle-certificates-"); err != nil {
		return "", diag.Usagef("-cert: %v", err)
	}
	return file, nil
}

// searchRoom is how much memory a search that goes on for a while may well take.
const searchRoom = 2 << 30

// sideBySide returns how many packages to check at once: one for each processor that is not taken by the workers of others,
// if there is memory for them.
func (t *testChecker) sideBySide(all []*checkFlags) int {
	if t.side > 0 {
		return t.side
	}
	n, room := runtime.GOMAXPROCS(0), limit.Machine()
	for _, f := range all {
		n = min(n, runtime.GOMAXPROCS(0)/max(f.Search.Workers, 1))
		if f.Limits.Mem > 0 && (room == 0 || int64(f.Limits.Mem) < room) {
			room = int64(f.Limits.Mem)
		}
	}
	if room > 0 {
		n = min(n, int(room/searchRoom))
	}
	return max(n, 1)
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
		run.Settings = append(run.Settings, report.Setting{Name: "package_timeout", Value: t.timeout.String()})
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
			case own == nil || err != nil || given.Name == "timeout": // that is the time for a package
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
		if pkg.Err == nil {
			if err := applySettings(fs, f, pkg.Dir); err != nil {
				return nil, err
			}
		}
		f.Program.Servers = nil // heddle.yaml says it of the program
		if f.Limits.Timeout == 0 && t.budget > 0 {
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

// listAll lists the tests of all packages.
func (t *testChecker) listAll(ctx context.Context, pkgs []TestPackage, all []*checkFlags) error {
	listed := regexp.MustCompile(t.listed)
	for i, pkg := range pkgs {
		if pkg.Err != nil {
			return pkg.Err
		}
		if !pkg.Tests {
			fmt.Fprintf(t.app.Stdout, "?   \t%s\t[no test files]\n", pkg.Path)
			continue
		}
		names, others, _, err := t.app.listTests(ctx, BuildOptions{Source: t.source(pkg, all[i]), Test: true}, pkg)
		if err != nil {
			return err
		}
		for _, name := range names {
			if listed.MatchString(name) {
				fmt.Fprintln(t.app.Stdout, name)
			}
		}
		if others = slices.DeleteFunc(others, func(name string) bool { return !listed.MatchString(name) }); len(others) > 0 {
			fmt.Fprintf(t.app.Stderr, "%s: not checked, since only Test functions are: %s\n", pkg.Path, strings.Join(others, ", "))
		}
		fmt.Fprintf(t.app.Stdout, "ok  \t%s\n", pkg.Path)
	}
	return nil
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

// listTests builds the test binary of a package and asks it for its tests, and for the examples and fuzz targets.
func (app *App) listTests(ctx context.Context, o BuildOptions, pkg TestPackage) (names, others []string, prog *check.Code, err error) {
	if prog, err = app.Backend.Build(ctx, o); err != nil {
		return nil, nil, nil, err
	}
	var out, errOut bytes.Buffer
	code, err := app.Backend.Test(ctx, TestOptions{
		Source: o.Source, Code: prog, WorkDir: pkg.Dir, Args: []string{"-test.list=."}, Stdout: &out, Stderr: &errOut,
	})
	if err != nil {
		return nil, nil, nil, err
	}
	if code != 0 {
		return nil, nil, nil, diag.Usagef("%s: its tests cannot be listed: exit code %d: %s", pkg.Path, code, strings.TrimSpace(errOut.String()))
	}
	for line := range strings.Lines(out.String()) {
		switch name := strings.TrimSpace(line); {
		case strings.HasPrefix(name, "Test"):
			if !slices.Contains(names, name) { // -run does not tell one in p from one in p_test: both are checked together
				names = append(names, name)
			}
		case strings.HasPrefix(name, "Example"), strings.HasPrefix(name, "Fuzz"):
			others = append(others, name)
		}
	}
	return names, others, prog, nil
}
