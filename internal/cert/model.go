package cert

import "math/bits"

// A model predicts the events of a script. Encoder and decoder go through the
// same code with the same memory, so what is predicted well takes nearly no room.
//
// A script says of each state which of its steps lead to new states. The model
// asks of the state on top of the stack whether one more of its steps does, and
// then of each step in turn whether it is this one. It knows the shape of the
// tree so far: which steps were productive in this state, in those on the way to
// it, and in those that were left last; and it knows the last events, since steps
// that have nothing to do with each other make subtrees that are alike.
type model struct {
	c     *coder
	mixer *mixer
	stack []level
	left  []uint64 // by depth: the shape of the state that was left last there
	prev  uint64   // shapes of the states that were left since the last new one
	past  past
	tails tails
	turns uint64 // how the last steps on the way compare, see look

	begun    bool    // the first event is coded
	choices  bool    // the script has them, which it says itself
	chosen   uint64  // the last ones, a bit each
	leftPath []uint8 // by depth: the path of the state that was left last there
}

// A level is a state on the stack of the search. A shape is a 1 and a bit for each
// step up to the last productive one, which is 1 if it is productive.
type level struct {
	shape uint64
	steps int32  // up to the last productive one
	in    int32  // which step of the parent led here, counted from 1
	fresh int32  // productive steps
	path  uint16 // the last choices from the start on, a bit each; its own one is the last
	last  uint8  // choice of the child that was left last, and 2
	asked bool   // its choice is known
}

func newModel(c *coder) *model {
	m := &model{c: c, mixer: newMixer(c), tails: newTails(c)}
	m.push(0)
	return m
}

func (m *model) push(in int32) {
	m.stack = append(m.stack, level{shape: 1, in: in})
	if len(m.left) <= len(m.stack) {
		m.left = append(m.left, 0, 0)
		m.leftPath = append(m.leftPath, 0, 0)
	}
	m.prev = 0
}

// event codes an event: Fresh with its index, or Back. An encoder passes it in, a
// decoder gets it out. It returns how many steps of the state an event Fresh passes,
// with its own, and reports false if a decoder has read what cannot be.
func (m *model) event(e *Event) (passed uint32, ok bool) {
	n := len(m.stack)
	top := &m.stack[n-1]
	if !m.begun {
		m.begun = true
		m.choices = m.c.fixed(1<<(probBits-1), boolInt(m.choices)) == 1
	}
	var ctx [contexts]uint64
	m.look(&ctx)
	if m.choices && !top.asked {
		m.choose(ctx, &e.Choice)
	} else {
		e.Choice = Reduced
	}
	if m.bit(min(int(top.fresh), 7), &ctx, 1, boolInt(e.Op == Fresh)) == 0 {
		*e = Event{Op: Back, Choice: e.Choice}
		m.past.add(0, uint64(top.path&1))
		m.back()
		return 0, true
	}
	e.Op = Fresh
	before := top.steps
	for {
		hit := m.bit(8+min(int(top.steps), 7), &ctx, uint64(top.steps)<<8|2, boolInt(e.Index == int(top.steps)))
		top.steps++
		top.shape = top.shape<<1 | uint64(hit)
		if hit == 1 {
			break
		}
		if top.steps > maxSteps || m.c.short > 8 {
			return 0, false
		}
	}
	top.fresh++
	e.Index = int(top.steps) - 1
	passed = uint32(top.steps - before)
	m.past.add(uint64(top.steps), uint64(top.path&1))
	m.push(top.steps)
	return passed, n < maxDepth
}

// look hashes what the productive steps of the state on top may depend on: how deep it
// is, the way to it, and the last events.
func (m *model) look(ctx *[contexts]uint64) {
	n := len(m.stack)
	var parent level
	if n > 1 {
		parent = m.stack[n-2]
	}
	ctx[0] = mix(uint64(n), 0)
	way, last := uint64(0), uint64(0) // six steps, and two of them
	for i := 1; i <= min(n, 6); i++ {
		way = mix(way, uint64(m.stack[n-i].in)+1)
		if i <= 2 {
			last = way
		}
	}
	ctx[4] = mix(mix(last, m.left[n]), 4|uint64(parent.path)&1<<8)
	ctx[5] = mix(way, 5|uint64(parent.path)&31<<8)
	for i, h := range &m.past.hashes {
		ctx[firstPast+i] = mix(h, uint64(firstPast+i))
	}
	m.turns = turn(parent.in, m.stack[n-1].in) << 2
	if n > 2 {
		m.turns |= turn(m.stack[n-3].in, parent.in) << 5
	}
}

// bit asks a question about the state on top, in the contexts that look has found, which
// know all of its productive steps so far, and in three that do not. Two of these know no
// numbers of steps at all, but whether one comes before or after the one that led here,
// and what states that are like this one do next. So they have something to say from the
// beginning.
func (m *model) bit(question int, ctx *[contexts]uint64, what uint64, b int) int {
	n := len(m.stack)
	top := &m.stack[n-1]
	shape := mix(what|uint64(top.path)&1<<62, top.shape)
	parent, steps := level{}, int(top.steps)
	if n > 1 {
		parent = m.stack[n-2]
	}
	same := rest(m.left[n], steps, top.shape)
	next := first(same) | first(rest(parent.shape, steps, top.shape))<<2
	rough := what&3<<60 | m.turns<<16 | turn(top.in, top.steps+1)<<12 | uint64(top.path)&1<<11 | uint64(parent.path)&1<<10
	ctx[1] = mix(rough|uint64(min(top.fresh, 2))<<8|next, 1) ^ shape
	ctx[2] = mix(mix(m.prev, same), what&3<<8|2) ^ shape
	next |= first(rest(m.left[n-1], steps, top.shape)) << 4
	ctx[3] = mix(rough&^(7<<21)|uint64(min(top.fresh, 3))<<8|next, 3) ^ shape
	return m.mixer.bit(question, ctx, shape, b)
}

// turn compares two numbers of steps: how far the second is from the first, at most 2.
func turn(from, to int32) uint64 { return uint64(max(min(to-from, 2), -2) + 2) }

// back leaves the state on top.
func (m *model) back() {
	n := len(m.stack) - 1
	top := m.stack[n]
	m.left[n] = top.shape
	m.leftPath[n] = uint8(top.path)
	m.prev = mix(m.prev, top.shape) & 0xffffff
	m.tails.count(top.fresh == 0)
	m.stack = m.stack[:n]
	if n > 0 {
		m.stack[n-1].last = 2 | uint8(top.path&1)
	}
}

// first returns the first bit of what rest returns, and 2 if there is none.
func first(r uint64) uint64 {
	if r>>63 == 1 {
		return 2
	}
	r &^= 1 << 62
	return r >> (bits.Len64(r) - 2) & 1
}

// rest returns the bits of a shape after so many steps, with another bit if those
// before are the given ones: what a state like that one would do next. Of more bits
// than fit beside that one, it tells nothing.
func rest(shape uint64, steps int, prefix uint64) uint64 {
	l := bits.Len64(shape) - 1
	if l <= steps || l-steps > 61 {
		return 1<<63 | uint64(max(l, 0))&1
	}
	r := shape&(1<<(l-steps)-1) | 1<<(l-steps)
	if shape>>(l-steps) == prefix {
		r |= 1 << 62
	}
	return r
}
