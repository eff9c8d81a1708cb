//go:build linux

package fixed

import (
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/intercept"
)

// A timer goes off by itself: it sends a signal, or a descriptor can be read from. It goes by the clock of the kernel, and
// when it has gone off the calendar has to show that.
type timer struct {
	Setting
	since time.Time
	from  int64         // the date when it was set
	due   time.Duration // how much later it goes off, on the calendar
}

// A TimerID is which timer of a process.
type TimerID struct {
	Call   int32
	Number uint64
}

// A Setting is what a timer is set to.
type Setting struct {
	ID     TimerID
	Length time.Duration // until it goes off; 0 if it is stopped
	Every  time.Duration // again and again, if it is not 0
}

// TimerCalls are the calls that set timers.
var TimerCalls = append([]intercept.Want{
	{Call: unix.SYS_SETITIMER, Arg: 0, Values: []uint32{unix.ITIMER_REAL}}, {Call: unix.SYS_TIMER_SETTIME}, {Call: unix.SYS_TIMERFD_SETTIME},
}, oldTimers...)

// SettingOf returns what one of TimerCalls does. It is not ok if that cannot be read.
func SettingOf(c *intercept.Call) (s Setting, ok bool) {
	s.ID = TimerID{c.Number, c.Args[0]}
	switch c.Number {
	case sysAlarm: // is another way to set the same timer
		s.ID, s.Length = TimerID{unix.SYS_SETITIMER, unix.ITIMER_REAL}, time.Duration(uint32(c.Args[0]))*time.Second
		return s, true
	case unix.SYS_SETITIMER:
		s.Length, s.Every, ok = interval(c, c.Args[1], time.Microsecond)
		return s, ok
	}
	s.Length, s.Every, ok = interval(c, c.Args[2], 1)
	if ok && s.Length > 0 && c.Args[1]&unix.TFD_TIMER_ABSTIME != 0 {
		s.Length = max(1, time.Duration(until(c, clockOf(c), int64(s.Length))))
	}
	return s, ok
}

// set notes a timer that is set, or stopped.
func (p *process) set(c *intercept.Call) {
	from, since := p.clock.now(), time.Now() // before a date is changed
	date, ends := int64(0), c.Number != unix.SYS_SETITIMER && c.Number != sysAlarm && c.Args[1]&unix.TFD_TIMER_ABSTIME != 0
	if ends && clockOf(c) == unix.CLOCK_REALTIME {
		if value, _, ok := interval(c, c.Args[2], 1); ok && value > 0 {
			date, _ = p.wake(c, c.Args[2]+16) // behind the interval
		}
	}
	s, ok := SettingOf(c)
	due := s.Length
	switch {
	case date > 0:
		s.Length = time.Duration(max(1, date-from))
		due = s.Length
	case ends:
		since, due = c.To, meant(c, s.Length)
	}
	delete(p.timers, s.ID)
	if ok && s.Length > 0 {
		p.timers[s.ID] = timer{s, since, from, due}
	}
}

// interval reads an interval and the time of a timer, each in two words.
func interval(c *intercept.Call, at uint64, unit time.Duration) (length, every time.Duration, ok bool) {
	var b [32]byte
	if at == 0 || !c.Read(at, b[:]) {
		return 0, 0, false
	}
	word := func(i int) time.Duration { return time.Duration(binary.NativeEndian.Uint64(b[8*i:])) }
	return word(2)*time.Second + word(3)*unit, word(0)*time.Second + word(1)*unit, true
}

// clockOf returns by which clock a timer goes.
func clockOf(c *intercept.Call) int32 {
	thread := strconv.Itoa(c.Thread)
	name, key := "/proc/"+thread+"/timers", "ClockID:"
	mine := c.Number == unix.SYS_TIMERFD_SETTIME
	if mine {
		name, key = fmt.Sprintf("/proc/%s/fdinfo/%d", thread, int32(c.Args[0])), "clockid:"
	}
	data, _ := os.ReadFile(name)
	for line := range strings.Lines(string(data)) {
		if id, ok := strings.CutPrefix(line, "ID:"); ok {
			mine = strings.TrimSpace(id) == strconv.Itoa(int(int32(c.Args[0])))
		}
		if value, ok := strings.CutPrefix(line, key); ok && mine {
			n, _ := strconv.Atoi(strings.TrimSpace(value))
			return int32(n)
		}
	}
	return unix.CLOCK_MONOTONIC
}

// expire moves the calendar to where timers have gone off.
func (p *process) expire() {
	for id, t := range p.timers {
		elapsed := time.Since(t.since)
		if elapsed < t.Length {
			continue
		}
		again := time.Duration(0)
		if t.Every > 0 {
			again = (elapsed - t.Length) / t.Every * t.Every
		}
		p.owed = max(p.owed, t.from+int64(t.due+again))
		p.next(id, again)
	}
}

// rebase leaves out of timers that go off again and again how often they did.
func (p *process) rebase() {
	for id, t := range p.timers {
		if elapsed := time.Since(t.since); t.Every > 0 && elapsed >= t.Length {
			p.next(id, (elapsed-t.Length)/t.Every*t.Every)
			t = p.timers[id]
			t.from = p.clock.now()
			p.timers[id] = t
		}
	}
}

// next is for a timer that has gone off, and perhaps again for some time.
func (p *process) next(id TimerID, again time.Duration) {
	t := p.timers[id]
	if t.Every == 0 {
		delete(p.timers, id)
		return
	}
	t.since, t.from = t.since.Add(t.Length+again), t.from+int64(t.due+again)
	t.Length, t.due = t.Every, t.Every
	p.timers[id] = t
}
