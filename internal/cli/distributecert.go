package cli

import (
	"flag"
	"time"

	"github.com/heddle-mc/heddle/internal/certcheck"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/distribute"
)

// certDistribute says how a certification is distributed.
type certDistribute struct {
	distributeFlags
	assurance distribute.Assurance
	alone     time.Duration
	slice     uint64
}

func (f *certDistribute) declare(fs *flag.FlagSet) {
	f.distributeFlags.declare(fs, "have parts of the certificate examined by workers: heddle worker", "store")
	f.assurance.Liars = distribute.Liars{Share: 0.1}
	fs.Float64Var(&f.assurance.Confidence, "confidence", 0.99, "of -distribute: notice forged results of workers with this `probability`, by examining as many parts here, too, as that takes; 0 means to believe workers")
	fs.Var(&f.assurance.Liars, "liars", "of -distribute: as many forged results, a `number` or a share as 10%, or more are noticed with the probability of -confidence")
	fs.Float64Var(&f.assurance.Share, "recheck", 0, "of -distribute: examine at least this `share` of the parts here, too; 1 means to believe nobody")
	fs.DurationVar(&f.alone, "patience", 10*time.Minute, "of -distribute: examine parts here when no result has come for `d`; 0 means never")
	fs.Uint64Var(&f.slice, "slice", 0, "of -distribute: parts of `n` transitions; 0 means some thousands")
}

func (f *certDistribute) check() error {
	a := &f.assurance
	switch {
	case !(a.Share >= 0 && a.Share <= 1):
		return diag.Usagef("-recheck %v: say a share between 0 and 1", a.Share)
	case !(a.Confidence >= 0 && a.Confidence <= 1):
		return diag.Usagef("-confidence %v: say a probability between 0 and 1", a.Confidence)
	case f.alone < 0:
		return diag.Usagef("-patience %v: say how long to wait for results", f.alone)
	}
	return f.distributeFlags.check()
}

// options returns what a coordinator is told.
func (f *certDistribute) options(app *App, name, what string) *distribute.Options {
	o := f.distributeFlags.options(app, name, what)
	o.Alone = f.alone
	return o
}

// by says who has examined a certificate, if that was not this process alone.
func by(res *certcheck.Result) string {
	if res.Others == "" {
		return ""
	}
	return "; " + res.Others
}
