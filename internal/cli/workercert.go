package cli

import (
	"context"
	"encoding/json"
	"os"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
)

// Certified returns a system of the program, or model, of a certificate.
func (w *programs) Certified(ctx context.Context, text *jobText, r *cert.Reader) (lts.System, func(), error) {
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
func (w *programs) certifiedProgram(ctx context.Context, text *jobText, r *cert.Reader) (sys lts.System, done func(), err error) {
	c := certifier{app: w.app, src: w.source(text)}
	rec, known, err := certRecipe(r)
	if err != nil {
		return nil, nil, err
	}
	if rec.Program.Test != "" {
		return nil, nil, diag.Usagef("it is about a test, which workers do not examine")
	}
	rec.Model.LookFor(text.Properties)
	t, settings, err := c.target(r, rec)
	if err != nil {
		return nil, nil, err
	}
	root, err := os.Getwd()
	if err != nil {
		return nil, nil, diag.Usagef("%v", err)
	}
	settings.Known, settings.Root = known, root
	if t.prog, err = w.app.Backend.Build(ctx, BuildOptions{Source: c.src, Access: settings.Access}); err != nil {
		return nil, nil, err
	}
	if err := text.Same(t.name, t.prog.Identity); err != nil {
		return nil, nil, err
	}
	sys, err = t.prog.NewSystem(t.process, settings)
	return sys, func() { check.CloseSystem(sys) }, err
}

// certifiedModel returns a system of a model.
func (w *programs) certifiedModel(text *jobText, r *cert.Reader) (lts.System, error) {
	values, err := certSettings(r)
	if err != nil {
		return nil, err
	}
	flags, _, err := readModelRecipe(values, ".")
	if err != nil {
		return nil, err
	}
	flags.invariants = append(flags.invariants, text.Invariants...)
	flags.actions = append(flags.actions, text.Actions...)
	return w.modelSystem(text, flags)
}

// modelSystem returns a system of the model of a job.
func (w *programs) modelSystem(text *jobText, flags *modelFlags) (lts.System, error) {
	mod, err := loadModel(w.model(text), flags.passes.names)
	if err != nil {
		return nil, err
	}
	if err := text.Same(mod.name, mod.identity()); err != nil {
		return nil, err
	}
	if err := flags.known(mod); err != nil {
		return nil, err
	}
	var m modelSystem
	if err := m.prepare(mod, flags, 1); err != nil {
		return nil, err
	}
	return m.new()
}
