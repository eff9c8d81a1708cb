// Package reuse checks a program again that has changed a little, with the
// certificate of the program as it was.
//
//	certificate ─► graph ─► Plan ── transitions that execute nothing changed
//	                         │
//	                       Search ── the others are taken, and what follows
//
// It stands on one thing: two programs that differ only in the bodies of some
// functions do the same, byte for byte, as long as none of these is executed. So
// from a state that is not in the middle of one of them, and that both programs
// have, the new program does all that the old one did without executing them: the
// same steps to the same states, in which nothing is wrong. The search goes from
// state to state of the new program. Where it comes to a state that the old one had,
// it takes only the steps that execute what has changed, and those that lead to
// where there are more of them.
//
// The package knows neither Go nor mCRL2. Which functions have changed is told to
// it, and that nothing else has.
package reuse

import (
	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A Plan is the graph of the old program, with what has changed.
type Plan struct {
	Outside bool // the program has looked at files of the host

	changed   func(function uint32) bool
	functions []bool // of sets: has one of its functions changed?
	nodes     []node // by number of the old state, from 1 on
	edges     []edge
	start     bool // the way to the start has executed what has changed

	lastState uint32 // of the record before, 0 if that was a transition
	lastEdge  int    // of the record before, -1 if that was a state
}

// A node is a state of the old program.
type node struct {
	print   cert.Fingerprint
	changed bool  // which steps it has, or what they do, may have changed
	ahead   bool  // there is something changed here, or where steps that are not lead
	reached bool  // by the new program
	first   int32 // edge, -1 for none
}

// An edge is a transition of the old program.
type edge struct {
	from, to uint32
	next     int32 // of the same state, -1 for none
	step     lts.Step
	changed  bool
}

// NewPlan reads the graph of a certificate. The functions that have changed are
// those for which changed is true.
func NewPlan(c *cert.Reader, changed func(function uint32) bool) (*Plan, error) {
	p := &Plan{changed: changed, lastEdge: -1, nodes: make([]node, 1), functions: []bool{false}}
	if err := c.Graph(p); err != nil {
		return nil, err
	}
	p.look()
	return p, nil
}

// Set implements cert.GraphReader.
func (p *Plan) Set(_ int, functions []uint32) {
	any := false
	for _, f := range functions {
		any = any || p.changed(f)
	}
	p.functions = append(p.functions, any)
}

// State implements cert.GraphReader. What was executed since the record before
// belongs to the transition that led here.
func (p *Plan) State(number uint32, f cert.Fingerprint, set, standing int) {
	bad := p.functions[set]
	if bad && p.lastEdge >= 0 {
		p.edges[p.lastEdge].changed = true
	}
	if number == 1 {
		p.start = bad
	}
	p.nodes = append(p.nodes, node{print: f, first: -1, changed: p.functions[standing]})
	p.lastState, p.lastEdge = number, -1
}

// Step implements cert.GraphReader. What was executed since the record before
// belongs to the transition and, if that was a state, to its steps, too.
func (p *Plan) Step(from uint32, s lts.Step, to uint32, set int) {
	bad := p.after(set)
	p.edges = append(p.edges, edge{from, to, p.nodes[from].first, s, bad})
	p.lastEdge = len(p.edges) - 1
	p.nodes[from].first = int32(p.lastEdge)
}

// after says what a set means for the state of the record before.
func (p *Plan) after(set int) bool {
	bad := p.functions[set]
	if bad && p.lastState != 0 {
		p.nodes[p.lastState].changed = true
	}
	p.lastState = 0
	return bad
}

// End implements cert.GraphReader.
func (p *Plan) End(set int, outside bool) {
	p.after(set)
	p.Outside = outside
}

// Useless reports that the start itself has executed what has changed, so that
// nothing is proven.
func (p *Plan) Useless() bool { return p.start }

// look finds the states from which something changed can be come to by transitions
// that are not.
func (p *Plan) look() {
	into := make([][]uint32, len(p.nodes)) // from where such transitions come
	var list []uint32
	mark := func(state uint32) {
		if n := &p.nodes[state]; !n.ahead {
			n.ahead = true
			list = append(list, state)
		}
	}
	for i := range p.edges {
		if e := &p.edges[i]; e.changed {
			mark(e.from)
		} else {
			into[e.to] = append(into[e.to], e.from)
		}
	}
	for i := range p.nodes {
		if p.nodes[i].changed {
			mark(uint32(i))
		}
	}
	for len(list) > 0 {
		at := list[len(list)-1]
		list = list[:len(list)-1]
		for _, from := range into[at] {
			mark(from)
		}
	}
}
