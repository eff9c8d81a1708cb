package recheck

import (
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/kernel"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A graph is what a search has seen.
type graph struct {
	number      map[[sha256.Size]byte]int32 // of states, from 0 on, by a hash of the whole state
	transitions uint64
	clock       clockGraph
	systems     []lts.System // that were searched
	keep        bool         // transitions are kept
	edges       [][]edge     // of each state, if they are
}

// An edge is a transition that is kept.
type edge struct {
	to    int32
	label lts.Label
}

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
		sys, err := p.system()
		if err != nil {
			return nil, err
		}
		g := &graph{number: map[[sha256.Size]byte]int32{}, systems: []lts.System{sys}}
		if err := g.run(sys, p.name, limit); err != nil {
			return nil, err
		}
		known, again := p.settings.Known.Learn(sys.(interface{ Found() *execute.Found }).Found())
		if p.settings.Known = known; !again {
			return g, nil
		}
	}
}

// Examine examines a certificate of a system that is given: tests have some without a program. It returns nil if the system has at most so many states, nothing is wrong with it, and
// the certificate can be of it.
func Examine(data []byte, sys lts.System, limit int) error {
	c, g := &certificate{}, &graph{number: map[[sha256.Size]byte]int32{}}
	if err := c.read(data); err != nil {
		return err
	}
	if err := g.run(sys, "the system", limit); err != nil {
		return err
	}
	return g.compare(c, "")
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
		label := sys.Take(step)
		g.transitions++
		if wrong := checker.CheckStep(nil); len(wrong) > 0 {
			return violation(name, wrong[0])
		}
		fresh, to := g.add(sys)
		g.clock.step(sys, top.state, to)
		if g.keep {
			g.edges[top.state] = append(g.edges[top.state], edge{to, label})
		}
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
		if g.keep {
			g.edges = append(g.edges, nil)
		}
	}
	return !ok, n
}

// enter examines a new state.
func (g *graph) enter(sys lts.System, name string, state int32) (frame, error) {
	if wrong := sys.(lts.Checker).CheckState(nil); len(wrong) > 0 {
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
	states, transitions := uint64(len(g.number)), g.transitions
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

// A clockGraph is what has to be known of a graph to say whether the clock may be held back forever: which
// states hold it back, who can run in each, and the steps that are not the clock's.
type clockGraph struct {
	held            []bool
	runners, movers []uint64
	from, to        []int32
}

// state notes a new state. States come in the order of their numbers.
func (c *clockGraph) state(sys lts.System) {
	if x, ok := sys.(lts.Clocked); ok {
		c.held, c.runners = append(c.held, x.Held()), append(c.runners, x.Runners())
	}
}

// step notes the step just taken.
func (c *clockGraph) step(sys lts.System, from, to int32) {
	if x, ok := sys.(lts.Clocked); ok && x.Moved() != 0 {
		c.from, c.to, c.movers = append(c.from, from), append(c.to, to), append(c.movers, x.Moved())
	}
}

// forever reports whether the clock can be held back forever: in a circle of states that holds it back somewhere, and in
// which everybody moves who could move all the time.
func (c *clockGraph) forever() bool {
	if !slices.Contains(c.held, true) {
		return false
	}
	of, count := components(len(c.held), c.from, c.to)
	held, always, moved := make([]bool, count), make([]uint64, count), make([]uint64, count)
	for i := range always {
		always[i] = ^uint64(0)
	}
	for s, k := range of {
		held[k] = held[k] || c.held[s]
		always[k] &= c.runners[s]
	}
	for i := range c.from {
		if k := of[c.from[i]]; k == of[c.to[i]] {
			moved[k] |= c.movers[i]
		}
	}
	for k := range held {
		if held[k] && moved[k] != 0 && always[k]&^moved[k] == 0 {
			return true
		}
	}
	return false
}

// components returns of each state in which strongly connected component it is, and how many there are: states go into
// one if each can be reached from the other. By two walks (Kosaraju): one along the steps, which puts
// states in the order in which they are left, and one against them, in the reverse of that order.
func components(n int, from, to []int32) (of []int32, count int) {
	along, against := make([][]int32, n), make([][]int32, n)
	for i := range from {
		along[from[i]] = append(along[from[i]], to[i])
		against[to[i]] = append(against[to[i]], from[i])
	}
	left := make([]int32, 0, n)
	seen := make([]bool, n)
	for s := range n {
		left = walk(along, int32(s), seen, left)
	}
	of = make([]int32, n)
	seen = make([]bool, n)
	for _, s := range slices.Backward(left) {
		if seen[s] {
			continue
		}
		for _, member := range walk(against, s, seen, nil) {
			of[member] = int32(count)
		}
		count++
	}
	return of, count
}

// walk goes depth first from a state to all that were not seen yet, and appends them as it leaves them.
func walk(edges [][]int32, from int32, seen []bool, left []int32) []int32 {
	if seen[from] {
		return left
	}
	seen[from] = true
	type place struct {
		state int32
		next  int
	}
	for stack := []place{{from, 0}}; len(stack) > 0; {
		top := &stack[len(stack)-1]
		if top.next == len(edges[top.state]) {
			left = append(left, top.state)
			stack = stack[:len(stack)-1]
			continue
		}
		to := edges[top.state][top.next]
		top.next++
		if !seen[to] {
			seen[to] = true
			stack = append(stack, place{to, 0})
		}
	}
	return left
}

// besides looks at what cannot be seen in one state: that the clock is not held back forever, that no race is
// hidden by a sleep alone, and that the program came to its end and met whom it looked for.
func (p *program) besides(g *graph, limit int) error {
	if g.clock.forever() {
		return diag.Incompletef("%s: the clock may be held back forever, so that timers do not fire: this is not examined here, heddle certify does", p.name)
	}
	met, things := new(kernel.Met), drive.Met(0)
	for _, sys := range g.systems {
		if m := sys.(interface{ Met() *kernel.Met }).Met(); m != nil {
			met.Add(m)
		}
		things |= sys.(interface{ MetThings() drive.Met }).MetThings()
	}
	if refused := met.Refused(); len(refused) > 0 {
		return diag.Incompletef("%s: nobody was at %s, so that only refused connections were seen", p.name, strings.Join(refused, ", "))
	}
	entered := func(sys lts.System) bool {
		return slices.ContainsFunc(p.tests, sys.(interface{ Entered(name string) bool }).Entered)
	}
	if p.test && !slices.ContainsFunc(g.systems, entered) {
		return diag.Incompletef("%s: the test was never run: TestMain ends before it, or leaves it out", p.name)
	}
	if things.Has(drive.MetCut) && !things.Has(drive.MetEnd) {
		return diag.Incompletef("%s: no path came to the end of the program", p.name)
	}
	if !things.Has(drive.MetSleep) || !slices.Contains(g.clock.held, true) {
		return nil
	}
	return p.asleep(limit)
}

// asleep searches for races once more, with sleeps that end at any moment. That may have many more states than there
// were, and what is beyond is a bound of the claim.
func (p *program) asleep(limit int) error {
	own := *p
	own.settings.Properties.Off = slices.DeleteFunc(slices.Clone(execute.AllProperties), func(x execute.Property) bool { return x == execute.Race })
	own.settings.Known.Views.Wakes = true
	_, err := own.search(limit)
	if diag.ExitCode(err) == diag.ExitIncomplete {
		return nil
	}
	return err
}
