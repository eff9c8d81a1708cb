package mucalc

import (
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/formula"
	"github.com/heddle-mc/heddle/internal/mcrl2/record"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// SolveSystem finds out whether the initial variable of an equation system is true.
// The vertices of its game are the right sides with the values of their variables: a
// formula has states besides, here there is one. It gives up after so many vertices, if
// that is not 0.
func SolveSystem(s *formula.System, engine *data.Engine, most int) (*Outcome, error) {
	c := &compiler{engine: engine, lib: s.Data.Lib, frame: engine.NewScope(), place: map[*spec.Var]int{}, fixes: map[*formula.Fix]*fixNode{}}
	var heads []*node
	for _, e := range s.Equations {
		head := c.node(junction, true, c.declare(nil, e.Params))
		head.loop = true
		head.part = &part{text: e.Name, modal: true, at: e.Pos()}
		c.fixes[e] = &fixNode{node: head}
		heads = append(heads, head)
	}
	// The first equation has the highest priority.
	priority := 0
	for i := len(heads) - 1; i >= 0; i-- {
		e := s.Equations[i]
		priority = least(e.Greatest, priority)
		heads[i].priority = priority
		body, _ := c.state(e.X, false, heads[i].scope)
		heads[i].kids = []*node{body}
	}
	root, _ := c.state(s.Init, false, nil)
	if c.err != nil {
		return nil, c.err
	}
	var g record.Graph
	g.State(nil, nil, 0)
	b := c.builder(&g, nil)
	b.most = most
	return b.outcome(root)
}
