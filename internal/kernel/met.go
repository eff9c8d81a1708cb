package kernel

import "github.com/heddle-mc/heddle/internal/kernel/sockets"

// A Met is what processes have met with in all the states that they were in. It is no part of the
// state, and does not go back with it.
type Met struct {
	sockets.Meetings
	asked  int  // for how many signals one has asked
	drew   bool // one has read random bytes
	system bool // one has read a file in which the host's kernel tells how it is
	wrote  bool // one has changed files
}

// Met returns what the process has met with.
func (k *Kernel) Met() *Met {
	return &Met{Meetings: k.Stack.Meetings(), asked: k.asked, drew: k.HasDrawn(), system: k.ToldOfHost(), wrote: k.Changed()}
}

// Add adds what another process has met with, or another worker.
func (m *Met) Add(o *Met) {
	m.Meetings.Add(&o.Meetings)
	m.asked = max(m.asked, o.asked)
	m.drew = m.drew || o.drew
	m.system = m.system || o.system
	m.wrote = m.wrote || o.wrote
}

// Asked reports whether a process has asked for signals, and whether for so many that only the usual ones come
// from outside.
func (m *Met) Asked() (some, all bool) { return m.asked > 0, m.asked >= many }

// Drew reports whether a process has read random bytes.
func (m *Met) Drew() bool { return m.drew }

// System reports whether one has read a file in which the host's kernel tells how it is.
func (m *Met) System() bool { return m.system }

// Wrote reports whether one has changed files.
func (m *Met) Wrote() bool { return m.wrote }
