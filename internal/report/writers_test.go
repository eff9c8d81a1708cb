package report

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
)

// All formats at once are each what they are alone.
func TestSeveralFormats(t *testing.T) {
	dir := t.TempDir()
	formats := []Format{Text, JSON, JUnit, SARIF, Events, Cover}
	run := sample()
	reports := run.Reports
	run.Reports = nil
	run.Coverage = new(Profile)
	run.Coverage.Add(Block{"p/a.go", 1, 1, 2, 2, 1, 1})
	var stdout strings.Builder
	w := &Writers{Run: run, Stdout: &stdout, Root: "/src", Color: true}
	for _, f := range formats {
		if err := w.Add(f, filepath.Join(dir, string(f))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Open(); err != nil {
		t.Fatal(err)
	}
	for _, r := range reports {
		if err := w.Report(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, f := range formats {
		got, err := os.ReadFile(filepath.Join(dir, string(f)))
		if err != nil {
			t.Fatal(err)
		}
		again := sample()
		again.Coverage = run.Coverage
		if want := printed(t, again, f, nil); string(got) != want || want == "" {
			t.Errorf("%s: got\n%s\nwant\n%s", f, got, want)
		}
	}
	colored := printed(t, sample(), Text, func(w *Writers) { w.Color = true })
	if stdout.String() != colored {
		t.Errorf("standard output: got\n%s\nwant\n%s", stdout.String(), colored)
	}
}

func TestAdd(t *testing.T) {
	for _, test := range []struct {
		format Format
		name   string
		want   string
	}{
		{JSON, "-", ""},
		{JUnit, "-", "json and junit cannot both go to standard output: give one of them a file of its own"},
		{JUnit, "out", ""},
		{SARIF, "./out", "junit and sarif cannot both go to ./out: give one of them a file of its own"},
		{SARIF, "", "output as sarif needs the name of a file, or - for standard output"},
		{"html", "x", `unknown format "html": say text, json, junit, sarif, events or cover`},
	} {
		w := &Writers{}
		w.Add(JSON, "-")
		w.Add(JUnit, "out")
		if test.want == "" {
			w = &Writers{}
		}
		err := w.Add(test.format, test.name)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s to %q: got %q, want %q", test.format, test.name, got, test.want)
		}
		if has := w.Has(test.format); test.want == "" && !has || test.format == SARIF && has {
			t.Errorf("%s to %q: got Has %v", test.format, test.name, has)
		}
	}
}

// A file that cannot be written is known before the search.
func TestOpenError(t *testing.T) {
	w := &Writers{Run: &Run{}}
	if err := w.Add(JSON, filepath.Join(t.TempDir(), "no", "such", "dir")); err != nil {
		t.Fatal(err)
	}
	if err := w.Open(); diag.ExitCode(err) != diag.ExitUsage {
		t.Errorf("got %v, want a usage error", err)
	}
}

// full is a device without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// What cannot be written is never taken for written.
func TestWriteError(t *testing.T) {
	for _, f := range []Format{Text, JSON, JUnit, SARIF, Events, Cover} {
		w := &Writers{Run: &Run{Coverage: new(Profile)}, Stdout: full{}}
		if err := w.Add(f, Stdout); err != nil {
			t.Fatal(err)
		}
		if err := w.Open(); err != nil {
			t.Fatal(err)
		}
		if err := w.Report(verified()); err != nil {
			t.Error(err)
		}
		lost := w.Close()
		want := "cannot write " + string(f) + ": no space left"
		if len(lost) != 1 || lost[0].Error() != want {
			t.Errorf("%s: got %v, want %s", f, lost, want)
		}
	}
}

// One output that cannot be written does not keep others from being written, and text goes elsewhere.
func TestWriteOthers(t *testing.T) {
	var spare strings.Builder
	name := filepath.Join(t.TempDir(), "out.json")
	w := &Writers{Run: &Run{}, Stdout: full{}, Spare: &spare}
	if err := w.Add(JSON, name); err != nil {
		t.Fatal(err)
	}
	if err := w.Open(); err != nil {
		t.Fatal(err)
	}
	w.Report(verified())
	if lost := w.Close(); len(lost) != 1 || lost[0].Error() != "cannot write text: no space left" {
		t.Errorf("got %v", lost)
	}
	if data, err := os.ReadFile(name); err != nil || !strings.Contains(string(data), `"verdict": "verified"`) {
		t.Errorf("got %q, %v", data, err)
	}
	if !strings.HasPrefix(spare.String(), "verified: ") {
		t.Errorf("got %q", spare.String())
	}
}

func TestNoCoverage(t *testing.T) {
	w := &Writers{Run: &Run{}, Stdout: new(strings.Builder)}
	w.Add(Cover, Stdout)
	w.Open()
	if lost := w.Close(); len(lost) != 1 || diag.ExitCode(lost[0]) != diag.ExitBug {
		t.Errorf("got %v, want a defect", lost)
	}
}
