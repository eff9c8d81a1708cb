package check

import (
	"context"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/limit"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/trace"
)

// Hooks are what a caller of Run may want besides. The zero Hooks are fine.
type Hooks struct {
	Code     *Code                                               // if it was built before
	NoCache  bool                                                // neither read nor write compiled code on disk
	Process  *execute.Process                                    // how the program is started, if not as the Spec says
	Adjust   func(s *execute.Settings)                           // changes settings of the machine that no Spec has
	Begin    func(o *explore.Options, known execute.Known) error // see Task
	Progress func(explore.Progress)
}

// A Result is what a check has shown.
type Result struct {
	*Outcome
	Code  *Code
	story Story
}

// Source returns what execute.Build has to know of a Spec.
func (s *Spec) Source(ctx context.Context) execute.Source {
	p := &s.Program
	dir := p.ChangeTo
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(p.Dir, dir)
	}
	return execute.Source{
		Context: ctx, Dir: dir, Patterns: p.Packages, Tags: p.Tags,
		Test: p.Test != "", AccessPoints: s.Model.Interleave == "access",
	}
}

// Run checks what a Spec says, without live peers: it builds the program and searches it until it is known
// what reduction may go by. If ctx ends, so does the search, which then has verified nothing.
func Run(ctx context.Context, s *Spec, h Hooks) (*Result, error) {
	settings, err := s.System()
	if err != nil {
		return nil, err
	}
	o, err := s.Options()
	if err != nil {
		return nil, err
	}
	if specs, err := s.Peers.Specs(); err != nil || len(specs) > 0 {
		return nil, diag.Usagef("live peers are for the command: there are %d here (%v)", len(specs), err)
	}
	r := &Result{Code: h.Code}
	if r.Code == nil {
		src := s.Source(ctx)
		src.NoCache = h.NoCache
		if r.Code, err = Build(src); err != nil {
			return nil, err
		}
	}
	process := s.Process(ProgramName(append(s.Program.Packages, "main")))
	if process.Env, err = Environment(s.Program.Env, s.Program.TestDir); err != nil {
		return nil, err
	}
	if h.Process != nil {
		process = *h.Process
	}
	if h.Adjust != nil {
		h.Adjust(&settings)
	}
	began := time.Now()
	o.Clock = func() int64 { return int64(time.Since(began)) }
	limited, cancel := ctx, context.CancelFunc(func() {})
	if o.Limits.Time > 0 {
		limited, cancel = context.WithTimeout(ctx, time.Duration(o.Limits.Time))
	}
	defer cancel()
	var over atomic.Bool
	defer context.AfterFunc(limited, func() { over.Store(true) })()
	memory := limit.Watch(o.Limits.Memory)
	defer memory.End()
	o.Interrupt = func() bool { return over.Load() || memory.Full() }
	o.Full = memory.Full
	o.Progress = h.Progress
	own := settings
	own.Stop = o.Interrupt
	pool := &Pool{Make: func() (lts.System, error) { return r.Code.NewSystem(process, own) }}
	defer pool.Close()
	task := &Task{Settings: &own, Pool: pool, Options: o, Begin: h.Begin, Trials: true, Live: s.Live(r.Code), Hunt: s.Search.Order == AutoSearch}
	if r.Outcome, err = task.Search(); err != nil {
		return nil, err
	}
	settings.Known = r.Outcome.Known
	r.story = Story{Code: r.Code, Process: process, Settings: settings, Spec: s, Options: o, Stop: o.Interrupt}
	return r, nil
}

// Tell tells the story of a finding of the result.
func (r *Result) Tell(f explore.Found) (*trace.Trace, error) {
	tr, _, err := r.story.Tell(f)
	return tr, err
}
