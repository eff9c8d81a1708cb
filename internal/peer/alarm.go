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

// An alarm is a timer that was set.
type alarm struct {
	fixed.Setting
	since time.Time
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
		g.alarmed.timers[alarmID{pid, s.ID}] = alarm{s, time.Now()}
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
		over := a.Every == 0 && time.Since(a.since) > a.Length+lateAlarm
		if a.Length == 0 || over || !slices.Contains(members, id.pid) {
			continue
		}
		length := max(a.Length, a.Every)
		if key := (habit{"timer", int64(id.id.Call)}); length <= patience && (h == nil || !h.knows(key, length)) {
			list = append(list, timer{key, length})
		}
	}
	return list
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
