package cli

import (
	"context"
	"errors"
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
or what -budget says, a test that is not through is inconclusive. The flags -run,
-skip, -short, -v, -list, -failfast, -count, -shuffle, -p, -timeout and -tags mean what
they mean for go test, and all flags may follow the packages. A file heddle.yaml beside
a package may hold settings.

With -once the tests run once, under one deterministic schedule, and the output is
that of go test; -json then prints the events of go test -json.`,
	foreign: foreignTestFlags,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		t := tester{app: app}
		tc := testChecker{app: app, fs: fs, flags: new(checkFlags), out: new(outputFlags)}
		sourceFlags(fs, &t.src)
		tc.flags.declare(fs)
		tc.out.declare(fs)
		tc.out.declareBaseline(fs)
		fs.Lookup("timeout").Usage = "stop checking a package after duration `d`; 0 means no limit"
		fs.Lookup("v").Usage = "print a line for each test, all steps and why they matter and, on standard error, time and memory of each search"
		fs.StringVar(&tc.certs.file, "cert", "", "write a certificate of each test that holds to `folder`, or all of a package to FILE.zip, for heddle certify")
		fs.BoolVar(&tc.certs.tree, "cert-trustful", false, "of -cert: leave out what only those need who do not trust it")
		fs.DurationVar(&tc.budget, "budget", usualBudget, "stop checking a test after duration `d`; 0 means no limit")
		fs.BoolVar(&tc.failFast, "failfast", false, "check no more tests after the first violation")
		fs.StringVar(&tc.listed, "list", "", "list the tests that match `regexp`, and check none")
		once := fs.Bool("once", false, "run the tests once, under one schedule")
		fs.StringVar(&tc.runs, "run", "", "only the tests that match `regexp`")
		fs.StringVar(&tc.skips, "skip", "", "not the tests that match `regexp`")
		fs.BoolVar(&tc.short, "short", false, "tell long tests to be shorter")
		fs.UintVar(&tc.count, "count", 1, "check each test `n` times, each time with another -seed for the hunt")
		fs.Var(&tc.shuffle, "shuffle", "check the tests of a package in another order: off, on or the `seed` of one")
		fs.IntVar(&tc.side, "p", 0, "check `n` packages side by side; by default as many as there are processors, and memory for")
		return func(ctx context.Context, args []string) (int, error) {
			var extra []string
			if i := slices.IndexFunc(args, isArgs); i >= 0 {
				args, extra = args[:i], args[i+1:]
			}
			if t.src.Patterns = args; len(args) == 0 {
				t.local = true
				t.src.Patterns = []string{"."}
			}
			given := map[string]bool{}
			fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
			switch {
			case tc.count < 1:
				return 0, diag.Usagef("-count 0: say how often to check each test, or -list for which there are")
			case given["p"] && tc.side < 1:
				return 0, diag.Usagef("-p %d: say how many packages to check side by side, 1 or more", tc.side)
			}
			if !*once {
				tc.src, tc.args, tc.timeout = t.src, extra, tc.flags.Limits.Timeout
				return tc.checkAll(ctx)
			}
			if name := tc.checkingFlag(); name != "" {
				return 0, diag.Usagef("-%s is for checking: leave out -once", name)
			}
			t.json, t.verbose, t.seed, t.failFast = tc.out.json, tc.out.verbose, tc.flags.Search.Seed, tc.failFast
			t.args = append(testFlags(&t, &tc), extra...)
			t.side = tc.sideBySide(nil)
			return t.runAll(ctx)
		}
	},
}

// A shuffleFlag is the value of -shuffle.
type shuffleFlag struct {
	on   bool
	seed *int64 // nil for one that nobody has chosen
}

func (s *shuffleFlag) String() string {
	switch {
	case s == nil || !s.on:
		return "off"
	case s.seed == nil:
		return "on"
	}
	return strconv.FormatInt(*s.seed, 10)
}

func (s *shuffleFlag) Set(text string) error {
	*s = shuffleFlag{on: text != "off"}
	if text == "off" || text == "on" {
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return errors.New("say off, on or a number")
	}
	s.seed = &n
	return nil
}

// next returns the seed for a package, if there is to be one.
func (s *shuffleFlag) next() (seed int64, on bool) {
	if s.on && s.seed == nil {
		return time.Now().UnixNano(), true
	}
	if s.on {
		seed = *s.seed
	}
	return seed, s.on
}

// foreignTestFlags are the flags of go test that heddle test has not, with what to do instead.
var foreignTestFlags = map[string]string{
	"bench": noBenchmarks, "benchtime": noBenchmarks, "benchmem": noBenchmarks,
	"fuzz": noFuzzing, "fuzztime": noFuzzing, "fuzzminimizetime": noFuzzing, "fuzzcachedir": noFuzzing,
	"cover": onlyProfile, "covermode": onlyProfile, "coverpkg": onlyProfile,
	"blockprofile": noProfile, "blockprofilerate": noProfile, "cpuprofile": noProfile, "memprofile": noProfile, "memprofilerate": noProfile,
	"mutexprofile": noProfile, "mutexprofilefraction": noProfile, "trace": noProfile, "outputdir": noProfile,
	"parallel": "parallel tests all run at once, under every schedule; -p n checks n packages side by side",
	"cpu":      "all schedules are followed, whatever the number of processors; -workers n searches with n of them",
	"vet":      "heddle does not vet: go vet does",
	"fullpath": "positions are relative to the working directory: leave it out",
	"c":        noBinary, "exec": noBinary, "x": noBinary, "n": noBinary, "a": noBinary, "work": noBinary,
	"gcflags": noBinary, "ldflags": noBinary, "asmflags": noBinary, "msan": noBinary, "asan": noBinary, "trimpath": noBinary, "buildvcs": noBinary,
	"mod": inGoflags, "modfile": inGoflags, "overlay": inGoflags, "modcacherw": inGoflags, "pgo": inGoflags,
}

const (
	noBenchmarks = "benchmarks are not checked: go test runs them"
	noFuzzing    = "fuzz targets are not checked: go test runs them"
	onlyProfile  = "-coverprofile file writes what any schedule has executed"
	noProfile    = "a search has no profile of the program: go test makes them"
	noBinary     = "heddle compiles and executes tests itself: leave it out"
	inGoflags    = "set it in the environment: GOFLAGS"
)

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
			if (own.Lookup(f.Name) != nil || slices.Contains([]string{"budget", "cert", "cert-trustful", "list", "write-baseline"}, f.Name)) && name == "" {
				name = f.Name
			}
		}
	})
	return name
}

// testFlags returns the flags for the test binary, as go test passes them on.
func testFlags(t *tester, c *testChecker) []string {
	flags := []string{"-test.paniconexit0"}
	switch {
	case t.json:
		flags = append(flags, "-test.v=test2json")
	case t.verbose:
		flags = append(flags, "-test.v=true")
	}
	if c.runs != "" {
		flags = append(flags, "-test.run="+c.runs)
	}
	if c.skips != "" {
		flags = append(flags, "-test.skip="+c.skips)
	}
	if c.count != 1 {
		flags = append(flags, "-test.count="+strconv.FormatUint(uint64(c.count), 10))
	}
	if c.short {
		flags = append(flags, "-test.short=true")
	}
	if c.failFast {
		flags = append(flags, "-test.failfast=true")
	}
	if seed, on := c.shuffle.next(); on { // the clock of the machine is the same in each run
		flags = append(flags, "-test.shuffle="+strconv.FormatInt(seed, 10))
	}
	return flags
}

// A tester runs the tests of packages and reports as go test does.
type tester struct {
	app      *App
	src      Source
	args     []string // of the test binaries
	seed     uint64
	verbose  bool
	json     bool
	failFast bool
	side     int  // so many packages at once
	local    bool // no package was named: the one in the current directory
}

// runAll runs the tests of all packages and returns the exit code: 0 if all
// passed, 1 if tests failed, and the code of the error if a package could not
// be built or its tests not run to their end.
func (t *tester) runAll(ctx context.Context) (int, error) {
	pkgs, err := t.app.Backend.Tests(ctx, t.src)
	if err != nil {
		return 0, err
	}
	if t.failFast { // one after the other, so that it is known which is the first
		t.side = 1
	}
	codes := make([]int, len(pkgs))
	failed := false
	err = newLanes(len(pkgs)).run(t.side, func(l *lane) {
		if t.failFast && failed {
			return
		}
		own, app := *t, *t.app
		app.Stdout, app.Stderr = &laneWriter{l, t.app.Stdout}, &laneWriter{l, t.app.Stderr}
		own.app = &app
		if codes[l.number], l.err = own.runOne(ctx, pkgs[l.number]); t.failFast {
			failed = failed || codes[l.number] != diag.ExitOK
		}
	})
	if err != nil {
		return 0, err
	}
	code := slices.Max(append(codes, diag.ExitOK))
	if code != diag.ExitOK && !t.json {
		io.WriteString(t.app.Stdout, "FAIL\n")
	}
	return code, nil
}
