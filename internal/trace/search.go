package trace

import (
	"encoding/binary"
	"slices"

	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/zeebo/xxh3"
)

// A switchSearch looks at all paths that are not longer than the one that was
// given: those with no context switch, then those with one, and so on, up to the
// number that the best known path has. What counts as visited is a state with the
// actor that moved last. A pair that is reached again is of interest only over a
// shorter path, since the paths before had no more switches.
type switchSearch struct {
	*minimiser
	seen  map[xxh3.Uint128]int // pairs, by hash: the length of the shortest path
	nodes []node               // the tree of visited states
	later []seed               // steps to take with one more switch
	level int                  // the number of switches now
	key   []byte
}

// A node is a visited state: the way to it.
type node struct {
	parent int32
	depth  int32
	step   lts.Step
}

// A seed is a step that waits for the next level.
type seed struct {
	node int32
	step lts.Step
}

// run returns a number of switches that no path goes below.
func (s *switchSearch) run() int {
	s.w.back(0)
	s.nodes = []node{{parent: -1}}
	s.visit(0)
	for s.level < s.best.switches {
		if s.w.left <= 0 {
			return s.level
		}
		now := s.later
		s.later = nil
		s.level++
		for _, seed := range now {
			if s.w.left <= 0 {
				return s.level
			}
			// Going back to where the step waits is paid for, too.
			if int(s.nodes[seed.node].depth) < s.reach() {
				s.w.goTo(s.way(seed.node))
				s.take(seed.node, seed.step)
			}
		}
	}
	return s.level
}

// way returns the path to a node.
func (s *switchSearch) way(n int32) lts.Path {
	path := make(lts.Path, 0, s.nodes[n].depth)
	for ; s.nodes[n].parent >= 0; n = s.nodes[n].parent {
		path = append(path, s.nodes[n].step)
	}
	slices.Reverse(path)
	return path
}

// reach is how long a path may be to be of use with this many switches.
func (s *switchSearch) reach() int {
	if s.level == s.best.switches {
		return len(s.best.moves) - 1
	}
	return s.limit
}

// take takes a step from where the walker stands, which is a node, looks at
// where it leads to and goes on from there.
func (s *switchSearch) take(from int32, step lts.Step) {
	s.w.step(step)
	depth := len(s.w.path)
	if s.w.shows(s.same, true) {
		s.best = candidate{switches: s.level, finding: s.w.hit}
		for _, step := range s.w.path {
			s.best.moves = append(s.best.moves, move{step: step})
		}
		return
	}
	if depth >= s.reach() || !s.fresh(depth) {
		return
	}
	s.nodes = append(s.nodes, node{from, int32(depth), step})
	s.visit(int32(len(s.nodes) - 1))
}

// fresh reports whether this state was not reached by the same mover on a path as
// short as this one.
func (s *switchSearch) fresh(depth int) bool {
	s.key = binary.AppendVarint(s.w.AppendKey(s.key[:0]), int64(s.w.mover()))
	hash := xxh3.Hash128(s.key)
	if old, ok := s.seen[hash]; ok && old <= depth {
		return false
	}
	s.seen[hash] = depth
	return true
}

// visit takes the steps from where the walker stands that are no switch, and
// keeps the others for the next level.
func (s *switchSearch) visit(n int32) {
	depth, mover := len(s.w.path), s.w.mover()
	var own []lts.Step
	for _, step := range s.w.Enabled(nil) {
		if mover == nobody || s.w.actor(step) == mover {
			own = append(own, step)
		} else if s.level < s.best.switches {
			s.later = append(s.later, seed{n, step})
		}
	}
	for _, step := range own {
		if s.w.left <= 0 || depth >= s.reach() {
			return
		}
		s.w.back(depth)
		s.take(n, step)
	}
}
