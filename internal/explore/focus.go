package explore

import (
	"cmp"
	"maps"
	"slices"

	"github.com/heddle-mc/heddle/internal/lts"
)

// Most of what a program does has nothing to do with what is wrong with it. Where a hundred goroutines run, a random walk seldom puts the few
// operations of two of them in one certain order. So some walks look at two actors only, who act on the same thing, and at their operations on
// what they have in common. One order of these, each with the same probability, is chosen before the walk (Zhao, Lang and others,
// Selectively Uniform Concurrency Testing, ASPLOS 2025), and whoever comes to such an operation too early is held back:
//
//	a: cas 0→1, cas 2→3      b: cas 1→2, cas 3→4      order: a b a b, one of six
//
// Who else takes steps between them is chosen at random. What few have in common is looked at more often than what everybody uses all the time.
type focus struct {
	dice  dice
	past  *past
	order []uint64                  // whose turn it is, by identity
	marks map[uint64]map[int32]bool // by identity, which of its own operations are looked at
	close map[uint64]bool           // identities of the two, of others who act there if these are few, and of those who have started them
	reach int                       // on which step of the walk before was the last of these
	after int                       // steps since the last of these
	held  int                       // how often somebody was held back since the last turn

	free, near []lts.Step
}

// A spot is where something begins that is acted on.
type spot struct {
	thing uint64
	lo    uint32
}

// A deed is an own operation at a spot.
type deed struct {
	actor int32
	nth   int32 // the how many-th own operation of its actor it is
	at    int   // on which step of the walk
	write bool
}

const (
	maxDeeds   = 64  // that are kept of a spot
	maxFocused = 64  // operations of two actors that are put in order
	maxHeld    = 256 // steps that others may take while somebody is held back
	fewOthers  = 8   // who act on the same as the two
	afterFocus = 64  // steps after what is looked at
)

// deed keeps an own operation.
func (p *past) deed(s *pastStep) {
	actor := &p.actors[s.actor]
	actor.owned++
	for _, place := range s.places {
		at := spot{place.Thing, place.Lo}
		list := p.spots[at]
		if len(list) == 0 {
			p.spotted = append(p.spotted, at)
		}
		if len(list) < maxDeeds {
			p.spots[at] = append(list, deed{s.actor, actor.owned, len(p.steps), place.Write})
		}
	}
}

// focus chooses what the next walk looks at, by the last walk that was noted. It returns nil if there is nothing that two have acted on.
func (p *past) focus(d dice) *focus {
	shared := slices.DeleteFunc(slices.Clone(p.spotted), func(at spot) bool { return !meets(p.spots[at]) })
	if len(shared) == 0 {
		return nil
	}
	f := &focus{dice: d, past: p, marks: map[uint64]map[int32]bool{}, close: map[uint64]bool{}}
	list := f.choice(shared)
	one := list[f.dice.below(len(list))]
	others := slices.DeleteFunc(slices.Clone(list), func(o deed) bool { return !one.meets(o) })
	if len(others) == 0 { // it only looks, as all others do but itself
		return nil
	}
	two := others[f.dice.below(len(others))]
	f.mark(one.actor, two.actor, list)
	if f.counts() <= maxFocused {
		for _, at := range shared {
			f.mark(one.actor, two.actor, p.spots[at])
		}
	}
	for f.counts() > maxFocused {
		f.forget()
	}
	f.shuffle()
	f.approach(one.actor, two.actor)
	for _, at := range shared {
		if list := p.spots[at]; slices.ContainsFunc(list, func(d deed) bool { return d.actor == one.actor }) {
			f.approach(few(list)...)
		}
	}
	return f
}

// approach has some actors, and those who have started them, come more often than others.
func (f *focus) approach(actors ...int32) {
	for _, actor := range actors {
		for ; actor >= 0; actor = f.past.actors[actor].parent {
			f.close[f.past.actors[actor].id] = true
		}
	}
}

// few returns who has done some deeds, nobody if these are many.
func few(list []deed) (actors []int32) {
	for _, d := range list {
		if !slices.Contains(actors, d.actor) {
			if actors = append(actors, d.actor); len(actors) > fewOthers {
				return nil
			}
		}
	}
	return actors
}

// choice chooses a spot: one where few meet more often than one where many do.
func (f *focus) choice(shared []spot) []deed {
	sum := 0
	for _, at := range shared {
		sum += share(f.past.spots[at])
	}
	for n := f.dice.below(sum); ; shared = shared[1:] {
		list := f.past.spots[shared[0]]
		if n -= share(list); n < 0 {
			return list
		}
	}
}

