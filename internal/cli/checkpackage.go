package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/report"
)

// A packageChecker checks the tests of one package, beside those of others. All that it tells goes through its lane.
type packageChecker struct {
	t      *testChecker
	lane   *lane
	app    *App     // which writes in the order of the lanes
	c      *checker // of its own
	pkg    TestPackage
	flags  *checkFlags
	others []string    // examples and fuzz targets, which are not checked
	seed   uint64      // of the round
	failed bool        // a test has failed, and no more are checked
	late   atomic.Bool // the time for the package is over
}

// checkerOf returns what checks a package.
func (t *testChecker) checkerOf(l *lane, pkg TestPackage, flags *checkFlags) *packageChecker {
	app, c := *t.app, *t.c
	app.Stdout, app.Stderr = &laneWriter{l, t.app.Stdout}, &laneWriter{l, t.app.Stderr}
	c.app, c.interrupt, c.quiet = &app, &interrupt{above: t.c.interrupt}, func() bool { return !l.leads() }
	return &packageChecker{t: t, lane: l, app: &app, c: &c, pkg: pkg, flags: flags, seed: flags.Search.Seed}
}

// report tells the report on the package or one of its tests.
func (p *packageChecker) report(r *report.Report) {
	r.Own = p.t.own[p.pkg.Path]
	if p.seed != p.flags.Search.Seed {
		r.Own = p.reseeded(r.Own)
	}
	p.lane.do(func() {
		p.lane.unheard = cmp.Or(p.lane.unheard, p.t.w.Report(r))
	})
}

// reseeded is what was looked for and how, with the seed of another round.
func (p *packageChecker) reseeded(own *report.Claim) *report.Claim {
	if own == nil {
		own = &report.Claim{Bounds: p.t.w.Run.Bounds, Properties: p.t.w.Run.Properties, Settings: p.t.w.Run.Settings}
	}
	c := *own
	c.Settings = slices.Clone(c.Settings)
	for i := range c.Settings {
		if c.Settings[i].Name == "seed" {
			c.Settings[i].Value = p.seed
		}
	}
	return &c
}

// checkAll checks the package, or says why not. An error is a defect of ours.
func (p *packageChecker) checkAll(ctx context.Context) error {
	if p.pkg.Err != nil {
		p.report(&report.Report{Target: p.pkg.Path, Package: p.pkg.Path, Verdict: report.Inconclusive, Err: p.pkg.Err})
		p.lane.do(func() { p.t.w.Package(&report.Package{Path: p.pkg.Path}) })
		return nil
	}
	if !p.pkg.Tests {
		p.lane.do(func() { p.t.w.Package(&report.Package{Path: p.pkg.Path, NoFiles: true}) })
		return nil
	}
	if specs, err := p.flags.Peers.Specs(); err == nil && len(specs) > 0 {
		p.t.peers.Lock() // others would keep the processors from the peers, which are waited for
		defer p.t.peers.Unlock()
	} else {
		p.t.peers.RLock()
		defer p.t.peers.RUnlock()
	}
	began, seed := startMeter(), ""
	if d := p.t.timeout; d > 0 {
		timer := time.AfterFunc(d, func() {
			p.late.Store(true)
			p.c.interrupt.asked.Store(true)
		})
		defer timer.Stop()
	}
	if reason, why := p.ends(); why != "" {
		p.report(notChecked(p.pkg.Path, p.pkg.Path, "", reason, why))
	} else if n, ok := p.t.shuffle.next(); ok {
		seed = strconv.FormatInt(n, 10)
		p.lane.do(func() { p.t.w.Shuffled(p.pkg.Path, seed) })
		if err := p.check(ctx, func(names []string) { shuffled(names, n) }); err != nil {
			return p.bug(err)
		}
	} else if err := p.check(ctx, func([]string) {}); err != nil {
		return p.bug(err)
	}
	took := float64(began.elapsed()) / 1e9
	p.lane.do(func() {
		p.t.w.Package(&report.Package{Path: p.pkg.Path, Seconds: took, Shuffle: seed, Others: p.others})
	})
	return nil
}

