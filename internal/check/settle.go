package check

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/hunt"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/reduce"
)

// trialStates are how many states are searched to try what a search goes by.
var trialStates = [...]int64{100, 1000}

// FoundIn returns what has turned out in systems.
func FoundIn(list []lts.System) (found []*execute.Found) {
	for _, sys := range list {
		if f, ok := sys.(interface{ Found() *execute.Found }); ok {
			found = append(found, f.Found())
		}
	}
	return found
}

// An attempt is a search with what it went by.
type attempt = reduce.Attempt[execute.Known, searched]

// A searched is the result of a search.
type searched struct {
	*explore.Result
	used execute.Known // what the search went by
}

// A Task is a program to be searched until it is known what reduction may go by.
type Task struct {
	// Settings are those of the systems that Pool makes. The task decides what they go by.
	Settings *execute.Settings
	Pool     *Pool
	// Options say how to search. The time of their limit is that of all searches together, by their clock, which begins at 0.
	Options explore.Options
	// Member, if it is not nil, does one search of a system, instead of explore.Run.
	Member func(sys lts.System, o explore.Options) (*explore.Result, error)
	// Begin, if it is not nil, is called before each search that is not a trial: what it leaves
	// behind begins anew.
	Begin func(o *explore.Options, known execute.Known) error
	// First is what is known from elsewhere, or nil.
	First *execute.Known
	// Trials says to try a few states first.
	Trials bool
	// Live, if it is not nil, says to look for loops, too.
	Live *Live
	// Hunt says to hunt beside a depth-first search, and HuntLump how much work has to be due for
	// that: with live peers it is slow to go from one to the other.
	Hunt     bool
	HuntLump int64
	// Hunted, if it is not nil, is called with each system of the hunt when that is over.
	Hunted func(sys lts.System)

	before *explore.Result // of the search before
	hunter *hunter         // nil if there is no hunt
}

// An Outcome is how a task has ended. Its verdict is that of the end: a search that was stopped has verified
// nothing.
type Outcome struct {
	*explore.Result
	Used   execute.Known // what the last search went by
	Known  execute.Known // what is known after it
	Hunted *hunt.Known   // nil if nobody has hunted
}

// Search does the task.
func (s *Task) Search() (*Outcome, error) {
	if s.Live != nil {
		s.Options.Reduce = false
		if err := s.refuseLive(); err != nil {
			return nil, err
		}
	}
	s.hunter = s.newHunter()
	end, err := s.settle()
	hunted, huntErr := s.hunter.end()
	if err := cmp.Or(err, huntErr); err != nil {
		return nil, err
	}
	var left []explore.Left
	if end.End() == reduce.Proved {
		var out *Outcome
		if out, left, err = s.untimed(end.Result.States); out != nil || err != nil {
			return out, err
		}
	}
	res := conclude(&end)
	if len(left) > 0 {
		res.Verdict, res.Left = explore.Inconclusive, append(res.Left, left...)
	}
	keepHunted(res, hunted, s.Options.All)
	unmet(res, metIn(s.Pool.List), s.Settings.Alone)
	cut(res, thingsIn(s.Pool.List), s.Settings.Ticks)
	return &Outcome{res, end.Result.used, end.Known, hunted}, nil
}

// settle searches. With a reduction that goes by guesses it is done again as long as one turns
// out to be wrong.
func (s *Task) settle() (reduce.Settled[execute.Known, searched], error) {
	p := reduce.Plan[execute.Known, searched]{First: execute.Plain(), Search: s.search, All: s.Options.All}
	if s.Options.Reduce {
		p.First = execute.Unknown(s.Settings.Without...)
		if s.Trials {
			p.Alike = s.alike()
			for _, states := range trialStates {
				p.Trials = append(p.Trials, func(known execute.Known) (attempt, error) { return s.trial(known, states) })
			}
		}
	}
	if s.First != nil {
		p.First, p.Trials = *s.First, nil
	}
	return reduce.Settle(p)
}

// alike reports whether a trial searches in the same way as the search does, and leaves
// nothing behind that the search would.
func (s *Task) alike() bool {
	return s.Options.Strategy == explore.DepthFirst && s.Options.Workers < 2 && s.Begin == nil
}

