package vm

import (
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/heddle-mc/heddle/internal/mem"
)

// A driven machine names its goroutines by who started them: the path of a
// goroutine is that of its parent and the smallest number that no other live
// child of it has. Names are for people. A program cannot see them, and a state
// is the same whichever of two goroutines is called what: the goroutines are kept
// in an order that depends on what they are about to do and on what they know
// (see rank), and keys do not tell their paths. So a pool of workers that are all
// alike has as many states as there are ways in which some of them are here and
// some there, not which.

// adopt names a new goroutine.
func (m *Machine) adopt(g *G) {
	parent := "\xff\xff" // the clock's
	if m.cur != nil {
		parent = m.cur.path
	} else if m.state.nextG == 2 {
		parent = ""
	}
	if g.ID == 1 {
		g.path = ""
	} else {
		g.path = m.freePath(parent)
	}
	m.bear(g)
	g.entry = g.frames[0].fn
	m.gs = append(m.gs, g)
}

// bear gives a new goroutine its birth, where births belong to the state.
func (m *Machine) bear(g *G) {
	s := m.search
	switch {
	case !s.Births:
	case g.ID == 1:
		g.birth = "main"
	case m.cur == nil:
		g.birth = "clock"
	default:
		m.cur.births++
		s.found.Handed = s.found.Handed || s.lent && m.cur.births > maxChildren
		s.path = strconv.AppendUint(append(append(s.path[:0], m.cur.birth...), '.'), uint64(m.cur.births), 10)
		g.birth = s.paths.of(s.path)
	}
}

// Birth says who has started a goroutine, and how many that one had started
// then: main.2.1 is the first of the second of main. Unlike the path of a
// goroutine it depends on nothing that others do. It is empty if births do not
// belong to the state.
func (g *G) Birth() string { return g.birth }

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
	if ties && len(gs) <= maxReduced {
		m.untie()
	}
}

// before compares goroutines. The main goroutine comes first.
func (g *G) before(o *G) bool {
	if c := g.where.compare(&o.where); c != 0 {
		return c < 0
	}
	if g.order != o.order {
		return g.order < o.order
	}
	if g.wait.Wake != o.wait.Wake {
		return g.wait.Wake < o.wait.Wake
	}
	return g.path < o.path
}

// ties reports whether two goroutines may differ in young objects alone.
func (g *G) ties(o *G) bool {
	return g.order == o.order && g.wait.Wake == o.wait.Wake && !g.plain
}

// digest makes the part of keys that is g's, and its rank, which are good until g
// changes.
func (m *Machine) digest(g *G) {
	c := &m.search.teller
	c.BeginPart(m.Heap)
	m.encodeG(c, g)
	c.EndPart(&g.part)
	g.known, g.local = true, nil
	_, moment := m.momentOf(g)
	g.plain = g.status == gRunnable && !g.unborn && !g.launch && !moment && g.part.Plain()
	g.order = g.part.Rank() | 1
	if g.path == "" {
		g.order = 0
	}
	g.where = whereIs(g)
}

// TakeTicket gives a goroutine a number for a queue that it is about to join, and
// returns it. That of a driven machine is the smallest number that nobody has who
// is in the queue or was let go and does not know yet, so that it depends on
// those alone.
func (m *Machine) TakeTicket(g *G, queue mem.Ptr) uint64 {
	if m.search == nil {
		return uint64(g.ID)
	}
	m.opaque()
	m.touch(g)
	g.ticket, g.queue = 0, queue
	for n := uint64(1); g.ticket == 0; n++ {
		if !slices.ContainsFunc(m.gs, func(o *G) bool { return o.ticket == n && o.queue == queue }) {
			g.ticket = n
		}
	}
	return g.ticket
}

// Ticket is the number under which a goroutine is in a queue, 0 for none.
func (m *Machine) Ticket(g *G) uint64 {
	if m.search == nil {
		return uint64(g.ID)
	}
	return g.ticket
}

// DropTicket says that a goroutine has left its queue.
func (m *Machine) DropTicket(g *G) {
	if m.search != nil {
		m.touch(g)
		g.ticket, g.queue = 0, 0
	}
}

// Name gives a goroutine of a driven machine a token, the smallest one that is
// free, or takes it back. A token may be in the heap, so it is part of the state.
func (m *Machine) Name(g *G, on bool) {
	if m.search == nil {
		return
	}
	m.opaque()
	m.touch(g)
	g.token = 0
	for n := uint64(1); on && g.token == 0; n++ {
		if !slices.ContainsFunc(m.gs, func(o *G) bool { return o.token == n }) {
			g.token = n
		}
	}
}

// freePath returns the first path below a parent's that no goroutine has.
func (m *Machine) freePath(parent string) string {
	s := m.search
	b := append(append(s.path[:0], parent...), 0, 0)
	s.path = b
	for n := uint16(0); ; n++ {
		binary.BigEndian.PutUint16(b[len(parent):], n)
		if !m.hasPath(b) {
			return s.paths.of(b)
		}
	}
}

func (m *Machine) hasPath(path []byte) bool {
	for _, g := range m.gs {
		if g.path == string(path) {
			return true
		}
	}
	return false
}

// pathTexts holds each path once.
type pathTexts map[string]string

func (t *pathTexts) of(path []byte) string {
	text, ok := (*t)[string(path)]
	if !ok {
		if *t == nil {
			*t = pathTexts{}
		}
		text = string(path)
		(*t)[text] = text
	}
	return text
}
