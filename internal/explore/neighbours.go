package explore

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/lts"
)

// Two accesses that conflict are a race if one can be made right after the other. On a walk most of them are far apart. Which could have
// been neighbours follows from what the steps acted on: each step comes after the steps of the same actor before it, and after those that
// have acted on the same. What comes neither before nor after can be put elsewhere, or left out:
//
//	walk           w1: lock  x++  unlock          w2: x++      (w2 never had the lock)
//	w1's access    w1: lock  x++
//	both           w1: lock  x++   w2: x++
//
// So for two accesses that nothing orders, the steps that come before one of them are taken once more, and no others, with as few changes
// of actors as they allow; then the accesses are neighbours, and the system says whether that is a race. Nothing is concluded from the order itself. If it misses
// something, the steps cannot be taken, and that is all.
//
// The order is kept as vector clocks (Mattern 1989): how many steps of each actor come before a step.
type neighbours struct {
	sys     lts.Causal
	numbers map[uint64]int32 // of actors, in the order in which they came
	clocks  []vector         // by actor: of its last step
	floor   vector           // what comes before whatever follows
	things  map[uint64][]ordered
	open    map[uint64][]openAccess
	steps   []pastStep
	pairs   []pair
	tried   map[[2]uint64]int // by where the accesses are in the code
	acts    lts.Acts
}

const (
	maxTries    = 3    // of two places in the code, on all walks
	maxPairs    = 8    // of a walk
	maxOpen     = 32   // accesses that are kept of a thing
	maxVectors  = 1024 // actors; with more than these, vectors take more time than the steps
	maxFollowed = 1 << 14
)

// A vector is how many steps of each actor come before something. It is never changed.
type vector []int32

func (v vector) of(actor int32) int32 {
	if int(actor) < len(v) {
		return v[actor]
	}
	return 0
}

// raise makes v at least as large as o.
func (v vector) raise(o vector) {
	for i, n := range o {
		v[i] = max(v[i], n)
	}
}

// ordered is what has come before at some place.
type ordered struct {
	lts.Place
	clock vector
}

// A pastStep is one that a walk has taken.
type pastStep struct {
	step   lts.Step
	who    uint64
	movers []uint64
	actor  int32
	clock  vector // itself included
}

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

func newNeighbours(c *cursor) *neighbours {
	if c.causal == nil {
		return nil
	}
	c.causal.NoteActs(true)
	return &neighbours{sys: c.causal, tried: make(map[[2]uint64]int)}
}

// begin forgets the last walk.
func (n *neighbours) begin() {
	*n = neighbours{sys: n.sys, tried: n.tried, acts: n.acts, steps: n.steps[:0], pairs: n.pairs[:0],
		numbers: make(map[uint64]int32), things: make(map[uint64][]ordered), open: make(map[uint64][]openAccess)}
}

// number returns the number of an actor.
func (n *neighbours) number(who uint64) int32 {
	i, ok := n.numbers[who]
	if !ok {
		i = int32(len(n.clocks))
		n.numbers[who] = i
		n.clocks = append(n.clocks, nil)
	}
	return i
}

// took notes the step just taken.
func (n *neighbours) took(step lts.Step, who uint64, outside bool) {
	if len(n.clocks) > maxVectors || len(n.steps) > maxFollowed {
		return
	}
	n.sys.Acts(&n.acts)
	actor := n.number(who)
	for _, m := range n.acts.Movers {
		n.number(m)
	}
	clock := make(vector, len(n.clocks))
	clock.raise(n.floor)
	clock.raise(n.clocks[actor])
	for _, m := range n.acts.Movers {
		clock.raise(n.clocks[n.number(m)])
	}
	for _, p := range n.acts.Ordered {
		for _, o := range n.things[p.Thing] {
			if p.Conflicts(o.Place) {
				clock.raise(o.clock)
			}
		}
	}
	if outside || n.acts.All { // that time goes on has to do with everybody
		for _, c := range n.clocks {
			clock.raise(c)
		}
		n.floor = clock
	}
	clock[actor]++
	for _, m := range n.acts.Movers {
		if i := n.number(m); i != actor {
			clock[i]++
		}
		n.clocks[n.number(m)] = clock
	}
	n.clocks[actor] = clock
	for _, p := range n.acts.Ordered {
		n.order(ordered{p, clock})
	}
	n.steps = append(n.steps, pastStep{step, who, slices.Clone(n.acts.Movers), actor, clock})
	for _, o := range n.acts.Open {
		i := n.number(o.Who)
		n.meet(openAccess{o, len(n.steps) - 1, i, clock.of(i), clock})
	}
}

