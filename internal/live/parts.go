package live

import "slices"

// A part is a set of states with the steps that belong to it.
type part struct {
	g      *graph
	states []uint32 // in ascending order
	first  []uint32 // by place in states: its first edge; one more at the end
	edges  []kept
}

// A kept edge leads to a state by its place.
type kept struct {
	to   uint32
	edge uint32 // of the graph
}

func (p *part) of(i int) []kept { return p.edges[p.first[i]:p.first[i+1]] }

// finder looks for fair parts.
type finder struct {
	g     *graph
	free  bool    // what comes of a choice that was asked for may be the same each time
	place []int32 // by state: its place in the set that is looked at, -1 for none
	stop  func() bool
	// room is how many bytes may be taken for threads, and full says that it was not enough.
	room int64
	full bool
}

func newFinder(g *graph, stop func() bool, room int64) *finder {
	f := &finder{g: g, place: make([]int32, len(g.states)), stop: stop, room: room}
	for i := range f.place {
		f.place[i] = -1
	}
	return f
}

// fair calls yield for each fair part of some states, in the order of their first states, as long as yield says so. Steps belong to one only if
// they are allowed.
func (f *finder) fair(states []uint32, allowed func(e edge) bool, yield func(p *part, t *threads) bool) {
	for work := [][]uint32{states}; len(work) > 0 && !f.stop(); {
		set := work[len(work)-1]
		work = work[:len(work)-1]
		p := f.keep(set, allowed)
		comp, count := components(len(p.states), func(v int) int { return len(p.of(v)) }, func(v, k int) int { return int(p.of(v)[k].to) }, f.stop)
		if f.stop() {
			return
		}
		if count != 1 {
			work = append(work, p.split(comp, count)...)
			continue
		}
		if len(p.edges) == 0 {
			continue // a single state
		}
		t := f.threads(p)
		if t == nil {
			return
		}
		switch rest := t.rest(); {
		case len(rest) < len(p.states):
			if len(rest) > 0 {
				work = append(work, rest)
			}
		case !yield(p, t):
			return
		}
	}
}

// keep returns the steps of a set of states that stay in it, whatever comes of them.
func (f *finder) keep(set []uint32, allowed func(e edge) bool) *part {
	for i, s := range set {
		f.place[s] = int32(i)
	}
	p := &part{g: f.g, states: set, first: make([]uint32, 0, len(set)+1)}
	var out []int
	for _, s := range set {
		p.first = append(p.first, uint32(len(p.edges)))
		out = out[:0]
		for _, e := range f.g.of(s) {
			if m := f.g.motion(e); !f.stays(e, allowed) && !(f.free && m.asked) {
				out = append(out, m.who)
			}
		}
		for i, e := range f.g.of(s) {
			if f.stays(e, allowed) && !slices.Contains(out, f.g.motion(e).who) {
				p.edges = append(p.edges, kept{uint32(f.place[e.to]), f.g.first[s] + uint32(i)})
			}
		}
	}
	p.first = append(p.first, uint32(len(p.edges)))
	for _, s := range set {
		f.place[s] = -1
	}
	return p
}

// stays reports whether a step is allowed and leads to a state of the set.
func (f *finder) stays(e edge, allowed func(e edge) bool) bool {
	return f.place[e.to] >= 0 && allowed(e)
}

// split returns the components that have steps of their own, the one with the first state last.
func (p *part) split(comp []int32, count int) [][]uint32 {
	lists := make([][]uint32, count)
	cyclic := make([]bool, count)
	var order []int32
	for i, s := range p.states {
		c := comp[i]
		if lists[c] == nil {
			order = append(order, c)
		}
		lists[c] = append(lists[c], s)
		cyclic[c] = cyclic[c] || slices.ContainsFunc(p.of(i), func(k kept) bool { return comp[k.to] == c })
	}
	var sets [][]uint32
	for _, c := range slices.Backward(order) {
		if cyclic[c] {
			sets = append(sets, lists[c])
		}
	}
	return sets
}

