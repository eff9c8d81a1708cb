package cli

import (
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
)

// TestToEstimate: how long the rest takes is told where time ended the search, and not where equal runs have to say the same.
func TestToEstimate(t *testing.T) {
	res := &explore.Result{Verdict: explore.Inconclusive, Estimate: explore.Estimate{Left: 5000, Time: 7200e9}, Left: []explore.Left{{Reason: explore.LimitTime}}}
	if got := toEstimate(res).Words(); got != "about 5000 states left (2 h at this rate)" {
		t.Errorf("got %q, want the time", got)
	}
	res.Left[0].Reason = explore.LimitStates
	if got := toEstimate(res).Words(); got != "about 5000 states left" {
		t.Errorf("got %q, want no time", got)
	}
	res.Verdict = explore.Violation
	if got := toEstimate(res); got != nil {
		t.Errorf("got %+v of a violation, want nothing", got)
	}
	p := explore.Progress{Estimate: func() explore.Estimate { return explore.Estimate{Left: 100, AtLeast: true, Time: 60e9} }}
	if got := progressText("x", p); !strings.HasSuffix(got, ", at least 100 states left (60 s or more at this rate)") {
		t.Errorf("got %q, want what is left", got)
	}
}
