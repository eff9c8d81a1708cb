package randspec_test

import (
	"fmt"
	"strings"
	"testing"

	search "github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/ldd"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/linear"
	"github.com/heddle-mc/heddle/internal/mcrl2/mucalc"
	"github.com/heddle-mc/heddle/internal/mcrl2/randspec"
	"github.com/heddle-mc/heddle/internal/mcrl2/record"
	"github.com/heddle-mc/heddle/internal/mcrl2/semantics"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
	"github.com/heddle-mc/heddle/internal/mcrl2/symbolic"
	"github.com/heddle-mc/heddle/internal/mcrl2/transform"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
)

// TestSymbolic holds the symbolic search against the one that looks at states one by
// one: the number of states and of deadlocks, the length of the way to the nearest
// deadlock, and formulas. Half of the specifications have dist, many have times; each is
// searched as it is and after each transformation.
func TestSymbolic(t *testing.T) {
	n := count(t)
	var tried, large, chances, timed int
	var total tally
	for seed := uint64(0); tried < n; seed++ {
		if large > 20*n+100 {
			t.Fatalf("%d of %d specifications were too large or refused", large, seed)
		}
		text := randspec.Text(seed / 2)
		if seed%2 == 1 {
			text = randspec.Chances(seed / 2)
		}
		lps := small(t, text)
		if lps == nil {
			large++
			continue
		}
		engine, err := data.New(lps.Data, data.Options{})
		if err != nil {
			t.Fatal(err)
		}
		tools := transform.NewTools(engine, lps.Lib)
		for i, names := range append([][]string{nil}, chains()...) {
			out, err := transform.Apply(lps, names, tools)
			if err != nil {
				t.Fatal(err)
			}
			if err := total.compare(t, out, i == 0 || i == len(chains())); err != nil {
				t.Fatalf("seed %d, %s: %v\n%s", seed, strings.Join(names, ","), err, text)
			}
		}
		if tried++; lps.Draws != "" {
			chances++
		}
		if strings.Contains(text, "@") {
			timed++
		}
		if tried%500 == 0 {
			t.Logf("%d specifications, seed %d", tried, seed)
		}
	}
	t.Logf("%d specifications, %d with dist, %d with times: %d searches of %d states; %d with deadlocks, %d formulas of which %d hold, %d with a way; %d too large or refused",
		tried, chances, timed, total.searches, total.states, total.dead, total.formulas, total.hold, total.ways, large)
}

// small returns the linear process of a specification, or nil if it is too large or is
// not supported.
func small(t *testing.T, text string) *spec.LPS {
	t.Helper()
	if len(text) > 4000 {
		return nil
	}
	sp, err := types.Load("random", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	e, err := data.New(sp.Data, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	direct, ok := semantics.New(sp, e), false
	if strings.Contains(text, "dist ") {
		_, _, _, ok = direct.Chances(maxStates)
	} else {
		_, ok = explore(t, direct)
	}
	if !ok {
		return nil
	}
	lps, err := linear.Linearise(sp)
	if err != nil || len(lps.Summands) > maxSummands {
		return nil
	}
	sys, err := state.New(lps, state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := explore(t, sys); !ok {
		return nil
	}
	return lps
}

// A tally counts what was compared.
type tally struct{ searches, states, dead, formulas, hold, ways int }

// compare says how the two searches of a process differ.
func (n *tally) compare(t *testing.T, lps *spec.LPS, formulas bool) error {
	t.Helper()
	sys, err := state.New(lps, state.Options{})
	if err != nil {
		return err
	}
	var g record.Graph
	res, err := search.Run(func() (lts.System, error) { return sys, nil }, search.Options{Strategy: search.BreadthFirst, All: true, Observer: &g})
	if err != nil {
		return err
	}
	if len(res.Left) > 0 {
		return nil
	}
	x, err := symbolic.Reach(sys, symbolic.Options{Labels: true})
	if err != nil {
		return err
	}
	n.searches++
	n.states += g.States()
	if got := x.Count(); got.Int64() != int64(g.States()) {
		return fmt.Errorf("got %v states, want %d", got, g.States())
	}
	dead, err := x.Deadlocks()
	if err != nil {
		return err
	}
	want, nearest := 0, -1
	for s := range int32(g.States()) {
		if len(g.Edges(s)) == 0 {
			want++
			if d := len(g.Path(s)); nearest < 0 || d < nearest {
				nearest = d
			}
		}
	}
	if got := x.Store().Count(dead); got.Int64() != int64(want) {
		return fmt.Errorf("got %v deadlocks, want %d", got, want)
	}
	if dead != ldd.Empty {
		n.dead++
		path, err := x.Way(dead)
		if err != nil {
			return err
		}
		sys.Reset()
		lts.MustReplay(sys, path)
		if steps := sys.Enabled(nil); len(steps) > 0 || len(path) != nearest {
			return fmt.Errorf("a way of %d steps leads to %d, want a deadlock after %d", len(path), len(steps), nearest)
		}
	}
	if !formulas || lps.Draws != "" {
		return nil
	}
	for _, text := range someFormulas(lps) {
		f, err := types.LoadFormula(lps.Data, lps.Actions, "formula", []byte(text))
		if err != nil {
			return fmt.Errorf("%s: %v", text, err)
		}
		want, err := mucalc.Solve(f, &g, sys)
		if err != nil {
			return fmt.Errorf("%s: %v", text, err)
		}
		got, err := mucalc.SolveSymbolic(f, x, sys)
		if err != nil {
			return fmt.Errorf("%s: %v", text, err)
		}
		if got.Holds != want.Holds {
			return fmt.Errorf("%s: got %v, want %v", text, got.Holds, want.Holds)
		}
		if n.formulas++; got.Holds {
			n.hold++
		}
		if len(got.Path) > 0 {
			n.ways++
		}
	}
	return nil
}

// someFormulas returns formulas about the actions of a process.
func someFormulas(lps *spec.LPS) []string {
	a := []string{"tau"}
	for _, x := range lps.Actions {
		if x.Name == "Terminate" {
			continue
		}
		text := x.Name
		var vars []string
		for i, s := range x.Args {
			v := fmt.Sprintf("v%d", i)
			vars = append(vars, v+": "+s.String())
			text += []string{"(", ", "}[min(i, 1)] + v
		}
		if vars != nil {
			text = "(exists " + strings.Join(vars, ", ") + ". " + text + "))"
		}
		a = append(a, text)
	}
	b, c := a[len(a)/2], a[len(a)-1]
	return []string{
		"[true*]<true>true",
		fmt.Sprintf("[true* . %s . true* . %s]false", b, c),
		fmt.Sprintf("<true* . %s>true", c),
		fmt.Sprintf("nu X. mu Y. <%s>X || <!%s>Y", b, b),
		fmt.Sprintf("mu X. nu Y. [%s]X && [!%s]Y", c, c),
		fmt.Sprintf("[true*](mu X. [!%s]X && <true>true)", b),
		fmt.Sprintf("nu X. <true>X || mu Y. [%s]Y && <true>X", c),
	}
}
