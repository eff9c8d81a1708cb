package vm

import "github.com/heddle-mc/heddle/internal/mem"

// collect frees the garbage of the heap. It runs at safepoints only, where every
// live register is in its frame's map.
func (m *Machine) collect() {
	m.gcRequested = false
	specials := m.Specials
	m.gcStats.last = m.Heap.Collect(func(visit func(mem.Ptr)) {
		for g := range m.driver.Goroutines {
			if g.status != gDead {
				m.VisitStack(g, visit)
			}
		}
		visit(m.state.Timers)
		visit(m.state.special.refs)
	}, specials)
	m.gcStats.cycles++
	m.driver.Noted(Collected, 0)
}

// gcStats are what runtime.MemStats tells of collections.
type gcStats struct {
	cycles uint64
	last   mem.Collection
}

// RequestGC makes a collection happen at the next safepoint.
func (m *Machine) RequestGC() {
	m.gcRequested = true
	m.pollSoon()
}

// Collections returns how many collections there were and what the last one
// left and freed.
func (m *Machine) Collections() (uint64, mem.Collection) { return m.gcStats.cycles, m.gcStats.last }

// Interrupt makes Run return soon. It may be called from any host goroutine.
func (m *Machine) Interrupt() { m.interrupted.Store(true) }

// Interrupted reports whether the run ended by Interrupt.
func (m *Machine) Interrupted() bool { return m.exit != nil && m.exit.Kind == ExitInterrupted }

// stopped ends the run if Interrupt was called.
func (m *Machine) stopped() bool {
	if !m.interrupted.Load() {
		return false
	}
	m.exit = &Exit{Kind: ExitInterrupted, Code: 3, Msg: "interrupted"}
	return true
}

// Close returns the machine's memory to the host.
func (m *Machine) Close() error { return m.Heap.Close() }
