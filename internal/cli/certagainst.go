package cli

import (
	"fmt"

	"github.com/heddle-mc/heddle/internal/certify"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/report"
)

// checkAgainst checks a target with what a certificate of it as it was proves. Where
// that proves nothing, or something is wrong, everything is searched.
func (f *certFlags) checkAgainst(c *checker, t *target) (*report.Report, error) {
	r, why, err := f.reuse(c, t)
	if err != nil {
		return nil, err
	}
	if r != nil {
		return r, nil
	}
	fmt.Fprintf(c.app.Stderr, "-against %s: everything is searched: %s\n", f.against, why)
	return c.check(t)
}

// reuse searches what a certificate does not prove. Without report it says why
// everything has to be searched.
func (f *certFlags) reuse(c *checker, t *target) (*report.Report, string, error) {
	o, err := t.flags.Options()
	if err != nil {
		return nil, "", err
	}
	settings, err := t.flags.System()
	if err != nil {
		return nil, "", err
	}
	file, err := certify.Open(f.against)
	if err != nil {
		return nil, "", diag.Usagef("-against: %v", err)
	}
	defer file.Close()
	if why := c.unfit(t, o); why != "" {
		return nil, why, nil
	}
	settings.Root = c.root
	p := t.program(settings)
	u, why, err := certify.NewReuse(file.Reader, p, o.Reduce)
	if err != nil {
		return nil, "", diag.Usagef("-against: %v", err)
	}
	if why != "" {
		return nil, why, nil
	}
	m := t.stop.meter
	res, why, err := u.Search(p, o.Reduce, c.interrupt.poll)
	if err != nil || why != "" {
		return nil, why, err
	}
	fmt.Fprintf(c.app.Stderr, "-against %s: %s; %d of %d transitions are proven by it, %d were taken\n",
		f.against, u.Difference.String(), res.Saved, res.Saved+res.Transitions, res.Transitions)
	out := c.toReport(t, &explore.Result{
		Verdict: explore.Verified, States: int64(res.States), Transitions: int64(res.Saved + res.Transitions),
		Revisited: int64(res.Saved + res.Transitions - res.States + 1), MaxDepth: res.Depth,
	}, o)
	out.Met = t.flags.PossibleBounds(t.prog.Bytecode)
	out.Seconds = float64(m.elapsed()) / 1e9
	out.CPUSeconds = (cpuTime() - m.cpu).Seconds()
	out.PeakBytes = peakBytes()
	return out, "", nil
}

// unfit says why a check is none that a certificate can help, "" if it can.
func (c *checker) unfit(t *target, o explore.Options) string {
	if t.prog.Bytecode == nil || len(t.flags.Peers.Declared) > 0 || t.spec.Program.Against != "" || c.distribute != nil {
		return "that is for one program without peers"
	}
	if o.Strategy != explore.DepthFirst && o.Strategy != explore.BreadthFirst || t.flags.Limits.Limited() || c.graph != nil || c.cover != nil || c.checkpoint != "" || c.resume != "" {
		return "that is for a search of everything, without limits, -lts, -coverprofile, -checkpoint and -resume"
	}
	return ""
}
