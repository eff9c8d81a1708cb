package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/heddle-mc/heddle/internal/diag"
)

// An event is a line of go test -json; go doc test2json has its fields.
type event struct {
	Time    *time.Time `json:",omitempty"`
	Action  string
	Package string   `json:",omitempty"`
	Test    string   `json:",omitempty"`
	Elapsed *float64 `json:",omitempty"`
	Output  string   `json:",omitempty"`
}

// An eventWriter writes the events of reports as they come. Reports of one
// package come one after the other.
type eventWriter struct {
	w       io.Writer
	now     func() time.Time // nil for events without Time
	open    bool             // a package has started
	pkg     string
	failed  bool
	seconds float64
	line    string // the last line on the package, if it is not the usual one
	err     error
}

func (e *eventWriter) put(ev event) {
	if e.err != nil {
		return
	}
	if e.now != nil {
		t := e.now()
		ev.Time = &t
	}
	ev.Package = e.pkg
	var b bytes.Buffer
	enc := json.NewEncoder(&b) // ends the line
	if e.err = enc.Encode(ev); e.err == nil {
		_, e.err = e.w.Write(b.Bytes())
	}
}

// output puts one event for each line.
func (e *eventWriter) output(test, text string) {
	for line := range strings.Lines(text) {
		e.put(event{Action: "output", Test: test, Output: line})
	}
}

func (e *eventWriter) result(action, test string, seconds float64) {
	elapsed := math.Round(seconds*1e3) / 1e3
	e.put(event{Action: action, Test: test, Elapsed: &elapsed})
}

// begin begins a package, unless that is the one that has begun.
func (e *eventWriter) begin(pkg string) {
	if !e.open || pkg != e.pkg {
		e.endPackage()
		e.open, e.pkg, e.failed, e.seconds = true, pkg, false, 0
		e.put(event{Action: "start"})
	}
}

// end ends a package of tests. One without any is skipped, as for go test.
func (e *eventWriter) end(run *Run, p *Package) error {
	e.begin(p.Path)
	e.seconds = p.Seconds
	word, rest := p.line(run)
	if word == wordNone {
		e.open = false
		e.output("", word+rest+"\n")
		e.result("skip", "", 0)
		return e.err
	}
	e.line = word + rest + "\n"
	return e.endPackage()
}

// report writes the events of one target. A target without test has no events
// but those of its package.
func (e *eventWriter) report(run *Run, r *Report) error {
	e.begin(suiteName(r))
	action := "pass"
	switch {
	case r.ExitCode() != diag.ExitOK:
		action = "fail"
	case r.Skipped:
		action = "skip"
	}
	e.failed = e.failed || action == "fail"
	e.seconds += r.Seconds
	var text strings.Builder
	writeText(&text, run, r, false) // a Builder does not fail
	if r.Test == "" {
		e.output("", text.String())
		return e.err
	}
	e.put(event{Action: "run", Test: r.Test})
	e.output(r.Test, fmt.Sprintf("=== RUN   %s\n", r.Test))
	e.output(r.Test, text.String())
	e.output(r.Test, fmt.Sprintf("--- %s: %s (%.2fs)\n", strings.ToUpper(action), r.Test, r.Seconds))
	e.result(action, r.Test, r.Seconds)
	return e.err
}

// endPackage ends the package that the last reports were about, if there is one.
// A package whose tests all skip themselves has passed, as for go test.
func (e *eventWriter) endPackage() error {
	if !e.open {
		return e.err
	}
	e.open = false
	action, line := "pass", wordOK
	if e.failed {
		action, line = "fail", wordFail
	}
	e.output("", strings.ToUpper(action)+"\n")
	if e.line == "" {
		e.line = fmt.Sprintf("%s\t%s\t%.3fs\n", line, e.pkg, e.seconds)
	}
	e.output("", e.line)
	e.line = ""
	e.result(action, "", e.seconds)
	return e.err
}
