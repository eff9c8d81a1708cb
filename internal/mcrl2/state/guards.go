package state

import "github.com/heddle-mc/heddle/internal/mcrl2/data"

// Conditions of linear processes begin with tests of what a process stands
// before: s1 == 3 && s2 == 1 && …. The guards of a parameter tell, for each
// value, which summands it leaves possible, as bits. What no guard excludes is
// all that has to be looked at.
type guards struct {
	param  int
	direct [directValues][]uint64 // by small values
	large  map[data.Value][]uint64
	other  []uint64 // for values that no test mentions
	all    []uint64 // for terms with variables, of which tests know nothing
}

// makeGuards returns the guards of the parameters that summands test.
func makeGuards(summands []*summand, params, words int) []*guards {
	var list []*guards
	for p := range params {
		g := &guards{param: p, large: map[data.Value][]uint64{}, other: make([]uint64, words), all: make([]uint64, words)}
		tested := false
		for i, c := range summands {
			free := true
			for _, t := range c.tests {
				free = free && t.param != p
			}
			tested = tested || !free
			if free {
				g.other[i/64] |= 1 << (i % 64)
			}
			g.all[i/64] |= 1 << (i % 64)
		}
		if !tested {
			continue
		}
		for i := range g.direct {
			g.direct[i] = g.other
		}
		for i, c := range summands {
			for _, t := range c.tests {
				if t.param == p {
					g.allow(t.value, i, c)
				}
			}
		}
		list = append(list, g)
	}
	return list
}

// allow notes that a value leaves a summand possible, unless another test of it
// wants another value.
func (g *guards) allow(v data.Value, i int, c *summand) {
	m := g.large[v]
	if m == nil {
		m = append([]uint64(nil), g.other...)
		g.large[v] = m
		if v < 2*directValues && v&1 == 0 {
			g.direct[v>>1] = m
		}
	}
	for _, t := range c.tests {
		if t.param == g.param && t.value != v {
			return
		}
	}
	m[i/64] |= 1 << (i % 64)
}

// of returns the summands that a value leaves possible.
func (g *guards) of(e *data.Engine, v data.Value) []uint64 {
	if v < 2*directValues && v&1 == 0 {
		return g.direct[v>>1]
	}
	if m, ok := g.large[v]; ok {
		return m
	}
	if e.Ground(v) {
		return g.other
	}
	return g.all
}

// possible computes which summands no guard excludes here.
func (s *System) findPossible() {
	for w := range s.possible {
		s.possible[w] = ^uint64(0)
	}
	for _, g := range s.guards {
		m := g.of(s.engine, s.state[g.param])
		for w := range s.possible {
			s.possible[w] &= m[w]
		}
	}
}
