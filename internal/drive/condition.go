package drive

import (
	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// A watch is a func() bool of the program that must be true after each step or, if it is a
// promise, some time. Watches belong to the state: their func values are in a table in the heap.

// A Watched says what a watch is.
type Watched uint8

// The kinds of watches.
const (
	Invariant  Watched = iota // it must be true after each step
	Eventually                // of verify.Eventually: false as long as something is owed
	Leads                     // of verify.Leads: the same
)

// maxPromises bounds the number of watches if there are promises among them.
const maxPromises = 64

// promises tell which of the watches are promises, by bits, which of these come from
// verify.Leads, and what is owed in the current state.
type promises struct{ all, leads, owed uint64 }

// A Failure is something that the program itself says is wrong.
type Failure struct {
	Kind, Message string
	Where         []bytecode.Line // where the program says so, the innermost frame first
	Watch         mem.Ptr         // the condition that does not hold, if it is one
}

// Watch adds a condition.
func (m *Machine) Watch(g *vm.G, fv mem.Ptr, kind Watched) bool {
	st := &m.checked
	if m.alone() {
		m.endAlone() // it looks at what the goroutine does
	}
	if kind != Invariant {
		if st.nWatches >= maxPromises {
			m.Unsupported(g, "more than 64 conditions of package verify")
			return true
		}
		st.promises.all |= 1 << st.nWatches
		if kind == Leads {
			st.promises.leads |= 1 << st.nWatches
		}
	}
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
		promise := uint64(1) << i & m.checked.promises.all // no bit is that far to the left if there are more
		if m.ends && promise == 0 {
			continue
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
		holds := g.Result()&1 != 0
		switch {
		case promise != 0 && holds:
			m.checked.promises.owed &^= promise
		case promise != 0:
			m.checked.promises.owed |= promise
		case !holds:
			m.failed = append(m.failed, Failure{Kind: "invariant", Message: "a condition does not hold", Watch: fv})
		}
	}
}

// lastLook finds out which promises are kept in the moment in which the program ends.
func (m *Machine) lastLook() {
	exit := m.Exit()
	normal := exit.Kind == vm.ExitMain || exit.Kind == vm.ExitCall && exit.Code == 0
	if m.checked.promises.all == 0 || !normal || m.trying {
		return
	}
	m.SetExit(nil)
	m.ends = true
	m.runWatches()
	m.ends = false
	if m.Exit() == nil {
		m.SetExit(exit)
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
