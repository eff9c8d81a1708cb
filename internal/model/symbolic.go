package model

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/ldd"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/mucalc"
	"github.com/heddle-mc/heddle/internal/mcrl2/symbolic"
	"github.com/heddle-mc/heddle/internal/trace"
)

// A Symbolic is how large a symbolic search was.
type Symbolic struct {
	States  *big.Int // that were found
	Nodes   int      // of the set that they are
	Learned int64    // steps of short vectors
}

// symbolically is Check without looking at states one by one.
func (p *Systems) symbolically(o explore.Options, h Hooks) (*Result, error) {
	s := &sets{p: p, o: o, h: h}
	if o.Clock != nil {
		s.began = o.Clock()
	}
	out := &Result{Result: &explore.Result{Verdict: explore.Verified, Bound: -1}, Evidence: map[*trace.Trace]*Evidence{}, Symbolic: &Symbolic{}}
	space, err := symbolic.Reach(p.systems[0], symbolic.Options{
		Labels: len(p.Spec.Actions) > 0 || len(p.formulas) > 0, Stop: o.Interrupt, Memory: o.Limits.Memory,
		Progress: func(n symbolic.Progress) {
			if h.Progress != nil && o.Clock != nil {
				h.Progress(n, o.Clock()-s.began)
			}
		},
	})
	if err != nil && diag.ExitCode(err) == diag.ExitBug {
		return nil, err
	}
	if err != nil {
		s.leave(out.Result, err, "not all states are known")
	}
	if s.space = space; err == nil {
		err = s.look(out)
	}
	if err != nil && len(out.Left) == 0 {
		return nil, err
	}
	*out.Symbolic = Symbolic{space.Count(), space.Nodes(), space.Learned()}
	out.States = math.MaxInt64
	if n := out.Symbolic.States; n.IsInt64() {
		out.States = n.Int64()
	}
	out.Bytes = space.Bytes()
	switch {
	case len(out.Stories) > 0:
		out.Verdict = explore.Violation
	case len(out.Left) > 0:
		out.Verdict = explore.Inconclusive
	}
	return out, nil
}

// sets are what is looked for among sets of states.
type sets struct {
	p     *Systems
	o     explore.Options
	h     Hooks
	began int64
	space *symbolic.Space
}

// leave notes what an error leaves out.
func (s *sets) leave(res *explore.Result, err error, what string) {
	l := explore.Left{Reason: explore.SystemBound, Text: err.Error()}
	if diag.ExitCode(err) == diag.ExitIncomplete {
		switch t := s.o.Limits.Time; {
		case t > 0 && s.o.Clock != nil && s.o.Clock() >= t:
			l = explore.Left{Reason: explore.LimitTime, Text: fmt.Sprintf("limit of %d ms: %s", t/1e6, what)}
		case s.o.Full != nil && s.o.Full():
			l = explore.Left{Reason: explore.LimitMemory, Text: fmt.Sprintf("limit of %d bytes: %s", s.o.Limits.Memory, what)}
		case err == symbolic.ErrStopped || s.o.Interrupt != nil && s.o.Interrupt():
			l = explore.Left{Reason: explore.Interrupted, Text: "interrupted: " + what}
		}
	}
	res.Left = append(res.Left, l)
}

// A target is a set of states in which something is wrong, and what. The system
// stands at one of them, and what is wrong may be a step.
type target struct {
	states ldd.Set
	wrong  func() (diag.Finding, lts.Path)
}

