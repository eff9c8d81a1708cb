package state

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// Summands returns how many summands there are. Those that do nothing do not
// count.
func (s *System) Summands() int { return len(s.summands) }

// Reads returns the parameters on which a summand depends, in ascending order.
func (s *System) Reads(summand int) []int { return s.summands[summand].reads }

// Writes returns the parameters that a summand changes, in ascending order.
func (s *System) Writes(summand int) []int { return s.summands[summand].writes }

// Initial returns the values of the parameters in the initial state.
func (s *System) Initial() []data.Value { return s.initial }

// EachStep calls yield for each step that a summand can do where the parameters
// that it reads have these values, with the values that it writes, which are
// yield's until it returns. The system stands nowhere then, until it is Reset.
func (s *System) EachStep(summand int, read []data.Value, yield func(l lts.Label, written []data.Value)) error {
	c := s.summands[summand]
	for k, p := range c.reads {
		s.state[p] = read[k]
	}
	for _, t := range c.tests {
		if v := s.state[t.param]; v != t.value && s.engine.Ground(v) {
			return nil
		}
	}
	c.found = append(c.found[:0], 0)
	if err := c.sum.Each(s.frame, c.yield); err != nil {
		return err
	}
	if s.stop.said {
		return diag.Incompletef("stopped while the steps of a state were found out")
	}
	c.distinct()
	n := int(c.found[0])
	for k := range n {
		t := c.found[1+k*c.width:][:c.width]
		yield(lts.Label(uint32(t[0])), t[1:1+len(c.writes)])
	}
	return nil
}

// Forbidden reports whether a label has an action that must not happen.
func (s *System) Forbidden(l lts.Label) bool { return s.labels.forbidden(uint32(l)) }

// Invariants returns how many invariants there are.
func (s *System) Invariants() int { return len(s.invariants) }

// InvariantReads returns the parameters on which an invariant depends, in ascending
// order.
func (s *System) InvariantReads(i int) (list []int) {
	free := spec.FreeVars(s.invariants[i].Cond)
	for p, v := range s.lps.Params {
		if slices.Contains(free, v) {
			list = append(list, p)
		}
	}
	return list
}

// InvariantAt returns what is wrong with an invariant where the parameters on which it
// depends have these values, a finding without a kind if nothing is. The system stands
// nowhere then, until it is Reset.
func (s *System) InvariantAt(i int, values []data.Value) diag.Finding {
	for k, p := range s.InvariantReads(i) {
		s.state[p] = values[k]
	}
	return s.CheckInvariant(i)
}

// Silent reports whether all steps of a summand are tau.
func (s *System) Silent(summand int) bool {
	c := s.summands[summand]
	return len(c.calls) == 0 && c.time == nil
}

// Single reports whether a summand has at most one step in each state.
func (s *System) Single(summand int) bool { return !s.summands[summand].sums }

// Wants returns the value that a parameter has to have for a summand to do anything, if
// its condition says so.
func (s *System) Wants(summand, param int) (data.Value, bool) {
	for _, t := range s.summands[summand].tests {
		if t.param == param {
			return t.value, true
		}
	}
	return 0, false
}

// Summand returns the summand of a step.
func (s *System) Summand(step lts.Step) int { return int(step >> s.shift) }