// threads are the ways of actors through a part. A node is a state and one of its actors.
type threads struct {
	p     *part
	first []uint32 // by place of a state: its first node; one more at the end
	at    []uint32 // by node: the place of its state
	comp  []int32
	about []about // by component
}

// about is what is known of a component of threads.
type about struct {
	stays bool // nobody leaves it
	able  bool // somebody is able to move
	moves bool // somebody moves
	looks bool // by steps that change nothing
	acts  bool // by others
	exits bool // somebody could move so that it leaves the part
}

const threadBytes = 4 + 4 + 4 + 8 // with what components needs

// threads follows the actors of a part. It is nil if there is no room, or no time.
func (f *finder) threads(p *part) *threads {
	t := &threads{p: p}
	nodes := int64(0)
	for _, s := range p.states {
		nodes += int64(p.g.stance(s).actors)
	}
	if f.room > 0 && nodes*threadBytes > f.room || nodes > 1<<31-1 {
		f.full = true
		return nil
	}
	t.at = make([]uint32, 0, nodes)
	for i, s := range p.states {
		t.first = append(t.first, uint32(len(t.at)))
		for range p.g.stance(s).actors {
			t.at = append(t.at, uint32(i))
		}
	}
	t.first = append(t.first, uint32(len(t.at)))
	var count int
	t.comp, count = components(len(t.at), func(v int) int { return len(p.of(int(t.at[v]))) }, t.next, f.stop)
	if f.stop() {
		return nil
	}
	t.about = make([]about, count)
	for c := range t.about {
		t.about[c].stays = true
	}
	for v := range t.at {
		t.look(v)
	}
	return t
}

// next returns the node behind the k-th step of the part from where a node is, -1 if the actor is gone.
func (t *threads) next(v, k int) int {
	i := t.at[v]
	e := t.p.of(int(i))[k]
	after := t.motion(e).after[uint32(v)-t.first[i]]
	if after < 0 {
		return -1
	}
	return int(t.first[e.to]) + int(after)
}

func (t *threads) motion(e kept) *motion { return t.p.g.motion(t.p.g.edges[e.edge]) }

// actor returns the number of the actor of a node.
func (t *threads) actor(v int) int { return v - int(t.first[t.at[v]]) }

// look adds what is known of a node to its component.
func (t *threads) look(v int) {
	i, actor := int(t.at[v]), t.actor(v)
	a, own := &t.about[t.comp[v]], t.p.of(i)
	a.able = a.able || t.isAble(v)
	for k, e := range own {
		w := t.next(v, k)
		if w < 0 || t.comp[w] != t.comp[v] {
			a.stays = false
		}
		if m := t.motion(e); m.moves(actor) {
			a.moves = true
			a.looks, a.acts = a.looks || m.look, a.acts || !m.look
		}
	}
	g, s := t.p.g, t.p.states[i]
	for n := g.first[s]; n < g.first[s+1]; n++ {
		if len(own) > 0 && own[0].edge == n {
			own = own[1:]
			continue
		}
		a.exits = a.exits || g.motion(g.edges[n]).moves(actor)
	}
}

func (t *threads) isAble(v int) bool { return t.p.g.stance(t.p.states[t.at[v]]).able[t.actor(v)] }

// rest returns the states in which nobody is able to move who never does. Who is in a component that it can leave need not stay.
func (t *threads) rest() []uint32 {
	rest := make([]uint32, 0, len(t.p.states))
	for i, s := range t.p.states {
		starves := false
		for v := int(t.first[i]); v < int(t.first[i+1]); v++ {
			a := &t.about[t.comp[v]]
			starves = starves || a.stays && !a.moves && t.isAble(v)
		}
		if !starves {
			rest = append(rest, s)
		}
	}
	return rest
}
