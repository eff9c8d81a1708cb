package cert

import "slices"

// Where places of actors change from state to state, because a system keeps them
// in an order that depends on what they are about to do, an instruction has
// another number on the other side of a diamond, but the same name. So all
// diamonds are looked for whose sides have the right names, and each one votes for
// the state at its corner.

// A ballot has the states that were voted for.
type ballot []vote

type vote struct {
	state uint32
	n     int
}

const maxVotes = 64

func (b *ballot) add(state uint32, n int) {
	for i := range *b {
		if (*b)[i].state == state {
			(*b)[i].n += n
			return
		}
	}
	if len(*b) < maxVotes {
		*b = append(*b, vote{state, n})
	}
}

// nameOf returns the number of a symbol's name.
func (m *model) nameOf(sym int32) int32 {
	if sym < symCode || int(sym)-symCode >= len(m.names) {
		return none
	}
	return m.names[sym-symCode]
}

// preds is how many states are remembered that a name led from to one state.
const preds = 4

func predKey(name int32, from uint32) int32 { return name*preds + int32(from%preds) }

// done calls f for the first symbols that were done in a state, as far as known.
func (m *model) done(state uint32, f func(sym int32)) {
	at := int32(none)
	for range 16 {
		v, ok := m.after.get(state, at)
		if !ok || v == symBack {
			return
		}
		at = int32(v)
		f(at)
	}
}

// elect returns the states that diamonds vote for as the end of a symbol, the one
// with most votes first.
func (m *model) elect(top *level, sym int32) ballot {
	m.ballot = m.ballot[:0]
	name := m.nameOf(sym)
	m.done(top.state, func(d int32) {
		if d != sym {
			m.electOpposite(top, sym, name, d)
		}
	})
	for i := max(len(m.stack)-3, 0); i < len(m.stack)-1; i++ {
		from := m.stack[i].state
		m.done(from, func(a int32) {
			if m.nameOf(a) != name {
				return
			}
			if x, ok := m.edges.get(from, a); ok {
				m.electAlong(x, i+1, 2+below(differ(uint32(a), uint32(sym)), 1))
			}
		})
	}
	slices.SortStableFunc(m.ballot, func(x, y vote) int { return y.n - x.n })
	return m.ballot
}

// electOpposite votes by diamonds as those of method opposite.
func (m *model) electOpposite(top *level, sym, name, d int32) {
	c, ok := m.edges.get(top.state, d)
	if !ok {
		return
	}
	other := m.nameOf(d)
	m.done(c, func(a int32) {
		if m.nameOf(a) != name {
			return
		}
		u, ok := m.edges.get(c, a)
		if !ok {
			return
		}
		for k := range uint32(preds) {
			if t, ok := m.named.get(u, predKey(other, k)); ok && t != top.state {
				m.ballot.add(t, 2+below(differ(uint32(a), uint32(sym)), 1))
			}
		}
	})
}

// electAlong votes by going from a state along the way to the top of the stack
// from level i on, by names.
func (m *model) electAlong(x uint32, i, weight int) {
	if i == len(m.stack) {
		m.ballot.add(x, weight)
		return
	}
	in := m.stack[i].in
	m.done(x, func(y int32) {
		if m.nameOf(y) == m.nameOf(in) {
			if z, ok := m.edges.get(x, y); ok {
				m.electAlong(z, i+1, weight+below(differ(uint32(y), uint32(in)), 1))
			}
		}
	})
}

// elected codes a state that was voted for, or returns 0.
func (m *model) elected(top *level, sym int32, known []uint32, state uint32) uint32 {
	list := m.elect(top, sym)
	tried := 0
	for i, v := range list {
		if v.state == m.next || slices.Contains(known, v.state) {
			continue
		}
		lead := 0
		if i+1 < len(list) {
			lead = min(v.n-list[i+1].n, 7)
		}
		if m.c.bit(&m.rank[min(tried, 31)<<8|min(v.n, 31)<<3|lead], differ(v.state, state)) == 0 {
			return v.state
		}
		tried++
	}
	return 0
}
