package cli

import (
	"context"
	"encoding/hex"
	"io"
	"os"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certcheck"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/queue"
	"github.com/heddle-mc/heddle/internal/vm"
)

// fetchCert gets the certificate of a job. The file has no name.
func fetchCert(ctx context.Context, j queue.Job, text *jobText) (*certFile, error) {
	f, err := os.CreateTemp("", "heddle-certificate-")
	if err != nil {
		return nil, diag.Usagef("%v", err)
	}
	os.Remove(f.Name())
	fail := func(err error) (*certFile, error) {
		f.Close()
		return nil, err
	}
	err = j.Get(ctx, certificateBlob, f, func() error {
		if err := f.Truncate(0); err != nil {
			return err
		}
		_, err := f.Seek(0, io.SeekStart)
		return err
	})
	if err != nil {
		return fail(err)
	}
	info, err := f.Stat()
	if err != nil {
		return fail(diag.Usagef("%v", err))
	}
	r, err := cert.Open(f, info.Size())
	if err != nil {
		return fail(diag.Usagef("%v", err))
	}
	if hex.EncodeToString(r.Digest[:]) != text.Digest {
		return fail(diag.Usagef("the certificate is not the one that the job is about"))
	}
	return &certFile{r, f}, nil
}

// openCert gets ready for parts of a program's certificate.
func (w *worker) openCert(ctx context.Context, j queue.Job, text jobText) (*openJob, error) {
	file, err := fetchCert(ctx, j, &text)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	c := certifier{app: w.app, src: w.source(&text)}
	rec, known, err := certRecipe(file.Reader)
	if err != nil {
		return nil, err
	}
	if rec.Test != "" {
		return nil, diag.Usagef("it is about a test, which workers do not examine")
	}
	rec.Properties = text.Properties
	t, settings, err := c.target(file.Reader, rec)
	if err != nil {
		return nil, err
	}
	settings.Assume = known
	if t.prog, err = w.app.Backend.Build(ctx, BuildOptions{Source: c.src, Access: settings.Access}); err != nil {
		return nil, err
	}
	if err := text.same(t.name, t.prog.Identity); err != nil {
		return nil, err
	}
	root, err := os.Getwd()
	if err != nil {
		return nil, diag.Usagef("%v", err)
	}
	pool := &systems{make: func() (lts.System, error) { return t.prog.NewSystem(t.process, settings, root) }}
	sys, err := pool.new()
	if err != nil {
		return nil, err
	}
	p := &partWorker{text: text, sys: sys, reduce: file.Header.Reduce}
	return &openJob{do: p.do, close: pool.close}, nil
}

// openCertModel gets ready for parts of a model's certificate.
func (w *worker) openCertModel(ctx context.Context, j queue.Job, text jobText) (*openJob, error) {
	file, err := fetchCert(ctx, j, &text)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	values, err := certSettings(file.Reader)
	if err != nil {
		return nil, err
	}
	flags, _, err := readModelRecipe(values, ".")
	if err != nil {
		return nil, err
	}
	flags.invariants = append(flags.invariants, text.Invariants...)
	flags.actions = append(flags.actions, text.Actions...)
	sys, err := w.modelSystem(&text, flags)
	if err != nil {
		return nil, err
	}
	p := &partWorker{text: text, sys: sys, reduce: file.Header.Reduce}
	return &openJob{do: p.do}, nil
}

// modelSystem returns a system of the model of a job.
func (w *worker) modelSystem(text *jobText, flags *modelFlags) (lts.System, error) {
	mod, err := loadModel(w.model(text), flags.passes.names)
	if err != nil {
		return nil, err
	}
	if err := text.same(mod.name, mod.identity()); err != nil {
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

// A partWorker examines parts of one certificate.
type partWorker struct {
	text   jobText
	sys    lts.System
	reduce bool
}

// do examines a part.
func (p *partWorker) do(ctx context.Context, t *queue.Task, told func(int)) ([]byte, error) {
	data, err := t.Job.Bytes(ctx, t.Name)
	if err != nil {
		return nil, err
	}
	part, err := cert.ReadPart(data)
	if err != nil {
		return nil, err
	}
	var e envelope
	err = guarded(func() error {
		res, err := certcheck.CheckPart(part, p.sys, p.reduce, p.text.Trustful, certcheck.Options{
			Seed: p.text.Seed, All: p.text.All,
			Interrupt: func() bool { return ctx.Err() != nil },
			Progress:  func(n uint64) { told(int(n * 1000 / max(part.Transitions, 1))) },
		})
		if err == nil {
			e.Result = res.Append(nil)
		}
		return err
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		e.Failure = err.Error()
	}
	if f, ok := p.sys.(interface{ Found() *vm.Assumptions }); ok {
		e.Assume = assumeText(f.Found())
	}
	return e.bytes(), nil
}
