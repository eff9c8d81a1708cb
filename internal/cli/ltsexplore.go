package cli

import (
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/graph"
	"github.com/heddle-mc/heddle/internal/lts"
)

// exploreGraph returns the graph of a model, or an error if it is not complete.
// The observer, if there is one, sees it too.
func (app *App) exploreGraph(mod *model, states int64, also explore.Observer) (*graph.Graph, error) {
	var b graph.Builder
	m := modelSystem{}
	if err := m.prepare(mod, &modelFlags{}, 1); err != nil {
		return nil, err
	}
	in := app.watchInterrupt()
	defer in.stop()
	p := &progress{w: app.Stderr, terminal: isTerminal(app.Stderr), width: terminalWidth(app.Stderr), name: mod.name}
	defer p.clear()
	meter := startMeter()
	res, err := explore.Run(m.new, explore.Options{
		Strategy: explore.BreadthFirst, All: true, Observer: observers{&b, also}, Limits: explore.Limits{States: states},
		Clock: meter.elapsed, Interrupt: in.poll, Progress: p.show,
	})
	if err != nil {
		return nil, withKind(err)
	}
	for _, l := range res.Left {
		return nil, diag.Incompletef("%s: %d states, not all: %s", mod.name, res.States, l.Text)
	}
	return b.Graph(), nil
}

// observers are two observers of one search; the second may be nil.
type observers struct{ a, b explore.Observer }

func (o observers) State(sys lts.System, digest []byte, depth int) {
	o.a.State(sys, digest, depth)
	if o.b != nil {
		o.b.State(sys, digest, depth)
	}
}

func (o observers) Step(sys lts.System, from, to []byte, s lts.Step, l lts.Label) {
	o.a.Step(sys, from, to, s, l)
	if o.b != nil {
		o.b.Step(sys, from, to, s, l)
	}
}
