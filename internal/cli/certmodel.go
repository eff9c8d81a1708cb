package cli

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certcheck"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/trace"
)

// exploreModel searches a model and, if asked to, writes a certificate of it.
func (f *certFlags) exploreModel(m *modelChecker, o explore.Options) (*explore.Result, error) {
	switch {
	case f.file == "" && f.tree:
		return nil, diag.Usagef("-cert-trustful: give -cert and a file, too")
	case f.file == "":
		return explore.Run(m.new, o)
	case o.Strategy != explore.DepthFirst || o.Workers > 1 || m.flags.recorded():
		return nil, diag.Usagef("-cert needs -search dfs with one worker, and cannot be had with -divergence or -formula")
	}
	file, err := os.CreateTemp(filepath.Dir(f.file), filepath.Base(f.file)+".*")
	if err != nil {
		return nil, diag.Usagef("-cert: %v", err)
	}
	defer os.Remove(file.Name())
	defer file.Close()
	run := &certRun{file: file, header: f.modelHeader(m), o: o}
	if err := run.record(&o, run.header); err != nil {
		return nil, err
	}
	res, err := explore.Run(m.new, o)
	if err != nil {
		return nil, err
	}
	if res.Verdict != explore.Verified {
		fmt.Fprintln(m.app.Stderr, "no certificate is written: the model is not verified")
		return res, nil
	}
	if err := run.finish(nil, f.file); err != nil {
		return nil, diag.Usagef("-cert: %v", err)
	}
	return res, nil
}

// modelHeader says what the certificate is about.
func (f *certFlags) modelHeader(m *modelChecker) cert.Header {
	h := cert.Header{
		Kind: cert.Full, Tool: "heddle " + version(), Target: m.model.name,
		Program: []cert.Pair{{Name: "identity", Value: m.model.identity()}},
	}
	if f.tree {
		h.Kind = cert.Tree
	}
	for _, p := range []struct {
		name string
		on   bool
	}{{kindDeadlock, m.flags.deadlock}, {kindAction, len(m.flags.actions) > 0}, {kindInvariant, len(m.flags.invariants) > 0}} {
		if p.on {
			h.Properties = append(h.Properties, p.name)
		}
	}
	values := maps.Clone(m.recipe)
	delete(values, "dir")
	for _, name := range slices.Sorted(maps.Keys(values)) {
		h.Settings = append(h.Settings, cert.Pair{Name: name, Value: values[name]})
	}
	return h
}

// certifyModel examines a model. Invariants and actions of the flags are looked for
// besides those of the certificate.
func (c *certifier) certifyModel(ctx context.Context, name string, r *cert.Reader, file string) (int, error) {
	values, err := certSettings(r)
	if err != nil {
		return c.refuse(name, err)
	}
	flags, _, err := readModelRecipe(values, ".")
	if err != nil {
		return c.refuse(name, err)
	}
	flags.invariants = append(flags.invariants, c.invariants...)
	flags.actions = append(flags.actions, c.actions...)
	mod, err := loadModel(file, flags.passes.names)
	if err != nil {
		return 0, err
	}
	if want := cert.Lookup(r.Header.Program, "identity"); want != mod.identity() {
		return c.refuse(name, diag.Usagef("it is about another model: %s, and not %s", want, mod.identity()))
	}
	if err := flags.known(mod); err != nil {
		return 0, err
	}
	var m modelSystem
	if err := m.prepare(mod, flags, c.workers); err != nil {
		return 0, err
	}
	in := c.app.watchInterrupt()
	defer in.stop()
	res, _, err := c.examineParts(ctx, name, r, m.new, certcheck.Options{
		Seed: unknownSeed(), Workers: c.workers, All: c.all, Interrupt: in.poll,
	}, jobText{Model: file, Invariants: c.invariants, Actions: c.actions})
	if err != nil {
		return c.refuse(name, err)
	}
	for _, f := range res.Findings {
		tr, err := trace.Best(m.one(), f.Path, f.Finding, 0, in.poll)
		if err != nil {
			return 0, diag.Bugf("the way to a finding cannot be gone again: %v", err)
		}
		fmt.Fprintf(c.app.Stdout, "violation: %s: %s\n%s%d steps\n", file, f.Error(), tr.StepsText(1, len(tr.Steps)), len(tr.Steps))
	}
	if len(res.Findings) > 0 {
		return diag.ExitFinding, nil
	}
	var looked []string
	if flags.deadlock {
		looked = append(looked, kindDeadlock)
	}
	for _, a := range flags.actions {
		looked = append(looked, kindAction+" "+a)
	}
	for _, x := range flags.invariants {
		looked = append(looked, "violation of "+x)
	}
	fmt.Fprintf(c.app.Stdout, "%s of %s: %d states, %d transitions; no %s\n", certifiedWords(res), file,
		res.Counts.States, res.Counts.Transitions, strings.Join(looked, ", "))
	return diag.ExitOK, nil
}

// certifiedWords begins the verdict.
func certifiedWords(res *certcheck.Result) string {
	if res.Trusted {
		return "certified on trust: the states that the certificate names"
	}
	return "certified: every transition"
}
