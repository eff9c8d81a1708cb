package check_test

import (
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/explore"
)

// TestDistinct: a place at which goroutines hang is told once, and what a program says tells its findings apart.
func TestDistinct(t *testing.T) {
	found := func(kind, message string, line int) explore.Found {
		f := explore.Found{Finding: diag.Finding{Kind: kind, Message: message}}
		if line > 0 {
			f.Pos = diag.Pos{File: "a.go", Line: line, Col: 1}
		}
		return f
	}
	list := []explore.Found{
		found("leak", "f waits", 3), found("leak", "f waits", 4), found("leak", "g waits", 4), found("deadlock", "main waits", 3),
		found("leak", "nowhere", 0), found("deadlock", "also nowhere", 0), found("panic", "A", 7), found("panic", "B", 7), found("panic", "A", 7),
	}
	var got []int
	for _, f := range check.Distinct(list) {
		got = append(got, slices.IndexFunc(list, func(g explore.Found) bool {
			return g.Kind == f.Kind && g.Message == f.Message && g.Pos == f.Pos
		}))
	}
	if want := []int{1, 3, 4, 5, 6, 7}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
