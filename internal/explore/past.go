package explore

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/lts"
)

// A past is what a walk has done, and in which order that had to be. Each step comes after the steps of the same actor before it, and after
// those that have acted on the same. What comes neither before nor after another step can be put elsewhere, or left out.
//
// The order is kept as vector clocks (Mattern 1989): how many steps of each actor come before a step. It is that of the operations as they
// were on the walk, and it proposes only. What is proposed is tried, by taking steps of the walk once more in another order; if the
// order misses something, they cannot be taken, and that is all.
type past struct {
	sys     lts.Causal
	others  lts.Libraries    // nil if they are not told apart
	numbers map[uint64]int32 // of actors, in the order in which they came
	actors  []pastActor
	floor   vector // what comes before whatever follows
	things  map[uint64][]ordered
	steps   []*pastStep
	acts    lts.Acts
	neighbours
	reversals
	spots   map[spot][]deed // own operations, by what they acted on: see focus
	spotted []spot          // in the order in which they came
}

const (
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

// A pastActor is one who has taken part in a step.
type pastActor struct {
	clock    vector // of its last step
	id       uint64 // the same on all walks
	parent   int32  // who has started it, -1 if that is not known
	children uint64
	owned    int32  // how many own operations it has done
	own      uint64 // digest of its last own operation, and of what came before that
}

// ordered is what has come before at some place.
type ordered struct {
	lts.Place
	clock vector
	actor int32
}

// A pastStep is one that a walk has taken.
type pastStep struct {
	step   lts.Step
	who    uint64
	movers []uint64
	actor  int32
	clock  vector // itself included
	// Of an operation of its own, and not of a library:
	before vector // of the actor before the step
	places []lts.Place
	digest uint64    // of what it is and what came before it, own operations only
	copied *pastStep // see line
}

// nth is the how many-th step of its actor a step is.
func (p *pastStep) nth() int32 { return p.clock[p.actor] }

// after reports whether a step comes after another one, or is that.
func (p *pastStep) after(o *pastStep) bool { return p.clock.of(o.actor) >= o.nth() }

// newPast returns nil if nothing is known of what steps act on.
func newPast(c *cursor) *past {
	if c.causal == nil {
		return nil
	}
	p := &past{sys: c.causal}
	p.others, _ = c.System.(lts.Libraries)
	p.tried, p.proposed = make(map[[2]uint64]int), make(map[uint64]bool)
	return p
}

// note has the system note what its steps act on, or ends that.
func (p *past) note(on bool) {
	if p != nil {
		p.sys.NoteActs(on)
	}
}

// begin forgets the last walk.
func (p *past) begin() {
	p.numbers, p.actors, p.floor, p.steps = make(map[uint64]int32), p.actors[:0], nil, nil
	p.things, p.open, p.operations = make(map[uint64][]ordered), make(map[uint64][]openAccess), make(map[uint64][]*pastStep)
	p.pairs, p.own = p.pairs[:0], 0
	p.spots, p.spotted = make(map[spot][]deed), nil
}

// number returns the number of an actor.
func (p *past) number(who uint64) int32 {
	i, ok := p.numbers[who]
	if !ok {
		i = int32(len(p.actors))
		p.numbers[who] = i
		p.actors = append(p.actors, pastActor{id: mix(who), parent: -1})
	}
	return i
}

// A coming is a step that is about to be taken.
type coming struct {
	step    lts.Step
	who     uint64
	outside bool // it is the clock's
	own     bool // it is no operation of a library
}

func (p *past) coming(c *cursor, s lts.Step) coming {
	x := coming{step: s, who: c.individual(s), outside: c.outside(s)}
	x.own = !x.outside && p.others != nil && !p.others.InLibrary(p.others.Actor(s))
	return x
}

// took notes the step just taken.
func (p *past) took(x coming) {
	if len(p.actors) > maxVectors || len(p.steps) > maxFollowed {
		return
	}
	p.sys.Acts(&p.acts)
	actor := p.number(x.who)
	for _, m := range p.acts.Movers {
		if _, ok := p.numbers[m]; !ok {
			i, parent := p.number(m), &p.actors[actor]
			parent.children++
			p.actors[i].id, p.actors[i].parent = mix(parent.id^mix(parent.children)), actor
		}
	}
	clock := make(vector, len(p.actors))
	clock.raise(p.floor)
	before := p.actors[actor].clock
	clock.raise(before)
	for _, m := range p.acts.Movers {
		clock.raise(p.actors[p.number(m)].clock)
	}
	for _, place := range p.acts.Ordered {
		for _, o := range p.things[place.Thing] {
			if place.Conflicts(o.Place) {
				clock.raise(o.clock)
			}
		}
	}
	if x.outside || p.acts.All { // that time goes on has to do with everybody
		for i := range p.actors {
			clock.raise(p.actors[i].clock)
		}
		p.floor = clock
	}
	clock[actor]++
	p.actors[actor].clock = clock
	for _, m := range p.acts.Movers {
		if i := p.number(m); i != actor {
			clock[i]++
			p.actors[i].clock = clock
		}
	}
	for _, place := range p.acts.Ordered {
		p.order(ordered{place, clock, actor})
	}
	s := &pastStep{step: x.step, who: x.who, movers: slices.Clone(p.acts.Movers), actor: actor, clock: clock}
	p.steps = append(p.steps, s)
	if x.own {
		s.before, s.places = before, slices.Clone(p.acts.Ordered)
		p.operated(s, len(p.steps)-1)
		p.deed(s)
	}
	for _, o := range p.acts.Open {
		i := p.number(o.Who)
		p.meet(openAccess{o, len(p.steps) - 1, i, clock.of(i), clock})
	}
}

// order notes what acts on a place, instead of what it comes after.
func (p *past) order(o ordered) {
	list := slices.DeleteFunc(p.things[o.Thing], func(x ordered) bool {
		return x.Lo >= o.Lo && x.Hi <= o.Hi && (o.Write || !x.Write && x.actor == o.actor) // who reads again comes after its first read
	})
	p.things[o.Thing] = append(list, o)
}

// retrace takes steps of the last walk in some order, and calls each after every one of them with the path so far, until that returns true. It reports
// whether it came that far, or to the end, and the limit that it came to, or "".
func (s *search) retrace(c *cursor, p *past, steps []*pastStep, each func(lts.Path) bool) (done bool, why Reason) {
	c.Reset()
	var path lts.Path
	s.frontier = func() (int64, int64, int) { return int64(cap(path)) * 4, 1, len(path) }
	defer crash(func() lts.Path { return slices.Clone(path) })
	now := make(map[uint64]uint64) // who is who
	for _, old := range steps {
		if why := s.over(); why != "" {
			return false, why
		}
		x, ok := p.again(c, old, now)
		if !ok {
			return false, ""
		}
		path = append(path, x.step)
		s.transitions++
		s.maxDepth = max(s.maxDepth, len(path))
		if each(path) {
			break
		}
	}
	return true, ""
}

// again takes a step that does what an old one did: by the same actor, with the same others. Now says who is who.
func (p *past) again(c *cursor, old *pastStep, now map[uint64]uint64) (coming, bool) {
	who := old.who
	if w, ok := now[who]; ok {
		who = w
	}
	c.enabled = slices.DeleteFunc(c.Enabled(c.enabled[:0]), func(s lts.Step) bool { return c.individual(s) != who })
	if i := slices.Index(c.enabled, old.step); i > 0 { // likely the same one
		c.enabled[0], c.enabled[i] = c.enabled[i], c.enabled[0]
	}
	if len(c.enabled) == 0 {
		return coming{}, false
	}
	mark := c.Save()
	for i, s := range c.enabled {
		if i > 0 {
			c.Restore(mark)
		}
		x := p.coming(c, s)
		c.Take(s)
		if p.sys.Acts(&p.acts); p.equal(old.movers, now) {
			return x, true
		}
	}
	return coming{}, false
}

// equal reports whether the movers of the step just taken are those of an old step, and notes who is who.
func (p *past) equal(old []uint64, now map[uint64]uint64) bool {
	if len(old) != len(p.acts.Movers) {
		return false
	}
	for i, m := range p.acts.Movers {
		if w, ok := now[old[i]]; ok && w != m {
			return false
		}
	}
	for i, m := range p.acts.Movers {
		now[old[i]] = m
	}
	return true
}
