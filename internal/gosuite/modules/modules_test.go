package main

import (
	"os"
	"strings"
	"testing"
)

// TestList reads the list that is used: it has modules enough, each once, and the
// limits that its reasons name are in docs/LIMITS.md.
func TestList(t *testing.T) {
	list, err := parse(modules)
	if err != nil {
		t.Fatal(err)
	}
	limits, err := os.ReadFile("../../../docs/LIMITS.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, m := range list {
		if seen[m.path] {
			t.Errorf("%s is listed twice", m.path)
		}
		seen[m.path] = true
		for _, r := range m.reasons {
			if !strings.Contains(words(string(limits)), words(r.limit)) {
				t.Errorf("%s: %s.%s: docs/LIMITS.md does not say %q", m.path, r.pkg, r.test, r.limit)
			}
		}
	}
	if len(list) < 30 {
		t.Errorf("got %d modules, want 30 or more", len(list))
	}
}

func TestParse(t *testing.T) {
	list, err := parse("# comment\na.org/b v1.0.0 +short . ./c\n\tb.v2.TestX/y z: why: so [LIMITS: the clock]\n\t*.TestZ: other\nd v2\n")
	if err != nil {
		t.Fatal(err)
	}
	m := list[0]
	if len(list) != 2 || m.String() != "a.org/b@v1.0.0" || !m.short || len(m.patterns) != 2 || list[1].patterns[0] != "./..." {
		t.Errorf("got %+v and %+v", m, list[1])
	}
	if want := (reason{"b.v2", "TestX/y z", "why: so", "the clock"}); m.reasons[0] != want {
		t.Errorf("got %+v, want %+v", m.reasons[0], want)
	}
	for _, c := range []struct {
		pkg, test string
		want      bool
	}{
		{"a/b.v2", "TestX/y z", true},
		{"a/b.v2", "TestX/y z/1", true},
		{"a/b.v2", "TestX", false},
		{"a/b", "TestX/y z", false},
	} {
		if got := m.reasons[0].covers(c.pkg, c.test); got != c.want {
			t.Errorf("covers(%s, %s): got %v", c.pkg, c.test, got)
		}
	}
	list, err = parse("m v1\n\tfound b.TestX: own: it leaks\n")
	if err != nil {
		t.Fatal(err)
	}
	if class, why := list[0].classify("a/b", "TestX"); class != "own" || why != "it leaks" {
		t.Errorf("got %q, %q of a finding, want own, it leaks", class, why)
	}
	for _, bad := range []string{"m v1\n\tfound b.T: perhaps: why\n", "\tb.T: why\n", "m\n", "m v1\n\tTest: why\n", "m v1\n\tb.T: why [LIMITS: x\n", "m v1\n\tb.T\n"} {
		if _, err := parse(bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

// events is the output of go test -json for tests of which each printed a line.
func events(t *testing.T, lines ...string) outcomes {
	t.Helper()
	var b strings.Builder
	for _, l := range lines {
		name, text, _ := strings.Cut(l, "|")
		b.WriteString(`{"Action":"output","Test":"` + name + `","Output":"` + text + `\n"}` + "\n")
	}
	tests, err := readEvents(strings.NewReader(b.String()), func() {})
	if err != nil {
		t.Fatal(err)
	}
	return tests
}

// TestCompare has a test of each kind, and one that is cut off.
func TestCompare(t *testing.T) {
	native := func(flaky, random string) outcomes {
		return events(t, "TestSame|at 2026-11-16 05:37:25 of 127.0.0.1:80 after 1.5s", "TestSame|--- PASS: TestSame (0.00s)",
			"TestFails|--- PASS: TestFails (0.00s)", "TestPrints|one", "TestPrints|--- PASS: TestPrints (0.00s)",
			"TestFlaky|--- "+flaky+": TestFlaky (0.00s)", "TestRandom|"+random, "TestRandom|--- PASS: TestRandom (0.00s)",
			"TestCut|--- PASS: TestCut (0.00s)", "TestGone/sub|    --- SKIP: TestGone/sub (0.00s)")
	}
	p := part{Package: "p", Native: []outcomes{native("PASS", "x"), native("FAIL", "y")}}
	p.Machine = events(t, "TestSame|at 2009-11-10 23:00:00 of 127.0.0.1:32768 after 2s", "TestSame|--- PASS: TestSame (9.00s)",
		"TestFails|--- FAIL: TestFails (0.00s)", "TestPrints|two", "TestPrints|--- PASS: TestPrints (0.00s)",
		"TestFlaky|--- FAIL: TestFlaky (0.00s)", "TestRandom|z", "TestRandom|--- PASS: TestRandom (0.00s)", "TestCut|=== RUN   TestCut")
	p.Machine.blame("TestCut", ending{errors: "unsupported"})
	tests, diffs := p.compare()
	var got []string
	for _, d := range diffs {
		got = append(got, d.test+": "+d.native+", "+d.there+": "+d.detail)
	}
	want := []string{
		"TestCut: pass, refused: unsupported",
		"TestFails: pass, fail: natively `--- PASS: TestFails (DURATION)`, there `--- FAIL: TestFails (DURATION)`",
		"TestGone/sub: skip, not run: natively `--- SKIP: TestGone/sub (DURATION)`, there ``",
		"TestPrints: pass, other output: natively `one`, there `two`",
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w || len(tests) != 7 {
		t.Errorf("got %d tests,\n%s\nwant 7,\n%s", len(tests), g, w)
	}
}

func TestPlain(t *testing.T) {
	native := "goroutine 7 [running]:\nm.f({0x57dfe0, 0x22e509442000})\n\t" + here + "/bin/m/a.go:26 +0x25\npanic({0x1?, 0x2?})\n\tpanic.go:860 +0x13a\nm.g(0x22e50941a9c0, 0x22e50941a990?, 0xff?)\n\tb.go:1 +0x2\n"
	machine := "goroutine 3 [running]:\nm.f(...)\n\t" + here + "/bin/m/a.go:26 +0x1\npanic(...)\n\tpanic.go:860\nm.g(...)\n\tb.go:1\n"
	if n, m := plain(native), plain(machine); n != m || !strings.Contains(n, "\tbin/m/a.go:26\n") {
		t.Errorf("got\n%s\nand\n%s", n, m)
	}
	if a, b := plain("f(1)\n"), plain("f(2)\n"); a == b {
		t.Errorf("%q is %q", a, b)
	}
}

// TestPage complains of differences without a reason, reasons without a
// difference and limits that are not documented.
func TestPage(t *testing.T) {
	list, err := parse("m v1\n\tp.TestA: because [LIMITS: two words]\n\tp.TestC: it never differed\n\tp.TestD: so it is [LIMITS: three words]\n")
	if err != nil {
		t.Fatal(err)
	}
	pass := func(name string) string { return name + "|--- PASS: " + name + " (0.00s)" }
	p := &part{Package: "m/p", Heddle: "abc", Seconds: []float64{1, 2}, Native: []outcomes{events(t, pass("TestA"), pass("TestB"), pass("TestC"), pass("TestD"))}}
	p.Machine = events(t, "TestA|x", "TestB|x", pass("TestC"), "TestD|x")
	p.Machine.blame("TestA", ending{stopped: true})
	text, errs := write([]row{newRow(list[0], []*part{p})}, "Here are two\n  words.")
	for _, want := range []string{
		"1 modules, 4 tests (subtests and examples are counted too): 1 agree, 0 of them skip; 3 differ, of which 1 are too slow.",
		"| m@v1 | 4 | 1 | 2 | 1 | 1 | 2 |",
		`- m/p TestA: pass natively, too slow in the machine: because (docs/LIMITS.md: "two words")`,
		"- m/p TestB: pass natively, died in the machine: natively `--- PASS: TestB (DURATION)`, there `x` **Not explained.**",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("got\n%s\nwant %q", text, want)
		}
	}
	if got := strings.Join(errs, "\n"); len(errs) != 3 || !strings.Contains(got, "p.TestC does not differ") ||
		!strings.Contains(got, `does not say "three words"`) || !strings.Contains(got, "m/p TestB: no reason") {
		t.Errorf("got %s", got)
	}
}

// TestChecked reads what heddle test says, and makes a page of it.
func TestChecked(t *testing.T) {
	list, err := parse("m v1\n\tfound b.TestB: true: a race\n")
	if err != nil {
		t.Fatal(err)
	}
	c := &checked{Package: "m/b", Heddle: "abc"}
	if err := c.read([]byte(`{"findings":[{"target":"m/b.TestB","kind":"race","message":"x"},{"target":"m/b.TestC","kind":"leak","message":"y"}],
		"left":[{"target":"m/b.TestD","reason":"time","text":"limit"},{"target":"m/b.TestD","reason":"bound","text":"starts a process"}],
		"targets":[{"target":"m/b.TestA","test":"TestA","verdict":"verified"},{"target":"m/b.TestB","test":"TestB","verdict":"violation","hunt":{"searches":[{"search":"delays"},{"search":"pct","found":true}]}},
		{"target":"m/b.TestC","test":"TestC","verdict":"violation"},{"target":"m/b.TestD","test":"TestD","verdict":"inconclusive"}]}`)); err != nil {
		t.Fatal(err)
	}
	text, errs := checkedPage(list, [][]*checked{{c}}, "30s")
	if len(errs) != 1 || !strings.Contains(errs[0], "TestC") {
		t.Errorf("got %q, want that nobody has looked at TestC", errs)
	}
	for _, want := range []string{"| m@v1 | 4 | 1 | 1 | 0 | 1 | 1 |", "Answered: 50 %", "- m/b TestB (true): a race", "- 1: starts a process", "by default: dfs 1, pct 1."} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
}

// TestRatesPage: each test has a row with states and steps a second, and how many times as many steps.
func TestRatesPage(t *testing.T) {
	text := ratesPage([]rate{{"m/p", "TestA", [2]int64{100, 300}, [2]int64{200, 800}, [2]float64{10, 10}}}, "old", "new")
	for _, want := range []string{"Before: commit old. Now: commit new,", "| m/p TestA | 100 | 300 | 10 | 30 | 20 | 80 | 4.0 |"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
	list, err := parse("m v1\nm/sub v2\n")
	if err != nil {
		t.Fatal(err)
	}
	if m := moduleOf(list, "m/p"); m == nil || m.path != "m" || moduleOf(list, "mm") != nil {
		t.Errorf("got module %v of m/p", m)
	}
}
