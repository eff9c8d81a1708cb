package mucalc

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/mcrl2/formula"
	"github.com/heddle-mc/heddle/internal/mcrl2/randformula"
	"github.com/heddle-mc/heddle/internal/mcrl2/record"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// alone returns the graph of evidence, with its own numbers of states.
func alone(e *Why) *record.Graph {
	var g record.Graph
	name := func(s int32) []byte { return fmt.Appendf(nil, "%d", s) }
	for _, s := range e.States {
		g.State(nil, name(s), 0)
	}
	for _, x := range e.Edges {
		g.Step(nil, name(x.From), name(x.To), x.Step, x.Label)
	}
	return &g
}

// naively judges a text in all states.
func naively(t *testing.T, g *record.Graph, sys *state.System, text string) []bool {
	t.Helper()
	f, err := types.LoadFormula(sys.Process().Data, sys.Process().Actions, "part", []byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	n := &naive{g: g, sys: sys, vars: map[*spec.Var]string{}, fix: map[*formula.Fix][]bool{}}
	return n.state(f.Body)
}

var fixName = regexp.MustCompile(`(?:(?:mu|nu) )?X\d+`)

// closed replaces the variables of a part by their values, and fixed points that it
// uses by what they are: in formulas of the maker no name is there twice.
func closed(part, values string, whole string) string {
	with := func(text string) string {
		for _, v := range strings.Split(values, ", ") {
			if name, value, ok := strings.Cut(v, " = "); ok && !strings.Contains(text, " "+name+": ") {
				text = regexp.MustCompile(`\b`+name+`\b`).ReplaceAllString(text, value)
			}
		}
		return text
	}
	part = with(part)
	for {
		at := free(part)
		if at == nil {
			return part
		}
		part = part[:at[0]] + "(" + with(fixText(whole, part[at[0]:at[1]])) + ")" + part[at[1]:]
	}
}

// free returns where the first use of a fixed point is that stands in none.
func free(part string) []int {
	for _, at := range fixName.FindAllStringIndex(part, -1) {
		name := part[at[0]:at[1]]
		if strings.Contains(name, " ") {
			continue
		}
		bound := slices.ContainsFunc(fixName.FindAllStringIndex(part[:at[0]], -1), func(b []int) bool {
			return strings.HasSuffix(part[b[0]:b[1]], " "+name) && b[0]+len(extent(part[b[0]:])) > at[0]
		})
		if !bound {
			return at
		}
	}
	return nil
}

// fixText returns the fixed point with a name.
func fixText(whole, name string) string {
	return extent(whole[regexp.MustCompile(`(mu|nu) ` + name + `\. `).FindStringIndex(whole)[0]:])
}

// extent returns a text up to the bracket that closes around it.
func extent(text string) string {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return text[:i]
			}
		}
	}
	return text
}

// TestWhy: the graph of the evidence is a part of the graph of the model, a naive
// judge says the same of the formula on it, and each claim is so, on both.
func TestWhy(t *testing.T) {
	want := testlong.Or(60, 300)
	fails, holds, claims, smaller, seed := 0, 0, 0, 0, uint64(0)
	for ; fails < want; seed++ {
		m := randformula.New(seed, 7)
		model := m.Model()
		g, sys := explored(t, model)
		text := m.Formula()
		f, err := types.LoadFormula(sys.Process().Data, sys.Process().Actions, "formula", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		got, err := Solve(f, g, sys)
		if err != nil {
			t.Fatalf("seed %d: %s: %v", seed, text, err)
		}
		whole := formula.Format(f.Body)
		e := got.Why
		for _, x := range e.Edges {
			if !slices.Contains(g.Edges(x.From), x) {
				t.Fatalf("seed %d: %v is no transition", seed, x)
			}
		}
		small := alone(e)
		if e.States[0] != 0 || naively(t, small, sys, text)[0] != got.Holds {
			t.Fatalf("seed %d: got %v, and of the evidence the naive judge says otherwise\n%s\n%s\n%+v", seed, got.Holds, model, text, e)
		}
		first, body := got.Holds, f.Body
		for not, ok := body.(*formula.Not); ok; not, ok = body.(*formula.Not) {
			first, body = !first, not.X
		}
		if e.Claims[0].Holds != first || naively(t, g, sys, whole)[0] != got.Holds {
			t.Fatalf("seed %d: %s is written as %s", seed, text, whole)
		}
		for _, c := range e.Claims[:min(len(e.Claims), 30)] {
			part := closed(c.Part, c.Values, whole)
			if naively(t, small, sys, part)[c.State] != c.Holds || naively(t, g, sys, part)[e.States[c.State]] != c.Holds {
				t.Fatalf("seed %d: %+v is not so\n%s\n%s", seed, c, model, text)
			}
			claims++
		}
		switch {
		case got.Holds:
			holds++
		case len(e.Edges) > 0: // others are too easy to count
			fails++
		}
		if len(e.Edges) > 0 && small.States() < g.States() {
			smaller++
		}
	}
	if smaller < want/10 {
		t.Errorf("%d of %d formulas have evidence that is not the whole graph: too few", smaller, fails+holds)
	}
	t.Logf("%d formulas that fail and %d that hold, %d claims; of %d the evidence is not the whole graph", fails, holds, claims, smaller)
}
