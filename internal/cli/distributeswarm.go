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
)

// memberSpec writes down how the members of a swarm search. Folders are no part of it.
func memberSpec(s *check.Spec) []byte {
	own := s.Clone()
	own.Program.Dir, own.Program.ChangeTo = "", ""
	own.Search.Workers = 1
	return own.Text()
}

// memberOptions returns the options of a member.
func memberOptions(t *distribute.Job) (explore.Options, error) {
	spec, err := check.Read(t.Spec)
	if err != nil {
		return explore.Options{}, err
	}
	return spec.Options()
}

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
	return c.distribute.search(c.app, t.name, one, distribute.Job{
		All: o.All, Identity: t.prog.Identity, Packages: t.spec.Program.Packages, Tags: t.spec.Program.Tags, Spec: memberSpec(t.spec), Members: o.Members(),
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
	one := func(string) (lts.System, func(), error) { return m.One(), func() {}, nil }
	return m.distribute.search(m.app, t.name, one, distribute.Job{
		All: o.All, Identity: m.Model.Identity(), Model: m.Model.Name, Settings: settings, Spec: memberSpec(&m.flags.checkFlags.Spec), Members: o.Members(),
	})
}

// search has the members of a swarm searched until the user ends it.
func (f *distributeFlags) search(app *App, name string, one func(view string) (lts.System, func(), error), text distribute.Job) (*explore.Result, error) {
	ctx, stop := untilSignal(context.Background())
	defer stop()
	text.Heddle = version()
	return distribute.Members(ctx, f.options(app, name, "searches"), one, text)
}
