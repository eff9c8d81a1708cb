package drive

import (
	"math"
	"slices"

	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// In Go, who has to wait at a channel is put in a queue. Whoever comes serves the first one in it, hands a value directly to who waits for one,
// and a select that waits is decided by the first who comes. A goroutine of a driven machine that stands before its
// operation may be in the queue or may not have come yet, so that in general those who stand at a channel go in any order. But
// sometimes it is certain that they are in it:
//
//   - when the clock of a bubble moves or synctest.Wait returns, for then all of the bubble were durably blocked;
//   - when the clock outside moves while nobody can run, and by so much that nobody is kept on the way for that long (see late.go).
//
// Such a goroutine is queued. It has a number: the same for those who came to be queued at the same moment, whose order is
// not known, and a larger one for those who came later. Whoever is not queued comes behind them. All who stand
// at one channel at such a moment are queued then, so who has the larger number was not there before.
//
// Only the order of those who wait at the same channel matters, and only that is kept: see numberQueued.

// unqueued is the turn of who need not have come yet.
const unqueued = math.MaxUint16

// turn orders those who stand at a channel: of two, the one with the smaller turn came first.
func (g *G) turn() uint16 {
	if g.queued == 0 {
		return unqueued
	}
	return g.queued
}

// leavesQueue notes that g, which was saved, goes on.
func (g *G) leavesQueue() { g.arrived, g.settled, g.queued, g.decided = false, false, 0, 0 }

// standsAtChan returns the operation on channels before which g stands, if it may be done by somebody else.
func (m *Machine) standsAtChan(g *G) (o vm.ChanOp, ok bool) {
	if !g.Runnable() || g.ending || g.launch || g.unborn || g.spun || g.Completed() || g.decided > 0 {
		return o, false
	}
	return m.ChanOpOf(&g.G)
}

// queueAll queues those who wait at channels in a bubble, everywhere if it is 0.
func (m *Machine) queueAll(bubble int) {
	last := uint16(0)
	for _, g := range m.gs {
		last = max(last, g.queued)
	}
	if last >= unqueued-1 {
		return
	}
	for _, g := range m.gs {
		if g.queued > 0 || bubble != 0 && g.Bubble() != bubble {
			continue
		}
		if o, ok := m.standsAtChan(g); ok && o.Waits && o.N > 0 {
			m.save(g)
			g.queued, m.checked.queues = last+1, true
			if bubble == 0 && g.Bubble() != 0 {
				m.Meet(MetLate) // where it is served, it would seem to be queued by its bubble
			}
		}
	}
	m.numberQueued()
}

// served notes that it makes a difference that somebody is queued at a channel. If that is so because nobody is late for
// long, it is a bound.
func (m *Machine) served(ch mem.Ptr) {
	if m.Heap.ChanGroup(ch) == 0 {
		m.Meet(MetLate)
	}
}

// eachQueued calls visit for each case of those but the i-th goroutine who are queued at a channel, to send or to receive. Of
// a select that is decided only that case counts.
func (m *Machine) eachQueued(i int, ch mem.Ptr, send bool, visit func(j, cas int, p *G)) {
	if !m.checked.queues {
		return
	}
	for j, p := range m.gs {
		if p.queued == 0 || j == i {
			continue
		}
		o, _ := m.ChanOpOf(&p.G)
		for l := range o.N {
			if pch, psend := o.At(l); pch == ch && psend == send && (p.decided == 0 || int(p.decided) == l+1) {
				visit(j, l, p)
			}
		}
	}
}

// withFirst appends the alternatives of a case of the i-th goroutine that need not wait, as there is a buffer: one for each of those who may be the
// first in the queue of those who wait to send on the channel or to receive, as said, and who goes on with it; and a plain one if
// there is nobody.
//
// Going through a buffer does not order what the other one has done before: others can still race with that until it moves. So one that has a block
// goes on by itself, and meanwhile what is in the buffer, or the room in it, is kept for it: see ahead.
func (m *Machine) withFirst(dst []alternative, i, cas int, ch mem.Ptr, send bool) []alternative {
	first, block := uint16(unqueued), false
	m.eachQueued(i, ch, send, func(_, _ int, p *G) {
		if p.turn() < first {
			first, block = p.turn(), false
		}
		block = block || p.turn() == first && len(p.block) > 0
	})
	if first == unqueued || block {
		return append(dst, alternative{cas: int32(cas), partner: -1})
	}
	m.served(ch)
	m.eachQueued(i, ch, send, func(j, l int, p *G) {
		if p.turn() == first {
			dst = append(dst, alternative{cas: int32(cas), partner: int32(j), pcas: int32(l)})
		}
	})
	return dst
}

// ahead returns how many are queued at a channel, to send or to receive, before the i-th goroutine, or with it if ties count.
func (m *Machine) ahead(i int, ch mem.Ptr, send, ties bool) (n uint64) {
	last, own := -1, m.gs[i].turn()
	m.eachQueued(i, ch, send, func(j, _ int, p *G) {
		if j != last && (p.turn() < own || ties && p.turn() == own) {
			n++
		}
		last = j
	})
	return n
}

// A meeting tells with whom a goroutine that sends on a channel without a buffer may meet.
type meeting struct {
	before int    // how many others are queued to send before it
	one    int    // the place of the last of these
	first  uint16 // the turn of the first who receives
}

// meetingAt returns it for the i-th goroutine.
func (m *Machine) meetingAt(i int, ch mem.Ptr) meeting {
	t, own := meeting{first: unqueued}, m.gs[i].turn()
	m.eachQueued(i, ch, true, func(j, _ int, p *G) {
		if p.turn() < own && (t.before == 0 || t.one != j) {
			t.before, t.one = t.before+1, j
		}
	})
	m.eachQueued(i, ch, false, func(_, _ int, p *G) { t.first = min(t.first, p.turn()) })
	return t
}

// allows reports whether it may meet with p, at place j: nobody is before one of the two. Who both sends and receives does
// not meet with itself.
func (t *meeting) allows(j int, p *G) bool {
	return (t.before == 0 || t.before == 1 && t.one == j) && p.turn() <= t.first
}

// settleQueues finds out which selects that are queued are decided now, by the timer that has just fired or, if that is 0, by
// something else; and gives new numbers to those who are queued.
//
// That a timer has fired decides nothing unless it is one of a bubble and was the next thing to happen. Several that are due at one moment fire in
// any order, and outside of bubbles one may fire late, as all who can run.
func (m *Machine) settleQueues(fired mem.Ptr) {
	if !m.checked.queues {
		return
	}
	any := false
	for i, g := range m.gs {
		if g.queued == 0 {
			continue
		}
		any = true
		if d := m.decides(i, g, fired); d != g.decided {
			m.save(g)
			g.decided = d
		}
	}
	m.checked.queues = any
	m.numberQueued()
}

// decides returns what a select that is queued is decided for: the case that is ready, counted from 1, if it is the only one and nobody
// else can have been served instead. It is 0 if there is none.
func (m *Machine) decides(i int, g *G, fired mem.Ptr) uint16 {
	o, ok := m.ChanOpOf(&g.G)
	if !ok || o.N < 2 {
		return 0
	}
	if g.decided > 0 && m.readyFor(&o, int(g.decided)-1) > 0 {
		return g.decided
	}
	found := 0
	for k := range o.N {
		n := m.readyFor(&o, k)
		if n == 0 {
			continue
		}
		ch, send := o.At(k)
		timer := m.Heap.ChanAux(ch)
		if found > 0 || timer != 0 && timer != fired || n <= m.ahead(i, ch, send, true) {
			return 0
		}
		found = k + 1
	}
	if found > 0 {
		ch, _ := o.At(found - 1)
		m.served(ch)
	}
	return uint16(found)
}

// readyFor returns how many can do what a case of an operation does without meeting anybody.
func (m *Machine) readyFor(o *vm.ChanOp, k int) uint64 {
	h := m.Heap
	switch ch, send := o.At(k); {
	case ch == 0:
		return 0
	case !h.IsChan(ch) || h.ChanClosed(ch):
		return math.MaxUint64
	case send:
		return h.ChanCap(ch) - h.ChanLen(ch)
	default:
		return h.ChanLen(ch)
	}
}

// A side is one of the two queues of a channel.
type side struct {
	ch   mem.Ptr
	send bool
}

// numberQueued gives those who are queued the smallest numbers that leave the order of any two who wait at the same channel as it
// is. Those are in one group, as those are who have to do with each other by way of others; each group is numbered from 1.
func (m *Machine) numberQueued() {
	if !slices.ContainsFunc(m.gs, func(g *G) bool { return g.queued > 1 }) {
		return
	}
	group := make([]int, len(m.gs)) // by place: a place in the same group, that of itself for one of each
	find := func(i int) int {
		for group[i] != i {
			i = group[i]
		}
		return i
	}
	first := make(map[side]int)
	for i, g := range m.gs {
		group[i] = i
		if g.queued == 0 {
			continue
		}
		o, _ := m.ChanOpOf(&g.G)
		for k := range o.N {
			ch, send := o.At(k)
			if ch == 0 {
				continue
			}
			if j, ok := first[side{ch, send}]; ok {
				group[find(i)] = find(j)
			} else {
				first[side{ch, send}] = i
			}
		}
	}
	numbers := make(map[int][]uint16)
	for i, g := range m.gs {
		if g.queued > 0 {
			numbers[find(i)] = append(numbers[find(i)], g.queued)
		}
	}
	for i, list := range numbers {
		slices.Sort(list)
		numbers[i] = slices.Compact(list)
	}
	for i, g := range m.gs {
		if g.queued == 0 {
			continue
		}
		if n, _ := slices.BinarySearch(numbers[find(i)], g.queued); uint16(n+1) != g.queued {
			m.save(g)
			g.queued = uint16(n + 1)
		}
	}
}
