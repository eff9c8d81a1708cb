package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/report"
	"github.com/heddle-mc/heddle/internal/trace"
)

// A target is one program, or one test, with how it is to be checked.
type target struct {
	name    string // as it is named to the user
	pkg     string // import path
	test    string // name of the test, or ""
	folder  string // where the files about a violation go
	dir     string // of the package
	prog    *Program
	process execute.Process
	flags   *checkFlags
	recipe  recipe // how replay gets at the program again
}

// A checker checks targets.
type checker struct {
	app       *App
	root      string // the working directory: positions are relative to it
	interrupt *interrupt
	columns   bool
	verbose   bool
	graph     *graphFile // nil if none is asked for
	cover     *coverage  // nil if none is asked for
	// Files of a single target.
	checkpoint, resume string
	// distribute says to whom members of a swarm go, nil to nobody.
	distribute *distributeFlags
}

// check searches one target and tells what it found.
func (c *checker) check(t *target) (*report.Report, error) {
	settings, err := t.flags.system()
	if err != nil {
		return nil, err
	}
	o, err := t.flags.options()
	if err != nil {
		return nil, err
	}
	m := startMeter()
	o.Clock = m.elapsed
	w, err := t.flags.peers.open(t.flags.workers)
	if err != nil {
		return nil, err
	}
	defer w.close()
	if w != nil {
		t.process.World = w.World
		t.recipe.setWorld(&t.flags.peers, w)
	}
	o.Interrupt = func() bool { return c.interrupt.asked.Load() || t.process.World.Failed() != nil }
	p := &progress{w: c.app.Stderr, terminal: isTerminal(c.app.Stderr), width: terminalWidth(c.app.Stderr), name: t.name}
	defer p.clear()
	o.Progress = p.show
	o.Checkpoint, o.Resume = c.checkpoint, c.resume
	o.Identity = t.pkg + " " + t.prog.Identity + " " + t.recipe.hash()
	if c.graph != nil {
		o.Observer = &c.graph.builder
	}
	counting := settings
	counting.Differ = t.flags.limited() || p.terminal
	counting.Cover = c.cover != nil
	pool := &systems{make: func() (lts.System, error) { return t.prog.NewSystem(t.process, counting, c.root) }}
	defer pool.close()
	var res *explore.Result
	if c.distribute != nil {
		res, err = c.swarm(t, pool, o)
	} else {
		res, err = c.explore(&counting, pool, o)
	}
	if err != nil {
		return nil, withKind(err)
	}
	settings.Assume = counting.Assume
	if t.recipe.Model != "" && settings.Assume != nil && !settings.Assume.Unordered {
		t.recipe.Ordered = "true"
	}
	if c.cover != nil {
		c.cover.add(t, pool.list)
	}
	r := c.toReport(t, res, o)
	if t.process.World.Settle() != nil && r.Verdict == report.Verified {
		r.Verdict = report.Inconclusive
	}
	if err := t.process.World.Failed(); err != nil {
		if err := c.tellPeer(t, settings, res, r, err); err != nil {
			return nil, err
		}
	} else if res.Verdict == explore.Inconclusive {
		r.Differ = differences(pool.list)
	}
	for i, f := range res.Findings {
		p.say("telling the story of the finding")
		folder := t.folder
		if len(res.Findings) > 1 {
			folder = fmt.Sprintf("%s/%d-%s", t.folder, i+1, f.Kind)
		}
		finding, err := c.tell(t, pool, settings, o, f, folder)
		if err != nil {
			return nil, err
		}
		r.Findings = append(r.Findings, finding)
	}
	r.Seconds = float64(m.elapsed()) / 1e9
	r.CPUSeconds = (cpuTime() - m.cpu).Seconds()
	r.PeakBytes = peakBytes()
	if r.Traffic = w.traffic(); w != nil {
		r.Traffic.WaitSeconds = w.end().Seconds()
	}
	p.clear()
	c.peerNotes(t, r.Traffic)
	if c.verbose {
		fmt.Fprintf(c.app.Stderr, "%s: %d states, %d revisited, %.3fs, cpu %.3fs, %s for visited states, %s in all\n",
			t.name, r.States, r.Revisited, r.Seconds, r.CPUSeconds, sizeText(res.Bytes), sizeText(r.PeakBytes))
	}
	return r, nil
}

