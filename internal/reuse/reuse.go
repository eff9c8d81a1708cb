// Package reuse checks a program again that has changed a little, with the
// certificate of the program as it was.
//
//	certificate ─► graph ─► Plan ── what did not execute changed code: proven
//	                         │
//	                         └── states before changed code ─► Search ─► new states
//
// It stands on one thing: two programs that differ only in the bodies of some
// functions do the same, byte for byte, as long as none of these is executed. So
// whatever the old program did without executing them, from its start on, the new
// one does, too: the same steps from the same states to the same states, in which
// nothing is wrong. The rest is searched. A state that a path comes back to, and
// that is one of those, is not searched again, since what follows it is proven.
//
// The package knows neither Go nor mCRL2. Which functions have changed is told to
// it, and that nothing else has.
package reuse

import (
	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A Plan says what is proven of a program, and where to search.
type Plan struct {
	Reused  int  // states that are proven
	Saved   int  // their transitions that need not be taken
	Depth   int  // the most steps to one of them
	Outside bool // the program has looked at files of the host

	changed   func(function uint32) bool
	functions []bool // of sets: has one of its functions changed?
	proven    []node // by number of the old state, from 1 on
	edges     []edge
	firsts    []int32 // by state: its last edge, -1 for none
	frontier  []front
	start     bool // the way to the start has executed what has changed

	lastState uint32 // of the record before, 0 if that was a transition
	lastEdge  int    // of the record before, -1 if that was a state
}

// A node is a state of the old program.
type node struct {
	print   cert.Fingerprint
	changed bool // which steps it has may have changed
	reached bool
	depth   int32
	parent  uint32
	by      lts.Step // that leads here from its parent
}

// An edge is a transition of the old program.
type edge struct {
	to      uint32
	next    int32 // of the same state, -1 for none
	step    lts.Step
	changed bool
}

// A front is a proven state with steps that have to be taken.
type front struct {
	state uint32
	all   bool // it has to be asked which ones
	steps []lts.Step
}

// NewPlan reads the graph of a certificate. The functions that have changed are
// those for which changed is true.
func NewPlan(c *cert.Reader, changed func(function uint32) bool) (*Plan, error) {
	p := &Plan{changed: changed, lastEdge: -1, proven: make([]node, 1), firsts: []int32{-1}, functions: []bool{false}}
	if err := c.Graph(p); err != nil {
		return nil, err
	}
	p.cut()
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
func (p *Plan) State(number uint32, f cert.Fingerprint, set int) {
	bad := p.functions[set]
	if bad && p.lastEdge >= 0 {
		p.edges[p.lastEdge].changed = true
	}
	if number == 1 {
		p.start = bad
	}
	p.proven = append(p.proven, node{print: f})
	p.firsts = append(p.firsts, -1)
	p.lastState, p.lastEdge = number, -1
}

// Step implements cert.GraphReader. What was executed since the record before
// belongs to the transition and, if that was a state, to its steps, too.
func (p *Plan) Step(from uint32, s lts.Step, to uint32, set int) {
	bad := p.after(set)
	p.edges = append(p.edges, edge{to, p.firsts[from], s, bad})
	p.lastEdge = len(p.edges) - 1
	p.firsts[from] = int32(p.lastEdge)
}

// after says what a set means for the state of the record before.
func (p *Plan) after(set int) bool {
	bad := p.functions[set]
	if bad && p.lastState != 0 {
		p.proven[p.lastState].changed = true
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

// cut finds the states that are reached without executing what has changed, the
// nearest ones first, and the steps among theirs that have to be taken.
func (p *Plan) cut() {
	if p.start || len(p.proven) < 2 {
		return
	}
	p.proven[1].reached = true
	queue := []uint32{1}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		p.Reused++
		n := &p.proven[at]
		f := front{state: at, all: n.changed}
		for i := p.firsts[at]; i >= 0; i = p.edges[i].next {
			e := &p.edges[i]
			if n.changed || e.changed {
				f.steps = append(f.steps, e.step)
				continue
			}
			p.Saved++
			if t := &p.proven[e.to]; !t.reached {
				t.reached, t.parent, t.by, t.depth = true, at, e.step, n.depth+1
				p.Depth = max(p.Depth, int(t.depth))
				queue = append(queue, e.to)
			}
		}
		if f.all || len(f.steps) > 0 {
			p.frontier = append(p.frontier, f)
		}
	}
}

// path returns the steps to a proven state.
func (p *Plan) path(state uint32) lts.Path {
	var out lts.Path
	for at := state; at != 1; at = p.proven[at].parent {
		out = append(out, p.proven[at].by)
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}
