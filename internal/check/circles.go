package check

import (
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/graph"
	"github.com/heddle-mc/heddle/internal/lts"
)

// The clock of a program is held back as long as somebody can run, up to a limit. That must not go on forever: a
// program that goes around in circles would never see its timers fire. A circles is the observer of a
// search that looks for that: a strongly connected component of the graph without the steps of the clock,
// in which the clock is held back somewhere, and which is fair, so that nobody is kept waiting: whoever can run in
// all of its states moves in it.
type circles struct {
	number  map[string]int32 // of states, by digest
	held    []bool           // by state
	runners []uint64         // by state
	graph   graph.Graph
	movers  []uint64 // by transition
	any     bool     // some state is held
}

func newCircles() *circles { return &circles{number: make(map[string]int32)} }

// of returns the number of a state.
func (c *circles) of(digest []byte) int32 {
	n, ok := c.number[string(digest)]
	if !ok {
		n = int32(len(c.number))
		c.number[string(digest)] = n
		c.held, c.runners = append(c.held, false), append(c.runners, 0)
	}
	return n
}

// State notes a state.
func (c *circles) State(sys lts.System, digest []byte, _ int) {
	if x, ok := sys.(lts.Clocked); ok {
		n := c.of(digest)
		c.held[n], c.runners[n] = x.Held(), x.Runners()
		c.any = c.any || c.held[n]
	}
}

// Step notes a step, unless it is one of the clock.
func (c *circles) Step(sys lts.System, from, to []byte, _ lts.Step, _ lts.Label) {
	x, ok := sys.(lts.Clocked)
	if !ok {
		return
	}
	if moved := x.Moved(); moved != 0 {
		c.graph.Transitions = append(c.graph.Transitions, graph.Transition{From: c.of(from), To: c.of(to)})
		c.movers = append(c.movers, moved)
	}
}

// found reports whether there is such a component.
func (c *circles) found() bool {
	if !c.any {
		return false
	}
	c.graph.States = len(c.number)
	of, count := graph.Components(&c.graph, 0)
	held := make([]bool, count)
	always := make([]uint64, count) // who can run in all states
	moved := make([]uint64, count)
	for i := range always {
		always[i] = ^uint64(0)
	}
	for state, k := range of {
		held[k] = held[k] || c.held[state]
		always[k] &= c.runners[state]
	}
	for i, t := range c.graph.Transitions {
		if k := of[t.From]; k == of[t.To] {
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

// LookForCircles searches systems, depth first, to find out whether their clock, which was held back in some
// state, can be held back forever. They are told if so.
func LookForCircles(newSystem func() (lts.System, error), o explore.Options) (*explore.Result, error) {
	c := newCircles()
	var made lts.System
	res, err := explore.Run(func() (sys lts.System, err error) {
		made, err = newSystem()
		return made, err
	}, explore.Options{Reduce: o.Reduce, All: true, Limits: o.Limits, Clock: o.Clock, Interrupt: o.Interrupt, Full: o.Full, Observer: c})
	if err == nil && c.found() {
		made.(lts.Clocked).Circles()
	}
	return res, err
}
