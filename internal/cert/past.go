package cert

// What is known of a state is which instruction each actor has done last on the
// way there. Often that is nearly all there is to know: an actor's next
// instruction follows from its last one. So a state with the same last
// instructions may well be the same state.

// A past is where all actors are, as three hashes: from the last instruction of
// each, from its last two, and from all that it has done. They are sums over the
// actors, so that the order of steps of different actors does not matter.
type past [3]uint64

// A local is what one actor has done last.
type local struct {
	last, before int32
	all          uint64
}

const maxActors = 1 << 12

// hashes are the parts of an actor in the sums of past.
func (l *local) hashes(actor int) past {
	a := mix(7, uint64(actor))
	one := mix(a, uint64(uint32(l.last)))
	return past{one, mix(one, uint64(uint32(l.before))), mix(a, l.all)}
}

// define tells the model whose instruction the next one is, and its name.
func (m *model) define(actor int, name string) {
	m.who = append(m.who, (actor+1)&(maxActors-1))
	n, ok := m.texts[name]
	if !ok {
		n = int32(len(m.texts))
		m.texts[name] = n
	}
	m.names = append(m.names, n)
}

// actorOf returns whose step a symbol is, 0 if that is not known.
func (m *model) actorOf(sym int32) int {
	if sym < symCode || int(sym)-symCode >= len(m.who) {
		return 0
	}
	return m.who[sym-symCode]
}

// step returns where the actors are after a symbol, and where its actor is.
func (m *model) step(top *level, sym int32) (p past, actor int, now local) {
	actor = m.actorOf(sym)
	for actor >= len(m.actors) {
		m.actors = append(m.actors, local{})
	}
	was := m.actors[actor]
	now = local{last: sym, before: was.last, all: mix(was.all, uint64(sym))}
	p = top.past
	old, new := was.hashes(actor), now.hashes(actor)
	for i := range p {
		p[i] += new[i] - old[i]
	}
	return p, actor, now
}

// lookup returns the state that had one of the hashes last, or 0.
func (m *model) lookup(p past, i int) uint32 {
	h := mix(p[i], uint64(i))
	v, _ := m.known.get(uint32(h>>32)|1, int32(h))
	return v
}

func (m *model) remember(p past, state uint32) {
	for i := range p {
		h := mix(p[i], uint64(i))
		m.known.put(uint32(h>>32)|1, int32(h), state)
	}
}
