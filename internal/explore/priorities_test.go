package explore

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// wrongAfter is a toy of threads that take some steps each. It goes wrong in one order of them, or a few.
func wrongAfter(threads, steps int, wrong func(order []byte) bool) ltstest.Model {
	return ltstest.Model{
		Start: make([]byte, 1+threads*steps), // how many steps there were, and whose
		Enabled: func(state []byte, dst []lts.Step) []lts.Step {
			for i := range threads {
				if bytes.Count(state[1:1+state[0]], []byte{byte(i)}) < steps {
					dst = append(dst, lts.Step(i))
				}
			}
			return dst
		},
		Take: func(state []byte, s lts.Step) {
			state[0]++
			state[state[0]] = byte(s)
		},
		Wrong: func(state []byte) string {
			if int(state[0]) == threads*steps && wrong(state[1:]) {
				return "this order"
			}
			return ""
		},
	}
}

// TestChances: what walks by priorities say of how likely they are to find a bug is true. The bugs are the hardest ones
// of their depth: no other order shows them. Of many seeds at least as many find one as is claimed, but for what may be chance, and not
// many times as many.
func TestChances(t *testing.T) {
	for _, test := range []struct {
		depth, threads, steps int
		wrong                 func(order []byte) bool
		runs, seeds           int
		short                 int
	}{
		{1, 4, 2, func(o []byte) bool { return bytes.HasSuffix(o, []byte{0, 0}) }, 2, 1000, 0},                                  // the first one comes last
		{2, 2, 4, func(o []byte) bool { return bytes.Equal(o, []byte{0, 0, 1, 1, 1, 1, 0, 0}) }, 100, 1000, 0},                  // it is interrupted after two steps
		{3, 2, 4, func(o []byte) bool { return bytes.Equal(o, []byte{0, 0, 1, 0, 0, 1, 1, 1}) }, 4000, testlong.Or(60, 300), 0}, // and so is the other after one
		{2, 2, 4, func(o []byte) bool { return bytes.Equal(o, []byte{0, 0, 1, 1, 1, 1, 0, 0}) }, 12, 1000, 8},
		{3, 2, 4, func(o []byte) bool { return bytes.Equal(o, []byte{0, 0, 1, 0, 0, 1, 1, 1}) }, 100, 1000, 8},
		{4, 2, 4, func(o []byte) bool { return bytes.Equal(o, []byte{0, 0, 1, 0, 1, 1, 1, 0}) }, 1000, testlong.Or(200, 1000), 8}, // and the first one once more
	} {
		t.Run(fmt.Sprintf("depth %d", test.depth), func(t *testing.T) {
			t.Parallel()
			m := wrongAfter(test.threads, test.steps, test.wrong)
			right := m
			right.Wrong = nil
			found, claimed := 0.0, 0.0
			for seed := range test.seeds {
				o := Options{Strategy: PriorityWalk, Runs: test.runs, Seed: uint64(seed), short: test.short}
				if seed == 0 {
					claimed = runToy(t, right, o).Walks.Chance(test.depth) * float64(test.seeds)
				}
				if r := runToy(t, m, o); r.Verdict == Violation {
					found++
				}
			}
			t.Logf("%v found, %v claimed", found, claimed)
			if found < claimed-3*math.Sqrt(claimed) || found > 6*claimed {
				t.Errorf("%v of %d seeds find it, %.1f are claimed", found, test.seeds, claimed)
			}
		})
	}
}

// TestChanceOfNothing: a walk that was cut off proves nothing.
func TestChanceOfNothing(t *testing.T) {
	r := runToy(t, wrongAfter(2, 100, func([]byte) bool { return true }), Options{Strategy: PriorityWalk, Runs: 10, Limits: Limits{Depth: 20}})
	if r.Walks.Number != 10 || r.Walks.Chance(1) != 0 || r.Verdict != Inconclusive {
		t.Errorf("got %+v, %v, want ten walks that say nothing", r.Walks, r)
	}
}

// TestChanceOfTheOthers: if the first thread begins, a long way leads to what is wrong, and else the end comes soon. Walks that were cut off on
// that way say nothing, so the others must not say that it would have been found.
func TestChanceOfTheOthers(t *testing.T) {
	m := ltstest.Model{
		Start: make([]byte, 2), // who was first, from 1, and how many steps there were
		Enabled: func(state []byte, dst []lts.Step) []lts.Step {
			switch {
			case state[0] == 0:
				dst = append(dst, 0, 1)
			case state[0] == 1 && state[1] < 200:
				dst = append(dst, 0)
			}
			return dst
		},
		Take: func(state []byte, s lts.Step) {
			if state[0] == 0 {
				state[0] = byte(s) + 1
			}
			state[1]++
		},
		Wrong: func(state []byte) string {
			if state[1] == 200 {
				return "a long way"
			}
			return ""
		},
	}
	r := runToy(t, m, Options{Strategy: PriorityWalk, Runs: 50, Limits: Limits{Depth: 150}})
	if r.Walks.Number != 50 || r.Walks.Chance(1) != 0 || r.Verdict != Inconclusive {
		t.Errorf("got %+v, chance %v, %v, want 50 walks that say nothing", r.Walks, r.Walks.Chance(1), r)
	}
}

// TestLuby pins the lengths of walks without end.
func TestLuby(t *testing.T) {
	want := []int{1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8}
	for i, w := range want {
		if got := luby(i + 1); got != w {
			t.Errorf("luby(%d): got %d, want %d", i+1, got, w)
		}
	}
}
