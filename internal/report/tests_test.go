package report

import (
	"errors"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/trace"
)

// testRun writes a run of packages of every sort.
func testRun(t *testing.T, f Format, verbose bool) string {
	t.Helper()
	var stdout strings.Builder
	run := sample()
	run.Reports = nil
	run.Properties = []Property{{"deadlock", true, false}, {"leak", false, false}, {"livelock", false, true}}
	w := &Writers{Run: run, Stdout: &stdout, Root: "/src", Tests: true, Verbose: verbose}
	if err := w.Add(f, Stdout); err != nil {
		t.Fatal(err)
	}
	if err := w.Open(); err != nil {
		t.Fatal(err)
	}
	test := func(name string, r *Report) *Report {
		pkg := r.Package
		r.Target, r.Test = pkg+"."+name, name
		return r
	}
	told := func(name string) *Report {
		return &Report{
			Target: "example.com/pool." + name, Package: "example.com/pool", Test: name, Verdict: Violation, Stopped: true,
			Findings: []Finding{{Kind: "race", Message: "x", Story: "  1 * main\n" + trace.Legend}, {Kind: "leak", Message: "y", Story: "no steps\n" + trace.Legend}},
		}
	}
	left := &Report{Target: "example.com/late", Package: "example.com/late", Verdict: Inconclusive, Left: []Left{{Reason: "time", Text: "limit of 3 ms while its tests were loaded"}}}
	open := cutOff()
	open.Test, open.Target = "TestBig", open.Package+".TestBig"
	unchecked := func(pkg, name string) *Report {
		r := &Report{Target: pkg, Package: pkg, Verdict: Inconclusive, NotChecked: "interrupted", Left: []Left{{Reason: "interrupted", Text: "not checked: interrupted"}}}
		if name != "" {
			test(name, r)
		}
		return r
	}
	refusedTest := test("TestSystem", refused())
	broken := &Report{Target: "example.com/broken", Package: "example.com/broken", Verdict: Inconclusive, Err: diag.List{
		{Kind: diag.Usage, Pos: at(1, 2), Msg: "undefined: x"}, {Kind: diag.Usage, Pos: at(3, 4), Msg: "undefined: y"},
	}}
	quiet := verified()
	quiet.Package, quiet.Own = "example.com/quiet", &Claim{Properties: []Property{{"deadlock", true, false}, {"leak", true, false}}}
	for _, p := range []struct {
		pkg     *Package
		reports []*Report
	}{
		{&Package{Path: "example.com/pool", Seconds: 12.3456, Shuffle: "7"}, []*Report{verified(), deadlocked(), told("TestRace"), told("TestAgain"), unchecked("example.com/pool", "TestLast")}},
		{&Package{Path: "example.com/big", Seconds: 30}, []*Report{open, skipped()}},
		{&Package{Path: "example.com/quiet", Others: []string{"ExampleX", "FuzzY", "ExampleZ"}}, []*Report{quiet}},
		{&Package{Path: "example.com/none", NoFiles: true}, nil},
		{&Package{Path: "example.com/others"}, nil},
		{&Package{Path: "example.com/shown", Others: []string{"ExampleX"}}, nil},
		{&Package{Path: "example.com/broken"}, []*Report{broken}},
		{&Package{Path: "example.com/cgo"}, []*Report{refused()}},
		{&Package{Path: "example.com/cgo"}, []*Report{refusedTest}},
		{&Package{Path: "example.com/wrong"}, []*Report{{Target: "example.com/wrong", Package: "example.com/wrong", Verdict: Inconclusive, Err: diag.Usagef("its tests cannot be listed")}}},
		{&Package{Path: "example.com/late", Seconds: 0.003}, []*Report{left}},
		{&Package{Path: "example.com/last"}, []*Report{unchecked("example.com/last", "")}},
	} {
		for _, r := range p.reports {
			if err := w.Report(r); err != nil {
				t.Fatal(err)
			}
		}
		w.Package(p.pkg)
	}
	if err := errors.Join(w.Close()...); err != nil {
		t.Fatal(err)
	}
	return stdout.String()
}

func TestTests(t *testing.T) {
	golden(t, "tests.txt", testRun(t, Text, false))
	golden(t, "tests.v.txt", testRun(t, Text, true))
	golden(t, "tests.events", testRun(t, Events, false))
	_, packages, _ := strings.Cut(testRun(t, JSON, false), "\n  \"packages\": ")
	golden(t, "tests.json", packages)
}

// What marks mean is said once.
func TestLegendOnce(t *testing.T) {
	for _, verbose := range []bool{false, true} {
		if n := strings.Count(testRun(t, Text, verbose), trace.Legend); n != 1 {
			t.Errorf("verbose %v: got the legend %d times, want once", verbose, n)
		}
	}
}

func TestShortNames(t *testing.T) {
	for text, want := range map[string]string{
		"m/a.TestX is blocked, m/a.TestX.func1#1.1 too": "TestX is blocked, TestX.func1#1.1 too",
		"m/a_test.TestX calls (*m/a.pool).get":          "TestX calls (*pool).get",
		"m/a.go:3: x/m/a.TestX, m/ab.TestX, m/a.":       "m/a.go:3: x/m/a.TestX, m/ab.TestX, m/a.",
		"m/a.Überlauf": "Überlauf",
	} {
		if got := ShortNames("m/a")(text); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
