package main

import (
	"math"
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

// TestStatedChances: walks find a bug at least as often as they claim, but for what may be chance.
func TestStatedChances(t *testing.T) {
	seeds := testlong.Or(60, 1000)
	list, err := Chances(seeds, []int{2, 100, 30, 30})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		if least := c.Claimed * float64(seeds); float64(c.Found) < least-3*math.Sqrt(least) || c.Claimed == 0 {
			t.Errorf("depth %d: got %d of %d, want %.1f at least", c.Depth, c.Found, seeds, least)
		}
	}
}
