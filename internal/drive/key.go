package drive

import (
	"encoding/binary"

	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// AppendKey appends the canonical encoding of the current state to dst: two
// states with equal keys behave alike.
func (m *Machine) AppendKey(dst []byte) []byte {
	if m.ended() {
		return m.appendEnd(dst)
	}
	return m.appendOutside(append(dst, m.currentKey().bytes...))
}

// AppendExactKey appends the key without digests.
func (m *Machine) AppendExactKey(dst []byte) []byte {
	exact := m.opts.Exact
	m.opts.Exact, m.key.known = true, false
	dst = m.AppendKey(dst)
	m.opts.Exact, m.key.known = exact, false
	m.effects.known = nil // the key that an effect changes is gone
	return dst
}

// AppendUntimedKey appends the key without how late somebody is and how often the clock has moved. Where nothing
// follows, these are all the same, and a reduced search moves the clock in fewer orders than a plain one.
func (m *Machine) AppendUntimedKey(dst []byte) []byte {
	late, ticks := m.checked.late, m.checked.ticks
	m.checked.late, m.checked.ticks, m.key.known = 0, 0, false
	dst = m.AppendKey(dst)
	m.checked.late, m.checked.ticks, m.key.known = late, ticks, false
	m.effects.known = nil // the key that an effect changes is gone
	return dst
}

// Fingerprint is the 128-bit hash of the key.
func (m *Machine) Fingerprint() mem.Fingerprint { return mem.FingerprintOf(m.AppendKey(nil)) }

// ended reports whether nothing follows: the program has ended, or an assumption
// does not hold.
func (m *Machine) ended() bool { return m.Exit() != nil || m.checked.pruned }

// appendEnd appends the key of such a state. Only how and where it ended is left
// of it: what was in memory nobody will see.
func (m *Machine) appendEnd(dst []byte) []byte {
	if m.Exit() != nil {
		dst = appendExit(append(dst, 1), m.Exit())
		if owed := m.checked.promises.owed; owed != 0 {
			dst = binary.LittleEndian.AppendUint64(dst, owed)
		}
		return dst
	}
	return append(dst, 0)
}

func appendExit(dst []byte, e *vm.Exit) []byte {
	dst = append(dst, byte(e.Kind))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(e.Code))
	for _, l := range e.Where {
		for _, n := range [...]int32{l.File, l.Line, l.Col} {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
		}
	}
	return append(dst, e.Msg...)
}

// encode writes the key of a driven machine's state. The time is told
// only if the program knows it: otherwise only how far away things are.
func (m *Machine) encode() {
	c := &m.canon
	c.Sums = !m.opts.Exact
	c.Begin(m.Heap)
	st := &m.checked
	now := uint64(0)
	if st.observed {
		now = uint64(m.Counters().Now)
	}
	c.Word(now<<3 | b2u(st.timed())<<2 | b2u(st.observed)<<1 | b2u(st.mainGone))
	if st.timed() {
		c.Word(uint64(st.late))
		c.Word(uint64(st.ticks))
	}
	c.Word(m.Counters().Rng)
	if m.opts.Random > 1 {
		c.Word(b2u(st.seeded))
	}
	c.Word(uint64(len(m.gs)))
	exact := m.opts.Exact
	var sum mem.Sum
	n := 0
	for _, g := range m.gs { // most are no more than their digests
		if g.plain && !exact {
			sum = sum.Add(g.sum())
			n++
		}
	}
	c.Word(sum.Hi)
	c.Word(sum.Lo)
	if n < len(m.gs) {
		for _, g := range m.gs {
			if g.unborn || g.plain && !exact {
				continue
			}
			m.tell(c, g)
			if g.launch {
				m.tellUnborn(c, g)
			}
		}
	}
	c.Word(uint64(m.Counters().NumTimers))
	for _, id := range m.timersInOrder() {
		c.Ptr(id)
	}
	c.Ptr(st.watches)
	m.EncodeSpecials(c, m.expects)
}

// A stateKey is the key of a state, but for what is outside of the machine.
type stateKey struct {
	known bool // it is that of the current state
	bytes []byte
	sumAt int // where the sum of changed base objects is
	tied  bool
}

// keptKey is how long a key may be that is kept with a mark. To tell a longer one again takes no longer than to tell
// that of a next state, and one for each state of a deep path takes more memory than all else.
const keptKey = 4 << 10

func (k *stateKey) copyFrom(o *stateKey) {
	if k.known = o.known && len(o.bytes) <= keptKey; k.known {
		k.bytes, k.sumAt = append(k.bytes[:0], o.bytes...), o.sumAt
		k.tied = o.tied
	}
}

