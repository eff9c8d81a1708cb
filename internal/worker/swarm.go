package worker

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certify"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/distribute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/limit"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/model"
)

// ProgramJob is the job to search a program by a swarm.
func ProgramJob(identity string, s *check.Spec, o explore.Options) distribute.Job {
	return distribute.Job{
		All: o.All, Identity: identity, Packages: s.Program.Packages, Tags: s.Program.Tags, Spec: memberSpec(s), Members: o.Members(),
	}
}

// ModelJob is the job to search a model by a swarm. The spec says how.
func ModelJob(m *model.Systems, s *check.Spec, o explore.Options) distribute.Job {
	settings := m.Spec.Recipe("", m.Model)
	delete(settings, "dir")
	return distribute.Job{
		All: o.All, Identity: m.Model.Identity(), Model: m.Model.Name, Settings: settings, Spec: memberSpec(s), Members: o.Members(),
	}
}

// memberSpec writes down how the members of a swarm search. Folders are no part of it.
func memberSpec(s *check.Spec) []byte {
	own := s.Clone()
	own.Program.Dir, own.Program.ChangeTo = "", ""
	own.Search.Workers = 1
	return own.Text()
}

// Searched returns who searches a program, or a model.
func (w *Programs) Searched(ctx context.Context, job *distribute.Job) (distribute.Searcher, error) {
	spec, err := check.Read(job.Spec)
	if err != nil {
		return nil, err
	}
	if job.Model != "" {
		return w.searchedModel(job, spec)
	}
	return w.searchedProgram(ctx, job, spec)
}

// A searcher does searches of one swarm.
type searcher struct {
	spec        *check.Spec
	search      func(o explore.Options, i int, over func() bool) (*explore.Result, error)
	certificate func(o explore.Options, over func() bool) ([]byte, error)
}

// Options returns how the members search.
func (s *searcher) Options() (explore.Options, error) { return s.spec.Options() }

// Search does the search of a member.
func (s *searcher) Search(o explore.Options, i int, over func() bool) (*explore.Result, error) {
	return s.search(o, i, over)
}

// Certificate searches for a certificate.
func (s *searcher) Certificate(o explore.Options, over func() bool) ([]byte, error) {
	o.Strategy, o.Workers = explore.DepthFirst, 1
	return s.certificate(o, over)
}

// record returns the certificate that a search writes, or nil if it has verified nothing.
func record(h cert.Header, search func(*certify.Recording) (*explore.Result, error)) ([]byte, error) {
	dir, err := os.MkdirTemp("", "heddle-member-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "certificate")
	r, err := certify.Create(file, h)
	if err != nil {
		return nil, err
	}
	defer r.Discard()
	res, err := search(r)
	if err != nil || res.Verdict != explore.Verified {
		return nil, err
	}
	if err := r.Finish(nil); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
}

// searchedProgram gets ready for searches of a program.
func (w *Programs) searchedProgram(ctx context.Context, job *distribute.Job, spec *check.Spec) (distribute.Searcher, error) {
	if err := w.tell(job, spec); err != nil {
		return nil, err
	}
	settings, err := spec.System()
	if err != nil {
		return nil, err
	}
	code, err := w.build(ctx, job, settings.Access)
	if err != nil {
		return nil, err
	}
	if settings.Root, err = os.Getwd(); err != nil {
		return nil, diag.Usagef("%v", err)
	}
	process := spec.Process(check.ProgramName(spec.Program.Packages))
	// task does a search with what it needs, and ends it if over says so.
	task := func(o explore.Options, over func() bool, do func(*check.Task) (*check.Outcome, error)) (*explore.Result, error) {
		own := settings
		memory := limit.Watch(o.Limits.Memory)
		defer memory.End()
		o.Interrupt, o.Full = func() bool { return over() || memory.Full() }, memory.Full
		own.Stop = o.Interrupt
		pool := &check.Pool{Make: func() (lts.System, error) { return code.NewSystem(process, own) }}
		defer pool.Close()
		out, err := do(&check.Task{Settings: &own, Pool: pool, Options: o})
		if err != nil {
			return nil, err
		}
		return out.Result, nil
	}
	return &searcher{spec, func(o explore.Options, i int, over func() bool) (*explore.Result, error) {
		return task(o, over, func(t *check.Task) (*check.Outcome, error) {
			t.Member = func(sys lts.System, o explore.Options) (*explore.Result, error) { return explore.RunMember(sys, o, i) }
			return t.Search()
		})
	}, func(o explore.Options, over func() bool) ([]byte, error) {
		p := &certify.Program{Name: strings.Join(job.Packages, " "), Code: code, Process: process, Spec: spec}
		return record(p.Header("heddle "+job.Heddle, o.Reduce), func(r *certify.Recording) (*explore.Result, error) {
			return task(o, over, r.Search)
		})
	}}, nil
}

// searchedModel gets ready for searches of a model.
func (w *Programs) searchedModel(job *distribute.Job, spec *check.Spec) (distribute.Searcher, error) {
	s, _, err := model.ReadRecipe(job.Settings, ".")
	if err != nil {
		return nil, err
	}
	m, err := w.model(job, s)
	if err != nil {
		return nil, err
	}
	limited := func(o explore.Options, over func() bool, do func(explore.Options) (*explore.Result, error)) (*explore.Result, error) {
		memory := limit.Watch(o.Limits.Memory)
		defer memory.End()
		o.Interrupt, o.Full = func() bool { return over() || memory.Full() }, memory.Full
		return do(o)
	}
	return &searcher{spec, func(o explore.Options, i int, over func() bool) (*explore.Result, error) {
		return limited(o, over, func(o explore.Options) (*explore.Result, error) {
			sys, err := m.New()
			if err != nil {
				return nil, err
			}
			return explore.RunMember(sys, o, i)
		})
	}, func(o explore.Options, over func() bool) ([]byte, error) {
		o.Reduce = false
		return record(certify.ModelHeader(m, "heddle "+job.Heddle), func(r *certify.Recording) (*explore.Result, error) {
			return limited(o, over, func(o explore.Options) (*explore.Result, error) { return r.SearchModel(m, o) })
		})
	}}, nil
}
