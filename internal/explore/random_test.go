package explore

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"pgregory.net/rapid"
)

// TestRandomGraphs holds all complete searches against a queue and a map.
func TestRandomGraphs(t *testing.T) {
	searches := complete()
	searches["preemptions"] = Options{Strategy: Preemptions, MaxPreemptions: -1}
	rapid.Check(t, func(t *rapid.T) {
		g := ltstest.DrawGraph(t, 40)
		final := rapid.IntRange(0, 3).Draw(t, "final")
		wrong := rapid.SampledFrom([]int{0, 0, 5, 9}).Draw(t, "wrong")
		m := g.Model(final, wrong)
		want := ltstest.Reach(m)

		// What there is to find, by message, and how far away at least.
		nearest := map[string]int{}
		for key, depth := range want.Depth {
			message := m.Wrong([]byte(key))
			if message == "" && len(m.Enabled([]byte(key), nil)) == 0 && !m.Final([]byte(key)) {
				message = deadlock.Message
			}
			if old, ok := nearest[message]; message != "" && (!ok || depth < old) {
				nearest[message] = depth
			}
		}
		for name, o := range searches {
			o.All = true
			r := runToy(t, m, o)
			if r.States != int64(want.States) || len(r.Left) > 0 {
				t.Fatalf("%s: got %v, want %d states", name, r, want.States)
			}
			if o.Strategy != Preemptions && r.Transitions != int64(want.Transitions) {
				t.Fatalf("%s: got %d transitions, want %d", name, r.Transitions, want.Transitions)
			}
			if len(r.Findings) != len(nearest) || (r.Verdict == Violation) != (len(nearest) > 0) {
				t.Fatalf("%s: got %v, want findings %v", name, r, nearest)
			}
			for _, f := range r.Findings {
				least, ok := nearest[f.Message]
				if !ok || len(f.Path) < least || o.Strategy == BreadthFirst && len(f.Path) != least {
					t.Fatalf("%s: got %v, want %v", name, r, nearest)
				}
			}
			o.All = false
			if first := runToy(t, m, o); first.Verdict != r.Verdict || len(first.Findings) > 1 {
				t.Fatalf("%s: got %v and with all findings %v", name, first, r)
			}
		}
	})
}

// TestSameForAnyWorkers compares whole results, also of searches that stop at the
// first finding or at a limit of states or depth.
func TestSameForAnyWorkers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := ltstest.DrawGraph(t, 300)
		m := g.Model(1, rapid.SampledFrom([]int{0, 97}).Draw(t, "wrong"))
		o := Options{Strategy: BreadthFirst, All: rapid.Bool().Draw(t, "all")}
		o.Limits.States = rapid.SampledFrom([]int64{0, 0, 50}).Draw(t, "states")
		o.Limits.Depth = rapid.SampledFrom([]int{0, 0, 3}).Draw(t, "depth")
		one := runToy(t, m, o)
		for o.Workers = 2; o.Workers <= 3; o.Workers++ {
			if got := runToy(t, m, o); got.String() != one.String() {
				t.Fatalf("%d workers: got\n%v\nwant\n%v", o.Workers, got, one)
			}
		}
	})
}

// TestHorizonBounds: up to the bound that a search says it has completed it has seen whatever a search without a horizon sees, wherever it was ended
// and however short its paths were at first.
func TestHorizonBounds(t *testing.T) {
	claims := 0
	rapid.Check(t, func(t *rapid.T) {
		m := ltstest.DrawProgram(t).Model()
		seen := map[string]bool{}
		m.Wrong = func(state []byte) string { seen[string(state)] = true; return "" }
		o := Options{Strategy: Preemptions, All: true, MaxPreemptions: -1, Horizon: rapid.IntRange(1, 4).Draw(t, "horizon")}
		steps := rapid.IntRange(0, 200).Draw(t, "steps")
		o.Interrupt = func() bool { steps--; return steps < 0 }
		r := runToy(t, m, o)
		if r.Bound < 0 {
			return
		}
		if len(r.Left) > 0 {
			claims++
		}
		visited := seen
		seen = map[string]bool{}
		runToy(t, m, Options{Strategy: Preemptions, All: true, MaxPreemptions: r.Bound})
		for state := range seen {
			if !visited[state] {
				t.Fatalf("got that all with up to %d preemptions was seen, but not %v", r.Bound, []byte(state))
			}
		}
	})
	t.Logf("%d searches that were ended said something", claims)
}
