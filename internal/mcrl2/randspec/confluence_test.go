package randspec_test

import (
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/graph"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"github.com/heddle-mc/heddle/internal/mcrl2/confluence"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/randspec"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
	"github.com/heddle-mc/heddle/internal/mcrl2/transform"
)

// TestConfluence: what is left of a graph is branching bisimilar to the whole one, and has
// deadlocks if that has. Actions are hidden, so that there is much tau.
func TestConfluence(t *testing.T) {
	n := count(t)
	var tried, large, reduced, whole, left int
	for seed := uint64(0); tried < n; seed++ {
		if large > 20*n+100 {
			t.Fatalf("%d of %d specifications were too large", large, seed)
		}
		text := randspec.Text(seed)
		lps := small(t, text)
		if lps == nil {
			large++
			continue
		}
		tried++
		engine, err := data.New(lps.Data, data.Options{})
		if err != nil {
			t.Fatal(err)
		}
		tools := transform.NewTools(engine, lps.Lib)
		for _, names := range [][]string{nil, {"rewr", "sumelm", "deadelm", "constelm", "equalelm", "liveelm", "constelm", "parelm"}} {
			out, err := transform.Apply(lps, names, tools)
			if err != nil {
				t.Fatal(err)
			}
			out = hideSome(out, seed)
			sys, err := state.New(out, state.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want, ok := explore(t, sys)
			if !ok {
				continue
			}
			got, ok := explore(t, confluence.New(sys, confluence.Find(sys)))
			if !ok {
				t.Fatalf("seed %d, %s: the reduced graph is larger\n%s", seed, strings.Join(names, ","), text)
			}
			same, _, err := graph.Compare(got, want, graph.Branching, "tau")
			if err != nil {
				t.Fatal(err)
			}
			if !same || (len(got.Deadlocks()) > 0) != (len(want.Deadlocks()) > 0) {
				t.Fatalf("seed %d, %s: %d states and %d deadlocks of %d and %d, branching bisimilar: %v\n%s", seed, strings.Join(names, ","),
					got.States, len(got.Deadlocks()), want.States, len(want.Deadlocks()), same, text)
			}
			whole, left = whole+want.States, left+got.States
			if got.States < want.States {
				reduced++
			}
		}
	}
	t.Logf("%d specifications twice, %d of these searches are smaller: %d states instead of %d; %d too large", tried, reduced, left, whole, large)
	if reduced < n/10 {
		t.Errorf("nothing is left out of nearly all")
	}
}

// hideSome makes most actions of a process tau: all but one in four, by name.
func hideSome(l *spec.LPS, seed uint64) *spec.LPS {
	out := *l
	out.Summands = nil
	for _, s := range l.Summands {
		n := *s
		n.Multi = nil
		for _, a := range s.Multi {
			if (uint64(a.Action.Name[0])+seed)%4 == 0 {
				n.Multi = append(n.Multi, a)
			}
		}
		out.Summands = append(out.Summands, &n)
	}
	return &out
}

// TestConfluentSystem: a system without some states is a system as others are.
func TestConfluentSystem(t *testing.T) {
	for seed := range uint64(30) {
		lps := small(t, randspec.Text(seed))
		if lps == nil {
			continue
		}
		ltstest.Run(t, func() lts.System {
			sys, err := state.New(hideSome(lps, seed), state.Options{})
			if err != nil {
				t.Fatal(err)
			}
			return confluence.New(sys, confluence.Find(sys))
		})
	}
}
