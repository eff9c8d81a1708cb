package explore

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/lts"
)

// Two accesses that conflict are a race if one can be made right after the other. On a walk most of them are far apart. But if the past does
// not order them, they can be brought together:
//
//	walk           w1: lock  x++  unlock          w2: x++      (w2 never had the lock)
//	w1's access    w1: lock  x++
//	both           w1: lock  x++   w2: x++
//
// The steps that come before one of the two are taken once more, and no others, with as few changes of actors as they allow; then the
// accesses are neighbours, and the system says whether that is a race.
type neighbours struct {
	open  map[uint64][]openAccess
	pairs []pair
	tried map[[2]uint64]int // by where the accesses are in the code, on all walks
}

const (
	maxTries = 3  // of two places in the code, on all walks
	maxPairs = 8  // of a walk
	maxOpen  = 32 // accesses that are kept of a thing
)

// An openAccess is one that nothing orders before the next step of its actor.
type openAccess struct {
	lts.Open
	step  int // of the walk
	actor int32
	nth   int32
	clock vector
}

// A pair are two accesses that could be neighbours.
type pair struct{ a, b openAccess }

// meet looks for accesses that could be neighbours of a new one, and keeps it.
func (n *neighbours) meet(b openAccess) {
	list := n.open[b.Thing]
	for _, a := range list {
		if a.actor != b.actor && !(a.Atomic && b.Atomic) && a.Conflicts(b.Place) && b.clock.of(a.actor) <= a.nth {
			n.add(pair{a, b})
		}
	}
	same := func(a openAccess) bool { return a.actor == b.actor && a.Place == b.Place && a.Atomic == b.Atomic }
	if i := slices.IndexFunc(list, same); i >= 0 {
		list[i] = b
		return
	}
	if len(list) >= maxOpen {
		list = slices.Delete(list, 0, 1)
	}
	n.open[b.Thing] = append(list, b)
}

// add keeps a pair to be tried at the end of the walk.
func (n *neighbours) add(p pair) {
	key := [2]uint64{min(p.a.Where, p.b.Where), max(p.a.Where, p.b.Where)}
	if len(n.pairs) < maxPairs && n.tried[key] < maxTries {
		n.tried[key]++
		n.pairs = append(n.pairs, p)
	}
}

// bring tries whether accesses can be made neighbours that nothing orders on the last walk. It returns the limit that it came to, or "".
func (s *search) bring(c *cursor, p *past) Reason {
	for _, pair := range p.pairs {
		if why := s.together(c, p, pair); why != "" || s.decided() {
			return why
		}
	}
	return ""
}

// together makes two accesses neighbours, by the steps of the last walk that come before one of them.
func (s *search) together(c *cursor, p *past, x pair) (why Reason) {
	steps := p.before(x)
	done, why := s.follow(c, p, p.straighten(steps))
	if !done && why == "" {
		_, why = s.follow(c, p, steps)
	}
	return why
}

// before returns the steps that come before one of two accesses, and those that made them, in the order of the walk.
func (p *past) before(x pair) (list []*pastStep) {
	for i, old := range p.steps[:x.b.step+1] {
		if nth := old.nth(); i == x.a.step || x.a.clock.of(old.actor) >= nth || x.b.clock.of(old.actor) >= nth {
			list = append(list, old)
		}
	}
	return list
}

// follow takes steps of the last walk in some order, and keeps what is wrong with them. It reports whether it came to their end.
func (s *search) follow(c *cursor, p *past, steps []*pastStep) (done bool, why Reason) {
	return s.retrace(c, p, steps, func(path lts.Path) bool {
		for _, f := range c.checkStep() {
			s.find(f, func() lts.Path { return slices.Clone(path) })
		}
		return s.decided()
	})
}