// bug ends all packages because of a defect.
func (p *packageChecker) bug(err error) error {
	p.t.c.interrupt.asked.Store(true)
	return err
}

// ends says why no more tests are checked, "" if they are.
func (p *packageChecker) ends() (explore.Reason, string) {
	switch {
	case p.late.Load():
		return explore.LimitTime, fmt.Sprintf("the time for the package is over (-timeout %v)", p.t.timeout)
	case p.c.interrupt.poll(): // if it is because of others, nobody is told
		return explore.Interrupted, "interrupted"
	case p.failed:
		return explore.Interrupted, otherFailed
	}
	return "", ""
}

const otherFailed = "another test has failed (-failfast)"

// fails notes that a test has failed. With -failfast the packages behind are not checked, whatever is known of them already: equal
// runs print equal output, however many go on side by side.
func (p *packageChecker) fails() {
	if !p.t.failFast {
		return
	}
	p.failed = true
	for _, other := range p.t.packages[p.lane.number+1:] {
		if other.pkg.Tests {
			other.lane.drop(func() {
				r := notChecked(other.pkg.Path, other.pkg.Path, "", explore.Interrupted, otherFailed)
				r.Own = p.t.own[other.pkg.Path]
				other.lane.unheard = cmp.Or(other.lane.unheard, p.t.w.Report(r))
				p.t.w.Package(&report.Package{Path: other.pkg.Path})
			})
			other.c.interrupt.asked.Store(true)
		}
	}
}

// unhurried returns the settings for loading a package, which is not a part of any test's budget.
func (p *packageChecker) unhurried() *checkFlags {
	if !slices.Contains(p.t.budgeted, p.flags) {
		return p.flags
	}
	own := *p.flags
	own.Limits.Timeout = 0
	return &own
}

