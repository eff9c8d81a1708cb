package cli

import (
	"flag"
	"strings"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/model"
	"github.com/heddle-mc/heddle/internal/report"
)

// modelFlags are the settings of the search of a model.
type modelFlags struct {
	checkFlags
	look   model.Spec
	passes passList
}

// modelSettings are the settings of checks that models have, too.
var modelSettings = []string{"search", "all", "workers", "states", "depth", "timeout", "mem", "seed", "runs", "swarm", "store"}

func (m *modelFlags) declare(fs *flag.FlagSet) {
	m.Spec = *check.New()
	m.Search.Order = "bfs"
	m.Declare(fs, modelSettings...)
	fs.Lookup("search").Usage = "search in this `order`: bfs (shortest traces), dfs (faster), random, swarm"
	fs.BoolVar(&m.look.Deadlock, model.Deadlock, false, "look for states without steps; this is what is looked for if nothing is said")
	fs.Var((*tagList)(&m.look.Actions), model.Action, "look for actions with these `names`, separated by commas")
	fs.BoolVar(&m.look.Divergence, model.Divergence, false, "look for loops of tau steps")
	fs.BoolVar(&m.look.Nondeterminism, model.Nondeterminism, false, "look for states with two steps that do the same and lead to different states")
	fs.Var((*tagList)(&m.look.Tau), "tau", "for -divergence, actions with these `names` are tau, too")
	fs.Var((*textList)(&m.look.Invariants), model.Invariant, "look for states in which `expr`, a condition over the parameters of the linear process, does not hold")
	fs.Var((*textList)(&m.look.Formulas), model.Formula, "check the formula of the modal mu-calculus in `file` (.mcf)")
	fs.Var(&m.passes, "optimise", passHelp)
	fs.BoolVar(&m.look.Confluence, "confluence", false, confluenceHelp)
	fs.BoolVar(&m.look.Symbolic, "symbolic", false, "find states as sets (decision diagrams) instead of one by one: for models with very many states of processes side by side")
}

// settle decides what is looked for: what is asked for, and deadlocks if nothing
// is. The transformations are those that go with it, unless others were asked for.
func (m *modelFlags) settle(fs *flag.FlagSet) error {
	look := &m.look
	asked := len(look.Actions)+len(look.Invariants)+len(look.Formulas) > 0 || look.Divergence || look.Nondeterminism
	fs.Visit(func(f *flag.Flag) { asked = asked || f.Name == model.Deadlock })
	if !asked {
		look.Deadlock = true
	}
	look.Passes = m.passes.or(look.Usual())
	if m.Search.Swarm > 0 {
		m.Search.Order = "swarm"
	}
	if err := m.symbolic(fs); err != nil {
		return err
	}
	if err := m.confluence(fs); err != nil {
		return err
	}
	switch {
	case len(look.Tau) > 0 && !look.Divergence:
		return diag.Usagef("-tau goes with -divergence")
	case !look.Recorded():
	case m.Search.Workers > 1 && m.Search.Order != "bfs":
		return diag.Usagef("-workers %d: -divergence, -nondeterminism and -formula search with several workers in the order bfs only", m.Search.Workers)
	case m.Search.Order != "bfs" && m.Search.Order != "dfs":
		return diag.Usagef("-search %s: -divergence, -nondeterminism and -formula search bfs or dfs", m.Search.Order)
	}
	return nil
}

// symbolic refuses what a search with sets of states does not do.
func (m *modelFlags) symbolic(fs *flag.FlagSet) (err error) {
	if !m.look.Symbolic {
		return nil
	}
	fs.Visit(func(f *flag.Flag) {
		why := ""
		switch f.Name {
		case model.Divergence, model.Nondeterminism, "tau":
			why = "it looks for deadlocks, actions, invariants and formulas; nu X. <tau>X is a formula that says that a loop of tau steps begins here"
		case "search", "workers", "states", "depth", "seed", "runs", "swarm", "store":
			why = "it has no order in which single states are searched; -timeout and -mem are its limits"
		case "cert", "distribute":
			why = "it keeps no transitions that others could examine"
		case "evidence":
			why = "it has no evidence but a way"
		}
		if why != "" && err == nil {
			err = diag.Usagef("-%s does not go with -symbolic: %s", f.Name, why)
		}
	})
	return err
}

// confluence refuses what a graph without some of its states does not tell.
func (m *modelFlags) confluence(fs *flag.FlagSet) (err error) {
	if !m.look.Confluence {
		return nil
	}
	fs.Visit(func(f *flag.Flag) {
		why := ""
		switch f.Name {
		case model.Divergence, model.Nondeterminism, model.Invariant, model.Formula, "tau":
			why = "it keeps deadlocks and actions, but not all states and not endless tau"
		case "cert", "distribute", "symbolic":
			why = "it is for searches of states one by one, here"
		}
		if why != "" && err == nil {
			err = diag.Usagef("-%s does not go with -confluence: %s", f.Name, why)
		}
	})
	return err
}

// describe fills in what a report says about the search.
func (m *modelFlags) describe(run *report.Run) {
	look := &m.look
	run.Properties = []report.Property{
		{Name: model.Deadlock, On: look.Deadlock}, {Name: model.Action, On: len(look.Actions) > 0}, {Name: model.Divergence, On: look.Divergence},
		{Name: model.Nondeterminism, On: look.Nondeterminism},
		{Name: model.Invariant, On: len(look.Invariants) > 0}, {Name: model.Formula, On: len(look.Formulas) > 0},
	}
	run.Settings = append(m.Reported(modelSettings...), []report.Setting{
		{Name: "actions", Value: strings.Join(look.Actions, ",")}, {Name: "tau", Value: strings.Join(look.Tau, ",")},
		{Name: "invariants", Value: strings.Join(look.Invariants, ", ")}, {Name: "formulas", Value: strings.Join(look.Formulas, ", ")},
		{Name: "optimise", Value: strings.Join(look.Passes, ",")}, {Name: "symbolic", Value: look.Symbolic}, {Name: "confluence", Value: look.Confluence},
	}...)
}
