package cli

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certify"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/report"
)

// certFlags say which certificate a check writes.
type certFlags struct {
	file    string
	tree    bool
	graph   bool
	against string
}

func (f *certFlags) declare(fs *flag.FlagSet) {
	fs.StringVar(&f.file, "cert", "", "write a certificate of what was searched to `file`, for heddle certify")
	fs.BoolVar(&f.tree, "cert-trustful", false, "of -cert: leave out what only those need who do not trust it")
}

// declareGraph declares the flags that models do not have.
func (f *certFlags) declareGraph(fs *flag.FlagSet) {
	fs.BoolVar(&f.graph, "cert-graph", false, "of -cert: add the graph and what each step executes, for -against")
	fs.StringVar(&f.against, "against", "", "the program has changed since the certificate in `file` was written with -cert-graph: search only what that does not prove any more")
}

// check checks a target and, if asked to, writes a certificate of it. There is one
// only if everything was searched and nothing is wrong: what is wrong is searched
// for a second time then, to be told.
func (f *certFlags) check(c *checker, t *target) (*report.Report, error) {
	switch {
	case f.file == "" && (f.tree || f.graph):
		return nil, diag.Usagef("-cert-trustful and -cert-graph: give -cert and a file, too")
	case f.tree && f.graph:
		return nil, diag.Usagef("-cert-trustful leaves the graph out, and -cert-graph adds it: give one of them")
	case f.file != "" && f.against != "":
		return nil, diag.Usagef("-against does not search everything, and -cert needs that: give one of them")
	case f.against != "":
		c.proves = "-against"
		if err := t.spec.Live(t.prog).RefuseLive("-against"); err != nil {
			return nil, err
		}
		return f.checkAgainst(c, t)
	case f.file == "":
		return c.check(t)
	}
	c.proves = "-cert"
	if err := t.spec.Live(t.prog).RefuseLive("-cert"); err != nil {
		return nil, err
	}
	o, err := t.flags.Options()
	if err != nil {
		return nil, err
	}
	if o.Strategy != explore.DepthFirst || o.Workers > 1 || c.graph != nil || c.cover != nil || c.checkpoint != "" || c.resume != "" {
		return nil, diag.Usagef("-cert needs a depth-first search with one worker, and cannot be had with -lts, -coverprofile, -checkpoint or -resume")
	}
	r, err := c.until(t, func() (*report.Report, error) { return f.record(c, t, o) })
	if err == nil && (r == nil || r.Verdict != report.Verified) {
		what := "the program"
		if t.test != "" {
			what = t.name
		}
		fmt.Fprintf(c.app.Stderr, "no certificate is written: %s is not verified\n", what)
	}
	if r == nil && err == nil {
		return c.check(t)
	}
	return r, err
}

// certFile makes the folder of a certificate and looks whether it can be written there.
func certFile(name string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return diag.Usagef("-cert: %v", err)
	}
	run, err := certify.Create(name, cert.Header{})
	if err == nil {
		run.Discard()
	}
	return err
}

// record searches, and writes if the program is verified. It returns nil if something is
// wrong with it: that is told by another search, which records nothing.
func (f *certFlags) record(c *checker, t *target, o explore.Options) (*report.Report, error) {
	settings, err := t.flags.System()
	if err != nil {
		return nil, err
	}
	t.draft.doing("it was searched")
	w, err := t.open(1)
	if err != nil {
		return nil, err
	}
	defer w.close()
	if w != nil {
		t.process.World = w.World
		t.spec.Peers.Meet(w.World, len(w.group.Fixed()) > 0)
	}
	stop, m := t.stop, t.stop.meter
	stop.tell(&o, t.process.World.Failed)
	settings.Root, settings.Stop = c.root, stop.poll
	p := &progress{w: c.app.Stderr, terminal: isTerminal(c.app.Stderr), width: terminalWidth(c.app.Stderr), name: t.name}
	defer p.clear()
	o.Progress = p.show
	settings.Cover = t.test != "" // whether the test was run at all
	settings.Trace, settings.Differ = f.graph, t.flags.Limits.Limited() || p.terminal
	h := t.program(settings).Header("heddle "+version(), o.Reduce)
	h.Kind = f.kind()
	run, err := certify.Create(f.file, h)
	if err != nil {
		return nil, err
	}
	defer run.Discard()
	if f.graph {
		if t.prog.Bytecode == nil || w != nil {
			return nil, diag.Usagef("-cert-graph is for one program without peers")
		}
		if err := run.Graph(t.prog.Bytecode, c.root); err != nil {
			return nil, diag.Usagef("-cert-graph: %v", err)
		}
	}
	pool := &check.Pool{Make: func() (lts.System, error) { return t.prog.NewSystem(t.process, settings) }}
	defer pool.Close()
	end, err := run.Search(&check.Task{Settings: &settings, Pool: pool, Options: o})
	if err != nil {
		return nil, withKind(err)
	}
	res := end.Result
	t.used = end.Used
	t.hasRun(res, pool.List)
	believed, err := w.believed(t, len(res.Findings) > 0, stop.poll)
	if err != nil {
		return nil, err
	}
	if res.Verdict == explore.Violation || t.process.World.Settle() != nil || t.process.World.Failed() != nil {
		return nil, nil
	}
	if res.Verdict == explore.Verified {
		var traffic []byte
		if w != nil {
			traffic = []byte(w.Cache.Text())
		}
		if err := run.Finish(traffic); err != nil {
			c.unwritten = append(c.unwritten, fmt.Errorf("-cert: %w", err))
		}
	}
	r := c.toReport(t, res, o)
	r.Outcomes = check.Outcomes(pool.List)
	r.Met = append(t.flags.MetBounds(pool.List), believed...)
	if res.Verdict == explore.Inconclusive {
		r.Differ = differences(pool.List)
	}
	r.Seconds = float64(m.elapsed()) / 1e9
	r.CPUSeconds = (cpuTime() - m.cpu).Seconds()
	r.PeakBytes = peakBytes()
	r.Traffic = w.traffic()
	return r, nil
}

// kind is what kind of certificate is written.
func (f *certFlags) kind() cert.Kind {
	if f.tree {
		return cert.Tree
	}
	return cert.Full
}

// program returns the target as certificates see it.
func (t *target) program(s execute.Settings) *certify.Program {
	return &certify.Program{Name: t.name, Package: t.pkg, Code: t.prog, Process: t.process, Spec: t.spec, Settings: s}
}
