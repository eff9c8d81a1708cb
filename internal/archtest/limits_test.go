package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// pins matches the end of an entry of docs/LIMITS.md: a package in backquotes
// and the names of the tests that pin the limit.
var pins = regexp.MustCompile("(?s)\\(`([a-z0-9/]+)`,\\s+((?:(?:Test|Fuzz)[\\w/.-]+,?\\s*)+)\\)$")

// TestLimitsNameTests checks that each entry of docs/LIMITS.md ends with the
// tests that pin it, and that these exist.
func TestLimitsNameTests(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "LIMITS.md"))
	if err != nil {
		t.Fatal(err)
	}
	entries := limits(string(text))
	if len(entries) < 4 {
		t.Fatalf("got %d entries, want the list of limits", len(entries))
	}
	for _, entry := range entries {
		m := pins.FindStringSubmatch(entry)
		if m == nil {
			t.Errorf("the entry names no test: %s", entry)
			continue
		}
		for _, name := range strings.FieldsFunc(m[2], func(r rune) bool { return strings.ContainsRune(", \n", r) }) {
			name, _, _ = strings.Cut(name, "/") // a subtest comes from data
			if !declares(t, m[1], name) {
				t.Errorf("%s has no %s, which the entry names: %s", m[1], name, entry)
			}
		}
	}
}

// limits returns the list entries of a document, with their lines joined.
func limits(text string) []string {
	var entries []string
	open := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "- "):
			entries, open = append(entries, line[2:]), true
		case open && strings.HasPrefix(line, "  "):
			entries[len(entries)-1] += " " + strings.TrimSpace(line)
		default:
			open = false
		}
	}
	return entries
}

// declares reports whether the tests of a package declare a function.
func declares(t *testing.T, pkg, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pkg), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(src), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}
