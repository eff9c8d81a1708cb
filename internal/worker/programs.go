// Package worker has what a worker does with a job of others: it finds the program, or
// the model, that the job is about, looks whether it is the same one, and makes systems
// of it. It also writes such jobs down for a swarm.
//
//	distribute.Job ─► source ─Build─► check.Code ─► lts.System, or a search of a member
//
// Package distribute, which deals with queues and tasks, asks it by the interface
// distribute.Programs. The package knows nothing of queues, flags and terminals.
package worker

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certify"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/distribute"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/model"
)

// Programs are those that a worker has. It is a distribute.Programs.
type Programs struct {
	// Patterns and Tags say what the worker has. If they are empty it has what the job
	// names.
	Patterns, Tags []string

	// Folder is where programs are that a job may name.
	Folder string

	// Log, if there is one, is told what jobs want to be executed.
	Log func(text string)

	// Build builds a program. With access, goroutines are to be stopped at each access
	// to shared memory.
	Build func(ctx context.Context, patterns, tags []string, access bool) (*check.Code, error)
}

// patterns returns what the worker calls the program of a job.
func (w *Programs) patterns(job *distribute.Job) []string {
	if len(w.Patterns) == 0 {
		return job.Packages
	}
	return w.Patterns
}

// build builds the program of a job, and refuses one that is not the same.
func (w *Programs) build(ctx context.Context, job *distribute.Job, access bool) (*check.Code, error) {
	tags := w.Tags
	if len(tags) == 0 {
		tags = job.Tags
	}
	patterns := w.patterns(job)
	if err := w.plain(job); err != nil {
		return nil, err
	}
	code, err := w.Build(ctx, patterns, tags, access)
	if err != nil {
		return nil, err
	}
	if err := w.allowed(code); err != nil {
		return nil, err
	}
	return code, job.Same(strings.Join(patterns, " "), code.Identity)
}

// Certified returns a system of the program, or model, of a certificate.
func (w *Programs) Certified(ctx context.Context, job *distribute.Job, r *cert.Reader) (lts.System, func(), error) {
	if job.Model == "" {
		return w.certifiedProgram(ctx, job, r)
	}
	s, err := certify.ReadModelSpec(r)
	if err != nil {
		return nil, nil, err
	}
	s = &model.Spec{Passes: s.Passes, Deadlock: slices.Contains(job.Properties, model.Deadlock), Invariants: job.Invariants, Actions: job.Actions}
	m, err := w.model(job, s)
	if err != nil {
		return nil, nil, err
	}
	sys, err := m.New()
	return sys, nil, err
}

// certifiedProgram returns a system of a program.
func (w *Programs) certifiedProgram(ctx context.Context, job *distribute.Job, r *cert.Reader) (sys lts.System, done func(), err error) {
	spec, known, err := certify.ReadSpec(r)
	if err != nil {
		return nil, nil, err
	}
	if spec.Program.Test != "" {
		return nil, nil, diag.Usagef("it is about a test, which workers do not examine")
	}
	if err := w.tell(job, spec); err != nil {
		return nil, nil, err
	}
	spec.Model.LookFor(job.Properties)
	spec.Program.Packages = job.Packages // what the program is called is the same everywhere
	p, err := certify.NewProgram(r, strings.Join(w.patterns(job), " "), spec, known)
	if err != nil {
		return nil, nil, err
	}
	if p.Settings.Root, err = os.Getwd(); err != nil {
		return nil, nil, diag.Usagef("%v", err)
	}
	if p.Code, err = w.build(ctx, job, p.Settings.Access); err != nil {
		return nil, nil, err
	}
	sys, err = p.New()
	return sys, func() { check.CloseSystem(sys) }, err
}

// Found returns what a system has found out about the assumptions of its reduction.
func (w *Programs) Found(sys lts.System) string {
	for _, f := range check.FoundIn([]lts.System{sys}) {
		if f != nil {
			data, _ := json.Marshal(f) // numbers and strings can be written
			return string(data)
		}
	}
	return ""
}

// model returns the model of a job.
func (w *Programs) model(job *distribute.Job, s *model.Spec) (*model.Systems, error) {
	file := job.Model
	if len(w.Patterns) == 1 {
		file = w.Patterns[0]
	} else if err := w.below(file); err != nil {
		return nil, err
	}
	m, err := model.Load(file, s.Passes)
	if err != nil {
		return nil, err
	}
	if err := job.Same(m.Name, m.Identity()); err != nil {
		return nil, err
	}
	if err := s.Fits(m); err != nil {
		return nil, err
	}
	return model.Prepare(m, s, 1)
}
