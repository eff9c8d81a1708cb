package hunt

import (
	"errors"
	"reflect"
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
)

// turns is a toy with two threads that go wrong if they take turns, and a third that counts without end.
func turns() ltstest.Model {
	return ltstest.Model{
		Start: make([]byte, 6),
		Enabled: func(state []byte, dst []lts.Step) []lts.Step {
			dst = append(dst, 0)
			for i := range 2 {
				if state[3+i] < 3 {
					dst = append(dst, lts.Step(1+i))
				}
			}
			return dst
		},
		Take: func(state []byte, s lts.Step) {
			if s == 0 {
				for i := range 3 {
					if state[i]++; state[i] != 0 {
						break
					}
				}
				return
			}
			if state[5] == 2*state[2+s]+byte(s-1) {
				state[5]++
			}
			state[2+s]++
		},
		Wrong: func(state []byte) string {
			if state[5] == 5 {
				return "they took turns"
			}
			return ""
		},
	}
}

func plan(m ltstest.Model) Plan {
	return Plan{
		New:  func(bool) (lts.System, string, error) { return ltstest.New(m), "view", nil },
		Stop: func() bool { return false },
	}
}

// TestHunt: what a depth-first search never sees is found, in equal runs by the same member after the same number of steps.
func TestHunt(t *testing.T) {
	search, err := explore.Run(func() (lts.System, error) { return ltstest.New(turns()), nil }, explore.Options{Limits: explore.Limits{States: 100_000}})
	if err != nil || search.Verdict != explore.Inconclusive {
		t.Fatalf("got %v, %v, want that a depth-first search gets lost", search, err)
	}
	var first *Known
	for range 2 {
		h := New(plan(turns()))
		work := int64(0)
		for ; !h.Go(work) && work < 10_000_000; work += 1000 {
		}
		known, err := h.End()
		if err != nil || len(known.Findings) != 1 || known.Findings[0].View != "view" {
			t.Fatalf("got %+v, %v, want one finding", known, err)
		}
		if work > 2_000_000 {
			t.Errorf("got it after %d units of work, want it soon", work)
		}
		if first == nil {
			first = known
		} else if !reflect.DeepEqual(known, first) {
			t.Errorf("equal runs differ: %+v and %+v", known, first)
		}
	}
}

// TestHuntSmall: a hunt that comes to an end says how much it knows, and that all of it was seen.
func TestHuntSmall(t *testing.T) {
	h := New(plan(ltstest.Grid(3, 3)))
	if h.Go(3_000_000) {
		t.Error("got that there is enough, want nothing")
	}
	known, err := h.End()
	if err != nil || len(known.Findings) > 0 {
		t.Fatalf("got %+v, %v, want no finding", known, err)
	}
	if known.Preemptions < 2 || known.Delays < 2 || known.Walks < 10 || len(known.Chances) < 2 || known.Chances[0] < 0.99 {
		t.Errorf("got %+v, want some preemptions, delays and walks", known)
	}
}

// TestHuntEnds: a hunt that did not begin, that is stopped, or that fails.
func TestHuntEnds(t *testing.T) {
	h := New(plan(turns()))
	if known, err := h.End(); err != nil || len(known.Members) > 0 {
		t.Errorf("not begun: got %+v, %v, want nothing", known, err)
	}
	p := plan(turns())
	steps := 0
	p.Stop = func() bool { steps++; return steps > 50 }
	h = New(p)
	if h.Go(1 << 40) {
		t.Error("stopped: got a finding, want none")
	}
	if _, err := h.End(); err != nil {
		t.Errorf("stopped: got %v", err)
	}
	p = plan(turns())
	p.New = func(bool) (lts.System, string, error) { return nil, "", errors.New("no") }
	h = New(p)
	if !h.Go(1 << 20) {
		t.Error("failed: want that there is no need for more")
	}
	if _, err := h.End(); err == nil || err.Error() != "no" {
		t.Errorf("failed: got %v, want the error", err)
	}
	p = plan(turns())
	p.Lump = 1000
	h = New(p)
	h.Go(999)
	if known, _ := h.End(); len(known.Members) > 0 {
		t.Errorf("got %+v before anything was due", known)
	}
}

// TestHuntAll: with all findings wanted, it goes on after the first.
func TestHuntAll(t *testing.T) {
	m := ltstest.Grid(2, 3)
	m.Wrong = func(state []byte) string {
		switch {
		case state[0] == 3 && state[1] == 0:
			return "first"
		case state[0] == 0 && state[1] == 3:
			return "second"
		}
		return ""
	}
	p := plan(m)
	p.All = true
	h := New(p)
	if h.Go(1_000_000) {
		t.Error("got that there is enough, although all are wanted")
	}
	known, err := h.End()
	seen := map[string]bool{}
	for _, f := range known.Findings {
		seen[f.Message] = true
	}
	if err != nil || !seen["first"] || !seen["second"] {
		t.Errorf("got %v, %v, want both", seen, err)
	}
}
