package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/certify"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/graph"
	"github.com/heddle-mc/heddle/internal/hunt"
	"github.com/heddle-mc/heddle/internal/iocache"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/peer"
	"github.com/heddle-mc/heddle/internal/report"
	"github.com/heddle-mc/heddle/internal/shares"
	"github.com/heddle-mc/heddle/internal/trace"
)

// A target is one program, or one test, with how it is to be checked.
type target struct {
	name    string   // as it is named to the user
	pkg     string   // import path
	test    string   // name of the test, or ""
	folder  string   // where the files about a violation go
	dir     string   // of the package
	files   []string // of the package, without those of tests
	prog    *check.Code
	process execute.Process
	flags   *checkFlags
	spec    *check.Spec // how others get at the same graph again
	stop    *stopper
	draft   draft
	learned learned
	// executed has what the systems of a hunt have executed.
	executed coverage
	used     execute.Known // what the search went by
	// member, if it is not nil, takes the place of a search of all interleavings.
	member func(sys lts.System, o explore.Options) (*explore.Result, error)
	skips  bool // the test, or one below it, is skipped somewhere
	none   bool // there was no test to run: it has only tests below it, which -run leaves out
}

// A checker checks targets.
type checker struct {
	app       *App
	root      string // the working directory: positions are relative to it
	interrupt *interrupt
	columns   bool
	verbose   bool
	full      bool            // stories are told with all of their steps
	shares    *shares.Profile // where the time goes, nil if nobody wants to know
	graph     *graphFile      // nil if none is asked for
	cover     *coverage       // nil if none is asked for
	ignores   *ignores        // which findings do not count
	proves    string          // -cert or -against, so that all findings count; "" without
	// Files of a single target.
	checkpoint, resume string
	// distribute says to whom members of a swarm go, nil to nobody.
	distribute *distributeFlags
	unwritten  []error     // what could not be written, told at the end
	quiet      func() bool // progress is not told now; nil for never
}

// check searches one target and tells what it found. If peers turn out to be other than the search took them for, it
// does so again.
func (c *checker) check(t *target) (*report.Report, error) {
	return c.until(t, func() (*report.Report, error) { return c.checkOnce(t) })
}

// until searches until nothing new turns out about peers, and tells why it begins again.
func (c *checker) until(t *target, search func() (*report.Report, error)) (*report.Report, error) {
	for {
		r, err := search()
		switch name := t.varying(err); {
		case t.depends(err):
			peer, why := iocache.Depends(err)
			t.learned.depend = append(t.learned.depend, peer)
			fmt.Fprintf(c.app.Stderr, "%s: %s; searching again, with all connections of %s together\n", t.name, why, peer)
		case name != "":
			t.learned.vary = append(t.learned.vary, name)
			// What it said differently in another order it may have said differently in any case.
			t.learned.depend = slices.DeleteFunc(t.learned.depend, func(peer string) bool { return peer == name })
			fmt.Fprintf(c.app.Stderr, "%s: %v; searching again, with time and random numbers of %s fixed\n", t.name, err, name)
		default:
			return r, err
		}
	}
}

// depends reports whether a search was in vain because it took connections for independent.
func (t *target) depends(err error) bool {
	peer, _ := iocache.Depends(err)
	return t.flags.Peers.Cache == check.AutoCache && peer != "" && !slices.Contains(t.learned.depend, peer)
}

// varying returns the name of a peer that did not repeat itself in a search, and may do so if its
// time and random numbers are fixed, or else "".
func (t *target) varying(err error) string {
	if name := iocache.Varies(err); t.mayVary(name) {
		return name
	}
	return ""
}

// mayVary reports whether time and random numbers of a peer are not fixed, and may be.
func (t *target) mayVary(name string) bool {
	if name == "" || !t.flags.Peers.Fixed.Auto() || slices.Contains(t.learned.vary, name) {
		return false
	}
	specs, err := t.flags.Peers.Specs()
	return err == nil && slices.ContainsFunc(specs, func(s peer.Spec) bool { return isOf(&s, name) && s.Repeatable() })
}

