package trace

import (
	"bytes"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
	"golang.org/x/tools/txtar"
)

// goldenJSON returns the trace.json of a golden file.
func goldenJSON(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name + ".txtar")
	if err != nil {
		t.Fatal(err)
	}
	return string(txtar.Parse(data).Files[0].Data)
}

func TestReadRefuses(t *testing.T) {
	good := goldenJSON(t, "deadlock")
	for _, test := range []struct{ old, new, want string }{
		{`"version": 1`, `"version": 2`, "trace: version 2: this heddle reads version 1"},
		{`"path": "0*2.10.20.0"`, `"path": "0*2"`, "trace: not a trace.json: the path has 2 steps, the list 5"},
		{`"path": "0*2.10.20.0"`, `"path": "x"`, `trace: not a trace.json: path: step "x" is not a number below 2^32`},
		{`"switches": 3`, `"switches": 4`, "trace: not a trace.json: got 4 switches and 2 preemptions, the steps have 3 and 2"},
		{`"weight": "apart"`, `"weight": "heavy"`, `trace: not a trace.json: step 5: weight "heavy"`},
		{`"switch": "switch"`, `"switch": "on"`, `trace: not a trace.json: step 5: switch "on"`},
		{`"for": 3`, `"for": 6`, "trace: not a trace.json: step 1: a reason for step 6 of 5"},
		{`"file": "dir/fake.go"`, `"file": ""`, `trace: not a trace.json: position "":10:2`},
		{`"fewest"`, `"fastest"`, `trace: not a trace.json: json: unknown field "fastest"`},
		{`"steps": [`, `"steps": {`, "trace: not a trace.json: byte 262: "},
	} {
		if !strings.Contains(good, test.old) {
			t.Fatalf("%q is not in the file", test.old)
		}
		_, err := Read(strings.NewReader(strings.Replace(good, test.old, test.new, 1)))
		if err == nil || !strings.HasPrefix(err.Error(), test.want) || diag.ExitCode(err) != diag.ExitUsage {
			t.Errorf("%s: got %v, want %s", test.new, err, test.want)
		}
	}
}

// A file may say anything; what is printed stays on its line.
func TestReadCleans(t *testing.T) {
	evil := strings.Replace(goldenJSON(t, "deadlock"), `"lock b"`, `"lock \u001b[31m\nb"`, 1)
	trace, err := Read(strings.NewReader(evil))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := trace.Steps[3].Action, `lock \x1b[31m\nb`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(goldenJSON(f, "deadlock")))
	f.Add([]byte(goldenJSON(f, "assert")))
	f.Add([]byte(`{"version":1,"path":"-","finding":{},"steps":null}`))
	f.Add([]byte(`{"version":1,"path":"7","steps":[{"weight":"past","actor":"#;%%\u0000","action":"a a"}],"waiting":[{"actor":""}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		trace, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := trace.Write(&b); err != nil {
			t.Fatal(err)
		}
		again, err := Read(&b)
		if err != nil {
			t.Fatalf("what was read does not read back: %v", err)
		}
		if !reflect.DeepEqual(again, trace) {
			t.Errorf("got\n%+v\nwant\n%+v", again, trace)
		}
		lines := len(trace.Steps)
		if got := strings.Count(trace.StepsText(1, lines), "\n"); got != lines {
			t.Errorf("got %d lines of text, want %d", got, lines)
		}
		for _, line := range strings.Split(trace.Columns(60), "\n") {
			if n := width(line); n > 60 {
				t.Errorf("a line of %d characters, want 60: %q", n, line)
			}
		}
		trace.Mermaid()
		trace.Text()
	})
}
