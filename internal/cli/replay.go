package cli

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/conform"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/model"
	"github.com/heddle-mc/heddle/internal/trace"
)

var cmdReplay = &command{
	name:  "replay",
	noted: true,
	args:  "TRACE",
	short: "execute a counterexample again, step by step",
	mixed: true,
	long: `Replay builds the program of a counterexample again and executes it step by step.
TRACE is a trace.json or the folder that has one. Each step is printed as the
counterexample told it; lines that begin with | are what the program printed.
If the program has changed since, replay says so, goes on as long as the steps
are those of the counterexample, and stops where they differ.

The exit code is 1 if what was found shows again, 2 if it does not, 3 at the end
of a way to where a peer has failed, and 0 if -step or -to ends the replay before.`,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		r := replayer{app: app}
		r.declare(fs)
		fs.IntVar(&r.step, "step", 0, "print step `n` only, and stop after it")
		fs.IntVar(&r.to, "to", 0, "stop after step `n`")
		fs.BoolVar(&r.vars, "vars", false, "print the values of what has changed so far, after the last step")
		fs.BoolVar(&r.columns, "columns", false, "print the steps with one column a goroutine, at the end")
		return func(ctx context.Context, args []string) (int, error) {
			switch {
			case len(args) == 0:
				return 0, diag.Usagef("no trace given: name a trace.json or its folder")
			case len(args) > 1:
				return 0, diag.Usagef("%d traces given: name one", len(args))
			case r.step < 0 || r.to < 0 || r.step > 0 && r.to > 0:
				return 0, diag.Usagef("give -step or -to, with a number from 1 on")
			}
			return r.replay(ctx, args[0])
		}
	},
}

// A replayer executes a trace again.
type replayer struct {
	app           *App
	dir           string
	noCache       bool
	step, to      int
	vars, columns bool
}

// declare declares the flags that say how the program is built.
func (r *replayer) declare(fs *flag.FlagSet) {
	fs.StringVar(&r.dir, "C", "", "look for packages and files in `dir`, and not where the program was checked")
	fs.BoolVar(&r.noCache, "nocache", false, "neither read nor write compiled code on disk")
}

// replay returns the exit code: 1 if the finding shows again, 2 if not.
func (r *replayer) replay(ctx context.Context, name string) (int, error) {
	t, err := readTrace(name)
	if err != nil {
		return 0, err
	}
	last := len(t.Steps)
	if n := max(r.step, r.to); n > last {
		return 0, diag.Usagef("step %d: the trace has %d steps", n, last)
	} else if n > 0 {
		last = n
	}
	if t.Settings[model.NameSetting] != "" {
		return r.replayModel(t, last)
	}
	rec, err := check.ReadRecipe(t.Settings)
	if err != nil {
		return 0, err
	}
	if r.dir != "" {
		if rec.Program.Dir, err = filepath.Abs(r.dir); err != nil {
			return 0, diag.Usagef("%v", err)
		}
	}
	world, err := readTraffic(rec, name)
	if err != nil {
		return 0, err
	}
	p, err := r.build(ctx, rec)
	if err != nil {
		return 0, err
	}
	p.process.World = world
	p.settings.Live = t.Loop > 0
	if p.prog.Identity != t.Program {
		fmt.Fprintln(r.app.Stderr, "heddle replay: the program has changed since it was checked")
	}
	fits, differs, err := p.compare(t)
	if err != nil {
		return 0, err
	}
	sys, done, err := r.walk(p, t, min(fits, last))
	if err != nil {
		return 0, err
	}
	defer done()
	if fits < last {
		return 0, differs
	}
	told := p.readable(t)
	r.after(told, last)
	if last < len(t.Steps) {
		return diag.ExitOK, nil
	}
	if t.Finding.Kind == peerTrouble {
		fmt.Fprintf(r.app.Stdout, "%s\n%s", t.Finding.Error(), t.WaitingText())
		return diag.ExitIncomplete, nil
	}
	if t.Loop > 0 {
		if err := p.goesAround(t); err != nil {
			return 0, diag.Usagef("after step %d: %v: %v", last, err, trace.ErrStale)
		}
	} else if !showsAgain(sys, t.Finding, len(t.Path) > 0) {
		return 0, diag.Usagef("after step %d: the finding does not show: %s: %v", last, t.Finding.Error(), trace.ErrStale)
	}
	f, cause := told.Finding, told.CauseText()
	if f.Kind == string(execute.Deadlock) && cause != "" { // as check tells it
		f.Message, cause = strings.TrimSuffix(cause, "\n"), ""
	}
	fmt.Fprintf(r.app.Stdout, "%s\n%s%s", f.Error(), cause+told.StacksText(), told.WaitingText())
	return diag.ExitFinding, nil
}

