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
	sys         lts.System
	name        string                      // of what is searched
	number      map[[sha256.Size]byte]int32 // of states, from 0 on, by a hash of the whole state
	transitions uint64
	clock       clockGraph
	keep        bool     // transitions are kept
	edges       [][]edge // of each state, if they are
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

// search searches the program, once more if a state turns out to be looked at in a way that does not fit the program.
func (p *program) search(limit int) *graph {
	for {
		sys := p.system()
		g := explore(sys, p.name, limit, false)
		known, again := p.settings.Known.Learn(sys.(interface{ Found() *execute.Found }).Found())
		if p.settings.Known = known; !again {
			return g
		}
	}
}

// Examine examines a certificate of a system that is given: tests have some without a program. It returns nil if the system has at most so many states, nothing
// is wrong with it, and the certificate can be of it.
func Examine(data []byte, sys lts.System, limit int) error {
	_, err := attempt(func() *graph {
		c, g := read(data), explore(sys, "the system", limit, false)
		g.compare(c, "")
		return g
	})
	return err
}

// explore goes through all states of a system depth first, by all steps of each.
func explore(sys lts.System, name string, limit int, keep bool) *graph {
	g := &graph{sys: sys, name: name, number: map[[sha256.Size]byte]int32{}, keep: keep}
	_, start := g.add()
	for stack := []frame{g.enter(start)}; len(stack) > 0; {
		top := &stack[len(stack)-1]
		if top.next == len(top.steps) {
			stack = stack[:len(stack)-1]
			continue
		}
		sys.Restore(top.mark)
		label := sys.Take(top.steps[top.next])
		top.next++
		g.transitions++
		violated(name, sys.(lts.Checker).CheckStep(nil)...)
		fresh, to := g.add()
		g.clock.step(sys, top.state, to)
		if keep {
			g.edges[top.state] = append(g.edges[top.state], edge{to, label})
		}
		if len(g.number) > limit {
			giveUp(name, "more than %d states without reduction: -states says how many are examined", limit)
		}
		if fresh {
			stack = append(stack, g.enter(to))
		}
	}
	return g
}

