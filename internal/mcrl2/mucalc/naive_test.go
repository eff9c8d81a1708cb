package mucalc

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/formula"
	"github.com/heddle-mc/heddle/internal/mcrl2/linear"
	"github.com/heddle-mc/heddle/internal/mcrl2/randformula"
	"github.com/heddle-mc/heddle/internal/mcrl2/record"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// explored searches a model and returns its graph and the system.
func explored(t testing.TB, text string) (*record.Graph, *state.System) {
	t.Helper()
	s, err := types.Load("model", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	l, err := linear.Linearise(s)
	if err != nil {
		t.Fatal(err)
	}
	sys, err := state.New(l, state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var g record.Graph
	_, err = explore.Run(func() (lts.System, error) { return sys, nil }, explore.Options{Strategy: explore.BreadthFirst, All: true, Observer: &g})
	if err != nil {
		t.Fatal(err)
	}
	return &g, sys
}

// solved judges a formula, which declares nothing.
func solved(t testing.TB, g *record.Graph, sys *state.System, text string) (*Outcome, error) {
	t.Helper()
	f, err := types.LoadFormula(sys.Process().Data, sys.Process().Actions, "formula", []byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return Solve(f, g, sys)
}

// A naive judge computes the set of states for each part of a formula, fixed
// points by iteration and regular formulas as relations.
type naive struct {
	g    *record.Graph
	sys  *state.System
	vars map[*spec.Var]string
	fix  map[*formula.Fix][]bool
}

func (n *naive) state(f formula.State) []bool {
	out := make([]bool, n.g.States())
	each := func(h func(s int) bool) []bool {
		for s := range out {
			out[s] = h(s)
		}
		return out
	}
	switch f := f.(type) {
	case *formula.Bool:
		return each(func(int) bool { return f.Value })
	case *formula.Not:
		x := n.state(f.X)
		return each(func(s int) bool { return !x[s] })
	case *formula.And:
		x, y := n.state(f.X), n.state(f.Y)
		return each(func(s int) bool { return x[s] && y[s] })
	case *formula.Or:
		x, y := n.state(f.X), n.state(f.Y)
		return each(func(s int) bool { return x[s] || y[s] })
	case *formula.Implies:
		x, y := n.state(f.X), n.state(f.Y)
		return each(func(s int) bool { return !x[s] || y[s] })
	case *formula.Forall:
		var sets [][]bool
		n.both(f.Vars[0], func() { sets = append(sets, n.state(f.X)) })
		return each(func(s int) bool { return sets[0][s] && sets[1][s] })
	case *formula.Exists:
		var sets [][]bool
		n.both(f.Vars[0], func() { sets = append(sets, n.state(f.X)) })
		return each(func(s int) bool { return sets[0][s] || sets[1][s] })
	case *formula.Must:
		r, x := n.regular(f.R), n.state(f.X)
		return each(func(s int) bool {
			for t, in := range r[s] {
				if in && !x[t] {
					return false
				}
			}
			return true
		})
	case *formula.May:
		r, x := n.regular(f.R), n.state(f.X)
		return each(func(s int) bool {
			for t, in := range r[s] {
				if in && x[t] {
					return true
				}
			}
			return false
		})
	case *formula.Fix:
		now := each(func(int) bool { return f.Greatest })
		for {
			n.fix[f] = now
			next := n.state(f.X)
			if slices.Equal(now, next) {
				return next
			}
			now = next
		}
	case *formula.Var:
		return slices.Clone(n.fix[f.Fix])
	}
	panic(fmt.Sprintf("%T", f))
}

// both does something for both values of a variable of sort Bool.
func (n *naive) both(v *spec.Var, do func()) {
	for _, text := range []string{"false", "true"} {
		n.vars[v] = text
		do()
	}
}

func (n *naive) regular(r formula.Regular) [][]bool {
	size := n.g.States()
	out := make([][]bool, size)
	for s := range out {
		out[s] = make([]bool, size)
	}
	switch r := r.(type) {
	case *formula.Step:
		for s := range size {
			for _, e := range n.g.Edges(int32(s)) {
				out[s][e.To] = out[s][e.To] || n.action(r.A, n.sys.LabelText(e.Label))
			}
		}
		return out
	case *formula.Seq:
		return product(n.regular(r.X), n.regular(r.Y))
	case *formula.Alt:
		x, y := n.regular(r.X), n.regular(r.Y)
		for s := range size {
			for t := range size {
				out[s][t] = x[s][t] || y[s][t]
			}
		}
		return out
	case *formula.Iter:
		x := n.regular(r.X)
		for s := range size {
			out[s][s] = true
		}
		for range size {
			next := product(out, x)
			for s := range size {
				for t := range size {
					out[s][t] = out[s][t] || next[s][t]
				}
			}
		}
		if r.Once {
			return product(x, out)
		}
		return out
	}
	panic(fmt.Sprintf("%T", r))
}

func product(x, y [][]bool) [][]bool {
	out := make([][]bool, len(x))
	for s := range x {
		out[s] = make([]bool, len(x))
		for m, in := range x[s] {
			for t := range y[m] {
				out[s][t] = out[s][t] || in && y[m][t]
			}
		}
	}
	return out
}

func (n *naive) action(a formula.Action, label string) bool {
	switch a := a.(type) {
	case *formula.ActBool:
		return a.Value
	case *formula.ActNot:
		return !n.action(a.X, label)
	case *formula.ActAnd:
		return n.action(a.X, label) && n.action(a.Y, label)
	case *formula.ActOr:
		return n.action(a.X, label) || n.action(a.Y, label)
	case *formula.ActImplies:
		return !n.action(a.X, label) || n.action(a.Y, label)
	case *formula.ActExists:
		any := false
		n.both(a.Vars[0], func() { any = n.action(a.X, label) || any })
		return any
	case *formula.ActForall:
		all := true
		n.both(a.Vars[0], func() { all = n.action(a.X, label) && all })
		return all
	case *formula.Multi:
		var parts []string
		for _, c := range a.Actions {
			text := c.Action.Name
			for _, x := range c.Args {
				if v, ok := x.(*spec.Var); ok {
					text += "(" + n.vars[v] + ")"
				} else {
					text += "(" + spec.Format(x) + ")"
				}
			}
			parts = append(parts, text)
		}
		slices.Sort(parts)
		if len(parts) == 0 {
			return label == "tau"
		}
		return strings.Join(parts, "|") == label
	}
	panic(fmt.Sprintf("%T", a))
}

// TestNaive: the game and the naive judge agree.
func TestNaive(t *testing.T) {
	count := testlong.Or(1000, 3000)
	if testing.Short() {
		count = 300
	}
	holds := 0
	for seed := range count {
		m := randformula.New(uint64(seed), 1)
		model := m.Model()
		g, sys := explored(t, model)
		text := m.Formula()
		got, err := solved(t, g, sys, text)
		if err != nil {
			t.Fatalf("seed %d: %s: %v", seed, text, err)
		}
		f, err := types.LoadFormula(sys.Process().Data, sys.Process().Actions, "formula", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		n := &naive{g: g, sys: sys, vars: map[*spec.Var]string{}, fix: map[*formula.Fix][]bool{}}
		if want := n.state(f.Body)[0]; got.Holds != want {
			t.Fatalf("seed %d: got %v, want %v\n%s\n%s", seed, got.Holds, want, model, text)
		}
		if got.Holds {
			holds++
		}
	}
	if holds < count/4 || holds > count*3/4 {
		t.Errorf("%d of %d formulas hold: they are too easy", holds, count)
	}
}
