package cli

import (
	"context"
	"encoding/json"
	"os"
	"strings"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certify"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/distribute"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/model"
)

// Certified returns a system of the program, or model, of a certificate.
func (w *programs) Certified(ctx context.Context, text *distribute.Job, r *cert.Reader) (lts.System, func(), error) {
	if text.Model != "" {
		sys, err := w.certifiedModel(text, r)
		return sys, nil, err
	}
	return w.certifiedProgram(ctx, text, r)
}

// Found returns what a system has found out about the assumptions of its reduction.
func (w *programs) Found(sys lts.System) string {
	for _, f := range check.FoundIn([]lts.System{sys}) {
		if f != nil {
			data, _ := json.Marshal(f) // numbers and strings can be written
			return string(data)
		}
	}
	return ""
}

// certifiedProgram returns a system of a program.
func (w *programs) certifiedProgram(ctx context.Context, text *distribute.Job, r *cert.Reader) (sys lts.System, done func(), err error) {
	spec, known, err := certify.ReadSpec(r)
	if err != nil {
		return nil, nil, err
	}
	if spec.Program.Test != "" {
		return nil, nil, diag.Usagef("it is about a test, which workers do not examine")
	}
	spec.Model.LookFor(text.Properties)
	src := w.source(text)
	p, err := certify.NewProgram(r, strings.Join(src.Patterns, " "), spec, known)
	if err != nil {
		return nil, nil, err
	}
	if p.Settings.Root, err = os.Getwd(); err != nil {
		return nil, nil, diag.Usagef("%v", err)
	}
	if p.Code, err = w.app.Backend.Build(ctx, BuildOptions{Source: src, Access: p.Settings.Access}); err != nil {
		return nil, nil, err
	}
	if err := text.Same(p.Name, p.Code.Identity); err != nil {
		return nil, nil, err
	}
	sys, err = p.New()
	return sys, func() { check.CloseSystem(sys) }, err
}

// certifiedModel returns a system of a model.
func (w *programs) certifiedModel(text *distribute.Job, r *cert.Reader) (lts.System, error) {
	look, err := certify.ReadModelSpec(r)
	if err != nil {
		return nil, err
	}
	look.Invariants = append(look.Invariants, text.Invariants...)
	look.Actions = append(look.Actions, text.Actions...)
	return w.modelSystem(text, look)
}

// modelSystem returns a system of the model of a job.
func (w *programs) modelSystem(text *distribute.Job, look *model.Spec) (lts.System, error) {
	mod, err := model.Load(w.model(text), look.Passes)
	if err != nil {
		return nil, err
	}
	if err := text.Same(mod.Name, mod.Identity()); err != nil {
		return nil, err
	}
	if err := look.Fits(mod); err != nil {
		return nil, err
	}
	m, err := model.Prepare(mod, look, 1)
	if err != nil {
		return nil, err
	}
	return m.New()
}
