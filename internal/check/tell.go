package check

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/trace"
)

// A Story is what is needed to tell findings: the program, and what is known after the search.
type Story struct {
	Code     *Code
	Process  execute.Process
	Settings execute.Settings // with what is known after the search
	Spec     *Spec
	Options  explore.Options // of the search
	// Stop, if it is not nil, says when to be content with the story as it is.
	Stop func() bool
}

// Under returns settings with other views.
func Under(s execute.Settings, v drive.Views) execute.Settings {
	s.Known.Views, s.Stop = v, nil
	return s
}

// Tell goes the way to a finding once more and tells it, as short as it can be made. The system is one
// with the views under which the finding was found; of the guesses those are made that are not
// known to be wrong after the search. It returns the settings of that system, too.
func (t *Story) Tell(f explore.Found) (*trace.Trace, execute.Settings, error) {
	s := t.Settings
	views, err := drive.ParseViews(f.View)
	if err != nil {
		return nil, s, diag.Bugf("%v", err)
	}
	s = Under(s, views)
	if f.Loop > 0 {
		return t.tellLoop(s, f)
	}
	if t.Options.Strategy != explore.BreadthFirst && !t.stopped() {
		if f, err = t.shorter(s, f); err != nil {
			return nil, s, err
		}
	}
	told := only(s, f.Kind)
	told.Stacks = true
	sys, err := t.Code.NewSystem(t.Process, told)
	if err != nil {
		return nil, s, err
	}
	defer CloseSystem(sys)
	_, budget := effort(f.Path)
	tr, err := t.best(sys, f, budget)
	if err != nil && t.Process.World != nil {
		tr, err = t.recorded(s, f) // a peer has failed since, or does not do the same again
	}
	if err != nil {
		return nil, s, diag.Bugf("the way to a finding cannot be gone again: %v", err)
	}
	tr.Program, tr.Settings = t.Code.Identity, t.Spec.Under(f.View).Recipe()
	return tr, s, nil
}

// best tells a finding as simply as it can be. With live peers, what could be done on the way to it may not be possible when other
// ways were tried in between. That is an error then.
func (t *Story) best(sys lts.System, f explore.Found, budget int) (tr *trace.Trace, err error) {
	defer func() {
		if t.Process.World == nil {
			return
		}
		switch r := recover().(type) {
		case nil:
		case *diag.Error:
			err = r
		default:
			panic(r)
		}
	}()
	return trace.Best(sys, f.Path, f.Finding, budget, t.Stop)
}

func (t *Story) stopped() bool { return t.Stop != nil && t.Stop() }

// recorded tells a finding by what was recorded of peers, as it was found.
func (t *Story) recorded(s execute.Settings, f explore.Found) (*trace.Trace, error) {
	p := t.Process
	var err error
	if p.World, err = t.Spec.Peers.Recorded("traffic", t.Process.World.Cache.Text()); err != nil {
		return nil, err
	}
	s.Stacks = true
	sys, err := t.Code.NewSystem(p, s)
	if err != nil {
		return nil, err
	}
	defer CloseSystem(sys)
	return trace.Record(sys, f.Path, f.Finding)
}

// longPath is from how many steps on a path is too long for much to be tried with it.
const longPath = 100

// effort bounds the work for telling a finding: states of the search for a shorter
// way to it, and steps of each part of making that one simple. Both cost more for
// long paths, and do less for them. They depend on no clock, so that equal runs
// tell equal stories.
func effort(path lts.Path) (states int64, budget int) {
	n := max(len(path), 1)
	n *= max(n/longPath, 1) // its steps are those of a larger program, as a rule
	return int64(min(max(500_000/n, 300), 40_000)), min(max(4_000_000/n, 5_000), trace.DefaultBudget)
}

// only returns settings with which nothing is looked for but one kind of finding, and what the steps of the program depend on.
func only(s execute.Settings, kind string) execute.Settings {
	s.Properties.Off = slices.Clone(s.Properties.Off)
	for _, p := range execute.AllProperties {
		if string(p) != kind && p != execute.Race && p != execute.Fatal && p != execute.Panic && s.Properties.On(p) {
			s.Properties.Off = append(s.Properties.Off, p)
		}
	}
	return s
}

// shorter looks for a way to a finding that is shorter by a quarter at least,
// breadth-first. A few steps less are no gain: they may cost context switches.
func (t *Story) shorter(s execute.Settings, f explore.Found) (explore.Found, error) {
	depth := len(f.Path) * 3 / 4
	if depth == 0 {
		return f, nil
	}
	s = only(s, f.Kind)
	pool := &Pool{Make: func() (lts.System, error) { return t.Code.NewSystem(t.Process, s) }}
	defer pool.Close()
	states, _ := effort(f.Path)
	for _, all := range []bool{false, true} {
		res, err := explore.Run(pool.New, explore.Options{
			Strategy: explore.BreadthFirst, Reduce: t.Options.Reduce, All: all, Interrupt: t.Stop,
			Limits: explore.Limits{States: states, Depth: depth},
		})
		if err != nil {
			return f, err
		}
		for _, g := range res.Findings {
			if g.Kind == f.Kind && (!t.Options.All || trace.SameAs(f.Finding)(g.Finding)) {
				g.View = f.View
				return g, nil
			}
		}
		if len(res.Findings) == 0 {
			break
		}
	}
	return f, nil
}
