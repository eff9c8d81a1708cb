package cli

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/certify"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/model"
	"github.com/heddle-mc/heddle/internal/report"
	"github.com/heddle-mc/heddle/internal/trace"
)

var cmdCheckModel = &command{
	name:  "check",
	args:  "MODEL.mcrl2|MODEL.lps",
	short: "check a model",
	mixed: true,
	long: `Check explores a model in mCRL2 and looks for what is asked for: deadlocks,
actions, loops of tau steps, states that do the same in two ways, invariants over the parameters of the linear
process that do not hold, and formulas of the modal mu-calculus that do not.
If nothing is asked for it looks for deadlocks: states without steps, also those
behind Terminate. The verdicts and exit codes are those of programs:

  verified        every state was seen, nothing is wrong (exit code 0)
  violation       something is wrong: how it comes about, step by step (1)
  inconclusive    nothing wrong was seen, but not everything was: what was not
                  covered, and why (3)

A model that is wrong, and flags that make no sense, are exit code 2. The files
about a violation go to heddle-out/MODEL; heddle replay shows it again.
docs/mcrl2.md is the manual.`,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		m := modelChecker{app: app, fs: fs}
		m.flags.declare(fs)
		m.cert.declare(fs)
		m.distribute.declare(fs, "have the members of a swarm searched by workers: heddle worker", "store-dir")
		fs.StringVar(&m.out.folder, "o", "", "write the files about a violation to `dir`, instead of "+outFolder+"/MODEL")
		fs.BoolVar(&m.out.json, "json", false, "print one JSON object instead of text")
		fs.StringVar(&m.out.junit, "junit", "", "write JUnit XML to `file`")
		fs.StringVar(&m.out.sarif, "sarif", "", "write SARIF 2.1.0 to `file`")
		fs.StringVar(&m.evidence, "evidence", "", "write the evidence of formulas that hold, too, to `dir`: dir/FORMULA/evidence.txt, .aut and .dot")
		fs.BoolVar(&m.out.verbose, "v", false, "print, on standard error, time and memory of the search, and the witness of a formula that holds")
		return m.check
	},
}

// forModel returns the command that does for models what cmd does for programs.
func (cmd *command) forModel(args []string) *command {
	if cmd == cmdCheck && slices.ContainsFunc(args, func(a string) bool { return model.Is(a) && !strings.HasPrefix(a, "-") }) {
		return cmdCheckModel
	}
	return cmd
}

// A modelChecker checks one model.
type modelChecker struct {
	app   *App
	fs    *flag.FlagSet
	flags modelFlags
	cert  certFlags
	out   outputFlags

	distribute distributeFlags

	*model.Systems
	folder    string
	recipe    map[string]string
	recording *certify.Recording // of a certificate, nil if none is asked for
	evidence  string             // where evidence of formulas that hold goes to
}

// check takes the arguments of the command.
func (m *modelChecker) check(_ context.Context, args []string) (int, error) {
	name, err := oneModel(args)
	if err != nil {
		return 0, err
	}
	if m.cert.file != "" { // the order of a certificate, unless another one is asked for
		given := false
		m.fs.Visit(func(f *flag.Flag) { given = given || f.Name == "search" || f.Name == "swarm" || f.Name == "workers" })
		if !given {
			m.flags.Search.Order = "dfs"
		}
	}
	if err := m.flags.settle(m.fs); err != nil {
		return 0, err
	}
	o, err := m.flags.Options()
	if err != nil {
		return 0, err
	}
	c, w, err := m.app.newChecker(&m.out)
	if err != nil {
		return 0, err
	}
	defer c.interrupt.stop()
	m.flags.describe(w.Run)
	if err := m.distributed(w.Run); err != nil {
		return 0, err
	}
	if m.folder = m.out.folder; m.folder == "" {
		base := filepath.Base(name)
		m.folder = filepath.Join(outFolder, strings.TrimSuffix(base, filepath.Ext(base)))
	}
	if err := w.Open(); err != nil {
		return 0, err
	}
	t := &target{name: name, flags: &m.flags.checkFlags}
	if err := c.begin(t, startMeter()); err != nil {
		return 0, err
	}
	defer t.stop.end()
	t.draft.loading("the model was loaded")
	r, err := c.within(t, func() (*report.Report, error) { return m.run(c, t, o) })
	if err != nil {
		return c.failed(w, t, err)
	}
	if err := w.Report(r); err != nil {
		return 0, err
	}
	return c.finish(w)
}

