package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/formula"
	"github.com/heddle-mc/heddle/internal/mcrl2/mucalc"
	"github.com/heddle-mc/heddle/internal/mcrl2/record"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
)

// A modelSystem makes the systems of a model for a search.
type modelSystem struct {
	model    *model
	formulas []namedFormula

	mu      sync.Mutex
	systems []*state.System
	next    int
	endless bool // states without steps are no deadlocks
}

type namedFormula struct {
	name string
	*formula.Formula
}

// prepare reads invariants and formulas, and makes a system for each worker, one
// after the other.
func (m *modelSystem) prepare(mod *model, f *modelFlags, workers int) error {
	m.model, m.endless = mod, !f.deadlock
	l := *mod.lps
	for _, name := range f.formulas {
		text, err := readText(name)
		if err != nil {
			return err
		}
		x, err := types.LoadFormula(l.Data, l.Actions, name, text)
		if err != nil {
			return err
		}
		// What one formula declares the next ones may use.
		l.Data = x.Data
		m.formulas = append(m.formulas, namedFormula{name, x})
	}
	o := state.Options{Actions: f.actions}
	for _, text := range f.invariants {
		x, err := m.condition(&l, text)
		if err != nil {
			return err
		}
		o.Invariants = append(o.Invariants, state.Invariant{Name: text, Cond: x})
	}
	for range max(workers, 1) {
		sys, err := state.New(&l, o)
		if err != nil {
			return err
		}
		m.systems = append(m.systems, sys)
	}
	return nil
}

// condition reads a condition over the parameters.
func (m *modelSystem) condition(l *spec.LPS, text string) (spec.Expr, error) {
	x, err := types.ExprOf(l.Data, l.Params, text, l.Sorts.Basic(spec.Bool))
	if err != nil {
		return nil, diag.Usagef("-invariant '%s': %v; the parameters are %s", text, err, m.model.paramNames())
	}
	return x, nil
}

// new gives out the next system. A search that begins again, as one with several
// workers does to settle what it found, does not use the others any more.
func (m *modelSystem) new() (lts.System, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.next++
	return m.wrapped(m.systems[(m.next-1)%len(m.systems)]), nil
}

// one returns a system that nobody uses any more. It stands anywhere.
func (m *modelSystem) one() lts.System { return m.wrapped(m.systems[0]) }

func (m *modelSystem) wrapped(s *state.System) lts.System {
	if m.endless {
		return calm{s}
	}
	return s
}

// A calm system takes states without steps for the end of a run.
type calm struct{ *state.System }

// Final reports that this is a good end.
func (calm) Final() bool { return true }

// silent returns which labels are tau, or made of hidden actions alone.
func (m *modelSystem) silent(hidden []string) func(lts.Label) bool {
	return func(l lts.Label) bool {
		return !slices.ContainsFunc(m.systems[0].Performed(l), func(p state.Performed) bool { return !slices.Contains(hidden, p.Action.Name) })
	}
}

// solve finds out whether a formula holds in the initial state.
func (m *modelSystem) solve(f namedFormula, g *record.Graph) (*mucalc.Outcome, error) {
	return mucalc.Solve(f.Formula, g, m.systems[0])
}

// endless says where a way begins that is repeated for ever.
func endless(o *mucalc.Outcome) string {
	if o.Loop < 0 {
		return ""
	}
	return fmt.Sprintf(", steps from %d on for ever", o.Loop+1)
}

// modelSetting is the setting of a trace that names the model.
const modelSetting = "model"

// recipe returns what is needed to get at the same state space again. File names
// are relative to dir.
func (m *modelFlags) recipe(dir string, mod *model) map[string]string {
	r := map[string]string{"dir": dir, modelSetting: mod.name, "optimise": strings.Join(m.passes.or(m.usual()), ",")}
	if r["optimise"] == "" {
		r["optimise"] = "none"
	}
	if m.deadlock {
		r[kindDeadlock] = "true"
	}
	if m.divergence {
		r[kindDivergence] = "true"
	}
	for name, list := range m.lists() {
		if len(*list) > 0 {
			data, _ := json.Marshal(*list) // strings can be written
			r[name] = string(data)
		}
	}
	return r
}

func (m *modelFlags) lists() map[string]*[]string {
	return map[string]*[]string{
		"actions": (*[]string)(&m.actions), "tau": (*[]string)(&m.tau),
		"invariants": (*[]string)(&m.invariants), "formulas": (*[]string)(&m.formulas),
	}
}

// readModelRecipe reads the settings of a trace. The name of the model, and those
// of formulas, are made absolute.
func readModelRecipe(settings map[string]string, dir string) (m *modelFlags, name string, err error) {
	m = &modelFlags{}
	if dir == "" {
		dir = settings["dir"]
	}
	place := func(name string) string {
		if filepath.IsAbs(name) {
			return name
		}
		return filepath.Join(dir, name)
	}
	lists := m.lists()
	for key, value := range settings {
		switch {
		case key == "dir" || key == modelSetting:
		case key == "optimise":
			err = m.passes.Set(value)
		case key == kindDeadlock:
			m.deadlock = true
		case key == kindDivergence:
			m.divergence = true
		case lists[key] != nil:
			err = json.Unmarshal([]byte(value), lists[key])
		default:
			err = fmt.Errorf("it is unknown")
		}
		if err != nil {
			return nil, "", diag.Usagef("trace: setting %s: %v", key, err)
		}
	}
	for i, f := range m.formulas {
		m.formulas[i] = place(f)
	}
	return m, place(settings[modelSetting]), nil
}
