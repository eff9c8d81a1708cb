package trace

import (
	"slices"

	"github.com/zeebo/xxh3"
)

// commute moves runs of steps of one actor together where the steps between do not
// depend on them: where the other order leads to the same state, so that what
// comes after need not be executed again. This is what makes long paths, as a
// depth-first search finds them, short work.
func (m *minimiser) commute() {
	c := &commuter{minimiser: m, moves: slices.Clone(m.best.moves)}
	if !c.walk() {
		return
	}
	for i := 0; i < len(c.moves) && m.w.left > 0; {
		end, next, nextEnd := runs(c.moves, i)
		if next == len(c.moves) {
			i = end
			continue
		}
		run, between, later := c.moves[i:end], c.moves[end:next], c.moves[next:nextEnd]
		if !c.replace(i, slices.Concat(run, later, between)) && !c.replace(i, slices.Concat(between, run, later)) {
			i = end
		}
	}
	m.attempt(c.moves)
}

// A commuter has a path with the states on it.
type commuter struct {
	*minimiser
	moves    []move
	hashes   []xxh3.Uint128 // of the states before each step
	switches []bool         // whether each step is one
	key      []byte
}

func (c *commuter) hash() xxh3.Uint128 {
	c.key = c.w.AppendKey(c.key[:0])
	return xxh3.Hash128(c.key)
}

// walk goes along the path and notes what is on it. It reports whether the budget
// was enough.
func (c *commuter) walk() bool {
	c.w.back(0)
	for _, s := range c.moves {
		if c.w.left <= 0 {
			return false
		}
		before := c.w.count()
		c.hashes = append(c.hashes, c.hash())
		c.w.step(s.step)
		c.switches = append(c.switches, c.w.count() > before)
	}
	return true
}

// replace puts other moves at a place of the path if they lead to the same state
// with fewer switches, and reports whether they do.
func (c *commuter) replace(at int, moves []move) bool {
	w, end := c.w, at+len(moves)
	if end == len(c.moves) {
		return false // what shows at the end may be about the last step
	}
	path := make([]move, 0, len(moves))
	if !c.stand(at) {
		w.left = 0
		return false
	}
	start := w.count()
	for _, s := range moves {
		did, ok := w.try(s)
		if !ok || w.left <= 0 {
			return false
		}
		path = append(path, did)
	}
	old := 0
	for _, s := range c.switches[at : end+1] {
		old += toInt(s)
	}
	boundary := w.mover() != nobody && w.actor(c.moves[end].step) != w.mover()
	if w.count()-start+toInt(boundary) >= old || c.hash() != c.hashes[end] {
		return false
	}
	copy(c.moves[at:], path)
	w.back(at)
	for i := at; i < end; i++ {
		before := w.count()
		c.hashes[i] = c.hash()
		w.step(c.moves[i].step)
		c.switches[i] = w.count() > before
	}
	c.switches[end] = boundary
	return true
}

// stand goes to before the step with an index, and reports whether it can: a live peer may say more, or less, the second
// time.
func (c *commuter) stand(at int) bool {
	w := c.w
	n := 0
	for n < at && n < len(w.path) && w.path[n] == c.moves[n].step {
		n++
	}
	w.back(n)
	for _, s := range c.moves[n:at] {
		w.buffer = w.Enabled(w.buffer[:0])
		if !slices.Contains(w.buffer, s.step) {
			return false
		}
		w.step(s.step)
	}
	return true
}

// runs returns where the run that starts at i ends, and the next run of the same
// actor; its start is the length of the path if there is none.
func runs(moves []move, i int) (end, next, nextEnd int) {
	end = runEnd(moves, i)
	for next = end; next < len(moves) && moves[next].actor != moves[i].actor; next++ {
	}
	if next == len(moves) {
		return end, next, next
	}
	return end, next, runEnd(moves, next)
}

func toInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
