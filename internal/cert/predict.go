package cert

// A model predicts the events of a script. Encoder and decoder go through the
// same code with the same memory, so the predictions need not be written.
//
// What comes next in a state (an instruction, or the way back) mostly came next
// before, in a state that was entered by the same instruction, or where all actors
// were at the same places. Where an instruction leads to is predicted from where
// the actors are then (past.go) and from diamonds: steps of different actors
// mostly commute (diamond.go, vote.go).
type model struct {
	c     *coder
	stack []level
	next  uint32  // number of the next new state
	codes int     // instructions so far
	who   []int   // their actors
	names []int32 // numbers of their names
	texts map[string]int32
	tree  bool

	actors  []local
	known   table // pasts: state
	edges   table // state and symbol: state
	sources table // state and symbol: state that it led from
	after   table // state and the symbol before: symbol
	named   table // state and name: a state that it led from
	ballot  ballot

	guess []guess // contexts of symbols
	hit   []prob  // is it the guess?
	plain []prob  // a symbol without guess, by bits
	where []prob  // is it the guessed state?
	rank  []prob  // is it the state with so many votes?
	side  prob    // is the state a later one?
	far   []prob  // distance of a state seen, by bits
}

// A level is a state on the stack of the search.
type level struct {
	state  uint32
	in     int32  // symbol that led here
	first  int32  // symbol done first, or none
	last   int32  // symbol done last, or none
	before int32  // the one before that
	list   uint64 // hash of all symbols done
	past   past
	actor  int   // whose step led here
	was    local // where that actor was before
}

// Symbols are what can come next in a state.
const (
	symBack = 0
	symNew  = 1 // an instruction that was never used before
	symCode = 2 // and more: instruction 0, 1, ...
	none    = -1
)

// A guess is what came last in a context, and how often in a row.
type guess struct {
	sym  int32
	sure uint8
}

const (
	guessBits = 18
	whereBits = 16
)

func newModel(c *coder, tree bool) *model {
	m := &model{
		c: c, tree: tree, next: 2,
		guess: make([]guess, 1<<guessBits),
		hit:   newProbs(1 << 16),
		plain: newProbs(plainContexts * numberProbs),
		where: newProbs(1 << whereBits),
		rank:  newProbs(32 << 8),
		side:  probStart,
		texts: map[string]int32{},
		far:   newProbs(2 * numberProbs),
	}
	for _, t := range []*table{&m.known, &m.edges, &m.sources, &m.after, &m.named} {
		t.init()
	}
	m.stack = append(m.stack, level{state: 1, in: none, first: none, last: none, before: none})
	m.remember(past{}, 1)
	return m
}

func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// event codes an event. An encoder passes it in, a decoder gets it out. It
// reports false if a decoder has read what cannot be.
func (m *model) event(e *Event) bool {
	sym := int32(symBack)
	if e.Op != Back {
		if sym = int32(e.Code) + symCode; e.Code == m.codes {
			sym = symNew
		}
	}
	top := &m.stack[len(m.stack)-1]
	sym = m.symbol(top, sym)
	if sym == symNew {
		sym = int32(m.codes) + symCode
		m.codes++
	}
	if sym == symBack {
		return m.back(e)
	}
	e.Code = int(sym) - symCode
	if e.Code >= m.codes || e.Code >= len(m.who) {
		return false
	}
	top.before, top.last = top.last, sym
	if top.first == none {
		top.first = sym
	}
	top.list = mix(top.list, uint64(sym))
	p, actor, now := m.step(top, sym)
	if e.Op == Fresh || m.tree {
		e.State = m.next
	}
	if !m.tree {
		e.State = m.target(top, sym, p, e.State)
	}
	if e.State == 0 || e.State > m.next || len(m.stack) > maxDepth {
		return false
	}
	m.edges.put(top.state, sym, e.State)
	m.sources.put(e.State, sym, top.state)
	m.named.put(e.State, predKey(m.nameOf(sym), top.state), top.state)
	m.remember(p, e.State)
	if e.Op = Seen; e.State == m.next {
		e.Op = Fresh
		m.next++
		m.stack = append(m.stack, level{state: e.State, in: sym, first: none, last: none, before: none, past: p, actor: actor, was: m.actors[actor]})
		m.actors[actor] = now
	}
	return m.next != 0
}

