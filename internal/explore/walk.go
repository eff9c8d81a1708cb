package explore

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/heddle-mc/heddle/internal/lts"
)

// Walks start at the initial state and take steps at random until there
// are none. They see deep states early and remember which they saw only to count
// them and to check each once. They cover what they happen to.
//
// A walk need not come to an end by itself. If nobody says how long they may be, and there is no end of them, most walks are
// short and a few are long: as many steps are spent on walks of each length (Luby, Sinclair and Zuckerman, 1993). Once one
// has come to an end, most of them may be twice as long as that; the first is long, to find that out.

const (
	defaultWalks = 100
	defaultWalk  = 10_000 // steps of a walk
	shortWalk    = 128
	firstWalk    = 1024 // of walks without an end
)

// luby returns the n-th element of the sequence 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8 and so on, from 1.
func luby(n int) int {
	for {
		k := bits.Len(uint(n))
		if n == 1<<k-1 {
			return 1 << (k - 1)
		}
		n -= 1<<(k-1) - 1
	}
}

// mix is the output function of SplitMix64: a good hash of a number.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// A dice is SplitMix64, a sequence of numbers that is the same everywhere.
type dice uint64

func (d *dice) next() uint64 {
	x := mix(uint64(*d))
	*d += 0x9e3779b97f4a7c15
	return x
}

func (d *dice) below(n int) int {
	high, _ := bits.Mul64(d.next(), uint64(n))
	return int(high)
}

// A chooser chooses the steps of a walk.
type chooser interface {
	choose(c *cursor, steps []lts.Step) lts.Step
}

// choose chooses each step with equal probability.
func (d *dice) choose(_ *cursor, steps []lts.Step) lts.Step { return steps[d.below(len(steps))] }

func runWalks(s *search, c *cursor) {
	runs, length := s.o.Runs, s.o.Limits.Depth
	if runs == 0 {
		runs = defaultWalks
	}
	endless := runs < 0 && length == 0
	if length <= 0 {
		length = defaultWalk
	}
	kind, how := "random walks", ""
	switch s.o.Strategy {
	case PriorityWalk:
		kind = "walks by priorities"
	case FocusWalk:
		kind, how = "walks", " that look at two goroutines each, if two have something in common,"
	}
	if endless {
		s.leave(Left{Reason: Sample, Text: kind + how + " see some states only"})
	} else {
		s.leave(Left{Reason: Sample, Text: fmt.Sprintf("%d %s of up to %d steps%s see some states only", runs, kind, length, how)})
	}
	natural := 0 // how long the longest walk was that has come to an end
	var last *priorities
	var memory []lts.Step
	past := newPast(c)
	for run := 0; run != runs; run++ {
		d := dice(mix(s.o.Seed ^ mix(uint64(run))))
		var by chooser = &d
		var p *priorities
		if s.o.Strategy == PriorityWalk {
			p = newPriorities(d, 1+run%maxBugDepth, max(s.walks.longest, cmp.Or(s.o.short, firstLength)))
			if last != nil {
				p.own, p.actors = last.own, last.actors
			}
			by, last = p, p
		}
		if endless {
			switch {
			case run == 0:
				length = firstWalk
			case natural > 0 && run%4 > 0:
				length = 2 * natural
			default:
				length = shortWalk * luby(run)
			}
		}
		noted := past
		t := tour{by: by, length: length}
		if s.o.Strategy == FocusWalk {
			t.look(past, d, run)
		} else if past != nil && past.crowded() && run%8 > 0 {
			noted = nil
		}
		past.note(noted != nil)
		t.past = noted
		ended, steps, why := s.walk(c, t, &memory)
		if why == "" && noted != nil && !s.decided() {
			why = s.pursue(c, tour{by: &d, length: max(length, 2*natural), past: past}, &memory)
		}
		if why != "" {
			s.abandon(why, int64(max(runs-run, 1)), "walks not finished")
			return
		}
		s.walks.Number++
		if ended {
			natural = max(natural, steps)
		}
		if p != nil {
			s.walks.add(p, ended, steps, length)
		}
		if s.decided() {
			return
		}
	}
}

