package main

import (
	"crypto/sha256"
	"os/exec"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A graph is what a search has seen.
type graph struct {
	number      map[[sha256.Size]byte]int32 // of states, from 0 on, by a hash of the whole state
	transitions uint64
	clock       clockGraph
	systems     []lts.System // that were searched
}

func (g *graph) states() int { return len(g.number) }

// A frame is a state on the way.
type frame struct {
	state int32
	mark  lts.Mark
	steps []lts.Step
	next  int
}

// search searches the program depth first, by all steps of each state, once more if a state turns out to be looked
// at in a way that does not fit the program.
func (p *program) search(limit int) (*graph, error) {
	for {
		g, again, err := p.searchOnce(limit)
		if err != nil || !again {
			return g, err
		}
	}
}

func (p *program) searchOnce(limit int) (g *graph, again bool, err error) {
	sys, err := p.system()
	if err != nil {
		return nil, false, err
	}
	g = &graph{number: map[[sha256.Size]byte]int32{}, systems: []lts.System{sys}}
	if err := g.run(sys, p.name, limit); err != nil {
		return nil, false, err
	}
	known, again := p.settings.Known.Learn(sys.(interface{ Found() *execute.Found }).Found())
	p.settings.Known = known
	return g, again, nil
}

// run goes through all states.
func (g *graph) run(sys lts.System, name string, limit int) error {
	checker := sys.(lts.Checker)
	_, start := g.add(sys)
	first, err := g.enter(sys, name, start)
	if err != nil {
		return err
	}
	for stack := []frame{first}; len(stack) > 0; {
		top := &stack[len(stack)-1]
		if top.next == len(top.steps) {
			stack = stack[:len(stack)-1]
			continue
		}
		sys.Restore(top.mark)
		step := top.steps[top.next]
		top.next++
		sys.Take(step)
		g.transitions++
		if wrong := checker.CheckStep(nil); len(wrong) > 0 {
			return violation(name, wrong[0])
		}
		fresh, to := g.add(sys)
		g.clock.step(sys, top.state, to)
		if !fresh {
			continue
		}
		if len(g.number) > limit {
			return diag.Incompletef("%s: more than %d states without reduction: -states says how many are examined", name, limit)
		}
		next, err := g.enter(sys, name, to)
		if err != nil {
			return err
		}
		stack = append(stack, next)
	}
	return nil
}

// add gives the current state a number, if it has none yet.
func (g *graph) add(sys lts.System) (fresh bool, n int32) {
	hash := sha256.Sum256(sys.AppendKey(nil))
	n, ok := g.number[hash]
	if !ok {
		n = int32(len(g.number))
		g.number[hash] = n
	}
	return !ok, n
}

// enter examines a new state.
func (g *graph) enter(sys lts.System, name string, state int32) (frame, error) {
	wrong := sys.(lts.Checker).CheckState(nil)
	if len(wrong) > 0 {
		return frame{}, violation(name, wrong[0])
	}
	g.clock.state(sys)
	f := frame{state: state, mark: sys.Save(), steps: sys.Enabled(nil)}
	if len(f.steps) > 0 {
		return f, nil
	}
	if err := sys.(lts.Bounded).Beyond(); err != nil {
		return f, diag.Incompletef("%s: %v", name, err)
	}
	if end, ok := sys.(lts.Finisher); !ok || !end.Final() {
		return f, violation(name, diag.Finding{Kind: "deadlock", Message: "no step is enabled"})
	}
	return f, nil
}

// compare refuses a certificate whose graph cannot be that of the program: reduction leaves out, and without
// it the numbers are the same, if states are looked at in the same way.
func (g *graph) compare(c *certificate, views string) error {
	states, transitions := uint64(g.states()), g.transitions
	fewer := c.States < states || c.Transitions < transitions
	if c.States > states || c.Transitions > transitions || fewer && !c.Header.Reduce && setting(c.Header.Settings, "views") == views {
		return refuse("it has %d states and %d transitions, and the program %d and %d", c.States, c.Transitions, states, transitions)
	}
	return nil
}

// violation is the refusal because of something that is wrong with the program.
func violation(name string, f diag.Finding) error {
	return refusal{"violation: " + name + ": " + f.Error()}
}

// goList asks the go command for the import path and the folder of a package.
func goList(pattern string) (string, error) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}}\n{{.Dir}}", pattern).CombinedOutput()
	if err != nil {
		return "", diag.Usagef("go list: %s", strings.TrimSpace(string(out)))
	}
	return string(out), nil
}