// back goes back to the parent.
func (m *model) back(e *Event) bool {
	if len(m.stack) == 1 {
		return false
	}
	top := m.stack[len(m.stack)-1]
	m.stack = m.stack[:len(m.stack)-1]
	m.actors[top.actor] = top.was
	*e = Event{Op: Back, State: m.stack[len(m.stack)-1].state}
	return true
}

const (
	contexts      = 5
	plainContexts = 64
)

// symbol codes what comes next in a state.
func (m *model) symbol(top *level, sym int32) int32 {
	var ctx [contexts]uint64
	var parent level
	if n := len(m.stack); n > 1 {
		parent = m.stack[n-2]
	}
	ctx[0] = mix(mix(1, uint64(top.in)), uint64(top.last))
	ctx[1] = mix(mix(2, uint64(top.in)), top.list)
	ctx[2] = mix(mix(mix(3, uint64(top.in)), top.list), parent.list)
	ctx[3] = mix(mix(4, top.past[0]), uint64(top.last))
	ctx[4] = mix(mix(5, top.past[1]), uint64(top.last))
	var slots [contexts]*guess
	for i := range ctx {
		slots[i] = &m.guess[ctx[i]>>(64-guessBits)]
	}
	beside := m.beside(top)
	coded := int32(none)
	var tried [contexts + 1]int32
	n := 0
	for coded == none {
		best, votes := int32(none), 0
		for i := contexts - 1; i >= 0; i-- {
			if slots[i].sure > 0 && !in(tried[:n], slots[i].sym) && best == none {
				best = slots[i].sym
			}
			if i == 3 && best == none && beside != none && !in(tried[:n], beside) {
				best = beside
			}
		}
		if best == none {
			break
		}
		for i := range slots {
			votes *= 4
			if slots[i].sure > 0 {
				votes++
				if slots[i].sym == best {
					votes += 1 + below(2, int(slots[i].sure))
				}
			}
		}
		votes *= 3
		if beside != none {
			votes++
			if beside == best {
				votes++
			}
		}
		p := &m.hit[min(n, 3)*(3<<(2*contexts))+votes]
		if m.c.bit(p, differ(uint32(best), uint32(sym))) == 0 {
			coded = best
		}
		tried[n] = best
		n++
	}
	if coded == none {
		ctx := int(uint32(top.last)%plainContexts) * numberProbs
		coded = int32(m.c.number(m.plain[ctx:ctx+numberProbs], uint32(sym)) & 0x3fffffff)
	}
	learned := coded
	if coded == symNew {
		learned = int32(m.codes) + symCode
	}
	for _, g := range slots {
		switch {
		case g.sure > 0 && g.sym == learned:
			g.sure = min(g.sure+1, 200)
		case g.sure > 3:
			g.sure = 2
		default:
			*g = guess{learned, 1}
		}
	}
	m.after.put(top.state, top.last, uint32(learned))
	return coded
}

// beside returns what came next in the state that the last symbol led to, after
// the steps of its actor: what others can do there they can mostly do here.
func (m *model) beside(top *level) int32 {
	if top.last == none {
		return none
	}
	c, ok := m.edges.get(top.state, top.last)
	if !ok {
		return none
	}
	actor := m.actorOf(top.last)
	at := int32(none)
	for range 64 {
		v, ok := m.after.get(c, at)
		if !ok {
			return none
		}
		at = int32(v)
		if at == symBack || m.actorOf(at) > actor {
			return at
		}
	}
	return none
}

func in(list []int32, x int32) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}
