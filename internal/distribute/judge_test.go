package distribute

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
)

// TestSwarmVerdicts: what members say makes the verdict: that one has seen everything
// is not believed, and a finding counts only if it shows here.
func TestSwarmVerdicts(t *testing.T) {
	grid := ltstest.Grid(2, 2)
	broken := grid
	broken.Wrong = func(state []byte) string {
		if bytes.Equal(state, grid.Start) {
			return ""
		}
		return "it has moved"
	}
	left := []explore.Left{{Reason: explore.LimitStates, Count: 3, Text: "limit of 20 states"}}
	leak := memberFound{diag.Finding{Kind: "wrong", Message: "it has moved"}, "", lts.Path{0}.AppendBinary(nil)}
	for _, test := range []struct {
		name    string
		members []memberText
		want    explore.Verdict
	}{
		{"all cut off", []memberText{{States: 20, Left: left}, {States: 20, Left: left}}, explore.Inconclusive},
		{"one says that it is complete", []memberText{{States: 20, Left: left}, {States: 70}}, explore.Inconclusive},
		{"the first says that it is complete", []memberText{{States: 70}}, explore.Inconclusive},
		{"one shows it by a certificate", []memberText{{States: 20, Left: left}, {States: 70, Certificate: []byte("right")}}, explore.Verified},
		{"a certificate of what was cut off", []memberText{{States: 70, Left: left, Certificate: []byte("right")}, {States: 20, Left: left}}, explore.Inconclusive},
		{"a certificate that is refused", []memberText{{States: 70, Certificate: []byte("wrong")}, {States: 20, Left: left}}, explore.Inconclusive},
		{"one says that it is complete, and its certificate takes too long", []memberText{{States: 70, Certificate: []byte("long")}}, explore.Inconclusive},
		{"a certificate of what is wrong", []memberText{{States: 70, Certificate: []byte("leak")}}, explore.Violation},
		{"none ended", nil, explore.Inconclusive},
		{"one finds", []memberText{{States: 20, Left: left}, {States: 5, Findings: []memberFound{leak}}}, explore.Violation},
	} {
		d := &swarmCoordinator{one: func(string) (lts.System, func(), error) { return ltstest.New(broken), func() {}, nil }, results: make([]*explore.Result, 2)}
		d.total = 2
		view := &quiet{}
		d.view, d.out = view, map[string]bool{}
		d.prove = func(certificate []byte) (*explore.Result, error) {
			switch string(certificate) {
			case "right":
				return &explore.Result{States: 9, Transitions: 12}, nil
			case "leak":
				return &explore.Result{States: 2, Findings: []explore.Found{{Finding: leak.Finding, Path: lts.Path{0}}}}, nil
			case "long":
				return nil, diag.Incompletef("interrupted")
			}
			return nil, diag.Usagef("it is about another program")
		}
		for i, m := range test.members {
			data, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			err = d.takeMember(i+1, answer{worker: "w", data: data})
			if over := i == len(test.members)-1; over != (err == errDone) {
				t.Errorf("%s, member %d: got %v, want that it ends it: %v", test.name, i+1, err, over)
			}
		}
		got := explore.Gather(d.results, false)
		if got.Verdict != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got.Verdict, test.want)
		}
		if lied := strings.HasSuffix(test.name, "refused") || strings.HasSuffix(test.name, "wrong"); d.out["w"] != lied {
			t.Errorf("%s: got that the worker is out: %v, %q", test.name, d.out["w"], view.said)
		}
		if strings.Contains(test.name, "says") != slices.ContainsFunc(got.Left, func(l explore.Left) bool {
			return l.Reason == explore.Claimed && strings.HasPrefix(l.Text, "worker w says that search ")
		}) {
			t.Errorf("%s: got %+v", test.name, got.Left)
		}
	}
	d := &swarmCoordinator{one: func(string) (lts.System, func(), error) { return ltstest.New(grid), func() {}, nil }, results: make([]*explore.Result, 2)}
	d.total = 2
	data, err := json.Marshal(memberText{Findings: []memberFound{leak}})
	if err != nil {
		t.Fatal(err)
	}
	view := &quiet{}
	d.view, d.out = view, map[string]bool{}
	if err := d.takeMember(1, answer{worker: "w", data: data}); err != nil || len(view.said) != 1 || !strings.Contains(view.said[0], "which does not show here") || !d.out["w"] {
		t.Errorf("got %v, %q for a finding that is none, want it refused", err, view.said)
	}
}
