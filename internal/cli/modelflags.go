package cli

import (
	"flag"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/report"
)

// The kinds of findings of models.
const (
	kindDeadlock   = "deadlock"
	kindAction     = "action"
	kindDivergence = "divergence"
	kindInvariant  = "invariant"
	kindFormula    = "formula"
)

// modelFlags are the settings of the search of a model.
type modelFlags struct {
	checkFlags
	deadlock   bool
	actions    tagList
	divergence bool
	tau        tagList
	invariants textList
	formulas   textList
	passes     passList
}

// modelSettings are the settings of checks that models have, too.
var modelSettings = []string{"search", "all", "workers", "states", "depth", "timeout", "mem", "seed", "runs", "swarm", "store"}

func (m *modelFlags) declare(fs *flag.FlagSet) {
	m.Spec = *check.New()
	m.Search.Order = "bfs"
	m.Declare(fs, modelSettings...)
	fs.Lookup("search").Usage = "search in this `order`: bfs (shortest traces), dfs (faster), random, swarm"
	fs.BoolVar(&m.deadlock, kindDeadlock, false, "look for states without steps; this is what is looked for if nothing is said")
	fs.Var(&m.actions, kindAction, "look for actions with these `names`, separated by commas")
	fs.BoolVar(&m.divergence, kindDivergence, false, "look for loops of tau steps")
	fs.Var(&m.tau, "tau", "for -divergence, actions with these `names` are tau, too")
	fs.Var(&m.invariants, kindInvariant, "look for states in which `expr`, a condition over the parameters of the linear process, does not hold")
	fs.Var(&m.formulas, kindFormula, "check the formula of the modal mu-calculus in `file` (.mcf)")
	fs.Var(&m.passes, "optimise", passHelp)
}

// settle decides what is looked for: what is asked for, and deadlocks if nothing
// is.
func (m *modelFlags) settle(fs *flag.FlagSet) error {
	asked := len(m.actions)+len(m.invariants)+len(m.formulas) > 0 || m.divergence
	fs.Visit(func(f *flag.Flag) { asked = asked || f.Name == kindDeadlock })
	if !asked {
		m.deadlock = true
	}
	if m.Search.Swarm > 0 {
		m.Search.Order = "swarm"
	}
	switch {
	case len(m.tau) > 0 && !m.divergence:
		return diag.Usagef("-tau goes with -divergence")
	case !m.recorded():
	case m.Search.Workers > 1:
		return diag.Usagef("-workers %d: -divergence and -formula search with one worker", m.Search.Workers)
	case m.Search.Order != "bfs" && m.Search.Order != "dfs":
		return diag.Usagef("-search %s: -divergence and -formula search bfs or dfs", m.Search.Order)
	}
	return nil
}

// recorded reports whether the graph has to be kept.
func (m *modelFlags) recorded() bool { return m.divergence || len(m.formulas) > 0 }

// usual returns the transformations that go with what is looked for.
func (m *modelFlags) usual() []string {
	if len(m.invariants) > 0 {
		return keepingPasses
	}
	return usualPasses
}

// describe fills in what a report says about the search.
func (m *modelFlags) describe(run *report.Run) {
	run.Properties = []report.Property{
		{Name: kindDeadlock, On: m.deadlock}, {Name: kindAction, On: len(m.actions) > 0}, {Name: kindDivergence, On: m.divergence},
		{Name: kindInvariant, On: len(m.invariants) > 0}, {Name: kindFormula, On: len(m.formulas) > 0},
	}
	run.Settings = append(m.Reported(modelSettings...), []report.Setting{
		{Name: "actions", Value: m.actions.String()}, {Name: "tau", Value: m.tau.String()},
		{Name: "invariants", Value: m.invariants.String()}, {Name: "formulas", Value: m.formulas.String()},
		{Name: "optimise", Value: strings.Join(m.passes.or(m.usual()), ",")},
	}...)
}

// known refuses names of actions that the model does not have: a search for them
// would find nothing.
func (m *modelFlags) known(mod *model) error {
	for _, name := range slices.Concat(m.actions, m.tau) {
		if !mod.hasAction(name) {
			return diag.Usagef("%s has no action %q", mod.name, name)
		}
	}
	return nil
}
