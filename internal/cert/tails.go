package cert

// tails codes how many transitions the events Back of a block stand for, by how far that
// is from what is to be expected. A leaf, which is a state without productive steps, has
// more steps left than another state when it is left: so there are two expectations, which
// are adapted by what comes.
type tails struct {
	c      *coder
	leaves int64 // of the block
	others int64
	// What a state of either kind is expected to have, in units of 1/tailOne.
	perLeaf, perOther int64
	// off is how far it was from that on average, in units of 1/offOne.
	off    int64
	beyond []prob // of numbers that are larger than farOff
}

const (
	tailOne   = 1 << 10
	tailLeaf  = 2 * tailOne // at first
	tailOther = tailOne / 2
	tailOff   = 4 * offOne
	offOne    = 256
	farOff    = 40
	maxLesson = 1 << 24 // a difference of more teaches no more
)

func newTails(c *coder) tails {
	return tails{c: c, perLeaf: tailLeaf, perOther: tailOther, off: tailOff, beyond: newProbs(2 * numberProbs)}
}

// count counts an event Back of the block.
func (t *tails) count(leaf bool) {
	if leaf {
		t.leaves++
	} else {
		t.others++
	}
}

// code codes the transitions of the events that were counted, and begins a block.
func (t *tails) code(n uint64) uint64 {
	expected := t.perLeaf*t.leaves + t.perOther*t.others
	guess := uint64(max(expected+tailOne/2, 0)) / tailOne
	away := t.distance(max(n, guess) - min(n, guess))
	switch {
	case away > guess || away > 0 && t.c.fixed(1<<(probBits-1), boolInt(n < guess)) == 0:
		n = guess + away
	default:
		n = guess - away
	}
	t.learn(int64(min(n, maxLesson))*tailOne-expected, int64(min(away, maxLesson)))
	t.leaves, t.others = 0, 0
	return n
}

// distance codes how far a number is from the guess: in unary, where each step is as
// likely as it is if distances are so on average.
func (t *tails) distance(away uint64) uint64 {
	for i := uint64(0); i < farOff; i++ {
		off := t.off
		if i == 0 {
			off *= 2 // there are two numbers at each distance but the first
		}
		stop := uint32(offOne << probBits / (off + offOne))
		if t.c.fixed(clampProb(stop), boolInt(away > i)) == 0 {
			return i
		}
	}
	x := away - farOff
	hi := t.c.number(t.beyond[numberProbs:], uint32(x>>32))
	return farOff + (uint64(hi)<<32 | uint64(t.c.number(t.beyond[:numberProbs], uint32(x))))
}

// learn adapts what is expected by what has come.
func (t *tails) learn(err, away int64) {
	t.off = max(t.off+(offOne*away-t.off)/8, offOne/64)
	// A quarter of the difference, shared by how much each has to do with it.
	all := 4 * (t.leaves*t.leaves + t.others*t.others + 1)
	t.perLeaf += err * t.leaves / all
	t.perOther += err * t.others / all
}