// peerNotes prints what is to be known about peers and, if asked for, what they
// have printed.
func (c *checker) peerNotes(t *target, traffic *report.Traffic) {
	if traffic == nil {
		return
	}
	for _, note := range traffic.Notes {
		fmt.Fprintf(c.app.Stderr, "%s: %s\n", t.name, note)
	}
	if !c.verbose {
		return
	}
	for _, run := range traffic.Runs {
		fmt.Fprintf(c.app.Stderr, "%s, run %d, %s:\n", run.Peer, run.Number, run.Status)
		for line := range strings.Lines(run.Output) {
			fmt.Fprintf(c.app.Stderr, "  %s\n", strings.TrimSuffix(line, "\n"))
		}
	}
	fmt.Fprintf(c.app.Stderr, "%s: waited %.3fs for peers, %d launches\n", t.name, traffic.WaitSeconds, traffic.Launches)
}

// explore searches with what reduction may assume. A search that leaves something
// behind, such as a graph, is not tried twice.
func (c *checker) explore(s *execute.Settings, pool *systems, o explore.Options) (res *explore.Result, err error) {
	defer relaxGC()()
	if !o.Reduce || o.Observer != nil || o.Checkpoint != "" || o.Resume != "" || c.cover != nil {
		return explore.Run(pool.new, o)
	}
	known, res, err := trial(s, pool, o)
	if res != nil || err != nil {
		return res, err
	}
	execute.SettleFrom(known, func(known *drive.Assumptions) (found []*drive.Assumptions, done bool) {
		pool.close()
		s.Assume = known
		before := res
		if res, err = explore.Run(pool.new, o); err != nil {
			return nil, true
		}
		if before != nil { // if a limit ends this one, it may have come less far
			res.Keep(before.Findings)
		}
		return pool.found(), len(res.Findings) > 0 && !o.All || o.Interrupt()
	})
	return res, err
}

// toReport copies the numbers of a result.
func (c *checker) toReport(t *target, res *explore.Result, o explore.Options) *report.Report {
	r := &report.Report{
		Target: t.name, Package: t.pkg, Test: t.test, Verdict: report.Verdict(res.Verdict),
		Counts: report.Counts{States: res.States, Transitions: res.Transitions, Revisited: res.Revisited, Depth: res.MaxDepth},
		More:   res.More, Stopped: len(res.Findings) > 0 && !o.All,
	}
	for _, l := range res.Left {
		r.Left = append(r.Left, report.Left{Reason: string(l.Reason), Count: l.Count, Text: c.near(l.Text)})
	}
	return r
}

// near makes positions in a text relative to the working directory.
func (c *checker) near(text string) string { return strings.ReplaceAll(text, c.root+"/", "") }

// tell makes the story of a finding and writes its files.
func (c *checker) tell(t *target, pool *systems, s execute.Settings, o explore.Options, f explore.Found, folder string) (report.Finding, error) {
	if o.Strategy != explore.BreadthFirst {
		var err error
		if f, err = c.shorter(t, s, o, f); err != nil {
			return report.Finding{}, err
		}
	}
	sys, err := pool.one()
	if err != nil {
		return report.Finding{}, err
	}
	_, budget := effort(f.Path)
	tr, err := trace.Best(sys, f.Path, f.Finding, budget)
	if err != nil && t.process.World != nil {
		tr, err = c.recorded(t, s, f) // a peer has failed since
	}
	if err != nil {
		return report.Finding{}, diag.Bugf("the way to a finding cannot be gone again: %v", err)
	}
	if tr.Finding.Kind == string(execute.Test) {
		if tr.Finding.Message, err = c.testMessage(t, s, tr); err != nil {
			return report.Finding{}, err
		}
	}
	tr.Program, tr.Settings = t.prog.Identity, t.recipe.settings()
	out := reportFinding(tr, c.columns, c.verbose)
	out.Folder = folder
	out.Replay = "heddle replay " + quoteArg(folder)
	files, err := tr.Files()
	if err != nil {
		return out, diag.Bugf("a trace cannot be written: %v", err)
	}
	if t.process.World != nil {
		text, err := c.traffic(t, s, tr)
		if err != nil {
			return out, err
		}
		files = append(files, trace.File{Name: trafficFile, Data: []byte(text)})
	}
	return out, writeFiles(folder, files)
}

// effort bounds the work for telling a finding: states of the search for a shorter
// way to it, and steps of each part of making that one simple. Both cost more for
// long paths, and do less for them. They depend on no clock, so that equal runs
// tell equal stories.
func effort(path lts.Path) (states int64, budget int) {
	n := max(len(path), 1)
	return int64(min(max(500_000/n, 1000), 40_000)), min(max(4_000_000/n, 10_000), trace.DefaultBudget)
}

