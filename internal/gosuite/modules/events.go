package main

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"
)

// What may become of a test.
const (
	passed  = "pass"
	failed  = "fail"
	skipped = "skip"
	refused = "refused"  // the machine does not run it to its end
	slow    = "too slow" // nothing was heard of it for too long
	died    = "died"     // its process ended before it did
	missing = "not run"
)

// An outcome is what became of a test, and what it printed.
type outcome struct {
	Result string
	Output string `json:",omitempty"`
	Why    string `json:",omitempty"` // it has no result of its own
}

// ended reports whether the test came to its end by itself.
func (o outcome) ended() bool {
	return o.Result == passed || o.Result == failed || o.Result == skipped
}

// An outcomes holds what became of each test of a package, subtests included,
// by name. What the package printed outside of tests has the name "".
type outcomes map[string]outcome

// An event is a line of go test -json.
type event struct{ Action, Test, Output string }

// readEvents reads the output of go test -json and calls heard after each event.
// The result of a test is what its own line says: an event of that name is also
// made up for tests that were cut off, which are "died" here.
func readEvents(r io.Reader, heard func()) (outcomes, error) {
	tests := outcomes{}
	in := bufio.NewReader(r)
	for {
		line, err := in.ReadBytes('\n')
		heard()
		var e event
		if len(line) > 0 && json.Unmarshal(line, &e) == nil {
			tests.add(e)
		}
		if err == io.EOF {
			return tests, nil
		}
		if err != nil {
			return tests, err
		}
	}
}

func (tests outcomes) add(e event) {
	o, ok := tests[e.Test]
	if e.Test != "" && !ok {
		o.Result = died
	}
	if e.Action == "output" {
		o.Output += e.Output
		line := strings.TrimLeft(e.Output, " ")
		for _, result := range []string{passed, failed, skipped} {
			if strings.HasPrefix(line, "--- "+strings.ToUpper(result)+": "+e.Test+" (") {
				o.Result = result
			}
		}
	}
	tests[e.Test] = o
}

// running returns the tests at the top that have not ended.
func (tests outcomes) running() (names []string) {
	for _, name := range sorted(tests) {
		if name != "" && !strings.Contains(name, "/") && !tests[name].ended() {
			names = append(names, name)
		}
	}
	return names
}
