package explore

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
)

func TestKeep(t *testing.T) {
	a, b := Found{Finding: diag.Finding{Kind: "a"}}, Found{Finding: diag.Finding{Kind: "b"}}
	cut := &Result{Verdict: Inconclusive, Left: []Left{{Reason: LimitStates}}, Findings: []Found{a}}
	cut.Keep([]Found{b, a})
	if cut.Verdict != Violation || len(cut.Findings) != 2 || cut.Findings[0].Kind != "a" || cut.Findings[1].Kind != "b" {
		t.Errorf("a search that was cut off: got %+v, want a and b", cut)
	}
	other := a
	other.Message = "at another place"
	whole := &Result{Verdict: Violation, Findings: []Found{a}}
	whole.Keep([]Found{other, b})
	if len(whole.Findings) != 2 || whole.Findings[1].Kind != "b" {
		t.Errorf("a search that has seen everything: got %+v, want a and b", whole)
	}
	none := &Result{Verdict: Verified}
	if none.Keep(nil); none.Verdict != Verified {
		t.Errorf("got %s, want verified", none.Verdict)
	}
}