// shorter looks for a way to a finding that is shorter by a quarter at least,
// breadth-first. A few steps less are no gain: they may cost context switches.
func (c *checker) shorter(t *target, s execute.Settings, o explore.Options, f explore.Found) (explore.Found, error) {
	depth := len(f.Path) * 3 / 4
	if depth == 0 {
		return f, nil
	}
	// Nothing else is looked for, but for what the steps of the program depend on.
	s.Properties.Off = slices.Clone(s.Properties.Off)
	for _, p := range execute.AllProperties {
		if string(p) != f.Kind && p != execute.Race && p != execute.Fatal && s.Properties.On(p) {
			s.Properties.Off = append(s.Properties.Off, p)
		}
	}
	pool := &systems{make: func() (lts.System, error) { return t.prog.NewSystem(t.process, s, c.root) }}
	defer pool.close()
	states, _ := effort(f.Path)
	for _, all := range []bool{false, true} {
		res, err := explore.Run(pool.new, explore.Options{
			Strategy: explore.BreadthFirst, Reduce: o.Reduce, All: all, Interrupt: o.Interrupt,
			Limits: explore.Limits{States: states, Depth: depth},
		})
		if err != nil {
			return f, err
		}
		for _, g := range res.Findings {
			if g.Kind == f.Kind && (!o.All || trace.SameAs(f.Finding)(g.Finding)) {
				return g, nil
			}
		}
		if len(res.Findings) == 0 {
			break
		}
	}
	return f, nil
}

// reportFinding tells a trace as a report does.
func reportFinding(tr *trace.Trace, columns, reasons bool) report.Finding {
	out := report.Finding{Kind: tr.Finding.Kind, Message: tr.Finding.Message, Pos: tr.Finding.Pos}
	for _, e := range tr.Before {
		step := report.Step{Actor: e.Actor, Pos: e.Pos, Action: e.Action}
		for _, m := range e.Messages {
			step.Messages = append(step.Messages, report.Message(m))
		}
		out.Before = append(out.Before, step)
	}
	for i := range tr.Steps {
		s := &tr.Steps[i]
		step := report.Step{
			N: i + 1, Actor: s.Actor, Pos: s.Pos, Action: s.Action,
			Switch: s.Switch, Preemption: s.Preemption,
		}
		for _, m := range s.Messages {
			step.Messages = append(step.Messages, report.Message(m))
		}
		for _, ch := range s.Changed {
			step.Changed = append(step.Changed, report.Change(ch))
		}
		if s.Weight == trace.Key {
			var why []string
			for _, r := range s.Why {
				why = append(why, r.Text)
			}
			step.Matters = strings.Join(why, "; ")
		}
		out.Steps = append(out.Steps, step)
	}
	for _, w := range tr.Waiting {
		out.Blocked = append(out.Blocked, report.Blocked{Actor: w.Actor, For: w.For, Pos: w.Pos, Releasers: w.Releasers})
	}
	out.Story = story(tr, columns, reasons)
	return out
}

// story is what is printed between the finding and the verdict.
func story(tr *trace.Trace, columns, reasons bool) string {
	steps := tr.BeforeText() + tr.StepsText(1, len(tr.Steps))
	if columns {
		steps = tr.Columns(0)
	}
	text := steps + tr.WaitingText()
	if reasons {
		text += tr.WhyText()
	}
	text += tr.Summary() + "\n"
	if len(tr.Steps) > 0 {
		text += trace.Legend
	}
	if timed(tr) {
		text += "a timer fires in this story: with -time=quiescent timers wait until nothing else can happen\n"
	}
	return text
}

// timed reports whether the clock moves in a story, which it may at any moment:
// what a test with a time limit calls a hang may be no more than that.
func timed(tr *trace.Trace) bool {
	if tr.Settings["time"] == "quiescent" {
		return false
	}
	return slices.ContainsFunc(tr.Steps, func(s trace.Step) bool { return s.Actor == execute.Clock })
}

// differences returns which variables make states differ. Each worker has counted
// for itself; the one that has seen most speaks for all.
func differences(list []lts.System) []report.Varying {
	var best []report.Varying
	for _, sys := range list {
		d, ok := sys.(interface{ Differences() []execute.Varying })
		if !ok {
			continue
		}
		var own []report.Varying
		for _, v := range d.Differences() {
			own = append(own, report.Varying(v))
		}
		if len(best) == 0 || len(own) > 0 && own[0].Values > best[0].Values {
			best = own
		}
	}
	return best
}

// withKind makes an error of the file system, say, one of the five kinds.
func withKind(err error) error {
	if diag.ExitCode(err) == diag.ExitBug {
		if _, ok := err.(*diag.Error); !ok {
			return diag.Usagef("%v", err)
		}
	}
	return err
}
