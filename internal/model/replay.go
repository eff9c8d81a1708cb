package model

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/mucalc"
	"github.com/heddle-mc/heddle/internal/mcrl2/record"
	"github.com/heddle-mc/heddle/internal/mcrl2/symbolic"
	"github.com/heddle-mc/heddle/internal/trace"
)

// For replays leaves out of a Spec what a trace is not about: that need not make
// sense any more.
func (s *Spec) For(t *trace.Trace) {
	if t.Finding.Kind != Formula {
		s.Formulas = nil
	}
	if t.Finding.Kind != Invariant {
		s.Invariants = nil
	}
}

// Follow goes along a trace and returns how many of its steps the model still does,
// with what is wrong about the next one.
func Follow(sys lts.System, t *trace.Trace) (int, error) {
	sys.Reset()
	var enabled []lts.Step
	for i, s := range t.Path {
		enabled = sys.Enabled(enabled[:0])
		if !slices.Contains(enabled, s) {
			return i, staleStep(t, i, "cannot be done any more")
		}
		if event := sys.(lts.Describer).Describe(s); event.Action != t.Steps[i].Action {
			return i, staleStep(t, i, "is now "+event.Action)
		}
	}
	return len(t.Path), nil
}

func staleStep(t *trace.Trace, i int, what string) error {
	return diag.Usagef("step %d of %d: %s %s: %v", i+1, len(t.Path), t.Steps[i].Action, what, trace.ErrStale)
}

// ShowsAgain reports whether what a trace is about is so at its end. Formulas are
// judged again.
func (p *Systems) ShowsAgain(t *trace.Trace) (bool, error) {
	switch t.Finding.Kind {
	case Divergence:
		return p.loops(t), nil
	case Nondeterminism:
		return p.branches(t), nil
	case Formula:
		if p.Spec.Symbolic {
			return p.failsSymbolically()
		}
		var seen record.Graph
		_, err := explore.Run(p.New, explore.Options{Strategy: explore.BreadthFirst, All: true, Observer: &seen})
		if err != nil {
			return false, err
		}
		for _, f := range p.formulas {
			out, err := p.solve(f, &seen)
			if err != nil || !out.Holds {
				return err == nil, err
			}
		}
		return false, nil
	}
	sys := p.One()
	sys.Reset()
	lts.MustReplay(sys, t.Path)
	if t.Finding.Kind == Deadlock {
		return len(sys.Enabled(nil)) == 0 && sys.Beyond() == nil, nil
	}
	found := sys.CheckState(nil)
	if len(t.Path) > 0 {
		found = sys.CheckStep(found)
	}
	// Positions depend on how the file was named.
	return slices.ContainsFunc(found, func(f diag.Finding) bool {
		return f.Kind == t.Finding.Kind && f.Message == t.Finding.Message
	}), nil
}

// failsSymbolically reports whether a formula does not hold.
func (p *Systems) failsSymbolically() (bool, error) {
	space, err := symbolic.Reach(p.systems[0], symbolic.Options{Labels: true})
	if err != nil {
		return false, err
	}
	for _, f := range p.formulas {
		out, err := mucalc.SolveSymbolic(f.Formula, space, p.systems[0])
		if err != nil || !out.Holds {
			return err == nil, err
		}
	}
	return false, nil
}

// loops reports whether the end of a trace is a loop of tau steps.
func (p *Systems) loops(t *trace.Trace) bool {
	sys, silent := p.One(), p.silent(p.Spec.Tau)
	sys.Reset()
	keys := []string{string(sys.AppendKey(nil))}
	first := 0 // of the tau steps at the end
	for i, s := range t.Path {
		if !silent(sys.Take(s)) {
			first = i + 1
		}
		keys = append(keys, string(sys.AppendKey(nil)))
	}
	return slices.Contains(keys[first:len(keys)-1], keys[len(keys)-1])
}

// branches reports whether the last step of a trace can lead to another state, too.
func (p *Systems) branches(t *trace.Trace) bool {
	sys := p.One()
	n := len(t.Path) - 1
	if n < 0 {
		return false
	}
	after := func(s lts.Step) (lts.Label, string) {
		sys.Reset()
		lts.MustReplay(sys, t.Path[:n])
		l := sys.Take(s)
		return l, string(sys.AppendKey(nil))
	}
	label, to := after(t.Path[n])
	sys.Reset()
	lts.MustReplay(sys, t.Path[:n])
	return slices.ContainsFunc(sys.Enabled(nil), func(s lts.Step) bool {
		l, k := after(s)
		return l == label && k != to
	})
}
