package drive

// order puts the goroutines in the order of where they stand, and of their ranks. Those
// of one rank come in the order in which the clock wakes them, then as untie says.
func (m *Machine) order() {
	gs, ties := m.gs, false
	for i, g := range gs { // few have changed, so each is put in its place among those before
		if !g.known {
			m.digest(g)
		}
		k := i
		for ; k > 0 && g.before(gs[k-1]); k-- {
			gs[k] = gs[k-1]
		}
		if k < i {
			gs[k] = g
		}
		ties = ties || k > 0 && g.ties(gs[k-1]) || k < i && g.ties(gs[k+1])
	}
	if ties {
		m.untie()
	}
	m.ordered = true
}

// Twin reports whether the i-th goroutine and the one before it can be exchanged, and nobody would notice. What one of them does the other one could do as
// well, and the states after that have equal keys: it is enough to follow one of them.
func (m *Machine) Twin(i int) bool {
	if !m.ordered {
		m.order()
	}
	if i == 0 {
		return false
	}
	g, o := m.gs[i], m.gs[i-1]
	switch {
	case o.path == "" || g.where.compare(&o.where) != 0 || g.order != o.order || g.Wait().Wake != o.Wait().Wake || g.plain != o.plain:
		return false
	case g.plain:
		return true
	}
	_, one := m.MomentOf(&g.G)
	_, other := m.MomentOf(&o.G)
	if one || other { // views do not tell of it
		return false
	}
	return g.view == o.view && g.shares == o.shares // see untie
}

// before compares goroutines. The main goroutine comes first.
func (g *G) before(o *G) bool {
	if c := g.where.compare(&o.where); c != 0 {
		return c < 0
	}
	if g.order != o.order {
		return g.order < o.order
	}
	if g.Wait().Wake != o.Wait().Wake {
		return g.Wait().Wake < o.Wait().Wake
	}
	return g.path < o.path
}

// ties reports whether two goroutines may differ in young objects alone.
func (g *G) ties(o *G) bool {
	return g.order == o.order && g.Wait().Wake == o.Wait().Wake && !g.plain
}

// digest makes the part of keys that is g's, and its rank, which are good until g
// changes.
func (m *Machine) digest(g *G) {
	c := &m.teller
	c.BeginPart(m.Heap)
	m.encodeGoroutine(c, g)
	c.EndPart(&g.part)
	g.known, g.local = true, nil
	_, moment := m.MomentOf(&g.G)
	g.plain = g.Runnable() && !g.unborn && !g.launch && !moment && g.part.Plain()
	g.order = g.part.Rank() | 1
	if g.path == "" {
		g.order = 0
	}
	g.where = whereIs(g)
	g.rivals = m.hasRivals(g)
}
