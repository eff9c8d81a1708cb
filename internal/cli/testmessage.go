package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/plain"
	"github.com/heddle-mc/heddle/internal/report"
	"github.com/heddle-mc/heddle/internal/trace"
)

// testMessage returns what a failing test has logged. It is output and no part of
// the state, so the steps are taken once more to see it.
func (c *checker) testMessage(t *target, s execute.Settings, tr *trace.Trace) (string, error) {
	out, err := c.output(t, s, false, func(sys lts.System) {
		for _, step := range tr.Path {
			sys.Take(step)
		}
	})
	return plain.Line(logged(out, tr.Finding.Pos, tr.Finding.Message)), err
}

// readableTest is the trace of a test as it is told: names are those within its package, and that main waits for the test goes without
// saying.
func readableTest(tr *trace.Trace, pkg string) *trace.Trace {
	own := tr.Renamed(report.ShortNames(pkg)).Readable()
	runner := func(w lts.Waiting) bool { return w.Pos.File == "_testmain.go" }
	if others := slices.DeleteFunc(slices.Clone(own.Waiting), runner); len(others) > 0 || own.Finding.Kind != string(execute.Deadlock) {
		own.Waiting = others
	}
	return own
}

// hasRun makes a result inconclusive if it says that a test is right that was never run, and notes whether it is skipped somewhere.
func (t *target) hasRun(res *explore.Result, list []lts.System) {
	check.NeverRun(res, t.prog.Bytecode, t.pkg, t.test, list)
	t.skips = t.test != "" && check.SkipsSome(list)
	t.none = t.test != "" && res.Verdict == explore.Verified && check.NoneRan(list)
}

// skipped notes whether a test that was verified skips itself under the one schedule that it has.
func (c *checker) skipped(t *target, r *report.Report) error {
	n := t.functions()
	if n > 1 {
		r.Functions = n
	}
	if r.Verdict != report.Verified {
		return nil
	}
	s, err := t.flags.System()
	if err != nil {
		return err
	}
	s.Known = t.used
	skips, err := c.skipsItself(t, s, t.flags.Search.Reduce, r.States, r.Transitions)
	r.Skipped, r.SkipsSome = skips == n, t.skips && skips == 0
	if n > 1 {
		r.SkippedFunctions = skips
	}
	return err
}

// functions is how many tests have the name of a test: a package and its tests outside may both have one.
func (t *target) functions() int {
	if t.prog.Bytecode == nil { // it was not loaded to its end
		return 1
	}
	return max(1, len(check.TestFunctions(t.prog.Bytecode, t.pkg, t.test)))
}

// skipsItself returns how many of the tests of one name skip themselves, if there is one schedule only of so many states and transitions.
func (c *checker) skipsItself(t *target, s execute.Settings, reduce bool, states, transitions int64) (int, error) {
	out, err := c.onlyOutput(t, s, reduce, states, transitions)
	ended := func(how string) int { return strings.Count(out, "--- "+how+": "+t.test+" (") }
	if skips := ended("SKIP"); skips+ended("PASS") == t.functions() {
		return skips, err
	}
	return 0, err // or it prints such lines itself
}

// onlyOutput returns the output of a test with so many states and transitions if it has one schedule only. How deep
// the graph is is not asked: several workers do not tell.
func (c *checker) onlyOutput(t *target, s execute.Settings, reduce bool, states, transitions int64) (string, error) {
	if transitions != states-1 {
		return "", nil
	}
	one := true
	out, err := c.output(t, s, true, func(sys lts.System) {
		var steps []lts.Step
		for range states {
			if steps = lts.Steps(sys, steps[:0], reduce); len(steps) != 1 {
				break
			}
			sys.Take(steps[0])
		}
		one = len(steps) == 0
	})
	if !one {
		out = ""
	}
	return out, err
}

// output returns what a program prints on a way through its states, to standard output or to both streams.
func (c *checker) output(t *target, s execute.Settings, both bool, walk func(lts.System)) (string, error) {
	var out bytes.Buffer
	p := t.process
	p.Stdout = &out
	if both {
		p.Stderr = &out
	}
	sys, err := t.prog.NewSystem(p, s)
	if err != nil {
		return "", err
	}
	if closer, ok := sys.(io.Closer); ok {
		defer closer.Close()
	}
	walk(sys)
	return out.String(), nil
}

// logLine is how package testing begins what is logged.
var logLine = regexp.MustCompile(`^ +[^ :]+\.go:[0-9]+: `)

// logged returns the last message in the output of a test that was logged at a
// place, or the last one if there is none: a helper logs in the name of its
// caller. Further lines of a message are indented.
func logged(output string, at diag.Pos, otherwise string) string {
	const indent = "    "
	mark := fmt.Sprintf("%s:%d: ", path.Base(at.File), at.Line)
	var here, last string
	in := &last
	for line := range strings.Lines(output) {
		line = strings.TrimSuffix(line, "\n")
		place := strings.TrimLeft(logLine.FindString(line), " ")
		switch {
		case place != "":
			if in = &last; place == mark {
				in = &here
			}
			*in = line[len(logLine.FindString(line)):]
		case in != nil && strings.HasPrefix(line, indent+indent):
			*in += "; " + strings.TrimSpace(line)
		default:
			in = nil
		}
	}
	return cmp.Or(here, last, otherwise)
}
