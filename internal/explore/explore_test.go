package explore

import (
	"fmt"
	"testing"

	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"github.com/heddle-mc/heddle/internal/stateset"
)

// runToy runs a search of a toy.
func runToy(t interface {
	Helper()
	Fatal(...any)
}, m ltstest.Model, o Options) *Result {
	t.Helper()
	r, err := Run(func() (lts.System, error) { return ltstest.New(m), nil }, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// complete are the options of searches that see every state.
func complete() map[string]Options {
	o := map[string]Options{}
	for _, workers := range []int{1, 2, 3} {
		for _, s := range []Strategy{DepthFirst, BreadthFirst} {
			o[fmt.Sprintf("%s %d", s, workers)] = Options{Strategy: s, Workers: workers}
		}
	}
	o["dfs exact"] = Options{NewSet: func() stateset.Set { return stateset.NewExact() }}
	o["bfs exact"] = Options{Strategy: BreadthFirst, Workers: 2, NewSet: func() stateset.Set { return stateset.NewExact() }}
	o["swarm"] = Options{Strategy: Swarm, Workers: 2, Seed: 1} // its first member sees everything
	return o
}

// TestCounts pins the numbers of the toys' comments.
func TestCounts(t *testing.T) {
	for _, toy := range []struct {
		name                       string
		m                          ltstest.Model
		states, transitions, depth int64 // the depth of breadth-first search
		verdict                    Verdict
	}{
		// (k+1)^n states, n k (k+1)^(n-1) transitions, depth nk
		{"grid", ltstest.Grid(4, 5), 6 * 6 * 6 * 6, 4 * 5 * 6 * 6 * 6, 20, Verified},
		// Q = (1+√2)^8 + (1-√2)^8 states, 8 (Q - P) transitions, P = 408
		{"philosophers", ltstest.Philosophers(8, false), 1154, 8 * (1154 - 408), 8, Violation},
		// n 2^n states, n 2^n (1+n/2) transitions
		{"ring", ltstest.Ring(6), 6 * 64, 6 * 64 * 4, 11, Verified},
		// 2^n + n 2^(n-1) states
		{"mutex", ltstest.Mutex(6, true), 64 + 6*32, 6*32 + 6*32, 12, Verified},
		// 2^(d+1)-1 states, one less transitions
		{"tree", ltstest.Tree(9), 1023, 1022, 9, Verified},
		// stem+loop states and transitions
		{"lasso", ltstest.Lasso(500, 9), 509, 509, 508, Verified},
		// 16 states with 6 steps each
		{"jugs", ltstest.Jugs(), 16, 96, 7, Violation},
	} {
		for name, o := range complete() {
			o.All = true
			r := runToy(t, toy.m, o)
			if r.States != toy.states || r.Transitions != toy.transitions || r.Verdict != toy.verdict {
				t.Errorf("%s, %s: got %s with %d states, %d transitions, want %s with %d and %d",
					toy.name, name, r.Verdict, r.States, r.Transitions, toy.verdict, toy.states, toy.transitions)
			}
			if r.Revisited != r.Transitions-r.States+1 || len(r.Left) > 0 {
				t.Errorf("%s, %s: got %d revisited, left %v", toy.name, name, r.Revisited, r.Left)
			}
			if o.Strategy == BreadthFirst && r.MaxDepth != int(toy.depth) {
				t.Errorf("%s, %s: got depth %d, want %d", toy.name, name, r.MaxDepth, toy.depth)
			}
		}
	}
}

// TestFindings has each search find what is wrong, and the path lead there.
func TestFindings(t *testing.T) {
	searches := complete()
	searches["random"] = Options{Strategy: RandomWalk, Seed: 3, Limits: Limits{Depth: 100}}
	searches["preemptions"] = Options{Strategy: Preemptions, MaxPreemptions: -1}
	searches["bits"] = Options{Strategy: Swarm, Runs: 3, NewSet: func() stateset.Set { return stateset.NewBitstate(1 << 16) }}
	for _, toy := range []struct {
		name, kind string
		m          ltstest.Model
		shortest   int
	}{
		{"philosophers", "deadlock", ltstest.Philosophers(4, false), 4},
		{"mutex", "wrong", ltstest.Mutex(3, false), 4},
		{"jugs", "wrong", ltstest.Jugs(), 6},
	} {
		for name, o := range searches {
			r := runToy(t, toy.m, o)
			if r.Verdict != Violation || len(r.Findings) != 1 || r.Findings[0].Kind != toy.kind {
				t.Errorf("%s, %s: got %v, want a %s", toy.name, name, r, toy.kind)
				continue
			}
			path := r.Findings[0].Path
			if o.Strategy == BreadthFirst && len(path) != toy.shortest || len(path) < toy.shortest {
				t.Errorf("%s, %s: got a path of %d steps, want %d", toy.name, name, len(path), toy.shortest)
			}
			sys := ltstest.New(toy.m)
			if err := lts.Replay(sys, path); err != nil {
				t.Errorf("%s, %s: %v", toy.name, name, err)
			}
			if toy.kind == "deadlock" && len(sys.Enabled(nil)) > 0 ||
				toy.kind == "wrong" && len(sys.(lts.Checker).CheckState(nil)) == 0 {
				t.Errorf("%s, %s: path %v does not lead to the finding", toy.name, name, path)
			}
			if again := runToy(t, toy.m, o); again.String() != r.String() {
				t.Errorf("%s, %s: got\n%v\nand then\n%v", toy.name, name, r, again)
			}
			o.All = true
			r = runToy(t, toy.m, o)
			if again := runToy(t, toy.m, o); again.String() != r.String() {
				t.Errorf("%s, %s: got all\n%v\nand then\n%v", toy.name, name, r, again)
			}
		}
	}
}

// TestWrongSteps has a fault of one step between two states that can be reached
// without it, so that most searches take the step to a state seen before.
func TestWrongSteps(t *testing.T) {
	m := ltstest.Grid(2, 3)
	for i := range 2 {
		m.WrongStep = func(from, to []byte) string {
			if from[0] == 1 && from[1] == 1 && to[i] == 2 {
				return "one, one, two"
			}
			return ""
		}
		for name, o := range everyStrategy() {
			r := runToy(t, m, o)
			if r.Verdict != Violation || len(r.Findings) != 1 || r.Findings[0].Kind != "step" || len(r.Findings[0].Path) != 3 {
				t.Errorf("%s, counter %d: got %v, want a wrong third step", name, i, r)
			}
		}
	}
}

// TestPreemptionBounds counts preemptions: two threads meet in the broken mutex
// after two. Philosophers deadlock after one: the first is preempted with one
// fork, and if the others then sit down from its left on, none of them can go on
// after taking a fork.
func TestPreemptionBounds(t *testing.T) {
	for _, toy := range []struct {
		name string
		m    ltstest.Model
		need int
	}{
		{"mutex", ltstest.Mutex(2, false), 2},
		{"philosophers", ltstest.Philosophers(4, false), 1},
	} {
		for most := range 5 {
			r := runToy(t, toy.m, Options{Strategy: Preemptions, MaxPreemptions: most})
			want := Violation
			if most < toy.need {
				want = Inconclusive
			}
			if r.Verdict != want {
				t.Errorf("%s with %d preemptions: got %s, want %s", toy.name, most, r.Verdict, want)
			}
			if want == Violation {
				if _, n := lts.Switches(ltstest.New(toy.m), r.Findings[0].Path); n != toy.need || r.Bound != toy.need-1 {
					t.Errorf("%s: got a path with %d preemptions, bound %d, want %d", toy.name, n, r.Bound, toy.need)
				}
			}
			if want == Inconclusive && (r.Bound != most || r.Left[0].Reason != LimitPreemptions) {
				t.Errorf("%s with %d preemptions: got bound %d, left %v", toy.name, most, r.Bound, r.Left)
			}
		}
	}
	// Without a bound all states are seen: (k+1)^n.
	r := runToy(t, ltstest.Grid(3, 3), Options{Strategy: Preemptions, MaxPreemptions: -1})
	if r.Verdict != Verified || r.States != 64 {
		t.Errorf("grid: got %v, want 64 states verified", r)
	}
	// A counter runs to its end without being preempted: with bound 0 there is one
	// such run for each order of the three, so the states are those in which at
	// most one counter is between its ends: 2^3 + 3·2·2^2.
	r = runToy(t, ltstest.Grid(3, 3), Options{Strategy: Preemptions})
	if r.Verdict != Inconclusive || r.States != 8+3*2*4 || r.Bound != 0 {
		t.Errorf("grid with bound 0: got %v, want 32 states", r)
	}
}

// TestReduction holds a reduced search against a plain one: nk+1 states instead
// of (k+1)^n, and the same final state.
func TestReduction(t *testing.T) {
	for name, o := range complete() {
		m := ltstest.Grid(4, 3)
		m.Wrong = func(c []byte) string {
			if c[0]+c[1]+c[2]+c[3] == 12 {
				return fmt.Sprint("end at ", c)
			}
			return ""
		}
		o.All = true
		plain := runToy(t, m, o)
		o.Reduce = true
		reduced := runToy(t, m, o)
		if plain.States != 256 || reduced.States != 13 || reduced.Transitions != 12 {
			t.Errorf("%s: got %d and reduced %d states, want 256 and 13", name, plain.States, reduced.States)
		}
		if plain.Verdict != reduced.Verdict || len(reduced.Findings) != 1 ||
			plain.Findings[0].Error() != reduced.Findings[0].Error() {
			t.Errorf("%s: got\n%v\nand reduced\n%v", name, plain, reduced)
		}
	}
}

func TestWalksAreSamples(t *testing.T) {
	o := Options{Strategy: RandomWalk, Runs: 500, Seed: 7}
	r := runToy(t, ltstest.Grid(2, 2), o)
	if r.Verdict != Inconclusive || r.States != 9 || r.Left[0].Reason != Sample {
		t.Errorf("got %v, want all 9 states and no proof", r)
	}
}

// What walks say of themselves is so also where no two actors have anything in common.
func TestFocusOnNothing(t *testing.T) {
	r := runToy(t, ltstest.Grid(2, 2), Options{Strategy: FocusWalk, Runs: 5, Seed: 7})
	const want = "5 walks of up to 10000 steps that look at two goroutines each, if two have something in common, see some states only"
	if got := r.Left[0].Text; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSwarmMembersDiffer(t *testing.T) {
	// Each member sees 40 of 4^5 states; together they must see more.
	m := ltstest.Grid(5, 3)
	seen := make(map[string]bool)
	m.Wrong = func(c []byte) string { seen[string(c)] = true; return "" }
	o := Options{Strategy: Swarm, Runs: 6, Limits: Limits{States: 40}}
	r := runToy(t, m, o)
	if r.Verdict != Inconclusive || r.States != 6*40 || len(seen) < 120 {
		t.Errorf("got %d different states in %v, want 120 or more", len(seen), r)
	}
}

// The benchmarks report states a second, system and all.
func BenchmarkSearch(b *testing.B) {
	m := ltstest.Grid(6, 9) // 10^6 states, 6·9·10^5 transitions
	for _, s := range []Strategy{DepthFirst, BreadthFirst} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/%d", s, workers), func(b *testing.B) {
				var r *Result
				for b.Loop() {
					r = runToy(b, m, Options{Strategy: s, Workers: workers})
				}
				b.ReportMetric(float64(r.States)*float64(b.N)/b.Elapsed().Seconds(), "states/s")
				b.ReportMetric(float64(r.Bytes)/float64(r.States), "bytes/state")
			})
		}
	}
}
