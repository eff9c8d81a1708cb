package live

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A toy is some actors that are alike and share a variable. Each stands at a place; what it may do there depends on the variable.
// As a system it either tells its actors apart or, if it is sorted, does not: then the actors of a state come in the order of their
// places, and who is who changes from step to step.
type toy struct {
	rules  [][]rule // by place and value of the variable: the outcomes of the one operation there, none if it waits
	at     []int
	value  int
	sorted bool
	owed   []bool // by value of the variable

	who    int
	after  []int32
	last   rule
	marks  [][]int
	actors int
}

// A rule is one outcome of an operation.
type rule struct {
	at, value      int
	progress, look bool
	asked          bool
}

const (
	toyPlaces = 4
	toyValues = 3
)

func newToy(r *rand.Rand) *toy {
	t := &toy{actors: 2 + r.IntN(2)}
	for range toyPlaces * toyValues {
		var list []rule
		n := r.IntN(4)
		if n == 3 {
			n = 1
		}
		for range n {
			list = append(list, rule{at: r.IntN(toyPlaces), value: r.IntN(toyValues), progress: r.IntN(6) == 0, look: r.IntN(2) == 0, asked: r.IntN(4) == 0})
		}
		for i := range list {
			if list[i].progress {
				list[i].look = false
			}
			list[i].asked = list[0].asked && n > 1
		}
		t.rules = append(t.rules, list)
	}
	for v := range toyValues {
		t.owed = append(t.owed, v > 0 || r.IntN(2) == 0)
	}
	t.Reset()
	return t
}

func (t *toy) Reset() {
	t.at, t.value, t.marks = make([]int, t.actors), 0, nil
	t.order()
}

// order sorts the actors of a sorted toy, and notes who is who.
func (t *toy) order() {
	t.after = t.after[:0]
	places := make([]int, len(t.at)) // whose turn it is, by place in the order
	for i := range places {
		places[i] = i
	}
	if t.sorted {
		slices.SortStableFunc(places, func(a, b int) int { return t.at[a] - t.at[b] })
	}
	old := slices.Clone(t.at)
	t.after = make([]int32, len(places))
	for to, from := range places {
		t.at[to] = old[from]
		t.after[from] = int32(to)
	}
}

func (t *toy) outcomes(i int) []rule { return t.rules[t.at[i]*toyValues+t.value] }

func (t *toy) Enabled(dst []lts.Step) []lts.Step {
	for i := range t.at {
		for k := range t.outcomes(i) {
			dst = append(dst, lts.Step(i<<4|k))
		}
	}
	return dst
}

func (t *toy) Take(s lts.Step) lts.Label {
	t.who = int(s >> 4)
	t.last = t.outcomes(t.who)[s&15]
	t.at[t.who], t.value = t.last.at, t.last.value
	t.order()
	return 0
}

func (t *toy) Save() lts.Mark {
	t.marks = append(t.marks, append(slices.Clone(t.at), t.value))
	return lts.Mark(len(t.marks) - 1)
}

func (t *toy) Restore(m lts.Mark) {
	s := t.marks[m]
	t.marks = t.marks[:m+1]
	t.at, t.value = slices.Clone(s[:len(s)-1]), s[len(s)-1]
}

func (t *toy) AppendKey(dst []byte) []byte { return fmt.Append(dst, t.at, t.value) }
func (t *toy) Actor(s lts.Step) int        { return int(s >> 4) }
func (t *toy) Mover() int                  { return int(t.after[t.who]) }

func (t *toy) Stand(s *lts.Stance) {
	*s = lts.Stance{Actors: len(t.at)}
	for i := range t.at {
		if len(t.outcomes(i)) > 0 {
			s.Able = append(s.Able, int32(i))
		}
	}
	if t.owed[t.value] {
		s.Owed = []int32{7}
	}
}

func (t *toy) Move(m *lts.Motion) {
	*m = lts.Motion{After: t.after, Movers: []int32{int32(t.who)}, Progress: t.last.progress, Look: t.last.look, Asked: t.last.asked}
}

func (t *toy) Promise(n int) diag.Finding {
	return diag.Finding{Kind: "liveness", Message: fmt.Sprint(n)}
}

// record has a toy searched.
func record(t *toy) *Recorder {
	r := NewRecorder()
	t.Reset()
	seen := map[string]bool{}
	var visit func()
	visit = func() {
		key := t.AppendKey(nil)
		if seen[string(key)] {
			return
		}
		seen[string(key)] = true
		r.State(t, key, 0)
		m := t.Save()
		for _, s := range t.Enabled(nil) {
			t.Take(s)
			r.Step(t, key, t.AppendKey(nil), s, 0)
			visit()
			t.Restore(m)
		}
	}
	visit()
	return r
}

// TestAlike: whether actors that are alike are told apart makes no difference, and each loop is one.
func TestAlike(t *testing.T) {
	livelocks, broken, none := 0, 0, 0
	for seed := range uint64(3000) {
		toy := newToy(rand.New(rand.NewPCG(seed, 5)))
		var found [2][2]bool
		for i := range found {
			toy.sorted = i == 1
			for _, l := range record(toy).Loops(Options{Livelock: true, All: true}).Lassos {
				if l.Promise < 0 {
					found[i][0] = true
				} else {
					found[i][1] = true
				}
				if err := Again(toy, slices.Concat(l.Stem, l.Loop), len(l.Loop), l.Promise); err != nil {
					t.Fatalf("seed %d, sorted %v: %+v: %v", seed, toy.sorted, l, err)
				}
			}
		}
		if found[0] != found[1] {
			t.Fatalf("seed %d: got livelock, broken promise %v if actors are told apart, and %v if not", seed, found[0], found[1])
		}
		switch {
		case found[0][0]:
			livelocks++
		case found[0][1]:
			broken++
		default:
			none++
		}
	}
	if livelocks < 100 || broken < 100 || none < 100 {
		t.Errorf("got %d livelocks, %d broken promises and %d toys with neither, want many of each", livelocks, broken, none)
	}
}

