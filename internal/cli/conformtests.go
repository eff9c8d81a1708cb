package cli

import (
	"github.com/heddle-mc/heddle/internal/conform"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/report"
)

// refuse refuses what tests that are made from a model cannot be done with.
func (c *conformFlags) refuse(f *checkFlags) error {
	switch {
	case c.tests == 0:
		return nil
	case f.Search.Workers > 1:
		return diag.Usagef("-tests are done one after the other: leave out -workers")
	case string(f.Search.Order) != usualConformSearch:
		return diag.Usagef("-tests takes the place of a search: leave out -search %s", f.Search.Order)
	}
	return nil
}

// test tests a program, instead of a search.
func (c *conformFlags) test(sys lts.System, o explore.Options) (*explore.Result, error) {
	both, ok := sys.(interface {
		Test(conform.TestOptions) *conform.Tested
	})
	if !ok {
		return nil, diag.Bugf("tests of a program without a model")
	}
	t := both.Test(conform.TestOptions{Number: c.tests, Seed: o.Seed, Length: int(o.Limits.Depth), All: o.All, Stop: o.Interrupt})
	c.tested = t
	res := &explore.Result{Verdict: explore.Inconclusive, States: t.States, Transitions: t.Taken, MaxDepth: t.Depth, Bound: -1}
	for _, f := range t.Failures {
		res.Findings = append(res.Findings, explore.Found{Finding: f.Finding, Path: f.Path})
		res.Verdict = explore.Violation
	}
	for _, f := range t.Beyond {
		res.Left = append(res.Left, explore.Left{Reason: explore.SystemBound, Count: 1, Text: f.Message, Path: f.Path})
	}
	res.Left = append(res.Left, explore.Left{Reason: explore.Sample, Text: "tests see some executions only"})
	if t.Stopped {
		left := explore.Left{Reason: explore.Interrupted, Count: int64(c.tests - len(t.Tests)), Text: "tests not done"}
		switch {
		case o.Limits.Time > 0 && o.Clock != nil && o.Clock() >= int64(o.Limits.Time):
			left.Reason = explore.LimitTime
		case o.Full != nil && o.Full():
			left.Reason = explore.LimitMemory
		}
		res.Left = append(res.Left, left)
	}
	return res, nil
}

// tell adds to a report how the tests went.
func (c *conformFlags) tell(r *report.Report) {
	if c.tested == nil {
		return
	}
	r.Tests = &report.Tests{Covered: c.tested.Covered, Transitions: c.tested.Transitions, Whole: c.tested.Whole, List: []report.ModelTest{}}
	for _, t := range c.tested.Tests {
		r.Tests.List = append(r.Tests.List, report.ModelTest{Steps: t.Steps, Actions: t.Actions, New: t.New, Failed: t.Failed, End: t.End})
	}
}