// readTrace reads a trace.json, or that of a folder.
func readTrace(name string) (*trace.Trace, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		name = filepath.Join(name, "trace.json")
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, diag.Usagef("%v", err)
	}
	t, err := trace.Read(bytes.NewReader(data))
	if err != nil {
		return nil, diag.Usagef("%s: %v", name, err)
	}
	return t, nil
}

// A replayed is a program that can be started with the settings of its trace.
type replayed struct {
	prog     *check.Code
	spec     *check.Spec
	settings execute.Settings
	process  execute.Process
}

// sourceDir is the folder that the packages of a recipe are looked for in.
func sourceDir(spec *check.Spec) string {
	if dir := spec.Program.ChangeTo; filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(spec.Program.Dir, spec.Program.ChangeTo)
}

// build builds the program of a recipe.
func (r *replayer) build(ctx context.Context, spec *check.Spec) (*replayed, error) {
	dir := sourceDir(spec)
	if _, err := os.Stat(dir); err != nil {
		return nil, diag.Usagef("%v: give -C and the folder that the program was checked in", err)
	}
	settings, err := spec.System()
	if err != nil {
		return nil, err
	}
	src := Source{Dir: dir, Patterns: spec.Program.Packages, Tags: spec.Program.Tags, NoCache: r.noCache}
	prog, err := r.app.Backend.Build(ctx, BuildOptions{Source: src, Test: spec.Program.Test != "", Access: settings.Access})
	if err != nil {
		return nil, err
	}
	if spec.Program.Against != "" {
		against := conformFlags{mapping: spec.Program.Map, model: spec.Program.Against, limit: conform.DefaultLimit, stops: true}
		if prog, err = against.wrap(prog, spec.Program.Dir); err != nil {
			return nil, err
		}
	}
	process := spec.Process(check.ProgramName(spec.Program.Packages))
	if spec.Program.Test == "" {
		process.Dir = spec.Program.Dir
	}
	return &replayed{prog, spec, settings, process}, nil
}

// readable is a trace as it is told.
func (p *replayed) readable(t *trace.Trace) *trace.Trace {
	if p.spec.Program.Test != "" && len(p.spec.Program.Packages) == 1 {
		return readableTest(t, p.spec.Program.Packages[0])
	}
	return t.Readable()
}

// start starts the program, with its output going to w, and returns what to call
// when it is not needed any more.
func (p *replayed) start(w io.Writer) (sys lts.System, done func(), err error) {
	process := p.process
	process.Stdout, process.Stderr = w, w
	sys, err = p.prog.NewSystem(process, p.settings)
	return sys, func() {
		if c, ok := sys.(io.Closer); ok {
			c.Close()
		}
	}, err
}

