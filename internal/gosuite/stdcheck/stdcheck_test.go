package main

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// printed is what heddle test prints of a package: verdicts, stories between them, and a summary.
const printed = `--- verified: TestGood (0.01s): 2 states, 1 transition, depth 1
--- SKIP: TestSkips (0.01s): 2 states, 1 transition, depth 1
--- FAIL: TestBad (0.01s): test, leak; 2 states, 1 transition, depth 1
    /src/a/b_test.go:10:2: test: wrong
        1 * main  /src/a/b.go:6  select: default
    /src/a/b_test.go:12: leak: x is blocked forever
--- inconclusive: TestLong (2.00s): no violation in 7 states; not covered: /src/a/b_test.go:10:2: limit of 2s
    what makes states differ (number of distinct values, name):
      2  where goroutine 2 stands
--- FAIL: TestRace (0.01s): race; 2 states, 1 transition, depth 1, up to the first finding
    /src/a/b_test.go:20:2: race: write races with read
FAIL	a/b	2.134s	(1 verified, 2 failed, 1 inconclusive, 1 skipped)
`

const listed = "TestGood\nTestSkips\nTestBad\nTestLong\nTestRace\nTestLate\nok  \ta/b\t0.1s\n"

func TestRead(t *testing.T) {
	r := read("a/b", listed, printed)
	if want := map[string]int{"verified": 2, "violation": 2, "inconclusive": 1}; !maps.Equal(r.verdicts, want) {
		t.Errorf("got %v, want %v", r.verdicts, want)
	}
	if r.missing != 1 {
		t.Errorf("got %d tests that were not reached, want TestLate", r.missing)
	}
	want := []string{"a/b.TestBad\ttest: wrong; leak: x is blocked forever", "a/b.TestRace\trace: write races with read"}
	if !slices.Equal(r.found, want) {
		t.Errorf("got %q, want %q", r.found, want)
	}
}

func TestPage(t *testing.T) {
	rows := []row{read("a/b", listed, printed), {path: "c", verdicts: map[string]int{"verified": 3}}}
	text, unknown := page(rows, map[string]string{"a/b.TestBad": "True: it is wrong."}, "1234567", time.Minute, 2*time.Second)
	if unknown != 1 {
		t.Errorf("got %d violations that nobody has looked at, want 1", unknown)
	}
	for _, want := range []string{
		"-each 1m0s -run REGEXP", "Commit 1234567. ", "at most 2s for a test and 1m0s for a package",
		"| a/b | 2 | 2 | 2 |\n", "| c | 3 | 0 | 0 |\n", "| 2 packages | 5 | 2 | 2 |\n",
		"- a/b.TestBad: `test: wrong; leak: x is blocked forever`. True: it is wrong.\n",
		"- a/b.TestRace: `race: write races with read`. **nobody has looked at it yet**\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

func TestExplanations(t *testing.T) {
	why, err := explanations("# comment\n\na/b.TestBad: True: it is wrong.\n")
	if want := map[string]string{"a/b.TestBad": "True: it is wrong."}; err != nil || !maps.Equal(why, want) {
		t.Errorf("got %v, %v, want %v", why, err, want)
	}
	for _, text := range []string{"a/b.TestBad\n", "a.TestX: one\na.TestX: two\n"} {
		if _, err := explanations(text); err == nil {
			t.Errorf("%q: got no error", text)
		}
	}
}

// Each explanation in the file is about a test of a package that is checked.
func TestExplained(t *testing.T) {
	why, err := explanations(explained)
	if err != nil {
		t.Fatal(err)
	}
	known := strings.Fields(packages)
	for name := range why {
		if path, _, ok := strings.Cut(name, ".Test"); !ok || !slices.Contains(known, path) {
			t.Errorf("%s: no test of a package in packages.txt", name)
		}
	}
}
