package explore

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"pgregory.net/rapid"
)

// A shelved system has some actors that are always in a library.
type shelved struct {
	toySystem
	library int // as bits
}

type toySystem interface {
	lts.System
	lts.Actors
	lts.Checker
	lts.Finisher
}

func (s shelved) InLibrary(actor int) bool { return actor >= 0 && s.library>>actor&1 != 0 }

// TestOwn: where nobody is in a library, a search without preemptions of those sees everything, and where everybody is, it sees what one without preemptions
// does. In between it sees whatever both see.
func TestOwn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := ltstest.DrawProgram(t).Model()
		var seen map[string]bool
		m.Wrong = func(state []byte) string { seen[string(state)] = true; return "" }
		visit := func(o Options, library int) map[string]bool {
			seen = map[string]bool{}
			o.All = true
			if _, err := Run(func() (lts.System, error) { return shelved{ltstest.New(m).(toySystem), library}, nil }, o); err != nil {
				t.Fatal(err)
			}
			return seen
		}
		bound := rapid.IntRange(0, 2).Draw(t, "bound")
		some := rapid.IntRange(0, 7).Draw(t, "library")
		all := visit(Options{}, 0)
		few := visit(Options{Strategy: Preemptions, MaxPreemptions: bound}, 0)
		none, whole, part := visit(Options{Strategy: Own, MaxPreemptions: bound}, 0), visit(Options{Strategy: Own, MaxPreemptions: bound}, -1), visit(Options{Strategy: Own, MaxPreemptions: bound}, some)
		if len(none) != len(all) || len(whole) != len(few) || len(part) > len(all) {
			t.Fatalf("got %d, %d and %d states, want %d, %d and not more than all", len(none), len(whole), len(part), len(all), len(few))
		}
		for state := range few {
			if !part[state] {
				t.Fatalf("a state with %d preemptions is missing", bound)
			}
		}
	})
}

// TestOwnRefused: a system has to tell.
func TestOwnRefused(t *testing.T) {
	if _, err := Run(func() (lts.System, error) { return ltstest.New(ltstest.Grid(2, 2)), nil }, Options{Strategy: Own}); err == nil {
		t.Error("got no error, want that it needs a system that tells libraries apart")
	}
}
