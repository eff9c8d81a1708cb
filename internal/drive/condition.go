package drive

import (
	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// A watch is a func() bool of the program that must be true after each step.
// Watches belong to the state: their func values are in a table in the heap.

// A Failure is something that the program itself says is wrong.
type Failure struct {
	Kind, Message string
	Where         []bytecode.Line // where the program says so, the innermost frame first
	Watch         mem.Ptr         // the condition that does not hold, if it is one
}

// Watch adds a condition.
func (m *Machine) Watch(fv mem.Ptr) bool {
	st := &m.checked
	shape := m.Heap.AddShape(mem.Shape{Size: 8, Ptrs: []uint64{1}})
	p := m.AllocShape(shape, uint64(st.nWatches+1)*8)
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
	m.looked = m.looked[:0]
	for i := range m.checked.nWatches {
		if m.Exit() != nil {
			return
		}
		m.mute++
		fv, _ := m.Heap.LoadPtr(m.checked.watches + mem.Ptr(i)*8)
		m.mute--
		m.watching = true
		made := m.Spawn(fv, nil, true)
		if made == nil {
			continue
		}
		g := of(made)
		done := m.runSystem(g)
		m.watching = false
		if !done {
			if m.Exit() == nil {
				m.Unsupported(&g.G, "a condition of package verify waits")
			}
			return
		}
		if g.Result()&1 == 0 {
			m.failed = append(m.failed, Failure{Kind: "invariant", Message: "a condition does not hold", Watch: fv})
		}
	}
}

// Fail notes that something is wrong. The program goes on.
func (m *Machine) Fail(c *vm.NativeCall, kind, msg string) {
	m.failed = append(m.failed, Failure{Kind: kind, Message: msg, Where: m.Machine.Places(c.G)})
}

// Prune ends the path: an assumption does not hold.
func (m *Machine) Prune() { m.checked.pruned = true }

// Atomic makes g enter a section that nobody sees the inside of, or leave it.
func (m *Machine) Atomic(g *vm.G, enter bool) {
	if enter {
		of(g).atomic++
	} else {
		of(g).atomic--
	}
}
