package cert

// A mixer predicts bits. It looks them up in several contexts at once, each of which
// remembers how often it was followed by a 1, and weighs these opinions by how
// good they were so far. All arithmetic is in integers: writer and reader must
// agree on every machine.
type mixer struct {
	c     *coder
	slots []slot // of all contexts, by hashes
	bits  uint   // length of slots is 1<<bits
	fresh int    // slots that came into use since it has this length

	weights [][inputs]int32 // one set for each question
	// known is added to them: for each kind of question, by how many of the contexts of the
	// last events were met before.
	known [][inputs]int32
	in    [inputs]int32
	found [contexts]uint32 // which slots
}

// A slot is the probability of a 1 in units of 2^-16, how often it was adapted, and
// bits of the hash that it is for: whoever comes with others begins anew.
type slot struct {
	p     uint16
	n     uint8
	check uint8
}

const (
	firstPast = 6 // the first context of the last events
	contexts  = firstPast + len(pasts)
	inputs    = 2*contexts + 1
	questions = 17 // sets of weights
	slotBits  = 16 // at first
	maxSlots  = 22

	choiceQuestion = 16
	likely         = -1 // of a bit: an encoder writes what takes less room

	weightOne   = 1 << 16
	weightStart = weightOne / 6
	biasInput   = 128
)

func newMixer(c *coder) *mixer {
	m := &mixer{c: c, bits: slotBits, slots: make([]slot, 1<<slotBits), weights: make([][inputs]int32, questions)}
	m.known = make([][inputs]int32, 3*(len(pasts)+1))
	for i := range m.weights {
		for j := range contexts {
			m.weights[i][2*j] = weightStart
		}
	}
	return m
}

// bit codes a bit. The question chooses the weights, ctx are hashes of what the
// bit may depend on besides the question that is asked, what.
func (m *mixer) bit(question int, ctx *[contexts]uint64, what uint64, b int) int {
	if m.fresh > len(m.slots)/2 && m.bits < maxSlots {
		m.grow()
	}
	in, slots := &m.in, m.slots
	known := question / 8 * (len(pasts) + 1)
	shift := (64 - m.bits) & 63
	for i, h := range ctx {
		h = (h ^ what) * 0x9e3779b97f4a7c15
		at := h >> shift
		s := &slots[at]
		m.found[i] = uint32(at)
		x, y := int32(0), int32(0)
		if s.n > 0 && s.check == uint8(h>>32) {
			x = int32(stretched[s.p>>4])
			y = x * int32(min(s.n, 32)) >> 5
			if i >= firstPast {
				known++
			}
		} else {
			*s = slot{p: 1 << (probBits - 1), check: uint8(h >> 32)}
			m.fresh++
		}
		in[2*i], in[2*i+1] = x, y
	}
	in[2*contexts] = biasInput
	w, v := &m.weights[question], &m.known[known]
	dot := int64(0)
	for i, x := range in {
		dot += int64(x) * int64(w[i]+v[i])
	}
	p := squash(int32(max(min(dot>>16, stretchMax), -stretchMax)))
	if b == likely {
		b = boolInt(p >= 1<<(probBits-1))
	}
	b = m.c.fixed(1<<probBits-p, b)
	m.learn(w, v, int32(b)<<probBits-int32(p), b)
	return b
}

// learn adapts weights and contexts to what has come.
func (m *mixer) learn(w, v *[inputs]int32, err int32, b int) {
	if err > surprise || err < -surprise {
		e := int64(err) * weightRate
		for i, x := range &m.in {
			// 0.008 for each unit of input and of error; inputs are in units of 1/256.
			d := int32((int64(x)*e + 1<<19) >> 20)
			w[i] += d
			v[i] += d
		}
	}
	to := int32(b) << probBits
	slots := m.slots
	for _, at := range &m.found {
		s := &slots[at]
		if s.n < uint8(len(rates)-1) {
			s.n++
		}
		p := int32(s.p)
		p += (to - p) * rates[s.n] >> 15
		s.p = uint16(max(min(p, 1<<probBits-64), 64))
	}
}

// surprise is the error from which on weights are adapted: most bits are foretold so
// well that there is nothing to be learned from them, but it would take time.
const surprise = 1 << probBits / 128

// weightRate is 0.008 as learn needs it.
const weightRate = 32

// rates are how far the n-th bit moves a probability, in units of 2^-15 at most.
var rates = func() (r [24]int32) {
	for n := range r {
		r[n] = min(10*(1<<15)/(10*int32(max(n, 1))+2), 1<<15-1)
	}
	return r
}()

// grow makes room when many contexts are in use. What was learned is kept: two new
// places begin with what their old one knew.
func (m *mixer) grow() {
	m.fresh = 0
	m.bits++
	old := m.slots
	m.slots = make([]slot, 1<<m.bits)
	for i, s := range old {
		m.slots[2*i], m.slots[2*i+1] = s, s
	}
}

func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// The logistic function and its inverse, in integers: x is in units of 1/256, p
// in units of 2^-16. Between the points of the table they are straight lines.
const stretchMax = 2047

// points are 2^16/(1+exp(-i/2)) for i from -16 to 16.
var points = [...]int32{
	22, 36, 60, 98, 162, 267, 439, 720, 1179, 1921, 3108, 4971, 7812, 11954, 17625, 24743,
	32768, 40793, 47911, 53582, 57724, 60565, 62428, 63615, 64357, 64816, 65097, 65269, 65374, 65438, 65476, 65500, 65514,
}

func squash(x int32) uint32 {
	x += 2048
	i, f := x>>7, x&127
	return uint32(points[i] + (points[i+1]-points[i])*f>>7)
}

// stretched has the inverse of squash for p in units of 2^-12.
var stretched = func() (t [1 << 12]int16) {
	x := int32(-stretchMax)
	for p := range t {
		for x < stretchMax && squash(x) < uint32(p)<<4+8 {
			x++
		}
		t[p] = int16(x)
	}
	return t
}()
