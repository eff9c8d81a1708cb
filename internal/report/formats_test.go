package report

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// decode reads one JSON object and nothing else.
func decode(t *testing.T, text string) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return v
}

// fields lists the paths of all fields below a value, with [] for elements.
// Names below the members of keep are data, not fields.
func fields(v any, path string, into map[string]bool, keep []string) {
	switch v := v.(type) {
	case map[string]any:
		if slices.Contains(keep, path) {
			return
		}
		for name, member := range v {
			p := strings.TrimPrefix(path+"."+name, ".")
			into[p] = true
			fields(member, p, into, keep)
		}
	case []any:
		for _, e := range v {
			fields(e, path+"[]", into, keep)
		}
	}
}

var jsonFields = strings.Fields(`
	heddle command verdict exit_code
	states transitions revisited depth seconds cpu_seconds peak_bytes
	bounds properties settings findings left targets packages
	packages[].package packages[].verdict packages[].line packages[].seconds packages[].shuffle packages[].tests packages[].verified
	packages[].failed packages[].inconclusive packages[].skipped packages[].not_checked packages[].others
	findings[].loop findings[].target findings[].kind findings[].message findings[].pos findings[].before findings[].trace
	findings[].blocked findings[].replay findings[].folder
	findings[].trace[].n findings[].trace[].actor findings[].trace[].pos findings[].trace[].action
	findings[].trace[].messages findings[].trace[].messages[].from findings[].trace[].messages[].to findings[].trace[].messages[].text
	findings[].trace[].changed findings[].trace[].switch findings[].trace[].preemption findings[].trace[].matters
	findings[].trace[].changed[].name findings[].trace[].changed[].old findings[].trace[].changed[].new
	findings[].blocked[].actor findings[].blocked[].for findings[].blocked[].pos findings[].blocked[].releasers
	findings[].stacks findings[].stacks[].actor findings[].stacks[].action findings[].stacks[].frames findings[].stacks[].started
	findings[].stacks[].frames[].func findings[].stacks[].frames[].pos
	findings[].stacks[].frames[].pos.file findings[].stacks[].frames[].pos.line findings[].stacks[].frames[].pos.col
	findings[].stacks[].started[].func findings[].stacks[].started[].pos
	findings[].stacks[].started[].pos.file findings[].stacks[].started[].pos.line findings[].stacks[].started[].pos.col
	findings[].pos.file findings[].pos.line findings[].pos.col
	findings[].trace[].pos.file findings[].trace[].pos.line findings[].trace[].pos.col
	findings[].blocked[].pos.file findings[].blocked[].pos.line findings[].blocked[].pos.col
	left[].target left[].reason left[].count left[].text left[].replay left[].folder left[].diff left[].rules
	targets[].target targets[].package targets[].test targets[].verdict targets[].sentence
	targets[].states targets[].transitions targets[].revisited targets[].depth
	targets[].seconds targets[].cpu_seconds targets[].peak_bytes
	targets[].findings targets[].more_findings targets[].stopped targets[].skipped targets[].error
	targets[].differ targets[].differ[].name targets[].differ[].values
	targets[].traffic targets[].traffic.peers targets[].traffic.connections targets[].traffic.hits targets[].traffic.misses
	targets[].traffic.restarts targets[].traffic.replays targets[].traffic.bytes_out targets[].traffic.bytes_in
	targets[].traffic.wait_seconds targets[].traffic.look_seconds targets[].traffic.launches targets[].traffic.copies targets[].traffic.uncopied targets[].traffic.notes targets[].traffic.runs
	targets[].traffic.runs[].peer targets[].traffic.runs[].number targets[].traffic.runs[].status targets[].traffic.runs[].output`)

