// Package hunt looks for what is wrong with a program while something else looks at all of it.
//
// A search that looks at everything, depth first, is best where it comes to an end. Where it does not, it has seen one
// corner of the program: schedules that differ in their last steps. A hunt is made of searches that go
// elsewhere first, each of which finds soon what others find late or never:
//
//	delays       the natural schedule, then all that differ from it in one place, in two, and so on
//	preemptions  all schedules without a preemption, then with one, and so on
//	own          all schedules in which only code outside of the standard library is preempted, then with one preemption inside it, and so on
//	pct          random priorities, which find a bug of few ordered steps with a probability that is known
//	focus        the operations of two goroutines on what they have in common, in an order at random, and all else as it comes
//	random       each step at random, of all, and of those that reduction leaves; what walks do far apart is tried side by side, and in other orders
//	bfs          the shortest paths first
//
// The members take turns with each other, and the hunt with the search that it goes beside. Turns are counted by what
// is executed and not by the clock, so that equal runs find equal things.
package hunt

import (
	"iter"
	"slices"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A Plan says what to hunt in, and how.
type Plan struct {
	// New makes the system of a member, which may go by guesses if the member follows reduced steps only. The
	// text says how the system looks at states, see explore.Found.
	New   func(reduced bool) (sys lts.System, view string, err error)
	Stop  func() bool // says when to end
	All   bool        // go on after the first finding
	Depth int         // paths are that long at most, 0 if there is no such limit
	Seed  uint64      // makes walks different ones
	// Lump, if it is not 0, is how much has to be due before anybody takes a turn, and how long a turn is.
	Lump int64
}

// A Hunt is a number of searches that take turns.
type Hunt struct {
	Plan
	members []*member
	next    int   // whose turn it is
	worked  int64 // by all members
	wrong   bool  // a member has found something
	err     error
}

// New makes a hunt, which has not begun.
func New(p Plan) *Hunt {
	h := &Hunt{Plan: p}
	for _, k := range kinds {
		h.members = append(h.members, &member{hunt: h, kind: k})
	}
	return h
}

// A kind is one of members. Those with reduction see less of what makes no difference. What is known of preemptions, delays
// and probabilities is about all steps.
type kind struct {
	strategy explore.Strategy
	reduce   bool
	opening  int64 // how long its second turn is, in turns, if that is longer than others
	turns    int64 // how many it takes at once, if not one
}

// kinds are those of the members, in the order of their turns. The second turn of walks is long enough to come to the end of one, and to try what
// follows from it: one walk tells of most races that there are, and of who has to do with whom.
var kinds = []kind{
	{strategy: explore.Delays}, {strategy: explore.RandomWalk, reduce: true}, {strategy: explore.PriorityWalk},
	{strategy: explore.FocusWalk, opening: 20, turns: 2}, {strategy: explore.RandomWalk, opening: 40, turns: 2},
	{strategy: explore.BreadthFirst, reduce: true}, {strategy: explore.Preemptions}, {strategy: explore.Own},
}

const (
	// horizon is how long paths are at first in searches with bounds.
	horizon = 128
	// turn is how much a member executes before it is the next one's turn.
	turn = 50_000
	// StepWork is what a step counts for besides what it executes: to go back, to compare states.
	StepWork = 100
)

// Go lets the members take turns until they have executed as much as is said, all in all. It reports whether there is
// no need for more: what is wanted was found, or the hunt has failed, which End will say.
func (h *Hunt) Go(work int64) (enough bool) {
	if work-h.worked < h.Lump {
		return h.enough()
	}
	for h.worked < work && !h.enough() && !h.Stop() {
		if !slices.ContainsFunc(h.members, func(m *member) bool { return m.result == nil }) {
			return false
		}
		m := h.members[h.next]
		h.next = (h.next + 1) % len(h.members)
		m.take()
	}
	return h.enough()
}

func (h *Hunt) enough() bool { return h.err != nil || h.wrong && !h.All }

// Found returns the findings of members that are over.
func (h *Hunt) Found() (list []explore.Found) {
	for _, m := range h.members {
		if m.result != nil {
			list = append(list, m.result.Findings...)
		}
	}
	return list
}

// End ends the hunt, and returns what has come of it.
func (h *Hunt) End() (*Known, error) {
	for _, m := range h.members {
		if m.end != nil {
			m.end()
		}
	}
	return h.known(), h.err
}

// A member is one search.
type member struct {
	kind
	hunt     *Hunt
	resume   func() (struct{}, bool) // nil before its first turn
	end      func()
	sys      lts.System
	executed int64           // by the system, when it was asked last
	taken    int             // turns
	left     int64           // of this turn
	result   *explore.Result // when it is over
}

// take lets a member take its turn.
func (m *member) take() {
	if m.result != nil {
		return
	}
	if m.resume == nil {
		m.resume, m.end = iter.Pull(m.search)
	}
	due := max(turn, m.hunt.Lump)
	if m.taken++; m.taken == 2 && m.opening > 0 && m.hunt.Lump == 0 {
		due = m.opening * turn
	} else if m.turns > 0 {
		due *= m.turns
	}
	m.left = due
	m.resume()
	m.hunt.worked += due - m.left
	m.hunt.wrong = m.hunt.wrong || m.result != nil && len(m.result.Findings) > 0
}

// step counts what was executed since the last step.
func (m *member) step() {
	m.left -= StepWork
	if w, ok := m.sys.(lts.Work); ok {
		now := w.Work()
		m.left -= now - m.executed
		m.executed = now
	}
}

// possible reports whether the system knows what the member's strategy asks for.
func (m *member) possible() (ok bool) {
	switch m.strategy {
	case explore.Delays, explore.Preemptions:
		_, ok = m.sys.(lts.Actors)
	case explore.Own:
		_, ok = m.sys.(lts.Libraries)
	default:
		ok = true
	}
	return ok
}

// search is the whole search of a member. It waits for its next turn in yield.
func (m *member) search(yield func(struct{}) bool) {
	var view string
	if m.sys, view, m.hunt.err = m.hunt.New(m.reduce); m.hunt.err != nil {
		return
	}
	if !m.possible() {
		m.result = &explore.Result{Verdict: explore.Inconclusive, Bound: -1}
		return
	}
	ended := false
	m.result, m.hunt.err = explore.Run(func() (lts.System, error) { return m.sys, nil }, explore.Options{
		Strategy: m.strategy, Reduce: m.reduce, All: m.hunt.All, MaxPreemptions: -1, Runs: -1, Uncounted: true, Seed: m.hunt.Seed, Horizon: horizon,
		Limits: explore.Limits{Depth: m.hunt.Depth},
		Interrupt: func() bool {
			if m.step(); m.left < 0 && !ended {
				ended = !yield(struct{}{})
			}
			return ended || m.hunt.Stop()
		},
	})
	if m.result != nil {
		for i := range m.result.Findings {
			m.result.Findings[i].View = view
		}
	}
}