// currentKey returns the key of the current state.
func (m *Machine) currentKey() *stateKey {
	k := &m.key
	if !k.known {
		m.encode()
		k.bytes = m.canon.Finish(k.bytes[:0])
		m.work += 2 * int64(len(m.canon.Found()))
		k.known, k.sumAt, k.tied = true, m.canon.SumAt(), m.tied()
	}
	return k
}

// countAt is where in a key the number of goroutines is, and behind it the sum of
// those that are no more than their digests.
func (m *Machine) countAt() int {
	at := 16
	if m.opts.Random > 1 {
		at += 8
	}
	if m.checked.timed() {
		at += 16
	}
	return at
}

// A keyed is state outside of the machine of which keys tell.
type keyed interface{ AppendKey(dst []byte) []byte }

// Rewinds says which state outside of the machine goes back with it from now on. Keys tell of
// it if it can.
func (m *Machine) Rewinds(r vm.Rewinder) {
	m.Rewind = r
	m.keyed, _ = r.(keyed)
}

// appendOutside appends what a key tells of the state outside of the machine.
func (m *Machine) appendOutside(dst []byte) []byte {
	if m.keyed != nil {
		at := len(dst)
		dst = m.keyed.AppendKey(dst)
		dst = binary.LittleEndian.AppendUint64(dst, uint64(len(dst)-at))
	}
	return dst
}

// tell tells a goroutine, by its digest if it may be. How far away the moment is
// at which the clock wakes it changes without it.
func (m *Machine) tell(c *mem.Canon, g *G) {
	if !g.known {
		m.digest(g)
	}
	if m.opts.Exact || g.part.Vague() {
		m.encodeGoroutine(c, g)
	} else {
		c.Part(&g.part)
	}
	if g.Waiting() {
		c.Word(uint64(m.away(g)))
	}
	if when, ok := m.MomentOf(&g.G); ok {
		c.Word(uint64(when - m.Counters().Now))
	}
}

// tellUnborn tells of those that g is about to start.
func (m *Machine) tellUnborn(c *mem.Canon, g *G) {
	for _, o := range m.gs {
		if o.unborn && o.Parent == g.ID {
			m.tell(c, o)
		}
	}
}

// encodeGoroutine tells a goroutine: what is kept of it, what the language has of it,
// and its block, which needs not lead to anything.
func (m *Machine) encodeGoroutine(c *mem.Canon, g *G) {
	m.encodeKept(c, g)
	m.EncodeG(c, &g.G)
	c.EndRoots()
	for i := range g.block {
		a := &g.block[i]
		c.Ptr(mem.MakePtr(a.Obj, a.lo))
		c.Word(uint64(a.hi)<<1 | b2u(a.Write))
	}
}

// encodeKept tells what a search keeps of a goroutine.
func (m *Machine) encodeKept(c *mem.Canon, g *G) {
	c.Word(uint64(g.receipt)<<40 | b2u(g.settled && len(g.block) > 0)<<39 | b2u(g.pinned)<<38 | b2u(g.looks|g.glances|g.solo > 0)<<37 | b2u(g.received)<<36 | b2u(g.advanced)<<35 | b2u(g.exit != nil)<<34 | b2u(g.path == "")<<33 | b2u(g.token|g.ticket != 0)<<32 | uint64(len(g.block))<<16 | uint64(uint8(g.atomic))<<8 |
		uint64(g.Status())<<6 | b2u(g.arrived)<<5 | b2u(g.launch)<<4 | b2u(g.unborn)<<3 | b2u(g.spun)<<2 | b2u(g.ending)<<1 | b2u(g.NoWait()))
	if g.spun {
		c.Word(uint64(g.spent))
	}
	if g.arrived {
		c.Word(uint64(g.queued)<<16 | uint64(g.decided))
	}
	if m.opts.Births {
		c.Word(mem.HashBytes([]byte(g.birth)))
		c.Word(uint64(g.births))
	}
	if g.token|g.ticket != 0 {
		c.Word(g.token<<32 | g.ticket)
	}
	if g.looks|g.glances|g.solo > 0 {
		c.Word(uint64(g.looks) | uint64(g.glances)<<8 | uint64(g.creeps)<<16 | uint64(g.solo)<<32)
	}
	if at, ok := m.startsLibrary(g); ok {
		c.Word(uint64(at.fn)<<32 | uint64(uint32(at.pc)))
	}
	if g.exit != nil {
		c.Word(mem.HashBytes(appendExit(nil, g.exit)))
	}
}

// timed reports whether a key tells of more than what time it is.
func (st *checkedState) timed() bool { return st.late != 0 || st.ticks != 0 }

// b2u is 1 for true.
func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
