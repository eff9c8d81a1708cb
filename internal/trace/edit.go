package trace

import (
	"slices"

	"github.com/zeebo/xxh3"
)

// edit changes the best path as long as that makes it better and there are steps
// left to spend. No part of it may spend all.
func (m *minimiser) edit() {
	quarter := m.w.left / 4
	spend := func(part func()) {
		rest := m.w.left - quarter
		m.w.left = min(m.w.left, quarter)
		part()
		m.w.left += max(rest, 0)
	}
	m.cutLoops()
	if m.w.actors != nil {
		spend(m.schedules)
		spend(m.commute)
	}
	spend(m.dropActors)
	for before := -1; before != len(m.best.moves)+m.best.switches && m.w.left > 0; {
		before = len(m.best.moves) + m.best.switches
		spend(m.join)
		spend(m.dropSteps)
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

// dropSteps leaves out steps of one actor that follow each other in its life, from
// the end on: many, and then fewer.
func (m *minimiser) dropSteps() {
	for _, n := range []int{16, 8, 4, 3, 2, 1} {
		for i := len(m.best.moves) - 2; i >= 0 && m.w.left > 0; i-- {
			i = min(i, len(m.best.moves)-1)
			left, actor := n, m.best.moves[i].actor
			rest := slices.DeleteFunc(slices.Clone(m.best.moves[i:]), func(s move) bool {
				left -= toInt(s.actor == actor)
				return s.actor == actor && left >= 0
			})
			if left <= 0 && len(rest) > 0 {
				m.attempt(slices.Concat(m.best.moves[:i], rest))
			}
		}
	}
}

// join moves runs of steps of one actor together: the later one forward to the
// earlier one, or the earlier one back to the later one.
func (m *minimiser) join() {
	for i := 0; i < len(m.best.moves) && m.w.left > 0; {
		moves := m.best.moves
		end, next, nextEnd := runs(moves, i)
		if next == len(moves) {
			i = end
			continue
		}
		forward := slices.Concat(moves[:end], moves[next:nextEnd], moves[end:next], moves[nextEnd:])
		back := slices.Concat(moves[:i], moves[end:next], moves[i:end], moves[next:])
		if !m.attempt(forward) && !m.attempt(back) {
			i = end
		}
	}
}

// runEnd returns where the run of steps of one actor ends that starts at i.
func runEnd(moves []move, i int) int {
	end := i + 1
	for end < len(moves) && moves[end].actor == moves[i].actor {
		end++
	}
	return end
}
