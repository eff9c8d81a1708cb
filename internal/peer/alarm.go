//go:build linux

package peer

import (
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/fixed"
	"github.com/heddle-mc/heddle/internal/intercept"
)

// Timers that send a signal, or make a descriptor readable, cannot be seen in what a thread does: it waits for input, without
// a limit. So the calls that set them are watched. Limits of the time that a call on a socket may take are no timers, but hidden in the same way.

// alarms are the calls that set timers and such limits.
var alarms = append([]intercept.Want{
	{Call: unix.SYS_SETSOCKOPT, Arg: 2, Values: []uint32{unix.SO_RCVTIMEO, unix.SO_SNDTIMEO}},
}, fixed.TimerCalls...)

// An alarm is a timer that was set. The call is told before it is done, and on a busy machine the process may have to wait for a
// processor in between: how long the timer has run is known only from a moment on at which the process has waited for something else.
type alarm struct {
	fixed.Setting
	told  time.Time // when it was about to be set
	since time.Time // when it was set, at the latest; zero if that is not known yet
}

// alarmed are the timers of all peers.
type alarmed struct {
	timers  map[alarmID]alarm
	limited map[int]bool // processes with limits for calls on sockets
}

// An alarmID is which timer of which process.
type alarmID struct {
	pid int
	id  fixed.TimerID
}

// noteAlarm notes that a process is about to set a timer, or a limit.
func (g *Group) noteAlarm(c *intercept.Call) {
	pid, _ := c.Process()
	g.mu.Lock()
	defer g.mu.Unlock()
	if c.Number == unix.SYS_SETSOCKOPT {
		if c.Args[1] == unix.SOL_SOCKET {
			g.alarmed.limited[pid] = true
		}
		return
	}
	if s, ok := fixed.SettingOf(c); ok {
		g.alarmed.timers[alarmID{pid, s.ID}] = alarm{Setting: s, told: time.Now()}
	}
}

// timers returns the timers of a run that are not too long to be waited for, have not gone off, and are no habits.
func (r *run) timers(patience time.Duration, h *habits) (list []timer) {
	r.g.mu.Lock()
	none := len(r.g.alarmed.timers) == 0
	r.g.mu.Unlock()
	if none || patience == 0 {
		return nil
	}
	members := r.members()
	r.g.mu.Lock()
	defer r.g.mu.Unlock()
	for id, a := range r.g.alarmed.timers {
		if a.Length == 0 || a.over(time.Now()) || !slices.Contains(members, id.pid) {
			continue
		}
		length := max(a.Length, a.Every)
		if key := (habit{"timer", int64(id.id.Call)}); length <= patience && (h == nil || !h.knows(key, length)) {
			list = append(list, timer{key, length})
		}
	}
	return list
}

// over reports whether a timer has gone off, and does not do so again.
func (a *alarm) over(now time.Time) bool {
	return a.Every == 0 && !a.since.IsZero() && now.Sub(a.since) > a.Length+lateAlarm
}

// asleep notes that the threads of a sample all waited at a moment: what they were about to set before is set.
func (g *Group) asleep(s sample, at time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for id, a := range g.alarmed.timers {
		if a.since.IsZero() && a.told.Before(at) && slices.ContainsFunc(s, func(t thread) bool { return t.pid == id.pid }) {
			a.since = at
			g.alarmed.timers[id] = a
		}
	}
}

// lateAlarm is how long after its time a timer may still wake somebody: virtual machines have to wait for a processor.
const lateAlarm = 20 * time.Millisecond

// limited reports whether calls on sockets of the run may end by themselves.
func (r *run) limited() bool {
	members := r.members()
	r.g.mu.Lock()
	defer r.g.mu.Unlock()
	return slices.ContainsFunc(members, func(pid int) bool { return r.g.alarmed.limited[pid] })
}
