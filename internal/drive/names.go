package drive

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/bitset"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
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
	by := m.Current()
	if by != nil {
		parent = by.path
	} else if m.Counters().NextG == 2 {
		parent = ""
	}
	if g.ID == 1 {
		g.path = ""
	} else {
		g.path = m.freePath(parent)
	}
	m.bear(g, by)
	m.made(g, by)
	g.entry = g.Frames()[0].Func()
	m.gs = append(m.gs, g)
}

// bear gives a new goroutine its birth, where births belong to the state. Main needs none to
// be told from others, but makes descriptors under that name.
func (m *Machine) bear(g, by *G) {
	switch {
	case g.ID == 1 && m.opts.Attended:
		g.birth = MainBirth
	case !m.opts.Births:
	case by == nil:
		g.birth = "clock"
	default:
		by.births++
		m.path = strconv.AppendUint(append(append(m.path[:0], by.birth...), '.'), uint64(by.births), 10)
		g.birth = m.paths.of(m.path)
	}
}

// MainBirth is the birth of main, where it has one.
const MainBirth = "main"

// Birth says who has started a goroutine, and how many that one had started
// then: main.2.1 is the first of the second of main. Unlike the path of a
// goroutine it depends on nothing that others do. It is empty if births do not
// belong to the state, but for that of main.
func (g *G) Birth() string { return g.birth }

// BirthOf is Birth for a goroutine of any machine.
func BirthOf(g *vm.G) string {
	if g, ok := g.Keeper.(*G); ok {
		return g.birth
	}
	return ""
}

// TakeTicket gives a goroutine a number for a queue that it is about to join, and
// returns it. That of a driven machine is the smallest number that nobody has who
// is in the queue or was let go and does not know yet, so that it depends on
// those alone.
func (m *Machine) TakeTicket(c *vm.G, queue mem.Ptr) uint64 {
	if m == nil {
		return uint64(c.ID)
	}
	g := of(c)
	m.Beyond = true
	m.save(g)
	g.ticket, g.queue = 0, queue
	for n := uint64(1); g.ticket == 0; n++ {
		if !slices.ContainsFunc(m.gs, func(o *G) bool { return o.ticket == n && o.queue == queue }) {
			g.ticket = n
		}
	}
	return g.ticket
}

// Ticket is the number under which a goroutine is in a queue, 0 for none.
func (m *Machine) Ticket(g *vm.G) uint64 {
	if m == nil {
		return uint64(g.ID)
	}
	return of(g).ticket
}

// QueuedAs reports whether a goroutine is in a queue under a number.
func (m *Machine) QueuedAs(g *vm.G, queue mem.Ptr, ticket uint64) bool {
	if m == nil {
		return uint64(g.ID) == ticket
	}
	return of(g).ticket == ticket && of(g).queue == queue
}

// DropTicket says that a goroutine has left its queue.
func (m *Machine) DropTicket(c *vm.G) {
	if m != nil {
		g := of(c)
		m.save(g)
		g.ticket, g.queue = 0, 0
	}
}

// Token is a number that tells a goroutine from all others that have one. In a
// driven machine only those have one that were named (see Name), others have 0.
func (m *Machine) Token(g *vm.G) uint64 {
	if m != nil {
		return of(g).token
	}
	return uint64(g.ID)
}

// Name gives a goroutine of a driven machine a token, the smallest one that is
// free, or takes it back. A token may be in the heap, so it is part of the state.
func (m *Machine) Name(c *vm.G, on bool) {
	if m == nil {
		return
	}
	g := of(c)
	m.Beyond = true
	m.save(g)
	g.token = 0
	for n := uint64(1); on && g.token == 0; n++ {
		if !slices.ContainsFunc(m.gs, func(o *G) bool { return o.token == n }) {
			g.token = n
		}
	}
}

// freePath returns the first path below a parent's that no goroutine has. (A goroutine with more than 65,536 children that live has some of
// one name.)
func (m *Machine) freePath(parent string) string {
	used := bitset.Make(len(m.gs) + 1) // there is one among so many
	for _, g := range m.gs {
		if rest, ok := strings.CutPrefix(g.path, parent); ok && len(rest) == 2 {
			if n := int(rest[0])<<8 | int(rest[1]); n <= len(m.gs) {
				used.Add(n)
			}
		}
	}
	n := 0
	for used.Has(n) {
		n++
	}
	m.path = binary.BigEndian.AppendUint16(append(m.path[:0], parent...), uint16(n))
	return m.paths.of(m.path)
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
