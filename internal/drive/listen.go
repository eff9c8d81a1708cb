package drive

import (
	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// A goroutine of the library may wait for somebody outside, as that of package os/signal waits for signals. That
// it waits is no fault, and whoever waits for what it does with them may go on. But it uses nothing
// else of the program, so that all others who are blocked are.

// listening is what is known of such a goroutine.
type listening struct {
	hearing  bool    // the program may have one
	listener int     // its place, -1 if there is none
	listened mem.Ptr // the variable that it uses, 0 if it will never go on
	variable string  // the name of the one that was looked up last
	place    mem.Ptr // where that is
}

// Hears reports whether somebody outside may always let a goroutine go on.
func (m *Machine) Hears() bool {
	m.findListener()
	return m.listened != 0
}

// Listener returns the goroutine that waits for somebody outside, nil if there is none.
func (m *Machine) Listener() *G {
	if m.findListener(); m.listener < 0 {
		return nil
	}
	return m.gs[m.listener]
}

// findListener finds it.
func (m *Machine) findListener() {
	m.listener, m.listened = -1, 0
	if !m.hearing {
		return
	}
	for i, g := range m.gs {
		c, op := m.StandsAtNative(g)
		if c == nil || op.Hears == nil {
			continue
		}
		m.listener = i
		if name := op.Hears(c); name != "" {
			m.listened = m.globalNamed(name)
		}
		return
	}
}

// globalNamed returns the place of a package variable, 0 if there is none of the name.
func (m *Machine) globalNamed(name string) mem.Ptr {
	if m.variable == name {
		return m.place
	}
	m.variable, m.place = name, 0
	for i := range m.Prog.Globals {
		if m.Prog.Globals[i].Name == name {
			m.place = mem.MakePtr(mem.ObjID(bytecode.GlobalBase+i), 0)
		}
	}
	return m.place
}
