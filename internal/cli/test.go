package cli

import (
	"context"
	"flag"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/heddle-mc/heddle/internal/diag"
)

var cmdTest = &command{
	name:  "test",
	args:  "[PACKAGE...] [-args ARGS]",
	mixed: true,
	short: "check the tests of packages under every schedule",
	long: `Test builds the test binary of each package, as go test does, and checks each of
its Test functions under every schedule: a test has to pass under all of them, and
must not leak a goroutine, block for ever, race or panic under any. Each test is a
program of its own, with a verdict of its own: see heddle help check. After 30 s,
or what -budget says, a test that is not through is not conclusive. The flags -run,
-skip, -short, -v, -list, -failfast and -tags mean what they mean for go test, and all
flags may follow the packages. A file heddle.yaml beside a package may hold settings.

With -once the tests run once, under one deterministic schedule, and the output is
that of go test; -json then prints the events of go test -json.`,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		t := tester{app: app}
		tc := testChecker{app: app, fs: fs, flags: new(checkFlags), out: new(outputFlags)}
		sourceFlags(fs, &t.src)
		tc.flags.declare(fs)
		tc.out.declare(fs)
		fs.StringVar(&tc.certs.file, "cert", "", "write a certificate of each test that holds to `folder`, for heddle certify")
		fs.BoolVar(&tc.certs.tree, "cert-trustful", false, "of -cert: leave out what only those need who do not trust it")
		fs.DurationVar(&tc.budget, "budget", usualBudget, "stop checking a test after duration `d`, unless -timeout says otherwise; 0 means no limit")
		fs.BoolVar(&tc.failFast, "failfast", false, "check no more tests after the first violation")
		fs.StringVar(&tc.listed, "list", "", "list the tests that match `regexp`, and check none")
		once := fs.Bool("once", false, "run the tests once, under one schedule")
		run := fs.String("run", "", "only the tests that match `regexp`")
		skip := fs.String("skip", "", "not the tests that match `regexp`")
		short := fs.Bool("short", false, "tell long tests to be shorter")
		count := fs.Uint("count", 1, "with -once: run each test `n` times")
		return func(ctx context.Context, args []string) (int, error) {
			var extra []string
			if i := slices.IndexFunc(args, isArgs); i >= 0 {
				args, extra = args[:i], args[i+1:]
			}
			if t.src.Patterns = args; len(args) == 0 {
				t.local = true
				t.src.Patterns = []string{"."}
			}
			if !*once {
				if *count != 1 {
					return 0, diag.Usagef("-count is for -once: checking a test twice gives the same twice")
				}
				tc.src, tc.run, tc.skip, tc.short, tc.args = t.src, *run, *skip, *short, extra
				return tc.checkAll(ctx)
			}
			if tc.certs.file != "" {
				return 0, diag.Usagef("-cert is for checking: leave out -once")
			}
			if tc.listed != "" {
				return 0, diag.Usagef("-list is for checking: leave out -once")
			}
			if name := tc.checkingFlag(); name != "" {
				return 0, diag.Usagef("-%s is for checking: leave out -once", name)
			}
			t.json, t.verbose, t.seed = tc.out.json, tc.out.verbose, tc.flags.Search.Seed
			t.args = append(testFlags(&t, *run, *skip, *count, *short), extra...)
			return t.runAll(ctx)
		}
	},
}

// usualBudget is how long a test is checked if nobody says how long.
const usualBudget = 30 * time.Second

// checkingFlag returns a flag that was given and has no meaning for a single run,
// or "".
func (t *testChecker) checkingFlag() (name string) {
	own := flag.NewFlagSet("", flag.ContinueOnError)
	new(checkFlags).declare(own)
	new(outputFlags).declare(own)
	t.fs.Visit(func(f *flag.Flag) {
		switch f.Name {
		case "seed", "json", "v":
		default:
			if (own.Lookup(f.Name) != nil || f.Name == "budget" || f.Name == "failfast") && name == "" {
				name = f.Name
			}
		}
	})
	return name
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
