//go:build linux

package intercept

import (
	"runtime"
	"testing"
	"time"
)

// TestMade: the time for which we have waited for a processor is left out of when a call was made.
func TestMade(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var turn turn
	defer turn.close()
	now := time.Now()
	for _, test := range []struct {
		name          string
		ago, late     time.Duration
		turns         int64
		other, before bool
		from, to      time.Duration // before it was heard of
		sure          bool
	}{
		{"at once", 10 * time.Microsecond, 0, 0, false, true, 0, 0, true},
		{"soon", late, 0, 0, false, false, 0, 0, true},
		{"late", time.Hour, 400 * time.Millisecond, 2, false, false, 400 * time.Millisecond, time.Hour - time.Minute, false},
		{"late all the time", time.Second, time.Hour, 2, false, true, time.Second, time.Second, false},
		{"by another thread", time.Second, 400 * time.Millisecond, 1, true, false, 0, 0, true},
	} {
		r := turn.read()
		if r.thread == 0 {
			t.Skip("the kernel does not tell how long a thread waits for a processor")
		}
		if test.other {
			r.thread++
		}
		begun := now.Add(-test.ago)
		l := listening{&turn, begun, reading{begun, r.waited - test.late, r.turns - test.turns, r.thread}}
		// The test itself may have to wait for a processor in between.
		from, to, before := l.made(now)
		if d := now.Sub(from); d < test.from || d > test.to || before != test.before {
			t.Errorf("%s: got %v ago, there before %v, want %v to %v, %v", test.name, d, before, test.from, test.to, test.before)
		}
		if sure := to.Equal(from); sure != test.sure || !sure && !to.Equal(now) {
			t.Errorf("%s: got %v to %v, sure %v", test.name, from, to, test.sure)
		}
	}
}

// TestMadeOnce: who has waited for a processor once has done so when it was woken. Of two waits, one may have been before.
func TestMadeOnce(t *testing.T) {
	heard := time.Now()
	begun := heard.Add(-time.Hour)
	l := listening{begun: begun, known: reading{begun, time.Minute, 7, 1}}
	for _, test := range []struct {
		turns    int64
		from, to time.Duration // before it was heard of
	}{
		{7, time.Second, time.Second},
		{8, time.Second, time.Second},
		{9, time.Second, 0},
	} {
		from, to, before := l.madeBy(reading{heard, time.Minute + time.Second, test.turns, 1}, heard)
		if heard.Sub(from) != test.from || heard.Sub(to) != test.to || before {
			t.Errorf("%d turns: got %v to %v before, there before %v, want %v to %v", test.turns, heard.Sub(from), heard.Sub(to), before, test.from, test.to)
		}
	}
}
