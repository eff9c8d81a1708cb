package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/live"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/report"
	"github.com/heddle-mc/heddle/internal/trace"
)

// A Live says which loops are looked for: those in which a promise of the program is never kept, and livelocks if
// it says so.
type Live struct {
	Livelock bool
	bitstate bool // states are kept in a way that takes some for others
}

// promises reports whether a program calls verify.Eventually or verify.Leads: only what can be called is compiled.
func promises(prog *bytecode.Program) bool {
	return slices.ContainsFunc(prog.Funcs, func(f bytecode.Func) bool { return strings.HasSuffix(f.Native, "/heddle/verify.promise") })
}

// Live returns which loops are looked for in a program, nil for none.
func (s *Spec) Live(code *Code) *Live {
	livelock := s.Model.Looks(execute.Livelock)
	if livelock || code.Promises && s.Model.Looks(execute.Liveness) {
		return &Live{livelock, s.Search.Store == "bitstate"}
	}
	return nil
}

// Bound is what the claim that there are no such loops depends on.
func (l *Live) Bound() []report.Setting {
	if l == nil {
		return nil
	}
	return []report.Setting{{Name: "fair", Value: true, Words: "whoever can go on again and again does so, and select and random numbers take each way some time"}}
}

// RefuseLive refuses something that a search for loops cannot be had with.
func (l *Live) RefuseLive(what string) error {
	if l == nil {
		return nil
	}
	why := "verify.Eventually and verify.Leads (they are not looked at with -liveness=false)"
	if l.Livelock {
		why = "-livelock"
	}
	return diag.Usagef("%s cannot be had with %s: loops are looked for in the whole graph, by a search in one process", what, why)
}

// refuseLive refuses what the search of a task cannot be had with.
func (s *Task) refuseLive() error {
	o := &s.Options
	switch {
	case s.Member != nil || o.Strategy == explore.Swarm:
		return s.Live.RefuseLive("a swarm")
	case o.Strategy > explore.BreadthFirst:
		return s.Live.RefuseLive("-search " + o.Strategy.String())
	case o.Workers > 1:
		return s.Live.RefuseLive("-workers " + fmt.Sprint(o.Workers))
	case s.Live.bitstate:
		return s.Live.RefuseLive("-store bitstate")
	case s.Begin != nil:
		return s.Live.RefuseLive("-lts, -coverprofile, -checkpoint or -resume")
	}
	s.Settings.Live = true
	return nil
}

type runner = func(func() (lts.System, error), explore.Options) (*explore.Result, error)

// run returns a search that keeps the graph and looks for loops in it when it is over.
func (l *Live) run(run runner, pool *Pool) runner {
	return func(newSystem func() (lts.System, error), o explore.Options) (*explore.Result, error) {
		rec := live.NewRecorder()
		o.Observer = rec
		o.Reduce = false
		res, err := run(newSystem, o)
		if err != nil || len(res.Findings) > 0 && !o.All || len(pool.List) == 0 {
			return res, err
		}
		room := int64(0)
		if o.Limits.Memory > 0 {
			if room = o.Limits.Memory - res.Bytes; room < 1 {
				return res, nil // the search was stopped by that
			}
		}
		a := rec.Loops(live.Options{Livelock: l.Livelock, All: o.All, Stop: o.Interrupt, Room: room})
		var found []explore.Found
		var left []explore.Left
		for _, x := range a.Lassos {
			f, err := lassoFound(pool.List[0], x)
			if err != nil {
				return nil, err
			}
			if x.Outside {
				left = append(left, explore.Left{Reason: explore.SystemBound, Count: 1, Path: f.Path,
					Text: f.Finding.Error() + ", unless somebody outside acts or time passes, of which nothing is known here"})
				continue
			}
			found = append(found, f)
		}
		if why := unlooked(&a, &o); why.Reason != "" {
			left = append(left, why)
		}
		if !o.All && len(found) > 1 {
			found = found[:1]
		}
		res.Conclude(found, left)
		return res, nil
	}
}

// unlooked says why not all loops were looked at; it has no reason if they were.
func unlooked(a *live.Answer, o *explore.Options) explore.Left {
	l := explore.Left{}
	text := "interrupted"
	switch {
	case a.NoMemory || a.Stopped && o.Full != nil && o.Full():
		l.Reason, text = explore.LimitMemory, fmt.Sprintf("limit of %d bytes", o.Limits.Memory)
	case a.Stopped && o.Limits.Time > 0 && o.Clock() >= o.Limits.Time:
		l.Reason, text = explore.LimitTime, fmt.Sprintf("limit of %d ms", o.Limits.Time/1e6)
	case a.Stopped:
		l.Reason = explore.Interrupted
	}
	l.Text = text + ": not all loops were looked at"
	return l
}

// lassoFound makes a finding of a loop. It goes along the way once, to see that it is one.
func lassoFound(sys lts.System, x live.Lasso) (explore.Found, error) {
	path := slices.Concat(x.Stem, x.Loop)
	f := explore.Found{Path: path, Loop: len(x.Loop)}
	if err := live.Again(sys, path, f.Loop, x.Promise); err != nil {
		return f, diag.Bugf("a loop cannot be gone again: %v", err)
	}
	if x.Promise >= 0 {
		f.Finding = sys.(lts.Live).Promise(x.Promise)
		return f, nil
	}
	f.Finding = diag.Finding{Kind: string(execute.Livelock)}
	lts.MustReplay(sys, x.Stem)
	d, ok := sys.(lts.Describer)
	if !ok {
		return f, diag.Bugf("a livelock of a system that does not tell its steps")
	}
	var names []string
	var mo lts.Motion
	for _, s := range x.Loop {
		e := d.Describe(s)
		sys.(lts.Live).Move(&mo)
		if !slices.Contains(names, e.Actor) {
			names = append(names, e.Actor)
		}
		if mo.Look && !f.Pos.IsValid() {
			f.Pos = e.Pos
		}
	}
	slices.Sort(names)
	words := names[0] + " goes"
	if len(names) > 1 {
		words = strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1] + " go"
	}
	f.Message = words + " around in a loop forever and does not get anywhere: what is tried fails each time"
	if len(names) > 1 {
		f.Message = strings.Replace(f.Message, "does not", "do not", 1)
	}
	return f, nil
}

// tellLoop tells a finding whose path ends in a loop.
func (t *Story) tellLoop(s execute.Settings, f explore.Found) (*trace.Trace, execute.Settings, error) {
	s.Live = true
	sys, err := t.Code.NewSystem(t.Process, s)
	if err != nil {
		return nil, s, err
	}
	defer CloseSystem(sys)
	tr, err := trace.RecordLoop(sys, f.Path, f.Loop, f.Finding)
	if err != nil {
		return nil, s, diag.Bugf("the way to a finding cannot be gone again: %v", err)
	}
	tr.Program, tr.Settings = t.Code.Identity, t.Spec.Under(f.View).Recipe()
	return tr, s, nil
}

// ShowsLoop reports whether what is wrong with a loop shows on a path that ends in it.
func ShowsLoop(sys lts.System, path lts.Path, loop int, f diag.Finding) error {
	promise := -1
	if f.Kind == string(execute.Liveness) {
		if err := lts.Replay(sys, path); err != nil {
			return err
		}
		if promise = live.Promised(sys, f); promise < 0 {
			return fmt.Errorf("the promise is kept, or it is another one")
		}
	}
	return live.Again(sys, path, loop, promise)
}
