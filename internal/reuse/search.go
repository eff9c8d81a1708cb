package reuse

import (
	"fmt"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A Result is what a search has seen, and what it has not because it is proven.
type Result struct {
	States      int
	Transitions int // that were taken
	Saved       int // that are proven and were not taken
	Depth       int // the most steps from the start
	// Found says that something is wrong, or that a bound was met: what, a search
	// of everything tells better.
	Found bool
}

// ErrInterrupted is the error of a search that was stopped.
var ErrInterrupted = fmt.Errorf("interrupted")

// Search searches depth first, and ends with the first thing that is wrong. It fails if
// the program does not do what it did before where nothing has changed: something else
// has.
func (p *Plan) Search(sys lts.System, reduce bool, interrupt func() bool) (*Result, error) {
	s := &searcher{plan: p, sys: sys, reduce: reduce, interrupt: interrupt, old: map[cert.Fingerprint]uint32{}, seen: map[cert.Fingerprint]bool{}}
	s.checker, _ = sys.(lts.Checker)
	s.finisher, _ = sys.(lts.Finisher)
	s.bounded, _ = sys.(lts.Bounded)
	for i := range p.nodes {
		p.nodes[i].reached = false
		if i > 0 {
			s.old[p.nodes[i].print] = uint32(i)
		}
	}
	sys.Reset()
	if err := s.run(); err != nil {
		return nil, err
	}
	return &s.res, nil
}

// A searcher searches.
type searcher struct {
	plan      *Plan
	sys       lts.System
	checker   lts.Checker
	finisher  lts.Finisher
	bounded   lts.Bounded
	reduce    bool
	interrupt func() bool
	old       map[cert.Fingerprint]uint32 // numbers of the old states
	seen      map[cert.Fingerprint]bool   // new ones
	key       []byte
	stack     []level
	res       Result
}

// A level is a state on the stack, with the steps that are left to be taken. Of a state
// of the old program at which nothing has changed they are edges.
type level struct {
	mark  lts.Mark
	steps []lts.Step
	edge  int32 // -1 for none
}

// run searches from the current state.
func (s *searcher) run() error {
	if f := cert.FingerprintOf(s.sys, &s.key); len(s.plan.nodes) < 2 || f != s.plan.nodes[1].print {
		return fmt.Errorf("the start is another state than before")
	}
	s.arrive()
	for len(s.stack) > 0 && !s.res.Found {
		top := &s.stack[len(s.stack)-1]
		step, want := lts.Step(0), uint32(0)
		switch {
		case len(top.steps) > 0:
			step = top.steps[0]
			top.steps = top.steps[1:]
		case top.edge >= 0:
			e := &s.plan.edges[top.edge]
			top.edge = e.next
			if !e.changed && !s.worth(e.to) {
				s.res.Saved++
				continue
			}
			step = e.step
			if !e.changed {
				want = e.to
			}
		default:
			s.stack = s.stack[:len(s.stack)-1]
			continue
		}
		if err := s.take(top.mark, step, want); err != nil {
			return err
		}
	}
	return nil
}

// take takes a step. If it is one of the old program at which nothing has changed, it
// is known where it leads to.
func (s *searcher) take(from lts.Mark, step lts.Step, want uint32) error {
	if s.res.Transitions%1024 == 0 && s.interrupt != nil && s.interrupt() {
		return ErrInterrupted
	}
	s.sys.Restore(from)
	s.sys.Take(step)
	s.res.Transitions++
	if s.checker != nil && len(s.checker.CheckStep(nil)) > 0 {
		s.res.Found = true
		return nil
	}
	f := cert.FingerprintOf(s.sys, &s.key)
	if want != 0 && f != s.plan.nodes[want].print {
		return fmt.Errorf("a step that executes nothing changed leads to another state than before")
	}
	if n := s.old[f]; n != 0 && s.plan.nodes[n].reached || s.seen[f] {
		return nil
	}
	s.arrive()
	return nil
}

// worth reports whether to go to a state of the old program by a step that has not
// changed. If nothing changed lies ahead, it is proven with all that follows it.
func (s *searcher) worth(state uint32) bool {
	n := &s.plan.nodes[state]
	if n.reached {
		return false
	}
	if n.ahead {
		return true
	}
	n.reached = true
	for list := []uint32{state}; len(list) > 0; {
		at := list[len(list)-1]
		list = list[:len(list)-1]
		s.res.States++
		for i := s.plan.nodes[at].first; i >= 0; i = s.plan.edges[i].next {
			s.res.Saved++
			if to := s.plan.edges[i].to; !s.plan.nodes[to].reached {
				s.plan.nodes[to].reached = true
				list = append(list, to)
			}
		}
	}
	return false
}

// arrive looks at a state that was not reached before.
func (s *searcher) arrive() {
	f := cert.FingerprintOf(s.sys, &s.key)
	s.res.States++
	s.res.Depth = max(s.res.Depth, len(s.stack))
	if n := s.old[f]; n != 0 {
		node := &s.plan.nodes[n]
		node.reached = true
		if !node.changed {
			if node.first >= 0 {
				s.stack = append(s.stack, level{mark: s.sys.Save(), edge: node.first})
			}
			return
		}
	} else {
		s.seen[f] = true
	}
	if s.checker != nil && len(s.checker.CheckState(nil)) > 0 {
		s.res.Found = true
		return
	}
	steps := lts.Steps(s.sys, nil, s.reduce)
	if len(steps) == 0 {
		s.stuck()
		return
	}
	s.stack = append(s.stack, level{mark: s.sys.Save(), steps: steps, edge: -1})
}

// stuck judges a state without steps.
func (s *searcher) stuck() {
	if s.bounded != nil && s.bounded.Beyond() != nil || s.finisher == nil || !s.finisher.Final() {
		s.res.Found = true
	}
}
