package drive

// A file that the program changes gets the time that it is then. Most programs never ask for it, and for those it would only make
// states differ: that is the view Untold, under which all such files have one time. It does not fit programs that are told
// the time of one: a path ends where that happens, since what would follow is not what the program does. Without it, whoever changes a file depends on the clock, as if it had looked at it; and whoever is told that a file
// has changed at this very moment moves the clock, so that what is changed later has another time. Who asks again and again
// for the time of a file that nobody changes comes back to a state.

// Untold reports whether nobody is taken to ask for the times of files that the program has changed.
func (m *Machine) Untold() bool { return m != nil && m.opts.Views.Untold }

// StampsFile notes that a file gets the time that it is now.
func (m *Machine) StampsFile() {
	if m == nil {
		return
	}
	m.clockRead = true
	if g := m.Current(); g != nil && !g.System() && !m.beforeMain(g) {
		m.checked.observed = true
	}
}

// KeepsFileTime notes that package os has the time of a file that the program has changed, in memory that the program can look into by
// reflection alone.
func (m *Machine) KeepsFileTime() {
	if m.Untold() && !m.met.Has(MetFileTimes) && m.comparesDeeply() {
		m.met |= MetFileTimes
	}
}

// comparesDeeply reports whether the program itself may call reflect.DeepEqual.
func (m *Machine) comparesDeeply() bool {
	if m.deep == nil {
		yes := OutsideLibrary(m.Prog, "reflect.DeepEqual")
		m.deep = &yes
	}
	return *m.deep
}

// TellsFileTime notes that the program is told the time of a file that it has changed, which may be just now. It reports false if that
// time is not known: the path ends there.
func (m *Machine) TellsFileTime(justNow bool) (known bool) {
	g := m.Current()
	switch {
	case m.Untold():
		m.unfit.Untold = true
		m.Prune()
		return false
	case g == nil || g.System() || m.beforeMain(g):
	case justNow:
		m.save(g)
		g.looks = max(g.looks, 1)
		m.lookAtClock(g)
	default:
		m.meetClock(g)
	}
	return true
}
