package trace

import (
	"slices"

	"github.com/zeebo/xxh3"
)

// edit changes the best path as long as that makes it better and there are steps
// left to spend.
func (m *minimiser) edit() {
	m.cutLoops()
	m.dropActors()
	for again := true; again && m.w.left > 0; {
		again = m.join()
		again = m.dropSteps() || again
	}
}

// cutLoops leaves out what comes between two visits of one state. The last step
// stays: it may be what is wrong.
func (m *minimiser) cutLoops() {
	w := m.w
	last := map[xxh3.Uint128]int{}
	moves := m.best.moves
	keys := make([]xxh3.Uint128, len(moves))
	var key []byte
	w.back(0)
	for i := range moves {
		key = w.AppendKey(key[:0])
		keys[i] = xxh3.Hash128(key)
		last[keys[i]] = i
		w.step(moves[i].step)
	}
	var short []move
	for i := 0; i < len(moves); i++ {
		i = last[keys[i]]
		short = append(short, moves[i])
	}
	if len(short) < len(moves) {
		m.attempt(short)
	}
}

// dropActors leaves out all steps of an actor.
func (m *minimiser) dropActors() {
	var names []string
	for _, s := range m.best.moves {
		if !slices.Contains(names, s.actor) {
			names = append(names, s.actor)
		}
	}
	for _, name := range names {
		m.attempt(slices.DeleteFunc(slices.Clone(m.best.moves), func(s move) bool { return s.actor == name }))
	}
}

// dropSteps leaves out single steps, from the end on.
func (m *minimiser) dropSteps() bool {
	changed := false
	for i := len(m.best.moves) - 2; i >= 0 && m.w.left > 0; i-- {
		if i < len(m.best.moves) && m.attempt(slices.Delete(slices.Clone(m.best.moves), i, i+1)) {
			changed = true
		}
	}
	return changed
}

// join moves runs of steps of one actor together: the later one forward to the
// earlier one, or the earlier one back to the later one.
func (m *minimiser) join() bool {
	changed := false
	for i := 0; i < len(m.best.moves) && m.w.left > 0; {
		moves := m.best.moves
		end := runEnd(moves, i)
		next := end
		for next < len(moves) && moves[next].actor != moves[i].actor {
			next++
		}
		if next == len(moves) {
			i = end
			continue
		}
		nextEnd := runEnd(moves, next)
		forward := slices.Concat(moves[:end], moves[next:nextEnd], moves[end:next], moves[nextEnd:])
		back := slices.Concat(moves[:i], moves[end:next], moves[i:end], moves[next:])
		if m.attempt(forward) || m.attempt(back) {
			changed = true
			continue // at the same place: the run may grow more
		}
		i = end
	}
	return changed
}

// runEnd returns where the run of steps of one actor ends that starts at i.
func runEnd(moves []move, i int) int {
	end := i + 1
	for end < len(moves) && moves[end].actor == moves[i].actor {
		end++
	}
	return end
}
