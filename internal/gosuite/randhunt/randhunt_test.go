package main

import (
	"slices"
	"testing"
	"time"

	"github.com/heddle-mc/heddle/internal/testlong"
)

// TestFound: bugs are found by default among goroutines that never come to an end. How soon is for make hunts to say: the limit
// is long, so that a busy machine makes no difference. Parts around the bug whose steps are slow are left out.
func TestFound(t *testing.T) {
	slow := func(p Program) bool { return p.has("stamps") || p.has("loop") }
	programs := append(slices.DeleteFunc(Programs(1, testlong.Or(14, 100), false), slow), slices.DeleteFunc(Programs(1, testlong.Or(4, 50), true), slow)...)
	sum, err := Try(programs, []string{"auto"}, 2*time.Minute, func(text string) { t.Error(text) })
	if err != nil {
		t.Fatal(err)
	}
	if len(sum.By) < 2 {
		t.Errorf("got %s, want that several searches have found something", sum.ByWords())
	}
}
