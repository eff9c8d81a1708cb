package trace

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/zeebo/xxh3"
)

// A Minimum is a path with few context switches.
type Minimum struct {
	Path        lts.Path
	Finding     diag.Finding // what shows at its end
	Switches    int
	Preemptions int
	// AtLeast is how many switches every path to such a finding has that is not
	// longer than the one that was given. If that is Switches, there is none
	// with fewer.
	AtLeast int
}

// Fewest reports whether the number of switches is proven to be the least.
func (m *Minimum) Fewest() bool { return m.AtLeast == m.Switches }

// DefaultBudget is how many steps each of the two parts of Minimise takes before
// it is content with what it has.
const DefaultBudget = 200_000

// Minimise looks for a path to a finding like the one at the end of the given
// path, with the fewest context switches among those that are not longer, and the
// shortest among these. It first changes the path: cuts loops, leaves out steps,
// moves steps of one actor together, tries plain schedulers; each change is kept only if the changed path
// can be executed and shows the finding. Then it searches all paths with no
// switch, with one, and so on. A budget of 0 means DefaultBudget. The result
// depends on the arguments alone.
//
// A system that does not tell its actors has no switches; its path is made
// shorter, not shortest.
func Minimise(sys lts.System, path lts.Path, same func(diag.Finding) bool, budget int) (*Minimum, error) {
	return minimise(sys, path, same, budget, nil)
}

func minimise(sys lts.System, path lts.Path, same func(diag.Finding) bool, budget int, stop func() bool) (*Minimum, error) {
	if budget <= 0 {
		budget = DefaultBudget
	}
	p := newProbe(sys)
	m := &minimiser{w: newWalker(p, budget), same: same, limit: len(path)}
	m.w.stop = stop
	if err := m.start(path); err != nil {
		return nil, err
	}
	if m.w.stopped() || len(path) > maxEdited {
		return &Minimum{Path: m.best.path(), Switches: m.best.switches, Finding: m.best.finding}, nil
	}
	m.edit()
	result := &Minimum{}
	if p.actors != nil && !m.w.stopped() && len(m.best.moves) <= maxSearched {
		s := &switchSearch{minimiser: m, seen: map[xxh3.Uint128]int{}}
		m.w.left = budget
		result.AtLeast = s.run()
	}
	result.Path, result.Switches = m.best.path(), m.best.switches
	result.Finding = m.best.finding
	_, result.Preemptions = lts.Switches(sys, result.Path)
	return result, nil
}

// maxSearched is how long a path may be with which a search over all paths with few switches begins. For longer ones it never comes to an end, and
// finds nothing that changes of the path do not find.
const maxSearched = 200

// maxEdited is how long a path may be that is changed step by step. To try anything with a longer one takes too long.
const maxEdited = 20_000

// Best minimises a path and records it. If stop, which may be nil, says so, it is content with the
// path as it is then. Once stop says so it has to go on saying so.
func Best(sys lts.System, path lts.Path, f diag.Finding, budget int, stop func() bool) (*Trace, error) {
	if len(path) > maxEdited { // to be able to go back along it takes much memory
		return Record(sys, path, f)
	}
	m, err := minimise(sys, path, SameAs(f), budget, stop)
	if err != nil {
		return nil, err
	}
	t, err := Record(sys, m.Path, m.Finding)
	if err != nil {
		return nil, err
	}
	t.Fewest = m.Fewest()
	return t, nil
}

// A minimiser has the best path so far.
type minimiser struct {
	w     *walker
	same  func(diag.Finding) bool
	limit int // the length of the path that was given
	best  candidate
}

// A candidate is a path that shows the finding.
type candidate struct {
	moves    []move
	switches int
	finding  diag.Finding
}

func (c *candidate) path() lts.Path {
	p := lts.Path{}
	for _, m := range c.moves {
		p = append(p, m.step)
	}
	return p
}

// better orders candidates.
func better(switches, length int, c *candidate) bool {
	return switches < c.switches || switches == c.switches && length < len(c.moves)
}

// start goes along the path that was given up to where the finding shows first.
func (m *minimiser) start(path lts.Path) error {
	w := m.w
	shown := w.shows(m.same, false)
	for i, s := range path {
		if shown {
			break
		}
		w.steps = w.Enabled(w.steps[:0])
		if !slices.Contains(w.steps, s) {
			return stale("step %d of %d: step %d is not enabled", i+1, len(path), s)
		}
		w.step(s)
		shown = w.shows(m.same, true)
	}
	if !shown {
		return stale("step %d of %d: the finding does not show", len(path), len(path))
	}
	m.take(w.path)
	return nil
}

// name gives a name to the actor of each step of the best path. Numbers may change
// from state to state.
func (m *minimiser) name() {
	w := m.w
	w.back(0)
	for i := range m.best.moves {
		s := &m.best.moves[i]
		if w.describer != nil {
			s.actor = w.describer.Describe(s.step).Actor
		} else {
			s.actor = w.actorName(s.step)
			w.Take(s.step)
		}
	}
	w.Reset()
	w.marks = w.marks[:0]
}

// attempt executes moves and keeps them if they show the finding and are better.
func (m *minimiser) attempt(moves []move) bool {
	w := m.w
	n := 0
	for n < len(moves) && n < len(w.path) && moves[n].step == w.path[n] && moves[n].label == w.labels[n] {
		n++
	}
	n = min(n, max(len(moves)-1, 0)) // the finding shows right after the last step
	w.back(n)
	gone := slices.Clone(moves[:n])
	for _, want := range moves[n:] {
		if w.left <= 0 {
			return false
		}
		did, ok := w.try(want)
		if !ok {
			return false
		}
		gone = append(gone, did)
		if w.count() > m.best.switches {
			return false
		}
		if w.shows(m.same, true) {
			if !better(w.count(), len(gone), &m.best) {
				return false
			}
			m.best = candidate{gone, w.count(), w.hit}
			return true
		}
	}
	return false
}
