package cli

import (
	"context"
	"encoding/json"
	"flag"
	"math"

	"github.com/heddle-mc/heddle/internal/execute"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certcheck"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/distribute"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A jobText is what workers are told of the work.
type jobText = distribute.Job

// A queueError is about the queue, and says nothing about a certificate.
type queueError = distribute.QueueError

// certDistribute says how a certification is distributed.
type certDistribute struct {
	distributeFlags
	recheck float64
	slice   uint64
}

func (f *certDistribute) declare(fs *flag.FlagSet) {
	f.distributeFlags.declare(fs, "have parts of the certificate examined by workers: heddle worker", "store")
	fs.Float64Var(&f.recheck, "recheck", 0.05, "of -distribute: examine this `share` of the parts here, too, to catch workers that lie")
	fs.Uint64Var(&f.slice, "slice", 0, "of -distribute: parts of `n` transitions; 0 means some thousands")
}

func (f *certDistribute) check() error {
	if f.recheck < 0 || f.recheck > 1 || math.IsNaN(f.recheck) {
		return diag.Usagef("-recheck %v: say a share between 0 and 1", f.recheck)
	}
	return f.distributeFlags.check()
}

// examineParts examines a certificate: here, or by handing it to others. What their
// systems have found out about the assumptions of the reduction is in found.
func (c *certifier) examineParts(ctx context.Context, name string, r *cert.Reader, newSystem func() (lts.System, error), o certcheck.Options, text jobText) (res *certcheck.Result, found []*execute.Found, err error) {
	if !c.distribute.on {
		res, err = certcheck.Check(r, newSystem, c.trustful, o)
		return res, nil, err
	}
	ctx, stop := untilSignal(ctx)
	defer stop()
	text.Heddle, text.Slice = version(), c.distribute.slice
	res, err = distribute.Examine(ctx, c.distribute.options(c.app, name, "parts"), &distribute.Certificate{
		File: name, Reader: r, NewSystem: newSystem, Trustful: c.trustful, Check: o,
		Found: func(text string) error {
			if text == "" {
				return nil
			}
			f := new(execute.Found)
			found = append(found, f)
			return json.Unmarshal([]byte(text), f)
		},
		Recheck: c.distribute.recheck, Secret: unknownSeed(),
	}, text)
	return res, found, err
}
