package state

import (
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
)

type invariant struct {
	Invariant
	holds func() (bool, error)
}

// CheckState appends the invariants that do not hold.
func (s *System) CheckState(dst []diag.Finding) []diag.Finding {
	for i := range s.invariants {
		if f := s.CheckInvariant(i); f.Kind != "" {
			dst = append(dst, f)
		}
	}
	return dst
}

// CheckInvariant returns what is wrong with an invariant here, a finding without a
// kind if nothing is.
func (s *System) CheckInvariant(i int) diag.Finding {
	inv := &s.invariants[i]
	switch holds, err := inv.holds(); {
	case err != nil:
		return diag.Finding{Kind: "invariant", Message: inv.Name + " has no value: " + err.Error(), Pos: inv.Cond.Pos()}
	case !holds:
		return diag.Finding{Kind: "invariant", Message: inv.Name + " does not hold", Pos: inv.Cond.Pos()}
	}
	return diag.Finding{}
}

// CheckStep appends the action of the last step if it must not happen.
func (s *System) CheckStep(dst []diag.Finding) []diag.Finding {
	if s.last == noLabel {
		return dst
	}
	return s.CheckLabel(dst, lts.Label(s.last))
}

// CheckLabel appends a label if it has an action that must not happen.
func (s *System) CheckLabel(dst []diag.Finding, l lts.Label) []diag.Finding {
	if s.Forbidden(l) {
		dst = append(dst, diag.Finding{Kind: "action", Message: s.LabelText(l), Pos: s.labels.list[l].at})
	}
	return dst
}

// Beyond returns why the steps of the current state are not known, or nil.
func (s *System) Beyond() error {
	s.Enabled(nil)
	return s.err
}

// Describe takes a step and tells which parameters it changed.
func (s *System) Describe(step lts.Step) lts.Event {
	c, t := s.find(step)
	event := lts.Event{Action: s.textOf(&s.labels.list[t[0]]), Pos: c.at}
	for k, p := range c.writes {
		if v := t[1+k]; v != s.state[p] {
			x := s.lps.Params[p]
			event.Changed = append(event.Changed, lts.Change{
				Name: x.Name, Old: s.engine.Format(s.state[p], x.Of), New: s.engine.Format(v, x.Of)})
		}
	}
	s.Take(step)
	return event
}
