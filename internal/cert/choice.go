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

// choose codes the choice of the state on top, before its first event, in the contexts of
// its way and of the last events, and in some of what was chosen there.
func (m *model) choose(ctx [contexts]uint64, c *Choice) {
	n := len(m.stack)
	top := &m.stack[n-1]
	var parent level
	if n > 1 {
		parent = m.stack[n-2]
	}
	in, path := uint64(top.in), uint64(parent.path)
	ctx[0] = mix(mix(uint64(m.leftPath[n-1]&0xf), path&0xf), in<<8)
	ctx[1] = mix(mix(uint64(parent.last), in<<8|path&1), 1)
	ctx[2] = mix(mix(m.chosen&0xff, path&1), 2)
	ctx[3] = mix(mix(path&0xffff, in), 3)
	b := int(*c)
	if *c == Either {
		b = likely
	}
	b = m.mixer.bit(choiceQuestion, &ctx, 3, b)
	top.asked = true
	top.path = uint16(path<<1 | uint64(b))
	m.chosen = m.chosen<<1 | uint64(b)
	*c = Choice(b)
}