// share is how often a spot is chosen.
func share(list []deed) int {
	actors := make(map[int32]bool)
	for _, d := range list {
		actors[d.actor] = true
	}
	return 1 + maxDeeds/len(actors)
}

// meets reports whether two deeds at one spot are of different actors, and not both only look.
func (d deed) meets(o deed) bool { return d.actor != o.actor && (d.write || o.write) }

// meets reports whether two of some deeds at one spot do.
func meets(list []deed) bool {
	return slices.ContainsFunc(list, func(d deed) bool { return slices.ContainsFunc(list, d.meets) })
}

// mark looks at what two have done at a spot, if they meet there.
func (f *focus) mark(a, b int32, list []deed) {
	list = slices.DeleteFunc(slices.Clone(list), func(d deed) bool { return d.actor != a && d.actor != b })
	if !meets(list) {
		return
	}
	for _, d := range list {
		id := f.past.actors[d.actor].id
		if f.marks[id] == nil {
			f.marks[id] = make(map[int32]bool)
		}
		f.marks[id][d.nth] = true
		f.reach = max(f.reach, d.at)
	}
}

func (f *focus) counts() (n int) {
	for _, m := range f.marks {
		n += len(m)
	}
	return n
}

// forget looks no more at the last operation of who has most of them.
func (f *focus) forget() {
	most := slices.MaxFunc(f.ids(), func(a, b uint64) int { return cmp.Compare(len(f.marks[a]), len(f.marks[b])) })
	delete(f.marks[most], slices.Max(slices.Collect(maps.Keys(f.marks[most]))))
}

func (f *focus) ids() []uint64 { return slices.Sorted(maps.Keys(f.marks)) }

// shuffle chooses the order.
func (f *focus) shuffle() {
	for _, id := range f.ids() {
		f.order = append(f.order, slices.Repeat([]uint64{id}, len(f.marks[id]))...)
	}
	for i := len(f.order) - 1; i > 0; i-- {
		j := f.dice.below(i + 1)
		f.order[i], f.order[j] = f.order[j], f.order[i]
	}
}

// choose chooses a step at random, of those that need not wait for their turn. The two come more often than others.
func (f *focus) choose(c *cursor, steps []lts.Step) lts.Step {
	f.free, f.near = f.free[:0], f.near[:0]
	for _, s := range steps {
		i, ok := f.past.numbers[c.individual(s)]
		if !ok { // the first step of the walk
			f.free, f.near = append(f.free, s), append(f.near, s)
			continue
		}
		id := f.past.actors[i].id
		if f.early(c, s, i) {
			continue
		}
		if f.free = append(f.free, s); f.close[id] {
			f.near = append(f.near, s)
		}
	}
	if len(f.free) < len(steps) {
		f.held++
	}
	from := f.free
	switch {
	case len(f.free) == 0 || f.held > maxHeld: // whose turn it is does not come to it
		from, f.held = steps, 0
	case len(f.near) > 0 && f.dice.below(4) > 0:
		from = f.near
	}
	s := from[f.dice.below(len(from))]
	if len(f.order) == 0 {
		f.after++
	}
	if i, ok := f.past.numbers[c.individual(s)]; ok && f.marked(c, s, i) {
		if at := slices.Index(f.order, f.past.actors[i].id); at >= 0 {
			f.order, f.held = slices.Delete(f.order, at, at+1), 0
		}
	}
	return s
}

// early reports whether a step is one that is looked at, and not its turn.
func (f *focus) early(c *cursor, s lts.Step, actor int32) bool {
	return f.marked(c, s, actor) && len(f.order) > 0 && f.order[0] != f.past.actors[actor].id
}

// marked reports whether a step is one that is looked at.
func (f *focus) marked(c *cursor, s lts.Step, actor int32) bool {
	a := &f.past.actors[actor]
	return f.marks[a.id][a.owned+1] && f.past.coming(c, s).own
}

// over reports whether all that is looked at has been, and some steps more.
func (f *focus) over() bool { return f.after > afterFocus }

// turns is for walks that look around: everybody takes as many steps as everybody else, so that all is seen that many do first.
type turns struct {
	dice  dice
	taken map[uint64]int
	least []lts.Step
}

func (t *turns) choose(c *cursor, steps []lts.Step) lts.Step {
	fewest := 0
	for i, s := range steps {
		n := t.taken[c.individual(s)]
		if i == 0 || n < fewest {
			fewest, t.least = n, t.least[:0]
		}
		if n == fewest {
			t.least = append(t.least, s)
		}
	}
	s := t.least[t.dice.below(len(t.least))]
	t.taken[c.individual(s)]++
	return s
}
