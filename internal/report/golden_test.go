package report

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write golden files anew")

// golden compares output with a file in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
	}
}

// printed returns what a run prints in a format.
func printed(t *testing.T, run *Run, f Format, set func(*Writers)) string {
	t.Helper()
	var stdout strings.Builder
	w := &Writers{Run: run, Stdout: &stdout, Root: "/src"}
	if set != nil {
		set(w)
	}
	if err := w.Add(f, Stdout); err != nil {
		t.Fatal(err)
	}
	reports := run.Reports
	run.Reports = nil
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
	return stdout.String()
}

func TestGolden(t *testing.T) {
	clock := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	tick := func() time.Time { clock = clock.Add(time.Second); return clock }
	for _, test := range []struct {
		file   string
		run    *Run
		format Format
		set    func(*Writers)
	}{
		{"all.txt", sample(), Text, nil},
		{"color.txt", sample(), Text, func(w *Writers) { w.Color = true }},
		{"one.txt", &Run{Reports: []*Report{verified()}}, Text, nil},
		{"none.txt", &Run{}, Text, nil},
		{"all.json", sample(), JSON, nil},
		{"none.json", &Run{}, JSON, nil},
		{"all.xml", sample(), JUnit, nil},
		{"all.sarif", sample(), SARIF, nil},
		{"none.sarif", &Run{}, SARIF, nil},
		{"all.events", sample(), Events, nil},
		{"timed.events", &Run{Reports: []*Report{verified()}}, Events, func(w *Writers) { w.Now = tick }},
	} {
		t.Run(test.file, func(t *testing.T) {
			golden(t, test.file, printed(t, test.run, test.format, test.set))
		})
	}
}