// run searches the model and tells what is found.
func (m *modelChecker) run(c *checker, t *target, o explore.Options) (*report.Report, error) {
	mod, err := model.Load(t.name, m.flags.look.Passes)
	if err != nil {
		return nil, err
	}
	if err := m.flags.look.Fits(mod); err != nil {
		return nil, err
	}
	if m.Systems, err = model.Prepare(mod, &m.flags.look, o.Workers); err != nil {
		return nil, err
	}
	m.StopWhen(t.stop.poll)
	m.recipe = m.flags.look.Recipe(c.root, mod)
	meter := t.stop.meter
	t.stop.tell(&o, nil)
	t.draft.doing("it was searched")
	p := &progress{w: m.app.Stderr, terminal: isTerminal(m.app.Stderr), width: terminalWidth(m.app.Stderr), name: t.name}
	defer p.clear()
	o.Progress = p.show
	res, err := m.Check(o, model.Hooks{Stop: c.interrupt.poll, Progress: p.symbolic, Holds: func(f, how string, way *trace.Trace, e *model.Evidence) { m.holds(c, f, how, way, e) }, Search: func(o explore.Options) (*explore.Result, error) {
		defer p.clear()
		var res *explore.Result
		var err error
		if m.distribute.on {
			res, err = m.swarm(t, o)
		} else {
			res, err = m.cert.exploreModel(m, o)
		}
		if err != nil {
			return nil, withKind(err)
		}
		m.StopWhen(nil)
		t.halted(res)
		known := *res
		known.Unsaved = nil // is told once
		t.draft.found(c.toReport(t, &known, o), res.Findings)
		t.draft.doing("the graph was judged")
		return res, nil
	}})
	if cerr := m.cert.closeModel(m, res); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, err
	}
	told := res.Stories
	r := c.toReport(t, res.Result, o)
	r.Stopped = len(res.Findings) > 0 && !o.All
	if x := res.Symbolic; x != nil {
		t.halted(res.Result)
		r = c.toReport(t, res.Result, o)
		r.Symbolic = &report.Symbolic{States: x.States.String(), Nodes: x.Nodes, Steps: x.Learned, Partial: len(res.Left) > 0}
		r.Stopped = false
	}
	if len(told) > 0 {
		r.Verdict = report.Violation
	}
	for i, tr := range told {
		folder := m.folder
		if len(told) > 1 {
			folder = fmt.Sprintf("%s/%d-%s", m.folder, i+1, tr.Finding.Kind)
		}
		f, err := m.tell(c, tr, res.Evidence[tr], folder, func(f report.Finding) { t.draft.tell(i, f) })
		if err != nil {
			return nil, err
		}
		r.Findings = append(r.Findings, f)
	}
	r.Seconds = float64(meter.elapsed()) / 1e9
	r.CPUSeconds = (cpuTime() - meter.cpu).Seconds()
	r.PeakBytes = peakBytes()
	if m.out.verbose {
		p.clear()
		states := fmt.Sprintf("%d states, %d revisited", r.States, r.Revisited)
		if r.Symbolic != nil {
			states = r.Symbolic.States + " states"
		}
		fmt.Fprintf(m.app.Stderr, "%s: %s, %.3fs, cpu %.3fs, %s for visited states, %s in all\n",
			t.name, states, r.Seconds, r.CPUSeconds, sizeText(res.Bytes), sizeText(r.PeakBytes))
	}
	return r, nil
}

// holds tells the witness of a formula that holds, if that is asked for.
func (m *modelChecker) holds(c *checker, formula, how string, way *trace.Trace, e *model.Evidence) {
	if m.evidence != "" && e != nil {
		base := filepath.Base(formula)
		files, err := e.Files()
		if err == nil {
			err = writeFiles(filepath.Join(m.evidence, strings.TrimSuffix(base, filepath.Ext(base))), files)
		}
		if err != nil {
			c.lose(err)
		}
	}
	if !m.out.verbose {
		return
	}
	if len(way.Steps) > 0 {
		fmt.Fprintf(m.app.Stderr, "%s holds: witness%s:\n%s", formula, how, way.StepsText(1, len(way.Steps)))
	} else {
		fmt.Fprintf(m.app.Stderr, "%s holds\n", formula)
	}
	if e != nil {
		fmt.Fprint(m.app.Stderr, evidenceStory(len(way.Steps), how != "", false, e))
	}
}

