package explore

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"github.com/heddle-mc/heddle/internal/stateset"
)

// A drawing is the graph as an observer sees it; digests are whole states.
type drawing struct {
	states map[string]int // how often
	edges  map[string]int
	bad    string
}

func (d *drawing) State(sys lts.System, digest []byte, depth int) {
	if string(sys.AppendKey(nil)) != string(digest) {
		d.bad = fmt.Sprintf("state %x, the system stands at %x", digest, sys.AppendKey(nil))
	}
	d.states[string(digest)]++
}

func (d *drawing) Step(sys lts.System, from, to []byte, s lts.Step, l lts.Label) {
	if string(sys.AppendKey(nil)) != string(to) || d.states[string(from)] == 0 || lts.Label(s) != l {
		d.bad = fmt.Sprintf("step %x -%d-> %x", from, s, to)
	}
	d.edges[fmt.Sprintf("%x -%d-> %x", from, s, to)]++
}

func TestObserver(t *testing.T) {
	for _, m := range []ltstest.Model{ltstest.Jugs(), ltstest.Ring(5), ltstest.Tree(6), ltstest.Lasso(80, 3), ltstest.Philosophers(5, false)} {
		var last *drawing
		for _, s := range []Strategy{DepthFirst, BreadthFirst} {
			d := &drawing{states: map[string]int{}, edges: map[string]int{}}
			r := runToy(t, m, Options{Strategy: s, All: true, Observer: d, NewSet: func() stateset.Set { return stateset.NewExact() }})
			if d.bad != "" || len(d.states) != int(r.States) || len(d.edges) != int(r.Transitions) {
				t.Errorf("%s: saw %d states, %d steps, %s; want %v", s, len(d.states), len(d.edges), d.bad, r)
			}
			for what, times := range d.edges {
				if times != 1 {
					t.Errorf("%s: saw %s %d times", s, what, times)
				}
			}
			if last != nil && !slices.Equal(slices.Sorted(maps.Keys(last.edges)), slices.Sorted(maps.Keys(d.edges))) {
				t.Errorf("%s draws another graph", s)
			}
			last = d
		}
	}
}

// A listing is an observer that may be told later. It lists what it is told.
type listing struct{ lines []string }

func (l *listing) State(_ lts.System, digest []byte, _ int) { l.Seen(digest) }

func (l *listing) Step(sys lts.System, from, to []byte, s lts.Step, label lts.Label) {
	l.Gone(from, to, s, l.LabelKey(sys, label))
}

func (l *listing) LabelKey(_ lts.System, label lts.Label) string { return fmt.Sprint(uint64(label)) }

func (l *listing) Seen(digest []byte) { l.lines = append(l.lines, fmt.Sprintf("%x", digest)) }

func (l *listing) Gone(from, to []byte, s lts.Step, label string) {
	l.lines = append(l.lines, fmt.Sprintf("%x -%d,%s-> %x", from, s, label, to))
}

// TestDistant: several workers tell what one would have told.
func TestDistant(t *testing.T) {
	for _, m := range []ltstest.Model{ltstest.Jugs(), ltstest.Tree(9), ltstest.Lasso(80, 3), ltstest.Philosophers(6, false), ltstest.Grid(4, 6)} {
		var want []string
		for _, workers := range []int{1, 2, 3} {
			var l listing
			runToy(t, m, Options{Strategy: BreadthFirst, All: true, Workers: workers, Observer: &l})
			if want == nil {
				want = l.lines
			}
			if !slices.Equal(l.lines, want) {
				t.Errorf("%d workers tell %d things, one tells %d, and not the same", workers, len(l.lines), len(want))
			}
		}
	}
	if _, err := Run(nil, Options{Strategy: DepthFirst, Workers: 2, Observer: &listing{}}); err == nil {
		t.Error("a depth-first search with two workers is observed")
	}
	if _, err := Run(nil, Options{Strategy: BreadthFirst, Workers: 2, Observer: &drawing{}}); err == nil {
		t.Error("two workers are observed by who looks at systems")
	}
}