// trial searches a few states, depth first with one worker: then what turns out is the same
// whatever search follows.
func (s *Task) trial(known execute.Known, states int64) (attempt, error) {
	short := explore.Options{
		Reduce: true, Interrupt: s.Options.Interrupt, Full: s.Options.Full, Clock: s.Options.Clock,
		Limits: explore.Limits{Time: s.Options.Limits.Time, Memory: s.Options.Limits.Memory},
	}
	if s.alike() {
		short = s.Options
	}
	if short.Limits.States == 0 || short.Limits.States > states {
		short.Limits.States = states
	}
	a, err := s.once(known, s.hunter.beside(short), explore.Run)
	if err == nil && s.hunter.add(a.Result.Result) {
		if a.Found = true; s.Options.Workers > 1 && !s.Options.All {
			return s.alone(a)
		}
	}
	if err == nil && a.Over && short.Limits.States != s.Options.Limits.States { // nobody has asked for that bound, and it is not what has ended the search
		a.Result.Left = slices.DeleteFunc(a.Result.Left, func(l explore.Left) bool { return l.Reason == explore.LimitStates })
	}
	return a, err
}

// search searches everything.
func (s *Task) search(known execute.Known) (attempt, error) {
	o := s.Options
	if s.Begin != nil {
		if err := s.Begin(&o, known); err != nil {
			return attempt{}, err
		}
	}
	run := explore.Run
	if s.Member != nil {
		run = func(newSystem func() (lts.System, error), o explore.Options) (*explore.Result, error) {
			sys, err := newSystem()
			if err != nil {
				return nil, err
			}
			return s.Member(sys, o)
		}
	}
	several := s.hunter != nil && o.Workers > 1 && !o.All
	o.AsFound = several
	a, err := s.once(known, s.hunter.beside(o), run)
	if err != nil {
		return a, err
	}
	if a.Found = s.hunter.add(a.Result.Result) || a.Found; a.Found && several && !over(&a, &o) {
		if a, err = s.alone(a); err != nil {
			return a, err
		}
	}
	if o.Checkpoint != "" && a.Over && (a.News || s.Pool.halted()) {
		os.Remove(o.Checkpoint)
		a.Result.Unsaved = errors.New("no checkpoint is written: the search has to be done again from its start")
	}
	if s.before != nil { // if a limit ends this one, it may have come less far
		a.Result.Keep(s.before.Findings)
		a.Found = len(a.Result.Findings) > 0
	}
	s.before = a.Result.Result
	return a, nil
}

// alone does what several workers have done once more with one, who begins anew: which of them finds something first, and where, is
// another one each time. If he finds nothing before a limit comes, what they have found is told.
func (s *Task) alone(found attempt) (attempt, error) {
	if _, err := s.hunter.end(); err != nil {
		return found, err
	}
	s.Options.Workers, s.before = 1, nil
	s.hunter = s.newHunter()
	end, err := s.settle()
	if err != nil || end.Result.Result == nil || len(end.Result.Findings) == 0 {
		found.Over = true
		return found, err
	}
	return attempt{Result: end.Result, Known: end.Known, Found: true, Over: true}, nil
}

// circles looks whether the clock, which was held back in some state, is so forever. If it finds out nothing, the
// attempt is as it was.
func (s *Task) circles(a *attempt, o explore.Options) error {
	before := len(s.Pool.List)
	res, err := LookForCircles(s.Pool.New, o)
	if err != nil {
		return err
	}
	a.Known, a.News = a.Known.Learn(FoundIn(s.Pool.List[before:])...)
	if a.Whole && len(res.Left) > 0 {
		a.Whole, a.Result.Left = false, res.Left
		a.Result.Verdict = explore.Inconclusive
	}
	return nil
}

// Held reports whether the clock was held back in some state.
func Held(found []*execute.Found) bool {
	return slices.ContainsFunc(found, func(f *execute.Found) bool { return f != nil && f.Held })
}

// once does one search.
func (s *Task) once(known execute.Known, o explore.Options, run func(func() (lts.System, error), explore.Options) (*explore.Result, error)) (attempt, error) {
	s.Pool.Close()
	known.Views.Ends = s.Settings.Properties.Survives()
	s.Settings.Known = known
	o.Limits.Total = true
	if s.Live != nil {
		run = s.Live.run(run, s.Pool)
	}
	p := patience{pool: s.Pool, known: known}
	if o.Reduce && s.Live == nil && o.Workers < 2 {
		o.Beside = p.beside(o.Beside)
	}
	res, err := run(s.Pool.New, o)
	if err != nil {
		return attempt{}, err
	}
	p.excuse(res)
	view := known.Views.String()
	for i := range res.Findings {
		res.Findings[i].View = view
	}
	a := attempt{Result: searched{res, known}, Found: len(res.Findings) > 0, Whole: len(res.Left) == 0 && res.Verdict == explore.Verified}
	a.Known, a.News = known.Learn(FoundIn(s.Pool.List)...)
	all := len(res.Left) == 0 || s.Live != nil && !slices.ContainsFunc(res.Left, stops) // it may say of loops that time passes in them
	// Where no state came again there are no circles.
	tree := all && res.Revisited == 0
	if !a.News && !tree && (all || o.Limits.States == trialStates[0]) && Held(FoundIn(s.Pool.List)) {
		if err := s.circles(&a, o); err != nil {
			return attempt{}, err
		}
		if a.News && s.Live != nil { // a loop need not be one if time passes in it
			res.Findings = slices.DeleteFunc(res.Findings, func(f explore.Found) bool {
				return f.Kind == string(execute.Livelock) || f.Kind == string(execute.Liveness)
			})
			a.Found = len(res.Findings) > 0
		}
	}
	a.Whole = a.Whole && !p.over
	a.Over = over(&a, &o)
	if a.Over && !a.Found {
		s.late(a.Result.Result, &o)
	}
	return a, nil
}

