package cli

import (
	"flag"
	"math"

	"github.com/heddle-mc/heddle/internal/diag"
)

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