// add gives the current state a number, if it has none yet.
func (g *graph) add() (fresh bool, n int32) {
	hash := sha256.Sum256(g.sys.AppendKey(nil))
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
func (g *graph) enter(state int32) frame {
	violated(g.name, g.sys.(lts.Checker).CheckState(nil)...)
	g.clock.state(g.sys)
	f := frame{state: state, mark: g.sys.Save(), steps: g.sys.Enabled(nil)}
	if len(f.steps) > 0 {
		return f
	}
	if err := g.sys.(lts.Bounded).Beyond(); err != nil {
		giveUp(g.name, "%v", err)
	}
	if end, ok := g.sys.(lts.Finisher); !ok || !end.Final() {
		violated(g.name, diag.Finding{Kind: "deadlock", Message: "no step is enabled"})
	}
	return f
}

// compare refuses a certificate whose graph cannot be that of the program: without reduction the numbers are the same, if states are looked at
// in the same way, and with it there may be fewer.
func (g *graph) compare(c *certificate, views string) {
	states, transitions := uint64(len(g.number)), g.transitions
	fewer := c.States < states || c.Transitions < transitions
	if c.States > states || c.Transitions > transitions || fewer && !c.Header.Reduce && setting(c.Header.Settings, "views") == views {
		refuse("it has %d states and %d transitions, and the program %d and %d", c.States, c.Transitions, states, transitions)
	}
}

// A clockGraph is what has to be known of a graph to say whether the clock may be held back forever: which states hold it back, who can
// run in each, and the steps that are not the clock's.
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

// forever reports whether the clock can be held back forever: in a circle of states that holds it back somewhere, and in which everybody
// moves who could move all the time.
func (c *clockGraph) forever() bool {
	if !slices.Contains(c.held, true) {
		return false
	}
	of, count := components(len(c.held), c.from, c.to)
	held, rests, moved := make([]bool, count), make([]uint64, count), make([]uint64, count)
	for s, k := range of {
		held[k] = held[k] || c.held[s]
		rests[k] |= ^c.runners[s] // who cannot move somewhere
	}
	for i := range c.from {
		if k := of[c.from[i]]; k == of[c.to[i]] {
			moved[k] |= c.movers[i]
		}
	}
	for k := range held {
		if held[k] && moved[k] != 0 && rests[k]|moved[k] == ^uint64(0) {
			return true
		}
	}
	return false
}

// components returns of each state in which strongly connected component it is, where each can be reached from each, by two walks (Kosaraju):
// one along the steps, which puts states in the order in which they are left, and one against them, in the reverse of that order.
func components(n int, from, to []int32) (of []int32, count int) {
	along, against := make([][]int32, n), make([][]int32, n)
	for i := range from {
		along[from[i]] = append(along[from[i]], to[i])
		against[to[i]] = append(against[to[i]], from[i])
	}
	var left []int32
	seen, again := make([]bool, n), make([]bool, n)
	for s := range n {
		left = walk(along, int32(s), seen, left)
	}
	of = make([]int32, n)
	for _, s := range slices.Backward(left) { // those of an earlier one lead nowhere
		for _, member := range walk(against, s, again, nil) {
			of[member] = int32(count)
		}
		count++
	}
	return of, count
}

// walk goes depth first from a state to all that were not seen yet, and appends them as it leaves them.
func walk(edges [][]int32, from int32, seen []bool, left []int32) []int32 {
	for stack := []int32{from}; len(stack) > 0; {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if s < 0 { // those that it leads to were left
			left = append(left, ^s)
		} else if !seen[s] {
			seen[s] = true
			stack = append(append(stack, ^s), edges[s]...)
		}
	}
	return left
}

// besides looks at what cannot be seen in one state: that the clock is not held back forever, that no race is
// hidden by a sleep alone, and that the program met whom it looked for, ran its test and came to its end.
func (p *program) besides(g *graph, limit int) {
	sys := g.sys.(interface {
		Met() *kernel.Met
		MetThings() drive.Met
	})
	met, things := new(kernel.Met), sys.MetThings()
	if m := sys.Met(); m != nil { // which it is of a test
		met.Add(m)
	}
	test, _ := g.sys.(interface {
		Entered(name string) bool
		Skips() bool
	})
	switch tested := p.test != ""; {
	case g.clock.forever():
		giveUp(p.name, "the clock may be held back forever, so that timers do not fire: this is not examined here, heddle certify does")
	case len(met.Awaited()) > 0:
		giveUp(p.name, "nobody came to %s", strings.Join(met.Awaited(), ", "))
	case len(met.Refused()) > 0:
		giveUp(p.name, "nobody was at %s, so that only refused connections were seen", strings.Join(met.Refused(), ", "))
	case len(met.Unused()) > 0:
		giveUp(p.name, "the program never had to do with %s", strings.Join(met.Unused(), ", "))
	case tested && !slices.ContainsFunc(p.functions, test.Entered):
		giveUp(p.name, "the test was never run: TestMain ends before it, or leaves it out")
	case (tested || things.Has(drive.MetCut)) && !things.Has(drive.MetEnd):
		giveUp(p.name, "no path came to the end")
	case tested && test.Skips():
		p.notes += "; the test, or one below it, is skipped somewhere"
	}
	if things.Has(drive.MetSleep) && slices.Contains(g.clock.held, true) {
		p.asleep(limit)
	}
}

// asleep searches for races once more, with sleeps that end at any moment. That may have many more states than there
// were, and what is beyond is a bound of the claim.
func (p program) asleep(limit int) {
	p.settings.Properties.Off = slices.DeleteFunc(slices.Clone(execute.AllProperties), func(x execute.Property) bool { return x == execute.Race })
	p.settings.Known.Views.Wakes = true
	if _, err := attempt(func() *graph { return p.search(limit) }); diag.ExitCode(err) != diag.ExitIncomplete {
		stop(err)
	}
}
