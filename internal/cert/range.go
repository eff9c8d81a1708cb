package cert

import "math/bits"

// A coder is an adaptive binary range coder, as in LZMA. One method serves both
// directions, so that the model of writer and reader is one piece of code: an
// encoder writes the bit that it is given and returns it, a decoder returns the
// bit that it reads.
//
// A probability is that of a 0, in units of 2^-16, together with how often it was
// adapted: the first bits teach more than later ones.
type coder struct {
	decode bool
	low    uint64
	width  uint32
	code   uint32 // decoder
	cache  byte   // encoder: the byte that a carry may still change
	held   int64  // encoder: bytes not yet out, the cache and those of 0xff after it
	buf    []byte // encoder: output; decoder: what is left
	short  int    // decoder: bytes read beyond the end
}

// A prob is 16 bits of probability and 4 bits of experience.
type prob uint32

const (
	probBits  = 16
	probStart = prob(1<<(probBits-1)) << 4
	maxAge    = 6 // the slowest adaption is by 2^-6
)

func newProbs(n int) []prob {
	p := make([]prob, n)
	for i := range p {
		p[i] = probStart
	}
	return p
}

// begin starts a chunk of output, or of input.
func (c *coder) begin(input []byte) {
	c.low, c.width, c.code = 0, 1<<32-1, 0
	c.cache, c.held, c.short = 0, 1, 0
	c.buf = input
	if c.decode {
		for range 4 {
			c.code = c.code<<8 | uint32(c.next())
		}
	}
}

// next returns the next byte of input. Up to four zeros at the end of a chunk are not
// stored.
func (c *coder) next() byte {
	if len(c.buf) == 0 {
		c.short++
		return 0
	}
	b := c.buf[0]
	c.buf = c.buf[1:]
	return b
}

// finish ends a chunk of output and returns its bytes.
func (c *coder) finish() []byte {
	// Every number from low on that is less than low+width says the same. That with the
	// most zeros at its end takes least.
	for n := 32; n >= 0; n-- {
		if x := (c.low + 1<<n - 1) >> n << n; x < c.low+uint64(c.width) {
			c.low = x
			break
		}
	}
	for range 5 {
		c.shift()
	}
	out := c.buf[1:] // the first byte is the cache before anything was in it
	for n := 0; n < 4 && len(out) > 0 && out[len(out)-1] == 0; n++ {
		out = out[:len(out)-1]
	}
	return out
}

// shift moves the topmost byte of low to the output, unless a carry may still
// come.
func (c *coder) shift() {
	if c.low < 0xff000000 || c.low > 0xffffffff {
		carry, b := byte(c.low>>32), c.cache
		for ; c.held > 0; c.held-- {
			c.buf = append(c.buf, b+carry)
			b = 0xff
		}
		c.cache = byte(c.low >> 24)
	}
	c.held++
	c.low = c.low & 0x00ffffff << 8
}

// bit codes one bit with a probability and adapts it.
func (c *coder) bit(p *prob, b int) int {
	v, age := uint32(*p>>4), uint32(*p&15)
	b = c.fixed(clampProb(v), b)
	rate := min(age+1, maxAge)
	if b == 0 {
		v += (1<<probBits - v) >> rate
	} else {
		v -= v >> rate
	}
	*p = prob(min(v, 1<<probBits-1))<<4 | prob(min(age+1, 15))
	return b
}

// fixed codes one bit of which p is the probability of a 0. It adapts nothing.
func (c *coder) fixed(p uint32, b int) int {
	bound := (c.width >> probBits) * p
	if c.decode {
		b = boolInt(c.code >= bound)
	}
	if b == 0 {
		c.width = bound
	} else {
		if c.decode {
			c.code -= bound
		} else {
			c.low += uint64(bound)
		}
		c.width -= bound
	}
	for c.width < 1<<24 {
		c.width <<= 8
		if c.decode {
			c.code = c.code<<8 | uint32(c.next())
		} else {
			c.shift()
		}
	}
	return b
}

// clampProb keeps a probability away from certainty.
func clampProb(v uint32) uint32 { return min(max(v, 32), 1<<probBits-32) }

// number codes a number: its length in bits, then the bits, the topmost of them
// with probabilities of their own. It needs numberProbs probabilities.
func (c *coder) number(p []prob, x uint32) uint32 {
	want, length := bits.Len32(x), 0
	for length < 32 && c.bit(&p[length], below(length, want)) == 1 {
		length++
	}
	if length < 2 {
		return uint32(length)
	}
	out := uint32(1)
	for i := length - 2; i >= 0; i-- {
		half := probStart
		at := &half
		switch length - 2 - i {
		case 0:
			at = &p[33+3*length]
		case 1:
			at = &p[33+3*length+1+int(out&1)]
		}
		out = out<<1 | uint32(c.bit(at, int(x>>i&1)))
	}
	return out
}

const numberProbs = 33 * 4

func below(a, b int) int {
	if a < b {
		return 1
	}
	return 0
}
