package gosuite

import (
	"time"

	"golang.org/x/sys/unix"
)

// limitCPU calls stop when the calling thread, to which the goroutine is locked,
// has used d more time of the processor: other than the time on the wall, that
// does not depend on what else the computer does. It returns a function that
// ends the watch.
func limitCPU(d time.Duration, stop func()) (cancel func()) {
	clock := threadClock(unix.Gettid())
	start, ok := readClock(clock)
	if !ok {
		t := time.AfterFunc(d, stop)
		return func() { t.Stop() }
	}
	tick := time.NewTicker(max(d/100, time.Millisecond))
	done := make(chan struct{})
	go func() {
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			if now, ok := readClock(clock); !ok || now-start > d {
				stop()
				return
			}
		}
	}()
	return func() { close(done) }
}

// threadClock is the identifier of the clock of a thread's processor time, as
// Linux's make_thread_cpuclock makes it.
func threadClock(tid int) int32 {
	const perThread, sched = 4, 2
	return ^int32(tid)<<3 | perThread | sched
}

func readClock(id int32) (time.Duration, bool) {
	var ts unix.Timespec
	if err := unix.ClockGettime(id, &ts); err != nil {
		return 0, false
	}
	return time.Duration(ts.Nano()), true
}
