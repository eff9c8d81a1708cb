package drive

import (
	"slices"
	"time"

	"github.com/heddle-mc/heddle/internal/effect"
)

// A program that looks at the clock twice sees that time has passed. So the clock moves when a goroutine looks at
// it that has done so before at the same moment: by a microsecond at first, and twice as much each
// time, so that who waits for a moment by looking at the clock again and again comes to it soon. If it sends or receives
// something in between, or takes a lock and so may change what others see, it does not wait so, and begins with a microsecond again: a test
// that uses a cache fifty times is not over a year later.
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
// that -ticks sets.

const (
	firstLook  = int64(time.Microsecond) // by how much the clock moves for the second look
	trifles    = 8                       // so many looks in a row make nobody late
	maxGlances = 16                      // so many glances do not move the clock
	manyLooks  = 45                      // more than a year: it does not get longer then
	heldLook   = 1000                    // a look counts for so many calls if time cannot pass, so that a loop of them does not take long
	UsualTicks = 64                      // how often the clock may move on a path once the program has seen it
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
	if m.Bounded() && (g.looks <= trifles || m.othersRun(g)) {
		if g.looks > trifles {
			d = max(0, min(d, m.opts.Late.most()-m.checked.late))
		}
		m.checked.late += d
	}
	g.looks = min(g.looks+1, manyLooks)
	if d == 0 { // others go on first
		m.SetFuel(m.FuelLeft() - heldLook)
		m.LookUp(stopSlice)
		return
	}
	m.MoveClock(m.Now() + d)
	m.clockMoved = true
	m.noticeOnce(effect.Token{Kind: effect.Clock})
	m.forgetLooks(g)
	m.countTick()
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
	f := m.looker(g)
	return f != nil && f.library && slices.Contains(networking, f.f.Pkg)
}

// goesOn notes that a goroutine does more than to look at the clock: it sends or receives something, or takes a lock.
func (g *G) goesOn(m *Machine) {
	if g.looks > 1 {
		m.save(g)
		g.looks = 1
	}
}

// locks notes that a goroutine takes a lock. What the standard library does so for itself, as to write a line of a log, is no work of the program's.
func (m *Machine) locks(g *G) {
	if g.looks <= 1 {
		return
	}
	if f := m.locker(g); f != nil && !f.library {
		g.goesOn(m)
	}
}

// forgetLooks notes that the clock has moved: nobody has looked at it yet, but for who has moved it.
func (m *Machine) forgetLooks(who *G) {
	for _, g := range m.gs {
		if g != who && g.looks > 0 || g.glances > 0 {
			m.save(g)
			g.glances = 0
			if g != who {
				g.looks = 0
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
func (m *Machine) countTick() {
	if !m.checked.observed || m.opts.Ticks == 0 {
		return
	}
	if m.checked.ticks++; m.checked.ticks > m.opts.Ticks {
		m.checked.pruned = true
		m.Meet(MetTicks)
		m.LookUp(0) // the step ends
	}
}
