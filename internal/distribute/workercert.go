package distribute

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certcheck"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/queue"
)

// What a worker takes from a queue: a hostile one may send without end.
const (
	maxCertificate = 16 << 30
	maxPart        = 256 << 20
)

// fetchCert gets the certificate of a job, in a file without a name that the caller
// closes.
func fetchCert(ctx context.Context, j queue.Job, text *Job) (*cert.Reader, *os.File, error) {
	f, err := os.CreateTemp("", "heddle-certificate-")
	if err != nil {
		return nil, nil, diag.Usagef("%v", err)
	}
	os.Remove(f.Name())
	fail := func(err error) (*cert.Reader, *os.File, error) {
		f.Close()
		return nil, nil, err
	}
	err = j.Get(ctx, certificateBlob, maxCertificate, f, func() error {
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
	return r, f, nil
}

// openCert gets ready for parts of a certificate.
func (w *Worker) openCert(ctx context.Context, j queue.Job, text Job) (*openJob, error) {
	r, file, err := fetchCert(ctx, j, &text)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	sys, done, err := w.Programs.Certified(ctx, &text, r)
	if err != nil {
		return nil, err
	}
	p := &partWorker{programs: w.Programs, text: text, sys: sys, reduce: r.Header.Reduce}
	return &openJob{do: p.do, close: done}, nil
}

// A partWorker examines parts of one certificate.
type partWorker struct {
	programs Programs
	text     Job
	sys      lts.System
	reduce   bool
}

// do examines a part.
func (p *partWorker) do(ctx context.Context, t *queue.Task, told func(int)) ([]byte, error) {
	data, err := t.Job.Bytes(ctx, t.Name, maxPart)
	if err != nil {
		return nil, err
	}
	part, err := cert.ReadPart(data)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	e := envelope{Part: sum[:]}
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
	e.Found = p.programs.Found(p.sys)
	return e.bytes(), nil
}
