package model

import (
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/graph"
)

// TestEvidence: a formula of which no way is enough has evidence, in words and as files.
func TestEvidence(t *testing.T) {
	p := prepared(t, &Spec{Formulas: []string{written(t, "nu X. [a(2)]false && [!a(2)]X"), written(t, "<true* . a(3)>true")}})
	res, err := p.Check(explore.Options{Strategy: explore.BreadthFirst, All: true}, Hooks{
		Search: func(o explore.Options) (*explore.Result, error) { return explore.Run(p.New, o) },
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		size, end string
		branches  bool
		claims    int
	}{
		// Behind a(0), a(1) and a(2): false. For each of three states the fixed point and its second part, at the last one its first.
		{"4 states, 3 transitions", "false does not hold", false, 7},
		// In each of four states: the formula, <a(3)>true and <true><true*>...
		{"4 states, 4 transitions", "<true* . a(3)>true does not hold", true, 12},
	} {
		e := res.Evidence[res.Stories[i]]
		lines, left := e.Lines(0)
		claims := 0
		for _, l := range lines {
			if strings.Contains(l, "  state ") {
				claims++
			}
		}
		if got := e.End(); e.Size() != want.size || !strings.HasPrefix(got, want.end) || e.Branches() != want.branches || claims != want.claims || left != 0 {
			t.Errorf("got %s, %s, %v, %d claims and %d left, want %+v\n%s", e.Size(), got, e.Branches(), claims, left, want, strings.Join(lines, "\n"))
		}
		if few, left := e.Lines(3); len(few) > 3 || left == 0 {
			t.Errorf("got %d lines and %d claims left, want at most 3", len(few), left)
		}
		told, end := e.Claims()
		if len(told) != want.claims || end < 0 || !strings.HasPrefix(e.End(), told[end].Part) {
			t.Errorf("told: got %d claims, the last is %d, want %d", len(told), end, want.claims)
		}
		for n, c := range told { // reasons lead along transitions
			for _, r := range c.Because {
				leads := slices.ContainsFunc(e.Graph.Transitions, func(x graph.Transition) bool {
					return int(x.From) == c.State && e.Graph.Labels[x.Label] == r.Step && int(x.To) == told[r.Claim].State
				})
				if r.Step == "" && c.State != told[r.Claim].State || r.Step != "" && !leads {
					t.Errorf("claim %d of state %d: %s does not lead to state %d", n, c.State, r.Step, told[r.Claim].State)
				}
			}
		}
		files, err := e.Files()
		if err != nil || len(files) != 3 {
			t.Errorf("got %d files, %v", len(files), err)
		}
	}
}