// look looks for all that is to be looked for.
func (s *sets) look(out *Result) error {
	targets, err := s.targets()
	if err != nil {
		s.leave(out.Result, err, "the states are known, but not whether they are right")
		return err
	}
	for _, t := range targets {
		path, err := s.space.Way(t.states)
		if diag.ExitCode(err) == diag.ExitIncomplete {
			s.leave(out.Result, err, "there is something wrong, but the way to it was not found")
			return err
		}
		if err != nil {
			return err
		}
		f, last := t.wrong()
		out.Findings = append(out.Findings, explore.Found{Finding: f, Path: append(path, last...)})
	}
	slices.SortStableFunc(out.Findings, func(a, b explore.Found) int { return cmp.Compare(len(a.Path), len(b.Path)) })
	if !s.o.All && len(out.Findings) > 1 {
		out.Findings = out.Findings[:1]
	}
	for _, f := range out.Findings {
		out.MaxDepth = max(out.MaxDepth, len(f.Path))
		tr, err := s.p.Tell(f.Path, f.Finding, s.h.Stop)
		if err != nil {
			return err
		}
		out.Stories = append(out.Stories, tr)
	}
	if len(out.Findings) > 0 && !s.o.All {
		return nil
	}
	return s.judge(out)
}

// targets returns the sets of states that are wrong and not empty.
func (s *sets) targets() (list []target, err error) {
	sys := s.p.systems[0]
	add := func(states ldd.Set, e error, wrong func() (diag.Finding, lts.Path)) {
		if err == nil {
			err = e
		}
		if e == nil && states != ldd.Empty {
			list = append(list, target{states, wrong})
		}
	}
	var bad []ldd.Set // these are no deadlocks besides
	for i := range sys.Invariants() {
		set, e := s.space.Where(sys.InvariantReads(i), func(v []data.Value) bool { return sys.InvariantAt(i, v).Kind != "" })
		add(set, e, func() (diag.Finding, lts.Path) { return sys.CheckInvariant(i), nil })
		bad = append(bad, set)
	}
	if s.p.Spec.Deadlock {
		dead, e := s.space.Deadlocks(bad...)
		add(dead, e, func() (diag.Finding, lts.Path) {
			return diag.Finding{Kind: Deadlock, Message: "no step is enabled"}, nil
		})
	}
	if len(s.p.Spec.Actions) == 0 {
		return list, err
	}
	var found []lts.Label
	for _, l := range s.space.Labels() {
		if sys.Forbidden(l) {
			found = append(found, l)
		}
	}
	slices.SortFunc(found, func(a, b lts.Label) int { return cmp.Compare(sys.LabelText(a), sys.LabelText(b)) })
	if !s.o.All && len(found) > 0 { // the nearest of all
		set, e := s.space.Doing(sys.Forbidden)
		add(set, e, func() (diag.Finding, lts.Path) { return s.step(sys.Forbidden) })
		return list, err
	}
	for _, l := range found {
		set, e := s.space.Doing(func(x lts.Label) bool { return x == l })
		add(set, e, func() (diag.Finding, lts.Path) { return s.step(func(x lts.Label) bool { return x == l }) })
	}
	return list, err
}

// step takes a step with one of some labels, and returns what is wrong with it.
func (s *sets) step(in func(lts.Label) bool) (diag.Finding, lts.Path) {
	sys := s.p.systems[0]
	for _, x := range sys.Enabled(nil) {
		if in(sys.NextLabel(x)) {
			sys.Take(x)
			return sys.CheckStep(nil)[0], lts.Path{x}
		}
	}
	panic(diag.Bugf("an action that was found symbolically cannot be done"))
}

// judge finds out whether formulas hold.
func (s *sets) judge(out *Result) error {
	for _, f := range s.p.formulas {
		answer, err := mucalc.SolveSymbolic(f.Formula, s.space, s.p.systems[0])
		if diag.ExitCode(err) == diag.ExitIncomplete {
			s.leave(out.Result, err, f.name+" is not judged")
			continue
		}
		if err != nil {
			return err
		}
		tr, err := s.p.way(answer.Path)
		if err != nil {
			return err
		}
		if answer.Holds {
			if s.h.Holds != nil {
				s.h.Holds(f.name, "", tr, nil)
			}
			continue
		}
		tr.Finding = diag.Finding{Kind: Formula, Message: f.name + " does not hold"}
		out.Stories = append(out.Stories, tr)
	}
	return nil
}
