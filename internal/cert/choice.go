package cert

// A Choice is which steps of a state are followed, where there is reduction. In most
// states reduction gains nothing: all steps are followed. Who examines a certificate is
// told so, and does not look for a set in vain, which takes longer than anything else.
// He need not believe it, since to follow all steps is never wrong.
type Choice uint8

// The choices.
const (
	Reduced Choice = iota // those of lts.Reducer
	All                   // all that are enabled
	Either                // there is no difference: a writer says what takes less room
)

// choose codes the choice of the state on top, before its first event.
func (m *model) choose(c *Choice) {
	n := len(m.stack)
	top := &m.stack[n-1]
	var parent, before level
	if n > 1 {
		parent = m.stack[n-2]
	}
	if n > 2 {
		before = m.stack[n-3]
	}
	in, path, left := uint64(top.in), parent.path, m.leftPath[n-1]
	ctx := [contexts]uint64{
		mix(mix(parent.shape, path&0xff), 0),
		mix(mix(path&0xf, uint64(parent.in)<<32|in), 1),
		mix(mix(left&0xf, path&0xf), in<<8|2),
		mix(mix(left&1, uint64(n)), 3),
		mix(mix(parent.last, in<<8|path&1), 4),
		mix(mix(m.chosen&0xff, path&1), 5),
		mix(mix(path&0xffff, in), 6),
		mix(mix(before.shape, parent.shape), 7|path&3<<8),
		mix(path&1, 8),
		mix(mix(path&3, uint64(n)), in<<8|9),
	}
	b := int(*c)
	if *c == Either {
		b = likely
	}
	b = m.mixer.bit(choiceQuestion, &ctx, 3, b)
	top.asked = true
	top.path = path<<1 | uint64(b)
	m.chosen = m.chosen<<1 | uint64(b)
	*c = Choice(b)
}
