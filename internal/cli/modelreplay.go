package cli

import (
	"fmt"
	"io"
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/record"
	"github.com/heddle-mc/heddle/internal/trace"
)

// replayModel replays the trace of a model up to a step.
func (r *replayer) replayModel(t *trace.Trace, last int) (int, error) {
	flags, name, err := readModelRecipe(t.Settings, r.dir)
	if err != nil {
		return 0, err
	}
	mod, err := loadModel(name, flags.passes.names)
	if err != nil {
		return 0, err
	}
	if mod.identity() != t.Program {
		fmt.Fprintln(r.app.Stderr, "heddle replay: the model has changed since it was checked")
	}
	// What the trace is not about need not make sense any more.
	if t.Finding.Kind != kindFormula {
		flags.formulas = nil
	}
	if t.Finding.Kind != kindInvariant {
		flags.invariants = nil
	}
	var m modelSystem
	if err := m.prepare(mod, flags, 1); err != nil {
		return 0, err
	}
	sys := m.one()
	fits, err := followModel(sys, t)
	n := min(fits, last)
	if r.step == 0 {
		io.WriteString(r.app.Stdout, t.StepsText(1, n))
	} else if r.step <= n {
		io.WriteString(r.app.Stdout, t.StepsText(r.step, r.step))
	}
	if fits < last {
		return 0, err
	}
	r.after(t, last)
	if last < len(t.Steps) || t.Finding.Kind == "" {
		return diag.ExitOK, nil
	}
	again, err := m.showsAgain(flags, t)
	if err != nil {
		return 0, err
	}
	if !again {
		return 0, diag.Usagef("after step %d: the finding does not show: %s: %v", last, t.Finding.Error(), trace.ErrStale)
	}
	fmt.Fprintln(r.app.Stdout, t.Finding.Error())
	return diag.ExitFinding, nil
}

// followModel goes along a trace and returns how many of its steps the model still
// does, with what is wrong about the next one.
func followModel(sys lts.System, t *trace.Trace) (int, error) {
	sys.Reset()
	var enabled []lts.Step
	for i, s := range t.Path {
		enabled = sys.Enabled(enabled[:0])
		if !slices.Contains(enabled, s) {
			return i, staleStep(t, i, "cannot be done any more")
		}
		if event := systemOf(sys).Describe(s); event.Action != t.Steps[i].Action {
			return i, staleStep(t, i, "is now "+event.Action)
		}
	}
	return len(t.Path), nil
}

func staleStep(t *trace.Trace, i int, what string) error {
	return diag.Usagef("step %d of %d: %s %s: %v", i+1, len(t.Path), t.Steps[i].Action, what, trace.ErrStale)
}

// showsAgain reports whether what a trace is about is so at its end. Formulas are
// judged again.
func (m *modelSystem) showsAgain(flags *modelFlags, t *trace.Trace) (bool, error) {
	switch t.Finding.Kind {
	case kindDivergence:
		return m.loops(flags, t), nil
	case kindFormula:
		var seen record.Graph
		_, err := explore.Run(m.new, explore.Options{Strategy: explore.BreadthFirst, All: true, Observer: &seen})
		if err != nil {
			return false, err
		}
		for _, f := range m.formulas {
			out, err := m.solve(f, &seen)
			if err != nil || !out.Holds {
				return err == nil, err
			}
		}
		return false, nil
	}
	sys := m.systems[0]
	sys.Reset()
	lts.MustReplay(sys, t.Path)
	if t.Finding.Kind == kindDeadlock {
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

// loops reports whether the end of a trace is a loop of tau steps.
func (m *modelSystem) loops(flags *modelFlags, t *trace.Trace) bool {
	sys, silent := m.one(), m.silent(flags.tau)
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