// The set of fields is what users rely on. Each is in the manual too.
func TestJSONFields(t *testing.T) {
	got := map[string]bool{}
	run := sample()
	run.Packages = []*Package{{}}
	fields(decode(t, printed(t, run, JSON, nil)), "", got, []string{"bounds", "properties", "settings", "findings[].before[]"})
	want := map[string]bool{}
	for _, f := range jsonFields {
		want[f] = true
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %v\nwant %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
	manual, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range jsonFields {
		if name := f[strings.LastIndex(f, ".")+1:]; !strings.Contains(string(manual), "`"+name+"`") {
			t.Errorf("field %s is not in docs/json.md", f)
		}
	}
}

// A reader may go through lists without asking for null.
func TestJSONNoNull(t *testing.T) {
	for _, run := range []*Run{sample(), {}, {Reports: []*Report{{Target: "x", Verdict: Violation, Findings: make([]Finding, 1)}}}} {
		if got := printed(t, run, JSON, nil); strings.Contains(got, "null") {
			t.Errorf("null in\n%s", got)
		}
	}
}

// JUnit's format: the counts of each suite are those of its cases, and nothing
// that was not verified looks passed.
func TestJUnit(t *testing.T) {
	run := sample()
	run.Reports[1].Findings[0].Message = "]]> <b> & \x00\x1b[1m\r \xff \ufffe" // what XML cannot hold
	text := printed(t, run, JUnit, nil)
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
	}
	var doc junitSuites
	if err := xml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	var all junitCounts
	var bad []string
	for _, s := range doc.Suites {
		var n junitCounts
		for _, c := range s.Cases {
			n.Tests++
			switch {
			case c.Failure != nil:
				n.Failures++
				bad = append(bad, c.Name)
			case c.Error != nil:
				n.Errors++
				bad = append(bad, c.Name)
			case c.Skipped != nil:
				n.Skipped++
			}
		}
		if n.Time = s.Time; n != s.junitCounts {
			t.Errorf("%s: got counts %+v, want %+v", s.Name, s.junitCounts, n)
		}
		all.Tests += n.Tests
		all.Failures += n.Failures
		all.Errors += n.Errors
		all.Skipped += n.Skipped
	}
	if all.Time = doc.Time; doc.junitCounts != all {
		t.Errorf("got counts %+v, want %+v", doc.junitCounts, all)
	}
	const want = `deadlock: ]]> <b> & \x00\x1b[1m`
	if got := doc.Suites[0].Cases[1].Failure.Text; !strings.Contains(got, want) {
		t.Errorf("got text %q, want one with %q", got, want)
	}
	if got, want := fmt.Sprint(bad), "[TestGet ./model example.com/big example.com/cgo]"; got != want {
		t.Errorf("got not passed %s, want %s", got, want)
	}
}

// Events are judged as a reader of go test -json does: by the last event of each
// test and package.
func TestEvents(t *testing.T) {
	last := map[string]string{}
	for line := range strings.Lines(printed(t, sample(), Events, nil)) {
		ev := decode(t, line)
		if _, ok := ev["Time"]; ok {
			t.Errorf("an event has a time: %s", line)
		}
		key := fmt.Sprint(ev["Package"], " ", ev["Test"])
		action := ev["Action"].(string)
		_, elapsed := ev["Elapsed"]
		switch action {
		case "start", "run":
			if last[key] != "" {
				t.Errorf("%s: %s after %s", key, action, last[key])
			}
		case "output":
			if out := ev["Output"].(string); strings.Count(out, "\n") != 1 || !strings.HasSuffix(out, "\n") {
				t.Errorf("%s: got output %q, want one line", key, out)
			}
		case "pass", "fail", "skip":
			if !elapsed {
				t.Errorf("%s: %s without Elapsed", key, action)
			}
		default:
			t.Errorf("%s: unknown action %q", key, action)
		}
		last[key] = action
	}
	want := map[string]string{
		"example.com/pool <nil>":     "fail",
		"example.com/pool TestClose": "pass",
		"example.com/pool TestGet":   "fail",
		"./model <nil>":              "fail",
		"example.com/big <nil>":      "fail",
		"example.com/big TestLong":   "skip",
		"example.com/cgo <nil>":      "fail",
	}
	if !maps.Equal(last, want) {
		t.Errorf("got %v\nwant %v", last, want)
	}
}
