package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/gosuite/runcmd"
)

//go:embed exceptions.txt
var exceptionsText string

// exceptions are the functions whose answer is another one, with the reason.
func exceptions() map[string]string {
	all := make(map[string]string)
	for line := range strings.SplitSeq(exceptionsText, "\n") {
		if name, why, ok := strings.Cut(line, ": "); ok && !strings.HasPrefix(line, "#") {
			all[name] = why
		}
	}
	return all
}

// Options say what is checked.
type Options struct {
	Run     string                 // only functions that match this regular expression
	Only    func(name string) bool // only these, if it is not nil
	States  int                    // budget of a function, 5,000 if it is 0
	Without []string               // files to leave out
}

// A Result is what became of a function.
type Result struct {
	Name    string
	Race    bool   // a race is wanted
	Found   bool   // a race was found
	Skipped bool   // the function skips itself, in Go too: nothing is known of it
	Got     string // in words
	Reason  string // of an exception
}

// Right reports whether the answer is the wanted one, or another one for a known reason. There is none
// of a function that skips itself.
func (r Result) Right() bool {
	if r.Skipped {
		return r.Reason == ""
	}
	return (r.Race == r.Found) == (r.Reason == "")
}

func (r Result) String() string {
	return fmt.Sprintf("%s: got %s, want %s, exception %q", r.Name, r.Got, wanted(r.Race), r.Reason)
}

func wanted(race bool) string {
	if race {
		return "race"
	}
	return "no race"
}

// An edit is a change to a file of the tests.
type edit struct {
	file, old, new string
}

// edits are what is changed in the files, and why.
var edits = []edit{
	// It exists in programs that are built with -race only, and tells the detector to stop.
	{"mop_test.go", "runtime.RaceDisable()", "runtime.Gosched()"},
	// This one races before any test begins, which the Go team does not look at.
	{"regression_test.go", "var _ LogImpl = NewLog()", "var _ = NewLog"},
	// An internal package can be used inside of the standard library only.
	{"synctest_test.go", `"internal/synctest"`, `"testing/synctest"`},
	{"synctest_test.go", "synctest.Run(func() {", "synctest.Test(t, func(t *testing.T) {"},
}

// left are the files that are left out: cgo_test.go starts the go command on a program with cgo.
var left = []string{"cgo_test.go", "cgo_test_main.go"}

var function = regexp.MustCompile(`(?m)^func (Test(?:No)?Race\w*)\(`)

// prepare copies the tests of a Go distribution into a folder, and returns their names.
func prepare(goroot, dir string, without []string) ([]string, error) {
	from := filepath.Join(goroot, "src", "runtime", "race", "testdata")
	files, err := filepath.Glob(filepath.Join(from, "*.go"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no tests", from)
	}
	var names []string
	todo := slices.Clone(edits)
	for _, file := range files {
		base := filepath.Base(file)
		if slices.Contains(left, base) || slices.Contains(without, base) {
			continue
		}
		b, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		text := string(b)
		todo = slices.DeleteFunc(todo, func(e edit) bool {
			if e.file != base || !strings.Contains(text, e.old) {
				return false
			}
			text = strings.ReplaceAll(text, e.old, e.new)
			return true
		})
		for _, m := range function.FindAllStringSubmatch(text, -1) {
			names = append(names, m[1])
		}
		if err := os.WriteFile(filepath.Join(dir, base), []byte(text), 0o666); err != nil {
			return nil, err
		}
	}
	if len(todo) > 0 {
		return nil, fmt.Errorf("%s: %q is not in %s: edits do not fit this version of Go", from, todo[0].old, todo[0].file)
	}
	slices.Sort(names)
	return names, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module racetests\n\ngo 1.26\n"), 0o666)
}

// answer is what is read of the output of heddle test -json.
type answer struct {
	Findings []struct{ Target, Kind, Message string }
	Targets  []struct {
		Target, Test, Verdict, Sentence string
		States                          int
		Skipped                         bool
	}
}

// Check checks functions of the race detector's tests.
func Check(goroot string, o Options) ([]Result, error) {
	dir, err := os.MkdirTemp("", "racesuite")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	names, err := prepare(goroot, dir, o.Without)
	if err != nil {
		return nil, err
	}
	run, err := regexp.Compile(o.Run)
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		return !run.MatchString(name) || o.Only != nil && !o.Only(name)
	})
	states := o.States
	if states == 0 {
		states = 5000
	}
	var cmd runcmd.Command
	_, out, errs := cmd.Run("test", "-C", dir, "-o", filepath.Join(dir, "out"), "-nocache", "-json", "-states", fmt.Sprint(states), "-budget", "1m",
		"-run", "^("+strings.Join(names, "|")+")$", ".")
	var a answer
	if err := json.Unmarshal([]byte(strings.ReplaceAll(out, dir+"/", "")), &a); err != nil {
		return nil, fmt.Errorf("heddle test: %v: %s", err, errs)
	}
	return judge(names, &a)
}

