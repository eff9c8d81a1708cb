package state

import (
	"fmt"
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"github.com/heddle-mc/heddle/internal/mcrl2/randspec"
)

func TestContract(t *testing.T) {
	for name, text := range map[string]string{"abp": abp, "philosophers": philosophers(3), "counter": counter, "random": randspec.Text(7)} {
		for _, o := range []Options{{}, {Uncached: true}, {Actions: []string{"eat", "s4"}}} {
			l := linearised(t, text)
			t.Run(name, func(t *testing.T) {
				ltstest.Run(t, func() lts.System {
					s, err := New(l, o)
					if err != nil {
						t.Fatal(err)
					}
					return s
				})
			})
		}
	}
}

func TestCounts(t *testing.T) {
	for _, c := range []struct {
		name, text          string
		states, transitions int64
	}{
		{"loop", "act a; proc P = a . P; init P;", 1, 1},
		{"delta", "init delta;", 1, 0},
		{"two", "act a: Nat; proc P(n: Nat) = (n < 9) -> a(n) . P(n + 1) + (n < 9) -> a(n) . P(n + 1); init P(0);", 10, 9},
		{"abp", abp, 74, 92}, // what the mCRL2 toolset has
		{"philosophers", philosophers(3), tables(3), 66},
		{"philosophers", philosophers(5), tables(5), 1250},
	} {
		l := linearised(t, c.text)
		for _, how := range []explore.Options{{All: true}, {All: true, Strategy: explore.BreadthFirst}, {All: true, Workers: 2}} {
			for _, o := range []Options{{}, {Uncached: true}} {
				r := search(t, l, o, how)
				if r.States != c.states || r.Transitions != c.transitions {
					t.Errorf("%s: got %d states and %d transitions, want %d and %d", c.name, r.States, r.Transitions, c.states, c.transitions)
				}
			}
		}
	}
}

// tables counts the states of n philosophers another way: a philosopher has no
// fork, the left one, both before and after eating, or the right one, and a right
// fork is not the left one of the neighbour.
func tables(n int) int64 {
	holdsLeft, holdsRight := [5]bool{1: true, 2: true, 3: true}, [5]bool{2: true, 3: true, 4: true}
	total := int64(0)
	for first := range 5 {
		ways := [5]int64{}
		ways[first] = 1
		for range n {
			var next [5]int64
			for a := range 5 {
				for b := range 5 {
					if !holdsRight[a] || !holdsLeft[b] {
						next[b] += ways[a]
					}
				}
			}
			ways = next
		}
		total += ways[first]
	}
	return total - 1 // all with the right fork alone: nobody gets there
}

// TestSeed: with a seed keys are others, the graph is the same, and keys are those of states whatever way leads there.
func TestSeed(t *testing.T) {
	l := linearised(t, philosophers(4))
	sys, err := New(l, Options{})
	if err != nil {
		t.Fatal(err)
	}
	graph := func() (keys map[string]string, transitions int) {
		keys = map[string]string{} // by the values of the state
		var visit func()
		visit = func() {
			values := fmt.Sprint(sys.State())
			key := string(sys.AppendKey(nil))
			if old, ok := keys[values]; ok {
				if old != key {
					t.Fatalf("%s: got two keys", values)
				}
				return
			}
			keys[values] = key
			m := sys.Save()
			for _, s := range sys.Enabled(nil) {
				next, _ := sys.AppendNextKey(nil, s)
				sys.Take(s)
				transitions++
				if got := string(sys.AppendKey(nil)); string(next) != got {
					t.Fatalf("after step %d: got another key than was said before", s)
				}
				visit()
				sys.Restore(m)
			}
		}
		visit()
		return keys, transitions
	}
	first, transitions := graph()
	for _, seed := range []uint64{0, 7, 7, 8, 0} {
		sys.Seed(seed)
		keys, n := graph()
		if len(keys) != len(first) || n != transitions || len(keys) < 10 {
			t.Errorf("seed %d: got %d states and %d transitions, want %d and %d", seed, len(keys), n, len(first), transitions)
		}
		for values, key := range keys {
			if same := key == first[values]; same != (seed == 0) {
				t.Fatalf("seed %d: the key of a state is that without a seed: %v", seed, same)
			}
		}
	}
}
