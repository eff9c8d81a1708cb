package cli

import (
	"bufio"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/heddle-mc/heddle/internal/cert"
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
		return f.checkAgainst(c, t)
	case f.file == "":
		return c.check(t)
	}
	o, err := t.flags.Options()
	if err != nil {
		return nil, err
	}
	if o.Strategy != explore.DepthFirst || o.Workers > 1 || c.graph != nil || c.cover != nil || c.checkpoint != "" || c.resume != "" {
		return nil, diag.Usagef("-cert needs a depth-first search with one worker, and cannot be had with -lts, -coverprofile, -checkpoint or -resume")
	}
	r, err := f.record(c, t, o)
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

// record searches, and writes if the program is verified. It returns nil if something is
// wrong with it: that is told by another search, which records nothing.
func (f *certFlags) record(c *checker, t *target, o explore.Options) (*report.Report, error) {
	settings, err := t.flags.System()
	if err != nil {
		return nil, err
	}
	m := startMeter()
	o.Clock = m.elapsed
	w, err := t.flags.open(1)
	if err != nil {
		return nil, err
	}
	defer w.close()
	if w != nil {
		t.process.World = w.World
		t.spec.Peers.Meet(w.World)
	}
	stop := c.stopper(o.Limits.Time, t.process.World.Failed)
	defer stop.end()
	o.Interrupt = stop.poll
	settings.Root, settings.Stop = c.root, stop.poll
	p := &progress{w: c.app.Stderr, terminal: isTerminal(c.app.Stderr), width: terminalWidth(c.app.Stderr), name: t.name}
	defer p.clear()
	o.Progress = p.show
	file, err := os.CreateTemp(filepath.Dir(f.file), filepath.Base(f.file)+".*")
	if err != nil {
		return nil, diag.Usagef("-cert: %v", err)
	}
	defer os.Remove(file.Name())
	defer file.Close()
	settings.Trace, settings.Differ = f.graph, t.flags.Limits.Limited() || p.terminal
	pool := &check.Pool{Make: func() (lts.System, error) { return t.prog.NewSystem(t.process, settings) }}
	defer pool.Close()
	run := &certRun{file: file, header: f.header(t, o), settings: &settings, pool: pool, o: o, graph: f.graph}
	if f.graph {
		if t.prog.Bytecode == nil || w != nil {
			return nil, diag.Usagef("-cert-graph is for one program without peers")
		}
		graphHeader(&run.header, c.root)
	}
	end, err := run.settled()
	if err != nil {
		return nil, withKind(err)
	}
	res := end.Result
	if res.Verdict == explore.Violation || t.process.World.Settle() != nil || t.process.World.Failed() != nil {
		return nil, nil
	}
	if res.Verdict == explore.Verified {
		var traffic []byte
		if w != nil {
			traffic = []byte(w.Cache.Text())
		}
		if err := run.finish(traffic, f.file); err != nil {
			c.unwritten = append(c.unwritten, fmt.Errorf("-cert: %w", err))
		}
	}
	r := c.toReport(t, res, o)
	if res.Verdict == explore.Inconclusive {
		r.Differ = differences(pool.List)
	}
	r.Seconds = float64(m.elapsed()) / 1e9
	r.CPUSeconds = (cpuTime() - m.cpu).Seconds()
	r.PeakBytes = peakBytes()
	r.Traffic = w.traffic()
	return r, nil
}

// header says what the certificate is about, but for what reduction assumes.
// Folders are no part of it.
func (f *certFlags) header(t *target, o explore.Options) cert.Header {
	h := cert.Header{
		Kind: cert.Full, Tool: "heddle " + version(), Target: t.name, Reduce: o.Reduce,
		Program:    []cert.Pair{{Name: "identity", Value: t.prog.Identity}, {Name: "package", Value: t.pkg}},
		Properties: t.spec.Model.Properties(),
	}
	if t.prog.Bytecode != nil {
		code := codeOf(t.prog.Bytecode)
		h.Program = append(h.Program, code.program...)
		h.Functions = code.functions
	}
	if f.tree {
		h.Kind = cert.Tree
	}
	own := t.spec.Clone()
	own.Program.Dir, own.Program.ChangeTo, own.Program.TestDir = "", "", ""
	values := own.Recipe()
	for _, name := range slices.Sorted(maps.Keys(values)) {
		h.Settings = append(h.Settings, cert.Pair{Name: name, Value: values[name]})
	}
	return h
}

// A certRun searches with a recorder. What reduction may assume is part of the
// header, so the file begins anew with each try.
type certRun struct {
	file     *os.File
	header   cert.Header
	settings *execute.Settings
	pool     *check.Pool
	o        explore.Options
	graph    bool

	out      *bufio.Writer
	recorder *cert.Recorder
}

// settled searches until it is known what reduction may go by.
func (r *certRun) settled() (*check.Outcome, error) {
	run := &check.Task{Settings: r.settings, Pool: r.pool, Options: r.o}
	run.Begin = func(o *explore.Options, known execute.Known) error {
		h := r.header
		h.Settings = append(slices.Clone(h.Settings), cert.Pair{Name: assumeName, Value: known.Text()}, cert.Pair{Name: viewsName, Value: known.Views.String()})
		return r.record(o, h)
	}
	return run.Search()
}

// record makes a search one with a recorder that writes to the file from its beginning.
func (r *certRun) record(o *explore.Options, h cert.Header) error {
	if err := r.file.Truncate(0); err != nil {
		return err
	}
	if _, err := r.file.Seek(0, 0); err != nil {
		return err
	}
	r.out = bufio.NewWriter(r.file)
	w, err := cert.NewWriter(r.out, h)
	if err != nil {
		return err
	}
	r.recorder = cert.NewRecorder(w)
	if r.graph {
		r.recorder.Graph()
	}
	o.Observer = r.recorder
	return nil
}

// finish ends the file and gives it its name.
func (r *certRun) finish(traffic []byte, name string) error {
	err := r.recorder.Close(traffic)
	if err == nil {
		err = r.out.Flush()
	}
	if err == nil {
		err = r.file.Chmod(0o644)
	}
	if cerr := r.file.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(r.file.Name(), name)
	}
	return err
}

// The settings with the guesses that reduction does not make, and with how states are looked at.
const (
	assumeName = "assume"
	viewsName  = "views"
)
