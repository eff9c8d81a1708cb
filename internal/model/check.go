package model

import (
	"fmt"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/mucalc"
	"github.com/heddle-mc/heddle/internal/mcrl2/record"
	"github.com/heddle-mc/heddle/internal/mcrl2/symbolic"
	"github.com/heddle-mc/heddle/internal/trace"
)

// Hooks are what the caller of Check does. Only Search is needed.
type Hooks struct {
	// Search searches the systems. It is explore.Run, or who has it done elsewhere.
	Search func(o explore.Options) (*explore.Result, error)
	// Stop is asked now and then while stories are told.
	Stop func() bool
	// Holds is told that a formula holds, a way that shows it if there is one, and
	// evidence, unless there is too much of it.
	Holds func(formula string, how string, way *trace.Trace, e *Evidence)
	// Progress is told of symbolic searches, with nanoseconds since they began.
	Progress func(p symbolic.Progress, elapsed int64)
}

// A Result is what a search has found, with the story of each finding. Those of
// loops and formulas are not among the findings of the search.
type Result struct {
	*explore.Result
	Stories []*trace.Trace
	Proofs  []Proof // of formulas that hold
	// Evidence is that of stories of formulas, unless there is too much of it.
	Evidence map[*trace.Trace]*Evidence
	Symbolic *Symbolic // nil if states were searched one by one
}

// Check searches a model and looks at what was found. With findings and without
// o.All the graph is not judged: it is not complete.
func (p *Systems) Check(o explore.Options, h Hooks) (*Result, error) {
	if p.Spec.Symbolic {
		return p.symbolically(o, h)
	}
	var seen record.Graph
	if p.Spec.Recorded() {
		o.Observer = &seen
		if !p.Spec.all() {
			seen.Keep = p.silent(p.Spec.Tau)
		}
	}
	res, err := h.Search(o)
	if err != nil {
		return nil, err
	}
	if p.Spec.Recorded() {
		seen.Settle(p.One())
	}
	out := &Result{Result: res, Evidence: map[*trace.Trace]*Evidence{}}
	for _, f := range res.Findings {
		tr, err := p.Tell(f.Path, f.Finding, h.Stop)
		if err != nil {
			return nil, err
		}
		out.Stories = append(out.Stories, tr)
	}
	if p.Spec.Recorded() && (len(res.Findings) == 0 || o.All) {
		if err := p.judge(&seen, out, h.Holds); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Tell makes the story of a finding.
func (p *Systems) Tell(path lts.Path, f diag.Finding, stop func() bool) (*trace.Trace, error) {
	tr, err := trace.Best(p.One(), path, f, 0, stop)
	if err != nil {
		return nil, lost(err)
	}
	if tr.Finding.Kind == Invariant {
		tr.Finding.Pos = diag.Pos{} // of the flag
	}
	return tr, nil
}

func lost(err error) error {
	return diag.Bugf("the way to a finding cannot be gone again: %v", err)
}

// judge looks at the whole graph: for tau loops, and whether formulas hold. Of a
// graph that is not complete loops are still loops, but formulas are not judged.
func (p *Systems) judge(seen *record.Graph, res *Result, holds func(string, string, *trace.Trace, *Evidence)) error {
	if p.Spec.Divergence {
		tr, err := p.loop(seen)
		if err != nil {
			return err
		}
		if tr != nil {
			res.Stories = append(res.Stories, tr)
		}
	}
	if p.Spec.Nondeterminism {
		if a, _, ok := seen.Choice(); ok {
			tr, err := p.way(append(seen.Path(a.From), a.Step))
			if err != nil {
				return err
			}
			tr.Finding = diag.Finding{Kind: Nondeterminism, Message: "the last step, " + p.systems[0].LabelText(a.Label) + ", can lead to another state, too"}
			res.Stories = append(res.Stories, tr)
		}
	}
	for _, f := range p.formulas {
		if len(res.Left) > 0 {
			res.Left = append(res.Left, explore.Left{Reason: Formula, Text: f.name + " is not judged, since not all states are known"})
			continue
		}
		out, err := p.solve(f, seen)
		if err != nil {
			return err
		}
		tr, err := p.way(out.Path)
		if err != nil {
			return err
		}
		if out.Holds {
			res.Proofs = append(res.Proofs, Proof{f.name, f.hash, out.Evidence})
			if holds != nil {
				holds(f.name, endless(out), tr, p.evidence(out.Why))
			}
			continue
		}
		tr.Finding = diag.Finding{Kind: Formula, Message: f.name + " does not hold" + endless(out)}
		res.Stories = append(res.Stories, tr)
		res.Evidence[tr] = p.evidence(out.Why)
	}
	return nil
}

// ForEver ends the message of a formula for which the way goes round.
const ForEver = " on for ever"

// endless says where a way begins that is repeated for ever.
func endless(o *mucalc.Outcome) string {
	if o.Loop < 0 {
		return ""
	}
	return fmt.Sprintf(", steps from %d%s", o.Loop+1, ForEver)
}

// loop returns the way to and around a loop of tau steps, or nil.
func (p *Systems) loop(seen *record.Graph) (*trace.Trace, error) {
	g := seen
	if p.Spec.all() {
		g = seen.Only(p.silent(p.Spec.Tau))
	}
	state, steps, ok := g.Loop()
	if !ok {
		return nil, nil
	}
	tr, err := p.way(append(g.Path(state), steps...))
	if err != nil {
		return nil, err
	}
	tr.Finding = diag.Finding{Kind: Divergence, Message: fmt.Sprintf("the last %s can go on for ever", stepWords(len(steps)))}
	return tr, nil
}

func stepWords(n int) string {
	if n == 1 {
		return "step, a tau,"
	}
	return fmt.Sprintf("%d steps, each a tau,", n)
}

// way records a path that shows nothing at its end.
func (p *Systems) way(path lts.Path) (*trace.Trace, error) {
	tr, err := trace.Record(p.One(), path, diag.Finding{})
	if err != nil {
		return nil, lost(err)
	}
	return tr, nil
}
