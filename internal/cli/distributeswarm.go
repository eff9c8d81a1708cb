package cli

import (
	"context"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/distribute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/report"
)

// searchText returns how the members of a swarm search.
func (c *checkFlags) searchText(o *explore.Options) *distribute.Search {
	return &distribute.Search{
		Reduce: o.Reduce, States: c.states, Depth: c.depth, Timeout: c.timeout, Mem: int64(c.mem), Seed: c.seed, Runs: o.Members(), Store: c.store,
	}
}

// memberOptions returns the options of a member.
func memberOptions(t *jobText) (explore.Options, error) {
	s := t.Search
	if s == nil {
		return explore.Options{}, diag.Usagef("the job does not say how to search")
	}
	c := checkFlags{
		search: explore.Swarm.String(), reduce: s.Reduce, all: t.All, workers: 1, states: s.States, depth: s.Depth,
		timeout: s.Timeout, mem: size(s.Mem), seed: s.Seed, runs: s.Runs, store: s.Store,
	}
	return c.options()
}

// distributed looks whether the flags of a check go together with -distribute. It
// returns nil without that.
func (p *programChecker) distributed(run *report.Run) (*distributeFlags, error) {
	if err := p.distribute.check(); err != nil || !p.distribute.on {
		return nil, err
	}
	run.Settings = append(run.Settings, report.Setting{Name: "distribute", Value: true})
	switch {
	case p.flags.search != explore.Swarm.String() || p.flags.workers > 1:
		return nil, diag.Usagef("-distribute is for a swarm: say -swarm n, and start heddle worker for each that is to search")
	case p.lts != "" || p.checkpoint != "" || p.resume != "" || p.cert.file != "" || p.out.cover != "":
		return nil, diag.Usagef("-distribute: graph, checkpoint, certificate and coverage are made by a search of this process")
	case len(p.flags.peers.declared) > 0:
		return nil, diag.Usagef("-distribute: live peers are those of one process: certify a certificate, which has what they said, or run all sides in the machine")
	}
	return &p.distribute, nil
}

// distributed does the same for models.
func (m *modelChecker) distributed(run *report.Run) error {
	if err := m.distribute.check(); err != nil || !m.distribute.on {
		return err
	}
	run.Settings = append(run.Settings, report.Setting{Name: "distribute", Value: true})
	switch {
	case m.flags.search != explore.Swarm.String() || m.flags.workers > 1:
		return diag.Usagef("-distribute is for a swarm: say -swarm n, and start heddle worker for each that is to search")
	case m.cert.file != "":
		return diag.Usagef("-distribute: a certificate is made by a search of this process")
	}
	return nil
}

// swarm has the members of a swarm searched by others.
func (c *checker) swarm(t *target, pool *systems, o explore.Options) (*explore.Result, error) {
	own := t.recipe
	own.Dir, own.ChangeTo = "", ""
	one := func() (lts.System, func(), error) {
		sys, err := pool.one()
		return sys, func() {}, err
	}
	return c.distribute.search(c.app, t.name, one, jobText{
		All: o.All, Identity: t.prog.Identity, Packages: t.recipe.Packages, Tags: t.recipe.Tags, Settings: own.settings(), Search: t.flags.searchText(&o),
	})
}

// swarm does the same for models.
func (m *modelChecker) swarm(t *target, o explore.Options) (*explore.Result, error) {
	settings := map[string]string{}
	for name, value := range m.recipe {
		if name != "dir" {
			settings[name] = value
		}
	}
	one := func() (lts.System, func(), error) { return m.one(), func() {}, nil }
	return m.distribute.search(m.app, t.name, one, jobText{
		All: o.All, Identity: m.model.identity(), Model: m.model.name, Settings: settings, Search: m.flags.searchText(&o),
	})
}

// search has the members of a swarm searched until the user ends it.
func (f *distributeFlags) search(app *App, name string, one func() (lts.System, func(), error), text jobText) (*explore.Result, error) {
	ctx, stop := untilSignal(context.Background())
	defer stop()
	text.Heddle = version()
	return distribute.Members(ctx, f.options(app, name, "searches"), one, text)
}
