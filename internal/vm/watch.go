package vm

import "github.com/heddle-mc/heddle/internal/mem"

// A watch is a func() bool of the program that must be true after each step.
// Watches belong to the state: their func values are in a table in the heap.

// Watch adds a condition.
func (m *Machine) Watch(fv mem.Ptr) bool {
	st := &m.state.checked
	shape := m.Heap.AddShape(mem.Shape{Size: 8, Ptrs: []uint64{1}})
	p := m.allocNative(shape, uint64(st.nWatches+1)*8)
	if p == 0 {
		return false
	}
	m.Heap.Copy(p, st.watches, uint32(st.nWatches)*8)
	m.Heap.StorePtr(p+mem.Ptr(st.nWatches)*8, fv)
	m.Heap.Publish(p)
	st.watches = p
	st.nWatches++
	return true
}

// runWatches evaluates the conditions.
func (m *Machine) runWatches() {
	s := m.search
	s.observed = s.observed[:0]
	for i := range m.state.checked.nWatches {
		if m.exit != nil {
			return
		}
		s.mute++
		fv, _ := m.Heap.LoadPtr(m.state.checked.watches + mem.Ptr(i)*8)
		s.mute--
		s.watching = true
		g := m.Spawn(fv, nil, true)
		if g == nil {
			continue
		}
		done := m.runSystem(g)
		s.watching = false
		if !done {
			if m.exit == nil {
				m.unsupported(g, "a condition of package verify waits")
			}
			return
		}
		if g.stack[0]&1 == 0 {
			s.failed = append(s.failed, Failure{Kind: "invariant", Message: "a condition does not hold", Watch: fv})
		}
	}
}

// Fail notes that something is wrong. The program goes on.
func (c *NativeCall) Fail(kind, msg string) {
	s := c.M.search
	s.failed = append(s.failed, Failure{Kind: kind, Message: msg, Where: c.M.Places(c.G)})
}

// Prune ends the path: an assumption does not hold.
func (c *NativeCall) Prune() { c.M.state.checked.pruned = true }

// Atomic enters a section that nobody sees the inside of, or leaves it.
func (c *NativeCall) Atomic(enter bool) {
	if enter {
		c.G.atomic++
	} else {
		c.G.atomic--
	}
}
