package execute

import (
	"fmt"

	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// CheckUndo runs a program that was not started yet to its end and back, and
// returns an error unless every step, undone and executed again, leads from the
// same state to the same state, and undoing all of them leads to the start. A
// step that is among the first many is executed twice, others once, so that a
// long run takes no more than twice its time. It is a test of the machine.
func CheckUndo(m *vm.Machine, many int) (*vm.Exit, error) {
	m.Start()
	m.Heap.Seal(nil)
	start := m.Mark()
	first := m.Fingerprint()
	at := first
	n := 0
	for ; m.Exit() == nil; n++ {
		if n >= many {
			m.Step()
			continue
		}
		mark := m.Mark()
		if m.Step(); m.Interrupted() {
			return m.Exit(), nil
		}
		to := m.Fingerprint()
		m.Restore(mark)
		if got := m.Fingerprint(); got != at {
			return nil, differ("step %d undone", n, got, at)
		}
		if m.Step(); m.Interrupted() {
			return m.Exit(), nil
		}
		if got := m.Fingerprint(); got != to {
			return nil, differ("step %d executed again", n, got, to)
		}
		at = to
	}
	exit := m.Exit()
	m.Restore(start)
	if got := m.Fingerprint(); got != first {
		return nil, differ("all %d steps undone", n, got, first)
	}
	return exit, nil
}

func differ(what string, n int, got, want mem.Fingerprint) error {
	return fmt.Errorf(what+": got fingerprint %016x%016x, want %016x%016x", n, got.Hi, got.Lo, want.Hi, want.Lo)
}
