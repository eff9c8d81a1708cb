package randspec_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/chance"
	"github.com/heddle-mc/heddle/internal/graph"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/linear"
	"github.com/heddle-mc/heddle/internal/mcrl2/semantics"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
	"github.com/heddle-mc/heddle/internal/mcrl2/transform"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
)

var update = flag.Bool("update", false, "write what the corners give to testdata/corners.txt")

const cornersFile = "testdata/corners.txt"

// A corner is a small specification that uses something of the language which is
// easily got wrong, and what it gives: the size of its graph and its labels, or why
// it is refused.
type corner struct{ name, want, text string }

func readCorners(t *testing.T) []corner {
	t.Helper()
	text, err := os.ReadFile(cornersFile)
	if err != nil {
		t.Fatal(err)
	}
	var list []corner
	for part := range strings.SplitSeq(string(text), "\n-- ") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		name, rest, _ := strings.Cut(part, " --\n")
		want, model, _ := strings.Cut(rest, "\n")
		list = append(list, corner{name, want, model})
	}
	return list
}

// TestCorners takes each corner all the way: it is read, printed and read again, made
// linear, transformed in all ways and explored; and all of that agrees with the
// direct semantics.
func TestCorners(t *testing.T) {
	list := readCorners(t)
	if len(list) < 70 {
		t.Errorf("got %d corners, want all of them", len(list))
	}
	var out strings.Builder
	for i := range list {
		c := &list[i]
		t.Run(c.name, func(t *testing.T) {
			got := c.gives(t)
			if *update {
				c.want = got
			}
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
		fmt.Fprintf(&out, "\n-- %s --\n%s\n%s\n", c.name, c.want, strings.TrimSuffix(c.text, "\n"))
	}
	if *update {
		if err := os.WriteFile(cornersFile, []byte(out.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// gives returns what a corner gives.
func (c *corner) gives(t *testing.T) string {
	t.Helper()
	sp, err := types.Load("m", []byte(c.text))
	if err != nil {
		return "refused: " + err.Error()
	}
	again, err := types.Load("printed", []byte(sp.String()))
	if err != nil {
		t.Fatalf("it does not read back: %v\n%s", err, sp)
	}
	if got, want := again.String(), sp.String(); got != want {
		t.Errorf("printed, read and printed again: got\n%swant\n%s", got, want)
	}
	lps, err := linear.Linearise(sp)
	if err != nil {
		return "refused: " + err.Error()
	}
	sys, err := state.New(lps, state.Options{})
	if err != nil {
		return "refused: " + err.Error()
	}
	if why := refusal(sys); why != "" {
		return "refused: " + why
	}
	got, ok := explore(t, sys)
	if !ok {
		t.Fatal("too large")
	}
	if lps.Draws != "" {
		return randomly(t, sp, lps, got)
	}
	same := func(what string, g *graph.Graph, ok bool) {
		t.Helper()
		if !ok {
			t.Fatalf("%s: too large", what)
		}
		if eq, _, err := graph.Compare(g, got, graph.Strong, "tau"); err != nil || !eq {
			t.Errorf("%s: got another graph, %v", what, err)
		}
	}
	e, err := data.New(sp.Data, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	direct, ok := explore(t, semantics.New(sp, e))
	same("direct semantics", direct, ok)
	through := func(what string, l *spec.LPS) {
		t.Helper()
		sys, err := state.New(l, state.Options{Uncached: true})
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		g, ok := explore(t, sys)
		same(what, g, ok)
	}
	through("printed and read back", readBack(t, lps))
	engine, err := data.New(lps.Data, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, names := range chains() {
		out, err := transform.Apply(lps, names, transform.NewTools(engine, lps.Lib))
		if err != nil {
			t.Fatalf("%v: %v", names, err)
		}
		through(strings.Join(names, ","), out)
	}
	var labels []string
	for _, edge := range got.Transitions {
		labels = append(labels, got.Labels[edge.Label])
	}
	slices.Sort(labels)
	return fmt.Sprintf("%d states, %d transitions: %s", got.States, len(got.Transitions), strings.Join(slices.Compact(labels), "; "))
}

// refusal returns why a system has states that cannot be explored, "" if it has none.
func refusal(sys lts.System) string {
	sys.Reset()
	seen := map[string]bool{}
	var visit func() string
	visit = func() string {
		key := string(sys.AppendKey(nil))
		if seen[key] || len(seen) > maxStates {
			return ""
		}
		seen[key] = true
		steps := sys.Enabled(nil)
		if len(steps) == 0 {
			if err := sys.(lts.Bounded).Beyond(); err != nil {
				return err.Error()
			}
		}
		m := sys.Save()
		for _, s := range steps {
			sys.Take(s)
			if why := visit(); why != "" {
				return why
			}
			sys.Restore(m)
		}
		return ""
	}
	return visit()
}

// randomly is gives for a corner with dist.
func randomly(t *testing.T, sp *spec.Spec, lps *spec.LPS, got *graph.Graph) string {
	t.Helper()
	g, err := chance.Of(got, lps.Draws)
	if err != nil {
		return "refused: " + err.Error()
	}
	e, err := data.New(sp.Data, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want, ok := direct(semantics.New(sp, e)); !ok || !chance.Equivalent(g, want) {
		t.Errorf("it differs from the direct semantics")
	}
	return fmt.Sprintf("%d states, %d transitions, by chance: %s", g.States, len(g.Transitions), strings.Join(slices.Sorted(slices.Values(g.Labels)), "; "))
}
