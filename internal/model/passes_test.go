package model

import (
	"strings"
	"testing"
)

// TestParsePasses: names that are known, and not too many of them.
func TestParsePasses(t *testing.T) {
	for text, want := range map[string]string{
		"none": "", "": "", "rewr, constelm": "rewr,constelm", strings.Repeat("rewr,", 99) + "rewr": strings.Repeat("rewr,", 99) + "rewr",
	} {
		if got, err := ParsePasses(text); err != nil || strings.Join(got, ",") != want {
			t.Errorf("%q: got %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"magic", "rewr,magic", strings.Repeat("rewr,", 100) + "rewr", strings.Repeat("rewr,", 1_000_000)} {
		if got, err := ParsePasses(text); err == nil {
			t.Errorf("%.20q: got %d, want an error", text, len(got))
		}
	}
}
