package certify

import (
	"context"
	"strings"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certcheck"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/distribute"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/plain"
)

// A Program is what a certificate is about, or is to be.
type Program struct {
	Name     string // as it is named to the user
	Package  string // import path
	Code     *check.Code
	Process  execute.Process
	Spec     *check.Spec
	Settings execute.Settings
}

// NewProgram returns the program of a certificate with its settings and, if it has
// peers, with what they said. The code is not built yet.
func NewProgram(r *cert.Reader, name string, s *check.Spec, known execute.Known) (*Program, error) {
	p := &Program{Name: name, Spec: s}
	var err error
	if p.Settings, err = s.System(); err != nil {
		return nil, Refuse(err)
	}
	p.Settings.Known = known
	p.Settings.Cover = s.Program.Test != "" // whether the test was run at all
	p.Process = s.Process(check.ProgramName(s.Program.Packages))
	if len(s.Peers.Met) > 0 {
		text, err := r.Traffic()
		if err != nil {
			return nil, Refuse(diag.Usagef("%v", err))
		}
		if p.Process.World, err = s.Peers.Recorded("traffic", string(text)); err != nil {
			return nil, Refuse(err)
		}
	}
	return p, nil
}

// Same refuses a certificate that is about other code, and says what has changed.
func (p *Program) Same(h *cert.Header) error {
	if err := p.Spec.Live(p.Code).RefuseLive("a certificate"); err != nil {
		return Refuse(err)
	}
	want := cert.Lookup(h.Program, identityName)
	if want == p.Code.Identity {
		return nil
	}
	changed := ""
	if p.Code.Bytecode != nil && len(h.Functions) > 0 {
		d := CodeOf(p.Code.Bytecode).Differ(h, p.Code.Bytecode.Strings)
		changed = ": " + strings.TrimSpace(d.String())
	}
	return Refuse(diag.Usagef("it is about another program, or about one that another heddle has compiled: %s, and not %s%s", plain.Word(want), p.Code.Identity, changed))
}

// New returns a system of the program.
func (p *Program) New() (lts.System, error) { return p.Code.NewSystem(p.Process, p.Settings) }

// An Examined is how the examination of a program has ended.
type Examined struct {
	*certcheck.Result
	// Findings are what is wrong with the program, with how states are looked at on the way there.
	Findings []explore.Found
	// SkipsSome says that a test, or one below it, is skipped somewhere.
	SkipsSome bool
	// Bounds are those of the claim that nothing is wrong, as heddle check states them. Of states that were not examined here they are all that the
	// program could meet.
	Bounds []string
}

// Examine follows a certificate with the program. What is wrong with the program is in
// the result, and what is wrong with the certificate is a [Refusal].
func (p *Program) Examine(ctx context.Context, r *cert.Reader, o Options) (*Examined, error) {
	pool := &check.Pool{Make: p.New}
	defer pool.Close()
	o.known = p.Settings.Known
	res, found, err := o.examine(ctx, r, pool.New, distribute.Job{
		Packages: p.Spec.Program.Packages, Tags: o.Tags, Properties: p.Spec.Model.Properties(),
	})
	if err != nil {
		return nil, Refuse(err)
	}
	e := &Examined{Result: res}
	for _, f := range res.Findings {
		e.Findings = append(e.Findings, explore.Found{Finding: f.Finding, Path: f.Path, View: p.Settings.Known.Views.String()})
	}
	if len(res.Findings) > 0 || o.Trustful {
		e.Bounds = p.bounds(nil)
		return e, nil
	}
	found = append(found, check.FoundIn(pool.List)...)
	if check.Held(found) {
		again, err := p.circles(r, o)
		if err != nil {
			return nil, Refuse(err)
		}
		found = append(found, again...)
	}
	if err := guessesHold(p.Settings.Known, found); err != nil {
		return nil, Refuse(err)
	}
	e.SkipsSome = p.Spec.Program.Test != "" && check.SkipsSome(pool.List)
	return e, p.besides(e, pool, r, o)
}

// bounds returns what bounds the claim that nothing is wrong, of what systems have met, or of all that the program could meet.
func (p *Program) bounds(list []lts.System) []string {
	return p.Spec.BoundWords(&p.Settings, p.Code.Bytecode, list)
}

// beginning is how many states are searched to know what a program does whose certificate others have examined.
const beginning = 10_000

// besides looks at what a certificate does not tell about the program, by searching it again if there is need to. Of what others have
// examined this process has seen nothing: it looks at the beginning.
func (p *Program) besides(e *Examined, pool *check.Pool, r *cert.Reader, o Options) error {
	s := p.Settings
	// It is reduced whatever the certificate says: it has a limit, and without reduction it would not come as far.
	task := &check.Task{Settings: &s, Options: explore.Options{Reduce: true, Interrupt: o.Stop}, Pool: &check.Pool{
		Make: func() (lts.System, error) { return p.Code.NewSystem(p.Process, s) },
	}}
	whole := !o.elsewhere()
	if whole {
		task.Pool.List = pool.List
	} else {
		defer task.Pool.Close()
		seen, err := explore.Run(task.Pool.New, explore.Options{Reduce: r.Header.Reduce, Interrupt: o.Stop, Limits: explore.Limits{States: beginning}})
		if err != nil {
			return err
		}
		whole = len(seen.Left) == 0
	}
	res, err := task.Besides(int64(e.Counts.States))
	if err != nil {
		return err
	}
	if e.Bounds = p.bounds(nil); whole {
		e.Bounds = p.bounds(task.Pool.List)
	}
	check.NeverRun(res, p.Code.Bytecode, p.Package, p.Spec.Program.Test, task.Pool.List)
	if e.Findings = res.Findings; len(e.Findings) == 0 && len(res.Left) > 0 && whole {
		return diag.Incompletef("nothing is wrong in any state, but %s", res.Left[0].Text)
	}
	return nil
}

// circles searches the program, since the clock is held back in some states: a certificate does not tell whether
// it is held back forever.
func (p *Program) circles(r *cert.Reader, o Options) ([]*execute.Found, error) {
	pool := &check.Pool{Make: p.New}
	defer pool.Close()
	res, err := check.LookForCircles(pool.New, explore.Options{Reduce: r.Header.Reduce, Interrupt: o.Stop})
	if err != nil {
		return nil, err
	}
	if len(res.Left) > 0 {
		return nil, certcheck.Stopped
	}
	return check.FoundIn(pool.List), nil
}

// guessesHold looks whether what reduction was told to take for granted is so.
func guessesHold(known execute.Known, found []*execute.Found) error {
	if _, news := known.Learn(found...); news {
		return diag.Usagef("its reduction assumes that less is written, or that nothing waits for the clock, which is not so")
	}
	return nil
}
