package main

import (
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/kernel"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A clockGraph is what has to be known of a graph to say whether the clock may be held back forever: which
// states hold it back, who can run in each, and the steps that are not the clock's.
type clockGraph struct {
	held    []bool
	runners []uint64
	from    []int32
	to      []int32
	movers  []uint64
}

// state notes a new state. States come in the order of their numbers.
func (c *clockGraph) state(sys lts.System) {
	if x, ok := sys.(lts.Clocked); ok {
		c.held, c.runners = append(c.held, x.Held()), append(c.runners, x.Runners())
	}
}

// step notes the step just taken.
func (c *clockGraph) step(sys lts.System, from, to int32) {
	x, ok := sys.(lts.Clocked)
	if !ok {
		return
	}
	if moved := x.Moved(); moved != 0 {
		c.from, c.to, c.movers = append(c.from, from), append(c.to, to), append(c.movers, moved)
	}
}

// forever reports whether the clock can be held back forever: in a circle of states that holds it back somewhere, and in
// which everybody moves who could move all the time.
func (c *clockGraph) forever() bool {
	if !slices.Contains(c.held, true) {
		return false
	}
	of, count := c.components()
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
func (c *clockGraph) components() (of []int32, count int) {
	n := len(c.held)
	along, against := make([][]int32, n), make([][]int32, n)
	for i := range c.from {
		along[c.from[i]] = append(along[c.from[i]], c.to[i])
		against[c.to[i]] = append(against[c.to[i]], c.from[i])
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
