package vm

import (
	"math/bits"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/mem"
)

// AppendKey appends the canonical encoding of the current state of a machine that
// drives itself to dst: two states with equal keys behave alike. Goroutines come in the order of their
// numbers, each with its frames, live registers, deferred calls and panics;
// then the heap as far as it can be reached or differs from the base image.
func (m *Machine) AppendKey(dst []byte) []byte {
	m.encode()
	return m.canon.Finish(dst)
}

// Fingerprint is the 128-bit hash of the key.
func (m *Machine) Fingerprint() mem.Fingerprint {
	m.encode()
	return m.canon.FinishFingerprint()
}

func (m *Machine) encode() {
	c := &m.canon
	c.Begin(m.Heap)
	if m.exit != nil {
		c.Word(uint64(m.exit.Kind)<<32 | uint64(uint32(m.exit.Code)))
	}
	c.Word(uint64(m.state.Now))
	for _, g := range m.sched.gs {
		if g.status == gDead {
			continue
		}
		c.Word(uint64(g.ID)<<8 | uint64(g.status))
		if g.status == gWaiting {
			c.Word(uint64(g.wait.Wake))
		}
		m.EncodeG(c, g)
	}
	c.Ptr(m.state.Timers)
	m.EncodeSpecials(c, true)
}

// EncodeG tells a goroutine: what it waits for in a native, its frames, live
// registers, deferred calls and panics. Its number, its status and how long it
// waits are left to the caller.
func (m *Machine) EncodeG(c *mem.Canon, g *G) {
	if g.cases != nil {
		c.Word(uint64(g.chosen)<<1 | b2u(g.chosenR))
	}
	if w := &g.wait; w.parked != 0 { // a native waits or has just waited: for what, and whether it knows
		c.Word(uint64(w.parked)<<1 | b2u(w.woken))
		c.Word(mem.HashBytes(unsafe.Slice(unsafe.StringData(w.Reason), len(w.Reason))))
		c.Ptr(w.Obj)
	}
	if c.Ptr(g.atEnd); g.atEnd != 0 {
		c.Word(uint64(g.serves))
	}
	c.Word(b2u(g.member != member{})<<63 | uint64(g.depth)<<32 | uint64(len(g.defers))<<16 | uint64(len(g.panics)))
	if g.member != (member{}) {
		c.Word(uint64(g.member.bubble)<<1 | b2u(g.member.main))
	}
	for i := range g.frames[:g.depth] {
		fr := &g.frames[i]
		c.Word(uint64(uint32(fr.fn))<<32 | uint64(uint32(fr.pc)))
		c.Word(uint64(fr.flags)<<56 | uint64(fr.kind)<<48 | uint64(fr.cont)<<32 | uint64(uint32(fr.defers)))
		words, mp := g.stack[fr.base:], m.LiveMap(fr)
		addresses := m.Addresses(fr)
		for j, b := range mp.Live {
			ptrs := mp.Ptrs[j]
			for ; b != 0; b &= b - 1 {
				k := bits.TrailingZeros64(b)
				switch w := words[j*64+k]; {
				case addresses && isMoment(w):
					c.Word(Moment) // see momentOf
				case ptrs>>k&1 != 0 || addresses && m.IsAddress(w):
					c.Ptr(mem.Ptr(w))
				default:
					c.Word(w)
				}
			}
		}
	}
	for i := range g.defers {
		d := &g.defers[i]
		c.Word(uint64(uint32(d.fn))<<32 | uint64(uint32(d.frame)))
		if d.fn < 0 {
			continue
		}
		ptrs := m.paramMap(&m.funcs[d.fn]).Ptrs
		for k, w := range g.deferArgs[d.args : d.args+d.n] {
			if k/64 < len(ptrs) && ptrs[k/64]>>(k%64)&1 != 0 {
				c.Ptr(mem.Ptr(w))
			} else {
				c.Word(w)
			}
		}
	}
	for i := range g.panics {
		p := &g.panics[i]
		c.Ptr(p.typ)
		c.Ptr(p.data)
		c.Word(uint64(uint32(p.depth))<<32 | uint64(uint32(p.dframe))<<3 | b2u(p.goexit)<<2 | b2u(p.recovered)<<1 | b2u(p.aborted))
	}
}