// pursue does what follows from the last walk: what is not ordered on it is tried side by side, and if steps are taken at random, others go
// on from operations in another order. It returns the limit that it came to, or "".
func (s *search) pursue(c *cursor, t tour, memory *[]lts.Step) Reason {
	for n := 0; ; n++ {
		if why := s.bring(c, t.past); why != "" || s.decided() {
			return why
		}
		if n == maxScripted || n > 0 && t.past.own > fewOwn || t.past.crowded() || s.o.Strategy != RandomWalk {
			return ""
		}
		if t.script = t.past.script(); t.script == nil {
			return ""
		}
		if _, _, why := s.walk(c, t, memory); why != "" || s.decided() {
			return why
		}
	}
}

// A tour is how a walk goes.
type tour struct {
	by     chooser
	length int
	past   *past  // what its steps acted on is noted there, if it is not nil
	script script // what it begins with, as far as that is possible
	focus  *focus // the same as by, if the walk looks at two actors
}

// look has a walk look at two actors, if two have met before. Each eighth looks around, to see who is there.
func (t *tour) look(p *past, d dice, run int) {
	if p == nil {
		return
	}
	if run%8 == 0 {
		t.by = &turns{dice: d, taken: make(map[uint64]int)}
	} else if f := p.focus(d); f != nil {
		t.by, t.focus, t.length = f, f, max(t.length, f.reach+afterFocus)
	}
}

// over reports whether a walk is long enough.
func (t *tour) over(steps int) bool {
	return steps >= t.length && len(t.script) == 0 || t.focus != nil && t.focus.over()
}

// walk takes one walk. It reports whether it came to an end of the system, after how many steps, and the limit that
// it came to, or "". The memory is for lists of steps.
func (s *search) walk(c *cursor, t tour, memory *[]lts.Step) (ended bool, n int, why Reason) {
	found := len(s.findings)
	if ended, n, why = s.wander(c, t, memory); t.past != nil {
		s.simplify(c, t.past, found)
	}
	return ended, n, why
}

// wander takes the steps of a walk.
func (s *search) wander(c *cursor, t tour, memory *[]lts.Step) (ended bool, n int, why Reason) {
	c.Reset()
	if t.past != nil {
		t.past.begin()
	}
	now := make(map[uint64]uint64) // who is who of the script
	var path lts.Path
	s.frontier = func() (int64, int64, int) { return int64(cap(path)) * 4, 1, len(path) }
	here := func() lts.Path { return slices.Clone(path) }
	defer crash(here)
	for {
		s.maxDepth = max(s.maxDepth, len(path))
		if s.o.Uncounted {
			s.passed++
		}
		if s.o.Uncounted || s.set.Add(c.digest(s.set)) {
			for _, f := range c.checkState() {
				s.find(f, here)
			}
		}
		if *memory = c.steps((*memory)[:0]); len(*memory) == 0 {
			switch dead, beyond := c.stuck(); {
			case beyond != nil:
				s.leave(Left{Reason: SystemBound, Count: 1, Text: beyond.Error(), Path: here()})
			case dead:
				s.find(deadlock, here)
			}
			return true, len(path), ""
		}
		if s.decided() || t.over(len(path)) {
			return false, len(path), ""
		}
		if why := s.over(); why != "" {
			return false, len(path), why
		}
		next, ok := t.take(c, *memory, now)
		if !ok {
			return false, len(path), ""
		}
		if t.past != nil {
			t.past.took(next)
		}
		path = append(path, next.step)
		s.transitions++
		for _, f := range c.checkStep() {
			s.find(f, here)
		}
	}
}

// take takes the next step: that of the script, or one of those that can be chosen. It reports false if the script cannot be followed.
func (t *tour) take(c *cursor, steps []lts.Step, now map[uint64]uint64) (next coming, ok bool) {
	if len(t.script) > 0 {
		old := t.script[0]
		t.script = t.script[1:]
		return t.past.again(c, old, now)
	}
	next.step = t.by.choose(c, steps)
	if t.past != nil {
		next = t.past.coming(c, next.step)
	}
	c.Take(next.step)
	return next, true
}
