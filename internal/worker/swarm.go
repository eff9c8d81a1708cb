package worker

import (
	"context"
	"os"

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
	spec   *check.Spec
	search func(o explore.Options, i int, over func() bool) (*explore.Result, error)
}

// Options returns how the members search.
func (s *searcher) Options() (explore.Options, error) { return s.spec.Options() }

// Search does the search of a member.
func (s *searcher) Search(o explore.Options, i int, over func() bool) (*explore.Result, error) {
	return s.search(o, i, over)
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
	return &searcher{spec, func(o explore.Options, i int, over func() bool) (*explore.Result, error) {
		own := settings
		memory := limit.Watch(o.Limits.Memory)
		defer memory.End()
		o.Interrupt, o.Full = func() bool { return over() || memory.Full() }, memory.Full
		own.Stop = o.Interrupt
		pool := &check.Pool{Make: func() (lts.System, error) { return code.NewSystem(process, own) }}
		defer pool.Close()
		run := &check.Task{Settings: &own, Pool: pool, Options: o, Member: func(sys lts.System, o explore.Options) (*explore.Result, error) {
			return explore.RunMember(sys, o, i)
		}}
		out, err := run.Search()
		if err != nil {
			return nil, err
		}
		return out.Result, nil
	}}, nil
}

// searchedModel gets ready for searches of a model.
func (w *Programs) searchedModel(job *distribute.Job, spec *check.Spec) (distribute.Searcher, error) {
	s, _, err := model.ReadRecipe(job.Settings, ".")
	if err != nil {
		return nil, err
	}
	sys, err := w.model(job, s)
	if err != nil {
		return nil, err
	}
	return &searcher{spec, func(o explore.Options, i int, over func() bool) (*explore.Result, error) {
		memory := limit.Watch(o.Limits.Memory)
		defer memory.End()
		o.Interrupt, o.Full = func() bool { return over() || memory.Full() }, memory.Full
		return explore.RunMember(sys, o, i)
	}}, nil
}