// fewLines is how much of evidence is printed.
const fewLines = 20

// evidenceStory says why a formula holds, or does not, behind some steps, or on a way
// that is endless.
func evidenceStory(steps int, endless, symbolic bool, e *model.Evidence) string {
	var b strings.Builder
	switch {
	case e == nil && symbolic && steps == 0:
		return "a symbolic search tells a way only where one leads to where nothing more can be chosen; this is not such a formula\n"
	case e == nil && steps == 0:
		fmt.Fprintf(&b, "not even one step can be told that leads there, and the evidence is larger than %d claims\n", model.MaxEvidence)
		return b.String()
	case e == nil:
		return stepCount(steps) + "\n"
	case steps == 0:
		fmt.Fprintf(&b, "in the initial state %s\n", e.End())
	case endless:
		fmt.Fprintf(&b, "%s, and each time %s\n", stepCount(steps), e.End())
	default:
		fmt.Fprintf(&b, "%s, and there %s\n", stepCount(steps), e.End())
	}
	if !e.Branches() {
		return b.String() // the way is all of it
	}
	fmt.Fprintf(&b, "evidence: %s; the parts of the formula in them:\n", e.Size())
	lines, left := e.Lines(fewLines)
	for _, l := range lines {
		b.WriteString(l + "\n")
	}
	if left > 0 {
		fmt.Fprintf(&b, "      and at least %d more\n", left)
	}
	return b.String()
}

// maxEvidence is how many claims -json has at most.
const maxEvidence = 10_000

// toEvidence copies evidence for a report.
func toEvidence(e *model.Evidence) *report.Evidence {
	if e == nil {
		return nil
	}
	claims, end := e.Claims()
	out := &report.Evidence{States: e.Graph.States, End: end}
	if len(claims) > maxEvidence {
		out.End, out.Omitted = -1, len(claims)
		return out
	}
	for _, t := range e.Graph.Transitions {
		out.Transitions = append(out.Transitions, report.EvidenceStep{From: int(t.From), Action: e.Graph.Labels[t.Label], To: int(t.To)})
	}
	for _, c := range claims {
		told := report.EvidenceClaim{State: c.State, Part: c.Part, Values: c.Values, Holds: c.Holds, At: c.At}
		for _, r := range c.Because {
			told.Because = append(told.Because, report.EvidenceReason{Claim: r.Claim, Action: r.Step})
		}
		out.Claims = append(out.Claims, told)
	}
	return out
}

func stepCount(n int) string {
	if n == 1 {
		return "1 step"
	}
	return fmt.Sprintf("%d steps", n)
}

// tell makes the story of a finding and writes its files.
func (m *modelChecker) tell(c *checker, tr *trace.Trace, e *model.Evidence, folder string, say func(report.Finding)) (report.Finding, error) {
	tr.Program, tr.Settings = m.Model.Identity(), m.recipe
	out := reportFinding(tr, tr, false, false, false)
	out.Story = tr.StepsText(1, len(tr.Steps))
	if tr.Finding.Kind == model.Formula {
		out.Evidence = toEvidence(e)
		out.Story += evidenceStory(len(tr.Steps), strings.HasSuffix(tr.Finding.Message, model.ForEver), m.flags.look.Symbolic, e)
	} else {
		out.Story += stepCount(len(tr.Steps)) + "\n"
	}
	say(out)
	files, err := tr.Files()
	if err != nil {
		return out, diag.Bugf("a trace cannot be written: %v", err)
	}
	if e != nil {
		more, err := e.Files()
		if err != nil {
			return out, diag.Bugf("evidence cannot be written: %v", err)
		}
		files = append(files, more...)
	}
	if err := writeFiles(folder, files); err != nil {
		c.lose(err)
		return out, nil
	}
	out.Folder = filepath.ToSlash(folder)
	out.Replay, out.See = "heddle replay "+quoteArg(out.Folder), see(out.Folder, out.Kind, false)
	return out, nil
}
