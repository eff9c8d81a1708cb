package randspec_test

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/chance"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/linear"
	"github.com/heddle-mc/heddle/internal/mcrl2/randspec"
	"github.com/heddle-mc/heddle/internal/mcrl2/semantics"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
	"github.com/heddle-mc/heddle/internal/mcrl2/transform"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
)

// direct returns the graph of the direct semantics, or false if it is too large.
func direct(sys *semantics.System) (*chance.Graph, bool) {
	first, steps, states, ok := sys.Chances(maxStates)
	if !ok {
		return nil, false
	}
	distribution := func(list []semantics.Outcome) chance.Distribution {
		shares := make([]*big.Rat, states)
		for _, o := range list {
			if shares[o.State] == nil {
				shares[o.State] = new(big.Rat)
			}
			shares[o.State].Add(shares[o.State], o.P)
		}
		var out chance.Distribution
		for s, p := range shares {
			if p != nil {
				out = append(out, chance.Share{State: s, P: p})
			}
		}
		return out
	}
	g := &chance.Graph{Initial: distribution(first), States: states}
	for _, s := range steps {
		l := slices.Index(g.Labels, s.Label)
		if l < 0 {
			l = len(g.Labels)
			g.Labels = append(g.Labels, s.Label)
		}
		g.Transitions = append(g.Transitions, chance.Transition{From: s.From, Label: l, To: distribution(s.To)})
	}
	return g, true
}

// TestChances holds specifications with dist against the direct semantics, through
// linearisation, every transformation and the text of the linear process.
func TestChances(t *testing.T) {
	n := count(t)
	var tried, large, refused, states int
	for seed := uint64(0); tried < n; seed++ {
		if large+refused > 20*n+100 {
			t.Fatalf("of %d specifications %d were too large and %d refused", seed, large, refused)
		}
		text := randspec.Chances(seed)
		if len(text) > 4000 {
			large++
			continue
		}
		sp, err := types.Load("random", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		e, err := data.New(sp.Data, data.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, ok := direct(semantics.New(sp, e))
		if !ok {
			large++
			continue
		}
		lps, err := linear.Linearise(sp)
		if err != nil {
			if !strings.Contains(err.Error(), "dist inside of") && !strings.Contains(err.Error(), "begins with dist") && !strings.Contains(err.Error(), "allow fewer") {
				t.Fatalf("seed %d: %v\n%s", seed, err, text)
			}
			refused++
			continue
		}
		if len(lps.Summands) > maxSummands || lps.Draws == "" {
			large++
			continue
		}
		tried++
		states += want.States
		check := func(what string, lps *spec.LPS) {
			sys, err := state.New(lps, state.Options{})
			if err != nil {
				t.Fatal(err)
			}
			g, ok := explore(t, sys)
			if !ok {
				tried--
				large++
				return
			}
			got, err := chance.Of(g, lps.Draws)
			if err != nil {
				t.Fatalf("seed %d, %s: %v\n%s", seed, what, err, text)
			}
			if !chance.Equivalent(got, want) {
				t.Fatalf("seed %d, %s: not bisimilar to the direct semantics\n%s", seed, what, text)
			}
		}
		before := tried
		if check("linearise", lps); tried != before {
			continue
		}
		check("printed and read back", readBackLinear(t, lps))
		engine, err := data.New(lps.Data, data.Options{})
		if err != nil {
			t.Fatal(err)
		}
		tools := transform.NewTools(engine, lps.Lib)
		for _, names := range chains() {
			out, err := transform.Apply(lps, names, tools)
			if err != nil {
				t.Fatal(err)
			}
			check(strings.Join(names, ","), out)
		}
	}
	t.Logf("%d specifications with %d states, %d too large, %d refused", tried, states, large, refused)
}

// readBackLinear prints a process and reads it.
func readBackLinear(t *testing.T, lps *spec.LPS) *spec.LPS {
	t.Helper()
	sp, err := types.Load("printed.mcrl2", []byte(lps.String()))
	if err != nil {
		t.Fatalf("%v\n%s", err, lps)
	}
	back, err := spec.Linear(sp)
	if err != nil {
		t.Fatalf("%v\n%s", err, lps)
	}
	return back
}
