package trace

import (
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"github.com/zeebo/xxh3"
	"pgregory.net/rapid"
)

func TestMinimise(t *testing.T) {
	wrong := func(message string) diag.Finding { return diag.Finding{Kind: "wrong", Message: message} }
	for _, test := range []struct {
		name     string
		sys      lts.System
		path     lts.Path
		finding  diag.Finding
		steps    int
		switches int
	}{
		// Each philosopher takes one fork: n steps of n actors.
		{"philosophers", ltstest.New(ltstest.Philosophers(4, false)),
			lts.Path{0, 0, 2, 0, 2, 2, 0, 1, 2, 3}, deadlock, 4, 3},
		// Look, be overtaken by a thread that enters, enter.
		{"mutex", ltstest.New(ltstest.Mutex(3, false)),
			lts.Path{0, 1, 2, 2, 2, 1, 0}, wrong("2 threads in the critical section"), 4, 2},
		// The six steps of the puzzle, no two of a kind in a row.
		{"jugs", ltstest.New(ltstest.Jugs()),
			lts.Path{0, 1, 0, 3, 4, 0, 4, 3, 2, 5, 1, 5, 2, 5, 1, 5}, wrong("4 gallons in the big jug"), 6, 5},
		// main starts both and ends, the first locks, the second locks.
		{"ab", ab(), lts.Path{0, 0, 20, 10, 0}, deadlock, 5, 2},
		// One thread adds before main asserts.
		{"lost", lost(), lts.Path{0, 0, 10, 0, 20, 20, 10, 1, 0}, golden[1].finding, 7, 2},
	} {
		m, err := Minimise(test.sys, test.path, SameAs(test.finding), 0)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if len(m.Path) != test.steps || m.Switches != test.switches || !m.Fewest() {
			t.Errorf("%s: got %d steps, %d switches of at least %d (%v), want %d and %d, proven",
				test.name, len(m.Path), m.Switches, m.AtLeast, m.Path, test.steps, test.switches)
		}
		if _, err := Record(test.sys, m.Path, m.Finding); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestBest(t *testing.T) {
	trace, err := Best(ab(), lts.Path{0, 0, 20, 10, 0}, deadlock, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := "5 steps, 2 context switches (1 preemption): no path of this length or shorter has fewer switches"
	if got := trace.Summary(); got != want || trace.Switches != 2 {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Where the finding shows at once there is nothing to do.
func TestMinimiseToNothing(t *testing.T) {
	g := ltstest.Graph{{0}}
	m, err := Minimise(ltstest.New(g.Model(0, 1)), lts.Path{0, 0, 0}, func(f diag.Finding) bool { return f.Kind == "wrong" }, 0)
	if err != nil || len(m.Path) != 0 || m.Switches != 0 || !m.Fewest() {
		t.Errorf("got %+v, %v, want the empty path", m, err)
	}
}

// leastSwitches looks at every path up to a length, one after the other, and
// returns the fewest switches and the shortest length with as many.
func leastSwitches(sys lts.System, same func(diag.Finding) bool, limit int) (switches, length int) {
	p := newProbe(sys)
	p.Reset()
	switches, length = 1<<30, 1<<30
	var walk func(depth, mover, n int)
	walk = func(depth, mover, n int) {
		if p.shows(same, depth > 0) {
			if n < switches || n == switches && depth < length {
				switches, length = n, depth
			}
			return
		}
		if depth == limit {
			return
		}
		for _, s := range p.Enabled(nil) {
			more := n
			if mover != nobody && p.actors.Actor(s) != mover {
				more++
			}
			m := p.Save()
			p.Take(s)
			walk(depth+1, p.actors.Mover(), more)
			p.Restore(m)
		}
	}
	walk(0, nobody, 0)
	return switches, length
}

// randomEnd walks at random until a finding shows.
func randomEnd(t *rapid.T, sys lts.System, most int) (lts.Path, diag.Finding) {
	p := newProbe(sys)
	p.Reset()
	var path lts.Path
	for !p.shows(func(diag.Finding) bool { return true }, len(path) > 0) {
		enabled := p.Enabled(nil)
		if len(enabled) == 0 || len(path) == most {
			t.Skip("nothing found")
		}
		s := rapid.SampledFrom(enabled).Draw(t, "step")
		p.Take(s)
		path = append(path, s)
	}
	return path, p.hit
}

// searchAlone is Minimise without editing, which would hide what a search misses.
func searchAlone(t *rapid.T, sys lts.System, path lts.Path, f diag.Finding) candidate {
	m := &minimiser{w: newWalker(newProbe(sys), DefaultBudget), same: SameAs(f), limit: len(path)}
	if err := m.start(path); err != nil {
		t.Fatal(err)
	}
	s := &switchSearch{minimiser: m, seen: map[xxh3.Uint128]int{}}
	s.run()
	return m.best
}

// Two ways, one answer: the result is that of looking at every path.
func TestMinimiseIsExact(t *testing.T) {
	check := func(t *rapid.T, sys lts.System, most int) {
		path, f := randomEnd(t, sys, most)
		before, _ := lts.Switches(sys, path)
		m, err := Minimise(sys, path, SameAs(f), 0)
		if err != nil {
			t.Fatal(err)
		}
		switches, length := leastSwitches(sys, SameAs(f), len(path))
		if m.Switches != switches || len(m.Path) != length || !m.Fewest() {
			t.Fatalf("%v: got %v with %d switches (at least %d), want %d in %d steps", path, m.Path, m.Switches, m.AtLeast, switches, length)
		}
		if alone := searchAlone(t, sys, path, f); alone.switches != switches || len(alone.moves) != length {
			t.Fatalf("%v: the search alone got %v with %d switches, want %d in %d steps", path, alone.path(), alone.switches, switches, length)
		}
		for _, budget := range []int{1, 10, 60} {
			hasty, err := Minimise(sys, path, SameAs(f), budget)
			if err != nil {
				t.Fatal(err)
			}
			if n, _ := lts.Switches(sys, hasty.Path); hasty.Switches > before || hasty.AtLeast > switches || n != hasty.Switches || len(hasty.Path) > len(path) {
				t.Fatalf("%v with budget %d: got %+v, want %d to %d switches", path, budget, hasty, switches, before)
			}
			if _, err := Record(sys, hasty.Path, hasty.Finding); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Run("programs", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) { check(t, ltstest.New(ltstest.DrawProgram(t).Model()), 12) })
	})
	t.Run("graphs", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			// Two actors with up to two steps each; the last node is wrong.
			g := ltstest.DrawGraph(t, 9)
			m := g.Model(1, 0)
			m.Actor = func(s lts.Step) int { return int(s) / 2 }
			m.Wrong = func(state []byte) string { return []string{"", "at the end"}[btoi(int(state[0]) == len(g)-1)] }
			check(t, ltstest.New(m), 8)
		})
	})
	t.Run("fakes", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) { check(t, rapid.SampledFrom([]lts.System{ab(), lost()}).Draw(t, "fake"), 20) })
	})
}

// Editing alone moves steps together, also where their numbers change.
func TestEdit(t *testing.T) {
	f := ab()
	p := newProbe(f)
	m := &minimiser{w: newWalker(p, 1000), same: SameAs(deadlock)}
	if err := m.start(lts.Path{0, 0, 20, 10, 0}); err != nil {
		t.Fatal(err)
	}
	m.edit()
	// main's three steps come first; it is gone then, and the others are 0 and 1.
	if got, want := m.best.path(), (lts.Path{0, 0, 0, 10, 0}); !slices.Equal(got, want) || m.best.switches != 2 {
		t.Errorf("got %v with %d switches, want %v with 2", got, m.best.switches, want)
	}
}