// TestChangePlaces: one actor goes to and fro between places 1 and 3, past another one that stands at 2 and could always send something. Who
// takes the places in their order for actors thinks that all of them move.
func TestChangePlaces(t *testing.T) {
	toy := &toy{actors: 2, owed: make([]bool, toyValues), rules: make([][]rule, toyPlaces*toyValues)}
	on := func(at, value int, r rule) { toy.rules[at*toyValues+value] = []rule{r} }
	on(0, 0, rule{at: 1, value: 1})
	on(0, 1, rule{at: 2, value: 2})
	on(1, 2, rule{at: 3, value: 2, look: true})
	on(3, 2, rule{at: 1, value: 2, look: true})
	on(2, 2, rule{at: 2, value: 2, progress: true})
	for _, toy.sorted = range []bool{false, true} {
		if a := record(toy).Loops(Options{Livelock: true, All: true}); len(a.Lassos) > 0 {
			t.Errorf("sorted %v: got %+v, want none", toy.sorted, a.Lassos)
		}
	}
	on(2, 2, rule{at: 2, value: 2, look: true})
	for _, toy.sorted = range []bool{false, true} {
		if a := record(toy).Loops(Options{Livelock: true, All: true}); len(a.Lassos) == 0 || len(a.Lassos[0].Loop) != 3 {
			t.Errorf("sorted %v: got %+v, want one with a loop of three steps, or as many as there are actors", toy.sorted, a.Lassos)
		}
	}
}

// turns returns a toy with two actors of two places that never wait, of which each place has one rule whatever the variable is.
func turns(first, second rule) *toy {
	t := &toy{actors: 2, owed: []bool{true, true, true}}
	for _, r := range []rule{first, second, {}, {}} {
		for range toyValues {
			t.rules = append(t.rules, []rule{r})
		}
	}
	return t
}

// TestAgain: a path is a loop only if it comes back, everybody moves, and it is about what it says.
func TestAgain(t *testing.T) {
	toy := turns(rule{at: 1, look: true}, rule{at: 0, look: true})
	const a, b = 0 << 4, 1 << 4
	tests := []struct {
		name    string
		path    lts.Path
		loop    int
		promise int
		sorted  bool
		want    string
	}{
		{"both move", lts.Path{a, b, a, b}, 4, 7, false, ""},
		{"with a stem", lts.Path{a, b, a, a, b, b}, 4, 7, false, ""},
		{"one never moves", lts.Path{a, a}, 2, 7, false, "actor 1 could move in the loop and never does"},
		{"it does not come back", lts.Path{a, b, a}, 3, 7, false, "the loop does not come back to where it begins"},
		{"another promise", lts.Path{a, b, a, b}, 4, 3, false, "before step 1 of the loop the promise is kept"},
		{"longer than the path", lts.Path{a, b}, 3, 7, false, "there is no loop"},
		{"they take turns, and change places", lts.Path{b, a, b}, 2, 7, true, ""},
	}
	for _, test := range tests {
		toy.sorted = test.sorted
		toy.Reset()
		got := ""
		if err := Again(toy, test.path, test.loop, test.promise); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// TestLimits: without room, and if there is no time, nothing is said to be complete.
func TestLimits(t *testing.T) {
	r := record(turns(rule{at: 1, look: true}, rule{at: 0, look: true}))
	if a := r.Loops(Options{Livelock: true}); len(a.Lassos) != 1 || a.NoMemory || a.Stopped {
		t.Errorf("got %+v, want one lasso", a)
	}
	if a := r.Loops(Options{Livelock: true, Room: 1}); len(a.Lassos) != 0 || !a.NoMemory {
		t.Errorf("got %+v, want no room", a)
	}
	if a := r.Loops(Options{Livelock: true, Stop: func() bool { return true }}); len(a.Lassos) != 0 || !a.Stopped {
		t.Errorf("got %+v, want it stopped", a)
	}
	if n := r.Bytes(); n < 4*100 {
		t.Errorf("got %d bytes of four states", n)
	}
}

// TestNotWhole: a state of which not all steps were taken belongs to no loop.
func TestNotWhole(t *testing.T) {
	toy := turns(rule{at: 1, look: true}, rule{at: 0, look: true})
	r := record(toy)
	toy.Reset()
	start := toy.AppendKey(nil)
	id := r.ids[string(start)]
	i := slices.IndexFunc(r.edges, func(e rawEdge) bool { return e.from == id })
	r.edges = slices.Delete(r.edges, i, i+1)
	for _, l := range r.Loops(Options{Livelock: true, All: true}).Lassos {
		toy.Reset()
		for _, s := range slices.Concat(l.Stem, l.Loop) {
			toy.Take(s)
			if bytes.Equal(toy.AppendKey(nil), start) {
				t.Errorf("got a loop through the initial state: %+v", l)
			}
		}
	}
}

// TestComponents pins the components of a small graph: 0 → 1 ⇄ 2 → 3, 3 → 3.
func TestComponents(t *testing.T) {
	next := [][]int{{1}, {2}, {1, 3}, {3}}
	comp, n := components(4, func(v int) int { return len(next[v]) }, func(v, k int) int { return next[v][k] }, func() bool { return false })
	if n != 3 || !slices.Equal(comp, []int32{2, 1, 1, 0}) {
		t.Errorf("got %d components %v, want 3 of them, [2 1 1 0]", n, comp)
	}
}
