package distribute

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"github.com/heddle-mc/heddle/internal/queue"
)

// TestChosen: the choice of parts that are examined twice depends on the secret and
// the share alone, and is of about that share.
func TestChosen(t *testing.T) {
	for _, share := range []float64{0, 0.1, 0.5, 1} {
		n, other := 0, 0
		for part := range 10_000 {
			if chosen(7, share, part) {
				n++
			}
			if chosen(7, share, part) != chosen(8, share, part) {
				other++
			}
		}
		if want := 10_000 * share; float64(n) < want-200 || float64(n) > want+200 {
			t.Errorf("share %v: got %d of 10000", share, n)
		}
		if differs := share > 0 && share < 1; differs != (other > 0) {
			t.Errorf("share %v: got %d parts for which another secret decides otherwise", share, other)
		}
	}
}

// TestSwarmVerdicts: what members say makes the verdict: a swarm says verified only if
// one of them has seen everything, and a finding counts only if it shows here.
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
		{"one complete", []memberText{{States: 20, Left: left}, {States: 70}}, explore.Verified},
		{"the first complete", []memberText{{States: 70}}, explore.Verified},
		{"none ended", nil, explore.Inconclusive},
		{"one finds", []memberText{{States: 20, Left: left}, {States: 5, Findings: []memberFound{leak}}}, explore.Violation},
	} {
		d := &swarmCoordinator{one: func(string) (lts.System, func(), error) { return ltstest.New(broken), func() {}, nil }, results: make([]*explore.Result, 2)}
		d.total = 2
		for i, m := range test.members {
			data, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			err = d.takeMember(t.Context(), queue.Result{Task: memberName(i + 1), Worker: "w", Data: data})
			if over := i == len(test.members)-1; over != (err == errDone) {
				t.Errorf("%s, member %d: got %v, want that it ends it: %v", test.name, i+1, err, over)
			}
		}
		if got := explore.Gather(d.results, false); got.Verdict != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got.Verdict, test.want)
		}
	}
	d := &swarmCoordinator{one: func(string) (lts.System, func(), error) { return ltstest.New(grid), func() {}, nil }, results: make([]*explore.Result, 2)}
	d.total = 2
	data, err := json.Marshal(memberText{Findings: []memberFound{leak}})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.takeMember(t.Context(), queue.Result{Task: memberName(1), Worker: "w", Data: data}); err == nil || !strings.Contains(err.Error(), "which does not show here") {
		t.Errorf("got %v for a finding that is none, want it refused", err)
	}
}
