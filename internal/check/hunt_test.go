package check

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/hunt"
)

// TestKeepHunted: what a member finds while the hunt is ended, because the time is over, is not lost.
func TestKeepHunted(t *testing.T) {
	found := func(message string) explore.Found {
		return explore.Found{Finding: diag.Finding{Kind: "panic", Message: message}}
	}
	known := &hunt.Known{Findings: []explore.Found{found("a"), found("b")}}
	for _, test := range []struct {
		name  string
		known *hunt.Known
		all   bool
		has   []explore.Found
		want  int
	}{
		{"no hunt", nil, false, nil, 0},
		{"nothing found", &hunt.Known{}, true, nil, 0},
		{"one is enough", known, false, nil, 1},
		{"there is one", known, false, []explore.Found{found("c")}, 1},
		{"all", known, true, []explore.Found{found("c")}, 3},
	} {
		res := &explore.Result{Verdict: explore.Inconclusive, Findings: test.has, Left: []explore.Left{{Reason: explore.LimitTime}}}
		keepHunted(res, test.known, test.all)
		if len(res.Findings) != test.want || test.want > len(test.has) && res.Verdict != explore.Violation {
			t.Errorf("%s: got %v, want %d findings", test.name, res, test.want)
		}
	}
}

// TestParts: the hunt gets a tenth of the work, and a half where the search may never come back, or has taken long.
func TestParts(t *testing.T) {
	for _, test := range []struct {
		at   explore.At
		work int64
		want int64
	}{
		{explore.At{Transitions: 1000, Depth: 100, Branches: 50}, 1000, 10},
		{explore.At{Transitions: 1000, Depth: 900, Branches: 50}, 1000, 1},
		{explore.At{Transitions: 1000, Depth: 900}, 1000, 10}, // there is nothing else to see
		{explore.At{Transitions: 20, Depth: 20, Branches: 20}, 1000, 10},
		{explore.At{Transitions: 1000, Depth: 100, Branches: 50}, huntMore + 1, 1},
	} {
		if got := parts(test.at, test.work); got != test.want {
			t.Errorf("%+v after %d: got %d, want %d", test.at, test.work, got, test.want)
		}
	}
}

// TestFaraway: a search that goes straight on is followed by the hunt if others could go on, and after a while. So is one that has very much before it.
func TestFaraway(t *testing.T) {
	for _, test := range []struct {
		at   explore.At
		work int64
		want bool
	}{
		{explore.At{Transitions: 1000, Depth: 1000, Passes: true}, huntStraight + 1, true},
		{explore.At{Transitions: 1000, Depth: 1000, Passes: true}, 1000, false},
		{explore.At{Transitions: 1000, Depth: 1000}, huntStraight + 1, false},                           // there is nobody else
		{explore.At{Transitions: 1000, Depth: 900, Branches: 5, Passes: true}, huntStraight + 1, false}, // see parts
		{explore.At{Transitions: 1000, Depth: 90, Branches: 5, Distant: true}, huntStraight + 1, true},
		{explore.At{Transitions: 1000, Depth: 90, Branches: 5, Distant: true}, 1000, false},
	} {
		if got := faraway(test.at, test.work); got != test.want {
			t.Errorf("%+v after %d: got %t, want %t", test.at, test.work, got, test.want)
		}
	}
}
