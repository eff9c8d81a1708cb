package cli

import (
	"context"
	"flag"
	"io"
	"slices"
	"strconv"

	"github.com/heddle-mc/heddle/internal/diag"
)

var cmdTest = &command{
	name:  "test",
	args:  "[PACKAGE...] [-args ARGS]",
	mixed: true,
	short: "run the tests of packages in the virtual machine",
	long: `Test builds the test binary of each package, as go test does, and runs it once in
the virtual machine under one deterministic schedule. The flags -run, -skip,
-count, -v, -short and -json mean what they mean for go test, and may follow the
packages.`,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		t := tester{app: app}
		sourceFlags(fs, &t.src)
		once := fs.Bool("once", false, "run the tests under one schedule (required)")
		run := fs.String("run", "", "run only the tests that match `regexp`")
		skip := fs.String("skip", "", "do not run the tests that match `regexp`")
		short := fs.Bool("short", false, "tell long tests to be shorter")
		count := fs.Uint("count", 1, "run each test `n` times")
		fs.BoolVar(&t.verbose, "v", false, "print all tests as they run")
		fs.BoolVar(&t.json, "json", false, "print events as JSON, one a line")
		fs.Uint64Var(&t.seed, "seed", 0, "pick the schedule, map order and random numbers `N`")
		return func(ctx context.Context, args []string) (int, error) {
			if !*once {
				return 0, diag.Usagef("tests run under one schedule only: give -once")
			}
			var extra []string
			if i := slices.IndexFunc(args, isArgs); i >= 0 {
				args, extra = args[:i], args[i+1:]
			}
			if t.src.Patterns = args; len(args) == 0 {
				t.local = true
				t.src.Patterns = []string{"."}
			}
			t.args = append(testFlags(&t, *run, *skip, *count, *short), extra...)
			return t.runAll(ctx)
		}
	},
}

// testFlags returns the flags for the test binary, as go test passes them on.
func testFlags(t *tester, run, skip string, count uint, short bool) []string {
	flags := []string{"-test.paniconexit0"}
	switch {
	case t.json:
		flags = append(flags, "-test.v=test2json")
	case t.verbose:
		flags = append(flags, "-test.v=true")
	}
	if run != "" {
		flags = append(flags, "-test.run="+run)
	}
	if skip != "" {
		flags = append(flags, "-test.skip="+skip)
	}
	if count != 1 {
		flags = append(flags, "-test.count="+strconv.FormatUint(uint64(count), 10))
	}
	if short {
		flags = append(flags, "-test.short=true")
	}
	return flags
}

// A tester runs the tests of packages and reports as go test does.
type tester struct {
	app     *App
	src     Source
	args    []string // of the test binaries
	seed    uint64
	verbose bool
	json    bool
	local   bool // no package was named: the one in the current directory
}

// runAll runs the tests of all packages and returns the exit code: 0 if all
// passed, 1 if tests failed, and the code of the error if a package could not
// be built or its tests not run to their end.
func (t *tester) runAll(ctx context.Context) (int, error) {
	pkgs, err := t.app.Backend.Tests(ctx, t.src)
	if err != nil {
		return 0, err
	}
	code := diag.ExitOK
	for _, pkg := range pkgs {
		c, err := t.runOne(ctx, pkg)
		if err != nil {
			return 0, err
		}
		code = max(code, c)
	}
	if code != diag.ExitOK && !t.json {
		io.WriteString(t.app.Stdout, "FAIL\n")
	}
	return code, nil
}