// check loads the package and checks its tests. A package that cannot be built is a report of its own.
func (p *packageChecker) check(ctx context.Context, order func(names []string)) error {
	src := p.t.source(p.pkg, p.flags)
	whole := &target{name: p.pkg.Path, pkg: p.pkg.Path, flags: p.unhurried()}
	if err := p.c.begin(whole, startMeter()); err != nil {
		return err
	}
	var names, others []string
	var prog *check.Code
	whole.draft.loading("its tests were loaded")
	r, err := p.c.within(whole, func() (_ *report.Report, err error) {
		names, others, prog, err = p.t.app.listTests(ctx, BuildOptions{Source: src, Test: true, Access: p.flags.Model.Interleave == "access"}, p.pkg)
		return nil, err
	})
	whole.stop.end()
	if r != nil {
		p.report(p.mend(r))
		return nil
	}
	if err != nil {
		if diag.ExitCode(err) == diag.ExitBug {
			return err
		}
		p.report(&report.Report{Target: p.pkg.Path, Package: p.pkg.Path, Verdict: report.Inconclusive, Err: err})
		return nil
	}
	p.others = slices.DeleteFunc(others, func(name string) bool { return !p.t.run.matches(name) })
	if len(p.others) > 0 && p.t.out.verbose {
		fmt.Fprintf(p.app.Stderr, "%s: not checked, since only Test functions are: %s\n", p.pkg.Path, strings.Join(p.others, ", "))
	}
	order(names)
	names = slices.DeleteFunc(names, func(name string) bool { return !p.t.run.matches(name) || p.t.skip.whole(name) })
	for again := range p.t.count {
		flags := p.flags
		if again > 0 { // another hunt
			own := *p.flags
			own.Search.Seed += uint64(again)
			flags = &own
		}
		p.seed = flags.Search.Seed
		for _, name := range names {
			tg := p.target(src, flags, prog, name)
			if again > 0 {
				tg.folder += "#" + strconv.FormatUint(uint64(again)+1, 10)
			}
			if err := p.checkTest(tg); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkTest checks one test and tells its report.
func (p *packageChecker) checkTest(tg *target) error {
	if reason, why := p.ends(); why != "" {
		p.report(notChecked(tg.name, p.pkg.Path, tg.test, reason, why))
		return nil
	}
	if err := p.c.begin(tg, startMeter()); err != nil {
		return err
	}
	r, err := p.c.within(tg, func() (*report.Report, error) { return p.checkOne(tg) })
	tg.stop.end()
	if err != nil {
		if diag.ExitCode(err) == diag.ExitBug {
			return err
		}
		r = &report.Report{Target: tg.name, Package: p.pkg.Path, Test: tg.test, Verdict: report.Inconclusive, Err: err}
	}
	if tg.none && r.Verdict == report.Verified { // the package says so
		return nil
	}
	if err := p.c.skipped(tg, r); err != nil {
		return err
	}
	if r.Skipped && p.t.certs.file != "" {
		fmt.Fprintf(p.c.app.Stderr, "%s: the certificate shows nothing but that the test skips itself\n", tg.name)
	}
	p.report(p.mend(r))
	if r.Verdict == report.Violation {
		p.fails()
	}
	return nil
}

// mend says in a report which flag has ended the search, and whether the memory was shared.
func (p *packageChecker) mend(r *report.Report) *report.Report {
	for i := range r.Left {
		l := &r.Left[i]
		switch l.Reason {
		case string(explore.Interrupted):
			if p.late.Load() && !p.t.c.interrupt.wanted() {
				l.Reason = string(explore.LimitTime)
				l.Text = strings.Replace(l.Text, "interrupted", fmt.Sprintf("limit of %v for the package (-timeout)", p.t.timeout), 1)
			}
		case string(explore.LimitTime):
			if slices.Contains(p.t.budgeted, p.flags) {
				l.Text = strings.Replace(l.Text, fmt.Sprintf("limit of %d ms", p.t.budget.Milliseconds()), fmt.Sprintf("limit of %v (-budget)", p.t.budget), 1)
			}
		case string(explore.LimitMemory):
			if p.t.together > 1 {
				r.Advice = append(r.Advice, "-p 1 leaves the memory to one package at a time")
			}
		}
	}
	return r
}

// checkOne checks one test, and writes its certificate if that is asked for.
func (p *packageChecker) checkOne(tg *target) (*report.Report, error) {
	own := p.t.certs
	if own.file != "" {
		folder := filepath.Join(own.file, folderName(p.c.root, p.pkg.Dir, p.pkg.Path))
		own.file = filepath.Join(folder, tg.test+".heddle")
		if err := certFile(own.file); err != nil { // the test is checked all the same
			p.c.unwritten = append(p.c.unwritten, err)
			return p.c.check(tg)
		}
	}
	return own.check(p.c, tg)
}

// notChecked is the report on what an interrupt, or -failfast, has left.
func notChecked(name, pkg, test string, reason explore.Reason, why string) *report.Report {
	return &report.Report{
		Target: name, Package: pkg, Test: test, Verdict: report.Inconclusive, NotChecked: why,
		Left: []report.Left{{Reason: string(reason), Text: "not checked: " + why}},
	}
}

// target returns how one test is checked.
func (p *packageChecker) target(src Source, flags *checkFlags, prog *check.Code, name string) *target {
	args := testArgs(p.pkg, p.t.run.of(name), p.t.skip.below(name), p.t.short, flags.Program.Args)
	folder := p.t.out.folder
	if folder == "" {
		folder = outFolder
	}
	root := p.c.root
	tg := &target{
		name: p.pkg.Path + "." + name, pkg: p.pkg.Path, test: name, dir: p.pkg.Dir, files: p.pkg.Files, prog: prog, flags: flags,
		folder: filepath.Join(folder, folderName(root, p.pkg.Dir, p.pkg.Path), name),
	}
	tg.spec = flags.Spec.Clone()
	own := &tg.spec.Program
	own.Dir, own.ChangeTo, own.Packages, own.Tags = root, p.t.src.Dir, src.Patterns, src.Tags
	own.Test, own.TestArgs, own.TestDir = name, args, p.pkg.Dir
	own.Env, _ = check.Environment(flags.Program.Env, p.pkg.Dir) // was asked before
	tg.process = tg.spec.Process("")
	return tg
}
