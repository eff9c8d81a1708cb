package hunt

import (
	"github.com/heddle-mc/heddle/internal/explore"
)

// Known is what a hunt has shown.
type Known struct {
	Findings []explore.Found
	// Preemptions and Delays are the numbers up to which all schedules were followed, -1 if not even those without any were.
	Preemptions, Delays int
	// Own is up to how many preemptions of the standard library they were, with any number elsewhere; -1 as well.
	Own   int
	Walks int64 // of all kinds
	// Chances are the least probabilities with which a bug of depth 1, 2 and so on would have been found.
	Chances []float64
	// Members say what each search has done, in the order of their turns.
	Members []Member
}

// A Member is what one search of a hunt has done.
type Member struct {
	Strategy            explore.Strategy
	States, Transitions int64
	Found               bool
}

func (h *Hunt) known() *Known {
	k := &Known{Findings: h.Found(), Preemptions: -1, Delays: -1, Own: -1}
	for _, m := range h.members {
		r := m.result
		if r == nil {
			continue
		}
		k.Members = append(k.Members, Member{m.strategy, r.States, r.Transitions, len(r.Findings) > 0})
		k.Walks += r.Walks.Number
		switch m.strategy {
		case explore.Preemptions:
			k.Preemptions = bound(r)
		case explore.Delays:
			k.Delays = bound(r)
		case explore.Own:
			k.Own = bound(r)
		case explore.PriorityWalk:
			for depth := 1; r.Walks.Chance(depth) > 0; depth++ {
				k.Chances = append(k.Chances, r.Walks.Chance(depth))
			}
		}
	}
	return k
}

// bound returns up to which bound nothing was left.
func bound(r *explore.Result) int {
	for _, l := range r.Left {
		if l.Reason != explore.Interrupted {
			return -1
		}
	}
	return r.Bound
}