// compare goes along a trace without a word. It returns how many of its steps the
// program still does, and what is different about the next one.
func (p *replayed) compare(t *trace.Trace) (fits int, differs, err error) {
	sys, done, err := p.start(nil)
	if err != nil {
		return 0, nil, err
	}
	defer done()
	var enabled []lts.Step
	for fits < len(t.Path) {
		s := t.Path[fits]
		if enabled = sys.Enabled(enabled[:0]); !slices.Contains(enabled, s) {
			differs = diag.Usagef("step %d of %d: %s cannot do this any more: %s: %v",
				fits+1, len(t.Path), t.Steps[fits].Actor, t.Steps[fits].Action, trace.ErrStale)
			break
		}
		sys.Take(s)
		fits++
	}
	now, err := trace.Record(sys, t.Path[:fits], diag.Finding{})
	if err != nil {
		return 0, nil, diag.Bugf("steps cannot be taken twice: %v", err)
	}
	now.Finding = t.Finding
	if n := t.Agree(now); n < len(now.Steps) {
		head := trace.Trace{Finding: t.Finding, Steps: t.Steps[:n+1]}
		part := trace.Trace{Finding: t.Finding, Steps: now.Steps[:n+1]}
		return n, head.Differs(&part), nil
	}
	return fits, differs, nil
}

// goesAround says what is wrong with the loop of a trace, nil if it is one in which the finding shows.
func (p *replayed) goesAround(t *trace.Trace) error {
	sys, done, err := p.start(nil)
	if err != nil {
		return err
	}
	defer done()
	return check.ShowsLoop(sys, t.Path, len(t.Path)-t.Loop+1, t.Finding)
}

// walk takes so many steps and prints them, with what the program prints.
func (r *replayer) walk(p *replayed, t *trace.Trace, steps int) (lts.System, func(), error) {
	out := &mixedOutput{w: r.app.Stdout, quiet: r.step > 0}
	sys, done, err := p.start(out)
	if err != nil {
		return nil, nil, err
	}
	told := p.readable(t)
	if r.step == 0 {
		io.WriteString(r.app.Stdout, told.BeforeText())
		if n := t.Untold(); n > 0 {
			fmt.Fprintf(r.app.Stdout, "the first %d steps are not told\n", n)
		}
	}
	for i, s := range t.Path[:steps] {
		wanted := r.step == 0 && i >= t.Untold() || r.step == i+1
		out.endLine()
		if wanted {
			io.WriteString(r.app.Stdout, told.StepsText(i+1, i+1))
		}
		out.quiet = !wanted
		sys.Take(s)
	}
	out.endLine()
	return sys, done, nil
}

// after prints what was asked for besides the steps.
func (r *replayer) after(t *trace.Trace, last int) {
	w := r.app.Stdout
	if r.step > 0 {
		for _, why := range t.Steps[r.step-1].Why {
			fmt.Fprintf(w, "  * %s\n", why.Text)
		}
	}
	if r.columns {
		part := *t
		part.Steps = t.Steps[:last]
		io.WriteString(w, part.Columns(0))
	}
	if r.vars {
		fmt.Fprintf(w, "values after step %d:\n", last)
		for _, v := range t.Values(last) {
			fmt.Fprintf(w, "  %s = %s\n", v.Name, v.Value)
		}
	}
}

// showsAgain reports whether a finding shows where the system stands.
func showsAgain(sys lts.System, want diag.Finding, moved bool) bool {
	checker, ok := sys.(lts.Checker)
	if !ok {
		return false
	}
	var found []diag.Finding
	if moved {
		found = checker.CheckStep(found)
	}
	return slices.ContainsFunc(checker.CheckState(found), trace.SameAs(want))
}

// A mixedOutput marks what the program prints between the lines of the replay.
type mixedOutput struct {
	w      io.Writer
	quiet  bool
	inLine bool
}

// Write writes the program's output, each line with a mark before it.
func (m *mixedOutput) Write(p []byte) (int, error) {
	if m.quiet {
		return len(p), nil
	}
	for line := range bytes.Lines(p) {
		if !m.inLine {
			io.WriteString(m.w, "| ")
		}
		m.w.Write(line)
		m.inLine = line[len(line)-1] != '\n'
	}
	return len(p), nil
}

// endLine ends a line that the program has begun.
func (m *mixedOutput) endLine() {
	if m.inLine {
		io.WriteString(m.w, "\n")
		m.inLine = false
	}
}
