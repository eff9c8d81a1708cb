package randspec_test

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/graph"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A plainLPS explores a linear process in the plainest way.
type plainLPS struct {
	t        *testing.T
	lps      *spec.LPS
	engine   *data.Engine
	summands []plainSummand
}

type plainSummand struct {
	sum   *data.Sum
	size  int
	delta bool
	multi [][]*data.Code
	time  *data.Code // or nil
	next  []*data.Code
}

// A plainState has the values of the parameters, and the time of the last action
// that had one.
type plainState struct {
	values []data.Value
	time   *big.Rat
}

func newPlain(t *testing.T, lps *spec.LPS) *plainLPS {
	e, err := data.New(lps.Data, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := &plainLPS{t: t, lps: lps, engine: e}
	for _, s := range lps.Summands {
		scope := e.NewScope(lps.Params...)
		n := plainSummand{delta: s.Delta}
		n.sum, err = e.CompileSum(scope, s.Vars, s.Cond, s.At)
		if err != nil {
			t.Fatal(err)
		}
		code := func(x spec.Expr) *data.Code {
			c, err := e.Compile(x, scope)
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		for _, a := range s.Multi {
			var args []*data.Code
			for _, x := range a.Args {
				args = append(args, code(x))
			}
			n.multi = append(n.multi, args)
		}
		if s.Time != nil {
			n.time = code(s.Time)
		}
		for _, x := range s.Next {
			n.next = append(n.next, code(x))
		}
		n.size = scope.Size()
		p.summands = append(p.summands, n)
	}
	return p
}

func (p *plainLPS) eval(c *data.Code, f []data.Value) data.Value {
	v, err := c.Eval(f)
	if err != nil {
		p.t.Fatal(err)
	}
	return v
}

// graph returns the graph of the process, or false if it has too many states.
func (p *plainLPS) graph() (*graph.Graph, bool) {
	var b graph.Builder
	init := plainState{time: new(big.Rat)}
	for _, x := range p.lps.Init {
		v, err := p.engine.Eval(x, nil)
		if err != nil {
			p.t.Fatal(err)
		}
		init.values = append(init.values, v)
	}
	key := func(s plainState) []byte {
		k := []byte(s.time.String())
		for _, v := range s.values {
			k = p.engine.AppendKey(k, v)
		}
		return k
	}
	b.State(nil, key(init), 0)
	seen := map[string]bool{string(key(init)): true}
	todo := []plainState{init}
	for len(todo) > 0 && len(seen) <= 2*maxStates {
		from := todo[0]
		todo = todo[1:]
		for i, s := range p.summands {
			if s.delta {
				continue
			}
			f := make([]data.Value, s.size+8)
			copy(f, from.values)
			var steps []func()
			err := s.sum.Each(f, func() bool {
				g := slices.Clone(f)
				steps = append(steps, func() {
					next, label := plainState{time: from.time}, p.label(i, g)
					if s.time != nil {
						next.time = p.engine.Expr(p.eval(s.time, g), p.lps.Sorts.Basic(spec.Real)).(*spec.Number).Value
						if next.time.Cmp(from.time) <= 0 {
							return
						}
						label += " @ " + next.time.RatString()
					}
					for _, c := range s.next {
						next.values = append(next.values, p.eval(c, g))
					}
					b.Add(key(from), label, key(next))
					if k := string(key(next)); !seen[k] {
						seen[k] = true
						todo = append(todo, next)
					}
				})
				return true
			})
			if err != nil {
				p.t.Fatal(err)
			}
			for _, s := range steps {
				s()
			}
		}
	}
	if len(seen) > 2*maxStates {
		return nil, false
	}
	return b.Graph(), true
}

func (p *plainLPS) label(i int, f []data.Value) string {
	var parts []string
	for k, a := range p.lps.Summands[i].Multi {
		var args []string
		for j, c := range p.summands[i].multi[k] {
			args = append(args, p.engine.Format(p.eval(c, f), a.Action.Args[j]))
		}
		t := a.Action.Name
		if args != nil {
			t += "(" + strings.Join(args, ", ") + ")"
		}
		parts = append(parts, t)
	}
	if parts == nil {
		return "tau"
	}
	slices.Sort(parts)
	return strings.Join(parts, "|")
}