// order notes what acts on a place, instead of what it comes after.
func (n *neighbours) order(o ordered) {
	list := n.things[o.Thing]
	list = slices.DeleteFunc(list, func(x ordered) bool {
		return x.Lo >= o.Lo && x.Hi <= o.Hi && (o.Write || x.Write == o.Write && slices.Equal(x.clock, o.clock))
	})
	n.things[o.Thing] = append(list, o)
}

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
func (s *search) bring(c *cursor, n *neighbours) Reason {
	for _, p := range n.pairs {
		if why := s.together(c, n, p); why != "" || s.decided() {
			return why
		}
	}
	return ""
}

// together makes two accesses neighbours, by the steps of the last walk that come before one of them.
func (s *search) together(c *cursor, n *neighbours, p pair) (why Reason) {
	steps := n.before(p)
	done, why := s.follow(c, n, n.straighten(steps))
	if !done && why == "" {
		_, why = s.follow(c, n, steps)
	}
	return why
}

// before returns the steps that come before one of two accesses, and those that made them, in the order of the walk.
func (n *neighbours) before(p pair) (list []*pastStep) {
	for i := range n.steps[:p.b.step+1] {
		old := &n.steps[i]
		if nth := old.clock[old.actor]; i == p.a.step || p.a.clock.of(old.actor) >= nth || p.b.clock.of(old.actor) >= nth {
			list = append(list, old)
		}
	}
	return list
}

// straighten puts steps in an order with few changes of actors: each goes on as long as all has been that comes before its next step.
func (n *neighbours) straighten(steps []*pastStep) []*pastStep {
	rest, list := slices.Clone(steps), make([]*pastStep, 0, len(steps))
	count := make(vector, len(n.clocks)) // how many steps of each actor there were
	ready := func(p *pastStep) bool {
		for i, k := range p.clock {
			if k > count[i] && (k > count[i]+1 || int32(i) != p.actor && !n.moves(p, int32(i))) {
				return false
			}
		}
		return true
	}
	for last := int32(-1); len(rest) > 0; {
		at := slices.IndexFunc(rest, func(p *pastStep) bool { return p.actor == last })
		if at < 0 || !ready(rest[at]) {
			at = slices.IndexFunc(rest, ready)
		}
		if at < 0 {
			return steps
		}
		p := rest[at]
		rest = slices.Delete(rest, at, at+1)
		list = append(list, p)
		last = p.actor
		count.raise(p.clock)
	}
	return list
}

// moves reports whether an actor took part in a step.
func (n *neighbours) moves(p *pastStep, actor int32) bool {
	return slices.ContainsFunc(p.movers, func(m uint64) bool { return n.numbers[m] == actor })
}

// follow takes steps of the last walk in some order. It reports whether it came to their end.
func (s *search) follow(c *cursor, n *neighbours, steps []*pastStep) (done bool, why Reason) {
	c.Reset()
	var path lts.Path
	s.frontier = func() (int64, int64, int) { return int64(cap(path)) * 4, 1, len(path) }
	here := func() lts.Path { return slices.Clone(path) }
	defer crash(here)
	now := make(map[uint64]uint64) // who is who
	for _, old := range steps {
		if why := s.over(); why != "" {
			return false, why
		}
		step, ok := n.again(c, old, now)
		if !ok {
			return false, ""
		}
		path = append(path, step)
		s.transitions++
		s.maxDepth = max(s.maxDepth, len(path))
		for _, f := range c.checkStep() {
			s.find(f, here)
		}
		if s.decided() {
			break
		}
	}
	return true, ""
}

// again takes a step that does what an old one did: by the same actor, at the same place, with the same others.
func (n *neighbours) again(c *cursor, old *pastStep, now map[uint64]uint64) (lts.Step, bool) {
	who := old.who
	if w, ok := now[who]; ok {
		who = w
	}
	c.enabled = slices.DeleteFunc(c.Enabled(c.enabled[:0]), func(s lts.Step) bool { return c.individual(s) != who })
	if i := slices.Index(c.enabled, old.step); i > 0 { // likely the same one
		c.enabled[0], c.enabled[i] = c.enabled[i], c.enabled[0]
	}
	if len(c.enabled) == 0 {
		return 0, false
	}
	mark := c.Save()
	for i, s := range c.enabled {
		if i > 0 {
			c.Restore(mark)
		}
		c.Take(s)
		if n.sys.Acts(&n.acts); n.equal(old.movers, now) {
			return s, true
		}
	}
	return 0, false
}

// equal reports whether the movers of the step just taken are those of an old step, and notes who is who.
func (n *neighbours) equal(old []uint64, now map[uint64]uint64) bool {
	if len(old) != len(n.acts.Movers) {
		return false
	}
	for i, m := range n.acts.Movers {
		if w, ok := now[old[i]]; ok && w != m {
			return false
		}
	}
	for i, m := range n.acts.Movers {
		now[old[i]] = m
	}
	return true
}
