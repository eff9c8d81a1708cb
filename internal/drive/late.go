package drive

import (
	"fmt"
	"math"
	"time"
)

// Time passes when all goroutines wait: then the clock moves to the next alarm. It may also pass while
// somebody can run, as on a machine that is busy, but not for long: between two moments at which all wait,
// the clock moves by no more than the lateness that is allowed. So a timer of five
// seconds, which nobody is ever kept waiting for, fires when all wait, and one of 20 ms races with those who
// can run.
//
//	all wait                                             all wait
//	──┬──────────────────────────────────────────────────┬──── time
//	  │◄── late: at most 100 ms while somebody can run ──►│
//
// How much time has passed so belongs to the state. A program that goes around in circles never
// comes to a moment at which all wait, and its clock would stand still forever. See Views.Rests for those.

// A Lateness is for how long somebody who can run may be kept waiting, in nanoseconds.
type Lateness int64

// Some of them. The zero Lateness is the usual one.
const (
	UsualLateness Lateness = Lateness(100 * time.Millisecond)
	Punctual      Lateness = -1 // the clock moves only when all wait
	Unbounded     Lateness = math.MaxInt64
)

// String returns it as ParseLateness reads it.
func (l Lateness) String() string {
	if l == Unbounded {
		return "inf"
	}
	return time.Duration(l.most()).String()
}

// ParseLateness reads a duration, or inf.
func ParseLateness(text string) (Lateness, error) {
	if text == "inf" {
		return Unbounded, nil
	}
	d, err := time.ParseDuration(text)
	switch {
	case err != nil || d < 0:
		return 0, fmt.Errorf("not a duration: say 100ms, 0 or inf")
	case d == 0:
		return Punctual, nil
	}
	return Lateness(d), nil
}

// Words say what is left out because of it, "" if nothing is.
func (l Lateness) Words() string {
	switch {
	case l == Unbounded:
		return ""
	case l.most() == 0:
		return "timers fire only when all goroutines wait"
	}
	return "nobody who can run waits longer than " + l.String()
}

// most is the largest time that may pass.
func (l Lateness) most() int64 {
	switch {
	case l == 0:
		return int64(UsualLateness)
	case l < 0:
		return 0
	}
	return int64(l)
}

// MayPass reports whether an alarm that is d away may go off while somebody, of whatever machine, can run. It goes off
// after its moment, never at it, so that one of 100 ms takes longer than a lateness of 100 ms.
func (m *Machine) MayPass(d int64) bool {
	most := m.opts.Late.most()
	return !m.opts.Views.Rests || most == int64(Unbounded) || d == 0 || d < most-m.checked.late
}

// sleepReason is why a goroutine waits that is in time.Sleep.
const sleepReason = "sleep"

// onlyWakes reports whether the next alarms are the ends of calls of time.Sleep, and nothing else.
func (m *Machine) onlyWakes() bool {
	when, only := m.nextWhen(), true
	m.eachAlarm(m.Timers(), func(a alarm) {
		only = only && (a.clock != 0 || a.when != when || a.g != nil && a.g.Wait().Reason == sleepReason)
	})
	return only
}

// Bounded reports whether there is a limit to how late somebody can be.
func (m *Machine) Bounded() bool { return m.opts.Views.Rests && m.opts.Late != Unbounded }

// pass notes that the clock is about to move by d, and whether somebody can run meanwhile. If not, whoever
// stands before an operation has arrived there, unless that may be late too.
func (m *Machine) pass(d int64, busy bool, who *G) {
	switch {
	case !m.Bounded():
	case busy || !m.opts.Views.Arrives && m.MayPass(d) && m.arriving(who):
		m.checked.late += d
	default:
		m.allArrived(who, 0)
		m.checked.late = 0
		if d > 0 && d >= m.opts.Late.most() && !m.opts.Views.Wakes { // so long that nobody is still on the way
			m.queueAll(0)
		}
	}
}

// arriving reports whether somebody but who stands before an operation on a channel without a buffer, and need
// not have arrived there.
func (m *Machine) arriving(who *G) bool {
	for _, g := range m.gs {
		if g == who || g.arrived || !g.Runnable() || g.ending || g.launch || g.unborn || g.spun || g.Completed() {
			continue
		}
		if o, ok := m.ChanOpOf(&g.G); ok {
			for i := range o.N {
				if ch, _ := o.At(i); ch != 0 && m.Heap.ChanAux(ch) == 0 && m.Heap.ChanCap(ch) == 0 {
					return true
				}
			}
		}
	}
	return false
}

// NextAlarm returns how far away the next moment is at which the clock does something, and whether there is one.
func (m *Machine) NextAlarm() (away int64, ok bool) {
	if m.Exit() != nil || m.checked.pruned || !m.anyAlarm() {
		return 0, false
	}
	when := m.nextWhen()
	return max(0, when-m.Counters().Now), when != noAlarm
}

// OthersRun says, before a step of the clock, whether somebody of another machine can run.
func (m *Machine) OthersRun(can bool) { m.elsewhere = can }

// Elapse moves the clock by d because that of another machine has moved, for an alarm that went off after a time.
func (m *Machine) Elapse(d, after int64, busy bool) {
	if m.Exit() != nil {
		return
	}
	m.MoveClock(m.Now() + d)
	m.pass(after, busy, nil)
	if d > 0 {
		m.forgetLooks(nil)
		m.countTick()
	}
	m.known, m.key.known = false, false
	m.order()
}

// holdBack holds the clock back in the current state.
func (m *Machine) holdBack() {
	m.held = true
	m.Meet(MetLate)
}

// Held reports whether the clock stands still in the current state only because somebody can run.
func (m *Machine) Held() bool {
	m.Steps()
	return m.held
}

// Runners returns who can run: a bit for each function that goroutines were started with, of which some share one.
func (m *Machine) Runners() (set uint64) {
	for _, st := range m.Steps() {
		if st.Who != ClockStep && !m.fromOutside(st.Who) {
			set |= m.gs[st.Who].bit()
		}
	}
	return set
}

// Moved returns who has moved in the last step, nobody if it was one of the clock.
func (m *Machine) Moved() (set uint64) {
	if m.ticked {
		return 0
	}
	for _, g := range m.movers {
		set |= g.bit()
	}
	if set == 0 {
		set = 1 // somebody has
	}
	return set
}

func (g *G) bit() uint64 { return 1 << (uint32(g.entry) % 64) }

// Circles notes that the clock can be held back forever.
func (m *Machine) Circles() { m.unfit.Rests = true }
