package vm

// A Posture is how a goroutine stands in the code: its frames with their registers, and
// its deferred calls. Another goroutine can be made to stand so.
type Posture struct {
	stack     []uint64
	frames    []Frame
	defers    []Defer
	deferArgs []uint64
	room      int // of the whole stack
}

// Simple reports whether there is nothing to tell of what a goroutine does but its posture:
// it neither waits nor panics, and nobody waits for its end.
func (g *G) Simple() bool {
	return g.status == gRunnable && !g.system && g.wait == (Wait{}) && len(g.panics) == 0 &&
		g.cases == nil && !g.noWait && g.chosen == 0 && g.atEnd == 0
}

// PostureOf returns how g stands.
func (m *Machine) PostureOf(g *G) *Posture {
	return &Posture{
		stack:     append([]uint64(nil), g.stack[:m.usedStack(g)]...),
		frames:    append([]Frame(nil), g.frames[:g.depth]...),
		defers:    append([]Defer(nil), g.defers...),
		deferArgs: append([]uint64(nil), g.deferArgs...),
		room:      len(g.stack),
	}
}

// Assume makes g, which must have been saved, stand so.
func (g *G) Assume(p *Posture) {
	if len(g.stack) < p.room {
		g.stack = make([]uint64, p.room)
	}
	if len(g.frames) < len(p.frames) {
		g.frames = make([]Frame, 2*len(p.frames))
	}
	copy(g.stack, p.stack)
	g.depth = copy(g.frames, p.frames)
	g.defers = append(g.defers[:0], p.defers...)
	g.deferArgs = append(g.deferArgs[:0], p.deferArgs...)
}
