package drive

import (
	"slices"
	"time"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/effect"
)

// A program that looks at the clock twice sees that time has passed. So the clock moves when a goroutine looks at
// it that has done so before at the same moment: by a microsecond at first, and twice as much each
// time. If it sends or receives something in between it begins with a microsecond again.
//
// All that a goroutine sees pass so, one look after the other, is as long as somebody may be late, and no longer: a test that uses a cache fifty
// times is not over a year later. Then the clock creeps, by a microsecond a look. But who looks at a clock that creeps again and again, while nobody
// else can run, waits for a moment: after many looks it comes to that soon, by twice as much each time.
//
// Each move is a new state, and all who know the time depend on it. So the first few times that a package of the network looks, for a deadline or
// for the date of a message, the clock stands still: a glance. Who waits for a moment by going around in such a package comes to it as well, and whoever looks
// after a glance sees another time than that did.
//
// Time that passes so while others can run is lateness, as any other (see late.go). A trifle always is, and always may pass: a
// time limit of 100 ms is one still if the clock was looked at to set it.
//
// Who has looked belongs to the state, and so does the time, once the program has got to know it. A loop that looks
// at the clock would go on to new states without end: it is followed up to a number of moves of the clock, the bound
// that -ticks sets. What multiplies states are moves that others can come before or after. A look while nobody else can
// run leads to one more state, so many of these count for one move: a test that makes ten thousand names from the time is followed to its end. So does the alarm of
// one who sleeps while all others wait.

const (
	firstLook  = int64(time.Microsecond) // by how much the clock moves for the second look
	trifles    = 8                       // so many looks in a row make nobody late
	maxGlances = 16                      // so many glances do not move the clock
	manyLooks  = 45                      // more than a year: it does not get longer then
	patience   = 1000                    // who has looked at a clock that creeps so often waits for a moment
	heldLook   = 1000                    // a look counts for so many calls if the clock creeps or stands still, so that a loop of them does not take long
	UsualTicks = 64                      // how often the clock may move on a path once the program has seen it
	loneLooks  = 256                     // so many looks while nobody else can run count for one move
	loneAlarms = 4                       // and so many alarms, if nobody can run and no other one is set: those of a ticker go on forever
)

// lookAtClock notes that a goroutine looks at the clock, and moves it if that has to be.
func (m *Machine) lookAtClock(g *G) {
	m.meetClock(g)
	m.mute++ // that the machine looks at timers is no access of the program's
	defer func() { m.mute-- }()
	m.save(g)
	if m.isGlance(g) && g.glances < maxGlances {
		g.glances++
		return
	}
	if g.looks == 0 && g.glances == 0 {
		g.looks = 1
		return
	}
	g.looks = max(g.looks, 1)
	d := firstLook << (g.looks - 1)
	if away, ok := m.NextAlarm(); ok {
		d = min(d, away)
	}
	creeps := false
	if m.Bounded() {
		switch most := m.opts.Late.most(); {
		case g.looks <= trifles:
			m.checked.late += d
		case m.othersRun(g):
			d = max(0, min(d, most-m.checked.late))
			m.checked.late += d
		case g.creeps < patience && firstLook<<g.looks > most:
			d, creeps = min(d, firstLook), true
		}
	}
	if d == 0 || creeps {
		m.SetFuel(m.FuelLeft() - heldLook)
		m.LookUp(stopSlice)
	}
	if d == 0 { // others go on first
		return
	}
	m.MoveClock(m.Now() + d)
	m.clockMoved = true
	m.noticeOnce(effect.Token{Kind: effect.Clock})
	m.forgetLooks(g)
	if creeps {
		g.creeps++
		return
	}
	g.looks = min(g.looks+1, manyLooks)
	if m.othersRun(g) {
		m.countTick()
	} else {
		m.countMoves(1)
	}
}

// LooksOutside notes that the goroutine that is running looks at the clock outside of its bubble.
func (m *Machine) LooksOutside() {
	if m != nil {
		m.lookAtClock(m.Current())
	}
}

// networking are the packages of the standard library that look at the clock for deadlines, and for the dates of what they send.
var networking = []string{"context", "crypto/tls", "crypto/x509", "internal/poll", "net", "net/http"}

// isGlance reports whether one of these packages looks at the clock.
func (m *Machine) isGlance(g *G) bool {
	f := m.looker(g, "time")
	return f != nil && f.library && slices.Contains(networking, f.f.Pkg)
}

// goesOn notes that a goroutine does more than to look at the clock: it sends or receives something.
func (g *G) goesOn(m *Machine) {
	if g.looks > 1 {
		m.save(g)
		g.looks, g.creeps = 1, 0
	}
}

// forgetLooks notes that the clock has moved: nobody has looked at it yet, but for who has moved it.
func (m *Machine) forgetLooks(who *G) {
	for _, g := range m.gs {
		if g != who && g.looks > 0 || g.glances > 0 {
			m.save(g)
			g.glances = 0
			if g != who {
				g.looks, g.creeps = 0, 0
			}
		}
	}
}

// othersRun reports whether somebody else than g, who is running, can run.
func (m *Machine) othersRun(g *G) bool {
	for i, o := range m.gs {
		if o != g && !o.ended() && m.canMove(i) && !m.fromOutside(i) {
			return true
		}
	}
	return false
}

// countTick notes that the clock has moved. A program that knows what time it is goes on to new states with each
// move: it is followed for so many.
func (m *Machine) countTick() { m.countMoves(loneLooks) }

// countMoves counts moves of the clock, by what a look counts while nobody else can run.
func (m *Machine) countMoves(n int) {
	if !m.checked.observed || m.opts.Ticks == 0 {
		return
	}
	if m.checked.ticks += n; (m.checked.ticks-1)/loneLooks >= m.opts.Ticks {
		m.checked.pruned = true
		m.Meet(MetTicks)
		if m.mayEnd() {
			m.Meet(MetCut)
		}
		m.LookUp(0) // the step ends
	}
}

// mayEnd reports whether main, or a test, may still come to its end: it has not, is not in a function that never returns, and
// does not leave the work to others forever, as a server's.
func (m *Machine) mayEnd() bool {
	i := slices.IndexFunc(m.gs, func(g *G) bool { return g.path == "" })
	if i < 0 {
		return false
	}
	g := m.gs[i]
	if m.opts.Test {
		return true
	}
	for i := range g.Frames() {
		if f := &m.funcs[g.Frames()[i].Func()]; !f.native && !slices.ContainsFunc(f.f.Code, returns) {
			return false
		}
	}
	if g == m.Current() {
		return true
	}
	if o, ok := m.ChanOpOf(&g.G); ok && o.Selects() && o.N == 0 {
		return false
	}
	return m.idleness(g) == Waits
}

// returns reports whether an instruction ends a function.
func returns(i bytecode.Instr) bool {
	return bytecode.OpRet <= i.Op && i.Op <= bytecode.OpRetn || i.Op == bytecode.OpPanic
}
