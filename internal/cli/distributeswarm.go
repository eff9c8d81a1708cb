package cli

import (
	"cmp"
	"context"
	"os"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certcheck"
	"github.com/heddle-mc/heddle/internal/certify"
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
	prove := func(ctx context.Context, r *cert.Reader, file string) (*explore.Result, error) {
		of, known, err := certify.ReadSpec(r)
		if err != nil {
			return nil, err
		}
		spec, _, err := (&certify.Claim{Spec: t.spec.Clone()}).Bind(of)
		if err != nil {
			return nil, err
		}
		p, err := certify.NewProgram(r, t.name, spec, known)
		if err != nil {
			return nil, err
		}
		p.Package, p.Code, p.Process, p.Settings.Root = t.pkg, t.prog, t.process, c.root
		if err := p.Same(&r.Header); err != nil {
			return nil, err
		}
		e, err := p.Examine(ctx, r, certify.Options{File: file, All: o.All, Stop: t.stop.poll})
		if err != nil {
			return nil, err
		}
		return seen(e.Result, e.Findings), nil
	}
	return c.distribute.search(c.app, t.name, one, prove, worker.ProgramJob(t.prog.Identity, t.spec, o))
}

// seen is what was seen when a certificate was examined.
func seen(res *certcheck.Result, found []explore.Found) *explore.Result {
	return &explore.Result{States: int64(res.Counts.States), Transitions: int64(res.Counts.Transitions), MaxDepth: int(res.Counts.Depth), Bound: -1, Findings: found}
}

// swarm does the same for models.
func (m *modelChecker) swarm(t *target, o explore.Options) (*explore.Result, error) {
	one := func(string) (lts.System, func(), error) { return m.One(), func() {}, nil }
	prove := func(ctx context.Context, r *cert.Reader, file string) (*explore.Result, error) {
		own, err := certify.LoadModel(r, m.Model.Name, *m.Spec, 1)
		if err != nil {
			return nil, err
		}
		res, err := certify.ExamineModel(ctx, r, own, certify.Options{File: file, All: o.All, Stop: t.stop.poll}, distribute.Job{})
		if err != nil {
			return nil, err
		}
		var found []explore.Found
		for _, f := range res.Findings {
			found = append(found, explore.Found{Finding: f.Finding, Path: f.Path})
		}
		return seen(res, found), nil
	}
	return m.distribute.search(m.app, t.name, one, prove, worker.ModelJob(m.Systems, &m.flags.checkFlags.Spec, o))
}

// search has the members of a swarm searched until the user ends it.
func (f *distributeFlags) search(app *App, name string, one func(view string) (lts.System, func(), error),
	prove func(ctx context.Context, r *cert.Reader, file string) (*explore.Result, error), job distribute.Job) (*explore.Result, error) {
	ctx, stop := untilSignal(context.Background())
	defer stop()
	job.Heddle = version()
	return distribute.Members(ctx, f.options(app, name, "searches"), one, func(certificate []byte) (*explore.Result, error) {
		file, err := os.CreateTemp("", "heddle-member-")
		if err != nil {
			return nil, diag.Incompletef("%v", err)
		}
		defer os.Remove(file.Name())
		_, err = file.Write(certificate)
		if err := cmp.Or(err, file.Close()); err != nil {
			return nil, diag.Incompletef("%v", err)
		}
		r, err := certify.Open(file.Name())
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return prove(ctx, r.Reader, file.Name())
	}, job)
}
