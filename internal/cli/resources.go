package cli

import (
	"os"
	"os/signal"
	"sync"
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
	polls atomic.Int64
	at    int64 // ask at this poll, for tests; 0 for never
}

// poll reports whether the user wants an end.
func (in *interrupt) poll() bool {
	if in.at > 0 && in.polls.Add(1) >= in.at {
		in.asked.Store(true)
	}
	return in.asked.Load()
}

// A stopper says when to stop with a target. Once it says so it goes on saying so.
type stopper struct {
	in     *interrupt
	late   atomic.Bool // the time is over
	timer  *time.Timer
	failed func() error // of the peers, or nil
}

// stopper begins to wait for what ends the search of a target: the user, so many nanoseconds if it is not 0, or
// what failed returns.
func (c *checker) stopper(limit int64, failed func() error) *stopper {
	s := &stopper{in: c.interrupt, failed: failed}
	if limit > 0 {
		s.timer = time.AfterFunc(time.Duration(limit), func() { s.late.Store(true) })
	}
	return s
}

// poll reports whether to stop. Several workers may ask at once.
func (s *stopper) poll() bool {
	return s.in.poll() || s.late.Load() || s.failed != nil && s.failed() != nil
}

// grace is how long a story may be worked at when the time of the search is over.
const grace = time.Second

// telling returns when to stop with making a story short: when the user says so, or a little after
// the time is over.
func (s *stopper) telling() func() bool {
	var over atomic.Bool
	var once sync.Once
	return func() bool {
		if s.late.Load() {
			once.Do(func() { time.AfterFunc(grace, func() { over.Store(true) }) })
		}
		return s.in.poll() || over.Load()
	}
}

// end ends the waiting.
func (s *stopper) end() {
	if s.timer != nil {
		s.timer.Stop()
	}
}

func (app *App) watchInterrupt() *interrupt {
	in := &interrupt{at: app.interruptAt}
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
