package cli

import (
	"context"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/distribute"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/report"
	"github.com/heddle-mc/heddle/internal/worker"
)

// distributed looks whether the flags of a check go together with -distribute. It
// returns nil without that.
func (p *programChecker) distributed(run *report.Run) (*distributeFlags, error) {
	if err := p.distribute.check(); err != nil || !p.distribute.on {
		return nil, err
	}
	run.Settings = append(run.Settings, report.Setting{Name: "distribute", Value: true})
	switch {
	case p.flags.Search.Order != explore.Swarm.String() || p.flags.Search.Workers > 1:
		return nil, diag.Usagef("-distribute is for a swarm: say -swarm n, and start heddle worker for each that is to search")
	case p.lts != "" || p.checkpoint != "" || p.resume != "" || p.cert.file != "" || p.out.cover != "":
		return nil, diag.Usagef("-distribute: graph, checkpoint, certificate and coverage are made by a search of this process")
	case len(p.flags.Peers.Declared) > 0:
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
	case m.flags.Search.Order != explore.Swarm.String() || m.flags.Search.Workers > 1:
		return diag.Usagef("-distribute is for a swarm: say -swarm n, and start heddle worker for each that is to search")
	case m.cert.file != "":
		return diag.Usagef("-distribute: a certificate is made by a search of this process")
	}
	return nil
}

// swarm has the members of a swarm searched by others.
func (c *checker) swarm(t *target, s execute.Settings, o explore.Options) (*explore.Result, error) {
	one := func(view string) (lts.System, func(), error) {
		views, err := drive.ParseViews(view)
		if err != nil {
			return nil, nil, err
		}
		sys, err := t.prog.NewSystem(t.process, check.Under(s, views))
		return sys, func() { check.CloseSystem(sys) }, err
	}
	return c.distribute.search(c.app, t.name, one, worker.ProgramJob(t.prog.Identity, t.spec, o))
}

// swarm does the same for models.
func (m *modelChecker) swarm(t *target, o explore.Options) (*explore.Result, error) {
	one := func(string) (lts.System, func(), error) { return m.One(), func() {}, nil }
	return m.distribute.search(m.app, t.name, one, worker.ModelJob(m.Systems, &m.flags.checkFlags.Spec, o))
}

// search has the members of a swarm searched until the user ends it.
func (f *distributeFlags) search(app *App, name string, one func(view string) (lts.System, func(), error), job distribute.Job) (*explore.Result, error) {
	ctx, stop := untilSignal(context.Background())
	defer stop()
	job.Heddle = version()
	return distribute.Members(ctx, f.options(app, name, "searches"), one, job)
}
