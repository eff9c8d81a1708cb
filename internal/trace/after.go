package trace

import "slices"

// After returns for each step the steps of other actors that it comes directly after, by their indices, in ascending order: those with which it
// has touched the same thing that one of them has written, and those that have started its actor or met it. Where nothing is told of
// what steps touch, only the latter are known.
func (t *Trace) After() [][]int {
	w := &weigher{t: t, uses: map[string][]use{}}
	w.prepare()
	after := make([][]int, len(t.Steps))
	add := func(later, earlier int) {
		if t.Steps[later].Actor != t.Steps[earlier].Actor && !slices.Contains(after[later], earlier) {
			after[later] = append(after[later], earlier)
		}
	}
	for actor, list := range w.before {
		for k, j := range list[1:] {
			if t.Steps[j].Actor == actor {
				add(j, list[k])
			}
		}
	}
	for _, uses := range w.uses {
		write := -1 // the last one
		var reads []int
		for _, u := range uses {
			if write >= 0 && (!u.write || len(reads) == 0) {
				add(u.step, write)
			}
			if !u.write {
				reads = append(reads, u.step)
				continue
			}
			for _, r := range reads[max(0, len(reads)-maxReads):] {
				add(u.step, r)
			}
			write, reads = u.step, reads[:0]
		}
	}
	for _, list := range after {
		slices.Sort(list)
	}
	return after
}

// maxReads is how many reads a write is said to come after.
const maxReads = 8

// Meets returns for each step the other actors that its words name: whom it starts, or meets.
func (t *Trace) Meets() [][]string {
	w := &weigher{t: t, uses: map[string][]use{}}
	w.prepare()
	meets := make([][]string, len(t.Steps))
	for i, list := range w.actors {
		meets[i] = list[1:]
	}
	return meets
}

// Actors returns the actors of a trace, and those outside with whom they exchange messages, in the order in which they appear.
func (t *Trace) Actors() (own, outside []string) { return t.actorNames(), t.outsiders() }
