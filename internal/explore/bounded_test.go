package explore

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
)

// TestDelayBounds: for nothing there is one schedule. Two threads are in the broken mutex when each was delayed once at the wrong
// place, and everything is seen in the end.
func TestDelayBounds(t *testing.T) {
	r := runToy(t, ltstest.Grid(3, 3), Options{Strategy: Delays})
	if r.Verdict != Inconclusive || r.States != 3*3+1 || r.Bound != 0 {
		t.Errorf("grid without delays: got %v, want one path of 9 steps", r)
	}
	// A delay goes on with the next counter at any of the 9 states that are left, or with the one after that.
	r = runToy(t, ltstest.Grid(3, 3), Options{Strategy: Delays, MaxPreemptions: -1})
	if r.Verdict != Verified || r.States != 64 {
		t.Errorf("grid: got %v, want 64 states verified", r)
	}
	r = runToy(t, ltstest.Mutex(2, false), Options{Strategy: Delays, MaxPreemptions: -1})
	if r.Verdict != Violation {
		t.Errorf("mutex: got %v, want a violation", r)
	}
}

// endless is a toy with two threads: one counts without end, up to what a byte holds many times over, and the other
// goes wrong after a few steps.
func endless(wrongAfter byte) ltstest.Model {
	return ltstest.Model{
		Start: make([]byte, 4), // three digits of a counter, steps of the other
		Enabled: func(state []byte, dst []lts.Step) []lts.Step {
			dst = append(dst, 0)
			if state[3] < wrongAfter {
				dst = append(dst, 1)
			}
			return dst
		},
		Take: func(state []byte, s lts.Step) {
			if s == 1 {
				state[3]++
				return
			}
			for i := range 3 {
				if state[i]++; state[i] != 0 {
					break
				}
			}
		},
		Wrong: func(state []byte) string {
			if state[3] == wrongAfter {
				return "wrong"
			}
			return ""
		},
	}
}

// TestHorizon: a path without an end does not keep others from being followed.
func TestHorizon(t *testing.T) {
	for _, s := range []Strategy{Preemptions, Delays} {
		r := runToy(t, endless(3), Options{Strategy: s, MaxPreemptions: -1, Horizon: 10, Limits: Limits{States: 10_000}})
		if r.Verdict != Violation || r.States > 200 {
			t.Errorf("%v: got %v, want a violation soon", s, r)
		}
		if r.Bound != -1 {
			t.Errorf("%v: got bound %d, although paths were cut", s, r.Bound)
		}
		r = runToy(t, endless(3), Options{Strategy: s, MaxPreemptions: -1, Limits: Limits{States: 10_000}})
		if r.Verdict != Inconclusive {
			t.Errorf("%v without horizon: got %v, want that it gets lost", s, r)
		}
	}
	// What is cut is followed later: everything is seen.
	r := runToy(t, ltstest.Grid(3, 3), Options{Strategy: Delays, MaxPreemptions: -1, Horizon: 2})
	if r.Verdict != Verified || r.States != 64 {
		t.Errorf("grid: got %v, want 64 states verified", r)
	}
}

// TestBeside: what is beside a depth-first search can end it, and knows where it stands.
func TestBeside(t *testing.T) {
	var last At
	r := runToy(t, endless(3), Options{Beside: func(at At) bool {
		last = at
		return at.Transitions == 100
	}})
	if r.Verdict != Inconclusive || r.Transitions != 100 || len(r.Left) != 1 || r.Left[0].Reason != Interrupted {
		t.Errorf("got %v, want that it was interrupted after 100 steps", r)
	}
	if last.Branches != 101 || last.Depth != 101 {
		t.Errorf("got %+v, want a path of 100 steps, with another one in each state", last)
	}
}
