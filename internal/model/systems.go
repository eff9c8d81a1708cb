package model

import (
	"crypto/sha256"
	"os"
	"slices"
	"sync"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/confluence"
	"github.com/heddle-mc/heddle/internal/mcrl2/formula"
	"github.com/heddle-mc/heddle/internal/mcrl2/mucalc"
	"github.com/heddle-mc/heddle/internal/mcrl2/record"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
)

// Systems are the transition systems of a model, one for each worker of a search.
type Systems struct {
	Model *Model
	Spec  *Spec

	formulas []namedFormula
	// confluent summands, if states are left out because of them
	confluent []bool
	mu        sync.Mutex
	systems   []*state.System
	next      int
}

type namedFormula struct {
	name string
	hash [sha256.Size]byte // of its text
	*formula.Formula
}

// Prepare reads invariants and formulas, and makes a system for each worker, one
// after the other.
func Prepare(m *Model, s *Spec, workers int) (*Systems, error) {
	if s.Recorded() {
		if err := m.certain("formulas, divergence and nondeterminism are looked for"); err != nil {
			return nil, err
		}
	}
	p := &Systems{Model: m, Spec: s}
	l := *m.LPS
	for _, name := range s.Formulas {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, diag.Usagef("%v", err)
		}
		x, err := types.LoadFormula(l.Data, l.Actions, name, text)
		if err != nil {
			return nil, err
		}
		// What one formula declares the next ones may use.
		l.Data = x.Data
		p.formulas = append(p.formulas, namedFormula{name, sha256.Sum256(text), x})
	}
	o := state.Options{Actions: s.Actions}
	for _, text := range s.Invariants {
		x, err := types.ExprOf(l.Data, l.Params, text, l.Sorts.Basic(spec.Bool))
		if err != nil {
			return nil, diag.Usagef("-invariant '%s': %v; the parameters are %s", text, err, m.paramNames())
		}
		o.Invariants = append(o.Invariants, state.Invariant{Name: text, Cond: x})
	}
	for range max(workers, 1) {
		sys, err := state.New(&l, o)
		if err != nil {
			return nil, err
		}
		p.systems = append(p.systems, sys)
	}
	if s.Confluence {
		p.confluent = confluence.Find(p.systems[0])
	}
	return p, nil
}

// StopWhen says when systems are to stop, in the middle of a state that has very many steps.
func (p *Systems) StopWhen(ask func() bool) {
	for _, s := range p.systems {
		s.StopWhen(ask)
	}
}

// New gives out the next system. A search that begins again, as one with several
// workers does to settle what it found, does not use the others any more.
func (p *Systems) New() (lts.System, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next++
	return p.wrapped(p.systems[(p.next-1)%len(p.systems)]), nil
}

// One returns a system that nobody uses any more. It stands anywhere.
func (p *Systems) One() subject { return p.wrapped(p.systems[0]) }

// A subject is what is searched.
type subject interface {
	lts.System
	lts.Checker
	lts.Bounded
	lts.Describer
	LabelText(lts.Label) string
}

func (p *Systems) wrapped(s *state.System) subject {
	switch {
	case p.confluent != nil && p.Spec.Deadlock:
		return confluence.New(s, p.confluent)
	case p.confluent != nil:
		return calmReduced{confluence.New(s, p.confluent)}
	case p.Spec.Deadlock:
		return s
	}
	return calm{s}
}

// A calm system takes states without steps for the end of a run.
type calm struct{ *state.System }

// Final reports that this is a good end.
func (calm) Final() bool { return true }

// A calmReduced system is the same without states that confluent steps make needless.
type calmReduced struct{ *confluence.System }

// Final reports that this is a good end.
func (calmReduced) Final() bool { return true }

// inside returns the system of the process.
func inside(sys lts.System) *state.System {
	switch s := sys.(type) {
	case calm:
		return s.System
	case calmReduced:
		return s.Base()
	case *confluence.System:
		return s.Base()
	}
	return sys.(*state.System)
}

// silent returns which labels are tau, or made of hidden actions alone.
func (p *Systems) silent(hidden []string) func(lts.Label) bool {
	return func(l lts.Label) bool {
		return !slices.ContainsFunc(p.systems[0].Performed(l), func(p state.Performed) bool { return !slices.Contains(hidden, p.Action.Name) })
	}
}

// solve finds out whether a formula holds in the initial state.
func (p *Systems) solve(f namedFormula, g *record.Graph) (*mucalc.Outcome, error) {
	return mucalc.Solve(f.Formula, g, p.systems[0])
}