// A patience ends a search that has to be done again, since something has turned out: when it has gone on for as long again as it took to
// see that. More may turn out meanwhile.
type patience struct {
	pool  *Pool
	known execute.Known // what the search goes by
	first int64         // after how many transitions something has turned out, 0 if nothing has
	over  bool
}

// patienceLump is after how many transitions it is asked whether something has turned out.
const patienceLump = 1000

// beside returns what is done beside a search, with what is done there anyway.
func (p *patience) beside(other func(explore.At) bool) func(explore.At) bool {
	return func(at explore.At) bool {
		if at.Transitions%patienceLump == 0 && p.first == 0 && slices.ContainsFunc(FoundIn(p.pool.List), p.known.Refuted) {
			p.first = at.Transitions
		}
		p.over = p.first > 0 && at.Transitions > 2*p.first
		return p.over || other != nil && other(at)
	}
}

// excuse takes it from a result that it is not whole because the search was ended so.
func (p *patience) excuse(res *explore.Result) {
	if p.over {
		res.Left = slices.DeleteFunc(res.Left, func(l explore.Left) bool { return l.Reason == explore.Interrupted })
	}
}

// over reports whether there is no use in another search.
func over(a *attempt, o *explore.Options) bool {
	return o.Interrupt != nil && o.Interrupt() || slices.ContainsFunc(a.Result.Left, stops)
}

// stops reports whether something was left because there is no use in another search.
func stops(l explore.Left) bool {
	return l.Reason == explore.Interrupted || l.Reason == explore.LimitTime || l.Reason == explore.LimitMemory
}

// late says in a result why there is no more of it, if the search itself does not say so: it may have been stopped in the
// middle of a step, or right at its end.
func (s *Task) late(res *explore.Result, o *explore.Options) {
	if slices.ContainsFunc(res.Left, stops) {
		return
	}
	l := explore.Left{Reason: explore.Interrupted, Text: "interrupted: the search was not over"}
	if o.Limits.Time > 0 && o.Clock() >= o.Limits.Time {
		l = explore.Left{Reason: explore.LimitTime, Text: fmt.Sprintf("limit of %d ms: the search was not over", o.Limits.Time/1e6)}
	} else if o.Full != nil && o.Full() {
		l = explore.Left{Reason: explore.LimitMemory, Text: fmt.Sprintf("limit of %d bytes: the search was not over", o.Limits.Memory)}
	}
	res.Left = append(res.Left, l)
}

// conclude gives a result the verdict that its end allows.
func conclude(s *reduce.Settled[execute.Known, searched]) *explore.Result {
	res := s.Result.Result
	switch s.End() {
	case reduce.Proved:
		res.Verdict = explore.Verified
	case reduce.Refuted:
		res.Verdict = explore.Violation
	default:
		res.Verdict = explore.Inconclusive
		if len(res.Left) == 0 {
			res.Left = append(res.Left, explore.Left{Reason: explore.Interrupted, Text: "interrupted: what the search went by has turned out to be wrong, or it was not over"})
		}
	}
	return res
}

// CheckpointIdentity tells the search of a checkpoint from others. What it goes by is a part of
// it, which ResumeKnown reads.
func CheckpointIdentity(who string, known execute.Known) string {
	return strings.Join([]string{who, known.Views.String(), known.Text()}, "\n")
}

// ResumeKnown returns what the search of a checkpoint went by.
func ResumeKnown(file, who string, key []byte) (*execute.Known, error) {
	text, err := explore.CheckpointIdentity(file, key)
	if err != nil {
		return nil, err
	}
	own, rest, _ := strings.Cut(text, "\n")
	views, guesses, ok := strings.Cut(rest, "\n")
	if own != who || !ok {
		return nil, diag.Usagef("%s: checkpoint of %q, want %q", file, own, who)
	}
	known, err := execute.ParseKnown(guesses, views)
	if err != nil {
		return nil, diag.Usagef("%s: %v", file, err)
	}
	return &known, nil
}
