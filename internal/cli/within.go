package cli

import (
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/report"
)

// longest is how long an answer may take when it is time to stop. Nearly all that is done asks now and then whether
// to stop, and is done much earlier; whoever does not is left alone then.
const longest = 1300 * time.Millisecond

// A draft is what is known of a target so far, in case that it has to be told at once.
type draft struct {
	mu     sync.Mutex
	during string // what is done now
	search bool   // that is more than to load
	r      *report.Report
}

// loading notes that something is loaded from now on.
func (d *draft) loading(what string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.during, d.search = what, false
}

// doing notes what is done from now on, when all is loaded.
func (d *draft) doing(what string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.during, d.search = what, true
}

// worth is how long it is worth to wait for an answer: while something is loaded, there is none to come.
func (d *draft) worth() time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.search {
		return longest
	}
	return 0
}

// found notes what a search has found, before the stories are told.
func (d *draft) found(r *report.Report, findings []explore.Found) {
	if len(findings) == 0 {
		return
	}
	told := *r
	told.Verdict = report.Violation
	for _, f := range findings {
		text := fmt.Sprintf("its story of %d steps is not told: there was no time left\n", len(f.Path))
		told.Findings = append(told.Findings, report.Finding{Kind: f.Kind, Message: f.Message, Pos: f.Pos, Story: text})
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.r = &told
}

// tell replaces what is known of finding number i by its story.
func (d *draft) tell(i int, f report.Finding) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.r != nil && i < len(d.r.Findings) {
		d.r.Findings[i] = f
	}
}

// now is the report on a target with what is known.
func (d *draft) now(t *target) *report.Report {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.r != nil {
		r := *d.r
		r.Findings = append([]report.Finding(nil), d.r.Findings...)
		return &r
	}
	why, text := t.over()
	return &report.Report{
		Target: t.name, Package: t.pkg, Test: t.test, Verdict: report.Inconclusive,
		Left: []report.Left{{Reason: string(why), Text: text + " while " + d.during}},
	}
}

// over says what has ended the work on a target.
func (t *target) over() (explore.Reason, string) {
	switch l := &t.flags.Limits; {
	case t.stop.late.Load():
		return explore.LimitTime, fmt.Sprintf("limit of %d ms", l.Timeout.Milliseconds())
	case t.stop.memory.Full():
		return explore.LimitMemory, fmt.Sprintf("limit of %d bytes", l.Mem)
	}
	return explore.Interrupted, "interrupted"
}

// halted says in a result what has ended a search in the middle of a step.
func (t *target) halted(res *explore.Result) {
	why, text := t.over()
	if !t.stop.over() || len(res.Left) == 0 || slices.ContainsFunc(res.Left, func(l explore.Left) bool { return l.Reason == why }) {
		return
	}
	res.Left = append(res.Left, explore.Left{Reason: why, Text: text + ": the search was not over"})
}

// within does what there is to do for a target, and returns the report on it. If it is time to stop and there is no answer
// after a moment, the answer is what is known then.
func (c *checker) within(t *target, work func() (*report.Report, error)) (*report.Report, error) {
	var r *report.Report
	var err error
	if inTime(t.stop, t.draft.worth, func() { r, err = work() }) {
		return r, err
	}
	r = t.draft.now(t)
	r.Seconds = float64(t.stop.meter.elapsed()) / 1e9
	r.CPUSeconds = (cpuTime() - t.stop.meter.cpu).Seconds()
	r.PeakBytes = peakBytes()
	return r, nil
}

// inTime reports whether work has ended before it was too late for an answer: so long after it was time to stop as worth says. A
// panic in it is one here.
func inTime(s *stopper, worth func() time.Duration, work func()) bool {
	done := make(chan *explore.Crash, 1)
	go func() {
		var crash *explore.Crash
		defer func() {
			if x := recover(); x != nil {
				var ok bool
				if crash, ok = x.(*explore.Crash); !ok {
					crash = &explore.Crash{Value: x, Stack: string(debug.Stack())}
				}
			}
			done <- crash
		}()
		work()
	}()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	var since time.Time // it is time to stop
	for {
		select {
		case crash := <-done:
			if crash != nil {
				panic(crash)
			}
			return true
		case <-tick.C:
		}
		switch {
		case !s.over():
			since = time.Time{} // what was full is not full any more
		case since.IsZero():
			since = time.Now()
		case time.Since(since) >= worth():
			return false
		}
	}
}

// errInterrupted is the end of a command that has no report.
func errInterrupted(what string) error { return diag.Incompletef("interrupted: %s", what) }
