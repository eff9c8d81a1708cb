package cli

import (
	"flag"
	"slices"
	"strings"

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

func (m *modelFlags) declare(fs *flag.FlagSet) {
	fs.StringVar(&m.search, "search", "bfs", "search in this `order`: bfs (shortest traces), dfs (faster), random, swarm")
	fs.BoolVar(&m.all, "all", false, "go on after the first finding")
	fs.IntVar(&m.workers, "workers", 1, "search with `n` workers at once")
	fs.Int64Var(&m.states, "states", 0, "stop after `n` states; 0 means no limit")
	fs.IntVar(&m.depth, "depth", 0, "do not follow paths longer than `n` steps; 0 means no limit")
	fs.DurationVar(&m.timeout, "timeout", 0, "stop after duration `d`, as 90s or 10m; 0 means no limit")
	fs.Var(&m.mem, "mem", "stop when visited states take `size` bytes, as 512MB or 2GiB; 0 means no limit")
	fs.Uint64Var(&m.seed, "seed", 0, "of -search random and swarm: other ones for another `n`")
	fs.IntVar(&m.runs, "runs", 0, "of -search random and swarm: `n` walks or members; 0 means 100 walks, 8 members")
	fs.IntVar(&m.swarm, "swarm", 0, "search with a swarm of `n` members: -search swarm -runs n")
	fs.StringVar(&m.store, "store", "fingerprint", "keep visited states as this `kind`: fingerprint, exact, disk, bitstate")
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
	if m.swarm > 0 {
		m.search = "swarm"
	}
	switch {
	case len(m.tau) > 0 && !m.divergence:
		return diag.Usagef("-tau goes with -divergence")
	case !m.recorded():
	case m.workers > 1:
		return diag.Usagef("-workers %d: -divergence and -formula search with one worker", m.workers)
	case m.search != "bfs" && m.search != "dfs":
		return diag.Usagef("-search %s: -divergence and -formula search bfs or dfs", m.search)
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
	run.Settings = []report.Setting{
		{Name: "search", Value: m.search}, {Name: "all", Value: m.all}, {Name: "workers", Value: m.workers},
		{Name: "states", Value: m.states}, {Name: "depth", Value: m.depth}, {Name: "timeout", Value: m.timeout.String()},
		{Name: "mem", Value: int64(m.mem)}, {Name: "seed", Value: m.seed}, {Name: "runs", Value: m.runs}, {Name: "store", Value: m.store},
		{Name: "actions", Value: m.actions.String()}, {Name: "tau", Value: m.tau.String()},
		{Name: "invariants", Value: m.invariants.String()}, {Name: "formulas", Value: m.formulas.String()},
		{Name: "optimise", Value: strings.Join(m.passes.or(m.usual()), ",")},
	}
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
