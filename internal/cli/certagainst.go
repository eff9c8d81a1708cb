package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/execute"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
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
	o, err := t.flags.Options()
	if err != nil {
		return nil, "", err
	}
	settings, err := t.flags.System()
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
	if settings.Known, err = execute.ParseKnown(cert.Lookup(file.Header.Settings, assumeName), cert.Lookup(file.Header.Settings, viewsName)); err != nil {
		return nil, "", diag.Usagef("-against: %v", err)
	}
	settings.Root = c.root
	sys, err := t.prog.NewSystem(t.process, settings)
	if err != nil {
		return nil, "", err
	}
	defer check.CloseSystem(sys)
	res, err := plan.Search(sys, o.Reduce, c.interrupt.poll)
	switch {
	case err != nil:
		return nil, err.Error(), nil
	case res.Found:
		return nil, "something is wrong, or a bound was met", nil
	case guessesHold(settings.Known, check.FoundIn([]lts.System{sys})) != nil:
		return nil, "reduction may assume less than before", nil
	case looksOutside(sys):
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
	if t.prog.Bytecode == nil || len(t.flags.Peers.Declared) > 0 || t.spec.Program.Against != "" || c.distribute != nil {
		return d, "that is for one program without peers"
	}
	if o.Strategy != explore.DepthFirst && o.Strategy != explore.BreadthFirst || t.flags.Limits.Limited() || c.graph != nil || c.cover != nil || c.checkpoint != "" || c.resume != "" {
		return d, "that is for a search of everything, without limits, -lts, -coverprofile, -checkpoint and -resume"
	}
	if r.Header.Kind != cert.Full || !r.HasGraph() {
		return d, "the certificate has no graph: write it with -cert-graph"
	}
	own := f.header(t, o)
	with := slices.DeleteFunc(slices.Clone(r.Header.Settings), func(p cert.Pair) bool { return p.Name == assumeName || p.Name == viewsName })
	if r.Header.Reduce != own.Reduce || !slices.Equal(with, own.Settings) || !slices.Equal(r.Header.Properties, own.Properties) {
		return d, "the certificate has other settings"
	}
	for _, p := range []cert.Pair{{Name: codeFolder, Value: c.root}, {Name: codeHeddle, Value: progcache.BuildID()}} {
		if p.Value == "" || cert.Lookup(r.Header.Program, p.Name) != p.Value {
			return d, "the certificate is of another " + p.Name
		}
	}
	code := codeOf(t.prog.Bytecode)
	if d = code.differ(&r.Header, t.prog.Bytecode.Strings); d.why != "" {
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

// looksOutside reports whether the program has looked at files of the host.
func looksOutside(sys lts.System) bool {
	s, ok := sys.(interface{ Outside() bool })
	return !ok || s.Outside()
}

// changedProgram says why a certificate is about another program.
func changedProgram(h *cert.Header, prog *Program) string {
	if prog.Bytecode == nil || len(h.Functions) == 0 {
		return ""
	}
	d := codeOf(prog.Bytecode).differ(h, prog.Bytecode.Strings)
	return ": " + strings.TrimSpace(d.String())
}
