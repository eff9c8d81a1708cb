package model

import (
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/graph"
	"github.com/heddle-mc/heddle/internal/lts"
)

// Graph returns the graph of a model, or an error if the search that o describes does
// not see all of it. Order and observer are its own. With vectors the values of the
// parameters in each state come, too. With confluence states are left out because of
// confluent steps: the graph is branching bisimilar to the whole one.
func (m *Model) Graph(o explore.Options, vectors, confluence bool) (*graph.Graph, graph.Vectors, error) {
	var b graph.Builder
	var v vectorObserver
	p, err := Prepare(m, &Spec{Confluence: confluence}, 1)
	if err != nil {
		return nil, v.Vectors, err
	}
	o.Strategy, o.All, o.Observer = explore.BreadthFirst, true, &b
	if vectors {
		o.Observer = observers{&b, &v}
	}
	res, err := explore.Run(p.New, o)
	if err != nil {
		return nil, v.Vectors, err
	}
	for _, l := range res.Left {
		return nil, v.Vectors, diag.Incompletef("%s: %d states, not all: %s", m.Name, res.States, l.Text)
	}
	return b.Graph(), v.Vectors, nil
}

// observers are two observers of one search.
type observers struct{ a, b explore.Observer }

func (o observers) State(sys lts.System, digest []byte, depth int) {
	o.a.State(sys, digest, depth)
	o.b.State(sys, digest, depth)
}

func (o observers) Step(sys lts.System, from, to []byte, s lts.Step, l lts.Label) {
	o.a.Step(sys, from, to, s, l)
	o.b.Step(sys, from, to, s, l)
}
