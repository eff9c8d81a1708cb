package drive

import (
	"cmp"
	"slices"

	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// Goroutines of one rank, and timers that are due at one moment, are told apart by
// what they lead to: first by a hash of it, their view. Those of one view may still
// differ in who else knows what they lead to. Two workers with a lock each may look
// alike while main, which holds both locks, can tell which is which. So they are put
// in the order of what they are to the rest of the state: all that is certain is
// numbered first, and then the one comes next that looks smallest by these numbers,
// whose objects get numbers too, and so on. Where several look the same, each is
// tried, and the whole that comes out smallest wins. An order that came from paths
// or addresses instead would belong to how the state was reached.

// maxTries is how many orders are tried. Beyond, paths and places in the table of
// timers decide, and a state may have two keys. It takes many goroutines of one view
// that share objects with each other in different ways, and with nobody else.
const maxTries = 200

// untie puts goroutines of one rank in order.
func (m *Machine) untie() {
	owners := &m.peers
	owners.Walkers = nil // what goroutines are called is no matter of guesses
	m.reachAll(owners, m.specialRoots)
	owners.Changed()
	m.ranks.begin(m)
	var groups [][]tied
	for lo, hi := 0, 1; lo < len(m.gs); lo, hi = hi, hi+1 {
		for hi < len(m.gs) && m.gs[lo].ties(m.gs[hi]) {
			hi++
		}
		rest := m.gs[lo:hi]
		if len(rest) < 2 { // nobody asks what it looks like
			continue
		}
		for i, g := range rest {
			m.look(g, lo+i)
		}
		slices.SortStableFunc(rest, func(g, o *G) int { return cmp.Compare(g.view, o.view) })
		for len(rest) > 0 {
			n, alike := 1, true
			for n < len(rest) && rest[n].view == rest[0].view {
				alike = alike && rest[n].shares == rest[0].shares
				n++
			}
			if !alike { // else they can be exchanged, and nobody would notice
				groups = append(groups, tiedGoroutines(rest[:n]))
			}
			rest = rest[n:]
		}
	}
	if len(groups) == 0 {
		return
	}
	a := arranger{m: m, c: m.newView()}
	timers, runs := m.timersByView()
	m.tellCertain(a.c, groups, timers, runs)
	for _, group := range groups {
		a.add(group)
	}
	a.arrange(0)
	for i, g := range m.gs { // each takes the place of one of its group
		if k := slices.Index(a.first, tied{g: g}); k >= 0 {
			m.gs[i] = a.best[k].g
		}
	}
}

// specialRoots visits what finalizers, cleanups and weak pointers are about, so that somebody besides the goroutines counts as one who reaches it: an object with a finalizer is not
// like one without.
func (m *Machine) specialRoots(root func(mem.Ptr)) {
	m.EachSpecial(func(s vm.Special) {
		root(s.Target)
		root(s.Fn)
		if s.Kind != vm.FinalizerSpecial { // there it is a type
			root(s.Arg)
		}
	})
}

// look hashes what a goroutine leads to, with the ranks of those who can reach that.
// It is the i-th one.
func (m *Machine) look(g *G, i int) {
	c := m.newView()
	m.encodeGoroutine(c, g)
	g.view, g.shares = c.View(), 0
	m.work += 2 * int64(len(c.Found()))
	for k, id := range c.Found() {
		r := m.ranks.of(m, id)
		g.view = mem.HashWord(g.view ^ r.sum)
		if r.several || r.one >= 0 && int(r.one) != i {
			g.shares = mem.HashWord(g.shares ^ uint64(k)<<32 ^ uint64(id))
		}
	}
}

// A ranking keeps the ranks of those who can reach an object. What many goroutines
// share is asked for by each of them.
type ranking struct {
	stamp  uint32
	hashes []uint64 // of each goroutine's rank
	known  []ranks  // by object number
}

// A ranks is what there is to know of those who can reach one object.
type ranks struct {
	stamp   uint32
	one     int32 // the only one who can, -1 if nobody can
	several bool
	sum     uint64 // of their ranks, since the order of owners is what is looked for
}

var nobody = ranks{one: -1}

// begin starts anew, with the goroutines in the order in which peers has them.
func (r *ranking) begin(m *Machine) {
	if r.stamp++; r.stamp == 0 {
		clear(r.known)
		r.stamp = 1
	}
	r.hashes = r.hashes[:0]
	for _, g := range m.gs {
		r.hashes = append(r.hashes, mem.HashWord(g.order^uint64(m.away(g))))
	}
}

func (r *ranking) of(m *Machine, id mem.ObjID) *ranks {
	owners := m.peers.Of(id)
	if owners == nil { // as of static objects, whose numbers are large
		return &nobody
	}
	if n := int(id) + 1; len(r.known) < n {
		r.known = append(r.known, make([]ranks, n+n/4-len(r.known))...)
	}
	k := &r.known[id]
	if k.stamp == r.stamp {
		return k
	}
	*k = ranks{stamp: r.stamp, one: -1}
	for at := range owners.All() {
		if k.one >= 0 {
			k.several = true
		}
		if k.one = int32(at); at >= len(r.hashes) {
			break
		}
		k.sum += r.hashes[at]
	}
	return k
}

// away is how far the moment is at which the clock wakes a goroutine, -1 for never.
func (m *Machine) away(g *G) int64 {
	if g.Wait().Wake == 0 {
		return -1
	}
	return g.Wait().Wake - m.ClockOf(g.WakeClock())
}

// newView begins to tell something for its hash.
func (m *Machine) newView() *mem.Canon {
	c := &m.viewer
	c.Custom, c.Tick, c.InsertionOrder = m.canon.Custom, m.canon.Tick, m.canon.InsertionOrder
	c.Begin(m.Heap)
	return c
}

// tellCertain tells everything but some goroutines, and timers in runs of one view.
func (m *Machine) tellCertain(c *mem.Canon, but [][]tied, timers []mem.Ptr, runs []run) {
	for _, g := range m.gs {
		if !slices.ContainsFunc(but, func(group []tied) bool { return slices.Contains(group, tied{g: g}) }) {
			tied{g: g}.tell(m, c)
		}
	}
	for i, id := range timers {
		if !slices.ContainsFunc(runs, func(r run) bool { return r.lo <= i && i < r.hi }) {
			c.Ptr(id)
		}
	}
	c.Ptr(m.checked.watches)
	m.EncodeSpecials(c, m.expects)
	c.Deltas()
	c.Walk()
}

// A tied is a goroutine or a timer that has to be put in its place among those that
// look like it.
type tied struct {
	g     *G
	timer mem.Ptr
}

func tiedGoroutines(gs []*G) (group []tied) {
	for _, g := range gs {
		group = append(group, tied{g: g})
	}
	return group
}

func (t tied) tell(m *Machine, c *mem.Canon) {
	if t.g == nil {
		c.Ptr(t.timer)
		return
	}
	m.encodeGoroutine(c, t.g)
	c.Word(uint64(m.away(t.g)))
}

// An arranger puts the members of groups in order.
type arranger struct {
	m     *Machine
	c     *mem.Canon // tells what is certain
	first []tied     // the groups one after the other, as they came
	list  []tied     // as they are being arranged
	ends  []int      // by place in the list: where its group ends
	best  []tied
	hash  uint64 // of the best
	tries int
}

func (a *arranger) add(group []tied) {
	a.first, a.list = append(a.first, group...), append(a.list, group...)
	for range group {
		a.ends = append(a.ends, len(a.list))
	}
}

// arrange finds who comes at place k and after it.
func (a *arranger) arrange(k int) {
	if k == len(a.list) {
		if hash := a.c.HashFrom(mem.Place{}); a.tries == 0 || hash < a.hash {
			a.hash, a.best = hash, append(a.best[:0], a.list...)
		}
		a.tries++
		return
	}
	at := a.c.Place()
	var smallest []int
	var least uint64
	for i := k; i < a.ends[k]; i++ {
		hash, _ := a.try(i)
		if len(smallest) == 0 || hash < least {
			smallest, least = smallest[:0], hash
		}
		if hash == least {
			smallest = append(smallest, i)
		}
	}
	for n, i := range a.unlike(k, smallest) {
		if n > 0 && a.tries >= maxTries {
			return
		}
		a.list[k], a.list[i] = a.list[i], a.list[k]
		a.list[k].tell(a.m, a.c)
		a.c.Walk()
		a.arrange(k + 1)
		a.c.Back(at)
		a.list[k], a.list[i] = a.list[i], a.list[k]
	}
}

// try hashes what the i-th looks like, and lists what would get numbers with it.
func (a *arranger) try(i int) (hash uint64, found []mem.ObjID) {
	at := a.c.Place()
	a.list[i].tell(a.m, a.c)
	a.c.Walk()
	hash, found = a.c.HashFrom(at), slices.Clone(a.c.FoundFrom(at))
	a.c.Back(at)
	return hash, found
}

// unlike drops from a list of those who look the same the ones that can be exchanged
// for another one, and nobody would notice: what has no number yet and they share
// with others who are not in their places is the same.
func (a *arranger) unlike(k int, list []int) []int {
	if len(list) < 2 {
		return list
	}
	owners := map[mem.ObjID]int{}
	found := make([][]mem.ObjID, len(a.list))
	for i := k; i < len(a.list); i++ {
		_, found[i] = a.try(i)
		for _, id := range found[i] {
			owners[id]++
		}
	}
	shared := func(i int) (ids []mem.ObjID) {
		for _, id := range found[i] {
			if owners[id] < 2 {
				id = 0
			}
			ids = append(ids, id)
		}
		return ids
	}
	var unlike []int
	for _, i := range list {
		if !slices.ContainsFunc(unlike, func(o int) bool { return slices.Equal(shared(i), shared(o)) }) {
			unlike = append(unlike, i)
		}
	}
	return unlike
}

// A run is a part of a list, without the place at its end.
type run struct{ lo, hi int }

// timersByView lists the timers that call functions, the next one first, and those of
// one moment in the order of what they lead to. In the runs all lead to the same.
func (m *Machine) timersByView() (list []mem.Ptr, runs []run) {
	list = m.Timers()
	if len(list) < 2 {
		return list, nil
	}
	when := m.TimerTime
	views := make(map[mem.Ptr]uint64, len(list))
	for _, id := range list {
		c := m.newView()
		c.Ptr(id)
		views[id] = c.View()
	}
	compare := func(a, b mem.Ptr) int { return cmp.Or(cmp.Compare(when(a), when(b)), cmp.Compare(views[a], views[b])) }
	slices.SortStableFunc(list, compare)
	for lo, hi := 0, 1; lo < len(list); lo, hi = hi, hi+1 {
		for hi < len(list) && compare(list[lo], list[hi]) == 0 {
			hi++
		}
		if hi-lo > 1 {
			runs = append(runs, run{lo, hi})
		}
	}
	return list, runs
}

// timersInOrder lists the timers that call functions, the next one first.
func (m *Machine) timersInOrder() []mem.Ptr {
	list, runs := m.timersByView()
	if len(runs) == 0 {
		return list
	}
	a := arranger{m: m, c: m.newView()}
	m.tellCertain(a.c, nil, list, runs)
	for _, r := range runs {
		var group []tied
		for _, id := range list[r.lo:r.hi] {
			group = append(group, tied{timer: id})
		}
		a.add(group)
	}
	a.arrange(0)
	for _, r := range runs {
		for i := r.lo; i < r.hi; i++ {
			list[i], a.best = a.best[0].timer, a.best[1:]
		}
	}
	return list
}
