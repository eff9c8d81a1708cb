package check

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/lts"
)

// A standing is a system that stands at one state, or has just taken one step.
type standing struct {
	lts.System
	held           bool
	runners, moved uint64
}

func (s *standing) Held() bool      { return s.held }
func (s *standing) Runners() uint64 { return s.runners }
func (s *standing) Moved() uint64   { return s.moved }
func (s *standing) Circles()        {}

// TestCircles: the clock is held back forever if there is a cycle without its steps in which nobody is kept waiting.
func TestCircles(t *testing.T) {
	const a, b = 1, 2
	type step struct {
		from, to int
		moved    uint64 // 0: the clock
	}
	for _, test := range []struct {
		name  string
		held  []bool
		runs  []uint64
		steps []step
		want  bool
	}{
		{"no cycle", []bool{true, true}, []uint64{a, a}, []step{{0, 1, a}}, false},
		{"one goroutine spins", []bool{true}, []uint64{a}, []step{{0, 0, a}}, true},
		{"nothing is due", []bool{false}, []uint64{a}, []step{{0, 0, a}}, false},
		{"another one is kept waiting", []bool{true, true}, []uint64{a | b, a}, []step{{0, 0, a}, {0, 1, b}}, false},
		{"another one waits by itself", []bool{true, true}, []uint64{a | b, a}, []step{{0, 1, a}, {1, 0, a}}, true},
		{"two in turn", []bool{true, true}, []uint64{a, b}, []step{{0, 1, a}, {1, 0, b}}, true},
		{"two loops that meet", []bool{true, true, true}, []uint64{a | b, a | b, a | b}, []step{{0, 1, a}, {1, 0, a}, {0, 2, b}, {2, 0, b}}, true},
		{"held in one of the states", []bool{false, true}, []uint64{a, a}, []step{{0, 1, a}, {1, 0, a}}, true},
		{"time passes in the cycle", []bool{true, true}, []uint64{a, a}, []step{{0, 1, a}, {1, 0, 0}}, false},
	} {
		c := newCircles()
		for i := range test.held {
			c.State(&standing{held: test.held[i], runners: test.runs[i]}, []byte{byte(i)}, 0)
		}
		for _, s := range test.steps {
			c.Step(&standing{moved: s.moved}, []byte{byte(s.from)}, []byte{byte(s.to)}, 0, 0)
		}
		if got := c.found(); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}