// checkOnce searches with what is known of peers.
func (c *checker) checkOnce(t *target) (*report.Report, error) {
	settings, err := t.flags.System()
	if err != nil {
		return nil, err
	}
	o, err := t.flags.Options()
	if err != nil {
		return nil, err
	}
	if t.member != nil {
		o.Strategy, o.Reduce = explore.RandomWalk, false
	}
	if err := t.refuseLive(); err != nil {
		return nil, err
	}
	t.draft.doing("it was searched")
	w, err := t.open(t.flags.Search.Workers)
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
	p := &progress{w: c.app.Stderr, terminal: isTerminal(c.app.Stderr), width: terminalWidth(c.app.Stderr), name: t.name, quiet: c.quiet}
	defer p.clear()
	o.Progress = p.show
	settings.Root = c.root
	ignored, err := c.ignored(t)
	if err != nil {
		return nil, err
	}
	if ignored != nil {
		settings.Properties.Ignore, settings.Properties.Ignores = ignored.Ignores, c.ignores.any(t)
	}
	counting := settings
	counting.Stop = stop.poll
	counting.Differ = t.flags.Limits.Limited() || p.terminal
	counting.Cover = true // if it is cut off, it is told how much it has seen of the program
	t.executed = coverage{}
	pool := &check.Pool{Make: func() (lts.System, error) { return t.prog.NewSystem(t.process, counting) }}
	defer pool.Close()
	out := new(check.Outcome)
	if c.distribute != nil {
		if err := t.spec.Live(t.prog).RefuseLive("-distribute"); err != nil {
			return nil, err
		}
		out.Result, err = c.swarm(t, settings, o)
	} else if out, err = c.explore(t, &counting, pool, o); err == nil {
		settings.Known, t.used = out.Known, out.Used
		t.hasRun(out.Result, pool.List)
	}
	if err != nil {
		return nil, withKind(err)
	}
	res := out.Result
	res.Findings = check.Distinct(res.Findings)
	believed, err := w.believed(t, len(res.Findings) > 0, stop.poll)
	if err != nil {
		return nil, err
	}
	if c.cover != nil {
		c.cover.add(t, pool.List)
	}
	r := c.toReport(t, res, o)
	r.Hunt = toHunt(out.Hunted)
	r.Outcomes = check.Outcomes(pool.List)
	if c.distribute != nil || c.resume != "" { // others have searched, or somebody before
		r.Met = t.flags.PossibleBounds(t.prog.Bytecode)
	} else {
		r.Met = t.flags.MetBounds(pool.List)
	}
	r.Met = append(append(r.Met, believed...), t.spec.Live(t.prog).Bound()...)
	if t.process.World.Settle() != nil && r.Verdict == report.Verified {
		r.Verdict = report.Inconclusive
	}
	ignoreIn(r, ignored, &settings)
	if err := t.process.World.Failed(); err != nil {
		if err := c.tellPeer(t, check.Under(settings, out.Used.Views), res, r, err); err != nil {
			return nil, err
		}
	} else if res.Verdict == explore.Inconclusive {
		r.Differ = differences(pool.List)
		if c.distribute == nil && c.resume == "" && o.Strategy != explore.Swarm { // others would have to tell
			r.Executed = t.executed.executed(t, pool.List)
		}
		r.Advice = adviceFor(res, t.flags.Search.Order)
		if t.alone() && check.Missed(pool.List) {
			r.Advice = append(r.Advice, "heddle init "+quoteArgs(t.spec.Program.Packages)+" writes a heddle.yaml with who has to talk to the program")
		}
	}
	t.draft.found(r, res.Findings)
	pool.Close() // what it holds is needed for telling
	var telling func() bool
	for i, f := range res.Findings {
		if telling == nil {
			telling = stop.telling()
		}
		p.say("telling the story of the finding")
		folder := t.folder
		if len(res.Findings) > 1 {
			folder = fmt.Sprintf("%s/%d-%s", t.folder, i+1, f.Kind)
		}
		t.draft.doing("its story was told")
		finding, err := c.tell(t, &check.Story{Code: t.prog, Process: t.process, Settings: settings, Spec: t.spec, Options: o, Stop: telling}, f, folder, func(f report.Finding) { t.draft.tell(i, f) })
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

// refuseLive refuses what loops cannot be looked for with.
func (t *target) refuseLive() error {
	l := t.spec.Live(t.prog)
	if specs, err := t.flags.Peers.Specs(); err != nil || len(specs) > 0 {
		return l.RefuseLive("a live peer")
	}
	if t.spec.Program.Against != "" {
		return l.RefuseLive("heddle conform")
	}
	return nil
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
	for _, why := range traffic.Uncopied {
		fmt.Fprintf(c.app.Stderr, "%s: %s\n", t.name, why)
	}
	fmt.Fprintf(c.app.Stderr, "%s: waited %.3fs for peers, %d launches, %d copies\n", t.name, traffic.WaitSeconds, traffic.Launches, traffic.Copies)
}

// explore searches until it is known what reduction may go by.
func (c *checker) explore(t *target, s *execute.Settings, pool *check.Pool, o explore.Options) (*check.Outcome, error) {
	// A trial that is interrupted leaves no checkpoint, so there is none if one is asked for.
	run := &check.Task{Settings: s, Pool: pool, Options: o, Trials: c.checkpoint == "", Live: t.spec.Live(t.prog), Hunt: t.flags.Search.Order == check.AutoSearch}
	if t.member != nil {
		run.Member, run.Trials, run.Hunt = t.member, false, false
	}
	run.Hunted = func(sys lts.System) { t.executed.add(t, []lts.System{sys}) }
	if t.process.World != nil {
		run.HuntLump = check.PeerLump
	}
	who := t.pkg + " " + t.prog.Identity + " " + t.spec.Hash()
	var key []byte
	if c.checkpoint != "" || c.resume != "" {
		var err error
		if key, err = certify.SealKey(); err != nil {
			return nil, err
		}
	}
	if c.resume != "" {
		var err error
		if run.First, err = check.ResumeKnown(c.resume, who, key); err != nil {
			return nil, err
		}
	}
	if c.graph != nil || c.checkpoint != "" || c.resume != "" || c.cover != nil {
		resume := c.resume
		run.Begin = func(o *explore.Options, known execute.Known) error {
			o.Checkpoint, o.Resume, o.Identity, o.Key = c.checkpoint, resume, check.CheckpointIdentity(who, known), key
			resume = "" // if it has to be done again, then from the start
			if c.graph != nil {
				c.graph.builder = graph.Builder{}
				o.Observer = &c.graph.builder
			}
			return nil
		}
	}
	return run.Search()
}

// toHunt copies what a hunt has shown.
func toHunt(k *hunt.Known) *report.Hunt {
	if k == nil {
		return nil
	}
	h := &report.Hunt{Preemptions: k.Preemptions, Delays: k.Delays, Own: k.Own, Walks: k.Walks, Chances: append([]float64{}, k.Chances...)}
	for _, m := range k.Members {
		h.Searches = append(h.Searches, report.HuntSearch{Search: m.Strategy.String(), States: m.States, Transitions: m.Transitions, Found: m.Found})
	}
	return h
}

// toReport copies the numbers of a result.
func (c *checker) toReport(t *target, res *explore.Result, o explore.Options) *report.Report {
	r := &report.Report{
		Target: t.name, Package: t.pkg, Test: t.test, Verdict: report.Verdict(res.Verdict),
		Counts: report.Counts{States: res.States, Transitions: res.Transitions, Revisited: res.Revisited, Depth: res.MaxDepth},
		More:   res.More, Stopped: len(res.Findings) > 0 && !o.All,
	}
	if res.Unsaved != nil {
		c.unwritten = append(c.unwritten, res.Unsaved)
	}
	for _, l := range res.Left {
		r.Left = append(r.Left, report.Left{Reason: string(l.Reason), Count: l.Count, Text: c.near(l.Text)})
	}
	r.Estimate = toEstimate(res)
	return r
}

// toEstimate copies what is guessed to be left. How long that takes is told where the machine has a part in when the search ends:
// others are told the same each time.
func toEstimate(res *explore.Result) *report.Estimate {
	e := res.Estimate
	if res.Verdict != explore.Inconclusive || !e.Known() {
		return nil
	}
	out := &report.Estimate{Left: e.Left, AtLeast: e.AtLeast}
	if !slices.ContainsFunc(res.Left, func(l explore.Left) bool { return l.Reason == explore.LimitStates }) {
		out.Seconds = float64(e.Time) / 1e9
	}
	return out
}

// near makes positions in a text relative to the working directory.
func (c *checker) near(text string) string { return strings.ReplaceAll(text, c.root+"/", "") }

// tell makes the story of a finding and writes its files.
// It says what it tells before it writes: a disk may be slow, or full.
func (c *checker) tell(t *target, story *check.Story, f explore.Found, folder string, say func(report.Finding)) (report.Finding, error) {
	tr, s, err := story.Tell(f)
	if err != nil {
		return report.Finding{}, err
	}
	if tr.Finding.Kind == string(execute.Test) {
		if tr.Finding.Message, err = c.testMessage(t, s, tr); err != nil {
			return report.Finding{}, err
		}
	}
	told := tr.Readable()
	if t.test != "" {
		told = readableTest(tr, t.pkg)
	}
	out := reportFinding(tr, told, c.columns, c.verbose, c.full)
	say(out)
	out.Folder = filepath.ToSlash(folder)
	out.Replay, out.See = "heddle replay "+quoteArg(out.Folder), see(out.Folder, out.Kind, t.spec.Program.Against == "")
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
	if err := writeFiles(folder, files); err != nil {
		c.lose(err)
		out.Folder, out.Replay, out.See = "", "", nil
	}
	return out, nil
}

// see returns the commands that show more of a finding whose files are in a folder. A model cannot be debugged, nor a program
// beside one.
func see(folder, kind string, debug bool) []string {
	list := []string{"heddle view " + quoteArg(folder)}
	if debug {
		list = append(list, "heddle debug "+quoteArg(folder))
	}
	return append(list, "heddle explain "+kind)
}

// lose notes that files about a violation cannot be written. The violation itself is told nevertheless.
func (c *checker) lose(err error) {
	c.unwritten = append(c.unwritten, fmt.Errorf("the files about it cannot be written: %w", err))
}

// reportFinding tells a trace as a report does, with the text of another one that is made to be read.
func reportFinding(tr, told *trace.Trace, columns, reasons, full bool) report.Finding {
	out := report.Finding{Kind: tr.Finding.Kind, Message: tr.Finding.Message, Told: told.Finding.Message, Cause: strings.TrimSuffix(told.CauseText(), "\n"), Pos: tr.Finding.Pos, Loop: tr.Loop}
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
	for _, s := range tr.Stacks {
		out.Stacks = append(out.Stacks, report.Stack{Actor: s.Actor, Action: s.Action, Frames: reportFrames(s.Frames), Started: reportFrames(s.Started)})
	}
	for _, w := range tr.Waiting {
		out.Blocked = append(out.Blocked, report.Blocked{Actor: w.Actor, For: w.For, Pos: w.Pos, Releasers: w.Releasers})
	}
	out.Story = story(told, columns, reasons, !full)
	return out
}

func reportFrames(list []lts.Frame) (out []report.Frame) {
	for _, fr := range list {
		out = append(out, report.Frame{Func: fr.Func, Pos: fr.Pos})
	}
	return out
}

// story is what is printed between the finding and the verdict.
func story(tr *trace.Trace, columns, reasons, brief bool) string {
	steps := tr.StepsText(1, len(tr.Steps))
	if brief {
		steps = tr.BriefText()
	}
	steps = tr.BeforeText() + steps
	if columns {
		steps = tr.Columns(0)
	}
	text := tr.StacksText()
	if tr.Finding.Kind != string(execute.Deadlock) { // where it is the headline
		text = tr.CauseText() + text
	}
	text += steps + tr.WaitingText()
	if reasons {
		text += tr.WhyText()
	}
	text += tr.Summary() + "\n"
	if len(tr.Steps) > 0 {
		text += trace.Legend
	}
	text += tr.DelayText()
	return text
}

// adviceFor says what to try after a search in a certain order that was cut off. One that goes depth first sees few schedules
// then, which differ in their last steps.
func adviceFor(res *explore.Result, order string) []string {
	limited := slices.ContainsFunc(res.Left, func(l explore.Left) bool {
		return l.Reason == explore.LimitTime || l.Reason == explore.LimitStates || l.Reason == explore.LimitMemory
	})
	if !limited || order != explore.DepthFirst.String() || len(res.Findings) > 0 {
		return nil
	}
	return []string{"-search=auto hunts in other schedules as well, and may find soon what is wrong"}
}

// alone reports whether a target is a program of which it was not said who talks to it.
func (t *target) alone() bool {
	specs, err := t.flags.Peers.Specs()
	return t.test == "" && len(t.spec.Program.Packages) == 1 && err == nil && len(specs) == 0 && !t.flags.Model.Alone
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
