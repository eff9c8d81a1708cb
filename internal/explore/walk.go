package explore

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/heddle-mc/heddle/internal/lts"
)

// Random walks start at the initial state and take steps at random until there
// are none. They see deep states early and remember which they saw only to count
// them and to check each once. They cover what they happen to.

const (
	defaultWalks = 100
	defaultWalk  = 10_000 // steps of a walk
)

// mix is the output function of SplitMix64: a good hash of a number.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// A dice is SplitMix64, a sequence of numbers that is the same everywhere.
type dice uint64

func (d *dice) below(n int) int {
	x := mix(uint64(*d))
	*d += 0x9e3779b97f4a7c15
	high, _ := bits.Mul64(x, uint64(n))
	return int(high)
}

func runWalks(s *search, c *cursor) {
	runs, length := s.o.Runs, s.o.Limits.Depth
	if runs <= 0 {
		runs = defaultWalks
	}
	if length <= 0 {
		length = defaultWalk
	}
	s.leave(Left{Reason: Sample, Text: fmt.Sprintf("%d random walks of up to %d steps see some states only", runs, length)})
	for run := range runs {
		if why := s.walk(c, dice(mix(s.o.Seed^mix(uint64(run)))), length); why != "" {
			s.abandon(why, int64(runs-run), "walks not finished")
			return
		}
		if s.decided() {
			return
		}
	}
}

// walk takes one walk. It returns the limit that it came to, or "".
func (s *search) walk(c *cursor, d dice, length int) Reason {
	c.Reset()
	var path lts.Path
	s.frontier = func() (int64, int64, int) { return int64(cap(path)) * 4, 1, len(path) }
	here := func() lts.Path { return slices.Clone(path) }
	defer crash(here)
	var steps []lts.Step
	for {
		isNew := s.set.Add(c.digest(s.set))
		s.maxDepth = max(s.maxDepth, len(path))
		if isNew {
			for _, f := range c.checkState() {
				s.find(f, here)
			}
		}
		if steps = c.steps(steps[:0]); len(steps) == 0 {
			switch dead, beyond := c.stuck(); {
			case beyond != nil:
				s.leave(Left{Reason: SystemBound, Count: 1, Text: beyond.Error(), Path: here()})
			case dead:
				s.find(deadlock, here)
			}
			return ""
		}
		if s.decided() || len(path) >= length {
			return ""
		}
		if why := s.over(); why != "" {
			return why
		}
		next := steps[d.below(len(steps))]
		c.Take(next)
		path = append(path, next)
		s.transitions++
		for _, f := range c.checkStep() {
			s.find(f, here)
		}
	}
}
