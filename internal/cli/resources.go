package cli

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A meter measures what a target costs.
type meter struct {
	start time.Time
	cpu   time.Duration
}

func startMeter() meter { return meter{time.Now(), cpuTime()} }

// elapsed returns nanoseconds.
func (m meter) elapsed() int64 { return int64(time.Since(m.start)) }

// cpuTime returns the time of all processors that this process has taken.
func cpuTime() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peakBytes returns the most memory that this process has held at once.
func peakBytes() int64 {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return u.Maxrss << 10
}

// An interrupt is the user's wish to end a search. The first signal asks for it,
// the second one ends the process.
type interrupt struct {
	asked atomic.Bool
	stop  func()
}

func watchInterrupt() *interrupt {
	in := &interrupt{}
	signals := make(chan os.Signal, 1)
	done := make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-signals:
			in.asked.Store(true)
			signal.Stop(signals)
		case <-done:
		}
	}()
	in.stop = func() { signal.Stop(signals); close(done) }
	return in
}

// terminalWidth returns how many columns a terminal has, 0 if that is not known.
func terminalWidth(w any) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}

// isTerminal reports whether a stream is one that a person looks at.
func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}
