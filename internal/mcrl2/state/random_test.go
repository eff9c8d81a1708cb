package state

import (
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/linear"
	"github.com/heddle-mc/heddle/internal/mcrl2/randspec"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// naive explores a linear process in the plainest way: each summand is
// enumerated in each state, and states and steps are kept as text. It gives up
// beyond a number of states.
func naive(t *testing.T, l *spec.LPS, most int) (states, transitions int64, ok bool) {
	e, err := data.New(l.Data, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	env := data.Env{}
	for _, g := range l.Globals {
		env[g] = e.Default(g.Of)
	}
	eval := func(x spec.Expr) data.Value {
		v, err := e.Eval(x, env)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	text := func(values []data.Value) string {
		var parts []string
		for i, v := range values {
			parts = append(parts, e.Format(v, l.Params[i].Of))
		}
		return strings.Join(parts, ";")
	}
	var init []data.Value
	for _, x := range l.Init {
		init = append(init, eval(x))
	}
	fixed := slices.Concat(l.Params, l.Globals)
	sums, sizes := make([]*data.Sum, len(l.Summands)), make([]int, len(l.Summands))
	for i, y := range l.Summands {
		sc := e.NewScope(fixed...)
		if sums[i], err = e.CompileSum(sc, y.Vars, y.Cond, y.At); err != nil {
			t.Fatal(err)
		}
		sizes[i] = sc.Size()
	}
	seen := map[string]bool{text(init): true}
	for queue := [][]data.Value{init}; len(queue) > 0; queue = queue[1:] {
		for i, p := range l.Params {
			env[p] = queue[0][i]
		}
		steps := map[string]bool{}
		for i, y := range l.Summands {
			if y.Delta {
				continue
			}
			f := make([]data.Value, sizes[i])
			for k, v := range fixed {
				f[k] = env[v]
			}
			if err := sums[i].Each(f, func() bool {
				for i, v := range y.Vars {
					env[v] = f[len(fixed)+i]
				}
				var label []string
				for _, a := range y.Multi {
					s := a.Action.Name
					for k, x := range a.Args {
						s += "," + e.Format(eval(x), a.Action.Args[k])
					}
					label = append(label, s)
				}
				slices.Sort(label)
				var next []data.Value
				for _, x := range y.Next {
					next = append(next, eval(x))
				}
				to := text(next)
				steps[strings.Join(label, "|")+" -> "+to] = true
				if !seen[to] {
					seen[to] = true
					queue = append(queue, next)
				}
				return true
			}); err != nil {
				t.Fatal(err)
			}
			for _, v := range y.Vars {
				delete(env, v)
			}
		}
		transitions += int64(len(steps))
		if len(seen) > most {
			return 0, 0, false
		}
	}
	return int64(len(seen)), transitions, true
}

func TestRandom(t *testing.T) {
	tried, seeds := 0, testlong.Or[uint64](20, 60)
	if testing.Short() {
		seeds = 20
	}
	for seed := range seeds {
		s, err := randspec.Spec(seed)
		if err != nil {
			t.Fatal(err)
		}
		l, err := linear.Linearise(s)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		states, transitions, ok := naive(t, withTime(l), 200)
		if !ok {
			continue
		}
		tried++
		for _, how := range []explore.Options{{All: true}, {All: true, Strategy: explore.BreadthFirst}} {
			for _, o := range []Options{{}, {Uncached: true}} {
				r := search(t, l, o, how)
				if r.States != states || r.Transitions != transitions {
					t.Errorf("seed %d, %v, %+v: got %d states and %d transitions, want %d and %d", seed, how.Strategy, o, r.States, r.Transitions, states, transitions)
				}
			}
		}
	}
	if tried < int(seeds)/3 {
		t.Errorf("only %d specifications were small enough", tried)
	}
}
