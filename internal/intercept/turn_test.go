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

// TestMadeOnce: who has waited for a processor once has done so when it was woken.
func TestMadeOnce(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var turn turn
	defer turn.close()
	for range 100 { // until nothing came in between
		r := turn.read()
		if r.thread == 0 {
			t.Skip("the kernel does not tell how long a thread waits for a processor")
		}
		now := time.Now()
		begun := now.Add(-time.Hour)
		l := listening{&turn, begun, reading{begun, r.waited - time.Second, r.turns - 1, r.thread}}
		from, to, _ := l.made(now)
		if turn.read().turns != r.turns {
			continue
		}
		if want := now.Add(-time.Second); !from.Equal(want) || !to.Equal(want) {
			t.Errorf("got %v to %v before, want a second", now.Sub(from), now.Sub(to))
		}
		return
	}
	t.Skip("the machine is too busy")
}
