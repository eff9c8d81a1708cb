package explore

import (
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/stateset"
)

// A cursor is a System with what it can do beyond the contract.
type cursor struct {
	lts.System
	reducer  lts.Reducer // nil without reduction
	checker  lts.Checker
	finisher lts.Finisher
	bounded  lts.Bounded
	actors   lts.Actors
	foreseer lts.Foreseer
	people   lts.Individuals
	causal   lts.Causal

	key, dig []byte
	found    []diag.Finding
	enabled  []lts.Step // see try
}

func newCursor(sys lts.System, reduce bool) *cursor {
	c := &cursor{System: sys}
	if reduce {
		c.reducer, _ = sys.(lts.Reducer)
	}
	c.checker, _ = sys.(lts.Checker)
	c.finisher, _ = sys.(lts.Finisher)
	c.bounded, _ = sys.(lts.Bounded)
	c.actors, _ = sys.(lts.Actors)
	c.foreseer, _ = sys.(lts.Foreseer)
	c.people, _ = sys.(lts.Individuals)
	c.causal, _ = sys.(lts.Causal)
	return c
}

// steps appends the steps to follow from the current state.
func (c *cursor) steps(dst []lts.Step) []lts.Step {
	if c.reducer != nil {
		return c.reducer.Reduced(dst)
	}
	return c.Enabled(dst)
}

// individual returns who takes a step.
func (c *cursor) individual(s lts.Step) uint64 {
	switch {
	case c.people != nil:
		who, _ := c.people.Individual(s)
		return who
	case c.actors != nil:
		return uint64(c.actors.Actor(s))
	}
	return uint64(s)
}

// outside reports whether a step is the clock's.
func (c *cursor) outside(s lts.Step) (outside bool) {
	if c.people != nil {
		_, outside = c.people.Individual(s)
	}
	return outside
}

// digest returns what a set keeps of the current state, up to the next call.
func (c *cursor) digest(set stateset.Set) []byte {
	c.key = c.AppendKey(c.key[:0])
	c.dig = set.Digest(c.dig[:0], c.key)
	return c.dig
}

// foresee returns what a set keeps of the state that a step leads to, up to the
// next call of this or digest. It reports false if the step must be taken to
// know that.
func (c *cursor) foresee(set stateset.Set, s lts.Step) (digest []byte, ok bool) {
	if c.foreseer == nil {
		return nil, false
	}
	if c.key, ok = c.foreseer.AppendNextKey(c.key[:0], s); ok {
		c.dig = set.Digest(c.dig[:0], c.key)
	}
	return c.dig, ok
}

// checkState returns what is wrong with the current state, up to the next call
// of this or the next method.
func (c *cursor) checkState() []diag.Finding {
	if c.checker == nil {
		return nil
	}
	c.found = c.checker.CheckState(c.found[:0])
	return c.found
}

// checkStep returns what was wrong with the step just taken.
func (c *cursor) checkStep() []diag.Finding {
	if c.checker == nil {
		return nil
	}
	c.found = c.checker.CheckStep(c.found[:0])
	return c.found
}

// stuck judges a state without steps: a deadlock, a bound of the system, or all
// is well. Where the system has findings of its own it has said why nothing goes
// on, and this is not a deadlock besides.
func (c *cursor) stuck() (deadlock bool, beyond error) {
	if c.bounded != nil {
		if err := c.bounded.Beyond(); err != nil {
			return false, err
		}
	}
	if c.finisher != nil && c.finisher.Final() || len(c.checkState()) > 0 {
		return false, nil
	}
	return true, nil
}

// deadlock is the finding where no step is enabled.
var deadlock = diag.Finding{Kind: "deadlock", Message: "no step is enabled"}
