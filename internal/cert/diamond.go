package cert

import "slices"

// diamond returns where a symbol leads from the state on top of the stack, if it
// commutes with the last symbols of the way there. It looks back a few states for
// one where the symbol was done, and goes the same way from its end.
//
//	p ──in──► s
//	│         │
//	sym       sym
//	▼         ▼
//	x ──in──► t
func (m *model) diamond(sym int32) (state uint32, back int) {
	for back = 1; back <= maxBack && back < len(m.stack); back++ {
		i := len(m.stack) - 1 - back
		x, ok := m.edges.get(m.stack[i].state, sym)
		if !ok {
			continue
		}
		for _, l := range m.stack[i+1:] {
			if x, ok = m.edges.get(x, l.in); !ok {
				break
			}
		}
		if ok {
			return x, back
		}
	}
	return 0, 0
}

const maxBack = 6

// opposite returns where a symbol leads from a state in which another one was
// done before, if the two commute: both ways round the diamond end in one state,
// and the way that is known is gone back. A new state is expected if only that is
// missing.
//
//	s ──done──► c
//	│           │
//	sym         sym
//	▼           ▼
//	t ──done──► u
func (m *model) opposite(s uint32, done, sym int32) (state uint32, expectNew bool) {
	if done == none {
		return 0, false
	}
	c, ok := m.edges.get(s, done)
	if !ok {
		return 0, false
	}
	u, ok := m.edges.get(c, sym)
	if !ok {
		return 0, false
	}
	t, ok := m.sources.get(u, done)
	if !ok {
		return 0, true
	}
	return t, false
}

// target codes where a symbol leads to.
func (m *model) target(top *level, sym int32, p past, state uint32) uint32 {
	var guesses [7]uint32
	var open int
	for i := range 3 {
		guesses[i] = m.lookup(p, 2-i)
	}
	guesses[3], _ = m.diamond(sym)
	for i, done := range [...]int32{top.before, top.first} {
		g, expectNew := m.opposite(top.state, done, sym)
		guesses[4+i] = g
		if open <<= 1; expectNew {
			open |= 1
		}
	}
	guesses[6] = m.next
	coded := uint32(0)
	missed := 0
	for i, g := range guesses {
		if g == 0 || slices.Contains(guesses[:i], g) {
			continue
		}
		votes := 0
		for _, h := range guesses {
			votes *= 3
			if h == g {
				votes++
			} else if h != 0 {
				votes += 2
			}
		}
		ctx := mix(mix(0, uint64(votes)), uint64(missed<<8|open<<4|i))
		if m.c.bit(&m.where[ctx>>(64-whereBits)], differ(g, state)) == 0 {
			coded = g
			break
		}
		missed |= 1 << i
	}
	if coded == 0 {
		coded = m.elected(top, sym, guesses[:], state)
	}
	if coded == 0 {
		// The state itself or one before it, or one found after it.
		if m.c.bit(&m.side, below(int(top.state), int(state))) == 0 {
			coded = top.state - m.c.number(m.far[:numberProbs], top.state-state)
		} else {
			coded = top.state + m.c.number(m.far[numberProbs:], state-top.state)
		}
	}
	return coded
}

func differ(a, b uint32) int {
	if a == b {
		return 0
	}
	return 1
}
