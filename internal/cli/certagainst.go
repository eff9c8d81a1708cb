package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/progcache"
	"github.com/heddle-mc/heddle/internal/report"
	"github.com/heddle-mc/heddle/internal/reuse"
)

// The names of what a certificate with a graph says besides.
const (
	codeFolder = "folder" // where the program ran
	codeHeddle = "heddle" // the build that made it
)

// tellsLines are natives that tell a program positions in its source.
var tellsLines = []string{"runtime.Caller", "runtime.Callers", "runtime.callers", "runtime.FuncForPC", "runtime.Stack", "runtime.CallersFrames"}

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
	o, err := t.flags.options()
	if err != nil {
		return nil, "", err
	}
	settings, err := t.flags.system()
	if err != nil {
		return nil, "", err
	}
	file, err := openCert(f.against)
	if err != nil {
		return nil, "", diag.Usagef("-against: %v", err)
	}
	defer file.Close()
	d, why := f.usable(file.Reader, c, t, o)
	if why != "" {
		return nil, why, nil
	}
	plan, err := reuse.NewPlan(file.Reader, func(fn uint32) bool { return d.numbers[fn] })
	if err != nil {
		return nil, "", diag.Usagef("-against: %v", err)
	}
	if plan.Useless() {
		return nil, d.String() + ", which the start executes", nil
	}
	if plan.Outside {
		return nil, "the program looks at files of the host", nil
	}
	m := startMeter()
	if settings.Assume, err = readAssume(cert.Lookup(file.Header.Settings, assumeName)); err != nil {
		return nil, "", err
	}
	sys, err := t.prog.NewSystem(t.process, settings, c.root)
	if err != nil {
		return nil, "", err
	}
	pool := &systems{}
	pool.list = append(pool.list, sys)
	defer pool.close()
	res, err := plan.Search(sys, o.Reduce, c.interrupt.asked.Load)
	switch {
	case err != nil:
		return nil, err.Error(), nil
	case res.Found:
		return nil, "something is wrong, or a bound was met", nil
	case assumptionsHold(settings.Assume, foundIn(pool.list)) != nil:
		return nil, "reduction may assume less than before", nil
	case sys.(*nearSystem).Outside():
		return nil, "the program looks at files of the host now", nil
	}
	fmt.Fprintf(c.app.Stderr, "-against %s: %s; %d of %d transitions are proven by it, %d were taken\n",
		f.against, d.String(), res.Saved, res.Saved+res.Transitions, res.Transitions)
	out := c.toReport(t, &explore.Result{
		Verdict: explore.Verified, States: int64(res.States), Transitions: int64(res.Saved + res.Transitions),
		Revisited: int64(res.Saved + res.Transitions - res.States + 1), MaxDepth: res.Depth,
	}, o)
	out.Seconds = float64(m.elapsed()) / 1e9
	out.CPUSeconds = (cpuTime() - m.cpu).Seconds()
	out.PeakBytes = peakBytes()
	return out, "", nil
}

// usable looks whether a certificate can say anything about the program, and what has
// changed. If not it says why.
func (f *certFlags) usable(r *cert.Reader, c *checker, t *target, o explore.Options) (d difference, why string) {
	if t.prog.Code == nil || len(t.flags.peers.declared) > 0 || t.recipe.Model != "" || c.distribute != nil {
		return d, "that is for one program without peers"
	}
	if o.Strategy != explore.DepthFirst && o.Strategy != explore.BreadthFirst || t.flags.limited() || c.graph != nil || c.cover != nil || c.checkpoint != "" || c.resume != "" {
		return d, "that is for a search of everything, without limits, -lts, -coverprofile, -checkpoint and -resume"
	}
	if r.Header.Kind != cert.Full || !r.HasGraph() {
		return d, "the certificate has no graph: write it with -cert-graph"
	}
	own := f.header(t, o)
	with := slices.DeleteFunc(slices.Clone(r.Header.Settings), func(p cert.Pair) bool { return p.Name == assumeName })
	if r.Header.Reduce != own.Reduce || !slices.Equal(with, own.Settings) || !slices.Equal(r.Header.Properties, own.Properties) {
		return d, "the certificate has other settings"
	}
	for _, p := range []cert.Pair{{Name: codeFolder, Value: c.root}, {Name: codeHeddle, Value: progcache.BuildID()}} {
		if p.Value == "" || cert.Lookup(r.Header.Program, p.Name) != p.Value {
			return d, "the certificate is of another " + p.Name
		}
	}
	code := t.prog.Code()
	if d = code.differ(&r.Header, t.prog.Strings); d.why != "" {
		return d, d.String()
	}
	if d.lines {
		for _, fn := range code.functions {
			if slices.Contains(tellsLines, fn.Name) {
				return d, "positions in the source have changed, and " + fn.Name + " tells them"
			}
		}
	}
	return d, ""
}

// graphHeader adds what a certificate with a graph has to say.
func graphHeader(h *cert.Header, root string) {
	h.Program = append(h.Program, cert.Pair{Name: codeFolder, Value: root}, cert.Pair{Name: codeHeddle, Value: progcache.BuildID()})
}

// Traced appends the functions that were executed, of systems that tell.
func (s *nearSystem) Traced(dst []uint32) []uint32 {
	if t, ok := s.goSystem.(lts.Tracer); ok {
		return t.Traced(dst)
	}
	return dst
}

// Standing appends the functions that the state is in the middle of.
func (s *nearSystem) Standing(dst []uint32) []uint32 {
	if t, ok := s.goSystem.(lts.Tracer); ok {
		return t.Standing(dst)
	}
	return dst
}

// Outside reports whether the program has looked at files of the host.
func (s *nearSystem) Outside() bool {
	sys, ok := s.goSystem.(*execute.System)
	return !ok || sys.Outside()
}

// changedProgram says why a certificate is about another program.
func changedProgram(h *cert.Header, prog *Program) string {
	if prog.Code == nil || len(h.Functions) == 0 {
		return ""
	}
	d := prog.Code().differ(h, prog.Strings)
	return ": " + strings.TrimSpace(d.String())
}
