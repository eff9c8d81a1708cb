package reuse

import (
	"fmt"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A Result is what a search of the rest has seen.
type Result struct {
	States      int // new ones
	Transitions int // that were taken, without those on the way to where it begins
	Depth       int // the most steps from the start
	// Found says that something is wrong, or that a bound was met: what, a search
	// of everything tells better.
	Found bool
}

// Interrupted is the error of a search that was stopped.
var Interrupted = fmt.Errorf("interrupted")

// Search searches what is not proven, depth first, and ends with the first thing that
// is wrong. It fails if the program does not do on the way what it did before:
// something else has changed.
func (p *Plan) Search(sys lts.System, reduce bool, interrupt func() bool) (*Result, error) {
	s := &searcher{sys: sys, reduce: reduce, interrupt: interrupt, seen: map[cert.Fingerprint]bool{}}
	s.checker, _ = sys.(lts.Checker)
	s.finisher, _ = sys.(lts.Finisher)
	s.bounded, _ = sys.(lts.Bounded)
	for i := range p.proven {
		if p.proven[i].reached {
			s.seen[p.proven[i].print] = true
		}
	}
	for _, f := range p.frontier {
		path := p.path(f.state)
		if err := lts.Replay(sys, path); err != nil {
			return nil, fmt.Errorf("the way to state %d: %v", f.state, err)
		}
		if cert.FingerprintOf(sys, &s.key) != p.proven[f.state].print {
			return nil, fmt.Errorf("the way to state %d leads to another state than before", f.state)
		}
		s.depth = len(path)
		steps := f.steps
		if f.all {
			steps = lts.Steps(sys, nil, reduce)
		}
		if err := s.from(steps); err != nil {
			return nil, err
		}
		if s.res.Found {
			break
		}
	}
	return &s.res, nil
}

// A searcher searches.
type searcher struct {
	sys       lts.System
	checker   lts.Checker
	finisher  lts.Finisher
	bounded   lts.Bounded
	reduce    bool
	interrupt func() bool
	seen      map[cert.Fingerprint]bool
	key       []byte
	depth     int // of where the search begins
	res       Result
}

// A level is a state on the stack.
type level struct {
	steps []lts.Step
	mark  lts.Mark
}

// from searches from the current state by these steps. Without steps it looks
// whether the program may end there.
func (s *searcher) from(steps []lts.Step) error {
	if len(steps) == 0 {
		s.stuck()
		return nil
	}
	stack := []level{{steps, s.sys.Save()}}
	for len(stack) > 0 && !s.res.Found {
		top := &stack[len(stack)-1]
		if len(top.steps) == 0 {
			stack = stack[:len(stack)-1]
			continue
		}
		if s.res.Transitions%1024 == 0 && s.interrupt != nil && s.interrupt() {
			return Interrupted
		}
		s.sys.Restore(top.mark)
		step := top.steps[0]
		top.steps = top.steps[1:]
		s.sys.Take(step)
		s.res.Transitions++
		if s.checker != nil && len(s.checker.CheckStep(nil)) > 0 {
			s.res.Found = true
			continue
		}
		f := cert.FingerprintOf(s.sys, &s.key)
		if s.seen[f] {
			continue
		}
		s.seen[f] = true
		s.res.States++
		s.res.Depth = max(s.res.Depth, s.depth+len(stack))
		if s.checker != nil && len(s.checker.CheckState(nil)) > 0 {
			s.res.Found = true
			continue
		}
		next := lts.Steps(s.sys, nil, s.reduce)
		if len(next) == 0 {
			s.stuck()
			continue
		}
		stack = append(stack, level{next, s.sys.Save()})
	}
	return nil
}

// stuck judges a state without steps.
func (s *searcher) stuck() {
	if s.bounded != nil && s.bounded.Beyond() != nil || s.finisher == nil || !s.finisher.Final() {
		s.res.Found = true
	}
}
