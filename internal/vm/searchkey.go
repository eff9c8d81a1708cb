package vm

import (
	"slices"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/mem"
)

// encodeSearched writes the key of a driven machine's state. Of a program that
// has ended only how it ended is left. The time is told only if the program
// knows it: otherwise only how far away things are.
func (m *Machine) encodeSearched(c *mem.Canon) {
	st := &m.state.checked
	if m.exit != nil {
		c.Word(1<<63 | uint64(m.exit.Kind)<<32 | uint64(uint32(m.exit.Code)))
		c.Word(textWord(m.exit.Msg))
		return
	}
	if st.pruned {
		c.Word(1 << 62)
		return
	}
	now := uint64(0)
	if st.observed {
		now = uint64(m.state.now)
	}
	c.Word(now<<2 | b2u(st.observed)<<1 | b2u(st.mainGone))
	c.Word(m.state.rng)
	for _, g := range m.gs {
		m.encodeG(c, g)
	}
	c.Word(uint64(m.state.numTimers))
	for _, id := range m.timersInOrder() {
		c.Ptr(id)
	}
	c.Ptr(st.watches)
	m.encodeSpecials(c)
	if h, ok := m.Rewind.(interface{ AppendKey([]byte) []byte }); ok {
		c.Host(h.AppendKey)
	}
}

// timersInOrder lists the timers that call functions, the next one first.
func (m *Machine) timersInOrder() []mem.Ptr {
	n := m.state.numTimers
	if n == 0 {
		return nil
	}
	list := make([]mem.Ptr, n)
	when := func(id mem.Ptr) int64 { return (*timer)(m.Heap.Peek(id, timerSize)).when }
	for i := range list {
		list[i] = *(*mem.Ptr)(m.Heap.Peek(m.state.timers+mem.Ptr(i)*8, 8))
	}
	slices.SortStableFunc(list, func(a, b mem.Ptr) int {
		if d := when(a) - when(b); d != 0 {
			return int(min(max(d, -1), 1))
		}
		return int(min(max(int64(a)-int64(b), -1), 1))
	})
	return list
}

func textWord(s string) uint64 {
	return mem.HashBytes(unsafe.Slice(unsafe.StringData(s), len(s)))
}

// encodeSearchedG tells what a search keeps of a goroutine.
func (m *Machine) encodeSearchedG(c *mem.Canon, g *G) {
	c.Word(uint64(len(g.path))<<32 | uint64(len(g.block))<<16 | uint64(uint8(g.atomic))<<8 |
		uint64(g.status)<<6 | b2u(g.arrived)<<5 | b2u(g.launch)<<4 | b2u(g.unborn)<<3 | b2u(g.spun)<<2 | b2u(g.ending)<<1 | b2u(g.noWait))
	c.Word(textWord(g.path))
	if g.status == gWaiting && g.wait.Wake != 0 {
		c.Word(uint64(g.wait.Wake - m.state.now))
	}
	for i := range g.block {
		a := &g.block[i]
		c.Ptr(mem.MakePtr(a.Obj, a.lo))
		c.Word(uint64(a.hi)<<1 | b2u(a.Write))
	}
}
