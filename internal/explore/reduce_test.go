package explore

import (
	"maps"
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"pgregory.net/rapid"
)

// ends searches a program and returns the result and the states without steps.
func ends(t *rapid.T, m ltstest.Model, o Options) (*Result, []string) {
	stuck := map[string]bool{}
	final := m.Final
	m.Final = func(state []byte) bool {
		stuck[string(state)] = true
		return final(state)
	}
	r := runToy(t, m, o)
	return r, slices.Sorted(maps.Keys(stuck))
}

// messages returns what was found, in order.
func messages(r *Result) []string {
	var list []string
	for _, f := range r.Findings {
		list = append(list, f.Error())
	}
	slices.Sort(list)
	return list
}

// TestReducedPrograms holds reduced searches against plain ones on generated
// programs: same verdict, same findings, same final states, no more states. And
// the reduced graph is the same for every search.
func TestReducedPrograms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := ltstest.DrawProgram(t).Model()
		plain, plainEnds := ends(t, m, Options{All: true})
		var reduced *Result
		for _, s := range []Strategy{DepthFirst, BreadthFirst, Preemptions} {
			r, rEnds := ends(t, m, Options{Strategy: s, All: true, Reduce: true, MaxPreemptions: -1})
			if r.Verdict != plain.Verdict || !slices.Equal(messages(r), messages(plain)) || !slices.Equal(rEnds, plainEnds) {
				t.Fatalf("%s: got\n%v%q\nplain\n%v%q", s, r, rEnds, plain, plainEnds)
			}
			if reduced == nil {
				reduced = r
			}
			if r.States > plain.States || r.States != reduced.States {
				t.Fatalf("%s: got %d states, depth-first %d, plain %d", s, r.States, reduced.States, plain.States)
			}
		}
	})
}

// TestIndependentThreads pins what the reduction of programs saves: three threads
// with four operations on a variable each have 5^3 states, and 3·4+1 reduced.
func TestIndependentThreads(t *testing.T) {
	var p ltstest.Program
	for i := range 3 {
		p = append(p, slices.Repeat([]ltstest.Op{{Object: i, Value: 1}}, 4))
	}
	plain := runToy(t, p.Model(), Options{})
	reduced := runToy(t, p.Model(), Options{Reduce: true})
	if plain.States != 125 || reduced.States != 13 {
		t.Errorf("got %d states, reduced %d, want 125 and 13", plain.States, reduced.States)
	}
}
