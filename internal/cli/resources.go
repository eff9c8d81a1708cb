package cli

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/limit"
)

// A meter measures what a target costs.
type meter struct {
	start time.Time
	cpu   time.Duration
}

func startMeter() meter { return meter{time.Now(), cpuTime()} }

// elapsed returns nanoseconds.
func (m meter) elapsed() int64 { return int64(time.Since(m.start)) }

// An interrupt is the user's wish to end a search. The first signal asks for it,
// the second one ends the process.
type interrupt struct {
	asked atomic.Bool
	stop  func()
	polls atomic.Int64
	at    int64      // ask at this poll, for tests; 0 for never
	above *interrupt // which counts too, or nil
}

// wanted reports whether the user wants an end, for who looks now and then.
func (in *interrupt) wanted() bool { return in.asked.Load() || in.above != nil && in.above.wanted() }

// poll reports whether the user wants an end.
func (in *interrupt) poll() bool {
	if in.at > 0 && in.polls.Add(1) >= in.at {
		in.asked.Store(true)
	}
	return in.asked.Load() || in.above != nil && in.above.poll()
}

// A stopper says when to stop with a target. Once it says so it goes on saying so.
type stopper struct {
	meter  meter
	in     *interrupt
	memory *limit.Memory
	limit  time.Duration // of time, 0 for none
	late   atomic.Bool   // the time is over
	timer  *time.Timer
	failed func() error // of the peers, or nil
}

// begin begins to wait for what ends the work on a target: the user, or the limits of time and memory. They are those
// of all that is done for it since a moment.
func (c *checker) begin(t *target, since meter) error {
	o, err := t.flags.Options()
	if err != nil {
		return err
	}
	s := &stopper{meter: since, in: c.interrupt, memory: limit.Watch(o.Limits.Memory)}
	if o.Limits.Time > 0 {
		s.limit = time.Duration(o.Limits.Time)
		s.timer = time.AfterFunc(s.left(), func() { s.late.Store(true) })
	}
	t.stop = s
	return nil
}

// tell says to a search when to stop. It is stopped, too, if failed returns an error.
func (s *stopper) tell(o *explore.Options, failed func() error) {
	s.failed = failed
	o.Clock, o.Interrupt, o.Full = s.meter.elapsed, s.poll, s.memory.Full
}

// over reports whether it is time to stop with all that is done for a target.
func (s *stopper) over() bool { return s.in.wanted() || s.late.Load() || s.memory.Full() }

// poll reports whether to stop. Several workers may ask at once.
func (s *stopper) poll() bool {
	return s.in.poll() || s.late.Load() || s.memory.Full() || s.failed != nil && s.failed() != nil
}

// left is how much time is left, if there is a limit.
func (s *stopper) left() time.Duration { return s.limit - time.Duration(s.meter.elapsed()) }

// grace is how long a story may be worked at, although the time of the search is over.
const grace = 700 * time.Millisecond

// telling returns when to stop with making a story short: when the user says so, if there is no more memory, or when three quarters of the
// time are over that is left: the story has to be told as well. What the search has used should be given back before.
func (s *stopper) telling() func() bool {
	s.memory.Again()
	var over atomic.Bool
	if s.limit > 0 {
		time.AfterFunc(max(s.left()*3/4, grace), func() { over.Store(true) })
	}
	return func() bool { return s.in.poll() || over.Load() || s.memory.Full() }
}

// end ends the waiting.
func (s *stopper) end() {
	s.memory.End()
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
	if l, ok := w.(*laneWriter); ok {
		w = l.w
	}
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	return columns(f.Fd())
}

// isTerminal reports whether a stream is one that a person looks at.
func isTerminal(w any) bool {
	if l, ok := w.(*laneWriter); ok {
		w = l.w
	}
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	return isConsole(f.Fd())
}
