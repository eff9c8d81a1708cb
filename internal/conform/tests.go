package conform

import (
	"fmt"
	"hash/fnv"
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A program that is too large to be searched is tested. A test begins at the initial
// state and takes steps of the program, up to where it ends. It is led by the model:
// it has a goal, a transition of the model that no test has covered, and a way there,
// and of the steps that the program can take it prefers those that are on the way,
// and then those in which nothing is observed. What the program does instead, if the
// model allows it, leads to another way, or another goal. Where there is no goal left
// steps are taken at random. Whatever is chosen depends on the seed alone.

// TestOptions say how a program is tested.
type TestOptions struct {
	Number int // of tests
	Seed   uint64
	Length int         // steps of a test at most, 0 for DefaultLength
	All    bool        // go on after a test that fails
	Stop   func() bool // nil: never
}

// DefaultLength is how many steps a test has at most if nothing is said.
const DefaultLength = 5000

const (
	maxCounted  = 100_000    // states of the model whose transitions are counted
	maxReplayed = 10_000_000 // steps of the model for that
	maxPlanned  = 1000       // sets that a goal is looked for in
	maxLooked   = 16         // steps that are tried before one is taken
)

// A Test is how a test went.
type Test struct {
	Steps   int    // of the program
	Actions int    // that were observed
	New     int    // transitions of the model that no test before has covered
	End     string // in words
	Failed  bool
}

// A Failure is what a test has found, and the way there.
type Failure struct {
	diag.Finding
	Path lts.Path
}

// Tested is how the tests of a program went.
type Tested struct {
	Tests []Test
	// Transitions is how many transitions of the model can be observed, and Covered how
	// many of them may have been those that were. If the model has too many states for
	// that, Whole is false, and there are more.
	Covered, Transitions int
	Whole                bool
	States               int64 // distinct ones of both together
	Taken                int64 // steps of the program, with those that were only tried
	Depth                int
	Failures             []Failure
	Beyond               []Failure // ways to where the program, or the model, cannot be followed
	Stopped              bool      // by Stop, in the last test
}

// A tester tests.
type tester struct {
	*System
	o       TestOptions
	out     Tested
	rng     *rand.Rand
	covered map[transition]bool
	counted map[following]bool // what they are covered by
	tried   map[goal]int       // how often it was a goal
	goal    *goal
	next    int32 // label on the way to the goal, -1 for none
	seen    map[string]bool
	path    lts.Path
}

// A transition is one of the model: the edge of a state.
type transition struct{ state, edge int32 }

// A goal is a label in a set.
type goal struct{ set, label int32 }

// Test tests the program.
func (s *System) Test(o TestOptions) *Tested {
	if o.Length <= 0 {
		o.Length = DefaultLength
	}
	t := &tester{System: s, o: o, covered: map[transition]bool{}, counted: map[following]bool{}, tried: map[goal]int{}, seen: map[string]bool{}}
	t.count()
	for n := range o.Number {
		if t.stop() {
			t.out.Stopped = true
			break
		}
		t.rng = rand.New(rand.NewPCG(o.Seed, uint64(n)))
		before := len(t.covered)
		test := t.test()
		test.New = len(t.covered) - before
		t.out.Tests = append(t.out.Tests, test)
		if t.out.Depth = max(t.out.Depth, test.Steps); t.out.Stopped || test.Failed && !o.All || t.model.err != nil {
			break
		}
	}
	t.out.Covered, t.out.States = len(t.covered), int64(len(t.seen))
	return &t.out
}

func (t *tester) stop() bool { return t.o.Stop != nil && t.o.Stop() }

// count counts the transitions of the model.
func (t *tester) count() {
	m := t.model
	n := 0
	for ; n < len(m.states) && n < maxCounted && m.replayed < maxReplayed && len(m.states) < m.limit && m.err == nil && !t.stop(); n++ {
		for _, e := range m.edges(int32(n)) {
			if e.label >= 0 {
				t.out.Transitions++
			}
		}
	}
	t.out.Whole = n == len(m.states)
}

// test does one test.
func (t *tester) test() (test Test) {
	t.path = t.path[:0]
	t.Reset()
	t.goal = nil
	t.cover(t.begun, &test)
	t.plan()
	var steps []lts.Step
	for {
		if why := t.wrong(t.CheckState(nil)); why != "" {
			test.End, test.Failed = why, true
			return test
		}
		t.note()
		steps = t.Enabled(steps[:0])
		switch {
		case len(steps) == 0:
			test.End = t.end()
			return test
		case test.Steps >= t.o.Length:
			test.End = fmt.Sprintf("the limit of %d steps", t.o.Length)
			return test
		case t.stop():
			t.out.Stopped = true
			test.End = "stopped"
			return test
		}
		step := t.choose(steps)
		t.Take(step)
		t.out.Taken++
		t.path = append(t.path, step)
		test.Steps++
		trail := slices.Clone(t.trail)
		t.cover(trail, &test)
		if why := t.wrong(t.CheckStep(nil)); why != "" {
			test.End, test.Failed = why, true
			return test
		}
		if len(trail) > 0 && !t.ended() {
			t.plan()
		}
	}
}

// wrong keeps what is wrong and returns the first of it in words.
func (t *tester) wrong(list []diag.Finding) string {
	for _, f := range list {
		if !slices.ContainsFunc(t.out.Failures, func(o Failure) bool { return o.Kind == f.Kind && o.Message == f.Message && o.Pos == f.Pos }) {
			t.out.Failures = append(t.out.Failures, Failure{f, slices.Clone(t.path)})
		}
	}
	if len(list) == 0 {
		return ""
	}
	return list[0].Kind + ": " + list[0].Message
}

// end says why a test is over in which nothing was wrong.
func (t *tester) end() string {
	if err := t.Beyond(); err != nil {
		t.out.Beyond = append(t.out.Beyond, Failure{diag.Finding{Message: err.Error()}, slices.Clone(t.path)})
		return "cannot be followed: " + err.Error()
	}
	if t.model.stops(t.set) {
		return "the program stops, as the model may"
	}
	return "the program stops"
}

// note counts the state.
func (t *tester) note() {
	h := fnv.New128a()
	h.Write(t.AppendKey(nil))
	t.seen[string(h.Sum(nil))] = true
}

// cover notes the transitions of the model that observations may have been.
func (t *tester) cover(trail []following, test *Test) {
	test.Actions += len(trail)
	for _, f := range trail {
		if t.counted[f] {
			continue
		}
		t.counted[f] = true
		for _, n := range t.model.list[f.set].states {
			for i, e := range t.model.edges(n) {
				if e.label >= 0 && matches(f.action, t.model.labels[e.label]) {
					t.covered[transition{n, int32(i)}] = true
				}
			}
		}
	}
}

// choose chooses a step: one that the model does not allow, one on the way to the goal,
// one in which nothing is observed, or any.
func (t *tester) choose(steps []lts.Step) lts.Step {
	list := slices.Clone(steps)
	for i := range list {
		k := i + t.below(len(list)-i)
		list[i], list[k] = list[k], list[i]
	}
	if t.next < 0 || len(list) == 1 {
		return list[0]
	}
	here := t.Save()
	var silent []lts.Step
	for _, step := range list[:min(len(list), maxLooked)] {
		t.Take(step)
		t.out.Taken++
		wrong := t.last != nil
		wanted := len(t.trail) > 0 && matches(t.trail[0].action, t.model.labels[t.next])
		if len(t.trail) == 0 {
			silent = append(silent, step)
		}
		t.Restore(here)
		if wrong || wanted {
			return step
		}
	}
	if len(silent) > 0 && t.below(8) > 0 {
		return silent[0]
	}
	return list[0]
}

// below returns a number below n.
func (t *tester) below(n int) int { return int(t.rng.Uint64() % uint64(n)) }

// A way leads from the current set to a goal, and begins with a label.
type way struct {
	goal
	first int32
	cost  [2]int // how often it was tried, and how far it is
}

// plan finds the way to the goal from the current set or, if there is none, another goal: one that was tried
// least, and of those one of the nearest.
func (t *tester) plan() {
	old := t.goal
	t.goal, t.next = nil, -1
	var best []way
	for w := range t.ways() {
		if old != nil && w.goal == *old {
			t.goal, t.next = old, w.first
			return
		}
		if len(best) > 0 {
			switch slices.Compare(w.cost[:], best[0].cost[:]) {
			case 1:
				continue
			case -1:
				best = best[:0]
			}
		}
		best = append(best, w)
	}
	if len(best) > 0 {
		w := best[t.below(len(best))]
		t.goal, t.next = &w.goal, w.first
		t.tried[w.goal]++
	}
}

// ways yields goals that can be reached, the nearest first.
func (t *tester) ways() iter.Seq[way] {
	type place struct {
		set, first int32
		depth      int
	}
	return func(yield func(way) bool) {
		list := []place{{t.set, -1, 0}}
		in := map[int32]bool{t.set: true}
		for i := 0; i < len(list) && len(list) < maxPlanned && t.model.err == nil; i++ {
			p := list[i]
			for _, label := range t.labels(p.set) {
				first := p.first
				if first < 0 {
					first = label
				}
				if g := (goal{p.set, label}); t.open(g) && !yield(way{g, first, [2]int{t.tried[g], p.depth}}) {
					return
				}
				if to := t.model.after(p.set, t.model.labels[label]); to != none && !in[to] {
					in[to] = true
					list = append(list, place{to, first, p.depth + 1})
				}
			}
		}
	}
}

// labels returns what may be observed in a set, each once.
func (t *tester) labels(set int32) []int32 {
	var list []int32
	for _, n := range t.model.list[set].states {
		for _, e := range t.model.edges(n) {
			if e.label >= 0 && !slices.Contains(list, e.label) {
				list = append(list, e.label)
			}
		}
	}
	slices.Sort(list)
	return list
}

// open reports whether a goal is a transition that is not covered.
func (t *tester) open(g goal) bool {
	for _, n := range t.model.list[g.set].states {
		for i, e := range t.model.edges(n) {
			if e.label == g.label && !t.covered[transition{n, int32(i)}] {
				return true
			}
		}
	}
	return false
}
