package cert

// A model predicts the events of a script. Encoder and decoder go through the
// same code with the same memory, so what is predicted well takes nearly no room.
//
// A script says of each state which of its steps lead to new states. The model
// asks of the state on top of the stack whether one more of its steps does, and
// then of each step in turn whether it is this one. It knows the shape of the
// tree so far: which steps were productive in this state, in those on the way to
// it, and in those that were left last.
type model struct {
	c     *coder
	mixer *mixer
	stack []level
	left  []uint64 // by depth: the shape of the state that was left last there
	prev  uint64   // shapes of the states that were left since the last new one
	count []prob   // numbers of transitions, by bits
}

// A level is a state on the stack of the search. A shape is a 1 and a bit for each
// step up to the last productive one, which is 1 if it is productive.
type level struct {
	shape uint64
	first uint64 // shape of the child that was left first, or 0
	last  uint64 // and of the one that was left last
	steps int32  // up to the last productive one
	in    int32  // which step of the parent led here, counted from 1
	fresh int32  // productive steps
	below int32  // states found below
}

func newModel(c *coder) *model {
	m := &model{c: c, mixer: newMixer(c), count: newProbs(2 * numberProbs)}
	m.push(0)
	return m
}

func (m *model) push(in int32) {
	m.stack = append(m.stack, level{shape: 1, in: in})
	if len(m.left) <= len(m.stack) {
		m.left = append(m.left, 0, 0)
	}
	m.prev = 0
}

// event codes an event: Fresh with its index, or Back. An encoder passes it in, a
// decoder gets it out. It reports false if a decoder has read what cannot be.
func (m *model) event(e *Event) bool {
	n := len(m.stack)
	top := &m.stack[n-1]
	var around [contexts]uint64
	m.look(&around)
	var ctx [contexts]uint64
	ask := func(what uint64) {
		for i := range ctx {
			ctx[i] = mix(mix(around[i], what), top.shape)
		}
		ctx[0] = what
	}
	ask(1)
	if m.mixer.bit(min(int(top.fresh), 7), &ctx, boolInt(e.Op == Fresh)) == 0 {
		*e = Event{Op: Back}
		m.back()
		return true
	}
	e.Op = Fresh
	for {
		ask(uint64(top.steps)<<8 | 2)
		hit := m.mixer.bit(8+min(int(top.steps), 7), &ctx, boolInt(e.Index == int(top.steps)))
		top.steps++
		top.shape = top.shape<<1 | uint64(hit)
		if hit == 1 {
			break
		}
		if top.steps > maxSteps || m.c.short > 8 {
			return false
		}
	}
	top.fresh++
	e.Index = int(top.steps) - 1
	m.push(top.steps)
	return n < maxDepth
}

// look hashes what the productive steps of the state on top may depend on.
func (m *model) look(ctx *[contexts]uint64) {
	var top, parent, before level
	n := len(m.stack)
	top = m.stack[n-1]
	if n > 1 {
		parent = m.stack[n-2]
	}
	if n > 2 {
		before = m.stack[n-3]
	}
	for i, h := range [contexts]uint64{
		2:  uint64(top.in),
		3:  parent.shape,
		4:  mix(parent.shape, before.shape),
		5:  top.last,
		6:  mix(parent.last, uint64(parent.fresh)),
		7:  mix(parent.first, parent.shape),
		8:  m.left[n-1],
		9:  mix(m.left[n], uint64(top.in)),
		10: mix(top.last, parent.shape),
		11: uint64(min(top.below, 8)),
		12: uint64(n),
		13: m.prev,
	} {
		ctx[i] = mix(h, uint64(i))
	}
}

// back leaves the state on top.
func (m *model) back() {
	n := len(m.stack) - 1
	top := m.stack[n]
	m.left[n] = top.shape
	m.prev = mix(m.prev, top.shape) & 0xffffff
	m.stack = m.stack[:n]
	if n == 0 {
		return
	}
	p := &m.stack[n-1]
	p.last = top.shape
	p.below = min(p.below+top.below+1, 1<<20)
	if p.first == 0 {
		p.first = top.shape
	}
}

// number codes a number of transitions.
func (m *model) number(n uint64) uint64 {
	hi := m.c.number(m.count[numberProbs:], uint32(n>>32))
	return uint64(hi)<<32 | uint64(m.c.number(m.count[:numberProbs], uint32(n)))
}
