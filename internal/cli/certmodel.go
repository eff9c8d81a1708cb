package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certcheck"
	"github.com/heddle-mc/heddle/internal/certify"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/distribute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/model"
	"github.com/heddle-mc/heddle/internal/plain"
)

// exploreModel searches a model. If a certificate is asked for it is recorded, and closeModel writes it.
func (f *certFlags) exploreModel(m *modelChecker, o explore.Options) (*explore.Result, error) {
	switch {
	case f.file == "" && f.tree:
		return nil, diag.Usagef("-cert-trustful: give -cert and a file, too")
	case f.file == "":
		return explore.Run(m.New, o)
	case o.Strategy != explore.DepthFirst || o.Workers > 1 || m.flags.look.Divergence || m.flags.look.Nondeterminism:
		return nil, diag.Usagef("-cert needs -search dfs with one worker, and cannot be had with -divergence or -nondeterminism")
	case f.tree && len(m.flags.look.Formulas) > 0:
		return nil, diag.Usagef("-cert-trustful leaves out transitions, which formulas are about: leave out one of them")
	}
	h := certify.ModelHeader(m.Systems, "heddle "+version())
	h.Kind = f.kind()
	var err error
	if m.recording, err = certify.Create(f.file, h); err != nil {
		return nil, err
	}
	return m.recording.SearchModel(m.Systems, o)
}

// closeModel writes the certificate that was recorded, if there is one and nothing is wrong.
func (f *certFlags) closeModel(m *modelChecker, res *model.Result) error {
	if m.recording == nil {
		return nil
	}
	defer m.recording.Discard()
	if res == nil {
		return nil
	}
	if res.Verdict != explore.Verified || len(res.Stories) > 0 {
		fmt.Fprintln(m.app.Stderr, "no certificate is written: the model is not verified")
		return nil
	}
	if err := m.recording.Prove(res.Proofs); err != nil {
		return err
	}
	if err := m.recording.Finish(nil); err != nil {
		return diag.Usagef("-cert: %v", err)
	}
	return nil
}

// certifyModel examines a model. What is looked for is what the flags say, and deadlocks if they say nothing.
func (c *certifier) certifyModel(ctx context.Context, name string, r *cert.Reader, file string) (int, error) {
	if len(c.look.Looked()) == 0 {
		c.look.Deadlock = true
	}
	m, err := certify.LoadModel(r, file, c.look, c.workers)
	if err != nil {
		return c.refuse(name, err)
	}
	in := c.app.watchInterrupt()
	defer in.stop()
	ctx, stop := c.until(ctx)
	defer stop()
	var res *certcheck.Result
	if c.handout.open != nil {
		res, c.handout.data, err = certify.ExamineModelPart(c.handout.open, m, c.options(name, in))
	} else {
		res, err = certify.ExamineModel(ctx, r, m, c.options(name, in), distribute.Job{Model: file, Properties: certify.Kinds(&c.look), Invariants: c.look.Invariants, Actions: c.look.Actions})
	}
	if err != nil {
		return c.refuse(name, err)
	}
	for _, f := range res.Findings {
		tr, err := m.Tell(f.Path, f.Finding, in.poll)
		if err != nil {
			return 0, err
		}
		fmt.Fprintf(c.app.Stdout, "violation: %s: %s\n%s%d steps\n", file, plain.Line(f.Error()), tr.StepsText(1, len(tr.Steps)), len(tr.Steps))
	}
	if len(res.Findings) > 0 {
		return diag.ExitFinding, nil
	}
	if c.handout.open != nil {
		return c.partDone(file, res, "no "+strings.Join(m.Spec.Looked(), ", "))
	}
	fmt.Fprintf(c.app.Stdout, "%s of %s: %d states, %d transitions; no %s\n", certifiedWords(res), file,
		res.Counts.States, res.Counts.Transitions, strings.Join(m.Spec.Looked(), ", ")+by(res))
	return c.state(file, m.Model.Identity(), name, r, res, certify.Certified{Properties: m.Spec.Looked(), NotLookedFor: []string{}, Allowed: []string{},
		Settings: map[string]string{"optimise": strings.Join(m.Spec.Passes, ",")}, Arguments: []string{}, Environment: []string{}})
}

// certifiedWords begins the verdict.
func certifiedWords(res *certcheck.Result) string {
	if res.Trusted {
		return "certified on trust: the states that the certificate names"
	}
	return "certified: every transition"
}
