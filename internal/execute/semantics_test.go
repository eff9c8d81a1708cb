package execute_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/explore"
)

// TestSemantics: small programs, one thing each, have the verdict that stands in their first line. They are
// checked as the command does it, with default settings or those that the second line has.
func TestSemantics(t *testing.T) {
	files, err := filepath.Glob("testdata/semantics/*.go")
	if err != nil || len(files) < 60 {
		t.Fatalf("got %d programs, %v, want 60 at least", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".go"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			first, rest, _ := strings.Cut(string(text), "\n")
			want, ok := strings.CutPrefix(first, "// want: ")
			if !ok {
				t.Fatalf("the first line is %q", first)
			}
			s := check.New()
			second, _, _ := strings.Cut(rest, "\n")
			if typed, ok := strings.CutPrefix(second, "// flags: "); ok {
				fs := flag.NewFlagSet("", flag.ContinueOnError)
				s.Declare(fs)
				if err := fs.Parse(strings.Fields(typed)); err != nil {
					t.Fatal(err)
				}
			}
			s.Search.All = true
			s.Limits.States = 100_000
			r, err := check.Run(context.Background(), s, check.Hooks{Code: check.Compiled(compileFile(t, file), false)})
			if err != nil {
				t.Fatal(err)
			}
			got := map[explore.Verdict]string{explore.Verified: "verified", explore.Violation: "violation", explore.Inconclusive: "inconclusive"}[r.Verdict]
			var kinds []string
			for _, f := range r.Findings {
				kinds = append(kinds, f.Kind)
			}
			// A program may have more wrong with it, as a leak beside a deadlock.
			wanted, kind, _ := strings.Cut(want, " ")
			if wanted == "not" {
				wanted, kind = want, ""
			}
			if got != wanted || kind != "" && !slices.Contains(kinds, kind) {
				t.Errorf("got %s %v, want %s", got, kinds, want)
			}
		})
	}
}
