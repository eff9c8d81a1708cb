package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
)

// A fake backend records what it is asked for, and does what the name of the
// package says.
type fake struct {
	mu    sync.Mutex
	calls []string
}

func (f *fake) act(what string, src Source) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, fmt.Sprintf("%s %q tags=%q C=%q nocache=%t", what, src.Patterns, src.Tags, src.Dir, src.NoCache))
	switch src.Patterns[0] {
	case "panics":
		panic("index out of range")
	case "bug":
		panic(diag.Bugf("rewind past mark"))
	case "plain":
		return 0, errors.New("no kind")
	case "bad.go":
		return 0, diag.List{diag.Sourcef(diag.Pos{File: "bad.go", Line: 1, Col: 2}, "undefined: x")}
	case "late":
		return 0, diag.RunUnsupportedf(diag.Pos{File: "late.go", Line: 3}, "assembly")
	case "exit7":
		return 7, nil
	}
	return 0, nil
}

func (f *fake) Run(ctx context.Context, o RunOptions) (int, error) {
	return f.act(fmt.Sprintf("run seed=%d args=%q", o.Seed, o.Args), o.Source)
}

func (f *fake) Build(ctx context.Context, o BuildOptions) (*check.Code, error) {
	_, err := f.act(fmt.Sprintf("build test=%t access=%t", o.Test, o.Access), o.Source)
	return &check.Code{Identity: "toy", NewSystem: newToy}, err
}

func (f *fake) Tests(ctx context.Context, src Source) ([]TestPackage, error) {
	if src.Patterns[0] == "none" {
		return nil, diag.Usagef("none: no packages match")
	}
	var list []TestPackage
	for _, p := range src.Patterns {
		list = append(list, TestPackage{Path: p, Dir: "/src/" + p, Tests: p != "untested"})
	}
	return list, nil
}

func (f *fake) Test(ctx context.Context, o TestOptions) (int, error) {
	if o.Patterns[0] == "listed" {
		fmt.Fprint(o.Stdout, "TestA\nTestB\nBenchmarkC\nExampleD\nFuzzE\n")
		return 0, nil
	}
	if o.Patterns[0] == "failing" {
		fmt.Fprint(o.Stdout, "=== RUN   TestX\n--- FAIL: TestX (0.00s)\nFAIL\n")
		return 1, nil
	}
	fmt.Fprint(o.Stdout, "=== RUN   TestX\n--- PASS: TestX (0.00s)\nPASS\n")
	return f.act(fmt.Sprintf("test seed=%d args=%q in=%s", o.Seed, o.Args, o.WorkDir), o.Source)
}

func (f *fake) Disasm(ctx context.Context, src Source, fn string, w io.Writer) error {
	_, err := f.act("disasm "+fn, src)
	return err
}

func (f *fake) Intrinsics(w io.Writer) error {
	_, err := io.WriteString(w, "runtime.nanotime\tvirtual time\n")
	return err
}

// invoke runs a command line against the fake backend.
func invoke(line string) (code int, stdout, stderr string, calls []string) {
	var out, errOut bytes.Buffer
	f := new(fake)
	app := &App{Stdout: &out, Stderr: &errOut, Backend: f}
	code = twice(context.Background(), app, strings.Fields(line))
	return code, out.String(), errOut.String(), f.calls
}

func TestCalls(t *testing.T) {
	for _, test := range []struct {
		line, want string
		code       int
	}{
		{"run ./hello", `run seed=0 args=[] ["./hello"] tags=[] C="" nocache=false`, 0},
		{"run -seed 3 -tags a,b -C /d -nocache . x -y", `run seed=3 args=["x" "-y"] ["."] tags=["a" "b"] C="/d" nocache=true`, 0},
		{"run a.go b.go -- c.go", `run seed=0 args=["c.go"] ["a.go" "b.go"] tags=[] C="" nocache=false`, 0},
		{"run a.go b -- c", `run seed=0 args=["b" "--" "c"] ["a.go"] tags=[] C="" nocache=false`, 0},
		{"run exit7", `run seed=0 args=[] ["exit7"] tags=[] C="" nocache=false`, 7},
		{"test -once", `test seed=0 args=["-test.paniconexit0"] in=/src/. ["."] tags=[] C="" nocache=false`, 0},
		{"test -once -p 1 -v -run T -skip U -short strings sort -args -x",
			`test seed=0 args=["-test.paniconexit0" "-test.v=true" "-test.run=T" "-test.skip=U" "-test.short=true" "-x"] in=/src/strings ["strings"] tags=[] C="" nocache=false
test seed=0 args=["-test.paniconexit0" "-test.v=true" "-test.run=T" "-test.skip=U" "-test.short=true" "-x"] in=/src/sort ["sort"] tags=[] C="" nocache=false`, 0},
		{"test -once -json -seed 2 p", `test seed=2 args=["-test.paniconexit0" "-test.v=test2json"] in=/src/p ["p"] tags=[] C="" nocache=false`, 0},
		{"test p -once -p 1 -count 2 -v q --args -v", `test seed=0 args=["-test.paniconexit0" "-test.v=true" "-test.count=2" "-v"] in=/src/p ["p"] tags=[] C="" nocache=false
test seed=0 args=["-test.paniconexit0" "-test.v=true" "-test.count=2" "-v"] in=/src/q ["q"] tags=[] C="" nocache=false`, 0},
		{"test -once -args -x", `test seed=0 args=["-test.paniconexit0" "-x"] in=/src/. ["."] tags=[] C="" nocache=false`, 0},
		{"disasm . main.main", `disasm main.main ["."] tags=[] C="" nocache=false`, 0},
	} {
		code, _, stderr, calls := invoke(test.line)
		if got := strings.Join(calls, "\n"); got != test.want || code != test.code {
			t.Errorf("%s:\ngot  %s (exit %d) %s\nwant %s (exit %d)", test.line, got, code, stderr, test.want, test.code)
		}
	}
}

