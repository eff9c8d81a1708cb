//go:build linux

package peer

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/fixed"
)

// TestAlarmSet: how long a timer runs counts from when its process was seen to wait, not from when it was about to set the timer: on a busy
// machine there may be any time in between.
func TestAlarmSet(t *testing.T) {
	const length = 100 * time.Millisecond
	start := time.Now()
	late := func(d time.Duration) time.Time { return start.Add(length + lateAlarm + d) }
	id := alarmID{1, fixed.TimerID{Call: unix.SYS_SETITIMER}}
	g := &Group{alarmed: alarmed{timers: map[alarmID]alarm{id: {Setting: fixed.Setting{ID: id.id, Length: length}, told: start}}}}
	is := func(what string, at time.Time, want bool) {
		t.Helper()
		if a := g.alarmed.timers[id]; a.over(at) != want {
			t.Errorf("%s: got over %v, want %v", what, !want, want)
		}
	}
	is("told", late(time.Hour), false)
	g.asleep(sample{{pid: 1, tid: 1}}, start)
	is("asleep before", late(time.Hour), false)
	g.asleep(sample{{pid: 2, tid: 1}}, start.Add(time.Second))
	is("another process asleep", late(time.Hour), false)
	g.asleep(sample{{pid: 1, tid: 5}}, start.Add(time.Second))
	is("asleep, early", late(time.Second), false)
	is("asleep, late", late(time.Second+1), true)
	g.asleep(sample{{pid: 1, tid: 5}}, start.Add(time.Hour))
	is("asleep again", late(time.Second+1), true)
	again := g.alarmed.timers[id]
	again.Every = length
	g.alarmed.timers[id] = again
	is("again and again", late(time.Hour), false)
}
