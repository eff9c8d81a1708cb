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
		other, before bool
		from, to      time.Duration // before it was heard of
	}{
		{"at once", 10 * time.Microsecond, 0, false, true, 0, 0},
		{"soon", late, 0, false, false, 0, 0},
		{"late", time.Hour, 400 * time.Millisecond, false, false, 400 * time.Millisecond, time.Hour - time.Minute},
		{"late all the time", time.Second, time.Hour, false, true, time.Second, time.Second},
		{"by another thread", time.Second, 400 * time.Millisecond, true, false, 0, 0},
	} {
		waited, thread := turn.waited()
		if thread == 0 {
			t.Skip("the kernel does not tell how long a thread waits for a processor")
		}
		if test.other {
			thread++
		}
		begun := now.Add(-test.ago)
		l := listening{&turn, begun, reading{begun, waited - test.late, thread}}
		// The test itself may have to wait for a processor in between.
		at, before := l.made(now)
		if d := now.Sub(at); d < test.from || d > test.to || before != test.before {
			t.Errorf("%s: got %v ago, there before %v, want %v to %v, %v", test.name, d, before, test.from, test.to, test.before)
		}
	}
}