func TestFailures(t *testing.T) {
	for _, test := range []struct {
		line   string
		code   int
		stderr string // its first line
	}{
		{"", 2, "Heddle checks Go programs: it runs them in a virtual machine of its own, under"},
		{"rnu", 2, `heddle: unknown command "rnu": did you mean run? 'heddle help' lists all commands`},
		{"run", 2, "heddle run: no package given: name a main package or its .go files"},
		{"run -x .", 2, "heddle run: flag provided but not defined: -x"},
		{"run -seed x .", 2, `heddle run: invalid value "x" for flag -seed: parse error`},
		{"run a.go a_test.go", 2, "heddle run: a_test.go is a test file: run it with heddle test"},
		{"test . -once -nosuch", 2, "heddle test: flag provided but not defined: -nosuch"},
		{"test . -x", 2, "heddle test: -x: heddle compiles and executes tests itself: leave it out"},
		{"test -once . -count", 2, "heddle test: flag needs an argument: -count"},
		{"test -once none", 2, "heddle test: none: no packages match"},
		{"clean", 2, "heddle clean: nothing to clean: give -cache to remove all compiled code"},
		{"version x", 2, `heddle version: unexpected argument "x"`},
		{"help x", 2, `heddle help: unknown command "x": 'heddle help' lists all commands`},
		{"disasm . a b", 2, "heddle disasm: 2 functions given: name one or none"},
		{"run bad.go", 2, "bad.go:1:2: undefined: x"},
		{"run late", 3, "late.go:3: assembly: not supported (see docs/LIMITS.md)"},
		{"run panics", 4, "heddle: internal error: index out of range"},
		{"run bug", 4, "heddle: internal error: rewind past mark"},
		{"run plain", 4, "no kind"},
	} {
		code, stdout, stderr, _ := invoke(test.line)
		first, _, _ := strings.Cut(stderr, "\n")
		if code != test.code || first != test.stderr || stdout != "" {
			t.Errorf("heddle %s: got exit %d, %q, want exit %d, %q (stdout %q)", test.line, code, first, test.code, test.stderr, stdout)
		}
	}
}

// times are replaced in the output of tests.
var times = regexp.MustCompile(`\d+\.\d\d\ds`)

func TestTestOutput(t *testing.T) {
	for _, test := range []struct {
		line, stdout, stderr string
		code                 int
	}{
		{"test -once good untested", "ok  \tgood\tTIME\n?   \tuntested\t[no test files]\n", "", 0},
		{"test -once -v good", "=== RUN   TestX\n--- PASS: TestX (0.00s)\nPASS\nok  \tgood\tTIME\n", "", 0},
		{"test -once failing good",
			"=== RUN   TestX\n--- FAIL: TestX (0.00s)\nFAIL\nFAIL\tfailing\tTIME\nok  \tgood\tTIME\nFAIL\n", "", 1},
		{"test -once late good",
			"=== RUN   TestX\n--- PASS: TestX (0.00s)\nPASS\nFAIL\tlate [not run to the end]\nok  \tgood\tTIME\nFAIL\n",
			"# late\nlate.go:3: assembly: not supported (see docs/LIMITS.md)\n", 3},
	} {
		code, stdout, stderr, _ := invoke(test.line)
		stdout = times.ReplaceAllString(stdout, "TIME")
		if stdout != test.stdout || stderr != test.stderr || code != test.code {
			t.Errorf("%s: got exit %d\n%s%swant exit %d\n%s%s", test.line, code, stdout, stderr, test.code, test.stdout, test.stderr)
		}
	}
}

func TestTestJSON(t *testing.T) {
	code, stdout, stderr, _ := invoke("test -once -json failing")
	if code != 1 || stderr != "" {
		t.Errorf("got exit %d, %s, want exit 1", code, stderr)
	}
	for _, want := range []string{`"Action":"run","Package":"failing","Test":"TestX"`, `"Action":"fail","Package":"failing"`} {
		if !strings.Contains(stdout, want) {
			t.Errorf("got\n%s\nwant %s in it", stdout, want)
		}
	}
}

func TestInternalErrorSaysWhatReproducesIt(t *testing.T) {
	_, _, stderr, _ := invoke("run -seed 7 panics a'b")
	for _, want := range []string{"\theddle run -seed 7 panics \"a'b\"\n", "cli_test.go", versionLine()} {
		if !strings.Contains(stderr, want) {
			t.Errorf("got\n%s\nwant %q in it", stderr, want)
		}
	}
}

// TestHelp checks that each command is listed and explained, flags included.
func TestHelp(t *testing.T) {
	code, list, _, _ := invoke("help")
	if code != 0 {
		t.Errorf("help: got exit %d, want 0", code)
	}
	for _, cmd := range commands() {
		if !strings.Contains(list, "  "+cmd.name+" ") {
			t.Errorf("the list lacks %s", cmd.name)
		}
		code, long, _, _ := invoke("help " + cmd.name)
		if code != 0 || !strings.HasPrefix(long, "usage: heddle "+cmd.name) || !strings.Contains(long, cmd.long) {
			t.Errorf("help %s: got exit %d\n%s", cmd.name, code, long)
		}
		if code, same, _, _ := invoke(cmd.name + " -h"); code != 0 || same != long {
			t.Errorf("%s -h: got exit %d\n%s\nwant the text of help", cmd.name, code, same)
		}
	}
	if _, long, _, _ := invoke("help run"); !strings.Contains(long, "-seed N") {
		t.Errorf("help run does not explain -seed:\n%s", long)
	}
}