// judge makes results of what the command has said.
func judge(names []string, a *answer) ([]Result, error) {
	why := exceptions()
	var list []Result
	for _, t := range a.Targets {
		i, ok := slices.BinarySearch(names, t.Test)
		if !ok {
			return nil, fmt.Errorf("%s %s: %s", t.Target, t.Test, t.Sentence)
		}
		r := Result{Name: names[i], Race: strings.HasPrefix(names[i], "TestRace"), Reason: why[names[i]]}
		var kinds []string
		for _, f := range a.Findings {
			if f.Target == t.Target {
				r.Found = r.Found || isRace(f.Kind, f.Message)
				kinds = append(kinds, f.Kind+": "+f.Message)
			}
		}
		switch {
		case len(kinds) > 0:
			r.Got = strings.Join(kinds, "; ")
		case t.Skipped:
			r.Got, r.Skipped = "skips itself", true
		case t.Verdict == "verified":
			r.Got = fmt.Sprintf("verified, %d states", t.States)
		default:
			r.Got = "no race in a search that came to no end"
		}
		list = append(list, r)
	}
	if len(list) != len(names) {
		return nil, fmt.Errorf("got answers on %d functions, want %d", len(list), len(names))
	}
	slices.SortFunc(list, func(a, b Result) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// isRace reports whether a finding is a race in the eyes of the race detector's tests: they count
// what the runtime says of maps too. That a channel is closed while another goroutine sends is a
// race for the detector and a panic here, unless somebody recovers from it.
func isRace(kind, message string) bool {
	return kind == "race" || strings.HasPrefix(message, "concurrent map") ||
		strings.HasPrefix(message, "send on closed channel") || strings.HasPrefix(message, "close of closed channel")
}

// Page is the table of results.
func Page(list []Result) string {
	var b strings.Builder
	races, found, clean, exceptions, skipped := 0, 0, 0, 0, 0
	for _, r := range list {
		switch {
		case r.Skipped:
			skipped++
		case r.Reason != "":
			exceptions++
		case r.Race:
			found++
		default:
			clean++
		}
		if r.Race {
			races++
		}
	}
	fmt.Fprintf(&b, `# The race detector's own tests

The functions of `+"`runtime/race/testdata`"+` of the Go distribution, each checked by `+"`heddle test`"+` with default flags, at most
5,000 states and a minute (package `+"`internal/gosuite/racesuite`"+`). Made by

    make race-suite

%d functions, %d of them with a race. Of those %d are found; %d functions without a race have none; %d are exceptions, whose
reasons are in docs/LIMITS.md; and %d skip themselves, natively too, so that they show nothing.

| function | wanted | got | exception |
| --- | --- | --- | --- |
`, len(list), races, found, clean, exceptions, skipped)
	for _, r := range list {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", r.Name, wanted(r.Race), r.Got, r.Reason)
	}
	return b.String()
}
